"""What the heads of a small transformer do, by switching them off, beside how they look.

A head is switched off by setting its rows of W_O to 0: it still looks, but nothing of it arrives.
Its effect is the total variation distance that this moves the next word's probabilities; how busy
it looks is that between its pattern and an even spread (`model.films.ablation.head_looks`).
Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, section 6 and appendix A.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Annotated, Self

import numpy as np

from clockhead.model.arrays import Floats, Ints, sealed, sealed_ints, whole
from clockhead.model.films.ablation.head_looks import misled, row_busyness, total_variation
from clockhead.model.primer.worked_block import WorkedBlock
from clockhead.model.transformer.block import BlockPass, TransformerBlock
from clockhead.model.transformer.transformer import Transformer, TransformerPass
from clockhead.model.units import Count, Difference, Doc, Factor, Place, Share

ALMOST_ALL = float(np.nextafter(1.0, 0.0))
"""The largest share below 1."""


@dataclass(frozen=True)
class HeadPair:
    """Two heads by layer and head, what each looks like and what its silence changes."""

    busy_layer: Annotated[Place, Doc("the layer of the head that looks busier")]
    busy_head: Annotated[Place, Doc("which head of its layer it is")]
    dull_layer: Annotated[Place, Doc("the layer of the head that looks duller")]
    dull_head: Annotated[Place, Doc("which head of its layer that is")]
    busy_looks: Annotated[Share, Doc("how busy the busier head looks")]
    dull_looks: Annotated[Share, Doc("how busy the duller head looks")]
    busy_effect: Annotated[Share, Doc("what the silence of the busier head changes")]
    dull_effect: Annotated[Share, Doc("what the silence of the duller head changes")]

    @property
    def same_layer(self) -> bool:
        """Whether both heads are in one layer, and so look at the same rows."""
        return self.busy_layer == self.dull_layer

    @property
    def looks_gap(self) -> Share:
        """By how much the one looks busier."""
        return self.busy_looks - self.dull_looks

    @property
    def effect_gap(self) -> Share:
        """By how much the silence of the duller one changes more."""
        return self.dull_effect - self.busy_effect

    @property
    def effect_factor(self) -> Factor:
        """How many times as much the silence of the duller one changes.

        Raises ValueError if that of the busier one changes nothing.
        """
        if not self.busy_effect:
            raise ValueError("busy_effect must be above 0 for a factor, got 0")
        return self.dull_effect / self.busy_effect


@dataclass(frozen=True, eq=False)
class HeadEffects(WorkedBlock):
    """The primer's second example, or one like it, with each of its heads switched off in turn.

    Raises ValueError for a text of one token, which has no choice where to look, for a layer of one
    head or of another number than the other layer, and for heads that see later tokens.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.tokens) < 2:
            raise ValueError(f"tokens must be at least 2, got {len(self.tokens)}")
        counts = [block.n_heads for block in self.transformer.blocks]
        if min(counts) < 2 or len(set(counts)) > 1:
            raise ValueError(f"n_heads must be at least 2, the same in all layers, got {counts}")
        masks = [block.mask for block in self.transformer.blocks]
        if set(masks) != {"before softmax"}:
            raise ValueError(f"mask must be 'before softmax' in all layers, got {masks}")

    @classmethod
    def of(cls, block: WorkedBlock) -> Self:
        """The heads of `block`, with all that it holds."""
        return cls(**{field.name: getattr(block, field.name) for field in fields(WorkedBlock)})

    @property
    def n_layers(self) -> Count:
        """How many layers there are, L."""
        return self.transformer.n_layers

    @property
    def n_heads_in_all(self) -> Count:
        """How many heads all layers have, L h."""
        return self.n_layers * self.n_heads

    # One head switched off

    def without(self, layer: int, head: int) -> TransformerPass:
        """The model at work with one head silenced; ValueError for a head that there is not."""
        whole("layer", layer, at_least=0), whole("head", head, at_least=0)
        if layer >= self.n_layers or head >= self.n_heads:
            raise ValueError(
                f"layer must be below {self.n_layers} and head below {self.n_heads}, "
                f"got {layer} and {head}"
            )
        return self._runs[layer][head]

    @cached_property
    def _runs(self) -> tuple[tuple[TransformerPass, ...], ...]:
        return tuple(
            tuple(
                self.transformer.silenced({layer: [head]}).on(self.resid_pre)
                for head in range(self.n_heads)
            )
            for layer in range(self.n_layers)
        )

    @cached_property
    def silenced_probabilities(self) -> Floats:
        """What comes next with each head silenced; shape (L, h, V)."""
        return sealed(np.stack([[run.probabilities for run in runs] for runs in self._runs]))

    @cached_property
    def effects(self) -> Floats:
        """How far each head's silence moves the probabilities, in total variation; (L, h).

        It is never all of them, though what stays may be lost in rounding.
        """
        found = total_variation(self.silenced_probabilities, self.run.probabilities)  # (L, h)
        return sealed(np.minimum(found, ALMOST_ALL))

    @cached_property
    def silenced_predictions(self) -> Ints:
        """The place of the word that comes out with each head silenced; shape (L, h)."""
        return sealed_ints(np.array([[run.prediction for run in runs] for runs in self._runs]))

    @cached_property
    def silenced_patterns(self) -> Floats:
        """The patterns of all heads with each head silenced; shape (L, h, L, h, T, T).

        A silent head still looks as it did; those of later layers read other rows.
        """
        return sealed(np.array([[_patterns(run) for run in runs] for runs in self._runs]))

    @cached_property
    def kept_probabilities(self) -> Floats:
        """What of each probability stays where it is with each head silenced; shape (L, h, V)."""
        return sealed(np.minimum(self.silenced_probabilities, self.run.probabilities))

    @property
    def first_silenced(self) -> BlockPass:
        """What the first layer computes with its head 0 silenced."""
        return self.without(0, 0).block_passes[0]

    @property
    def strongest_share(self) -> Share:
        """The probability of the word that comes out with the strongest head silenced, likewise."""
        found = float(self.silenced_probabilities[(*self.strongest, self.prediction)])
        return min(found, ALMOST_ALL)

    @property
    def n_words_changed(self) -> Count:
        """How many heads change the word that comes out when they are silenced."""
        return int((self.silenced_predictions != self.prediction).sum())

    @cached_property
    def deletion_error(self) -> Difference:
        """The most that a logit differs between a head silenced and the same head cut out."""
        return max(
            float(np.abs(self.without(layer, head).logits - self._cut_out(layer, head)).max())
            for layer in range(self.n_layers)
            for head in range(self.n_heads)
        )

    def _cut_out(self, layer: int, head: int) -> Floats:
        """The logits of a model whose matrices lack the columns and rows of a head; (T, V)."""
        blocks = list(self.transformer.blocks)
        blocks[layer] = _without_lane(blocks[layer], head)
        return Transformer(tuple(blocks), self.unembedding).on(self.resid_pre).logits

    # All attention off

    @cached_property
    def off(self) -> TransformerPass:
        """The model at work with no attention at all."""
        return self.transformer.without_attention.on(self.resid_pre)

    @cached_property
    def off_effect(self) -> Share:
        """How far the probabilities move with no attention at all, in total variation, likewise."""
        moved = float(total_variation(self.off.probabilities, self.run.probabilities))
        return min(moved, ALMOST_ALL)

    @cached_property
    def off_patterns(self) -> Floats:
        """Where all heads look while nothing of it arrives; shape (L, h, T, T)."""
        return sealed(_patterns(self.off))

    @cached_property
    def kept_off(self) -> Floats:
        """What of each probability stays where it is with no attention at all; shape (V,)."""
        return sealed(np.minimum(self.off.probabilities, self.run.probabilities))

    @property
    def off_word(self) -> str:
        """The word that comes out then."""
        return self.vocabulary[self.off.prediction]

    @property
    def off_share(self) -> Share:
        """What is left then of the probability of the word that comes out with attention."""
        return float(self.off.probabilities[self.prediction])

    # How busy the heads look

    @cached_property
    def patterns(self) -> Floats:
        """The patterns of all heads; shape (L, h, T, T)."""
        return sealed(_patterns(self.run))

    @cached_property
    def row_looks(self) -> Floats:
        """How far each row of each pattern is from an even spread; shape (L, h, T)."""
        return sealed(row_busyness(self.patterns))

    @cached_property
    def looks(self) -> Floats:
        """How busy each head looks: the mean of these over all rows but the first; (L, h)."""
        return sealed(self.row_looks[..., 1:].mean(axis=-1))

    @property
    def most_looks(self) -> Share:
        """How busy a head looks at most, each row at one key alone."""
        return float(row_busyness(np.eye(self.n_tokens))[1:].mean())

    @cached_property
    def busiest(self) -> Ints:
        """The layer and the head that looks busiest, the first of equals; shape (2,)."""
        return self._place_of_most(self.looks)

    @cached_property
    def strongest(self) -> Ints:
        """The layer and the head whose silence changes most, the first of equals; shape (2,)."""
        return self._place_of_most(self.effects)

    @property
    def busiest_effect(self) -> Share:
        """What the silence of the head that looks busiest changes."""
        return float(self.effects[tuple(self.busiest)])

    @property
    def busiest_is_strongest(self) -> bool:
        """Whether the head that looks busiest is the one whose silence changes most."""
        return bool((self.busiest == self.strongest).all())

    @cached_property
    def misleading_pair(self) -> HeadPair | None:
        """Two heads of which the one that looks busier changes less, or None if no two do.

        Of several such pairs the one with the largest product of both gaps, so that neither what
        is seen nor what it does is nearly the same; gaps that do not show are none (`SEEN`).
        """
        looks, effects = self.looks.ravel(), self.effects.ravel()  # (L h,) each
        products = np.subtract.outer(looks, looks) * np.subtract.outer(effects, effects)
        products = np.where(misled(looks, effects), -products, 0.0)  # (L h, L h), [busier, duller]
        if not products.any():
            return None
        busy, dull = divmod(int(products.argmax()), len(looks))
        seen = [float(values[head]) for values in (looks, effects) for head in (busy, dull)]
        return HeadPair(*divmod(busy, self.n_heads), *divmod(dull, self.n_heads), *seen)

    def _place_of_most(self, values: Floats) -> Ints:
        return sealed_ints(np.array(divmod(int(values.argmax()), self.n_heads)))


def _patterns(run: TransformerPass) -> Floats:
    return np.stack([found.patterns for found in run.block_passes])  # (L, h, T, T)


def _without_lane(block: TransformerBlock, head: int) -> TransformerBlock:
    """The block of one head less."""
    lane = block.lanes[head]
    columns = {name: np.delete(getattr(block, name), lane, 1) for name in ("w_q", "w_k", "w_v")}
    rest = np.delete(block.w_o, lane, 0)
    return replace(block, **columns, w_o=rest, n_heads=block.n_heads - 1)
