"""A previous-token head whose pairs all have one frequency, beside the one with the schedule.

Source: Chris Wendler's RoPE transformer, section 2 ("What if: if all frequencies were the same").
At one frequency all pairs come round together, and a key further back looks as good as the target.
Positions are told from the target: `further_back` is 0 there, and -1 at the last token, which asks.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, sealed, sealed_ints, whole
from clockhead.model.previous_token.head import PreviousTokenHead
from clockhead.model.rope.aliases import Rival, best_rival
from clockhead.model.rope.rotation import (
    FULL_TURN,
    equal_frequencies,
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
    RadiansPerPosition,
    Share,
    Tokens,
    Turns,
)

SLOWDOWN = 1.1
"""A pair that takes so many times as long for a full turn is visibly slower."""

LEAD = 0.01
"""A share of the attention that is visibly more."""

_ALMOST_ALL = float(np.nextafter(1.0, 0.0))
"""The most that the target gets, as others are visible too."""


@dataclass(frozen=True)
class OneSpeed:
    """The last token of a text of `short` tokens, and of that text once it has `long` tokens.

    Raises ValueError unless short is at least 3 and below long, and what `PreviousTokenHead` does.
    """

    short: Annotated[Tokens, Doc("tokens in the short text")]
    long: Annotated[Tokens, Doc("tokens in the long text")]
    theta: Annotated[RadiansPerPosition, Doc("the one frequency of all pairs")]
    schedule: PreviousTokenHead

    def __post_init__(self) -> None:
        whole("short", self.short, at_least=3)
        whole("long", self.long, at_least=4)
        if self.short >= self.long:
            raise ValueError(f"short must be below long, got {self.short} and {self.long} tokens")
        if self.schedule.n_tokens != self.long:
            raise ValueError(
                f"schedule must be a head of {self.long} tokens, got {self.schedule.n_tokens}"
            )
        equal_frequencies(self.schedule.d_head, self.theta)

    @cached_property
    def equal(self) -> PreviousTokenHead:
        """The head with one frequency for all pairs."""
        head = self.schedule
        rates = tuple(equal_frequencies(head.d_head, self.theta).tolist())
        return PreviousTokenHead(self.long, head.d_head, head.alpha, schedule=rates)

    @property
    def n_pairs(self) -> Count:
        """How many pairs the head has."""
        return self.schedule.d_head // 2

    @cached_property
    def equal_periods(self) -> Floats:
        """How many positions a full turn of every pair takes at one frequency; (d_head/2,)."""
        return sealed(periods(self.equal.frequencies))

    @cached_property
    def schedule_periods(self) -> Floats:
        """How many positions a full turn of every pair takes with the schedule; (d_head/2,)."""
        return sealed(periods(self.schedule.frequencies))

    @property
    def slowdown(self) -> Factor:
        """How many times as long as the first pair the last takes with the schedule."""
        return float(self.schedule_periods[-1] / self.schedule_periods[0])

    @property
    def speeds_differ(self) -> bool:
        """Whether with the schedule the last pair is visibly slower than the first."""
        return self.slowdown >= SLOWDOWN

    # The target and its alias

    @property
    def target(self) -> Position:
        """The target's place in the long text: the token before the last."""
        return self.long - 2

    @property
    def alias_place(self) -> Position:
        """Where before the target the pairs of one frequency agree best."""
        return self.target - self.alias

    @property
    def oldest(self) -> Position:
        """The place in the long text at which the short one begins."""
        return self.long - self.short

    @cached_property
    def rival(self) -> Rival:
        """Where the pairs of one frequency agree best, among the tokens before the target."""
        return best_rival(self.equal.frequencies, self.long - 2)

    @property
    def alias(self) -> Positions:
        """How far before the target the pairs of one frequency agree best."""
        return self.rival.offset

    @property
    def alias_cosine(self) -> Cosine:
        """The cosine of the phase there, the same for all pairs of one frequency."""
        return self.rival.share

    @property
    def alias_turns(self) -> Turns:
        """How many full turns the pairs of one frequency have made there."""
        return self.alias * self.theta / FULL_TURN

    @property
    def returns(self) -> bool:
        """Whether they have turned so far there that they approach the target again."""
        return self.alias_turns > 0.5

    @property
    def comes_round(self) -> bool:
        """Whether they have gone round there, and agree to within 1 % of the target."""
        return self.alias_cosine > 0.99 and self.returns

    @property
    def schedule_lowest(self) -> Cosine:
        """The lowest cosine of a pair's phase there with the schedule."""
        return float(np.min(phase_cosines(self.alias, self.schedule.frequencies)))

    @property
    def schedule_disagrees(self) -> bool:
        """Whether with the schedule not all pairs agree there: one is 14 degrees off or more."""
        return self.schedule_lowest < 0.97

    # Attention of the last token

    @cached_property
    def short_rival(self) -> Rival:
        """Where the pairs of one frequency agree best before the target of the short text."""
        return best_rival(self.equal.frequencies, self.short - 2)

    @property
    def has_near_miss(self) -> bool:
        """Whether they nearly agree there, and it gets 1 % of the attention or more."""
        rival = self.short_rival
        attention = float(self.equal_rows[0, self.long - 2 - rival.offset])
        return rival.share > 0.95 and attention >= 0.01

    @cached_property
    def equal_masses(self) -> Floats:
        """Attention on the target of every text at one frequency; shape (L,)."""
        return sealed(np.minimum(self.equal_rows[:, self.target], _ALMOST_ALL))

    @property
    def mass_short(self) -> Share:
        """Attention on the target at one frequency, in the short text."""
        return self._mass(self.equal, self.short)

    @property
    def mass_long(self) -> Share:
        """Attention on the target at one frequency, in the long text."""
        return self._mass(self.equal, self.long)

    @property
    def schedule_mass_short(self) -> Share:
        """Attention on the target with the schedule, in the short text."""
        return self._mass(self.schedule, self.short)

    @property
    def schedule_mass_long(self) -> Share:
        """Attention on the target with the schedule, in the long text."""
        return self._mass(self.schedule, self.long)

    @property
    def missed(self) -> Share:
        """Attention on all others at one frequency, in the long text."""
        return float(self.equal.lost[-1])

    @property
    def alias_mass(self) -> Share:
        """Attention on the alias at one frequency, in the long text."""
        return float(self.equal_rows[-1, self.alias_place])

    @property
    def schedule_alias_mass(self) -> Share:
        """Attention on the alias with the schedule, in the long text."""
        return float(self.schedule_rows[-1, self.alias_place])

    @property
    def splits(self) -> bool:
        """Whether the mass on the target falls by a quarter or more at one frequency."""
        return self.mass_long < 0.75 * self.mass_short

    @property
    def schedule_holds(self) -> bool:
        """Whether the schedule loses less than a tenth of what one frequency loses."""
        kept = self.schedule_mass_short - self.schedule_mass_long
        return kept < 0.1 * (self.mass_short - self.mass_long)

    @property
    def schedule_leads(self) -> bool:
        """Whether in the long text the target keeps visibly more with the schedule."""
        return self.schedule_mass_long > self.mass_long + LEAD

    # Text by text, aligned at the last token

    @cached_property
    def lengths(self) -> Ints:
        """Tokens in every text from the short to the long one; shape (L,), L = long - short + 1."""
        return sealed_ints(np.arange(self.short, self.long + 1))

    @cached_property
    def further_back(self) -> Ints:
        """How far every token of the long text stands before the target; shape (long,)."""
        return sealed_ints(self.long - 2 - np.arange(self.long))

    @cached_property
    def back(self) -> Ints:
        """How far every token of the long text stands before the last; shape (long,)."""
        return sealed_ints(self.long - 1 - np.arange(self.long))

    @cached_property
    def equal_rows(self) -> Floats:
        """Attention of the last token of every text at one frequency; shape (L, long).

        The column is that of the long text, counted from its end; 0 where a text has no token.
        """
        return sealed(self._rows(self.equal))

    @cached_property
    def schedule_rows(self) -> Floats:
        """Attention of the last token of every text with the schedule; shape (L, long)."""
        return sealed(self._rows(self.schedule))

    @cached_property
    def equal_phases(self) -> Floats:
        """How far the pairs of every key of the long text are rotated from those of the query.

        In radians, not reduced, at one frequency; shape (long, d_head/2).
        """
        return sealed(rope_phases(-self.further_back, self.equal.frequencies) + 0.0)

    @cached_property
    def schedule_phases(self) -> Floats:
        """The same with the schedule; shape (long, d_head/2)."""
        return sealed(rope_phases(-self.further_back, self.schedule.frequencies) + 0.0)

    def _mass(self, head: PreviousTokenHead, n_tokens: int) -> float:
        """Never all, as others are visible, though what they get may be lost in rounding."""
        return float(min(head.masses[n_tokens - 2], _ALMOST_ALL))

    def _rows(self, head: PreviousTokenHead) -> Floats:
        rows = np.zeros((len(self.lengths), self.long))  # (L, long)
        for row, length in zip(rows, self.lengths, strict=True):
            row[self.long - length :] = head.pattern[length - 1, :length]
        return rows
