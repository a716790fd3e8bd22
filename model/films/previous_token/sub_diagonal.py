"""A row of scores, and its head on the way from alpha 1 to its own alpha.

Source: Chris Wendler's RoPE transformer, section 3 ("Why alpha?").
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.films.previous_token.sharpness import alpha_decades
from clockhead.model.previous_token.head import previous_token_head
from clockhead.model.previous_token.score_row import ScoreRow, score_row
from clockhead.model.units import Doc, ScoreScale, Share

_NEARLY_ONE = float(np.nextafter(1.0, 0.0))
"""Others always get something of a row, though it may be lost in rounding."""
_STEPS = 40


@dataclass(frozen=True, kw_only=True, eq=False)
class ScaledRow(Values):
    """A row, and the way of its head from alpha 1 to its own alpha; to 2 and back if that is 1."""

    row: Annotated[ScoreRow, Doc("the row at the head's alpha")]
    at_one: Annotated[ScoreRow, Doc("the row at alpha 1")]
    alphas: Annotated[Floats, Doc("the alphas of the way, evenly on a logarithmic scale; (A,)")]
    decades: Annotated[tuple[ScoreScale, ScoreScale], Doc("the powers of ten around enough alphas")]
    patterns: Annotated[Floats, Doc("the pattern at every one of them; (A, T, T)")]
    leads: Annotated[Floats, Doc("lead of the target's score over the visible runner-up's; (A,)")]
    weights: Annotated[Floats, Doc("attention weight of the target, never quite all; (A,)")]
    worst_weight: Annotated[Share, Doc("the least that a row gives its target, never quite all")]


def scaled_row(row: ScoreRow) -> ScaledRow:
    """The way of a row's head to its alpha."""
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
    return ScaledRow(
        row=row,
        at_one=score_row(at_one, row.m, row.tokens),
        alphas=alphas,
        decades=alpha_decades(head),
        patterns=head.patterns_at(alphas),
        leads=alphas * row.gap,
        weights=np.minimum(head.target_weights_at(alphas)[:, row.target], _NEARLY_ONE),
        worst_weight=min(head.worst_weight, _NEARLY_ONE),
    )
