"""Scores that are computed step by step: cells that come, swell when they are computed again, and
brighten with each time; the frame around the rows of a step; how many there have been, and how many
the step adds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from manim import UL, VGroup, VMobject, linear
from numpy.typing import NDArray

from scenes.kv_cache.board import Tray, Vector, box_of
from scenes.parts.chart import Chart, Mark
from scenes.parts.figures import Figure
from scenes.parts.matrix import Matrix
from scenes.parts.paths import rectangles
from scenes.parts.tile_shapes import rounded
from scenes.stage import Picture, Reading, Size, Value
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive
from scenes.style.text import Label, Paragraph, text_width
from scenes.style.theme import theme
from scenes.style.type import CAP_HEIGHT, LABEL, SMALL, X_HEIGHT

_COUNT, _STEP = 40.0, 28.0
"""The sizes of the counts and of what a step adds, in pixels."""
_HEAD, _ASIDE, _GAP = Size(2.36, 1.12), 1.25, 0.15
"""What the words over a triangle need; how wide they are beside it, and the gap between."""
_LEAST, _MOST = 1.9, 5.2
"""The sides of a triangle."""
_FAINTEST = 0.3
"""How bright a cell is that was computed once, where the brightest is 1."""
_SHRINK = 0.45
"""How much a cell shrinks before it is computed again."""
_SIGN = Size(0.72, 0.36)
_COLUMNS = 4
_WHOLE, _CENTRED = 1e-6, 0.02


class RowsOfStep(Picture):
    """Whose rows a step computes, (T,): a frame around them, up to the cell of their own key."""

    def __init__(self, rows: Value, matrix: Matrix) -> None:
        super().__init__(rows)
        self._matrix = matrix
        self.path = VMobject(stroke_color=theme().text_color("query"), stroke_width=4.0)
        self._on_its_way = False
        self.add(self.path)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw the frame around rows that lie below each other."""
        self.between(state, state, 0.0)

    def between(self, rows: Any, after: Any, share: float) -> None:
        """Draw it on its way from the rows of one step to those of another."""
        self._on_its_way = share > 0
        ends = np.array([np.flatnonzero(r)[[0, -1]] for r in (rows, after)], dtype=float)
        first, last = ends[0] * (1 - share) + ends[1] * share
        lattice = self._matrix.lattice
        left, top = lattice.region.left, lattice.region.top
        wide, high = lattice.cell_width, lattice.cell_height
        bottom, right = top - (last + 1) * high, left + (last + 1) * wide
        self.path.set_points(rectangles(left, bottom, right, top - first * high))

    def readings(self) -> Iterator[Reading]:
        """How much of each row is inside, while it stands still."""
        if self._on_its_way or self.path.get_stroke_opacity() == 0:
            return
        lattice, points = self._matrix.lattice, self.path.points
        top, bottom = (lattice.at((0.0, y))[0] for y in (points[:, 1].max(), points[:, 1].min()))
        for m in range(lattice.n_rows):
            inside = min(bottom, m + 0.5) - max(top, m - 0.5)
            yield Reading(self.shown[m], float(np.clip(inside, 0, 1)), _CENTRED)


class CountedCells(Matrix):
    """How often each cell was computed, (T, T); one that was never computed is not there."""

    def readings(self) -> Iterator[Reading]:
        """The shades, and that cells which are there, and no others, have been computed."""
        yield from super().readings()
        sizes, counts = self.opened, self.table
        wrong = np.where(counts > 0, sizes == 0, sizes == 1) & sizes.any()
        for i, j in np.argwhere(wrong):
            yield Reading(self.meant(int(i), int(j)), "there" if sizes[i, j] else "not there")


class Triangle(VGroup):
    """The scores of a text, T x T, with what they are called and how many there have been.

    `times` (steps, T, T) is how often each was computed, `rows` (steps, T) whose rows each step
    computes, `counts` (steps,) how many there have been, and `added` (steps,) how many each step
    adds. The words stand over the cells, or `beside` them.
    """

    def __init__(
        self,
        name: str,
        times: Value,
        rows: Value,
        counts: Value,
        added: Value,
        *,
        beside: bool = False,
    ) -> None:
        super().__init__()
        self._times, self._rows, self._counts, self._added = times, rows, counts, added
        self._beside = beside
        n_steps, n = rows.array.shape
        low = 1 - (n_steps - 1) * _FAINTEST / (1 - _FAINTEST)
        self.matrix = CountedCells(
            times[0],
            role="token",
            low=low,
            high=float(n_steps),
            mask="causal",
            least_cell=_LEAST / n,
        )
        self._name = Paragraph(name, width=_ASIDE if beside else _HEAD.width, size=LABEL)
        self.count = Figure(counts[0], ",d", size=_COUNT, align="left")
        self.step = Figure(
            added[0], ",d", size=_STEP, color=theme().text_color("query"), align="left", prefix="+"
        )
        self._wide = text_width(f"{int(counts.array[-1]):,d}", _COUNT, "semibold")

    @property
    def least(self) -> Size:
        if self._beside:
            return Size(_LEAST + _ASIDE + _GAP, _LEAST)
        return Size(max(_LEAST, _HEAD.width), _LEAST + _HEAD.height)

    @property
    def most(self) -> Size:
        least = self.least
        return Size(least.width + _MOST - _LEAST, least.height + _MOST - _LEAST)

    def place(self, region: Region) -> None:
        """Stand in the middle of a region."""
        aside, above = (_ASIDE + _GAP, 0.0) if self._beside else (0.0, _HEAD.height)
        side = min(region.width - aside, region.height - above)
        wide = side + aside if self._beside else max(side, min(region.width, _HEAD.width))
        left, top = region.center[0] - wide / 2, region.center[1] + (side + above) / 2
        x = left + aside
        self.matrix.place_cells(Region(x, top - above - side, x + side, top - above))
        self._name.shift(np.array([left, top, 0.0]) - self._name.get_corner(UL))
        base = self._name.get_bottom()[1] - 0.2 - CAP_HEIGHT * _COUNT * PX
        self.count.put(np.array([left, base, 0.0]))
        on, under = (0.0, 0.4) if self._beside else (self._wide + _GAP, 0.0)
        self.step.put(np.array([left + on, base - under, 0.0]))
        right, foot = (x - _GAP, base - 1.0) if self._beside else (left + wide, top - 0.4)
        self.sign = Region(right - _SIGN.width, foot, right, foot + _SIGN.height)
        self.frame = RowsOfStep(self._rows[0], self.matrix)
        self.add(self.matrix, self._name, self.count, self.step, self.frame)
        self.go_to(-1.0)

    def go_to(self, place: float) -> None:
        """Be so far: -1 before the first step, 0 after it, and so on."""
        place = round(place) if abs(place - round(place)) < _WHOLE else place
        last, share = int(np.floor(place)), place - np.floor(place)
        k, rows = max(last, 0), self._rows.array
        self.matrix.set_to(self._times[k])
        self.matrix.open_to(self._sizes(last, share))
        self.count.set_to(self._counts[k])
        self.count.number.set_fill(opacity=float(last >= 0))
        following = min(last + 1, len(rows) - 1)
        self.step.set_to(self._added[following if share > 0 else k])
        self.step.number.set_fill(opacity=float(last >= 0 or share > 0))
        self.frame.shown = self._rows[k]
        self.frame.between(rows[k], rows[following], share if last >= 0 else 0.0)
        self.frame.path.set_stroke(opacity=1.0 if last >= 0 else share)

    def run(
        self,
        start: float,
        end: float,
        *,
        run_time: float,
        rate_func: Callable[[float], float] = linear,
    ) -> Drive:
        """Go on from step to step."""
        return Drive(
            self, lambda p: self.go_to(float(p)), start, end, run_time=run_time, rate_func=rate_func
        )

    def _sizes(self, last: int, share: float) -> NDArray[np.float64]:
        """How large cells are, (T, T): new ones grow, and those computed again shrink and swell."""
        times, n = self._times.array, self.matrix.n_rows
        known = (times[last] > 0) if last >= 0 else np.zeros((n, n), dtype=np.bool_)
        sizes = known.astype(float)
        if share > 0 and last + 1 < len(times):
            computed = self._rows.array[last + 1].astype(bool)[:, None] & np.tri(n, dtype=np.bool_)
            again = 1 - _SHRINK * np.sin(np.pi * share)
            sizes = np.where(computed, np.where(known, again, share), sizes)
        return sizes


class CacheSign(VGroup):
    """A small shelf of keys and values, as a sign for the cache."""

    def __init__(self, triangle: Triangle) -> None:
        super().__init__()
        room, look = triangle.sign, theme()
        self.add(Tray(room))
        roles: tuple[Vector, ...] = ("key", "value")
        wide, high = (room.width - 0.08) / _COLUMNS, (room.height - 0.08) / 2
        for row, role in enumerate(roles):
            for k in range(_COLUMNS):
                x, y = room.left + 0.04 + (k + 0.5) * wide, room.top - 0.04 - (row + 0.5) * high
                box = box_of(role).set_stroke(width=0).set_fill(getattr(look, role), 1)
                box.set_points(rounded(wide - 0.05, high - 0.05, 0.03) + np.array([x, y, 0.0]))
                self.add(box)


class TipName(Mark):
    """The name of a curve, to the right of where it ends: at a value over `x`."""

    def __init__(self, value: Value, chart: Chart, name: str, x: float) -> None:
        self.beside = text_width(name, SMALL) + 0.15
        super().__init__(value, chart)
        self._x = x
        self.label = Label(name, size=SMALL, color=theme().ink)
        self.add(self.label)

    def draw(self, state: NDArray[np.float64]) -> None:
        """Stand beside the end of the curve."""
        end = self.chart.at(self._x, state)
        self.label.put(end + np.array([0.12, -X_HEIGHT / 2 * SMALL * PX, 0.0]))

    def readings(self) -> Iterator[Reading]:
        """At which height it stands."""
        if self.chart.placed and self.label.get_fill_opacity() > 0:
            says = float(self.chart.y.read(self.label.middle[1]))
            yield Reading(self.shown, says, self.chart.y.scaling.within(says))
