"""Numbers that know their value: a figure alone, and a readout with its description."""

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
"""Relative error by which an animated number may pass the ends of its range."""


class Figure(Picture):
    """A number of the model, written in a format."""

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
        """Centre it in a region."""
        self.number.center_on(region.center)

    def put(self, point: NDArray[np.float64]) -> Figure:
        """Put the aligned end of its baseline on a point."""
        self.number.put(point)
        return self

    def show(self, state: NDArray[np.float64]) -> None:
        """Write another number."""
        self.number.set_value(float(state))

    def readings(self) -> Iterator[Reading]:
        """The written number, compared with the value in the same format."""
        if not is_visible(self.number):
            return
        shown = self.shown
        meant = shown.content if isinstance(shown, Passing) else None
        within = 0.0 if meant is None else _ROUNDING * max(1.0, abs(float(meant)))
        yield Reading(self.shown, _read_number(self.number, self._spec, meant), within)


def _read_number(number: Number, spec: str, now: Any) -> float | str:
    """The value if it is written in its format, else the text that is written."""
    inner = number.text.removeprefix(number.prefix).removesuffix(number.suffix)
    value = number.value if now is None else float(now)
    return value if inner == format_fact(value, spec, number.unit) else inner


class Readout(Picture):
    """The meaning of a number in small muted words, and below it the number in large type.

    The words are the description of the value, unless `words` replaces it.
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
        """A width for its longest word, and the height of the words wrapped at that width."""
        width = max(self._wide, 1.9)
        lines = len(Paragraph(self._words, width=width, size=LABEL))
        return Size(width, (lines * LABEL * LINE_HEIGHT + self.figure_size * 1.2) * PX)

    @property
    def most(self) -> Size:
        least = self.least
        return Size(3.2, least.height * 1.6)

    def place(self, region: Region) -> None:
        """Place it at the top left of a region."""
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
        """What its figure reads, for its own value."""
        for reading in self.figure.readings():
            yield Reading(self.shown, reading.says, reading.within)
