"""Attention as ribbons between lanes, and values that travel along them."""

from __future__ import annotations

import numpy as np
from manim import RoundedRectangle, VGroup, VMobject, bezier
from numpy.typing import NDArray

from scenes.style.layout import Region
from scenes.style.motion import Drive
from scenes.style.text import Label
from scenes.style.theme import mix, theme
from scenes.style.type import LABEL

Point = NDArray[np.float64]


class Ribbon(VMobject):
    """A band as wide as its share of attention, from who attends to what is attended to.

    `heading` is the direction in which values run, and both ends point along it.
    """

    def __init__(
        self, source: Point, target: Point, heading: Point, share: float, *, width: float
    ) -> None:
        super().__init__(stroke_color=theme().attention, stroke_width=100 * width * share)
        reach = 0.55 * float(abs((target - source) @ heading)) * heading
        self.curve = [source, source + reach, target - reach, target]
        self.set_points([*reversed(self.curve)])

    def at(self, share: float) -> Point:
        """The point `share` of the way along which a value comes."""
        return np.array(bezier(np.array(self.curve))(share))


class Chip(VGroup):
    """A value: a box in the value's colour with its token in it, paler for a smaller share."""

    def __init__(self, token: str, box: Region, *, size: float = LABEL) -> None:
        self.box = RoundedRectangle(
            width=box.width, height=box.height, corner_radius=0.08, stroke_width=0
        ).move_to(box.center)
        self.label = Label(token, size=size, weight="semibold").center_on(box.center)
        super().__init__(self.box, self.label)
        self.show(1.0)

    @property
    def middle(self) -> Point:
        return np.array(self.box.get_center())

    def show(self, share: float) -> None:
        """Fill the box as far as `share` says."""
        fill = mix(theme().panel, theme().value, share)
        self.box.set_fill(fill, 1)
        self.label.set_fill(theme().ink_on(fill))

    def travel(
        self, ribbon: Ribbon, start: Point, end: Point, share: float, *, run_time: float = 1.2
    ) -> Drive:
        """From `start` along a ribbon to `end`, where only `share` of it arrives."""

        def show(place: NDArray[np.float64]) -> None:
            self.shift(_stop(float(place), ribbon, start, end) - self.middle)
            self.show(1 + (share - 1) * max(0.0, float(place) - 0.75) * 4)

        return Drive(self, show, 0.0, 1.0, run_time=run_time)


def _stop(place: float, ribbon: Ribbon, start: Point, end: Point) -> Point:
    """First to the ribbon, then along it, then to the end: a fifth of the way for each join."""
    if place < 0.2:
        return start + (ribbon.at(0.0) - start) * place / 0.2
    if place > 0.8:
        return end + (ribbon.at(1.0) - end) * (1 - place) / 0.2
    return ribbon.at((place - 0.2) / 0.6)
