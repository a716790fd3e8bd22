"""d_head/2 clock hands start together, and each turns at its own speed."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import DOWN, RIGHT, UP, Create, FadeIn, FadeOut, VGroup
from numpy.typing import NDArray
from pydantic import Field

from model.constant_key import constant_key
from model.rope import BASE, FULL_TURN, periods, rope_frequencies
from model.rotated_vector import RotatedVector
from scenes.facts import Fact
from scenes.parts.charts.plot import Plot
from scenes.parts.clocks.clock import ClockRow
from scenes.rope.common import ROOMY
from scenes.stage import EvenInt, Finding, Slide, StageInputs
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive
from scenes.style.text import Align, Formula, Label, Number
from scenes.style.type import LABEL, SMALL

_DEGREES = ",.2f"
_BESIDE = 1.5
"""Room for a number of degrees beside a dial, in units."""


class Frequencies(Slide):
    """d_head/2 clock hands start together, and each turns at its own speed."""

    class Inputs(StageInputs):
        d_head: EvenInt = Field(
            16, ge=4, le=256, description="width of the head; d_head/2 clock hands"
        )
        base: float = Field(BASE, ge=10, le=1e7, description="how far apart the hands' speeds are")
        m: int = Field(24, ge=4, le=1000, description="the position up to which the hands turn")

    title = "Every hand turns at its own speed"
    question = (
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
    values: RotatedVector

    @classmethod
    def compute(cls, inputs: Inputs) -> RotatedVector:
        frequencies = tuple(rope_frequencies(inputs.d_head, inputs.base).tolist())
        return RotatedVector(tuple(constant_key(inputs.d_head).tolist()), inputs.m, frequencies)

    @classmethod
    def facts(cls, values: RotatedVector) -> dict[str, Fact]:
        full = periods(values.frequencies)
        return {
            "d_head": len(values.vector),
            "n_hands": len(values.frequencies),
            "m": values.m,
            "fastest_period": float(full[0]),
            "slowest_period": float(full[-1]),
            "first_degrees": float(np.rad2deg(values.frequencies[0])),
            "last_degrees": float(np.rad2deg(values.frequencies[-1])),
            "first_turns": float(values.phases[0] / FULL_TURN),
            "last_turns": float(values.phases[-1] / FULL_TURN),
            "factor": float(full[1] / full[0]),
        }

    @classmethod
    def checks(cls, values: RotatedVector) -> list[Finding]:
        full = periods(values.frequencies)
        factors = full[1:] / full[:-1]
        return [
            Finding(
                "all hands start together",
                float(np.ptp(values.start_angles)) == 0,
                f"{np.ptp(values.start_angles):.3g} rad apart",
            ),
            Finding(
                "every hand is slower than the one before, by one factor",
                bool((factors > 1).all() and np.allclose(factors, factors[0], rtol=1e-9)),
                f"factors from {factors.min():.6g} to {factors.max():.6g}",
            ),
        ]

    @classmethod
    def arrays(cls, values: RotatedVector) -> dict[str, NDArray[Any]]:
        return {
            "thetas": np.array(values.frequencies),
            "periods": periods(values.frequencies),
            "turns_along": values.phases_along,
            "degrees_along": np.rad2deg(values.phases_along),
            "positions": np.arange(values.m + 1),
            "hands": np.arange(len(values.frequencies) + 1),
        }

    def construct(self) -> None:
        self.known = self.facts(self.values)
        self.frequencies = np.array(self.values.frequencies)
        self.full = periods(self.values.frequencies)
        self._together()
        self._one_step()
        self._run()
        self._schedule()

    def _together(self) -> None:
        """Every pair is a hand, and at position 0 they all stand upright."""
        self.beat("together")
        head, below = self.canvas.cut_top(0.42, 0.2)
        self._lay_dials(below, 16 if self.canvas.width > ROOMY else 8)
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
        if len(self.shown) < len(self.frequencies):
            some = Label(
                f"{len(self.shown)} of {len(self.frequencies)} hands",
                size=SMALL,
                color=self.theme.muted,
                align="right",
            )
            self.header.add(some.put(head.point(1, 0) + UP * 0.08))
        self.play(
            FadeIn(self.row), FadeIn(self.degrees), FadeIn(self.header), self.say(0), run_time=0.8
        )
        self.wait(1.2)

    def _lay_dials(self, region: Region, most: int) -> None:
        """Dials, and how far each has turned: beside it where there is room, else under it."""
        n_hands = len(self.frequencies)
        self.row = ClockRow(n_hands, region, most=most, most_radius=1.3)
        heights = np.array([clock.middle[1] for clock in self.row.clocks])
        step = region.width / int(np.isclose(heights, heights[0]).sum())
        radius = min(self.row.radius, (step - _BESIDE) / 2)
        if radius >= 0.8 * self.row.radius:
            self.degrees = self._degrees_beside(region, step, radius)
            return
        self.row = ClockRow(n_hands, region, most=most, most_radius=1.3, numbers=_DEGREES)
        self.degrees = VGroup(
            *(self._turned(SMALL, "center").put(label.anchor) for label in self.row.labels)
        )
        self.row.remove(*self.row.labels)

    def _degrees_beside(self, region: Region, step: float, radius: float) -> VGroup:
        """Spread the dials over the width, each with its number at its right."""
        columns, numbers = round(region.width / step), VGroup()
        for k, clock in enumerate(self.row.clocks):
            x = region.left + (k % columns) * step + radius
            clock.fit(np.array([x, clock.middle[1], 0.0]), radius)
            number = self._turned(24.0, "left")
            numbers.add(number.put(clock.middle + np.array([radius + 0.15, -0.08, 0.0])))
        return numbers

    def _turned(self, size: float, align: Align) -> Number:
        color = self.theme.text_color("position")
        return Number(0.0, _DEGREES, size=size, color=color, align=align, suffix="°")

    def _one_step(self) -> None:
        """One position turns the first hand a good way and the last hardly at all."""
        self.beat("one step")
        self.play(self._go(0, 1), self.say(1))
        self.wait(2.2)

    def _run(self) -> None:
        """The fast hands go round and round; the slow ones set off."""
        self.beat("run")
        for position in (1, 2):
            self.play(self._go(position, position + 1, run_time=0.5))
        self.play(self._go(3, self.values.m, run_time=3.2), self.say(2))
        self.wait(2.0)

    def _go(self, start: int, end: int, run_time: float = 0.8) -> Drive:
        speeds = self.frequencies[self.shown]

        def show(position: NDArray[np.float64]) -> None:
            self.row.show(float(position) * speeds)
            self.counter.set_value(int(position))
            turned = np.rad2deg(float(position) * speeds)
            for number, degrees in zip(self.degrees, turned, strict=True):
                number.set_value(float(degrees))

        return Drive(
            VGroup(self.row, self.degrees, self.counter), show, start, end, run_time=run_time
        )

    def _schedule(self) -> None:
        """The speeds fall evenly on a logarithmic scale."""
        self.beat("schedule")
        plot = self._plot()
        self.play(
            FadeOut(VGroup(self.header, self.degrees), run_time=0.5),
            self._line_up(plot),
            FadeIn(plot),
            self.say(3),
        )
        dots = VGroup(*(plot.dot(k, self.full[k], self.theme.position, 0.09) for k in self.shown))
        hands = np.arange(len(self.full))
        self.play(
            Create(plot.curve(hands, self.full, self.theme.position)),
            FadeIn(dots, lag_ratio=0.2),
            run_time=1.4,
        )
        self.play(FadeIn(self._periods(plot)), run_time=0.6)
        self.wait(1.6)

    def _plot(self) -> Plot:
        area = self.canvas
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
            size=LABEL,
        )
        hand = Label("hand i", color=self.theme.muted)
        level = plot.area.bottom - LABEL * PX * 1.15
        return plot.add(hand.put(np.array([below.left, level, 0.0])))

    def _line_up(self, plot: Plot) -> Drive:
        """Every dial goes to stand over its own dot."""
        clocks = self.row.clocks
        start = np.array([[*clock.middle[:2], clock.radius] for clock in clocks])
        y = self.canvas.top - self.radius
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
        words = Label("angle of a step, in radians", color=self.theme.muted, align="right")
        words.put(formula.get_corner(UP + RIGHT) + UP * 0.14)
        return VGroup(fastest, slowest, formula, words)
