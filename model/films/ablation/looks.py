"""How often the head that looks busiest has the largest effect, in many random models.

If looks were no guide at all, the busiest of H heads would be the strongest in one of H models, and
the busier of two heads would have the smaller effect in half of all pairs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Bools, Floats, Values
from clockhead.model.attention.pattern import pattern_from_scores, softmax
from clockhead.model.films.ablation.head_effects import (
    ALMOST_ALL,
    HeadEffects,
    head_effects,
    row_busyness,
    total_variation,
)
from clockhead.model.primer.worked_block import WorkedBlock, worked_block
from clockhead.model.transformer.block import TransformerBlock
from clockhead.model.units import Count, Doc, Factor, Share, Shares, Unit

_COLUMN = 40
"""Number of models in a column."""
N_MODELS = 3000
"""Number of models: enough to distinguish 20 % from the 1 in 6 of a random pick."""


@dataclass(frozen=True, kw_only=True)
class BusiestHeads(Values):
    """How busy all heads of N models look, their effects, and how well the two agree."""

    looks: Annotated[Floats, Doc("how busy each head of each model looks; (N, L, h)")]
    effects: Annotated[Floats, Doc("effect of each head; (N, L, h)")]
    n_models: Annotated[Count, Doc("number of models, N")]
    n_heads: Annotated[Count, Doc("number of heads in a layer, h")]
    agrees: Annotated[
        Bools, Doc("whether the head that looks busiest has the largest effect; (N,)")
    ]
    n_agree: Annotated[
        Count, Doc("number of models in which the busiest head has the largest effect")
    ]
    share: Annotated[
        Share, Doc("fraction of models in which the busiest head has the largest effect")
    ]
    chance: Annotated[Share, Doc("the same fraction for a head picked at random, 1 / (L h)")]
    n_by_chance: Annotated[
        float, Unit("models"), Doc("expected number of models for a head picked at random")
    ]
    spreads_above_chance: Annotated[
        Factor, Doc("difference of the number from chance, in standard deviations")
    ]


def compare_heads(looks: Floats, effects: Floats) -> BusiestHeads:
    """Count how often the busiest head has the largest effect; both arguments are (N, L, h)."""
    n, n_layers, n_heads = looks.shape
    all_looks, all_effects = looks.reshape(n, -1), effects.reshape(n, -1)  # (N, L h)
    agrees = np.asarray(all_looks.argmax(axis=1) == all_effects.argmax(axis=1))  # (N,)
    n_agree, share = int(agrees.sum()), int(agrees.sum()) / n
    chance = 1 / (n_layers * n_heads)
    spread = math.sqrt(n * chance * (1 - chance))
    return BusiestHeads(
        looks=looks,
        effects=effects,
        n_models=n,
        n_heads=n_heads,
        agrees=agrees,
        n_agree=n_agree,
        share=share,
        chance=chance,
        n_by_chance=n * chance,
        spreads_above_chance=(n_agree - n * chance) / spread,
    )


def _looks_and_effects(models: Sequence[WorkedBlock]) -> tuple[Floats, Floats]:
    """How busy the heads of N models look, and their effects; (N, L, h) each.

    Every model has L h + 1 parallel streams: one without ablation, and one for each ablated head.
    """
    shape = (len(models), models[0].transformer.n_layers, models[0].n_heads)
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
    """Run a layer of each of N models on S streams.

    `resid` is (N, S or 1, T, d_model), and `heard` (S, h) is 0 for ablated heads. Returns streams
    (N, S, T, d_model) and patterns (N, S or 1, h, T, T).
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
    z = (patterns @ values * heard[..., None, None]).swapaxes(-2, -3)  # (N, S, T, h, d_head)
    mid = resid + z.reshape(*z.shape[:-2], -1) @ w_o
    return mid + np.maximum(mid @ w_1, 0.0) @ w_2, patterns


@dataclass(frozen=True, kw_only=True, eq=False)
class SeenHeads(HeadEffects):
    """The heads of one model, the last row of the busiest head, and many random models."""

    all_looks: Annotated[Shares, Doc("how busy each head looks, layer by layer; (L h,)")]
    all_effects: Annotated[Shares, Doc("effect of each head, layer by layer; (L h,)")]
    busy_row: Annotated[
        Shares, Doc("attention weights of the last token in the head that looks busiest; (T,)")
    ]
    busy_row_looks: Annotated[Share, Doc("total variation distance of that row from a uniform row")]
    even_row: Annotated[Shares, Doc("the uniform row of the last token; (T,)")]
    kept_row: Annotated[Shares, Doc("the smaller of each weight in both rows; (T,)")]
    many: Annotated[BusiestHeads, Doc("many random models of the same size on the same text")]
    agrees_in_columns: Annotated[
        Bools, Doc("whether looks and effect agree in each model, forty in a column; (40, N/40)")
    ]
    agrees_first: Annotated[
        Bools, Doc("the same, sorted so that models that agree come first; (40, N/40)")
    ]


def seen_heads(block: WorkedBlock) -> SeenHeads:
    """The heads of `block` and of `N_MODELS` random models; ValueError like `check_heads`."""
    heads = head_effects(block)
    busy_row = heads.patterns[(*heads.busiest, -1)]  # (T,)
    even_row = np.full(heads.n_tokens, 1 / heads.n_tokens)
    many = busiest_heads(heads.tokens, heads.n_heads)
    return SeenHeads(
        **vars(heads),
        all_looks=heads.looks.ravel(),
        all_effects=heads.effects.ravel(),
        busy_row=busy_row,
        busy_row_looks=float(heads.row_looks[(*heads.busiest, -1)]),
        even_row=even_row,
        kept_row=np.minimum(busy_row, even_row),
        many=many,
        agrees_in_columns=many.agrees.reshape(-1, _COLUMN).T,
        agrees_first=np.sort(many.agrees)[::-1].reshape(-1, _COLUMN).T,
    )


@lru_cache(maxsize=16)
def busiest_heads(
    tokens: tuple[str, ...], n_heads: int = 2, n_models: int = N_MODELS
) -> BusiestHeads:
    """Looks and effects in `n_models` random examples, with the seeds 0, 1, 2 and so on.

    Each is `worked_block(tokens, seed=..., n_heads=n_heads)`. Results are cached.
    """
    models = [worked_block(tokens, seed=seed, n_heads=n_heads) for seed in range(n_models)]
    return compare_heads(*_looks_and_effects(models))
