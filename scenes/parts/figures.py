"""Numbers that know where they come from: a figure by itself, and a readout with its words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import DOWN, LEFT, UP
from numpy.typing import NDArray

from clockhead.scenes.facts import format_fact
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import Picture, Reading, Size, Value
from clockhead.scenes.stage.shown import Passing, is_visible
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.text import Align, Number, Paragraph, text_width
from clockhead.scenes.style.type import LABEL, LINE_HEIGHT, Weight

_BIG = 36.0
_ROUNDING = 1e-12
"""By which a number on its way may pass the ends of its way, as a share of it."""


class Figure(Picture):
    """A number of the model, written in a format; it stands with its baseline where it is put."""

    def __init__(
        self,
        value: Value,
        spec: str = "",
        *,
        size: float = LABEL,
        weight: Weight = "semibold",
        color: str | None = None,
        align: Align = "center",
        prefix: str = "",
        suffix: str = "",
    ) -> None:
        super().__init__(value)
        self._spec = spec
        self.number = Number(
            float(value.array),
            spec,
            size=size,
            weight=weight,
            color=color,
            align=align,
            prefix=prefix,
            suffix=suffix,
            unit=value.unit,
        )
        self.add(self.number)

    @property
    def least(self) -> Size:
        return Size(self.number.width, self.number.height)

    most = least

    def place(self, region: Region) -> None:
        """Stand in the middle of a region."""
        self.number.center_on(region.center)

    def put(self, point: NDArray[np.float64]) -> Figure:
        """Stand with the aligned end of the baseline on a point."""
        self.number.put(point)
        return self

    def show(self, state: NDArray[np.float64]) -> None:
        """Write another number."""
        self.number.set_value(float(state))

    def readings(self) -> Iterator[Reading]:
        """What is written, compared with the value in the same format."""
        if not is_visible(self.number):
            return
        shown = self.shown
        meant = shown.content if isinstance(shown, Passing) else None
        within = 0.0 if meant is None else _ROUNDING * max(1.0, abs(float(meant)))
        yield Reading(self.shown, _written(self.number, self._spec, meant), within)


def _written(number: Number, spec: str, now: Any) -> float | str:
    """The number that stands for what is written: the value, if it is written as it should be."""
    inner = number.text.removeprefix(number.prefix).removesuffix(number.suffix)
    value = number.value if now is None else float(now)
    return value if inner == format_fact(value, spec, number.unit) else inner


class Readout(Picture):
    """What a number means, small and muted, and under it the number, large.

    The words are the description of the value, unless `words` says it in other words.
    """

    figure_size = _BIG

    def __init__(
        self, value: Value, spec: str, *, words: str = "", color: str | None = None
    ) -> None:
        super().__init__(value)
        self._words = words or said(value.description)
        self.figure = Figure(value, spec, size=self.figure_size, color=color, align="left")
        longest = max(self._words.split(), key=len, default="")
        self._wide = max(self.figure.number.width, text_width(longest, LABEL))

    @property
    def least(self) -> Size:
        """Wide enough for its longest word, and as high as its words then are."""
        width = max(self._wide, 1.9)
        lines = len(Paragraph(self._words, width=width, size=LABEL))
        return Size(width, (lines * LABEL * LINE_HEIGHT + self.figure_size * 1.2) * PX)

    @property
    def most(self) -> Size:
        least = self.least
        return Size(3.2, least.height * 1.6)

    def place(self, region: Region) -> None:
        """Hang from the top left of a region."""
        meaning = Paragraph(self._words, width=region.width, size=LABEL, color="muted")
        meaning.shift(region.point(0, 1) - meaning.get_corner(UP + LEFT))
        left, bottom = meaning.get_corner(DOWN + LEFT)[:2]
        self.figure.put(np.array([left, bottom - self.figure_size * PX * 0.95, 0.0]))
        self.add(meaning, self.figure)

    def show(self, state: NDArray[np.float64]) -> None:
        """Write another number."""
        self.figure.shown = self.shown
        self.figure.show(state)

    def readings(self) -> Iterator[Reading]:
        """What its figure says, as said of the value that its words are about."""
        for reading in self.figure.readings():
            yield Reading(self.shown, reading.says, reading.within)
