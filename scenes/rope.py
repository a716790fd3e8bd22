"""Rotary position embedding: a vector's pairs are clock hands, and a position turns them.

After Chris Wendler's construction of a RoPE transformer, sections 1 and 2. RoPE is by Su et al.
(RoFormer, 2021).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from model.constant_key import constant_key
from model.embedding import AMPLITUDE, OppositeLetters, demo_embedding
from model.rope import BASE, FULL_TURN, frequencies, periods, rotate, rotation_matrix
from model.tokens import LETTERS
from model.turned_vector import TurnedVector
from scenes.facts import Claim, Fact, fill
from scenes.stage import DRAWING, EvenInt, Stage, StageInputs

if TYPE_CHECKING or DRAWING:
    from manim import DOWN, LEFT, RIGHT, UP, Create, FadeIn, FadeOut, VGroup

    from scenes.parts.bars import Bars
    from scenes.parts.clock import ClockRow
    from scenes.parts.hand_row import HandDial, HandRow
    from scenes.parts.letters import AlikeMap, LetterColumns, LetterPlane
    from scenes.parts.motion import Drive, recolor, slide
    from scenes.parts.notes import Notes
    from scenes.parts.plot import Plot
    from scenes.parts.readout import Readout
    from scenes.parts.strip import TokenStrip
    from scenes.parts.text import Formula, Label, Number, Paragraph
    from scenes.parts.turn_matrix import TurnEquation
    from scenes.style.layout import PX, Region
    from scenes.style.type import LABEL, SMALL

Letter = Annotated[str, Field(pattern=r"^[a-z]$")]
ROUNDING = 1e-12
"""Differences below this are rounding, not mathematics."""
ROOMY = 9.0
"""Units of width from which a canvas has room for sixteen dials in a row."""


class Embedding(Stage):
    """26 letters as vectors: a flat ellipse of rank 2, where one-hot letters are equally far."""

    class Inputs(StageInputs):
        d_model: int = Field(16, ge=8, le=256, description="numbers in each letter's vector")
        letter: Letter = Field("a", description="the letter that is shown with its opposite")

    title = "Every token becomes a vector"
    subtitle = "Each letter gets {d_model} numbers. How different do they make the letters?"
    caption = (
        "Only {rank} of {d_model} directions are used: {second} is minus {first}. "
        "One-hot letters are all equally far apart."
    )
    notes = (
        "Each column is the vector of a letter.",
        "Every number of {second} is minus that of {first}.",
        "Each letter is now a point, and the points form an ellipse.",
        "The ellipse is flat: {rank} directions and no other.",
        "How alike are two letters? Cosine 1: the same way, −1: opposite ways.",
        "One-hot: every letter is equally far from every other.",
    )

    inputs: Inputs
    values: OppositeLetters

    @classmethod
    def compute(cls, inputs: Inputs) -> OppositeLetters:
        return OppositeLetters(inputs.d_model, LETTERS.tokens.index(inputs.letter))

    @classmethod
    def facts(cls, values: OppositeLetters) -> dict[str, Fact]:
        embedding = values.embedding
        return {
            "n_letters": embedding.n_vocab,
            "d_model": values.d_model,
            "rank": embedding.rank,
            "n_zero": embedding.singular_values.size - embedding.rank,
            "s_1": float(embedding.singular_values[0]),
            "s_2": float(embedding.singular_values[1]),
            "first": LETTERS.tokens[values.first],
            "second": LETTERS.tokens[values.second],
            "cosine": float(embedding.similarity[values.first, values.second]),
            "one_hot_cosine": float(values.one_hot_similarity[values.first, values.second]),
            "one_hot_distance": float(values.one_hot_distance[values.first, values.second]),
            "largest_sum": values.largest_sum,
        }

    @classmethod
    def claims(cls, values: OppositeLetters) -> list[Claim]:
        facts = cls.facts(values)
        apart = values.one_hot_distance[~np.eye(len(LETTERS), dtype=bool)]
        return [
            Claim("the embedding has rank 2", facts["rank"] == 2, f"rank {facts['rank']}"),
            Claim(
                f"{facts['second']} is minus {facts['first']}",
                values.largest_sum < ROUNDING,
                f"a sum of {values.largest_sum:.3g}",
            ),
            Claim(
                "one-hot letters are all equally far",
                float(np.ptp(apart)) < ROUNDING,
                f"distances from {apart.min()} to {apart.max()}",
            ),
        ]

    @classmethod
    def arrays(cls, values: OppositeLetters) -> dict[str, NDArray[Any]]:
        return {
            "embedding": values.embedding.matrix,
            "plane": values.embedding.plane,
            "singular_values": values.embedding.singular_values,
            "similarity": values.embedding.similarity,
            "one_hot_similarity": values.one_hot_similarity,
        }

    def construct(self) -> None:
        self.known = self.facts(self.values)
        self.say = Notes([fill(note, self.known) for note in self.notes], self.canvas)
        self.pair = (self.values.first, self.values.second)
        self._vectors()
        self._opposites()
        self._plane()
        self._rank()
        self._similarity()

    def _vectors(self) -> None:
        """A token is a column of numbers."""
        self.beat("vectors")
        self.columns = LetterColumns(
            LETTERS.tokens, self.values.embedding.matrix, self.say.above, reach=AMPLITUDE
        )
        labels = VGroup(*self.columns.labels)
        self.play(FadeIn(labels), FadeIn(self.columns.scale_bar), run_time=0.6)
        self.play(self.columns.heat.write(run_time=1.2), self.say.say(0))
        self.rest(least=1.0)

    def _opposites(self) -> None:
        """Two columns are each other's negative: the letters differ less than they seem to."""
        self.beat("opposites")
        self.frames = VGroup(*(self.columns.frame(k) for k in self.pair))
        others = [label for k, label in enumerate(self.columns.labels) if k not in self.pair]
        self.play(
            Create(self.frames),
            self.columns.heat.keep(self.pair),
            recolor(VGroup(*others), self.theme.muted),
            self.say.say(1),
        )
        self.rest(least=1.4)

    def _plane(self) -> None:
        """The letters all lie on one ellipse, and opposite letters at the ends of a diameter."""
        self.beat("plane")
        self.left, self.right = self.say.above.beside(3, 2)
        plane = LetterPlane(self.values.embedding.plane, self.left)
        self.aside = self.left.center - self.say.above.center
        plane.move(-self.aside)
        self.play(
            FadeOut(self.frames, run_time=0.6),
            FadeOut(self.columns.heat, run_time=0.6),
            FadeOut(self.columns.scale_bar, run_time=0.6),
            plane.fly(self.columns.labels, run_time=1.6),
            FadeIn(plane, run_time=1.6),
            self.say.say(2),
        )
        chord = plane.chord(*self.pair)
        self.play(Create(chord, run_time=0.7))
        self.rest(least=0.9)
        self.picture = VGroup(plane, chord, *self.columns.labels)

    def _rank(self) -> None:
        """Two singular values and nothing else: the cloud of points is flat."""
        self.beat("rank")
        values = self.values.embedding.singular_values
        words = Paragraph(
            "singular values: how far they spread",
            width=self.right.width,
            size=SMALL,
            color=self.theme.muted,
        )
        words.shift(self.right.point(0, 1) - words.get_corner(UP + LEFT))
        room = Region(
            self.right.left, self.right.bottom, self.right.right, words.get_bottom()[1] - 0.5
        )
        bars = Bars(0 * values, room, high=float(values[0]), color=self.theme.token)
        self.play(slide(self.picture, self.aside), self.say.say(3))
        self.play(FadeIn(words), FadeIn(bars), run_time=0.5)
        self.play(bars.to(values, run_time=0.9))
        found = self._what_the_bars_say(bars, room)
        self.play(FadeIn(found), run_time=0.6)
        self.rest(least=1.2)
        self.found = VGroup(words, bars, found)

    def _what_the_bars_say(self, bars: Bars, room: Region) -> VGroup:
        values = self.values.embedding.singular_values[:2]
        places = (np.array([-0.36, 0.12, 0.0]), np.array([0.5, -0.24, 0.0]))
        numbers = (
            Number(float(v), ".2f", size=LABEL, weight="semibold", align="left").put(
                bars.tip(k) + place * np.array([bars.step, 1.0, 0.0])
            )
            for k, (v, place) in enumerate(zip(values, places, strict=True))
        )
        start = bars.middle(2) - 0.3 * bars.step
        none = Label(f"the other {self.known['n_zero']} are 0", size=SMALL)
        none.put(np.array([start, bars.tip(2)[1] + 0.2, 0.0]))
        rank = Number(int(self.known["rank"]), "d", size=40, weight="semibold", prefix="rank ")
        rank.put(np.array([(start + room.right) / 2, room.center[1], 0.0]))
        return VGroup(*numbers, none, rank)

    def _similarity(self) -> None:
        """With one-hot vectors every letter is equally far from every other."""
        self.beat("similarity")
        self.play(FadeOut(self.picture), FadeOut(self.found), self.say.say(4), run_time=0.6)
        left, right = self.say.above.beside(1, 1)
        self.play(
            FadeIn(self._alike("this embedding", self.values.embedding.similarity, left)),
            run_time=0.8,
        )
        self.rest(least=1.7)
        self.play(
            FadeIn(self._alike("one-hot: a single 1 each", self.values.one_hot_similarity, right)),
            self.say.say(5),
            run_time=0.8,
        )
        self.rest(least=1.7)
        self.play(self.say.hush())

    def _alike(self, heading: str, similarity: NDArray[np.float64], region: Region) -> VGroup:
        """A map of cosines, and beside it the cosine of the pair."""
        picture = AlikeMap(heading, LETTERS.tokens, similarity, region, pair=self.pair)
        cosine = Readout(
            f"cosine of {self.known['first']} and {self.known['second']}",
            float(similarity[self.pair]),
            ".2f",
            picture.corner,
            width=picture.room,
        )
        return VGroup(picture, cosine)


class Frequencies(Stage):
    """d_head/2 clock hands start together, and each turns at its own speed."""

    class Inputs(StageInputs):
        d_head: EvenInt = Field(
            16, ge=4, le=256, description="width of the head; d_head/2 clock hands"
        )
        base: float = Field(BASE, ge=10, le=1e7, description="how far apart the hands' speeds are")
        m: int = Field(24, ge=4, le=1000, description="the position up to which the hands turn")

    title = "Every hand turns at its own speed"
    subtitle = (
        "{d_head} numbers make {n_hands} pairs, and a pair is a clock hand. How fast is each?"
    )
    caption = (
        "Fast hands tell neighbours apart, slow hands tell near from far: "
        "a full turn takes from {fastest_period:.2f} to {slowest_period:,.0f} positions."
    )
    notes = (
        "All hands start together, at position 0.",
        "One position on, the first hand has turned {first_degrees:.1f}°, "
        "the last {last_degrees:.4f}°.",
        "Position {m}: the first went round {first_turns:.2f} times, the last {last_turns:.4f}.",
        "From hand to hand, a full turn takes {factor:.3g} times as long.",
    )

    inputs: Inputs
    values: TurnedVector

    @classmethod
    def compute(cls, inputs: Inputs) -> TurnedVector:
        thetas = tuple(frequencies(inputs.d_head, inputs.base).tolist())
        return TurnedVector(tuple(constant_key(inputs.d_head).tolist()), inputs.m, thetas)

    @classmethod
    def facts(cls, values: TurnedVector) -> dict[str, Fact]:
        full = periods(values.thetas)
        return {
            "d_head": len(values.vector),
            "n_hands": len(values.thetas),
            "m": values.m,
            "fastest_period": float(full[0]),
            "slowest_period": float(full[-1]),
            "first_degrees": float(np.rad2deg(values.thetas[0])),
            "last_degrees": float(np.rad2deg(values.thetas[-1])),
            "first_turns": float(values.turns[0] / FULL_TURN),
            "last_turns": float(values.turns[-1] / FULL_TURN),
            "factor": float(full[1] / full[0]),
        }

    @classmethod
    def claims(cls, values: TurnedVector) -> list[Claim]:
        full = periods(values.thetas)
        factors = full[1:] / full[:-1]
        return [
            Claim(
                "all hands start together",
                float(np.ptp(values.start_angles)) == 0,
                f"{np.ptp(values.start_angles):.3g} rad apart",
            ),
            Claim(
                "every hand is slower than the one before, by one factor",
                bool((factors > 1).all() and np.allclose(factors, factors[0], rtol=1e-9)),
                f"factors from {factors.min():.6g} to {factors.max():.6g}",
            ),
        ]

    @classmethod
    def arrays(cls, values: TurnedVector) -> dict[str, NDArray[Any]]:
        return {
            "thetas": np.array(values.thetas),
            "periods": periods(values.thetas),
            "turns_along": values.turns_along,
            "positions": np.arange(values.m + 1),
            "hands": np.arange(len(values.thetas) + 1),
        }

    def construct(self) -> None:
        self.known = self.facts(self.values)
        self.say = Notes([fill(note, self.known) for note in self.notes], self.canvas)
        self.thetas = np.array(self.values.thetas)
        self.full = periods(self.values.thetas)
        self._together()
        self._one_step()
        self._run()
        self._schedule()

    def _together(self) -> None:
        """Every pair is a hand, and at position 0 they all stand upright."""
        self.beat("together")
        head, below = self.say.above.cut_top(0.42, 0.2)
        most = 16 if self.canvas.width > ROOMY else 8
        self.row = ClockRow(len(self.thetas), below, most=most, most_radius=1.3)
        self.shown = self.row.indices
        self.counter = Number(
            0,
            "d",
            size=30,
            weight="semibold",
            prefix="position ",
            color=self.theme.text_color("position"),
            align="left",
        ).put(head.point(0, 0) + UP * 0.08)
        self.header = VGroup(self.counter)
        if len(self.shown) < len(self.thetas):
            some = Label(
                f"{len(self.shown)} of {len(self.thetas)} hands",
                size=SMALL,
                color=self.theme.muted,
                align="right",
            )
            self.header.add(some.put(head.point(1, 0) + UP * 0.08))
        self.play(FadeIn(self.row), FadeIn(self.header), self.say.say(0), run_time=0.8)
        self.rest(least=1.2)

    def _one_step(self) -> None:
        """One position turns the first hand a good way and the last hardly at all."""
        self.beat("one step")
        self.play(self._go(0, 1), self.say.say(1))
        self.rest(least=2.2)

    def _run(self) -> None:
        """The fast hands go round and round; the slow ones set off."""
        self.beat("run")
        for position in (1, 2):
            self.play(self._go(position, position + 1, run_time=0.5))
        self.play(self._go(3, self.values.m, run_time=3.2), self.say.say(2))
        self.rest(least=2.0)

    def _go(self, start: int, end: int, run_time: float = 0.8) -> Drive:
        speeds = self.thetas[self.shown]

        def show(position: NDArray[np.float64]) -> None:
            self.row.show(float(position) * speeds)
            self.counter.set_value(int(position))

        return Drive(VGroup(self.row, self.counter), show, start, end, run_time=run_time)

    def _schedule(self) -> None:
        """The speeds fall evenly on a logarithmic scale."""
        self.beat("schedule")
        plot = self._plot()
        self.play(
            FadeOut(self.header, run_time=0.5), self._line_up(plot), FadeIn(plot), self.say.say(3)
        )
        dots = VGroup(*(plot.dot(k, self.full[k], self.theme.position, 0.09) for k in self.shown))
        hands = np.arange(len(self.full))
        self.play(
            Create(plot.curve(hands, self.full, self.theme.position)),
            FadeIn(dots, lag_ratio=0.2),
            run_time=1.4,
        )
        self.play(FadeIn(self._periods(plot)), run_time=0.6)
        self.rest(least=1.6)
        self.play(self.say.hush())

    def _plot(self) -> Plot:
        area = self.say.above
        self.radius = min(0.52, (area.width - 1.4) / len(self.shown) * 0.42)
        _, below = area.cut_top(2 * self.radius, 0.25)
        decades = range(1, int(np.ceil(np.log10(self.full[-1]))) + 1)
        plot = Plot(
            below,
            x=(-0.6, len(self.full) - 0.4),
            y=(min(self.full[0] / 2, 2.0), self.full[-1] * 5.0),
            x_ticks=[float(k) for k in self.shown],
            y_ticks=[10.0**k for k in decades if 10.0**k <= self.full[-1] * 5],
            x_spec="d",
            y_spec=",.0f",
            y_name="positions for a full turn",
            log_y=True,
        )
        hand = Label("hand i", size=SMALL, color=self.theme.muted)
        level = plot.area.bottom - SMALL * PX * 1.15
        return plot.add(hand.put(np.array([below.left, level, 0.0])))

    def _line_up(self, plot: Plot) -> Drive:
        """Every dial goes to stand over its own dot."""
        clocks = self.row.clocks
        start = np.array([[*clock.middle[:2], clock.radius] for clock in clocks])
        y = self.say.above.top - self.radius
        end = np.array([[plot.at(k, self.full[k])[0], y, self.radius] for k in self.shown])

        def show(state: NDArray[np.float64]) -> None:
            for clock, (x, y, radius) in zip(clocks, state, strict=True):
                clock.fit(np.array([x, y, 0.0]), float(radius))

        return Drive(self.row, show, start, end, run_time=1.4)

    def _periods(self, plot: Plot) -> VGroup:
        color = self.theme.text_color("position")
        first, second, last = (plot.at(k, self.full[k]) for k in (0, 1, len(self.full) - 1))
        steep = (second - first)[1] > 0.5 * (second - first)[0]
        fastest = Number(
            float(self.full[0]), ".2f", size=30, weight="semibold", color=color, align="left"
        ).put(first + np.array([0.2, -0.12, 0.0] if steep else [-0.12, 0.22, 0.0]))
        slowest = Number(
            float(self.full[-1]), ",.0f", size=30, weight="semibold", color=color, align="right"
        ).put(last + np.array([0.12, 0.22, 0.0]))
        formula = Formula(
            f"theta_i = {self.inputs.base:g}^(-2 i \\/ {self.inputs.d_head})", color=self.theme.ink
        )
        formula.fit(0.36 * plot.area.width)
        formula.move_to(plot.area.point(0.98, 0.06), aligned_edge=DOWN + RIGHT)
        return VGroup(fastest, slowest, formula)


class LetterAtPosition(StageInputs):
    """A letter's vector and the position it stands at."""

    letter: Letter = Field("j", description="the letter whose vector is turned")
    m: int = Field(40, ge=4, le=1000, description="the position it stands at")
    base: float = Field(BASE, ge=10, le=1e7, description="how far apart the hands' speeds are")

    def turned(self, d_head: int) -> TurnedVector:
        """The demo embedding of the letter at width `d_head`, turned to position m."""
        vector = demo_embedding([LETTERS.tokens.index(self.letter)], d_head)[0]  # (d_head,)
        thetas = frequencies(d_head, self.base)  # (d_head/2,)
        return TurnedVector(
            tuple(vector.tolist()), self.m, tuple(thetas.tolist()), token=self.letter
        )


class ClockHands(Stage):
    """The pairs of a token's vector are hands; the position turns each by its own angle."""

    class Inputs(LetterAtPosition):
        d_head: EvenInt = Field(
            8, ge=4, le=16, description="width of the head; d_head/2 clock hands"
        )

    title = "A position turns the hands of a vector"
    subtitle = "The vector of “{letter}” is {n_hands} hands. What does standing at position {m} do?"
    caption = (
        "At position {m} the first hand has turned {first_degrees:,.1f}°, the last "
        "{last_degrees:,.1f}°. No hand has changed its length."
    )
    notes = (
        "The vector of “{letter}”: {d_head} numbers, two by two.",
        "Each pair is a hand: so far up, and so far to the right.",
        "Every position turns each hand by its own angle.",
        "New angles, new numbers, and no hand has changed its length.",
    )

    inputs: Inputs
    values: TurnedVector

    @classmethod
    def compute(cls, inputs: Inputs) -> TurnedVector:
        return inputs.turned(inputs.d_head)

    @classmethod
    def facts(cls, values: TurnedVector) -> dict[str, Fact]:
        degrees = np.rad2deg(values.turns)
        return {
            "letter": values.token,
            "d_head": len(values.vector),
            "n_hands": len(values.thetas),
            "m": values.m,
            "first_degrees": float(degrees[0]),
            "last_degrees": float(degrees[-1]),
            "largest_change": _length_change(values),
        }

    @classmethod
    def claims(cls, values: TurnedVector) -> list[Claim]:
        change = _length_change(values)
        return [
            Claim("no hand changes its length", change < ROUNDING, f"one changes by {change:.3g}")
        ]

    @classmethod
    def arrays(cls, values: TurnedVector) -> dict[str, NDArray[Any]]:
        return {
            "vector": np.array(values.vector),
            "thetas": np.array(values.thetas),
            "lengths": values.lengths,
            "pairs_along": values.pairs_along,
            "degrees_along": np.rad2deg(values.turns_along),
            "positions": np.arange(values.m + 1),
        }

    def construct(self) -> None:
        known = self.facts(self.values)
        self.say = Notes([fill(note, known) for note in self.notes], self.canvas)
        head, below = self.say.above.cut_top(0.5, 0.25)
        self.row = HandRow(self.values.pairs_along, self.values.turns_along, below)
        self._header(head)
        self._pairs()
        self._hands()
        self._turn()

    def _header(self, head: Region) -> None:
        box = Region(head.left, head.bottom, head.left + 0.6, head.top)
        self.token = TokenStrip([self.values.token], box, size=26)
        self.counter = Number(
            0,
            "d",
            size=30,
            weight="semibold",
            prefix="at position ",
            color=self.theme.text_color("position"),
            align="left",
        )
        self.counter.put(np.array([box.right + 0.2, self.token.labels[0].anchor[1], 0.0]))

    def _pairs(self) -> None:
        """A vector of d_head numbers, taken two by two."""
        self.beat("pairs")
        self.play(FadeIn(self.token), self.say.say(0), run_time=0.6)
        self.rise = self.row.lift(run_time=0.9)
        self.play(FadeIn(self.row.pairs, lag_ratio=0.3), run_time=1.2)
        self.rest(least=1.0)

    def _hands(self) -> None:
        """Each pair is a point: so far up, so far to the right."""
        self.beat("hands")
        bodies = VGroup(*self.row.dials)
        for dial in self.row.dials:
            dial.show_pair((0.0, 0.0))
        self.play(self.rise, FadeIn(bodies), self.say.say(1))
        self.play(self.row.grow(rightwards=False, run_time=0.9))
        self.play(self.row.grow(rightwards=True, run_time=0.9))
        self.rest(least=1.2)

    def _turn(self) -> None:
        """The position counts up, and every hand turns by its own angle."""
        self.beat("turn")
        ghosts = VGroup(*(dial.ghost for dial in self.row.dials))
        self.play(
            FadeIn(self.counter),
            FadeIn(VGroup(*self.row.under)),
            Drive(ghosts, lambda s: ghosts.set_stroke(opacity=float(s)), 0.0, 1.0),
            self.say.say(2),
            run_time=0.8,
        )
        for position in (0, 1, 2):
            self.play(self._go(position, position + 1, run_time=0.6))
        self.play(self._go(3, self.values.m, run_time=4.0))
        self.play(self.say.say(3))
        self.rest(least=2.0)
        self.play(self.say.hush())

    def _go(self, start: int, end: int, run_time: float) -> Drive:
        def show(position: NDArray[np.float64]) -> None:
            self.row.show(float(position))
            self.counter.set_value(int(position))

        return Drive(VGroup(self.row, self.counter), show, start, end, run_time=run_time)


def _length_change(values: TurnedVector) -> float:
    """The largest change of a hand's length between position 0 and m."""
    after = np.hypot(values.turned_pairs[:, 0], values.turned_pairs[:, 1])
    return float(np.max(np.abs(after - values.lengths)))


class Matrix(Stage):
    """The same turn as one block-diagonal matrix, which keeps the vector's length."""

    class Inputs(LetterAtPosition):
        d_head: EvenInt = Field(
            8, ge=4, le=8, description="width of the head; d_head/2 blocks of the matrix"
        )

    title = "The same turn, as one matrix"
    subtitle = "Each hand turns by itself. What matrix turns all {n_hands} at once?"
    caption = (
        "A block for every hand and zeros elsewhere: hands never mix, "
        "and the vector keeps its length, {norm:.4f}."
    )
    notes = (
        "At position 0 nothing turns: the matrix gives the vector back.",
        "As the position runs, each 2 by 2 block turns its own pair.",
        "Two numbers in, two out. The {n_zeros} numbers off the blocks stay 0.",
        "Turning changes the numbers but not the length of the vector.",
    )

    inputs: Inputs
    values: TurnedVector

    @classmethod
    def compute(cls, inputs: Inputs) -> TurnedVector:
        return inputs.turned(inputs.d_head)

    @classmethod
    def facts(cls, values: TurnedVector) -> dict[str, Fact]:
        return {
            "letter": values.token,
            "d_head": len(values.vector),
            "n_hands": len(values.thetas),
            "n_zeros": int(values.off_blocks.size),
            "m": values.m,
            "norm": values.norm,
            "turned_norm": values.turned_norm,
            "norm_change": abs(values.turned_norm - values.norm),
        }

    @classmethod
    def claims(cls, values: TurnedVector) -> list[Claim]:
        apart = float(np.max(np.abs(values.product - values.turned)))
        change = abs(values.turned_norm - values.norm)
        return [
            Claim(
                "the matrix turns every hand by its own angle",
                apart < ROUNDING,
                f"a difference of {apart:.3g}",
            ),
            Claim("the length stays", change < ROUNDING, f"it changes by {change:.3g}"),
            Claim(
                "off its blocks the matrix is 0",
                not values.off_blocks.any(),
                f"up to {np.abs(values.off_blocks).max(initial=0.0):.3g}",
            ),
        ]

    @classmethod
    def arrays(cls, values: TurnedVector) -> dict[str, NDArray[Any]]:
        return {
            "vector": np.array(values.vector),
            "start_matrix": rotation_matrix(0, values.thetas),
            "matrix": values.matrix,
            "product": values.product,
            "pairs_along": values.pairs_along,
            "thetas": np.array(values.thetas),
            "positions": np.arange(values.m + 1),
        }

    def construct(self) -> None:
        self.known = self.facts(self.values)
        self.say = Notes([fill(note, self.known) for note in self.notes], self.canvas)
        self._lay_out()
        self._start()
        self._turn()
        self._blocks()
        self._length()

    def _lay_out(self) -> None:
        """Equation and dials; `aside` is for words and readings, beside or below."""
        area, n_hands = self.say.above, len(self.values.thetas)
        wide, tall = self.canvas.width > ROOMY, self.say.above.height > 7
        if wide:
            main, self.aside = area.columns(10.3, 2.9, gap=0.3)
            main, dials = main.columns(8.4, 1.4, gap=0.0)
        else:
            self.aside, main = area.cut_bottom(0.35, 0.2)
            dials, main = main.cut_bottom(1.7, 0.2) if tall else (self.aside, main)
        self.equation = TurnEquation(
            rotation_matrix(0, self.values.thetas),
            self.values.vector,
            main,
            token=self.values.token,
            most_cell=(0.82, 0.85 if tall else 0.62),
        )
        radius = min(0.72, self.equation.cell_height * 0.94) if wide else 0.75
        unit = float(self.values.lengths.max())
        self.dials = [HandDial(radius, pair, unit) for pair in self.values.pairs]
        for i, dial in enumerate(self.dials):
            dial.ghost.set_stroke(opacity=1)
            x = dials.center[0] if wide else dials.point((i + 0.5) / n_hands, 0)[0]
            y = self.equation.row(i) if wide else dials.center[1]
            dial.place(np.array([x, y, 0.0]))
        self.shown = VGroup(*self.dials) if wide or tall else VGroup()
        self.formula = self._block_formula() if wide else VGroup()

    def _block_formula(self) -> VGroup:
        """What stands in the block of hand i, at the top of the aside."""
        words = Label("the block of hand i", size=SMALL, color=self.theme.muted)
        words.put(self.aside.point(0, 1) - np.array([0.0, 0.3, 0.0]))
        block = Formula(
            'mat(delim: "[", cos m theta_i, -sin m theta_i; sin m theta_i, cos m theta_i)', size=24
        ).fit(self.aside.width)
        corner = words.get_corner(LEFT + DOWN) + DOWN * 0.25
        return VGroup(words, block.shift(corner - block.get_corner(UP + LEFT)))

    def _start(self) -> None:
        """At position 0 the matrix gives the vector back."""
        self.beat("start")
        self.play(FadeIn(self.equation), FadeIn(self.shown), self.say.say(0), run_time=0.8)
        self.rest(least=2.2)

    def _turn(self) -> None:
        """The position turns every hand; the numbers of the matrix run with it."""
        self.beat("turn")
        steps = 60 * 4
        ways = np.linspace(0, self.values.m, steps + 1)  # (steps + 1,)
        matrices = rotation_matrix(ways, self.values.thetas)  # (steps + 1, d_head, d_head)
        vectors = rotate(self.values.vector, ways, self.values.thetas)  # (steps + 1, d_head)
        matrices[-1], vectors[-1] = self.values.matrix, self.values.product

        def show(step: NDArray[np.float64]) -> None:
            k = int(step)
            self.equation.show(int(ways[k] + 1e-9), matrices[k], vectors[k])
            for dial, pair in zip(self.dials, vectors[k].reshape(-1, 2), strict=True):
                dial.show_pair(pair)

        self.play(self.say.say(1), FadeIn(self.formula))
        self.play(Drive(VGroup(self.equation, self.shown), show, 0, steps, run_time=4.2))
        self.rest(least=0.8)

    def _blocks(self) -> None:
        """Two numbers in, two numbers out: a block sees no hand but its own."""
        self.beat("blocks")
        frames = self.equation.frames(0)
        self.play(Create(frames), self.say.say(2), run_time=0.8)
        for i in range(1, len(self.dials)):
            self.rest(least=0.3)
            self.play(self.equation.step_down(frames, i, run_time=0.5))
        self.rest(least=0.8)
        self.play(FadeOut(frames), run_time=0.4)

    def _length(self) -> None:
        """The length before and after, digit by digit the same."""
        self.beat("length")
        before, after = self._readings()
        self.play(FadeIn(before), self.say.say(3), run_time=0.6)
        self.rest(least=0.8)
        self.play(FadeIn(after), run_time=0.6)
        self.rest(least=1.2)
        self.play(self.say.hush())

    def _readings(self) -> list[VGroup | Number]:
        """The two lengths: one under the other in a column, on one line in a band."""
        found = {
            f"length of “{self.values.token}”": self.values.norm,
            "length after": self.values.turned_norm,
        }
        if self.aside.height < 1:
            halves = self.aside.columns(1, 1)
            return [
                Number(value, ".6f", weight="semibold", prefix=f"{meaning}: ").center_on(
                    half.center
                )
                for half, (meaning, value) in zip(halves, found.items(), strict=True)
            ]
        return [
            Readout(meaning, value, ".6f", self.aside.point(0, y), width=self.aside.width)
            for y, (meaning, value) in zip((0.55, 0.28), found.items(), strict=True)
        ]
