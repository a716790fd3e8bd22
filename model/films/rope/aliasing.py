"""A previous-token head whose pairs all have one frequency, beside the one with the schedule.

Source: Chris Wendler's RoPE transformer, section 2 ("What if: if all frequencies were the same").
At one frequency all pairs come round together, and a key further back looks as good as the target.
Keys go back from the target, the token before the last, which asks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.previous_token.head import previous_token_head
from clockhead.model.rope.rotation import (
    FULL_TURN,
    equal_frequencies,
    kernel_gap,
    phase_cosines,
    rope_phases,
)
from clockhead.model.units import (
    Cosine,
    Count,
    Doc,
    Position,
    Positions,
    Share,
    Tokens,
)

EACH, MIXTURES = 8, 61
"""Steps from one token to the next, and mixtures of the schedule with one frequency."""

_ALMOST_ALL = float(np.nextafter(1.0, 0.0))
"""The most that the target gets, as others are visible too, though it may be lost in rounding."""


@dataclass(frozen=True, kw_only=True, eq=False)
class EqualFrequencies(Values):
    """The last token of a text, which looks for the one before it: one frequency, the schedule."""

    long: Annotated[Tokens, Doc("tokens in the text")]
    n_pairs: Annotated[Count, Doc("how many pairs the head has")]
    target: Annotated[Position, Doc("the target's place, before the last token")]
    back: Annotated[Ints, Doc("how far each token stands before the last; (long,)")]
    places: Annotated[Floats, Doc("how far before the last token a key stands, from 1 on; (X,)")]
    key_phases: Annotated[Floats, Doc("radians from the query to it; (X, d_head/2)")]
    waves: Annotated[Floats, Doc("the height of every pair there; (d_head/2, X)")]
    score: Annotated[Floats, Doc("the sum of these heights; (X,)")]
    last_phases: Annotated[Floats, Doc("radians that the last token's place turns; (d_head/2,)")]
    query_phases: Annotated[Floats, Doc("radians that its query is turned; (d_head/2,)")]
    turned_upright: Annotated[Floats, Doc("the same once it is held upright; (d_head/2,)")]

    mixed_waves: Annotated[
        Floats, Doc("the waves as frequencies go from the schedule to one; (d_head/2, S, X)")
    ]
    mixed_scores: Annotated[Floats, Doc("their sums; (S, X)")]
    mixed_phases: Annotated[
        Floats, Doc("radians from the query to the alias's key then; (S, d_head/2)")
    ]
    equal_phases: Annotated[Floats, Doc("radians from the query at one frequency; (X, d_head/2)")]
    alias: Annotated[Positions, Doc("how far before the target the pairs agree best")]
    alias_back: Annotated[Positions, Doc("how far before the last token that is")]
    alias_place: Annotated[Position, Doc("the place where they do")]
    alias_step: Annotated[Count, Doc("the step at which the key is there")]
    alias_cosine: Annotated[Cosine, Doc("the cosine of the phase there, of all pairs")]
    schedule_lowest: Annotated[Cosine, Doc("the lowest cosine of a pair there with the schedule")]

    equal_row: Annotated[Floats, Doc("attention of the last token at one frequency; (long,)")]
    schedule_row: Annotated[Floats, Doc("the same with the schedule; (long,)")]
    weight: Annotated[Share, Doc("attention weight of the target at one frequency")]
    alias_weight: Annotated[Share, Doc("attention weight of the alias at one frequency")]
    schedule_weight: Annotated[Share, Doc("attention weight of the target with the schedule")]
    is_round: Annotated[
        bool, Doc("whether the pairs have made a full turn, to a tenth, or several")
    ]
    is_full: Annotated[bool, Doc("whether they agree there to within 1 degree")]


def equal_and_scheduled(
    long: int, theta: float, d_head: int, alpha: float, base: float
) -> EqualFrequencies:
    """A head of a text with the schedule of `base`, and with `theta` for all its pairs."""
    schedule = previous_token_head(long, d_head, alpha, base)
    rates = equal_frequencies(d_head, theta)  # (d_head/2,)
    equal = previous_token_head(long, d_head, alpha, frequencies=rates)
    own = schedule.frequencies  # (d_head/2,)

    target = long - 2
    alias, cosine = _best_alias(rates, target)
    turns = alias * theta / FULL_TURN
    steps = np.arange(EACH * target + 1) / EACH  # (X,)
    share = np.linspace(0, 1, MIXTURES)[:, None]  # (S, 1)
    mixed = own ** (1 - share) * rates**share  # (S, d_head/2)
    mixed_waves = np.cos(mixed.T[:, :, None] * steps)  # (d_head/2, S, X)
    waves = phase_cosines(steps, own).T  # (d_head/2, X)

    row, own_row = equal.pattern[-1], schedule.pattern[-1]  # (long,) each
    return EqualFrequencies(
        long=long,
        n_pairs=schedule.n_pairs,
        target=target,
        back=long - 1 - np.arange(long),
        places=1 + steps,
        key_phases=rope_phases(-steps, own),
        waves=waves,
        score=waves.sum(axis=0),
        last_phases=rope_phases(target + 1, own),
        query_phases=rope_phases(target, own),
        turned_upright=0 * own,
        mixed_waves=mixed_waves,
        mixed_scores=mixed_waves.sum(axis=0),
        mixed_phases=-alias * mixed,
        equal_phases=rope_phases(-steps, rates),
        alias=alias,
        alias_back=alias + 1,
        alias_place=target - alias,
        alias_step=EACH * alias,
        alias_cosine=cosine,
        schedule_lowest=float(np.min(phase_cosines(alias, own))),
        equal_row=row.copy(),
        schedule_row=own_row.copy(),
        weight=min(float(row[target]), _ALMOST_ALL),
        alias_weight=float(row[target - alias]),
        schedule_weight=min(float(own_row[target]), _ALMOST_ALL),
        is_round=turns > 0.9,
        is_full=bool(cosine > np.cos(np.radians(1.1))),
    )


def _best_alias(frequencies: Floats, up_to: int) -> tuple[int, float]:
    """The offset of 1 .. up_to at which pairs of one frequency agree best, and their cosine there.

    With theta = 1 no whole offset is an exact alias, since pi is irrational; near ones are 6, 44,
    710, ... An exact alias needs a whole number 2 pi / theta.
    """
    gaps = kernel_gap(np.arange(1, up_to + 1), frequencies)  # (up_to,)
    nearest = int(gaps.argmin())
    return nearest + 1, 1 - float(gaps[nearest]) / frequencies.size
