"""What a match of low rank achieves and what it costs: a chart of ranks, and a table of betas."""

from __future__ import annotations

import numpy as np
from manim import DOWN, RIGHT, Animation, Dot, FadeIn, Line, VGroup
from numpy.typing import NDArray

from model.match_codes import Sharpening
from model.match_quality import RankCurve
from scenes.facts import format_fact
from scenes.parts.charts.plot import Plot, Trace
from scenes.style.layout import Region
from scenes.style.motion import Drive, along, count, follow
from scenes.style.text import Formula, Label, Number
from scenes.style.theme import theme
from scenes.style.type import LABEL

_BIG = 34.0
_WORDS = 24.0


class RankChart(VGroup):
    """Accuracy and mass against the rank, growing together, and what they are at the tip.

    `name` stands over the chart.
    """

    def __init__(self, curve: RankCurve, name: str, region: Region) -> None:
        super().__init__()
        look = theme()
        self.curve = curve
        self.plot = self._axes(region, name)
        colors = look.value, look.attention
        paths = self._path(curve.accuracy), self._path(curve.mass)
        self.traces = [Trace(p, color, 6) for p, color in zip(paths, colors, strict=True)]
        self.tips = [Dot(p[0], radius=0.1, color=c) for p, c in zip(paths, colors, strict=True)]
        self.reading = self._reading()
        self.curves = VGroup(*self.traces, *self.tips, *self.reading)
        self.add(self.plot, self.curves)
        self.show(0.0)

    def show(self, place: float) -> None:
        """Grow to a place among the ranks; halves lie between two of them."""
        for trace, tip in zip(self.traces, self.tips, strict=True):
            trace.show(place)
            tip.move_to(trace.tip)
        self.rank.set_value(float(along(self.curve.ranks.astype(float), place)))
        self.accuracy.set_value(float(along(self.curve.accuracy, place)))
        self.mass.set_value(float(along(self.curve.mass, place)))

    def grow(self, start: int, end: int, run_time: float = 1.0) -> Drive:
        """From one rank of the curve to another."""
        return follow(self.curves, self.show, start, end, run_time=run_time)

    def _axes(self, region: Region, name: str) -> Plot:
        ranks = self.curve.ranks.tolist()
        ticks = ranks if region.width >= 8 else [r for r in ranks if r & (r - 1) == 0]
        return Plot(
            region.inset(0.1, 0.0),
            x=(0.88, 1.12 * ranks[-1]),
            y=(0.0, 1.06),
            x_ticks=ticks,
            y_ticks=[0.0, 0.25, 0.5, 0.75, 1.0],
            x_spec="d",
            y_spec=".0%",
            x_name="rank r of the match",
            y_name=name,
            log_x=True,
            size=LABEL,
        )

    def _path(self, series: NDArray[np.float64]) -> NDArray[np.float64]:
        pairs = zip(self.curve.ranks, series, strict=True)
        return np.array([self.plot.at(float(x), float(y)) for x, y in pairs])

    def _reading(self) -> VGroup:
        """The rank that is reached and its two numbers, under the curves on the right."""
        look = theme()
        words = ("predicted right", "attention on answer")
        colors = look.text_color("value"), look.text_color("attention")
        specs, starts = (".0%", ".0%"), (self.curve.accuracy[0], self.curve.mass[0])
        area = self.plot.area
        labels = [Label(w, size=_WORDS, color=c) for w, c in zip(words, colors, strict=True)]
        left = area.right - max(label.width for label in labels) - 0.1
        group = VGroup()
        numbers = []
        for line, (label, color) in enumerate(zip(labels, colors, strict=True)):
            at = np.array([left, area.bottom + 0.3 + 0.55 * (1 - line), 0.0])
            number = Number(
                float(starts[line]),
                specs[line],
                size=_BIG,
                weight="semibold",
                color=color,
                align="right",
            )
            numbers.append(number)
            group.add(label.put(at), number.put(at - np.array([0.18, 0.0, 0.0])))
        self.accuracy, self.mass = numbers
        at = np.array([left, area.bottom + 1.45, 0.0])
        self.rank = Number(
            1.0, ".0f", size=_WORDS, weight="semibold", prefix="rank ", align="left"
        ).put(at)
        return group.add(self.rank)


class Prices(VGroup):
    """A reading of beta and of a token's own share, and a table of what a share of `mass` costs.

    `rows` are a rank, a number of tokens, and the beta that they need.
    """

    def __init__(
        self,
        region: Region,
        rows: list[tuple[int, int, float]],
        mass: float,
        *,
        beta: float,
        own: float,
    ) -> None:
        super().__init__()
        look = theme()
        head, rest = region.cut_top(0.6, 0.1)
        self.formula = Formula('"score" = beta cos(query(phi_m) - key(phi_n))', size=36)
        self.formula.fit(region.width)
        self.formula.move_to(head.point(0, 0.5), aligned_edge=-RIGHT)
        reading, table = rest.cut_top(1.1, 0.1)
        self.beta = Number(
            beta, ",.0f", size=_BIG, weight="semibold", prefix="β = ", align="left"
        ).put(reading.point(0, 1) + 0.4 * DOWN)
        self.own = Number(
            own,
            ".1%",
            size=_BIG,
            weight="semibold",
            color=look.text_color("attention"),
            suffix=" on itself",
            align="left",
        ).put(reading.point(0, 1) + 0.95 * DOWN)
        self.reading = VGroup(self.beta, self.own)
        self._table = table
        self._size = 28.0 if region.width > 4.5 else _WORDS
        roomy = self._size > _WORDS
        self._columns = [0.7, 2.3, 4.4] if roomy else [0.5, 1.55, region.width - 0.1]
        self._step = 0.5 if roomy else 0.43
        self.heading = self._heading(mass)
        self.rows = [self._row(k, *row) for k, row in enumerate(rows)]

    def show(self, sharpening: Sharpening, place: float) -> None:
        """Read beta and the own share off their series."""
        self.beta.set_value(float(along(sharpening.betas, place)))
        self.own.set_value(float(along(sharpening.own, place)))

    def fall(self, sharpening: Sharpening, run_time: float = 0.8) -> Drive:
        """Let the own share fall to where another dial begins."""
        return count(self.own, float(sharpening.own[0]), run_time=run_time)

    def keep(self, k: int) -> Animation:
        """Write row `k` of the table."""
        return FadeIn(self.rows[k], run_time=0.5)

    def _at(self, column: int, level: float) -> NDArray[np.float64]:
        x = self._table.left + self._columns[column]
        return np.array([x, self._table.top - level, 0.0])

    def _heading(self, mass: float) -> VGroup:
        look, price = theme(), f"β for {format_fact(mass, '.0%')}"
        words = [
            Label(text, size=self._size - 4, color=look.muted, align="right").put(self._at(k, 0.3))
            for k, text in enumerate(("rank", "tokens", price))
        ]
        level = self._at(0, 0.44)[1]
        right = float(self._at(2, 0)[0])
        rule = Line((self._table.left, level, 0), (right, level, 0)).set_stroke(look.muted, 2)
        return VGroup(*words, rule)

    def _row(self, k: int, rank: int, tokens: int, beta: float) -> VGroup:
        level, size = 0.44 + self._step * (k + 0.95), self._size
        spec = ",.1f" if beta < 10 else ",.0f"
        return VGroup(
            Number(rank, "d", size=size, align="right").put(self._at(0, level)),
            Number(tokens, "d", size=size, align="right").put(self._at(1, level)),
            Number(beta, spec, size=size, weight="semibold", align="right").put(self._at(2, level)),
        )
