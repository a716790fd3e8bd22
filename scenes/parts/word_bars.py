"""A bar for each word of a vocabulary: vertical over slanted words, or horizontal beside them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart, Mark
from clockhead.scenes.parts.matrix_layout import TurnedLabel
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.stage import Reading, Size, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.text import text_width
from clockhead.scenes.style.theme import Role
from clockhead.scenes.style.type import LABEL, MIN_SIZE, SMALL, X_HEIGHT

_LINE = 1.1
"""Height of a line of words, in ems."""
_TICKED = 1.7
"""Height of the numbers under an axis, in ems."""
_GAP = 0.1
_CLOSE = 0.02
"""Length by which the bounding boxes of two slanted words may overlap, in units."""

SHARES = Scale(0.0, 1.0, (0.0, 0.5, 1.0), ".0%")
"""A scale of probabilities, from 0 to 100 percent."""


def scale_of(logits: NDArray[np.float64]) -> Scale:
    """A scale for logits that includes 0."""
    low, high = min(0.0, float(logits.min())), max(0.0, float(logits.max()))
    return Scale(low, high if high > low else low + 1.0)


class WordBars:
    """The `chart` of `words`, and its `bars`. With `lying`, the bars are horizontal."""

    def __init__(
        self,
        value: Value,
        words: Value,
        scale: Scale,
        *,
        lying: bool,
        role: Role = "token",
        **options: Any,
    ) -> None:
        across = slots(words, down=True) if lying else slots(len(words))
        self.chart = Chart(scale, across) if lying else Chart(across, scale)
        self.names = None if lying else SlantingWords(words, self.chart)
        self.bars = Bars(value, self.chart, role, **options)
        number = text_width("> 99.9%", SMALL, "semibold") + 2 * _GAP
        self.bars.beside = max(self.bars.beside, number if lying else number / 2)

    @property
    def least(self) -> Size:
        least, (left, below) = self.chart.least, self._rim
        return Size(left + least.width, below + least.height)

    @property
    def most(self) -> Size:
        return self.chart.most

    def place(self, region: Region) -> None:
        """Draw bars and words into a region."""
        left, below = self._rim
        self.chart.place(
            Region(region.left + left, region.bottom + below, region.right, region.top)
        )
        if self.names is not None:
            self.chart.marks.remove(self.names)
            self.chart.add(self.names)

    def rescale(self, scale: Scale, **options: Any) -> Drive:
        """Animate the axis along the bars to another scale."""
        if self.names is None:
            return self.chart.rescale(x=scale, **options)
        return self.chart.rescale(y=scale, **options)

    @property
    def has_room(self) -> bool:
        """Whether the numbers at the ends of neighbouring bars never overlap."""
        return self.names is None or self.chart.x.pitch > text_width("> 99.9%", LABEL)

    @property
    def _rim(self) -> tuple[float, float]:
        """Room for words, and later for the ticks of probabilities, left of the bars and below."""
        if self.names is None:
            return 0.0, _TICKED * SMALL * PX
        tick = text_width("100%", SMALL) + 0.25
        left = max(self.names.overhang, tick) - self.chart.y.thickness
        return max(0.0, left), self.names.longest + _GAP


class SlantingWords(Mark):
    """Words under the slots of a chart, slanted upwards to them, or vertical if space is tight."""

    def __init__(self, words: Value, chart: Chart) -> None:
        super().__init__(words, chart)
        self.words = words
        self._texts = [str(word) for word in words.content]
        self.longest = max(text_width(text, LABEL) for text in self._texts)
        self.overhang = text_width(self._texts[0], LABEL) * float(np.cos(np.pi / 4))
        self.least_area = Size(len(self._texts) * _LINE * MIN_SIZE * PX, 0.0)
        self.labels: list[TurnedLabel] = []

    @property
    def state(self) -> NDArray[np.float64]:
        """Empty, because words have no numbers."""
        return np.zeros(0)

    def draw(self, _: NDArray[np.float64]) -> None:
        """Write them under the area of the chart."""
        self.remove(*self.labels)
        self._write(45.0, LABEL)
        edges = np.array([[label.get_left()[0], label.get_right()[0]] for label in self.labels])
        if (edges[1:, 0] < edges[:-1, 1] - _CLOSE).any():
            size = np.clip(self.chart.x.pitch / PX / _LINE, MIN_SIZE, LABEL)
            self._write(90.0, float(size))
        self.add(*self.labels)

    def _write(self, angle: float, size: float) -> None:
        """Create the words, each ending under its slot."""
        self.labels = [TurnedLabel(text, angle, size=size) for text in self._texts]
        foot = self.chart.area.bottom - _GAP - X_HEIGHT / 2 * size * PX * np.cos(np.radians(angle))
        for k, label in enumerate(self.labels):
            label.shift(np.array([float(self.chart.x.at(k)), foot, 0.0]) - self._end(label))

    def readings(self) -> Iterator[Reading]:
        """The word that ends under each slot."""
        for label in self.labels:
            if is_visible(label):
                slot = round(float(self.chart.x.read(self._end(label)[0])))
                yield Reading(self.words[slot], label.text)

    @staticmethod
    def _end(label: TurnedLabel) -> NDArray[np.float64]:
        """The end of the line, half the x-height above its baseline."""
        return 2 * label.middle - label.foot
