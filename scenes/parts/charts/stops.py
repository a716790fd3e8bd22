"""What a sweep reads off on its way, and bars that compare an estimate with the truth."""

from __future__ import annotations

import numpy as np
from manim import Line, VGroup

from model.arrays import Floats
from model.sharpness import SharpnessByWidth
from scenes.facts import format_fact
from scenes.parts.charts.bars import Bars
from scenes.parts.placing import hang, under
from scenes.style.layout import Region
from scenes.style.motion import along
from scenes.style.text import Formula, Number, Paragraph
from scenes.style.theme import theme

SIZE = 24.0


class Stop(VGroup):
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
        self.alpha = Number(alpha, alpha_spec, size=SIZE, align="left", prefix="α = ")
        self.mass = Number(
            mass,
            ".2%" if color is None else ".0%",
            size=30,
            weight="semibold",
            color=ink,
            align="left",
        )
        self.alpha.put(region.point(0, 1) - np.array([0.0, 0.27, 0.0]))
        self.mass.put(region.point(0, 1) - np.array([0.0, 0.68, 0.0]))
        super().__init__(self.alpha, self.mass)

    def show(self, alphas: Floats, masses: Floats, place: float) -> None:
        """Read both off their series."""
        self.alpha.set_value(float(along(alphas, place)))
        self.mass.set_value(float(along(masses, place)))


def stop_cells(region: Region, count: int) -> tuple[list[Region], Region]:
    """A cell for every stop, in one row or in pairs, and what is left below them."""
    columns = count if region.width / count > 1.15 else 2
    rows = -(-count // columns)
    band, rest = region.cut_top(0.8 * rows, gap=0.2)
    cells = [
        cell
        for row in band.rows(*[1.0] * rows, gap=0.05)
        for cell in row.columns(*[1.0] * columns, gap=0.1)
    ]
    return cells[:count], rest


def decades(low: float, high: float) -> list[float]:
    """Powers of ten in a span, at most five of them."""
    powers = np.arange(np.ceil(np.log10(low) - 1e-9), np.log10(high))
    return [float(10.0**power) for power in powers[:: -(-len(powers) // 5)]]


class WidthKey:
    """What the bars are: a heading, the estimate and its formula, the truth."""

    def __init__(self, region: Region, mass: float, n_tokens: int) -> None:
        look = theme()
        width = region.width

        def words(text: str, size: float, color: str) -> Paragraph:
            return Paragraph(text, width=width, size=size, color=color)

        self.opening = words(
            f"The α that gives every row {format_fact(mass, '.0%')}, by width d of the head",
            26,
            look.ink,
        )
        counted = words("if only the two keys beside it competed:", SIZE, look.muted)
        formula = Formula("alpha approx (ln 198) / (f(0) - f(1))", size=36, color=look.muted)
        formula.fit(width)
        self.truth = words(
            f"with every key of {n_tokens} tokens",
            SIZE,
            look.ink,
        )
        hang(self.opening, region.point(0, 1))
        hang(counted, under(self.opening, 0.4))
        hang(formula, under(counted, 0.2))
        hang(self.truth, under(formula, 0.45))
        self.estimate = VGroup(counted, formula)


class Estimates(VGroup):
    """Marks in the bars where the estimate ends, where it falls short of the truth."""

    def __init__(self, bars: Bars, widths: SharpnessByWidth) -> None:
        ink = theme().ink_on(theme().ink)
        super().__init__()
        for k, (estimate, needed) in enumerate(zip(widths.estimates, widths.needed, strict=True)):
            if needed > 1.01 * estimate:
                end, half = bars.tip(k), np.array([bars.step * 0.36, 0.0, 0.0])
                number = Number(estimate, ".2f", size=SIZE, color=ink)
                number.put(end - np.array([0.0, 0.3, 0.0]))
                self.add(Line(end - half, end + half, stroke_color=ink, stroke_width=3), number)
