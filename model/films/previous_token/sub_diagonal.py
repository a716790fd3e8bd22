"""A row of attention weights while alpha grows from 1 to the head's alpha.

Source: Chris Wendler's RoPE transformer, section 3 ("Why alpha?"), which gives no number for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values, check_float
from clockhead.model.previous_token.head import PreviousTokenHead, previous_token_head
from clockhead.model.previous_token.score_row import ScoreRow, score_row
from clockhead.model.previous_token.sharpness import alpha_needed
from clockhead.model.units import Doc, ScoreScale, Share, Shares, Unit

_NEARLY_ONE = float(np.nextafter(1.0, 0.0))
"""Upper limit of attention weights: rounding must not make them 1."""
_STEPS = 40
_LOWEST, _BEYOND = 0.1, 1.3
"""Largest first value of a knob for alpha, and the factor beyond alpha_99 that it reaches."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ScaledRow(Values):
    """A row while alpha goes from 1 to the head's alpha, or to 2 and back if that is 1."""

    row: Annotated[ScoreRow, Doc("the row at the head's alpha")]
    at_one: Annotated[ScoreRow, Doc("the row at alpha 1")]
    alphas: Annotated[Floats, Doc("alphas on the way, evenly spaced on a logarithmic scale; (A,)")]
    decades: Annotated[
        tuple[ScoreScale, ScoreScale], Doc("powers of ten below and above all alphas of interest")
    ]
    patterns: Annotated[
        Floats, Unit("attention weight"), Doc("attention weights at every alpha; (A, T, T)")
    ]
    shares: Annotated[
        Shares, Doc("attention weights of the row at every alpha, for visible keys; (A, M)")
    ]
    leads: Annotated[
        Floats, Doc("lead of the target's score over the runner-up's at every alpha; (A,)")
    ]
    gaps: Annotated[
        Floats, Doc("visible scores minus the target's at every alpha, at most 0; (A, M)")
    ]
    weights: Annotated[
        Shares, Doc("attention weight of the row on its target at every alpha, below 1; (A,)")
    ]
    weight_at_one: Annotated[Share, Doc("attention weight on the target at alpha 1, below 1")]
    weight: Annotated[Share, Doc("attention weight on the word before")]
    worst_weight: Annotated[Share, Doc("smallest attention weight of a row on the word before")]
    alpha_99: Annotated[ScoreScale, Doc("smallest alpha at which all targets get 99 %")]
    weight_99: Annotated[Share, Doc("smallest attention weight of a row on its target at alpha_99")]


def scaled_row(row: ScoreRow) -> ScaledRow:
    """Move alpha of a row's head from 1. Raises ValueError if no alpha gives all targets 99 %."""
    head = row.head
    at_one = previous_token_head(
        head.n_tokens,
        head.d_head,
        1.0,
        offset=head.offset,
        causal=head.causal,
        frequencies=head.frequencies,
    )
    if head.alpha != 1:
        alphas = np.geomspace(1.0, head.alpha, _STEPS + 1)  # (A,)
    else:
        alphas = 2.0 ** (1 - np.abs(np.linspace(-1, 1, _STEPS + 1)))
    row_at_one = score_row(at_one, row.m, row.tokens)
    patterns = head.patterns_at(alphas)  # (A, T, T)
    needed = alpha_needed(head.frequencies, head.n_tokens, head.offset, head.causal)
    needed = check_float("alpha_99", needed, at_least=0)
    weights = np.minimum(head.target_weights_at(alphas)[:, row.target], _NEARLY_ONE)  # (A,)
    at_one_weight = min(float(at_one.target_weights[row.target]), _NEARLY_ONE)
    return ScaledRow(
        row=row,
        at_one=row_at_one,
        alphas=alphas,
        decades=_decades(head, needed),
        patterns=patterns,
        shares=patterns[:, row.m, : row.n_visible].copy(),
        leads=alphas * row.gap,
        gaps=alphas[:, None] * np.minimum(row_at_one.visible_sums - row_at_one.target_sum, 0.0),
        weights=weights,
        weight_at_one=at_one_weight,
        weight=float(weights[-1]),
        worst_weight=min(head.worst_weight, _NEARLY_ONE),
        alpha_99=needed,
        weight_99=round(float(head.target_weights_at([needed]).min()), 9),
    )


def _decades(head: PreviousTokenHead, needed: float) -> tuple[float, float]:
    """Powers of ten below and above the head's alpha and the needed one, at least .1 to 10."""
    low = np.log10(min(_LOWEST, head.alpha / 4))
    high = np.log10(max(_BEYOND * max(needed, head.alpha), 10.0))
    return float(10.0 ** np.floor(low + 1e-12)), float(10.0 ** np.ceil(high - 1e-12))
