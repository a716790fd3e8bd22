"""The ciphertext's histogram, and below it English, which slides along the letters.

Bars up are shares of the ciphertext, bars down are English's frequencies, on one scale. English's
letters move with its bars: English's e is below the letter that stands for e in the ciphertext.
Bars that leave at the right come back at the left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from manim import VGroup, VMobject, linear, smooth
from numpy.typing import NDArray

from clockhead.model.caesar.cipher import N_ROTATIONS
from clockhead.scenes.caesar.sticks import UP, posture
from clockhead.scenes.parts.axis import center_digits, digits_middle
from clockhead.scenes.parts.bars import Bars, nearest
from clockhead.scenes.parts.chart import Chart, Mark
from clockhead.scenes.parts.paths import straight
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.stage import Reading, Size, Stage, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import Role, theme
from clockhead.scenes.style.type import MIN_SIZE, OPEN_BOX

LARGEST = 32.0
"""Largest size of letters, in pixels at 720p."""
BAND = 1.3 * LARGEST * PX
"""Height of a row of letters, in units."""
_WIDTH = 0.72
"""Width of a bar, as a fraction of its slot."""
_AIR = 0.05
"""Least gap between two letters, in units."""
_LEAST_BARS = 1.2
"""Least height of both rows of bars together, in units."""
_WHOLE = 1e-6
"""Tolerance within which English is exactly at a rotation."""


class LettersChart:
    """Two facing charts with a row of letters; the stage shows `counted`, `letters`, `english`.

    `counted` are shares (26,), or (27,) with the space last. Row r of `templates` (26, 26) is
    English turned by r. `names` are the letters of the slots, as many as in `counted`.
    """

    def __init__(
        self,
        counted: Value,
        templates: Value,
        names: Value,
        *,
        english: Role = "position",
        **options: Any,
    ) -> None:
        tops = [float(np.max(v.array, initial=_WHOLE)) for v in (counted, templates)]
        self._shares = np.array(tops) / sum(tops)
        across = [replace(slots(n), line=False) for n in (len(names), N_ROTATIONS)]
        self.upper = Chart(across[0], Scale(0.0, tops[0], line=False))
        self.lower = Chart(across[1], Scale(tops[1], 0.0, line=False))
        self.counted = Bars(counted, self.upper, "residual", width=_WIDTH, **options)
        self.letters = LetterRow(names, self.upper)
        self.english = SlidingEnglish(templates, names, self.lower, english)

    @property
    def least(self) -> Size:
        """Large enough to read the letters and compare the bars."""
        widest = max(text_width(t, MIN_SIZE) for t in self.letters.texts)
        return Size(len(self.letters.texts) * (widest + _AIR), _LEAST_BARS + 2 * BAND)

    @property
    def most(self) -> Size:
        return Size(np.inf, np.inf)

    @property
    def area(self) -> Region:
        """The region of the ciphertext's bars."""
        return self.upper.area

    def place(self, region: Region) -> None:
        """Fill a region with bars up, letters, English's letters and bars down."""
        high = region.height - 2 * BAND
        up, down = high * self._shares
        upper = Region(region.left, region.top - up, region.right, region.top)
        n = len(self.letters.texts)
        right = region.left + region.width * N_ROTATIONS / n
        lower = Region(region.left, region.bottom, right, region.bottom + down)
        self.upper.place_area(upper)
        self.lower.place_area(lower)

    def bar_posture(self, letters: Sequence[int] | NDArray[np.int_]) -> NDArray[np.float64]:
        """The posture of sticks that look like the ciphertext's bars of these letters."""
        feet = self.upper.at(letters, 0.0)
        unit = float(self.upper.y.at(1.0) - self.upper.y.at(0.0))
        return posture(feet, UP, unit, _WIDTH * self.upper.x.pitch)

    def parts(self) -> VGroup:
        """All visible parts."""
        return VGroup(self.counted, self.letters, self.english)


def facing_charts(
    stage: Stage,
    counted: str = "histogram",
    templates: str = "templates",
    names: str = "alphabet",
    **options: Any,
) -> LettersChart:
    """The charts of the values at these fact paths; the options are those of the upper `Bars`."""
    return LettersChart(stage[counted], stage[templates], stage[names], **options)


class LetterRow(Mark):
    """The base line of the bars and a letter below each bar; a space is drawn as an open box."""

    def __init__(self, names: Value, chart: Chart, role: Role = "token") -> None:
        super().__init__(names, chart)
        self.texts = [OPEN_BOX if name == " " else str(name) for name in names.content]
        self._color = theme().text_color(role)
        self.line = VMobject(stroke_color=theme().muted, stroke_width=2)
        self.labels: list[Label] = []
        self._row, self._size = VGroup(), 0.0
        self.add(self.line, self._row)

    @property
    def state(self) -> NDArray[np.float64]:
        """Empty: letters have no numbers to animate."""
        return np.zeros(0)

    def draw(self, state: NDArray[np.float64]) -> None:
        """Draw the base line, and the letters below it as large as fits."""
        area, size = self.chart.area, letter_size(self.chart.x.pitch, self.texts)
        ends = [np.array([[x, area.bottom, 0.0]]) for x in (area.left, area.right)]
        self.line.set_points(straight(*ends))
        if size != self._size:
            self._size = size
            self.labels = [
                Label(text, size=size, color=self._color, align="center") for text in self.texts
            ]
            self._row.submobjects = list(self.labels)
        for k in range(len(self.texts)):
            center_digits(self.labels[k], self.spot(k))

    def spot(self, k: float) -> NDArray[np.float64]:
        """Where the letter of a slot is centred."""
        return np.array([float(self.chart.x.at(k)), self.chart.area.bottom - BAND / 2, 0.0])

    def readings(self) -> Iterator[Reading]:
        """Compare the letter of each slot."""
        if not self.chart.placed:
            return
        for label in self.labels:
            slot = round(float(self.chart.x.read(digits_middle(label)[0])))
            if is_visible(label) and 0 <= slot < len(self.texts):
                says = " " if label.text == OPEN_BOX else label.text
                yield Reading(self.shown[slot], says)


class SlidingEnglish(Bars):
    """English's frequencies as bars that point down, with its letters above; it slides and wraps.

    `place` is the rotation it has slid to; between two rotations it has no readings.
    """

    def __init__(
        self, templates: Value, names: Value, chart: Chart, role: Role = "position"
    ) -> None:
        super().__init__(templates[0], chart, role, width=_WIDTH)
        self._role: Role = role
        self._names, self._meant, self.place = names, Value("", 0), 0.0
        self._inside = np.ones(N_ROTATIONS)
        self.labels: list[Label] = []
        self._row, self._size = VGroup(), 0.0
        self.add(self._row)

    def draw(self, state: NDArray[np.float64]) -> None:
        """Draw English where it has slid to; bars that leave at one end come back at the other."""
        self.places = (np.arange(N_ROTATIONS) + self.place + 0.5) % N_ROTATIONS - 0.5
        self._inside = np.clip(1 + 2 * np.minimum(self.places, 25 - self.places), 0.0, 1.0)
        super().draw(state)
        texts = [str(name) for name in self._names.content[:N_ROTATIONS]]
        if (size := letter_size(self.chart.x.pitch, texts)) != self._size:
            self._size, color = size, theme().text_color(self._role)
            self.labels = [Label(t, size=size, color=color, align="center") for t in texts]
            self._row.submobjects = list(self.labels)
        for label, place, seen in zip(
            self.labels, self.places, self._inside * np.minimum(1, 2 * self._growth), strict=True
        ):
            center_digits(label, self.spot(float(place)))
            label.set_fill(opacity=float(seen))

    def _edges(self, state: NDArray[np.float64]) -> NDArray[np.float64]:
        edges = super()._edges(state)
        edges[:, 1] = edges[:, 3] - (edges[:, 3] - edges[:, 1]) * self._inside
        return edges

    def spot(self, slot: float) -> NDArray[np.float64]:
        """Where the letter above a slot is centred."""
        return np.array([float(self.chart.x.at(slot)), self.chart.area.top + BAND / 2, 0.0])

    def slide_to(self, rotation: Value | int, *, stepwise: bool = False, **options: Any) -> Drive:
        """Slide to a rotation; with `stepwise`, stop at every letter on the way."""
        goal = rotation if isinstance(rotation, Value) else Value("", rotation)
        end, begin = float(goal.array), [self.place]

        def show(share: NDArray[np.float64]) -> None:
            if float(share) == 0:
                begin[0] = self.place
            place = begin[0] + (end - begin[0]) * float(share)
            whole = np.floor(place + _WHOLE)
            self.place = float(whole + smooth(max(0.0, place - whole))) if stepwise else place
            self._meant = goal if share == 1 else Value("", 0)
            self.redraw()

        rate = {"rate_func": linear} if stepwise else {}
        return Drive(self, show, 0.0, 1.0, **rate | options)

    def set_to_rotation(self, rotation: Value) -> None:
        """Move to a rotation without animation."""
        self.place, self._meant = float(rotation.array), rotation
        self.redraw()

    def focus(self, *letters: int, **options: Any) -> Drive:
        """Dim all bars except those of these letters; without letters, brighten all."""
        if not letters:
            return self.recolor(range(N_ROTATIONS), self._role, **options)
        return self.dim_bars([k for k in range(N_ROTATIONS) if k not in letters], **options)

    def readings(self) -> Iterator[Reading]:
        """Compare the rotation, from where its a is, and the letter and length of each bar."""
        if not self.chart.placed or abs(self.place - round(self.place)) > _WHOLE:
            return
        texts, slots = (
            [label.text for label in self.labels],
            np.round(self._label_slots).astype(int),
        )
        first = int(slots[texts.index(self._names.content[0])])
        if is_visible(self._row):
            if self._meant.path:
                yield Reading(self._meant, float(first))
            for slot, text in zip(slots.tolist(), texts, strict=True):
                yield Reading(self._names[(slot - first) % N_ROTATIONS], text)
        yield from super().readings()

    @property
    def _label_slots(self) -> NDArray[np.float64]:
        """Positions of its letters on the chart, in slots; (26,)."""
        middles = [digits_middle(label)[0] for label in self.labels]
        return np.asarray(self.chart.x.read(np.array(middles)), dtype=np.float64)

    def _slots(self, places: NDArray[np.float64]) -> list[int]:
        """The letters above bars at these places."""
        letters = list(self._names.content)
        return [letters.index(self.labels[k].text) for k in nearest(self._label_slots, places)]


def letter_size(pitch: float, texts: list[str]) -> float:
    """Size at which letters fit side by side at this pitch, in pixels at 720p."""
    widest = max(text_width(text, 1.0) for text in texts)
    return float(np.clip((pitch - _AIR) / widest, MIN_SIZE, LARGEST))
