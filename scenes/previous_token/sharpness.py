"""Alpha rises and the band sharpens; what 99 % costs, against the width of the head."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

import numpy as np
from manim import Create, DashedLine, FadeIn, FadeOut, Line, Rectangle, VGroup
from numpy.typing import NDArray
from pydantic import AfterValidator, Field

from model.arrays import Floats, Ints
from model.previous_token import PreviousTokenHead
from model.sharpness import SharpnessByWidth, sharpness_by_width
from scenes.facts import Fact
from scenes.parts.charts.bars import Bars
from scenes.parts.charts.plot import Plot, Trace
from scenes.parts.charts.stops import Estimates, Stop, WidthKey, decades, stop_cells
from scenes.parts.matrices.pattern import PatternMap
from scenes.parts.placing import hang
from scenes.previous_token.common import STEPS
from scenes.stage import EvenInt, Finding, Slide, StageInputs
from scenes.style.layout import Region
from scenes.style.motion import Drive, along, follow, recolor
from scenes.style.text import Label, Paragraph
from scenes.style.type import LABEL

MASS = 0.99
"""What counts as sharp: every row gives this much to the token before it."""


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


class Sharpness(Slide):
    """Alpha rises and the band sharpens; what 99 % costs, against the width of the head."""

    class Inputs(StageInputs):
        n_tokens: int = Field(32, ge=3, le=64, description="length of the text, in tokens")
        d_head: EvenInt = Field(
            32, ge=2, le=256, description="width of the head; d_head/2 clock hands"
        )
        alphas: Alphas = Field(
            (1.0, 4.0, 10.0), description="one to three rising scales of the scores to stop at"
        )

    title = "How sharp is the band?"
    question = "Before the softmax, every score is multiplied by α. How large must α be?"
    caption = (
        "For {mass:.0%} in every row, a head of width {d_head} needs α ≈ {alpha_99:.3f}; "
        "wider heads need less."
    )
    notes = (
        "A small α spreads the attention.",
        "As α grows, each row settles on the token before it.",
        "At α ≈ {alpha_99:.3f}, even the last row gives it {mass:.0%}.",
        "Wider heads need less α: their scores differ more.",
        "{rivals}",
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
            "rivals": _rivals_story(widths),
            "widest_needs": float(widths.needed[-1]),
        }

    @classmethod
    def checks(cls, values: Sweep) -> list[Finding]:
        needed = values.by_width.needed
        return [
            Finding(
                "the worst mass rises with alpha",
                bool((np.diff(values.worst) >= 0).all()),
                f"steps down to {np.diff(values.worst).min():.3g}",
            ),
            Finding(
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
        left, right = self.canvas.beside(*weights, gap=0.6)
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
        self._reading = Label("row: query q, column: key k", size=LABEL, color=self.theme.muted)
        self._reading.put(corner + np.array([0.0, 0.16, 0.0]))
        self._worst_name = Label("hardest: the last row", size=LABEL, color=self.theme.ink)
        self._worst_name.put(corner - np.array([0.0, side + 0.32, 0.0]))
        self._frame = Rectangle(width=side, height=side, stroke_width=1.5)
        self._frame.set_stroke(self.theme.hairline).move_to(room.center)
        self._worst_row = Rectangle(width=side + 0.08, height=cell + 0.08, stroke_width=3)
        self._worst_row.set_stroke(self.theme.ink)
        self._worst_row.move_to(corner + np.array([side / 2, cell / 2 - side, 0.0]))

    def _draw_plot(self, region: Region) -> None:
        values: Sweep = self.values
        self._meaning = Paragraph(
            "what the last row gives the token before it, as α grows",
            width=region.width,
            size=LABEL,
            color=self.theme.muted,
        )
        hang(self._meaning, region.point(0, 1))
        _, below = region.cut_top(self._meaning.height, gap=0.15)
        self._cells, room = stop_cells(below, len(values.arrivals) + 1)
        span = (float(values.alphas[0]), float(values.alphas[-1]))
        self._plot = Plot(
            room,
            x=span,
            y=(0.0, 1.0),
            x_ticks=decades(*span),
            y_ticks=(0.0, 0.5, MASS),
            y_spec=".0%",
            x_name="α",
            log_x=True,
            size=LABEL,
        )
        points = [self._plot.at(*pair) for pair in zip(values.alphas, values.worst, strict=True)]
        self._trace = Trace(points, self.theme.text_color("attention"), 5)

    def _question(self) -> None:
        """With a small alpha every row spreads its attention over all it can see."""
        self.beat("question")
        self._map.show(self._patterns[0])
        self.play(FadeIn(self._frame, self._map, self._reading), self.say(0), run_time=0.8)
        self.play(Create(self._worst_row), FadeIn(self._worst_name), run_time=0.6)
        self.play(FadeIn(self._plot), FadeIn(self._meaning), run_time=0.6)
        self.let_read(least=0.2)

    def _sweep(self) -> None:
        """Alpha rises from stop to stop: the band sharpens, and the curve says how much."""
        values: Sweep = self.values
        self.beat("sweep")
        self._marks = VGroup()
        self._stops: list[Stop] = []
        self.play(self.say(1))
        start = 0
        for cell, arrival in zip(self._cells, values.arrivals, strict=False):
            stop = Stop(cell, values.alphas[start], values.worst[start])
            self.play(FadeIn(stop), *self._dim_stops(), run_time=0.4)
            self._run_to(stop, start, int(arrival))
            self._stops.append(stop)
            start = int(arrival)

    def _dim_stops(self) -> list[Drive]:
        return [recolor(stop, self.theme.muted, run_time=0.4) for stop in self._stops[-1:]]

    def _run_to(self, stop: Stop, start: int, end: int) -> None:
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
            self.say(2),
            Create(level),
            follow(self._trace, self._trace.show, start, end, run_time=0.8),
            *self._dim_stops(),
        )
        needed = Stop(self._cells[-1], values.alpha_99, MASS, color=ink, alpha_spec=".3f")
        self.play(Create(drop), FadeIn(plot.dot(values.alpha_99, MASS, ink, 0.09)), run_time=0.5)
        self.play(FadeIn(needed), run_time=0.5)
        self.let_read(least=0.4)

    def _widths(self) -> None:
        """Wider heads have more hands, a larger gap, and need less alpha."""
        self.beat("widths")
        said_below = self.canvas.bottom
        pictures = [part for part in self.mobjects[1:] if part.get_top()[1] > said_below]
        self.play(FadeOut(*pictures), run_time=0.6)
        widths: SharpnessByWidth = self.values.by_width
        left, right = self.canvas.beside(*((3.9, 8.2) if self.canvas.wide else (1.0, 2.2)))
        self._key = WidthKey(left, MASS, self.values.head.n_tokens)
        self._bars = Bars(
            np.zeros(len(widths.d_heads)),
            right,
            high=float(widths.needed.max()),
            color=self.theme.muted,
            names=[f"d = {d}" for d in widths.d_heads],
            spec=".2f",
            most_width=1.4,
            size=24.0,
        )
        self.play(FadeIn(self._key.opening), FadeIn(self._bars), self.say(3), run_time=0.6)
        self.play(FadeIn(self._key.estimate), self._bars.to(widths.estimates, run_time=1.4))
        self.let_read(least=0.4)

    def _rivals(self) -> None:
        """In narrow heads other offsets rival the neighbours, and the truth is dearer."""
        self.beat("rivals")
        widths: SharpnessByWidth = self.values.by_width
        before = Estimates(self._bars, widths)
        self.play(
            self.say(4),
            FadeIn(self._key.truth),
            *(recolor(bar, self.theme.ink) for bar in self._bars.bars),
        )
        self.play(self._bars.to(widths.needed, run_time=1.4), FadeIn(before, run_time=1.4))
        self.let_read(least=0.5)


def _rivals_story(widths: SharpnessByWidth) -> str:
    """Whether keys other than the two neighbours matter to the narrowest head."""
    if widths.needed[0] < 1.01 * widths.estimates[0]:
        return "In so short a text, no other key competes."
    return "In narrow heads, keys further off compete too."
