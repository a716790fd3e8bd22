"""The previous-token head: a constant key, a query rotated back one step, and softmax.

Source: Chris Wendler's RoPE transformer, section 3. Key k_n = R_n c, query q_m = alpha R_(m-1) c,
so the score is alpha f(n - m + 1), largest where n = m - 1. Other offsets work in the same way. The
source leaves two questions open: how large alpha has to be (see `model.previous_token.sharpness`),
and where the first rows attend, which have no target.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, Values, check_array, check_float, check_int
from clockhead.model.attention.constant_key import ALPHA_LIMIT, constant_key
from clockhead.model.attention.pattern import causal_mask, pattern_from_scores
from clockhead.model.previous_token.sharpness import lost_weights, target_weights
from clockhead.model.rope.rotation import (
    BASE,
    check_frequencies,
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
    Shares,
    Tokens,
)

TIE = 1e-12
"""Scores tie if they differ by less than this fraction of the largest score (rounding)."""

SHARP = 0.9
"""Smallest attention weight on the target in a sharp pattern."""

Line: TypeAlias = Literal["sharp", "blurred", "none"]
"""Shape of a pattern: all targets get at least 90 %, more than half, or not even that."""


def line_kind(weight: float, has_majority: bool) -> Line:
    """The shape of a row with this attention weight on its target; "none" without a majority."""
    if not has_majority:
        return "none"
    return "sharp" if weight >= SHARP else "blurred"


@dataclass(frozen=True, kw_only=True, eq=False)
class PreviousTokenHead(Values):
    """A head over `n_tokens` positions in which row m should attend to its target m - offset."""

    n_tokens: Annotated[Tokens, Doc("length of the text, T")]
    d_head: Annotated[Coordinates, Doc("width of queries and keys")]
    n_pairs: Annotated[
        Count, Doc("number of clock hands of a key, one for each pair of coordinates")
    ]
    alpha: Annotated[ScoreScale, Doc("scale of the scores; the larger, the sharper the softmax")]
    offset: Annotated[Positions, Doc("how many positions back the target is")]
    causal: Annotated[bool, Doc("whether keys after the query are masked")]
    frequencies: Annotated[Floats, Doc("radians per position that each pair turns; (d_head/2,)")]
    positions: Annotated[Ints, Doc("0 .. T - 1; (T,)")]

    keys: Annotated[Floats, Doc("k_n = R_n c; (T, d_head)")]
    queries: Annotated[Floats, Doc("q_m = R_m alpha R_(-offset) c; (T, d_head)")]
    past_target: Annotated[
        Ints, Doc("n - m + offset, how many positions key n is after the target; (T, T)")
    ]
    scores: Annotated[Floats, Doc("alpha f(n - m + offset), the same along diagonals; (T, T)")]
    pattern: Annotated[Shares, Doc("attention weights: softmax of the scores, row by row; (T, T)")]

    rows_without_target: Annotated[Ints, Doc("the first rows, which have no target; (offset,)")]
    target_rows: Annotated[Ints, Doc("rows m that have a target m - offset; (R,)")]
    targets: Annotated[Ints, Doc("target of each of these rows; (R,)")]
    n_targets: Annotated[Rows, Doc("number of rows with a target")]
    looks_at: Annotated[
        Ints,
        Doc(
            "position with the largest attention weight in each row, the first if several tie; (T,)"
        ),
    ]
    missed_rows: Annotated[
        Ints, Doc("rows with a target that attend more to another position; (0 to R,)")
    ]
    n_missed: Annotated[
        Rows, Doc("number of rows with a target that attend more to another position")
    ]
    finds_target: Annotated[
        bool, Doc("whether no row with a target attends more to another position")
    ]
    always_strict: Annotated[bool, Doc("whether all rows with a target attend to it strictly most")]
    target_weights: Annotated[
        Floats, Doc("attention weight on the target, in each row with one; (R,)")
    ]
    lost: Annotated[
        Floats, Doc("attention weight on all other positions, in each row with a target; (R,)")
    ]
    worst_weight: Annotated[Share, Doc("smallest attention weight of a row on its target")]
    worst_row: Annotated[
        Position,
        Doc("row with the smallest attention weight on its target, the first if several tie"),
    ]
    line: Annotated[
        Line,
        Doc("whether every target gets 90 % or more (sharp), a majority (blurred), or neither"),
    ]

    def patterns_at(self, alphas: Sequence[float] | Floats) -> Floats:
        """`pattern` of this head at other alphas: (A,) to (A, T, T)."""
        scales = check_array("alphas", alphas, n_axes=1)  # (A,)
        at_alpha_1 = self.scores / self.alpha  # (T, T)
        return pattern_from_scores(scales[:, None, None] * at_alpha_1, self.causal)

    def target_weights_at(self, alphas: Sequence[float] | Floats) -> Floats:
        """`target_weights` of this head at other alphas: (A,) to (A, R)."""
        return target_weights(self.frequencies, alphas, self.n_tokens, self.offset, self.causal)

    def lost_at(self, alphas: Sequence[float] | Floats) -> Floats:
        """`lost` of this head at other alphas: (A,) to (A, R)."""
        return lost_weights(self.frequencies, alphas, self.n_tokens, self.offset, self.causal)

    def patterns_at_offsets(self, offsets: Sequence[float] | Floats) -> Floats:
        """`pattern` of heads with other offsets: (S,) to (S, T, T).

        Offsets may be fractional: at 1.5, the positions 1 and 2 back have equal weights.
        """
        backs = check_array("offsets", offsets, n_axes=1)  # (S,)
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
    """A previous-token head over `n_tokens` positions, with all that it computes.

    `frequencies` (d_head/2,) are those of `base` if None. Raises ValueError unless a row has a
    target, for alpha not above 0, and for another number of frequencies than d_head/2.
    """
    count, back = (
        check_int("n_tokens", n_tokens, at_least=1),
        check_int("offset", offset, at_least=0),
    )
    check_float("alpha", alpha, above=0, at_most=ALPHA_LIMIT)
    if frequencies is None:
        rates = rope_frequencies(d_head, base)  # (d_head/2,)
    else:
        rates = check_frequencies(frequencies).copy()  # (d_head/2,)
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
        line=line_kind(float(weights.min()), bool((weights - lost > TIE).all())),
    )
