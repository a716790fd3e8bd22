"""Tokens as hands on one dial: evenly round it, and how attention spreads over them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Circle, Dot, VGroup, VMobject
from numpy.typing import ArrayLike

from scenes.parts.clocks.hands import steps, vectors
from scenes.parts.paths import straight
from scenes.style.layout import PX, Region
from scenes.style.text import Label
from scenes.style.theme import theme
from scenes.style.type import LABEL, MIN_SIZE

_NAMES = 0.34
"""Room for names outside the dial, in units."""


class TokenDial(VGroup):
    """A dial with a thin hand for each of `n_tokens`, the first at twelve, clockwise.

    `names` stand round it if there is room for all. `rays` run from the rim inwards, each as
    long as its share of attention: 1 reaches the middle. `asking` is the hand of the first
    token. A dial `fitted_to` another has its size.
    """

    def __init__(
        self,
        n_tokens: int,
        region: Region,
        *,
        names: Sequence[str] = (),
        fitted_to: TokenDial | None = None,
    ) -> None:
        super().__init__()
        look = theme()
        half = min(region.width, region.height) / 2
        size = min(LABEL, 2 * np.pi * (half - _NAMES) / n_tokens / PX * 0.8)
        self.radius = half - (1.7 * _NAMES if names and size >= MIN_SIZE else 0.1)
        if fitted_to is not None:
            self.radius = fitted_to.radius
        self.middle = region.center
        self._ends = steps(vectors(np.arange(n_tokens) * 2 * np.pi / n_tokens))  # (V, 3)
        self.dial = Circle(self.radius, stroke_color=look.hairline, stroke_width=2)
        self.dial.set_fill(look.panel, 1).move_to(self.middle)
        self.hands = self._hands(look.key)
        self.names = VGroup()
        if size >= MIN_SIZE:
            reach = self.radius + _NAMES
            self.names.add(
                *(
                    Label(name, size=size, color=look.ink).center_on(self.middle + reach * end)
                    for name, end in zip(names, self._ends, strict=False)
                )
            )
        self.rays = VMobject(stroke_color=look.attention, stroke_width=self._ray_width(n_tokens))
        self.asking = self._asking(look.query)
        self.show(np.zeros(n_tokens))

    def show(self, shares: ArrayLike) -> None:
        """Set the rays to shares of attention, one for each token."""
        lengths = np.asarray(shares, dtype=float)[:, None] * self.radius
        rim = self.middle + self.radius * self._ends
        self.rays.set_points(straight(rim, rim - lengths * self._ends))

    def _ray_width(self, n_tokens: int) -> float:
        return float(np.clip(100 * 2 * np.pi * self.radius / n_tokens * 0.45, 3.0, 24.0))

    def _hands(self, color: str) -> VGroup:
        starts = np.tile(self.middle, (len(self._ends), 1))
        lines = VMobject(stroke_color=color, stroke_width=1.2, stroke_opacity=0.35)
        lines.set_points(straight(starts, starts + self.radius * self._ends))
        tip = Dot(radius=0.04).points
        tips = VMobject(stroke_width=0, fill_color=color, fill_opacity=1)
        tips.set_points(np.concatenate([tip + self.middle + self.radius * e for e in self._ends]))
        return VGroup(lines, tips)

    def _asking(self, color: str) -> VGroup:
        start, end = self.middle, self.middle + self.radius * self._ends[0]
        line = VMobject(stroke_color=color, stroke_width=4)
        line.set_points(straight(start[None], end[None]))
        tip = Dot(end, radius=0.09, color=color)
        return VGroup(line, tip)
