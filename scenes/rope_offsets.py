"""What is left of two positions when a query meets a key: the offset between them.

After Chris Wendler's construction of a RoPE transformer, section 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from model.aliases import Rival, best_rival
from model.position_pair import PositionPair
from model.previous_token import PreviousTokenHead
from model.rope import BASE, FULL_TURN, equal_frequencies, frequencies, hand_cosines, turns
from scenes.facts import Claim, Fact, fill
from scenes.stage import DRAWING, EvenInt, Stage, StageInputs

if TYPE_CHECKING or DRAWING:
    from manim import FadeIn, VGroup

    from scenes.parts.motion import recolor
    from scenes.parts.notes import Notes
    from scenes.parts.pairs import PairRow
    from scenes.parts.reach import MassTable, Reach
    from scenes.parts.text import Formula
    from scenes.parts.turns import TurnSum
    from scenes.style.layout import Region


class HandsInputs(StageInputs):
    """How many hands there are and how fast they turn."""

    d_head: EvenInt = Field(32, ge=2, le=256, description="width of the head; d_head/2 clock hands")
    base: float = Field(
        BASE, ge=1, le=1e7, description="how far apart the hands' speeds are; 1 makes them equal"
    )

    @property
    def thetas(self) -> tuple[float, ...]:
        return tuple(frequencies(self.d_head, self.base).tolist())


def _steps(count: int) -> str:
    return f"{abs(count)} step{'' if abs(count) == 1 else 's'}"


def _signed_steps(offset: int) -> str:
    if not offset:
        return "no turn at all"
    return f"one turn {'on' if offset > 0 else 'back'} by {_steps(offset)}"


class Composition(Stage):
    """Turn back by m, then on by n: that is one turn, by n - m."""

    class Inputs(HandsInputs):
        m: int = Field(5, ge=0, le=12, description="position of the query: turns back by m steps")
        n: int = Field(3, ge=0, le=12, description="position of the key: turns on by n steps")

    title = "Two turns make one"
    subtitle = "A query at {m} meets a key at {n}: what is left of their positions?"
    caption = "Back by {m}, on by {n}: together {together}. Only their offset is left."

    notes = (
        "The query turns every hand back by its position: {steps_back}.",
        "The key turns it on again by its own position: {steps_on}.",
        "Start over: one turn by n − m = {offset} ends at the same place.",
        "Multiplied out with every hand, the two sides differ by {difference:.16f}.",
    )

    inputs: Inputs
    values: PositionPair

    @classmethod
    def compute(cls, inputs: Inputs) -> PositionPair:
        return PositionPair(inputs.m, inputs.n, inputs.thetas)

    @classmethod
    def facts(cls, values: PositionPair) -> dict[str, Fact]:
        return {
            "m": values.m,
            "n": values.n,
            "offset": values.offset,
            "n_hands": len(values.thetas),
            "n_shown": len(_fast_hands(values)),
            "steps_back": _steps(values.m),
            "steps_on": _steps(values.n),
            "together": _signed_steps(values.offset),
            "difference": values.largest_difference,
        }

    @classmethod
    def claims(cls, values: PositionPair) -> list[Claim]:
        found = values.largest_difference
        return [Claim("R_m^T R_n is R_(n - m) up to rounding", found < 1e-12, f"{found:.3g} apart")]

    @classmethod
    def arrays(cls, values: PositionPair) -> dict[str, NDArray[Any]]:
        hands = _fast_hands(values)
        turned = turns([1, -values.m, values.n, values.offset], values.thetas)[:, hands]
        degrees = np.degrees(turned)
        return {
            "theta": np.array(values.thetas),
            "degrees_a_step": degrees[0],
            "degrees_back": degrees[1],
            "degrees_on": degrees[2],
            "degrees_at_once": degrees[3],
            "product": values.product,
            "single_turn": values.single_turn,
        }

    def construct(self) -> None:
        facts = self.facts(self.values)
        notes = Notes([fill(note, facts) for note in self.notes], self.canvas)
        heading, below = notes.above.cut_top(0.62, gap=0.25)
        self._formula = Formula("query(R_m^top) key(R_n) = position(R_(n - m))", size=40)
        self._formula.move_to(heading.center)
        self._dials = self._make_dials(below)
        self._ask()
        self._turn_twice(notes)
        self._turn_once(notes)
        self._check(notes)

    def _make_dials(self, region: Region) -> list[TurnSum]:
        arrays = self.arrays(self.values)
        names = ("degrees_a_step", "degrees_back", "degrees_on", "degrees_at_once")
        turned = np.stack([arrays[name] for name in names], axis=1)  # (hands, 4)
        cut = region.columns if region.width > region.height else region.rows
        cells = cut(*[1.0] * len(turned), gap=0.3)
        return [TurnSum(cell, *row) for cell, row in zip(cells, turned.tolist(), strict=True)]

    def _ask(self) -> None:
        """The viewer meets the hands, and the product that is the question."""
        self.beat("question")
        self.play(*(FadeIn(dial) for dial in self._dials), run_time=0.8)
        self._single = self._formula.part("position")
        asked = VGroup(*(piece for piece in self._formula if piece not in self._single))
        self.play(FadeIn(asked), run_time=0.6)
        self.wait(2.4)

    def _turn_twice(self, notes: Notes) -> None:
        """Back by m: every hand by its own angle. Then on by n, from where it stopped."""
        for k, name in enumerate(("back", "on")):
            self.beat(name)
            self.play(notes.say(k))
            self.play(*(dial.turn(k, run_time=2.0) for dial in self._dials))
            self.wait(0.8)

    def _turn_once(self, notes: Notes) -> None:
        """A fresh hand makes one turn by the sum of the angles, and meets the other."""
        self.beat("at_once")
        self.play(notes.say(2), *(fade for dial in self._dials for fade in dial.step_back()))
        self.play(*(dial.turn(2, run_time=2.0) for dial in self._dials))
        self.play(FadeIn(self._single), run_time=0.6)
        self.wait(1.0)

    def _check(self, notes: Notes) -> None:
        """Not only these hands: the matrices as multiplied out."""
        self.beat("all_hands")
        self.play(notes.say(3))
        self.wait(3.4)


def _fast_hands(values: PositionPair) -> NDArray[np.int64]:
    """Up to three hands, fast enough to be seen turning."""
    n_hands = len(values.thetas)
    return np.arange(min(3, n_hands)) * max(1, n_hands // 16)


Pairs = tuple[PositionPair, PositionPair]


class RelativeOffset(Stage):
    """Two pairs far apart with the same offset: the same difference clocks, the same score."""

    class Inputs(HandsInputs):
        m: int = Field(5, ge=0, le=9999, description="position of the query")
        n: int = Field(3, ge=0, le=9999, description="position of the key")
        far_m: int = Field(100, ge=0, le=9999, description="position of the query, moved")
        far_n: int = Field(98, ge=0, le=9999, description="position of the key, moved as far")

    title = "Only the offset counts"
    subtitle = "Move both by {distance}: what happens to their score?"
    caption = (
        "Wherever this query and this key stand: "
        "as long as their offset is {offset}, their score is the same."
    )

    notes = (
        "A query and a key, each turned by its position. Shown: {hands_shown}.",
        "The same two, {moved}: the hands stand elsewhere.",
        "Now look at the angle from the query to the key.",
        "Turn every dial until its query points up: the rows are the same.",
        "The score adds up the cosines of the angles of all hands: it is the same, too.",
    )

    inputs: Inputs
    values: Pairs

    @classmethod
    def compute(cls, inputs: Inputs) -> Pairs:
        hands = inputs.thetas
        return PositionPair(inputs.m, inputs.n, hands), PositionPair(
            inputs.far_m, inputs.far_n, hands
        )

    @classmethod
    def facts(cls, values: Pairs) -> dict[str, Fact]:
        near, far = values
        n_hands, n_shown = len(near.thetas), len(_shown_hands(len(near.thetas), 6))
        return {
            "m": near.m,
            "n": near.n,
            "far_m": far.m,
            "far_n": far.n,
            "offset": near.offset,
            "far_offset": far.offset,
            "shift": abs(far.m - near.m),
            "distance": _positions(far.m - near.m),
            "moved": _moved(far.m - near.m),
            "n_hands": n_hands,
            "n_shown": n_shown,
            "hands_shown": _part_of(n_shown, n_hands),
            "score": near.score(),
            "far_score": far.score(),
        }

    @classmethod
    def claims(cls, values: Pairs) -> list[Claim]:
        near, far = values
        apart = float(np.max(np.abs(_chords(near) - _chords(far))))
        scores = near.score(), far.score()
        return [
            Claim(
                "both pairs have the same offset n - m",
                near.offset == far.offset,
                f"{near.n} - {near.m} = {near.offset} and {far.n} - {far.m} = {far.offset}",
            ),
            Claim("the pairs stand at different places", near.m != far.m, f"both at m = {near.m}"),
            Claim("the difference clocks are the same", apart < 1e-9, f"tips {apart:.3g} apart"),
            Claim(
                "the scores are the same",
                abs(scores[0] - scores[1]) < 1e-9,
                f"{scores[0]:.9f} and {scores[1]:.9f}",
            ),
        ]

    @classmethod
    def arrays(cls, values: Pairs) -> dict[str, NDArray[Any]]:
        near, far = values
        return {
            "theta": np.array(near.thetas),
            "shown": _shown_hands(len(near.thetas), 6),
            "query_angles": near.query_angles,
            "key_angles": near.key_angles,
            "difference_degrees": np.degrees(near.difference_angles),
            "far_query_angles": far.query_angles,
            "far_key_angles": far.key_angles,
            "far_difference_degrees": np.degrees(far.difference_angles),
        }

    def construct(self) -> None:
        facts = self.facts(self.values)
        notes = Notes([fill(note, facts) for note in self.notes], self.canvas)
        areas = notes.above.rows(1, 1, gap=0.25)
        hands = _shown_hands(len(self.inputs.thetas), 6)
        self._rows = [
            PairRow((pair.m, pair.n), np.degrees(pair.difference_angles)[hands], pair.score(), area)
            for pair, area in zip(self.values, areas, strict=True)
        ]
        self._hands = [
            (pair.query_angles[hands], pair.difference_angles[hands]) for pair in self.values
        ]
        self._place(notes)
        self._compare(notes)
        self._score(notes)

    def _place(self, notes: Notes) -> None:
        """Each pair takes its positions: two rows in which no dial looks like its neighbour."""
        for k, name in enumerate(("near", "far")):
            self.beat(name)
            self.play(FadeIn(self._rows[k]), notes.say(k), run_time=0.8)
            self.play(self._rows[k].turn(*self._hands[k], run_time=1.8))
            self.wait(1.6)

    def _compare(self, notes: Notes) -> None:
        """What the two rows share is the angle between the hands, not the hands."""
        self.beat("angle")
        self.play(notes.say(2), *(row.shade(run_time=0.8) for row in self._rows))
        self.wait(1.0)
        self.beat("turn_back")
        self.play(notes.say(3))
        up = np.zeros(len(self._hands[0][0]))
        turns_back = zip(self._rows, self._hands, strict=True)
        self.play(*(row.turn(up, ahead, run_time=2.6) for row, (_, ahead) in turns_back))
        self.play(*(FadeIn(row.angles) for row in self._rows), run_time=0.6)
        self.wait(1.4)

    def _score(self, notes: Notes) -> None:
        """Both scores, each from its own turned vectors."""
        self.beat("score")
        self.play(notes.say(4), *(FadeIn(row.score) for row in self._rows))
        self.wait(3.0)


def _shown_hands(n_hands: int, most: int) -> NDArray[np.int64]:
    """At most `most` hands, spread over the faster half: the slow ones hardly move."""
    if n_hands <= most:
        return np.arange(n_hands)
    return np.linspace(0, max(most, n_hands // 2) - 1, most).round().astype(np.int64)


def _part_of(n_shown: int, n_hands: int) -> str:
    if n_shown < n_hands:
        return f"{n_shown} of {n_hands} hands"
    return "its one hand" if n_hands == 1 else f"all {n_hands} hands"


def _moved(shift: int) -> str:
    return f"{_positions(shift)} further {'on' if shift > 0 else 'back'}"


def _positions(count: int) -> str:
    return f"{abs(count)} position{'' if abs(count) == 1 else 's'}"


def _chords(pair: PositionPair) -> NDArray[np.float64]:
    """Where the tips of the difference clocks stand, which knows no jump at half a turn."""
    return np.stack([np.cos(pair.difference_angles), np.sin(pair.difference_angles)])


@dataclass(frozen=True)
class Speeds:
    """Two previous-token heads over one long text: one speed for all hands, and the schedule."""

    short: int
    equal: PreviousTokenHead
    schedule: PreviousTokenHead

    @property
    def long(self) -> int:
        return self.equal.n_tokens

    @cached_property
    def alias(self) -> Rival:
        """Where the hands of one speed agree most, among the tokens before the wanted one."""
        return best_rival(self.equal.theta, self.long - 2)

    def masses(self, head: PreviousTokenHead) -> tuple[float, float]:
        """The attention of the last token on the one before it, in the short and the long text."""
        return float(head.masses[self.short - 2]), float(head.masses[-1])


class Aliasing(Stage):
    """At one speed for all hands, a second position looks the same; at many speeds it does not."""

    class Inputs(HandsInputs):
        theta: float = Field(
            1.0, ge=0.05, le=3, description="the one speed, in radians per position"
        )
        alpha: float = Field(
            10.0, ge=0.01, le=1e4, description="scale of the scores; larger is sharper"
        )
        short: int = Field(32, ge=3, le=63, description="tokens in the short text")
        long: int = Field(46, ge=4, le=64, description="tokens in the long text")

    title = "Why the hands need different speeds"
    subtitle = "What if they all turned at the same speed?"
    caption = (
        "At one speed, only {mass_long:.1%} of the attention still finds the previous token; "
        "at many speeds, {schedule_mass_long:.1%} does."
    )

    notes = (
        "The last token looks for the one before it: there, every hand points up.",
        "The text grows. For older and older tokens the hands turn on, all alike.",
        "{alias} positions further back, all are up again: to {alias_cosine:.5f} of their height.",
        "The head mistakes it for the previous token: it gets {alias_mass:.1%} of the attention.",
        "Now each hand turns at its own speed: where one is up again, others are not.",
    )

    inputs: Inputs
    values: Speeds

    @classmethod
    def compute(cls, inputs: Inputs) -> Speeds:
        if inputs.short >= inputs.long:
            raise ValueError(
                f"short must be below long, got {inputs.short} and {inputs.long} tokens"
            )
        equal = tuple(equal_frequencies(inputs.d_head, inputs.theta).tolist())
        heads = (
            PreviousTokenHead(inputs.long, inputs.d_head, inputs.alpha, thetas=thetas)
            for thetas in (equal, inputs.thetas)
        )
        return Speeds(inputs.short, *heads)

    @classmethod
    def facts(cls, values: Speeds) -> dict[str, Fact]:
        equal, schedule = values.masses(values.equal), values.masses(values.schedule)
        alias = values.alias
        n_hands = len(values.equal.theta)
        return {
            "short": values.short,
            "long": values.long,
            "n_hands": n_hands,
            "n_shown": len(_shown_hands(n_hands, 4)),
            "hands_shown": _part_of(len(_shown_hands(n_hands, 4)), n_hands),
            "mass_short": equal[0],
            "mass_long": equal[1],
            "schedule_mass_short": schedule[0],
            "schedule_mass_long": schedule[1],
            "alias": alias.offset,
            "alias_cosine": alias.share,
            "alias_turns": alias.offset * float(values.equal.theta[0]) / FULL_TURN,
            "alias_mass": float(values.equal.pattern[-1, values.long - 2 - alias.offset]),
            "schedule_lowest": float(np.min(hand_cosines(alias.offset, values.schedule.theta))),
        }

    @classmethod
    def claims(cls, values: Speeds) -> list[Claim]:
        (short, long), (kept_short, kept_long) = (
            values.masses(head) for head in (values.equal, values.schedule)
        )
        alias = values.alias
        lowest = float(np.min(hand_cosines(alias.offset, values.schedule.theta)))
        at = f"at {alias.offset} positions"
        return [
            Claim(
                "at one speed the hands come round to within 1 % of their height",
                alias.share > 0.99 and alias.offset * values.equal.theta[0] > FULL_TURN / 2,
                f"{alias.share:.5f} {at}",
            ),
            Claim(
                "they do so in the long text and not in the short one",
                alias.offset > values.short - 2,
                f"already {at}",
            ),
            Claim(
                "at one speed the mass falls by a quarter or more",
                long < 0.75 * short,
                f"from {short:.4f} to {long:.4f}",
            ),
            Claim(
                "at many speeds it loses less than a tenth of what it loses at one",
                kept_short - kept_long < 0.1 * (short - long),
                f"{kept_short - kept_long:.4f} and {short - long:.4f}",
            ),
            Claim("at many speeds not all hands are up again", lowest < 0.9, f"{lowest:.3f} {at}"),
        ]

    @classmethod
    def arrays(cls, values: Speeds) -> dict[str, NDArray[Any]]:
        hands = _shown_hands(len(values.equal.theta), 4)
        seen = values.equal.offsets[-1]  # (T,), 0 at the wanted token
        return {
            "theta": values.schedule.theta,
            "further_back": -seen,
            "attention": values.equal.pattern,
            "schedule_attention": values.schedule.pattern,
            "angles": turns(seen, values.equal.theta)[:, hands],
            "schedule_angles": turns(seen, values.schedule.theta)[:, hands],
        }

    def construct(self) -> None:
        facts = self.facts(self.values)
        notes = Notes([fill(note, facts) for note in self.notes], self.canvas)
        arrays = self.arrays(self.values)
        chart = self._make_table(notes.above)
        self._reach = Reach(
            arrays["attention"],
            arrays["angles"],
            self.values.alias.offset,
            fill("{hands_shown}", facts),
            chart,
        )
        self._ask(notes)
        self._alias(notes)
        self._mend(notes)

    def _make_table(self, region: Region) -> Region:
        """Room for what the previous token gets; returns what is left of the region."""
        if region.width > 9:
            side = 2.4
            chart, table = region.columns(region.width - side - 0.4, side, gap=0.4)
        else:
            table, chart = region.cut_top(1.1, gap=0.25)
        lengths = self.values.short, self.values.long
        self._table = MassTable(("one speed", "own speeds"), lengths, table)
        return chart

    def _grow(self, k: int, run_time: float) -> None:
        """The text grows to its short or its long length, and the mass with it."""
        length = (self.values.short, self.values.long)[k]
        self.play(
            self._reach.grow(length, run_time=run_time),
            self._table.follow(0, k, self._reach, run_time=run_time),
        )

    def _ask(self, notes: Notes) -> None:
        """The wanted token has all hands up; a short text has no other such token."""
        self.beat("wanted")
        self._reach.show(min(5, self.values.short))
        self.play(FadeIn(self._reach), notes.say(0), run_time=0.8)
        self.wait(2.4)
        self.beat("short_text")
        self.play(notes.say(1), FadeIn(self._table), self._table.open_row(0))
        self._grow(0, 3.0)
        self.wait(1.2)

    def _alias(self, notes: Notes) -> None:
        """A longer text has one: all hands are up again, and it takes its share."""
        self.beat("alias")
        self._grow(1, 1.6)
        self.play(notes.say(2))
        self.wait(2.2)
        reach, wrong = self._reach, self.theme.text_color("wrong")
        self._found = VGroup(reach.back, reach.link)
        bar = recolor(reach.furthest_bar, self.theme.wrong)
        self.play(notes.say(3), recolor(self._found, wrong), bar)
        self.wait(1.8)

    def _mend(self, notes: Notes) -> None:
        """With the schedule, the same texts: the hands fan out and the mass stays."""
        self.beat("schedule")
        arrays, table, reach = self.arrays(self.values), self._table, self._reach
        short, _ = self.values.masses(self.values.schedule)
        self.play(notes.say(4), table.open_row(1), recolor(self._found, self.theme.muted))
        self.play(
            reach.become(arrays["schedule_attention"], arrays["schedule_angles"], run_time=3),
            table.follow(1, 1, reach, run_time=3),
        )
        self.play(table.write(1, 0, short))
        self.wait(1.6)
