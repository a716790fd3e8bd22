"""One row through one layer: the row, wires to the neurons, wires back, the row that comes out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import Circle, Rectangle, VGroup, VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.chart import Chart, Mark
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.paths import closed
from clockhead.scenes.stage import Picture, Reading, Size, Value
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.text import Formula
from clockhead.scenes.style.theme import theme

_SIDES, _CORNER = 16, 4
"""Points of a shape with four sides, and from one of its corners to the next."""
_BROADEST, _CLEAR, _PALE = 0.085, 0.02, 0.25
"""How broad the wire of the largest weight is, the room beside cells, and how pale wires can be."""
_HIGH, _WORD, _FREE = 0.34, 0.46, 0.16
"""How high cells and words are, and the room beside a lane."""
_WORD_WIDE = 1.5
_LEAST_CELL, _MOST_WIDE, _LEAST_HIGH = 0.29, 0.75, 2.4
_WITHIN = 1e-6
_DOT, _SIGN = 0.11, 30.0


class Wires(Picture):
    """Weights (A, B) from A points to B points above: as broad as large, of two colours by sign.

    What is 0 has no wire; wires from points that are not `live` (A,) are pale. They are drawn by
    `run`.
    """

    def __init__(
        self,
        weights: Value,
        starts: NDArray[np.float64],
        ends: NDArray[np.float64],
        live: NDArray[np.bool_],
    ) -> None:
        super().__init__(weights)
        self._starts, self._ends, self._live, self._come = starts, ends, live, 0.0
        self._unit = _BROADEST / float(np.abs(weights.array).max())
        colors = {1: theme().value, -1: theme().position}
        self.kinds = [(sign, lives) for sign in colors for lives in (True, False)]
        self.paths = [
            VMobject(stroke_width=0, fill_color=colors[sign], fill_opacity=1.0 if lives else _PALE)
            for sign, lives in self.kinds
        ]
        self.add(*self.paths)
        self.set_z_index(-1)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw each wire as far as it has come."""
        for path, (sign, lives) in zip(self.paths, self.kinds, strict=True):
            i, j = np.nonzero((sign * state > 0) & (self._live == lives)[:, None])
            half = np.abs(state[i, j])[:, None] * self._unit / 2 * [1.0, 0.0, 0.0]
            start = self._starts[i]
            end = start + self._come * (self._ends[j] - start)
            corners = np.stack([start - half, start + half, end + half, end - half], axis=1)
            path.set_points(closed(corners).reshape(-1, 3))

    def run(self, **options: Any) -> Drive:
        """Let the wires run to where they end."""

        def show(share: NDArray[np.float64]) -> None:
            self._come = float(share)
            self.show(self.state)

        return Drive(self, show, 0.0, 1.0, **options)

    def readings(self) -> Iterator[Reading]:
        """The weight between every two points, once the wires are there: 0 where there is none."""
        if self._come < 1:
            return
        says = np.zeros(self.state.shape)
        for path, (sign, _) in zip(self.paths, self.kinds, strict=True):
            for corners in path.points.reshape(-1, _SIDES, 3)[:, ::_CORNER]:
                start, end = corners[:2].mean(axis=0), corners[2:].mean(axis=0)
                i = int(np.linalg.norm(self._starts - start, axis=1).argmin())
                j = int(np.linalg.norm(self._ends - end, axis=1).argmin())
                says[i, j] = sign * np.ptp(corners[:2, 0]) / self._unit
        for (i, j), weight in np.ndenumerate(says):
            yield Reading(self.shown[i, j], float(weight), _WITHIN * (1 + abs(float(weight))))


class Lane:
    """The way of one row: its numbers (D,), the neurons (N,) over it, and what comes out (D,).

    On top the row stands first as it was, until what neurons write is added.
    """

    def __init__(self, rows: tuple[Value, Value, Value], highest: float) -> None:
        look: dict[str, Any] = {"lying": True, "spec": (".1f",), "most_number": 22.0}
        low, acts, self.made = rows
        signed: dict[str, Any] = {"role": "residual", "low": -highest, "high": highest}
        self.row, self.out = Matrix(low, **signed, **look), Matrix(low, **signed, **look)
        self.neurons = Matrix(acts, role="value", low=0.0, high=highest, **look)
        self.neurons.empty()
        self.out.empty()

    @property
    def least_width(self) -> float:
        """The least width at which its numbers can be read."""
        return float(_LEAST_CELL * max(self.row.n_columns, self.neurons.n_columns) + _FREE)

    def place(self, region: Region) -> None:
        """Fill a region, from its foot up: the row, neurons, the row again."""
        area = region.inset(_FREE / 2, 0.0)
        middle = area.center[1] - _HIGH / 2
        for matrix, bottom in (
            (self.row, area.bottom),
            (self.neurons, middle),
            (self.out, area.top - _HIGH),
        ):
            width = min(area.width, _MOST_WIDE * matrix.n_columns)
            left = area.center[0] - width / 2
            matrix.place_cells(Region(left, bottom, left + width, bottom + _HIGH))

    def wires(self, w_1: Value, w_2: Value, acts: Value) -> tuple[Wires, Wires]:
        """Wires from the row to the neurons, and on to what comes out, pale from silent ones."""
        up, on = edges(self.row, 1), edges(self.neurons, -1)
        first = Wires(w_1, up, on, np.ones(len(up), dtype=bool))
        live = acts.array > 0
        return first, Wires(w_2, edges(self.neurons, 1), edges(self.out, -1), live)

    def sign(self, text: str, share: float, column: int) -> VGroup:
        """What weights are called, on a plate over a column; at a share of the way up the lane."""
        label = Formula(text, size=_SIGN)
        (x, low), high = self.row.lattice.middles[0, column], self.out.lattice.middles[0, 0, 1]
        label.move_to(np.array([x, low + share * (high - low), 0.0]))
        plate = Rectangle(width=label.width, height=label.height, stroke_width=0)
        plate.set_fill(theme().ground, 1).move_to(label)
        return VGroup(plate, label)


def edges(matrix: Matrix, side: int) -> NDArray[np.float64]:
    """The middles of the lower (-1) or the upper edges (1) of the cells of a row; (n, 3)."""
    cells = matrix.lattice
    x, y = cells.middles[0].T
    y = y + side * (cells.cell_height / 2 + _CLEAR)
    return np.column_stack([x, y, np.zeros_like(y)])


class Lanes:
    """Lanes side by side, over a word each."""

    def __init__(self, lanes: list[Lane]) -> None:
        self.lanes = lanes
        self.words = Region(0.0, 0.0, 0.0, 0.0)

    @property
    def least(self) -> Size:
        return Size(sum(lane.least_width for lane in self.lanes), _LEAST_HIGH)

    most = Size(np.inf, np.inf)

    def place(self, region: Region) -> None:
        """Share a region among the lanes; a band at its foot is for words."""
        self.words, rest = region.cut_bottom(_WORD, 0.12)
        width = rest.width / len(self.lanes)
        for k, lane in enumerate(self.lanes):
            left = rest.left + k * width
            lane.place(Region(left, rest.bottom, left + width, rest.top))

    @property
    def word_size(self) -> tuple[float, float]:
        """How wide and high a word may be."""
        return min(_WORD_WIDE, self.words.width / len(self.lanes) - _FREE), self.words.height

    @property
    def feet(self) -> NDArray[np.float64]:
        """The middles of the places for words; (T, 3)."""
        x = [lane.row.lattice.region.center[0] for lane in self.lanes]
        return np.array([[at, self.words.center[1], 0.0] for at in x])


class Rider(Mark):
    """A dot on a chart at a point (2,), that can ride through points (F, 2)."""

    def __init__(self, value: Value, chart: Chart) -> None:
        super().__init__(value, chart)
        look = theme()
        self.path = VMobject(stroke_color=look.ground, stroke_width=1.5)
        self.path.set_fill(look.attention, 1)
        self._flies = False
        self.add(self.path)

    def draw(self, state: NDArray[np.float64]) -> None:
        """Stand at a point."""
        self.path.set_points(self.chart.at(*state) + Circle(radius=_DOT).points)

    def come(self, start: NDArray[np.float64], **options: Any) -> Drive:
        """Fly to its point from another one, (3,), where its number stands."""

        def show(share: NDArray[np.float64]) -> None:
            self._flies = float(share) < 1
            self.redraw()
            self.path.shift((1 - float(share)) * (start - self.path.get_center()))

        return Drive(self, show, 0.0, 1.0, **options)

    def readings(self) -> Iterator[Reading]:
        """Where its middle stands on both axes."""
        if not self.chart.placed or self._flies:
            return
        points = self.path.points
        at = (points.min(axis=0) + points.max(axis=0)) / 2
        for k, axis in enumerate((self.chart.x, self.chart.y)):
            says = float(axis.read(at[k]))
            yield Reading(self.shown[k], says, axis.scaling.within(says))
