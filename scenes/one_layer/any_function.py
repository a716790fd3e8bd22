"""A smooth curve in more and more pieces, flat or slanted, and how fast the error falls."""

from __future__ import annotations

import numpy as np
from pydantic import Field

from clockhead.model.films.one_layer.any_function import CurveName, CurvePieces, curve_pieces
from clockhead.scenes.one_layer.lines import CornerLine
from clockhead.scenes.one_layer.page import BROAD, PALE, height_scale
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Dots, Trace
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.scale import Scale, decades
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import (
    CAPTION,
    Column,
    Handle,
    Row,
    Stage,
    StageInputs,
    Steps,
    beat,
    fit,
    wide_or_tall,
)
from clockhead.scenes.style.motion import FadeIn, FadeOut, together
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import Role

_CHART, _PLOT = (1.9, 1.7), (2.7, 1.9)
"""Smallest charts of the curve and of the errors, in units."""
_TICKS, _BESIDE = 7, 1.25
"""Largest number of ticks, and factor by which an axis extends beyond its outer values."""
_OVER, _UNDER = np.array([0.12, 0.16, 0.0]), np.array([-0.16, -0.18, 0.0])
"""Shifts from a point of a line to its name: up and right, or down and left."""
_EVEN = 0.2
"""Largest difference between the error's falls, in halvings, that still counts as constant."""
_BEFORE = np.array([-0.12, 0.0, 0.0])
"""Shift from the gap between both lines to its number."""


def _quarter_error(pieces: CurvePieces) -> str:
    soon = "" if np.ptp(np.diff(np.log2(pieces.slanted_errors))) < _EVEN else "soon "
    fall = f"Twice as many {soon}leave a quarter of the error, like 1/n²"
    return f"{fall}: their line is twice as steep."


class AnyFunction(Stage[CurvePieces]):
    """A smooth curve in flat pieces, with an error like 1/n, and in slanted ones, like 1/n^2."""

    class Inputs(StageInputs):
        """A curve, and the largest number of its pieces."""

        curve: CurveName = Field("fading wave", description="the smooth curve to approximate")
        n_doublings: int = Field(
            6, ge=4, le=8, description="number of doublings, starting with 4 pieces"
        )

    title = "Any curve, in enough pieces"
    question = "What if the function does not jump?"
    caption = (
        "On a bounded stretch, enough neurons bring one layer as close as you like to any unbroken "
        "curve."
    )
    opens = ("chart", "target")
    leaves = ("chart", "target")

    handles = (
        Handle("curve", ("bell", "arch", "ramp-up")),
        Handle("n_doublings", "4:8"),
    )

    compute = curve_pieces

    def layout(self) -> None:
        pieces = self.values
        low, high = float(pieces.curve.min()), float(pieces.curve.max())
        x = Scale(0, 1, (0, 0.5, 1), "g", name="x")
        self.chart = Chart(x, height_scale(low, high), least=_CHART)
        self.target = Trace(self["curve"], self.chart, x=self["x"], role="residual", stroke=BROAD)
        self.target.path.set_stroke(opacity=PALE)
        self.stairs_line = CornerLine(self["stairs"][0], self.chart, "position", drawn=0.0)
        self.slants = CornerLine(self["bends"][0], self.chart, drawn=0.0)
        self.worst = CornerLine(self["flat_worst"][0], self.chart, "wrong", stroke=6.0)
        least, counts = float(pieces.slanted_errors.min()), pieces.counts
        n = Scale(
            counts[0] / _BESIDE,
            counts[-1] * _BESIDE,
            tuple(counts[:: 1 if len(counts) <= _TICKS else 2].tolist()),
            "d",
            name=said("pieces"),
            log=True,
        )
        low = least / _BESIDE**2
        error = Scale(low, 1.0, decades(low, 1.0), name=said("largest error"), log=True)
        self.plot = Chart(n, error, least=_PLOT)
        self.flat, self.flat_dots = self._error_line("flat_errors", "position")
        self.slanted, self.slanted_dots = self._error_line("slanted_errors", "value")
        row, column = Row(self.chart, self.plot, weights=(1, 2)), Column(self.chart, self.plot)
        fit(self.canvas, wide_or_tall(row, column))
        self.gap = CornerLine(self["lead_line"], self.plot, "attention", stroke=3.0, drawn=0.0)
        self.gap.redraw()
        (x, high), (_, low) = pieces.lead_line.tolist()
        self.lead = Figure(self["lead"], ",.0f", color="attention", align="right", suffix=" ×")
        self.lead.put(self.plot.at(x, (high * low) ** 0.5) + _BEFORE)
        middle = (len(counts) - 1) // 2
        over = self.plot.at(counts[middle], pieces.flat_errors[middle]) + _OVER
        under = self.plot.at(counts[middle + 1], pieces.slanted_errors[middle + 1]) + _UNDER
        self.signs = [
            Label(said("flat: 1/n"), color="position").put(over),
            Label(said("slanted: 1/n²"), color="value", align="right").put(under),
        ]

    def _error_line(self, path: str, role: Role) -> tuple[Trace, Dots]:
        """A line and dots for the error at each number of pieces, invisible at first."""
        x = self["counts"]
        line = Trace(self[path], self.plot, x=x, role=role, stroke=3.0, drawn=0.0)
        return line, Dots(self[path], self.plot, x=x, role=role, standing=())

    @beat("Flat pieces are steps again, a sharp neuron for each jump. The largest error is red.")
    def stairs(self) -> Steps:
        line = self.stairs_line.draw_to(run_time=0.7 * self.reading)
        yield line, FadeIn(self.plot, run_time=0.6)
        yield FadeIn(self.worst, run_time=0.6)
        self.add(self.flat, self.flat_dots)
        yield self.flat_dots.appear(0)

    @beat("Twice as many pieces soon leave half the error, again and again: it falls like 1/n.")
    def halve(self) -> Steps:
        yield from self._double(self.stairs_line, "stairs", "flat")
        yield FadeIn(self.signs[0], run_time=0.4)

    @beat(
        "They miss only how the curve bends; flat ones miss its slope as well.",
        ask="And slanted pieces, which ReLUs draw?",
    )
    def slant(self) -> Steps:
        yield FadeOut(self.stairs_line, self.worst, run_time=0.5)
        yield 0.5 * self.slants.draw_to()
        self.worst.set_to(self["slanted_worst"][0])
        yield FadeIn(self.worst, run_time=0.5)
        self.add(self.slanted, self.slanted_dots)
        yield self.slanted_dots.appear(0)

    @beat(_quarter_error)
    def quarter(self) -> Steps:
        yield from self._double(self.slants, "bends", "slanted")
        yield FadeIn(self.signs[1], run_time=0.4)

    @beat(CAPTION)
    def end(self) -> Steps:
        """Show the gap between the two errors at the largest number of pieces."""
        yield self.gap.draw_to(run_time=0.5 * self.reading), FadeOut(self.worst, run_time=0.8)
        yield FadeIn(self.lead, run_time=0.6)

    def _double(self, pieces: CornerLine, path: str, kind: str) -> Steps:
        """Double the pieces repeatedly; once they are too fine to draw, only dots appear."""
        line, dots = getattr(self, kind), getattr(self, f"{kind}_dots")
        n, last = len(self.values.drawn_counts), len(self.values.counts) - 1
        for k in range(1, last + 1):
            moves = [line.draw_to(k / last), dots.appear(k)]
            if k < n:
                worst = self.worst.to(self[f"{kind}_worst"][k])
                moves = [pieces.to(self[path][k]), worst, *moves]
            yield 0.9 / last * together(moves)
