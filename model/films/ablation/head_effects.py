"""What the heads of a small transformer do, by switching them off, beside how they look.

A head is switched off by setting its rows of W_O to 0: it still looks, but nothing of it arrives.
Its effect is the total variation distance that this moves the next word's probabilities; how busy
it looks is that between its pattern and an even spread.
Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, section 6 and appendix A; Jain
and Wallace, Attention is not Explanation (2019), for total variation as the measure of what a
change does, and for patterns that do not tell what matters.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.attention.pattern import causal_mask
from clockhead.model.primer.worked_block import WorkedBlock
from clockhead.model.transformer.block import BlockPass, TransformerBlock
from clockhead.model.transformer.transformer import Transformer, TransformerPass
from clockhead.model.units import Count, Difference, Doc, Share

ALMOST_ALL = float(np.nextafter(1.0, 0.0))
"""The largest share below 1."""
SEEN = 1e-3
"""Shares that differ by less read alike."""


@dataclass(frozen=True, kw_only=True)
class HeadPair(Values):
    """Two heads, what each looks like and what its silence changes."""

    busy: Annotated[Ints, Doc("the layer and the head that looks busier; (2,)")]
    dull: Annotated[Ints, Doc("the layer and the head that looks duller; (2,)")]
    busy_effect: Annotated[Share, Doc("what the silence of the busier head changes")]
    dull_effect: Annotated[Share, Doc("what the silence of the duller head changes")]


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadEffects(WorkedBlock):
    """The primer's second example, or one like it, with each of its heads switched off in turn."""

    n_layers: Annotated[Count, Doc("how many layers there are, L")]

    # One head switched off
    silenced: Annotated[
        tuple[tuple[TransformerPass, ...], ...],
        Doc("the model at work with each head silenced, by layer and head"),
    ]
    first_silenced: Annotated[
        BlockPass, Doc("what the first layer computes with its head 0 silenced")
    ]
    silenced_probabilities: Annotated[
        Floats, Doc("what comes next with each head silenced; (L, h, V)")
    ]
    kept_probabilities: Annotated[
        Floats, Doc("what of each probability stays with each head silenced; (L, h, V)")
    ]
    effects: Annotated[
        Floats,
        Doc(
            "how far each head's silence moves the probabilities, in total variation; (L, h), "
            "never all, though what stays may be lost in rounding"
        ),
    ]
    silenced_patterns: Annotated[
        Floats,
        Doc(
            "the patterns of all heads with each head silenced, which still looks as it did; "
            "(L, h, L, h, T, T)"
        ),
    ]
    strongest: Annotated[
        Ints, Doc("the layer and the head whose silence changes most, the first of equals; (2,)")
    ]
    strongest_share: Annotated[Share, Doc("the word's probability without the strongest head")]
    n_words_changed: Annotated[
        Count, Doc("how many heads change the word that comes out when they are silenced")
    ]
    deletion_error: Annotated[
        Difference,
        Doc("the most that a logit differs between a head silenced and the same head cut out"),
    ]

    # All attention off
    off: Annotated[TransformerPass, Doc("the model at work with no attention at all")]
    off_effect: Annotated[Share, Doc("what switching off all heads moves")]
    off_patterns: Annotated[
        Floats, Doc("where all heads look while nothing of it arrives; (L, h, T, T)")
    ]
    kept_off: Annotated[Floats, Doc("what of each probability stays then; (V,)")]

    # How busy the heads look
    patterns: Annotated[Floats, Doc("the patterns of all heads; (L, h, T, T)")]
    row_looks: Annotated[
        Floats, Doc("how far each row of each pattern is from an even spread; (L, h, T)")
    ]
    looks: Annotated[
        Floats,
        Doc("how busy each head looks: the mean of these over all rows but the first; (L, h)"),
    ]
    busiest: Annotated[
        Ints, Doc("the layer and the head that looks busiest, the first of equals; (2,)")
    ]
    busiest_effect: Annotated[Share, Doc("what the silence of the head that looks busiest changes")]
    misleading_pair: Annotated[
        HeadPair | None,
        Doc("two heads of which the one that looks busier changes less, or None if no two do"),
    ]


def check_heads(block: WorkedBlock) -> None:
    """Refuse a block whose heads cannot be compared, one against the other, by looks and effects.

    Raises ValueError for a text of one token, which has no choice where to look, for a layer of one
    head or of another number than the other layer, and for heads that see later tokens.
    """
    if block.n_tokens < 2:
        raise ValueError(f"tokens must be at least 2, got {block.n_tokens}")
    counts = [layer.n_heads for layer in block.transformer.blocks]
    if min(counts) < 2 or len(set(counts)) > 1:
        raise ValueError(f"n_heads must be at least 2, the same in all layers, got {counts}")
    masks = [layer.mask for layer in block.transformer.blocks]
    if set(masks) != {"before softmax"}:
        raise ValueError(f"mask must be 'before softmax' in all layers, got {masks}")


def head_effects(block: WorkedBlock) -> HeadEffects:
    """The heads of `block`, each switched off in turn. Raises ValueError as `check_heads`."""
    check_heads(block)
    transformer, x, run = block.transformer, block.resid_pre, block.run
    usual, word = run.probabilities, block.prediction  # (V,)
    layers, heads = range(transformer.n_layers), range(block.n_heads)
    silenced = tuple(
        tuple(transformer.silenced({layer: [head]}).on(x) for head in heads) for layer in layers
    )
    probabilities = np.array([[each.probabilities for each in row] for row in silenced])
    predictions = np.array([[each.prediction for each in row] for row in silenced])  # (L, h)
    effects = np.minimum(total_variation(probabilities, usual), ALMOST_ALL)  # (L, h)
    strongest = _place_of_most(effects)
    deletion_errors = [
        np.abs(silenced[layer][head].logits - _cut_out(block, layer, head)).max()
        for layer in layers
        for head in heads
    ]
    off = transformer.without_attention.on(x)
    patterns = _patterns(run)
    row_looks = row_busyness(patterns)
    looks = row_looks[..., 1:].mean(axis=-1)  # (L, h)
    busiest = _place_of_most(looks)
    return HeadEffects(
        **vars(block),
        n_layers=len(layers),
        silenced=silenced,
        first_silenced=silenced[0][0].block_passes[0],
        silenced_probabilities=probabilities,
        kept_probabilities=np.minimum(probabilities, usual),
        effects=effects,
        silenced_patterns=np.array([[_patterns(each) for each in row] for row in silenced]),
        strongest=strongest,
        strongest_share=min(float(probabilities[(*strongest, word)]), ALMOST_ALL),
        n_words_changed=int((predictions != word).sum()),
        deletion_error=float(max(deletion_errors)),
        off=off,
        off_effect=min(float(total_variation(off.probabilities, usual)), ALMOST_ALL),
        off_patterns=_patterns(off),
        kept_off=np.minimum(off.probabilities, usual),
        patterns=patterns,
        row_looks=row_looks,
        looks=looks,
        busiest=busiest,
        busiest_effect=float(effects[tuple(busiest)]),
        misleading_pair=_misleading_pair(looks, effects),
    )


def _misleading_pair(looks: Floats, effects: Floats) -> HeadPair | None:
    """Two heads of which the one that looks busier changes less, if there are two; (L, h) each.

    Of several such pairs the one with the largest product of both gaps, so that neither what is
    seen nor what it does is nearly the same; gaps that do not show are none (`SEEN`).
    """
    n_heads = looks.shape[1]
    looks, effects = looks.ravel(), effects.ravel()  # (L h,) each
    busier, less = np.subtract.outer(looks, looks), -np.subtract.outer(effects, effects)
    misled = (busier >= SEEN) & (less >= SEEN)  # (L h, L h), [busier, duller]
    products = np.where(misled, busier * less, 0.0)
    if not products.any():
        return None
    busy, dull = divmod(int(products.argmax()), len(looks))
    return HeadPair(
        busy=np.array(divmod(busy, n_heads)),
        dull=np.array(divmod(dull, n_heads)),
        busy_effect=float(effects[busy]),
        dull_effect=float(effects[dull]),
    )


def _place_of_most(values: Floats) -> Ints:
    """The layer and the head of the largest of (L, h) numbers, the first of equals; (2,)."""
    return np.array(divmod(int(values.argmax()), values.shape[1]))


def _patterns(run: TransformerPass) -> Floats:
    return np.stack([found.patterns for found in run.block_passes])  # (L, h, T, T)


def _cut_out(block: WorkedBlock, layer: int, head: int) -> Floats:
    """The logits of a model whose matrices lack the columns and rows of a head; (T, V)."""
    blocks = list(block.transformer.blocks)
    blocks[layer] = _without_lane(blocks[layer], head)
    return Transformer(tuple(blocks), block.unembedding).on(block.resid_pre).logits


def _without_lane(block: TransformerBlock, head: int) -> TransformerBlock:
    """The block of one head less."""
    lane = block.lanes[head]
    columns = {name: np.delete(getattr(block, name), lane, 1) for name in ("w_q", "w_k", "w_v")}
    rest = np.delete(block.w_o, lane, 0)
    return replace(block, **columns, w_o=rest, n_heads=block.n_heads - 1)


def total_variation(p: Floats, q: Floats) -> Floats:
    """Half the sum of absolute differences along the last axis: the share that has to move.

    Broadcasts (..., V) and (..., V) to (...).
    """
    return np.asarray(np.abs(p - q).sum(axis=-1) / 2)


def row_busyness(patterns: Floats) -> Floats:
    """How far each row of causal patterns (..., T, T) is from an even spread; shape (..., T).

    The even spread of row m gives 1/(m + 1) to each key up to m; the distance is the total
    variation, 0 for an even row and m/(m + 1) for one that looks at one key alone.
    """
    seen = causal_mask(patterns.shape[-1])  # (T, T)
    return total_variation(patterns, seen / seen.sum(axis=1, keepdims=True))
