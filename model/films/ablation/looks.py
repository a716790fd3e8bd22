"""Over many random models: how often the head that looks busiest is the one that matters most.

Were looks no guide at all, the busiest of H heads would be the strongest in one model of H, and the
busier of two heads would change less in every other pair.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Bools, Floats, finite, sealed, whole
from clockhead.model.attention.pattern import pattern_from_scores, softmax
from clockhead.model.films.ablation.head_effects import ALMOST_ALL, HeadEffects
from clockhead.model.films.ablation.head_looks import misled, row_busyness, total_variation
from clockhead.model.primer.worked_block import worked_block
from clockhead.model.transformer.block import TransformerBlock
from clockhead.model.units import Count, Doc, Factor, Share, Unit

_COLUMN = 40
"""As many models stand in a column."""
N_MODELS = 3000
"""So many models tell a head that is right in 20 % from one that is right in 1 of 6, by chance."""


@dataclass(frozen=True, eq=False)
class BusiestHeads:
    """How busy all heads of N models look, and what the silence of each changes, (N, L, h) each.

    Raises ValueError for other shapes, no model, no layer, and layers of fewer than 2 heads.
    """

    looks: Annotated[Floats, Doc("how busy each head of each model looks; (N, L, h)")]
    effects: Annotated[Floats, Doc("what its silence changes; (N, L, h)")]

    def __post_init__(self) -> None:
        shape = finite("looks", self.looks, n_axes=3).shape
        if not shape[0] or not shape[1] or shape[2] < 2:
            raise ValueError(
                f"looks must have at least 1 model, 1 layer and 2 heads, got shape {shape}"
            )
        if finite("effects", self.effects, n_axes=3).shape != shape:
            raise ValueError(f"effects must have shape {shape}, got {self.effects.shape}")
        sealed(self.looks)
        sealed(self.effects)

    @classmethod
    def of(cls, models: Iterable[HeadEffects]) -> BusiestHeads:
        """The heads of all `models`, computed at once; ValueError for none, or different sizes."""
        found = tuple(models)
        sizes = {_sizes(model) for model in found}
        if len(sizes) != 1:
            raise ValueError(f"models must be at least 1, all of the same sizes, got {sizes}")
        return cls(*_looks_and_effects(found))

    @property
    def n_models(self) -> Count:
        """How many models there are, N."""
        return len(self.looks)

    @property
    def n_heads(self) -> Count:
        """How many heads a layer has, h."""
        return int(self.looks.shape[2])

    @property
    def n_heads_in_all(self) -> Count:
        """How many heads all layers of a model have, L h."""
        return int(self.looks[0].size)

    @cached_property
    def agrees(self) -> Bools:
        """In which models the head that looks busiest changes most when it is silenced; (N,)."""
        return _agrees(self._all_looks, self._all_effects)

    @property
    def agrees_in_columns(self) -> Bools:
        """The same, forty models to a column; shape (40, N/40), ValueError for other N."""
        return self.agrees.reshape(-1, _COLUMN).T

    @property
    def agrees_first(self) -> Bools:
        """As many models, those first in which it is so; shape (40, N/40)."""
        return np.sort(self.agrees)[::-1].reshape(-1, _COLUMN).T

    @property
    def n_agree(self) -> Count:
        """In how many models the head that looks busiest changes most when it is silenced."""
        return int(self.agrees.sum())

    @property
    def share(self) -> Share:
        """The share of the models that these are."""
        return self.n_agree / self.n_models

    @property
    def sampling_error(self) -> Share:
        """How far this share strays from that of all such models: one standard error."""
        return math.sqrt(self.share * (1 - self.share) / self.n_models)

    # Against chance

    @property
    def chance(self) -> Share:
        """The share of the models that it would be by chance, 1 / (L h)."""
        return 1 / self.n_heads_in_all

    @property
    def n_by_chance(self) -> Annotated[float, Unit("models")]:
        """How many models it would be by chance, on average."""
        return self.n_models * self.chance

    @property
    def chance_spread(self) -> Annotated[float, Unit("models")]:
        """How far a number by chance strays from that, give or take: one standard deviation."""
        return math.sqrt(self.n_models * self.chance * (1 - self.chance))

    @property
    def spreads_above_chance(self) -> Factor:
        """How many of these spreads the number is above chance; negative below it."""
        return (self.n_agree - self.n_by_chance) / self.chance_spread

    # All pairs

    @cached_property
    def _misled(self) -> Bools:
        return misled(self._all_looks, self._all_effects)  # (N, L h, L h)

    @property
    def n_misleading(self) -> Count:
        """How many models have two heads of which the busier changes less."""
        return int(self._misled.any(axis=(1, 2)).sum())

    @property
    def misled_share(self) -> Share:
        """The share of all pairs of heads, over all models, whose busier one changes less."""
        n_pairs = self.n_models * math.comb(self.n_heads_in_all, 2)
        return int(self._misled.sum()) / n_pairs

    # The last layer by itself: where rows are longer, all its heads look busier

    @property
    def n_busiest_in_last(self) -> Count:
        """In how many models the head that looks busiest is one of the last layer."""
        first_of_last = self.n_heads_in_all - self.n_heads
        return int((self._all_looks.argmax(axis=1) >= first_of_last).sum())

    @property
    def n_agree_in_last(self) -> Count:
        """In how many models the busiest head of the last layer changes most of that layer."""
        return int(_agrees(self.looks[:, -1], self.effects[:, -1]).sum())

    @property
    def n_by_chance_in_last(self) -> Annotated[float, Unit("models")]:
        """How many models that would be by chance, on average: N/h."""
        return self.n_models / self.n_heads

    @cached_property
    def _all_looks(self) -> Floats:
        return self.looks.reshape(self.n_models, -1)  # (N, L h)

    @cached_property
    def _all_effects(self) -> Floats:
        return self.effects.reshape(self.n_models, -1)  # (N, L h)


def _sizes(model: HeadEffects) -> tuple[int, ...]:
    return (model.n_tokens, model.d_model, model.n_layers, model.n_heads, model.d_ff, model.n_vocab)


def _looks_and_effects(models: Sequence[HeadEffects]) -> tuple[Floats, Floats]:
    """How busy the heads of N models look, and what the silence of each changes; (N, L, h) each.

    Every model runs L h + 1 times side by side: whole, and with each head silenced in turn.
    """
    shape = (len(models), models[0].n_layers, models[0].n_heads)
    n_heads = shape[1] * shape[2]
    heard = 1 - np.eye(n_heads + 1, n_heads, k=-1).reshape(-1, *shape[1:])  # (L h + 1, L, h)
    resid = np.stack([model.resid_pre for model in models])[:, None]  # (N, 1, T, d_model)
    patterns = []
    for layer in range(shape[1]):
        blocks = [model.transformer.blocks[layer] for model in models]
        resid, seen = _layer(blocks, resid, heard[:, layer])
        patterns.append(seen[:, 0])
    unembedding = np.stack([model.unembedding for model in models])  # (N, d_model, V)
    probabilities = softmax(resid[:, :, -1] @ unembedding)  # (N, L h + 1, V)
    moved = total_variation(probabilities[:, 1:], probabilities[:, :1])  # (N, L h)
    looks = row_busyness(np.stack(patterns, axis=1))[..., 1:].mean(axis=-1)
    return looks, np.minimum(moved, ALMOST_ALL).reshape(shape)


def _layer(
    blocks: Sequence[TransformerBlock], resid: Floats, heard: Floats
) -> tuple[Floats, Floats]:
    """A layer of each of N models on S streams: streams (N, S, T, d_model), patterns of heads.

    `resid` is (N, S or 1, T, d_model), `heard` (S, h) has a 0 for each head that is silent; the
    patterns are (N, S or 1, h, T, T).
    """
    w_q, w_k, w_v, w_o, w_1, w_2 = (
        np.stack([getattr(block, name) for block in blocks])[:, None]
        for name in ("w_q", "w_k", "w_v", "w_o", "w_1", "w_2")
    )
    cut = (*resid.shape[:-1], blocks[0].n_heads, blocks[0].d_head)
    queries, keys, values = (
        (resid @ weights).reshape(cut).swapaxes(-2, -3) for weights in (w_q, w_k, w_v)
    )  # (N, S, h, T, d_head)
    patterns = pattern_from_scores(queries @ keys.swapaxes(-1, -2) / math.sqrt(cut[-1]))
    blends = (patterns @ values * heard[..., None, None]).swapaxes(-2, -3)  # (N, S, T, h, d_head)
    mid = resid + blends.reshape(*blends.shape[:-2], -1) @ w_o
    return mid + np.maximum(mid @ w_1, 0.0) @ w_2, patterns


def _agrees(looks: Floats, effects: Floats) -> Bools:
    """(N, H) and (N, H) to (N,)."""
    return np.asarray(looks.argmax(axis=1) == effects.argmax(axis=1))


@dataclass(frozen=True, eq=False)
class SeenHeads(HeadEffects):
    """The heads of one model, the row by which one of them looks busiest, and many more models."""

    @cached_property
    def many(self) -> BusiestHeads:
        """Many random models over the same text, with as many heads."""
        return busiest_heads(self.tokens, self.n_heads)

    @property
    def busy_row(self) -> Floats:
        """Where the last token looks in the head that looks busiest; shape (T,)."""
        return np.asarray(self.patterns[(*self.busiest, -1)])

    @property
    def busy_row_looks(self) -> Share:
        """How far that row is from an even spread: what must move to make it even."""
        return float(self.row_looks[(*self.busiest, -1)])

    @cached_property
    def even_row(self) -> Floats:
        """The same for all it may look at; shape (T,)."""
        return sealed(np.full(self.n_tokens, 1 / self.n_tokens))

    @cached_property
    def kept_row(self) -> Floats:
        """What of that row stays where it is when it becomes even; shape (T,)."""
        return sealed(np.minimum(self.busy_row, self.even_row))

    @cached_property
    def all_looks(self) -> Floats:
        """How busy each head looks, layer by layer; shape (L h,)."""
        return sealed(self.looks.ravel())

    @cached_property
    def all_effects(self) -> Floats:
        """What the silence of each head changes, layer by layer; shape (L h,)."""
        return sealed(self.effects.ravel())


@lru_cache(maxsize=16)
def busiest_heads(
    tokens: tuple[str, ...], n_heads: int = 2, n_models: int = N_MODELS
) -> BusiestHeads:
    """Over `n_models` examples like the primer's, drawn with the seeds 0, 1, 2 and so on.

    Every one is `worked_block(tokens, seed=..., n_heads=n_heads)`. Results are kept. Raises
    ValueError for no model, and as `worked_block` and `HeadEffects`.
    """
    seeds = range(whole("n_models", n_models, at_least=1))
    return BusiestHeads.of(
        HeadEffects.of(worked_block(tokens, seed=seed, n_heads=n_heads)) for seed in seeds
    )
