"""How often narrower random embeddings answer as one-hot tokens do, over their width."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Animation, AnimationGroup, Create, FadeIn, VGroup
from numpy.typing import ArrayLike

from scenes.parts.charts.plot import Plot
from scenes.style.layout import Region
from scenes.style.text import Label, Number
from scenes.style.theme import theme
from scenes.style.type import LABEL

_SIZE = 26.0


class WidthChart(VGroup):
    """A curve of shares over widths (n,), counted in dimensions; the axes are shown at once.

    `grow` draws the curve. `marks` are the width `fewer` with its share, the width `enough` from
    which on all is kept, and one that is `chosen` with care, whose share is `chosen_share`.
    """

    def __init__(
        self,
        widths: Sequence[int],
        shares: ArrayLike,
        region: Region,
        *,
        name: str,
        fewer: int,
        enough: int,
        chosen: tuple[int, float],
    ) -> None:
        super().__init__()
        self.shares = dict(zip(widths, np.asarray(shares, dtype=float).tolist(), strict=True))
        self.plot = Plot(
            region,
            x=(0.0, widths[-1] + 0.5),
            y=(0.0, 1.08),
            x_ticks=[1, *range(5, widths[-1], 5)],
            y_ticks=[0.0, 0.25, 0.5, 0.75, 1.0],
            x_spec="d",
            y_spec=".0%",
            x_name="dimensions",
            y_name=name,
            size=LABEL,
        )
        color = theme().attention
        self.curve = self.plot.curve(widths, list(self.shares.values()), color, 3)
        self.dots = VGroup(*(self.plot.dot(d, s, color, 0.075) for d, s in self.shares.items()))
        self.marks = VGroup(
            self._lost(fewer), self._kept(enough, widths[-1]), self._careful(*chosen)
        )
        self.add(self.plot)

    def grow(self, run_time: float = 1.8) -> Animation:
        """Draw the curve from the narrowest to the widest."""
        dots = FadeIn(self.dots, lag_ratio=0.2)
        return AnimationGroup(Create(self.curve), dots, run_time=run_time)

    def _lost(self, width: int) -> VGroup:
        """What is left with too few dimensions, at the lower right of the curve."""
        share, ink = self.shares[width], theme().text_color("attention")
        spot = self.plot.at(width, share)
        number = Number(
            share, ".0%", suffix=" with ", size=_SIZE, weight="semibold", color=ink, align="left"
        ).put(spot + np.array([0.25, -0.45, 0.0]))
        count = Number(width, "d", size=_SIZE, weight="semibold", color=ink, align="left")
        count.put(number.get_right() * [1, 0, 0] + number.anchor * [0, 1, 0] + [0.1, 0.0, 0.0])
        return VGroup(self.plot.dot(width, share, theme().attention, 0.13), number, count)

    def _kept(self, width: int, last: int) -> VGroup:
        """From how many dimensions on nothing is lost, under the end of the curve."""
        ink = theme().text_color("attention")
        words = Number(
            width,
            "d",
            prefix="all with ",
            size=_SIZE,
            weight="semibold",
            color=ink,
            align="right",
        )
        start = self.plot.at(last, 0.0)[0] - words.width
        over = [s for d, s in self.shares.items() if self.plot.at(d + 1, s)[0] > start]
        words.put(self.plot.at(last, min(over)) + np.array([0.0, -0.5, 0.0]))
        return VGroup(self.plot.dot(width, self.shares[width], theme().attention, 0.13), words)

    def _careful(self, width: int, share: float) -> VGroup:
        """A narrower embedding that is not random, over the curve."""
        look = theme()
        words = Label(
            "chosen with care", size=24, color=look.text_color("value"), align="right"
        ).put(self.plot.at(width, share) + np.array([-0.25, -0.08, 0.0]))
        return VGroup(self.plot.dot(width, share, look.value, 0.13), words)
