"""Four more stages of the previous-token head."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator, Field

from model.arrays import Floats, Ints
from model.previous_token import PreviousTokenHead
from model.sharpness import SharpnessByWidth, sharpness_by_width
from model.token_dependent_key import TokenDependentKeyHead, patterns_by_strength
from model.tokens import LETTERS, Vocabulary, one_hot, spread_over_vocabulary
from scenes.facts import Claim, Fact, fill, format_fact
from scenes.previous_token import HeadInputs
from scenes.stage import DRAWING, EvenInt, Stage, StageInputs

if TYPE_CHECKING or DRAWING:
    from manim import (
        DOWN,
        LEFT,
        UP,
        AnimationGroup,
        Create,
        DashedLine,
        FadeIn,
        FadeOut,
        LaggedStart,
        Line,
        Mobject,
        Rectangle,
        RoundedRectangle,
        SurroundingRectangle,
        VGroup,
    )

    from scenes.parts.bars import Bars
    from scenes.parts.clock import ClockRow
    from scenes.parts.flow import Chip, Ribbon
    from scenes.parts.lanes import Band, Lanes
    from scenes.parts.motion import Drive, count, recolor
    from scenes.parts.notes import Notes
    from scenes.parts.pattern import PatternMap, Trace, along, follow
    from scenes.parts.plot import Plot
    from scenes.parts.readout import Readout
    from scenes.parts.rowbars import RowBars, TokenGrid
    from scenes.parts.text import Formula, Label, Number, Paragraph, text_width
    from scenes.style.layout import PX, Region
    from scenes.style.theme import theme
    from scenes.style.type import LABEL, MIN_SIZE, SMALL

MASS = 0.99
"""What counts as sharp: every row gives this much to the token before it."""
EXAMPLE = 2
"""The position whose values are followed first."""
STEPS = 40
"""Alphas that are worked out between two stops of a sweep."""


def _rising(alphas: tuple[float, ...]) -> tuple[float, ...]:
    if any(b < 1.2 * a for a, b in pairwise(alphas)):
        raise ValueError(f"{list(alphas)} must rise, each by a fifth or more")
    return alphas


Alphas = Annotated[
    tuple[Annotated[float, Field(ge=0.01, le=1e4)], ...],
    AfterValidator(_rising),
    Field(min_length=1, max_length=3),
]


@dataclass(frozen=True, eq=False)
class Sweep:
    """A head whose alpha rises from almost nothing, through every stop, past 99 %.

    `alphas` (S,) and `worst` (S,), the smallest mass on a target at each; `arrivals` are the
    places in the series at which the stops are reached.
    """

    head: PreviousTokenHead
    alphas: Floats
    worst: Floats
    arrivals: Ints
    alpha_99: float
    by_width: SharpnessByWidth

    @classmethod
    def of(cls, n_tokens: int, d_head: int, stops: tuple[float, ...]) -> Sweep:
        head = PreviousTokenHead(n_tokens, d_head)
        needed = head.alpha_99
        marks = [min(0.1, stops[0] / 4), *stops, 1.6 * max(needed, stops[-1])]
        pieces = [np.geomspace(a, b, STEPS + 1)[1:] for a, b in pairwise(marks)]
        alphas = np.concatenate([marks[:1], *pieces])  # (S,)
        arrivals = np.arange(1, len(stops) + 1) * STEPS  # (n_stops,)
        alphas[arrivals] = stops
        worst = head.masses_over(alphas).min(axis=1)  # (S,)
        widths = sharpness_by_width(n_tokens=n_tokens)
        return cls(head, alphas, worst, arrivals, needed, widths)


class Sharpness(Stage):
    """Alpha rises and the band sharpens; what 99 % costs, against the width of the head."""

    class Inputs(StageInputs):
        n_tokens: int = Field(32, ge=3, le=64, description="length of the text, in tokens")
        d_head: EvenInt = Field(
            32, ge=2, le=256, description="width of the head; d_head/2 clock hands"
        )
        alphas: Alphas = Field(
            (1.0, 4.0, 10.0),
            description="one to three rising scales of the scores to stop at",
        )

    title = "How sharp is the band?"
    subtitle = "Scores are scaled by α before the softmax. How large must α be?"
    caption = (
        "The larger α, the sharper the band: {mass:.0%} in every row takes α ≈ {alpha_99:.3f} at "
        "width {d_head}, and less in wider heads."
    )

    @classmethod
    def compute(cls, inputs: Inputs) -> Sweep:
        return Sweep.of(inputs.n_tokens, inputs.d_head, inputs.alphas)

    @classmethod
    def facts(cls, values: Sweep) -> dict[str, Fact]:
        head, widths = values.head, values.by_width
        return {
            "n_tokens": head.n_tokens,
            "d_head": head.d_head,
            "mass": MASS,
            "alpha_99": values.alpha_99,
            "alpha_99_estimate": head.alpha_99_estimate,
            "gap": head.gap,
            "first_alpha": float(values.alphas[values.arrivals[0]]),
            "first_worst_mass": float(values.worst[values.arrivals[0]]),
            "last_alpha": float(values.alphas[values.arrivals[-1]]),
            "last_worst_mass": float(values.worst[values.arrivals[-1]]),
            "narrowest": int(widths.d_heads[0]),
            "narrowest_needs": float(widths.needed[0]),
            "narrowest_estimate": float(widths.estimates[0]),
            "widest": int(widths.d_heads[-1]),
            "widest_needs": float(widths.needed[-1]),
        }

    @classmethod
    def claims(cls, values: Sweep) -> list[Claim]:
        needed = values.by_width.needed
        return [
            Claim(
                "the worst mass rises with alpha",
                bool((np.diff(values.worst) >= 0).all()),
                f"steps down to {np.diff(values.worst).min():.3g}",
            ),
            Claim(
                "wider heads need less alpha",
                bool((np.diff(needed) < 0).all()),
                f"alphas {np.round(needed, 3).tolist()}",
            ),
        ]

    @classmethod
    def arrays(cls, values: Sweep) -> dict[str, NDArray[np.float64]]:
        shown = values.alphas[[0, *values.arrivals]]
        widths = values.by_width
        return {
            "alphas": values.alphas,
            "worst_masses": values.worst,
            "shown_alphas": shown,
            "patterns": values.head.patterns_over(shown),
            "d_heads": widths.d_heads.astype(float),
            "gaps": widths.gaps,
            "alpha_99_estimates": widths.estimates,
            "alpha_99s": widths.needed,
        }

    def construct(self) -> None:
        weights = (4.5, 7.6) if self.canvas.wide else (1.15, 1.0)
        left, right = self.canvas.beside(*weights, gap=0.55)
        self._patterns = self.values.head.patterns_over(self.values.alphas)
        self._draw_pattern(left)
        self._draw_plot(right)
        self._question()
        self._sweep()
        self._threshold()
        self._widths()
        self._rivals()

    def _draw_pattern(self, region: Region) -> None:
        room = region.inset(0.05, 0.4)
        self._map = PatternMap(self.values.head.n_tokens, room)
        side, cell, corner = self._map.side, self._map.cell, self._map.corner
        self._reading = Label("row: query q, column: key k", size=SMALL, color=self.theme.muted)
        self._reading.put(corner + np.array([0.0, 0.18, 0.0]))
        self._worst_name = Label("the worst row is the last", size=SMALL, color=self.theme.ink)
        self._worst_name.put(corner - np.array([0.0, side + 0.32, 0.0]))
        self._frame = Rectangle(width=side, height=side, stroke_width=1.5)
        self._frame.set_stroke(self.theme.hairline).move_to(room.center)
        self._worst_row = Rectangle(width=side + 0.08, height=cell + 0.08, stroke_width=3)
        self._worst_row.set_stroke(self.theme.ink)
        self._worst_row.move_to(corner + np.array([side / 2, cell / 2 - side, 0.0]))

    def _draw_plot(self, region: Region) -> None:
        values: Sweep = self.values
        self._meaning = Paragraph(
            "α, and what the worst row gives the token before it",
            width=region.width,
            size=SMALL,
            color=self.theme.muted,
        )
        hang(self._meaning, region.point(0, 1))
        _, below = region.cut_top(self._meaning.height, gap=0.15)
        self._cells, room = _stop_cells(below, len(values.arrivals) + 1)
        span = (float(values.alphas[0]), float(values.alphas[-1]))
        self._plot = Plot(
            room,
            x=span,
            y=(0.0, 1.0),
            x_ticks=_decades(*span),
            y_ticks=(0.0, 0.5, MASS),
            y_spec=".0%",
            x_name="α",
            log_x=True,
        )
        points = [self._plot.at(*pair) for pair in zip(values.alphas, values.worst, strict=True)]
        self._trace = Trace(points, self.theme.text_color("attention"), 5)

    def _question(self) -> None:
        """With a small alpha every row spreads its attention over all it can see."""
        self.beat("question")
        self._map.show(self._patterns[0])
        self.play(FadeIn(self._frame), FadeIn(self._map), FadeIn(self._reading), run_time=0.8)
        self.play(FadeIn(self._plot), FadeIn(self._meaning), run_time=0.6)
        self.play(Create(self._worst_row), FadeIn(self._worst_name), run_time=0.6)

    def _sweep(self) -> None:
        """Alpha rises from stop to stop: the band sharpens, and the curve says how much."""
        values: Sweep = self.values
        self.beat("sweep")
        self._marks = VGroup()
        self._stops: list[_Stop] = []
        start = 0
        for cell, arrival in zip(self._cells, values.arrivals, strict=False):
            stop = _Stop(cell, values.alphas[start], values.worst[start])
            self.play(FadeIn(stop), *self._dim_stops(), run_time=0.4)
            self._run_to(stop, start, int(arrival))
            self._stops.append(stop)
            start = int(arrival)

    def _dim_stops(self) -> list[Drive]:
        return [recolor(stop, self.theme.muted, run_time=0.4) for stop in self._stops[-1:]]

    def _run_to(self, stop: _Stop, start: int, end: int) -> None:
        values: Sweep = self.values
        self.play(
            follow(self._map, lambda s: self._map.show(along(self._patterns, s)), start, end),
            follow(self._trace, self._trace.show, start, end),
            follow(stop, lambda s: stop.show(values.alphas, values.worst, s), start, end),
            run_time=1.2,
        )
        dot = self._plot.dot(values.alphas[end], values.worst[end], self.theme.ink, 0.09)
        self._marks.add(dot)
        self.play(FadeIn(dot, scale=0.4), run_time=0.3)
        self.wait(0.2)

    def _threshold(self) -> None:
        """Where the curve passes 99 %."""
        values: Sweep = self.values
        self.beat("threshold")
        plot, ink = self._plot, self.theme.ink
        low, high = plot.at(values.alphas[0], MASS), plot.at(values.alphas[-1], MASS)
        crossing = plot.at(values.alpha_99, MASS)
        level = DashedLine(low, high, stroke_color=self.theme.muted, stroke_width=2)
        drop = Line(crossing, plot.at(values.alpha_99, 0.0), stroke_color=ink, stroke_width=3)
        start, end = int(values.arrivals[-1]), len(values.alphas) - 1
        self.play(
            Create(level),
            follow(self._trace, self._trace.show, start, end, run_time=0.8),
            *self._dim_stops(),
        )
        needed = _Stop(self._cells[-1], values.alpha_99, MASS, color=ink, alpha_spec=".3f")
        self.play(Create(drop), FadeIn(plot.dot(values.alpha_99, MASS, ink, 0.09)), run_time=0.5)
        self.play(FadeIn(needed), run_time=0.5)
        self.wait(0.9)

    def _widths(self) -> None:
        """Wider heads have more hands, a larger gap, and need less alpha."""
        self.beat("widths")
        self.play(*(FadeOut(part) for part in self.mobjects[1:]), run_time=0.6)
        widths: SharpnessByWidth = self.values.by_width
        left, right = self.canvas.beside(*((3.9, 8.2) if self.canvas.wide else (1.0, 2.2)))
        self._key = _WidthKey(left, MASS, self.values.head.n_tokens)
        self._bars = Bars(
            np.zeros(len(widths.d_heads)),
            right,
            high=float(widths.needed.max()),
            color=self.theme.muted,
            names=[f"d = {d}" for d in widths.d_heads],
            spec=".2f",
            most_width=1.2,
        )
        self.play(FadeIn(self._key.opening), FadeIn(self._bars), run_time=0.6)
        self.play(FadeIn(self._key.estimate), self._bars.to(widths.estimates, run_time=1.4))
        self.wait(0.5)

    def _rivals(self) -> None:
        """In narrow heads other offsets rival the neighbours, and the truth is dearer."""
        self.beat("rivals")
        widths: SharpnessByWidth = self.values.by_width
        before = _Estimates(self._bars, widths)
        self.play(
            FadeIn(self._key.truth),
            *(recolor(bar, self.theme.attention) for bar in self._bars.bars),
        )
        self.play(self._bars.to(widths.needed, run_time=1.4), FadeIn(before, run_time=1.4))
        self.wait(0.5)


class _Stop(VGroup):
    """An alpha, and the mass that it gives the worst row."""

    def __init__(
        self,
        region: Region,
        alpha: float,
        mass: float,
        *,
        color: str | None = None,
        alpha_spec: str = "",
    ) -> None:
        ink = color or theme().text_color("attention")
        self.alpha = Number(alpha, alpha_spec, size=LABEL, align="left", prefix="α = ")
        self.mass = Number(
            mass,
            ".2%" if color is None else ".0%",
            size=26,
            weight="semibold",
            color=ink,
            align="left",
        )
        self.alpha.put(region.point(0, 1) - np.array([0.0, 0.25, 0.0]))
        self.mass.put(region.point(0, 1) - np.array([0.0, 0.62, 0.0]))
        super().__init__(self.alpha, self.mass)

    def show(self, alphas: Floats, masses: Floats, place: float) -> None:
        """Read both off their series."""
        self.alpha.set_value(float(along(alphas, place)))
        self.mass.set_value(float(along(masses, place)))


def _stop_cells(region: Region, count: int) -> tuple[list[Region], Region]:
    """A cell for every stop, in one row or in pairs, and what is left below them."""
    columns = count if region.width / count > 1.15 else 2
    rows = -(-count // columns)
    band, rest = region.cut_top(0.75 * rows, gap=0.2)
    cells = [
        cell
        for row in band.rows(*[1.0] * rows, gap=0.05)
        for cell in row.columns(*[1.0] * columns, gap=0.1)
    ]
    return cells[:count], rest


def _decades(low: float, high: float) -> list[float]:
    """Powers of ten in a span, at most five of them."""
    powers = np.arange(np.ceil(np.log10(low) - 1e-9), np.log10(high))
    return [float(10.0**power) for power in powers[:: -(-len(powers) // 5)]]


class _WidthKey:
    """What the bars are: a heading, the estimate and its formula, the truth."""

    def __init__(self, region: Region, mass: float, n_tokens: int) -> None:
        look = theme()
        width = region.width

        def words(text: str, size: float, color: str) -> Paragraph:
            return Paragraph(text, width=width, size=size, color=color)

        self.opening = words(
            f"The α that gives every row {format_fact(mass, '.0%')}, by width d of the head",
            24,
            look.ink,
        )
        counted = words("counting the two neighbours only:", LABEL, look.muted)
        formula = Formula("alpha approx (ln 198) / (f(0) - f(1))", size=30, color=look.muted)
        formula.fit(width)
        self.truth = words(
            f"counting every rival in a text of {n_tokens} tokens",
            LABEL,
            look.text_color("attention"),
        )
        hang(self.opening, region.point(0, 1))
        hang(counted, under(self.opening, 0.4))
        hang(formula, under(counted, 0.2))
        hang(self.truth, under(formula, 0.45))
        self.estimate = VGroup(counted, formula)


class _Estimates(VGroup):
    """Marks in the bars where the estimate ends, where it falls short of the truth."""

    def __init__(self, bars: Bars, widths: SharpnessByWidth) -> None:
        ink = theme().ink_on(theme().attention)
        super().__init__()
        for k, (estimate, needed) in enumerate(zip(widths.estimates, widths.needed, strict=True)):
            if needed > 1.01 * estimate:
                end, half = bars.tip(k), np.array([bars.step * 0.36, 0.0, 0.0])
                number = Number(estimate, ".2f", size=SMALL, color=ink)
                number.put(end - np.array([0.0, 0.24, 0.0]))
                self.add(Line(end - half, end + half, stroke_color=ink, stroke_width=3), number)


def plated(label: Label, middle: NDArray[np.float64]) -> VGroup:
    """A label on a plate that covers what runs behind it."""
    plate = Rectangle(width=label.width + 0.14, height=0.3, stroke_width=0)
    plate.set_fill(theme().ground, 1).move_to(middle)
    return VGroup(plate, label.center_on(middle))


def hang(mobject: Mobject, corner: NDArray[np.float64]) -> None:
    """Hang a picture from its top left corner."""
    mobject.shift(corner - mobject.get_corner(UP + LEFT))


def under(mobject: Mobject, gap: float) -> NDArray[np.float64]:
    """The point `gap` below a picture's lower left corner."""
    return np.array(mobject.get_corner(DOWN + LEFT) - np.array([0.0, gap, 0.0]))


@dataclass(frozen=True, eq=False)
class Copied:
    """What a head hands on when the value of a token is its one-hot vector.

    `pattern` (T, T); `received` (T, V), the share of every token of the vocabulary in what each
    position gets; `shares` (T,), that of the token before it, or of itself at the start.
    """

    tokens: tuple[str, ...]
    pattern: Floats
    received: Floats
    shares: Floats

    @classmethod
    def by(cls, head: PreviousTokenHead, tokens: tuple[str, ...]) -> Copied:
        vocabulary = Vocabulary.of(tokens)
        indices = vocabulary.encode(tokens)  # (T,)
        received = head.output(one_hot(indices, len(vocabulary)))  # (T, V)
        sources = indices[np.maximum(head.positions - 1, 0)]  # (T,)
        return cls(tokens, head.pattern, received, received[head.positions, sources])


class CopyValue(Stage):
    """Values flow along the pattern, and every position learns what came before it."""

    class Inputs(HeadInputs):
        pass

    title = "The value comes along"
    subtitle = "What does a position know once it has attended?"
    caption = (
        "At least {worst_share:.1%} of what each position receives is the token before it; "
        "the first receives itself."
    )
    notes = (
        "Every position offers a value: its own token.",
        "“{word}” asks, and its attention says how much it gets of which value.",
        "So it receives {share:.1%} “{word_before}”.",
        "All positions do so at once.",
        "Nothing stands before the first: its attention stays on itself.",
        "“{word}” is still “{word}”, and now it also knows that “{word_before}” came before.",
    )

    inputs: Inputs
    values: Copied

    @classmethod
    def compute(cls, inputs: Inputs) -> Copied:
        if len(inputs.tokens) <= EXAMPLE:
            raise ValueError(f"text must have {EXAMPLE + 1} words or more, so that values can flow")
        return Copied.by(inputs.head(), inputs.tokens)

    @classmethod
    def facts(cls, values: Copied) -> dict[str, Fact]:
        m = EXAMPLE
        after_first = values.shares[1:]
        return {
            "n_tokens": len(values.tokens),
            "example": m,
            "word": values.tokens[m],
            "word_before": values.tokens[m - 1],
            "share": float(values.shares[m]),
            "worst_share": float(after_first.min()),
            "mean_share": float(after_first.mean()),
            "worst_word": values.tokens[1 + int(after_first.argmin())],
            "first_word": values.tokens[0],
            "first_share": float(values.shares[0]),
        }

    @classmethod
    def arrays(cls, values: Copied) -> dict[str, NDArray[np.float64]]:
        return {
            "positions": np.arange(len(values.tokens), dtype=float),
            "pattern": values.pattern,
            "received": values.received,
            "shares": values.shares,
        }

    def construct(self) -> None:
        facts = self.facts(self.values)
        self.say = Notes([fill(note, facts) for note in self.notes], self.canvas)
        self.lanes = self._lanes(self.say.above.inset(0.14, 0.0))
        self.arrived: dict[int, Chip] = {}
        self.ribbons: list[Ribbon] = []
        self._offer()
        self._ask()
        self._carry()
        self._everyone()
        self._first()
        self._knows()

    def _offer(self) -> None:
        """Every position has a value to give, and nothing received yet."""
        self.beat("offer")
        count = range(len(self.values.tokens))
        self.chips = [self._chip(k) for k in count]
        self.slots = VGroup(*(self._slot(k) for k in count))
        names = self.lanes.names
        self.play(FadeIn(self.lanes.heads), self.say.say(0), run_time=0.6)
        self.play(FadeIn(*self.chips, names["value"]), run_time=0.6)
        self.play(FadeIn(self.slots, names["received"]), run_time=0.5)

    def _ask(self) -> None:
        """One row of the pattern, as ribbons: thickness is attention."""
        self.beat("ask")
        m = EXAMPLE
        row = self.values.pattern[m, : m + 1]
        self.row_numbers = VGroup(*(self._attention(n, share) for n, share in enumerate(row)))
        frame = recolor(self.slots[m], self.theme.text_color("attention"), opacity=0)
        self.play(self.say.say(1), FadeIn(self.lanes.names["attention"]), frame, run_time=0.6)
        self.play(*(Create(r) for r in self._ribbons_of(m)), run_time=0.8)
        self.play(FadeIn(self.row_numbers), run_time=0.4)
        self.rest(self.notes[1][45:])

    def _carry(self) -> None:
        """The value travels along and fills the empty box."""
        self.beat("carry")
        m = EXAMPLE
        self.play(self.say.say(2), self._travel(m), run_time=1.3)
        self.play(FadeIn(self._share(m), self.lanes.names["share"]), run_time=0.4)
        self.wait(0.6)

    def _everyone(self) -> None:
        """All rows at once."""
        self.beat("everyone")
        rows = [m for m in range(1, len(self.chips)) if m != EXAMPLE]
        ribbons = [r for m in rows for r in self._ribbons_of(m)]
        grow = LaggedStart(*(Create(r) for r in ribbons), run_time=0.9)
        self.play(self.say.say(3), FadeOut(self.row_numbers, run_time=0.4), grow)
        travels = [self._travel(m) for m in rows]
        self.play(LaggedStart(*travels, lag_ratio=0.12, run_time=1.9))
        self.play(FadeIn(*(self._share(m) for m in rows)), run_time=0.4)

    def _first(self) -> None:
        """Row 0 has nothing before it."""
        self.beat("first")
        self.play(self.say.say(4), *(Create(r) for r in self._ribbons_of(0)), run_time=0.6)
        self.play(self._travel(0), run_time=0.9)
        self.play(FadeIn(self._share(0)), run_time=0.3)
        self.wait(0.6)

    def _knows(self) -> None:
        """What was received stands beside what was there."""
        self.beat("knows")
        m = EXAMPLE
        held = VGroup(self.lanes.labels[m], self.lanes.positions[m], self.arrived[m])
        side = min(0.12, (self.lanes.lane - float(self.chips[m].box.height)) / 2)
        buff = (0.12, 0.12) if self.lanes.down else (0.12, side)
        frame = SurroundingRectangle(held, color=self.theme.ink, buff=buff)
        handed_on = [self._dim(chip) for chip in self.chips]
        let_go = [recolor(ribbon, self.theme.hairline) for ribbon in self.ribbons]
        self.play(self.say.say(5), *handed_on, *let_go)
        self.play(Create(frame), run_time=0.8)
        self.rest(self.notes[5][60:])
        self.play(self.say.hush())

    def _dim(self, chip: Chip) -> AnimationGroup:
        return AnimationGroup(
            recolor(chip.box, self.theme.panel), recolor(chip.label, self.theme.muted)
        )

    def _chip(self, k: int) -> Chip:
        return Chip(self.values.tokens[k], self._box(k, "value"), size=self._size)

    def _lanes(self, region: Region) -> Lanes:
        """Lanes down the frame where a share fits into each, else across it."""
        tokens = self.values.tokens

        def lanes(box: float, attention: float, share: float, margin: float) -> Lanes:
            bands = [
                Band("value", box, "value"),
                Band("attention", attention, "attention"),
                Band("received", box, "received"),
                Band("share", share, "share"),
            ]
            return Lanes(tokens, region, bands, margin=margin)

        down = lanes(0.7, 2.4, 0.4, 0.0)
        self._size = min(28.0, (down.lane - 0.4) / self._widest)
        if down.down and down.lane > 0.86:
            return down
        lane = (region.height - 0.4) / len(tokens)
        self._size = max(MIN_SIZE, min(28.0, 1.05 / self._widest, 0.6 * lane / PX))
        box = self._size * self._widest + 0.34
        return lanes(box, max(0.6, region.width - 2 * box - 3.0), 0.85, region.width)

    @property
    def _widest(self) -> float:
        """The width of the widest word, for a size of 1."""
        return max(text_width(token, 1.0, "semibold") for token in self.values.tokens)

    def _box(self, k: int, band: str) -> Region:
        """A box for a token in a band of lane k."""
        box = self.lanes.box(k, self.lanes.spans[band])
        width = min(box.width, self._size * self._widest + 0.3)
        height = min(box.height - 0.06, self._size * PX * 1.9)
        return box.inset((box.width - width) / 2, (box.height - height) / 2)

    def _slot(self, k: int) -> RoundedRectangle:
        box = self._box(k, "received")
        shape = RoundedRectangle(width=box.width, height=box.height, corner_radius=0.08)
        shape.set_stroke(self.theme.hairline, 3).set_fill(self.theme.panel, 1)
        return shape.move_to(box.center)

    def _ribbons_of(self, m: int) -> list[Ribbon]:
        """The ribbons of row m that are thick enough to be seen."""
        seen = [n for n in range(m + 1) if self.values.pattern[m, n] > 1e-3]
        ribbons = [self._ribbon(m, n) for n in seen]
        self.ribbons += ribbons
        return ribbons

    def _ribbon(self, m: int, n: int) -> Ribbon:
        ends = self._end(n, "value"), self._end(m, "received")
        return Ribbon(*ends, self._heading, float(self.values.pattern[m, n]), width=0.2)

    def _end(self, k: int, band: str) -> NDArray[np.float64]:
        """The middle of the edge of a token's box that faces the ribbons."""
        box, side = self._box(k, band), 1 if band == "value" else -1
        half = box.height / 2 if self.lanes.down else box.width / 2
        return np.array(box.center + side * half * self._heading)

    @property
    def _heading(self) -> NDArray[np.float64]:
        """The direction in which lanes run."""
        return self.lanes.at(0, 1.0) - self.lanes.at(0, 0.0)

    def _attention(self, n: int, share: float) -> VGroup:
        """How much goes to position n, on a plate that covers the ribbon."""
        place = self._end(n, "value") + (0.34 if self.lanes.down else 0.5) * self._heading
        color = self.theme.text_color("attention")
        number = Number(share, ".1%", size=SMALL, weight="semibold", color=color)
        return plated(number, place)

    def _travel(self, m: int) -> Drive:
        n = max(m - 1, 0)
        chip = self.arrived[m] = self._chip(n)
        start, end = self._box(n, "value").center, self._box(m, "received").center
        return chip.travel(self._ribbon(m, n), start, end, float(self.values.shares[m]))

    def _share(self, m: int) -> Number:
        color = self.theme.text_color("value")
        number = Number(self.values.shares[m], ".1%", size=LABEL, color=color)
        return number.center_on(self.lanes.at(m, self.lanes.spans["share"].middle))


@dataclass(frozen=True, eq=False)
class Leak:
    """A head whose key takes in some of its token, and the strengths on the way there.

    `strengths` (S,) run from 0 to that of `torn`; `patterns` (S, T, T) and `masses` (S, T - 1)
    follow them.
    """

    tokens: tuple[str, ...]
    torn: TokenDependentKeyHead
    strengths: Floats
    patterns: Floats
    masses: Floats

    @classmethod
    def into(cls, head: PreviousTokenHead, tokens: tuple[str, ...], strength: float) -> Leak:
        indices = spread_over_vocabulary(tokens, len(LETTERS))
        torn = TokenDependentKeyHead(head, indices, strength)
        strengths = np.linspace(0.0, strength, STEPS + 1)  # (S,)
        patterns = patterns_by_strength(head, indices, strengths)  # (S, T, T)
        rows = head.target_rows  # (T - 1,)
        return cls(tokens, torn, strengths, patterns, patterns[:, rows, rows - 1])


class TokenDependentKey(Stage):
    """The key takes in some of its token, and the band tears row by row."""

    class Inputs(HeadInputs):
        strength: float = Field(
            0.1, ge=0.001, le=10.0, description="how much of the token's vector the key takes in"
        )

    title = "What if the key knew its token?"
    subtitle = "All keys were alike and only turned. Let some of the token in."
    caption = (
        "With {strength} of its token in every key, {n_torn} of {n_rows} rows look elsewhere; "
        "the worst keeps {worst_mass:.1%}."
    )
    notes = (
        "One key for all tokens: position alone decides.",
        "Now every key takes in some of its own token, $token(e_n)$.",
        "Scores depend on what stands there, {outcome}.",
        "{worst_story}",
    )

    inputs: Inputs
    values: Leak

    @classmethod
    def compute(cls, inputs: Inputs) -> Leak:
        if len(inputs.tokens) < 2:
            raise ValueError("text must have 2 words or more, so that one comes before another")
        return Leak.into(inputs.head(), inputs.tokens, inputs.strength)

    @classmethod
    def facts(cls, values: Leak) -> dict[str, Fact]:
        torn = values.torn
        worst, worst_mass = torn.worst_row, torn.worst_mass
        n_torn = len(torn.torn_rows)
        return {
            "n_tokens": len(values.tokens),
            "strength": torn.strength,
            "n_rows": len(torn.target_rows),
            "n_torn": n_torn,
            "worst_mass": worst_mass,
            "worst_row": worst,
            "worst_word": values.tokens[worst],
            "looks_at": int(torn.looks_at[worst]),
            "largest_loss": float(torn.losses.max()),
            "constant_worst_mass": torn.constant.worst_mass,
            "outcome": "and the band tears" if n_torn else "and the band still holds",
            "worst_story": _worst_story(values),
        }

    @classmethod
    def arrays(cls, values: Leak) -> dict[str, NDArray[np.float64]]:
        return {
            "positions": np.arange(len(values.tokens), dtype=float),
            "constant_pattern": values.patterns[0],
            "pattern": values.patterns[-1],
            "constant_masses": values.masses[0],
            "masses": values.masses[-1],
            "losses": values.torn.losses,
            "strengths": values.strengths,
        }

    def construct(self) -> None:
        facts = self.facts(self.values)
        self.say = Notes([fill(note, facts) for note in self.notes], self.canvas)
        self._draw(self.say.above)
        self._alike()
        self._leak()
        self._tear()
        self._worst()

    def _draw(self, region: Region) -> None:
        values: Leak = self.values
        rows = [int(m) for m in values.torn.target_rows]
        if region.width > 10.5:
            side, picture = region.columns(3.0, region.width - 3.4)
            self._write_beside(side)
        else:
            side, picture = region.cut_top(0.45, gap=0.25)
            self._write_above(side)
        bars = min(4.1, max(2.25, picture.width - picture.height - 1.9))
        left, right = picture.columns(picture.width - bars - 0.3, bars, gap=0.3)
        tallest = 2.3 if picture.height > 5 else 1.0
        self.head = TokenGrid(values.patterns[0], values.tokens, left, tallest=tallest)
        area, grid = self.head.area, self.head.grid
        start = area.right + 0.3
        self.bars = RowBars(self.head, rows, values.masses[0], start, right.right - start - 1.65)
        self.band = VGroup(*(grid.outline(m, m - 1, self.theme.muted, 2) for m in rows))
        self.kept = Label("token before", size=SMALL, color=self.theme.muted)
        self.kept.put(np.array([start, area.top + 0.14, 0.0]))
        red = self.theme.text_color("wrong")
        self.lost = Label("lost", size=SMALL, color=red, align="right")
        self.lost.put(np.array([right.right, area.top + 0.14, 0.0]))

    def _write_beside(self, region: Region) -> None:
        """The key before and after, its strength, and the count of torn rows, in a column."""
        torn = self.values.torn
        first, second, third = region.rows(1.0, 1.0, 1.2)
        self._write_keys(first)
        strength = Readout(
            "strength s of the token", 0.0, ".3f", second.point(0, 1), width=region.width
        )
        self.strength: VGroup = strength
        self.strength_number = strength.number
        self.torn_count = VGroup(
            Readout(
                "rows that look elsewhere",
                len(torn.torn_rows),
                "d",
                third.point(0, 1),
                width=region.width,
                suffix=f" of {len(torn.target_rows)}",
                color=self.theme.text_color("wrong"),
            )
        )

    def _write_above(self, region: Region) -> None:
        """The key before and after, and its strength, in a line."""
        first, second = region.columns(1.4, 1.0)
        self._write_keys(first)
        self.strength_number = Number(0.0, ".3f", size=28, weight="semibold", prefix="s = ")
        self.strength_number.center_on(second.center)
        self.strength = VGroup(self.strength_number)
        self.torn_count = VGroup()

    def _write_keys(self, region: Region) -> None:
        self.alike = Formula("key(k_n) = R_n key(c)", size=32)
        self.leaky = Formula("key(k_n) = R_n (key(c) + s thin token(e_n))", size=32)
        for formula in (self.alike, self.leaky):
            hang(formula.fit(region.width), region.point(0, 1))

    def _alike(self) -> None:
        """The band of the constant key is whole."""
        self.beat("alike")
        self.play(FadeIn(self.head), FadeIn(self.alike), self.say.say(0), run_time=0.8)
        self.play(FadeIn(self.bars, self.kept), Create(self.band), run_time=0.9)
        self.wait(0.8)

    def _leak(self) -> None:
        """The formula says what changes."""
        self.beat("leak")
        self.play(self.say.say(1), FadeOut(self.alike), FadeIn(self.leaky), run_time=0.8)
        self.play(FadeIn(self.strength), run_time=0.5)
        self.wait(0.9)

    def _tear(self) -> None:
        """Strength runs up from 0; the bars show what every row loses."""
        self.beat("tear")
        values: Leak = self.values
        grid, bars, strength = self.head.grid, self.bars, self.strength_number
        self.play(self.say.say(2), run_time=0.7)
        self.play(
            follow(grid, lambda s: grid.show(along(values.patterns, s)), 0, STEPS),
            follow(bars, lambda s: bars.show(along(values.masses, s)), 0, STEPS),
            follow(
                strength,
                lambda s: strength.set_value(float(along(values.strengths, s))),
                0,
                STEPS,
            ),
            run_time=4.0,
        )
        self.wait(0.6)

    def _worst(self) -> None:
        """Row by row, what was lost; and where the worst row looks instead."""
        self.beat("worst")
        torn = self.values.torn
        red = self.theme.text_color("wrong")
        numbers = self.bars.beside(torn.losses, ".1%", float(self.lost.get_right()[0]), red)
        self.play(FadeIn(self.lost, *numbers, *self.torn_count), run_time=0.6)
        self.wait(0.6)
        m, n = torn.worst_row, int(torn.looks_at[torn.worst_row])
        found = self.head.grid.outline(m, n, red, 5)
        others = [k for k in range(len(numbers)) if torn.target_rows[k] != m]
        dimmed = [
            recolor(part, self.theme.muted)
            for k in others
            for part in (numbers[k], self.bars.numbers[k])
        ]
        self.play(self.say.say(3), Create(found), *dimmed, run_time=0.8)
        self.rest(fill(self.notes[3], self.facts(self.values))[15:])
        self.play(self.say.hush())


def _worst_story(values: Leak) -> str:
    """Which row keeps least on its target, how much, and where it looks."""
    torn, tokens = values.torn, values.tokens
    m, n = torn.worst_row, int(torn.looks_at[torn.worst_row])
    kept = format_fact(torn.worst_mass, ".1%")
    if n == m - 1:
        return f"“{tokens[m]}” keeps least, {kept}, and still looks at “{tokens[n]}”."
    given = format_fact(float(torn.pattern[m, n]), ".1%")
    return f"“{tokens[m]}” keeps {kept} and gives {given} to “{tokens[n]}” at position {n}."


Steps = Annotated[tuple[Annotated[int, Field(ge=0, le=11)], ...], Field(min_length=1, max_length=4)]


@dataclass(frozen=True, eq=False)
class Walk:
    """A head whose query is turned back further and further, stopping at `stops`.

    `steps` (S,) are the turns on the way, in positions, and `patterns` (S, T, T) what they give;
    `arrivals` are the places in the series at which the stops are reached.
    """

    tokens: tuple[str, ...]
    heads: tuple[PreviousTokenHead, ...]
    steps: Floats
    patterns: Floats
    arrivals: Ints

    @classmethod
    def of(cls, inputs: HeadInputs, stops: tuple[int, ...]) -> Walk:
        heads = tuple(inputs.head(look_back=k) for k in stops)
        lengths = [abs(b - a) * STEPS for a, b in pairwise(stops)]
        pieces = [
            np.linspace(a, b, length + 1)[1:]
            for (a, b), length in zip(pairwise(stops), lengths, strict=True)
        ]
        steps = np.concatenate([[float(stops[0])], *pieces])  # (S,)
        arrivals = np.cumsum([0, *lengths])  # (n_stops,)
        patterns = heads[0].patterns_looking_back(steps)  # (S, T, T)
        for head, place in zip(heads, arrivals, strict=True):
            patterns[place] = head.pattern
        return cls(inputs.tokens, heads, steps, patterns, arrivals)

    @property
    def last(self) -> PreviousTokenHead:
        return self.heads[-1]


class LookBack(Stage):
    """The query is turned back by any number of steps, and the band moves down with it."""

    class Inputs(HeadInputs):
        look_backs: Steps = Field(
            (1, 2, 3), description="one to four numbers of steps to turn the query back by"
        )

    title = "Any number of steps back"
    subtitle = "What if the query is turned back further?"
    caption = (
        "Turn the query back k steps and each row looks k tokens back, with at least "
        "{worst_mass:.1%}. The first k rows have no such token."
    )

    inputs: Inputs
    values: Walk

    @classmethod
    def compute(cls, inputs: Inputs) -> Walk:
        stops = inputs.look_backs
        if any(a == b for a, b in pairwise(stops)):
            raise ValueError(f"look_backs must change from stop to stop, got {list(stops)}")
        if max(stops) >= len(inputs.tokens):
            raise ValueError(
                f"look_backs must stay below the {len(inputs.tokens)} words of the text, "
                f"got {max(stops)}"
            )
        return Walk.of(inputs, stops)

    @classmethod
    def facts(cls, values: Walk) -> dict[str, Fact]:
        last = values.last
        return {
            "n_tokens": len(values.tokens),
            "last_k": last.look_back,
            "worst_mass": min(head.worst_mass for head in values.heads),
            "last_worst_mass": last.worst_mass,
            "n_without_target": len(last.rows_without_target),
            "n_hands": last.d_head // 2,
            "n_shown": min(4, last.d_head // 2),
            "without_target": _without_target(values),
        }

    @classmethod
    def claims(cls, values: Walk) -> list[Claim]:
        return [
            Claim(
                f"every row that can looks {head.look_back} back",
                head.finds_target,
                f"rows {head.torn_rows.tolist()} look elsewhere",
            )
            for head in values.heads
        ]

    @classmethod
    def arrays(cls, values: Walk) -> dict[str, NDArray[np.float64]]:
        return {
            "positions": np.arange(len(values.tokens), dtype=float),
            "look_backs": np.array([head.look_back for head in values.heads], dtype=float),
            "patterns": values.patterns[values.arrivals],
            "worst_masses": np.array([head.worst_mass for head in values.heads]),
            "looks_at": np.array([head.looks_at for head in values.heads], dtype=float),
        }

    def construct(self) -> None:
        facts = self.facts(self.values)
        stories = [_stop_story(head.look_back) for head in self.values.heads]
        self.say = Notes([*stories, str(facts["without_target"])], self.canvas)
        self._draw(self.say.above)
        self._first_stop()
        for k in range(1, len(self.values.heads)):
            self._walk_to(k)
        self._no_target()

    def _draw(self, region: Region) -> None:
        values: Walk = self.values
        side, picture = self._cut(region)
        tallest = 1.5 if picture.height > 5 else 1.0
        self.head = TokenGrid(values.patterns[0], values.tokens, picture, tallest=tallest)
        formula, words, clocks, k, mass = self._cut_side(side)
        self.formula = Formula("query(q_m) = alpha R_(m - k) key(c)", size=32).fit(formula.width)
        hang(self.formula, formula.point(0, 1))
        self._draw_clocks(words, clocks, min(4, values.last.d_head // 2))
        self._draw_numbers(k, mass)

    def _cut(self, region: Region) -> tuple[Region, Region]:
        """Room for the query and its numbers, and room for the pattern."""
        if region.height > region.width:
            return region.cut_top(1.75, gap=0.25)
        if region.width > 8.5:
            side, picture = region.columns(1.15, 1.2)
        else:
            side, picture = region.columns(2.3, region.width - 2.6, gap=0.3)
        return side, picture

    def _cut_side(self, side: Region) -> tuple[Region, Region, Region, Region, Region]:
        """Room for the formula, words about the hands, the hands, k, and the mass."""
        if side.height < 2:
            top, below = side.rows(0.6, 1.0, gap=0.15)
            formula, k, mass = top.columns(1.0, 0.4, 0.75, gap=0.2)
            words, clocks = below.columns(1.0, 1.6)
        elif side.width > 4:
            formula, words, clocks, numbers = side.rows(0.6, 0.3, 1.6, 0.8, gap=0.2)
            k, mass = numbers.columns(1.0, 1.9, gap=0.2)
        else:
            formula, rest = side.cut_top(0.45, gap=0.1)
            words, rest = rest.cut_top(0.55, gap=0.1)
            mass, rest = rest.cut_bottom(0.95, gap=0.1)
            k, clocks = rest.cut_bottom(0.65, gap=0.1)
        return formula, words, clocks, k, mass

    def _draw_clocks(self, words: Region, clocks: Region, n_shown: int) -> None:
        n_hands = self.values.last.d_head // 2
        self.words = Paragraph(
            f"query, before position: {n_shown} of {n_hands} hands",
            width=words.width,
            size=SMALL,
            color=self.theme.text_color("query"),
        )
        hang(self.words, words.point(0, 1))
        self.clocks = ClockRow(n_shown, clocks, color=self.theme.query, most_radius=0.8)
        self.clocks.shift(np.array([clocks.left - self.clocks.get_left()[0], 0.0, 0.0]))
        self.angles = -self.values.steps[:, None] * self.values.last.theta[:n_shown]
        self.clocks.show(self.angles[0])

    def _draw_numbers(self, k: Region, mass: Region) -> None:
        head = self.values.heads[0]
        self.k = Readout("steps k", head.look_back, "", k.point(0, 1), width=k.width)
        self.mass = Readout(
            "worst row, to its target",
            head.worst_mass,
            ".1%",
            mass.point(0, 1),
            width=mass.width,
            color=self.theme.text_color("attention"),
        )

    def _first_stop(self) -> None:
        """The band of the first stop, and the hands of the query that make it."""
        self.beat("start")
        self.play(FadeIn(self.formula), FadeIn(self.k), self.say.say(0), run_time=0.8)
        self.play(FadeIn(self.words), FadeIn(self.clocks), FadeIn(self.head), run_time=0.8)
        self.play(FadeIn(self.mass), run_time=0.5)
        self.wait(1.0)

    def _walk_to(self, stop: int) -> None:
        """Further back, a step at a time: hands turn, and the band moves with them."""
        values: Walk = self.values
        head = values.heads[stop]
        self.beat(f"stop_{stop + 1}")
        self.play(self.say.say(stop), run_time=0.7)
        start, end = int(values.arrivals[stop - 1]), int(values.arrivals[stop])
        ends = np.linspace(start, end, abs(end - start) // STEPS + 1).astype(int)
        for a, b in pairwise(ends):
            self.play(*self._step(int(a), int(b)), run_time=1.3)
        self.play(count(self.mass.number, head.worst_mass, run_time=0.4))
        self.wait(0.7)

    def _step(self, start: int, end: int) -> list[Drive]:
        values: Walk = self.values
        grid, clocks, k = self.head.grid, self.clocks, self.k.number
        return [
            follow(grid, lambda s: grid.show(along(values.patterns, s)), start, end),
            follow(clocks, lambda s: clocks.show(along(self.angles, s)), start, end),
            follow(k, lambda s: k.set_value(_tenth(float(along(values.steps, s)))), start, end),
        ]

    def _no_target(self) -> None:
        """The first k rows have nothing k back; what they do instead."""
        self.beat("no_target")
        grid, rows = self.head.grid, self.values.last.rows_without_target
        fallback = [(int(m), int(self.values.last.looks_at[m])) for m in rows]
        frames = VGroup(*(grid.outline(*cell) for cell in fallback))
        self.play(self.say.say(len(self.values.heads)), run_time=0.7)
        if len(rows):
            remarks = [FadeIn(remark) for remark in self._nothing_there(len(rows))]
            self.play(Create(frames), *remarks, run_time=0.8)
        self.rest(_without_target(self.values)[10:])
        self.play(self.say.hush())

    def _nothing_there(self, count: int) -> list[VGroup]:
        """A remark in every row that has no target, where the masked cells leave room."""
        area, cell = self.head.area, self.head.grid.cell_width
        words = [Label("no target", size=SMALL, color=self.theme.muted) for _ in range(count)]
        x = area.left + (count + 0.25) * cell + words[0].width / 2 + 0.07
        if x + words[0].width / 2 + 0.07 > area.right:
            return []
        return [
            plated(label, np.array([x, self.head.grid.middle(m, 0)[1], 0.0]))
            for m, label in enumerate(words)
        ]


def _tenth(steps: float) -> float:
    """A turn that is under way, to one digit; a whole number of steps as it is."""
    return round(steps, 1)


def _stop_story(k: int) -> str:
    """What a number of steps does to the band."""
    if k == 0:
        return "Not turned back at all, every row looks at itself."
    steps = "step" if k == 1 else "steps"
    return f"Turned back {k} {steps}, row m looks at position m − {k}."


def _without_target(values: Walk) -> str:
    """What the rows do that have nothing as far back as they should look."""
    head = values.last
    k, rows = head.look_back, head.rows_without_target
    if not len(rows):
        return "Every row has itself to look at."
    found = np.unique(head.looks_at[rows])
    where = f"position {found[0]}" if len(found) == 1 else _listed("positions", found)
    if k == 1:
        return f"Row 0 has nothing before it and looks at {where}, itself."
    return f"Rows 0 to {k - 1} have no token {k} back and look at {where}."


def _listed(name: str, numbers: Ints) -> str:
    *first, last = (str(number) for number in numbers)
    return f"{name} {', '.join(first)} and {last}"
