"""A previous-token head whose pairs all have one frequency, beside the one with the schedule.

Source: Chris Wendler's RoPE transformer, section 2 ("What if: if all frequencies were the same").
At one frequency all pairs come round together, and a key further back looks as good as the target.
Positions are those of the long text; shorter texts are aligned with it at the last token, which
asks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.previous_token.head import PreviousTokenHead, previous_token_head
from clockhead.model.rope.rotation import (
    FULL_TURN,
    equal_frequencies,
    kernel_gap,
    periods,
    phase_cosines,
    rope_phases,
)
from clockhead.model.units import (
    Cosine,
    Count,
    Doc,
    Factor,
    Position,
    Positions,
    Share,
    Tokens,
    Turns,
)

SLOWDOWN = 1.1
"""A pair that takes so many times as long for a full turn is visibly slower."""

LEAD = 0.01
"""An attention weight that is larger by this is visibly larger."""

_ALMOST_ALL = float(np.nextafter(1.0, 0.0))
"""The most that the target gets, as others are visible too, though it may be lost in rounding."""


@dataclass(frozen=True, kw_only=True, eq=False)
class EqualFrequencies(Values):
    """The last token of a text, from `short` to `long` tokens: one frequency, and the schedule."""

    short: Annotated[Tokens, Doc("tokens in the short text")]
    long: Annotated[Tokens, Doc("tokens in the long text")]
    n_pairs: Annotated[Count, Doc("how many pairs the head has")]
    equal_periods: Annotated[Floats, Doc("positions to a full turn at one frequency; (d_head/2,)")]
    schedule_periods: Annotated[
        Floats, Doc("positions to a full turn with the schedule; (d_head/2,)")
    ]
    slowdown: Annotated[Factor, Doc("how many times as long as the first pair the last one takes")]
    speeds_differ: Annotated[bool, Doc("whether the last pair of the schedule is visibly slower")]

    target: Annotated[Position, Doc("the target's place, before the last token")]
    oldest: Annotated[Position, Doc("the place at which the short text begins")]
    alias: Annotated[Positions, Doc("how far before the target the pairs agree best")]
    alias_place: Annotated[Position, Doc("the place where they do")]
    alias_cosine: Annotated[Cosine, Doc("the cosine of the phase there, of all pairs")]
    alias_turns: Annotated[Turns, Doc("how many full turns the pairs have made there")]
    returns: Annotated[bool, Doc("whether they have turned so far that they approach the target")]
    comes_round: Annotated[bool, Doc("whether they have, and agree to within 1 % of the target")]
    schedule_lowest: Annotated[Cosine, Doc("the lowest cosine of a pair there with the schedule")]
    schedule_disagrees: Annotated[bool, Doc("whether one of these is 14 degrees off or more")]
    has_near_miss: Annotated[
        bool, Doc("whether in the short text they nearly agree where 1 % of the attention goes")
    ]

    back: Annotated[Ints, Doc("how far each token stands before the last; (long,)")]
    equal_phases: Annotated[
        Floats, Doc("radians from the query to each key at one frequency; (long, d_head/2)")
    ]
    schedule_phases: Annotated[Floats, Doc("the same with the schedule; (long, d_head/2)")]
    equal_rows: Annotated[
        Floats, Doc("attention of the last token of every text at one frequency; (L, long)")
    ]
    schedule_rows: Annotated[Floats, Doc("the same with the schedule; (L, long)")]
    equal_weights: Annotated[Floats, Doc("attention weight of the target at one frequency; (L,)")]
    weight_short: Annotated[Share, Doc("this weight in the short text")]
    weight_long: Annotated[Share, Doc("this weight in the long text")]
    schedule_weight_short: Annotated[
        Share, Doc("attention weight of the target with the schedule, in the short text")
    ]
    schedule_weight_long: Annotated[Share, Doc("the same in the long text")]
    missed: Annotated[Share, Doc("attention on all others at one frequency, in the long text")]
    splits: Annotated[bool, Doc("whether the target loses a quarter or more at one frequency")]
    schedule_holds: Annotated[
        bool, Doc("whether it loses less than a tenth of that with the schedule")
    ]
    schedule_leads: Annotated[
        bool, Doc("whether in the long text it keeps visibly more with the schedule")
    ]


def equal_and_scheduled(
    short: int, long: int, theta: float, d_head: int, alpha: float, base: float
) -> EqualFrequencies:
    """A head of a long text with the schedule of `base`, and with `theta` for all its pairs.

    Raises ValueError unless the short text has 3 tokens or more and the long one has more.
    """
    if not 3 <= short < long:
        raise ValueError(f"short must be from 3 to below long, got {short} and {long} tokens")
    schedule = previous_token_head(long, d_head, alpha, base)
    rates = equal_frequencies(d_head, theta)  # (d_head/2,)
    equal = previous_token_head(long, d_head, alpha, frequencies=rates)
    own_periods = periods(schedule.frequencies)  # (d_head/2,)
    slowdown = float(own_periods[-1] / own_periods[0])

    target = long - 2
    alias, cosine = _best_alias(equal.frequencies, target)
    near, near_cosine = _best_alias(equal.frequencies, short - 2)
    turns = alias * theta / FULL_TURN
    lowest = float(np.min(phase_cosines(alias, schedule.frequencies)))

    before = np.arange(long) - target  # (long,)
    rows, own_rows = _last_rows(equal, short), _last_rows(schedule, short)  # (L, long) each
    weights, own_weights = (np.minimum(r[:, target], _ALMOST_ALL) for r in (rows, own_rows))  # (L,)
    first, last = float(weights[0]), float(weights[-1])
    own_first, own_last = float(own_weights[0]), float(own_weights[-1])
    return EqualFrequencies(
        short=short,
        long=long,
        n_pairs=schedule.n_pairs,
        equal_periods=periods(equal.frequencies),
        schedule_periods=own_periods,
        slowdown=slowdown,
        speeds_differ=slowdown >= SLOWDOWN,
        target=target,
        oldest=long - short,
        alias=alias,
        alias_place=target - alias,
        alias_cosine=cosine,
        alias_turns=turns,
        returns=turns > 0.5,
        comes_round=cosine > 0.99 and turns > 0.5,
        schedule_lowest=lowest,
        schedule_disagrees=lowest < 0.97,
        has_near_miss=near_cosine > 0.95 and bool(rows[0, target - near] >= 0.01),
        back=long - 1 - np.arange(long),
        equal_phases=rope_phases(before, equal.frequencies),
        schedule_phases=rope_phases(before, schedule.frequencies),
        equal_rows=rows,
        schedule_rows=own_rows,
        equal_weights=weights,
        weight_short=first,
        weight_long=last,
        schedule_weight_short=own_first,
        schedule_weight_long=own_last,
        missed=float(equal.lost[-1]),
        splits=last < 0.75 * first,
        schedule_holds=own_first - own_last < 0.1 * (first - last),
        schedule_leads=own_last > last + LEAD,
    )


def _best_alias(frequencies: Floats, up_to: int) -> tuple[int, float]:
    """The offset of 1 .. up_to at which pairs of one frequency agree best, and their cosine there.

    With theta = 1 no whole offset is an exact alias, since pi is irrational; near ones are 6, 44,
    710, ... An exact alias needs a whole number 2 pi / theta.
    """
    gaps = kernel_gap(np.arange(1, up_to + 1), frequencies)  # (up_to,)
    nearest = int(gaps.argmin())
    return nearest + 1, 1 - float(gaps[nearest]) / frequencies.size


def _last_rows(head: PreviousTokenHead, short: int) -> Floats:
    """Attention of the last token of every text, 0 where a text has no token; (L, long)."""
    long = head.n_tokens
    rows = np.zeros((long - short + 1, long))  # (L, long)
    for row, length in zip(rows, range(short, long + 1), strict=True):
        row[long - length :] = head.pattern[length - 1, :length]
    return rows
