"""The previous-token head: a constant key, a query rotated back one step, and softmax.

Source: Chris Wendler's RoPE transformer, section 3. Key k_n = R_n c, query q_m = alpha R_(m-1) c,
so the score is alpha f(n - m + 1), largest where n = m - 1. Any other offset works alike. Two
things that the text leaves out: how large alpha has to be (see `model.previous_token.sharpness`),
and what the first rows do, which have nothing that far back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, Values, finite, real, whole
from clockhead.model.attention.constant_key import ALPHA_LIMIT, constant_key
from clockhead.model.attention.pattern import causal_mask, pattern_from_scores
from clockhead.model.previous_token.sharpness import lost_weights, target_weights
from clockhead.model.rope.rotation import (
    BASE,
    checked_frequencies,
    kernel,
    rope_frequencies,
    rotate,
)
from clockhead.model.units import (
    Coordinates,
    Count,
    Doc,
    Position,
    Positions,
    Rows,
    ScoreScale,
    Share,
    Tokens,
)

TIE = 1e-12
"""Scores tie that differ by less than this share of the largest score: that much is rounding."""

SHARP = 0.9
"""The attention weight from which a target gets nearly everything."""

Line: TypeAlias = Literal["sharp", "blurred", "none"]
"""Whether the targets stand out: from 90 %, by more than half, or not."""


def line_of(weight: float, has_majority: bool) -> Line:
    """What a row with this weight on its target shows; without a majority it is no line."""
    if not has_majority:
        return "none"
    return "sharp" if weight >= SHARP else "blurred"


@dataclass(frozen=True, kw_only=True, eq=False)
class PreviousTokenHead(Values):
    """A head of `n_tokens` positions in which row m attends to its target, m - offset."""

    n_tokens: Annotated[Tokens, Doc("length of the text, T")]
    d_head: Annotated[Coordinates, Doc("width of queries and keys")]
    n_pairs: Annotated[Count, Doc("the number of clock hands of a key")]
    alpha: Annotated[ScoreScale, Doc("scale of the scores, which makes the softmax sharp")]
    offset: Annotated[Positions, Doc("how many positions back the target lies")]
    causal: Annotated[bool, Doc("whether keys after the query are masked")]
    frequencies: Annotated[Floats, Doc("radians per position that each pair turns; (d_head/2,)")]
    positions: Annotated[Ints, Doc("0 .. T - 1; (T,)")]

    keys: Annotated[Floats, Doc("k_n = R_n c; (T, d_head)")]
    queries: Annotated[Floats, Doc("q_m = R_m alpha R_(-offset) c; (T, d_head)")]
    past_target: Annotated[
        Ints, Doc("n - m + offset, how far key n stands after the target; (T, T)")
    ]
    scores: Annotated[Floats, Doc("alpha f(n - m + offset), the same along diagonals; (T, T)")]
    pattern: Annotated[Floats, Doc("softmax of the scores: row m takes pattern[m, n] of n; (T, T)")]

    rows_without_target: Annotated[
        Ints, Doc("the first rows, with nothing that far back; (offset,)")
    ]
    target_rows: Annotated[Ints, Doc("the rows m that have a position m - offset; (R,)")]
    targets: Annotated[Ints, Doc("the target of each of these rows; (R,)")]
    n_targets: Annotated[Rows, Doc("how many rows have a target")]
    looks_at: Annotated[Ints, Doc("the position that gets most of each row, the first; (T,)")]
    missed_rows: Annotated[Ints, Doc("the rows that give another position more; (0 to R,)")]
    n_missed: Annotated[Rows, Doc("how many rows with a target give another position more")]
    finds_target: Annotated[bool, Doc("whether no row with a target gives another position more")]
    always_strict: Annotated[bool, Doc("whether all of them give their target strictly most")]
    target_weights: Annotated[Floats, Doc("attention weight of the target, in these rows; (R,)")]
    lost: Annotated[Floats, Doc("attention on all other positions, in these rows; (R,)")]
    worst_weight: Annotated[Share, Doc("the smallest attention weight that a row gives its target")]
    worst_row: Annotated[Position, Doc("the row of this weight, the first of equals")]
    line: Annotated[Line, Doc("a sharp line of 90 % or more, a blurred one of majorities, or none")]

    def patterns_at(self, alphas: Sequence[float] | Floats) -> Floats:
        """`pattern` of this head at other alphas: (A,) to (A, T, T)."""
        scales = finite("alphas", alphas, n_axes=1)  # (A,)
        at_alpha_1 = self.scores / self.alpha  # (T, T)
        return pattern_from_scores(scales[:, None, None] * at_alpha_1, self.causal)

    def target_weights_at(self, alphas: Sequence[float] | Floats) -> Floats:
        """`target_weights` of this head at other alphas: (A,) to (A, R)."""
        return target_weights(self.frequencies, alphas, self.n_tokens, self.offset, self.causal)

    def lost_at(self, alphas: Sequence[float] | Floats) -> Floats:
        """`lost` of this head at other alphas: (A,) to (A, R)."""
        return lost_weights(self.frequencies, alphas, self.n_tokens, self.offset, self.causal)

    def patterns_looking_back(self, offsets: Sequence[float] | Floats) -> Floats:
        """`pattern` with the query rotated back by other numbers of steps: (S,) to (S, T, T).

        They may be fractional: at 1.5 the two positions next to it get equally much.
        """
        backs = finite("offsets", offsets, n_axes=1)  # (S,)
        past_target = self.positions - self.positions[:, None] + backs[:, None, None]  # (S, T, T)
        return pattern_from_scores(self.alpha * kernel(past_target, self.frequencies), self.causal)


def previous_token_head(
    n_tokens: int,
    d_head: int = 32,
    alpha: float = 10.0,
    base: float = BASE,
    offset: int = 1,
    *,
    causal: bool = True,
    frequencies: ArrayLike | None = None,
) -> PreviousTokenHead:
    """The head of a text; `frequencies` (d_head/2,) are those of `base` if not given.

    Raises ValueError unless some row has a target, for alpha not above 0, and for frequencies that
    do not make up the width.
    """
    count, back = whole("n_tokens", n_tokens, at_least=1), whole("offset", offset, at_least=0)
    real("alpha", alpha, above=0, at_most=ALPHA_LIMIT)
    if frequencies is None:
        rates = rope_frequencies(d_head, base)  # (d_head/2,)
    else:
        rates = checked_frequencies(frequencies).copy()  # (d_head/2,)
    if 2 * rates.size != d_head:
        raise ValueError(f"frequencies must be {d_head // 2}, one a pair, got {rates.size}")
    lost = lost_weights(rates, [alpha], count, back, causal)[0]  # (R,)

    positions = np.arange(count)  # (T,)
    key = constant_key(d_head)  # (d_head,)
    past_target = positions - positions[:, None] + back  # (T, T)
    apart = np.arange(1 - count, count)  # (2T - 1,), every n - m
    by_distance = alpha * kernel(apart + back, rates)  # (2T - 1,)
    scores = by_distance[past_target - back + count - 1]  # (T, T)
    pattern = pattern_from_scores(scores, causal)  # (T, T)

    rows = np.arange(back, count)  # (R,)
    targets = rows - back  # (R,)
    weights = pattern[rows, targets]  # (R,)
    looks_at = pattern.argmax(axis=1)  # (T,)
    missed = rows[looks_at[rows] != targets]
    seen = causal_mask(count) if causal else np.ones((count, count), dtype=np.bool_)
    rivals = seen[rows] & (positions != targets[:, None])  # (R, T)
    leads = scores[rows, targets] - np.where(rivals, scores[rows], -np.inf).max(axis=1)  # (R,)
    return PreviousTokenHead(
        n_tokens=count,
        d_head=d_head,
        n_pairs=rates.size,
        alpha=alpha,
        offset=back,
        causal=causal,
        frequencies=rates,
        positions=positions,
        keys=rotate(key, positions, rates),
        queries=rotate(alpha * rotate(key, -back, rates), positions, rates),
        past_target=past_target,
        scores=scores,
        pattern=pattern,
        rows_without_target=np.arange(back),
        target_rows=rows,
        targets=targets,
        n_targets=len(rows),
        looks_at=looks_at,
        missed_rows=missed,
        n_missed=len(missed),
        finds_target=not missed.size,
        always_strict=bool((leads > TIE * np.abs(scores).max()).all()),
        target_weights=weights,
        lost=lost,
        worst_weight=float(weights.min()),
        worst_row=int(rows[weights.argmin()]),
        line=line_of(float(weights.min()), bool((weights - lost > TIE).all())),
    )
