"""Bars over a chart, vertical or (if the slots go down the left side) horizontal, with numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from manim import VGroup
from numpy.typing import ArrayLike, NDArray

from clockhead.scenes.facts import format_fact
from clockhead.scenes.parts.chart import Chart, Mark
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.paths import rectangle_edges, rectangles
from clockhead.scenes.stage import Reading, Size, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.motion import Drive, in_turn
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.text import text_width
from clockhead.scenes.style.theme import Role, faint, mix, theme
from clockhead.scenes.style.type import CAP_HEIGHT, SMALL

_GAP = 0.08
_LEAST_WIDTH = 0.06


class Bars(Mark):
    """A bar from zero for each value (n,), at slots 0, 1, 2 ... or at the positions `at`.

    `spec` formats the numbers at the ends of the bars in `numbered` (default: all), at a distance
    of `gap` units; `write` and `unwrite` change them. With `grown=False`, bars are invisible until
    `grow`. Bars in `dimmed` are faint. All bars of one colour are one path.
    """

    def __init__(
        self,
        value: Value,
        chart: Chart,
        role: Role = "attention",
        *,
        at: ArrayLike | None = None,
        spec: str | None = None,
        numbered: Sequence[int] | None = None,
        width: float = 0.72,
        most_width: float = 0.9,
        size: float = SMALL,
        grown: bool = True,
        gap: float = _GAP,
        dimmed: Sequence[int] = (),
    ) -> None:
        super().__init__(value, chart)
        n, self._gap, self._number_opacity = len(value), gap, 1.0
        self._size = size
        self.places = np.arange(n, dtype=float) if at is None else np.asarray(at, dtype=float)
        self._horizontal = bool(chart.y.scaling.names)
        self._width, self._most_width = width, most_width
        color = str(getattr(theme(), role))
        self._colors = [faint(color) if k in dimmed else color for k in range(n)]
        self._growth = np.full(n, float(grown))
        self._groups: list[list[int]] = []
        self.paths, self.numbers = VGroup(), VGroup()
        self._spec = spec
        chosen = range(n) if numbered is None else numbered
        self._numbers = {} if spec is None else {k: self._number(k, spec, size) for k in chosen}
        self.numbers.add(*self._numbers.values())
        self.add(self.paths, self.numbers)
        self._reserve(size)

    def _number(self, k: int, spec: str, size: float) -> Figure:
        return Figure(
            self.shown[k],  # type: ignore[arg-type]
            spec,
            size=size,
            align="left" if self._horizontal else "center",
        )

    def _reserve(self, size: float) -> None:
        """Reserve room in the chart beyond the ends of the bars."""
        n = len(self.places)
        side = n * _LEAST_WIDTH
        self.least_area = Size(0.0, n * 0.3) if self._horizontal else Size(side, 0.0)
        if self._spec is None:
            return
        if self._horizontal:
            texts = [format_fact(float(v), self._spec) for v in self.state]
            self.beside = max(text_width(t, size) for t in texts) + 2 * self._gap
        else:
            self.headroom = size * PX + self._gap - _GAP

    # Drawing

    def draw(self, state: NDArray[np.float64]) -> None:
        """Draw bars of these values (n,)."""
        edges = self._edges(state)
        self._paint(edges)
        for k, figure in self._numbers.items():
            figure.shown = self.shown[k]
            figure.show(state[k])
            figure.number.set_fill(opacity=self._number_opacity * float(self._growth[k] >= 1))
            self._stand_number(figure, k, edges[k], float(state[k]))

    def _edges(self, state: NDArray[np.float64]) -> NDArray[np.float64]:
        """Left, bottom, right and top of each bar; (n, 4)."""
        along, across = self._axes
        zero = float(along.at(self._foot))
        end = zero + (along.at(state) - zero) * self._growth
        middle, half = across.at(self.places), self._thickness / 2
        low, high = np.minimum(zero, end), np.maximum(zero, end)
        if self._horizontal:
            return np.stack([low, middle - half, high, middle + half], axis=1)
        return np.stack([middle - half, low, middle + half, high], axis=1)

    @property
    def _axes(self) -> tuple[Any, Any]:
        """The axis that the bars extend along, and the one that they are arranged on."""
        return (self.chart.x, self.chart.y) if self._horizontal else (self.chart.y, self.chart.x)

    @property
    def _foot(self) -> float:
        """The value at which bars begin: zero, or the low end of a scale without zero."""
        scaling = self._axes[0].scaling
        return float(max(0.0, min(scaling.low, scaling.high)))

    @property
    def _thickness(self) -> float:
        across = self._axes[1]
        steps = np.abs(np.diff(across.at(self.places)))
        pitch = float(steps.min()) if len(steps) else across.pitch
        return min(self._most_width, pitch * self._width)

    def _paint(self, edges: NDArray[np.float64]) -> None:
        """Draw one path for each colour, in order of first use."""
        colors = list(dict.fromkeys(self._colors))
        while len(self.paths) < len(colors):
            self.paths.add(Shape(stroke_width=0, fill_opacity=1))
        seen = self._growth > 0
        self._groups = [
            [k for k, c in enumerate(self._colors) if c == color and seen[k]] for color in colors
        ]
        self._groups += [[] for _ in range(len(self.paths) - len(colors))]
        for path, group in zip(self.paths, self._groups, strict=True):
            path.set_points(rectangles(*edges[group].T) if group else np.zeros((0, 3)))
        for path, color in zip(self.paths, colors, strict=False):
            path.set_fill(color, 1)

    def _stand_number(
        self, figure: Figure, k: int, edges: NDArray[np.float64], value: float
    ) -> None:
        left, bottom, right, top = edges
        number = figure.number
        if self._horizontal:
            down = CAP_HEIGHT / 2 * number.em
            figure.put(np.array([right + self._gap, (bottom + top) / 2 - down, 0.0]))
            return
        above = top if value >= 0 else max(top, float(self.chart.y.at(0.0)))
        figure.put(np.array([(left + right) / 2, above + self._gap, 0.0]))

    # Motion

    def grow(self, keys: Sequence[int] | None = None, *, lag: float = 0.0, **options: Any) -> Drive:
        """Grow bars from zero, all or those in `keys`; one after another with a `lag` of 1."""
        chosen = list(range(len(self.places)) if keys is None else keys)
        each = 1 / (1 + lag * max(0, len(chosen) - 1))

        def show(share: NDArray[np.float64]) -> None:
            self._growth[chosen] = in_turn(float(share), len(chosen), each)
            self.redraw()

        return Drive(self, show, 0.0, 1.0, **options)

    def sink(self, **options: Any) -> Drive:
        """Shrink all bars to nothing."""
        whole = np.ones_like(self._growth)
        return self.drive("_growth", whole, 0 * whole, **options)

    def write(self, keys: Sequence[int], spec: str, *, run_time: float = 0.5) -> Drive:
        """Fade in the values at the ends of these bars, and remove all other values."""

        def show(share: NDArray[np.float64]) -> None:
            if self._spec != spec or list(self._numbers) != list(keys):
                self._spec = spec
                self._numbers = {k: self._number(k, spec, self._size) for k in keys}
                self.numbers.submobjects = list(self._numbers.values())
            self._number_opacity = float(share)
            self.redraw()

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def unwrite(self, *, run_time: float = 0.4) -> Drive:
        """Fade out the values at the ends of the bars."""
        return self.drive("_number_opacity", 1.0, 0.0, run_time=run_time)

    def recolor(self, k: int | Sequence[int], role: Role, **options: Any) -> Drive:
        """Give one or more bars the colour of a role."""
        return self._color_to(k, lambda _: str(getattr(theme(), role)), **options)

    def dim_bars(self, k: int | Sequence[int], **options: Any) -> Drive:
        """Make one or more bars faint."""
        return self._color_to(k, faint, **options)

    def _color_to(
        self, k: int | Sequence[int], goal: Callable[[str], str], **options: Any
    ) -> Drive:
        chosen = [k] if isinstance(k, int) else list(k)
        start = list(self._colors)

        def show(share: NDArray[np.float64]) -> None:
            if float(share) == 0:
                start[:] = self._colors
            for one in chosen:
                end = goal(start[one])
                self._colors[one] = end if share == 1 else mix(start[one], end, float(share))
            self.redraw()

        return Drive(self, show, 0.0, 1.0, **options)

    # Readings

    @property
    def boxes(self) -> NDArray[np.float64]:
        """Left, bottom, right and top of each bar as it is drawn; (n, 4)."""
        return self._edges(self.state)

    def tip(self, k: int) -> NDArray[np.float64]:
        """The middle of the end of a bar."""
        left, bottom, right, top = self._edges(self.state)[k]
        if self._horizontal:
            return np.array([right, (bottom + top) / 2, 0.0])
        return np.array([(left + right) / 2, top if self.state[k] >= 0 else bottom, 0.0])

    def foot(self, k: int) -> NDArray[np.float64]:
        """The middle of the edge from which a bar grows."""
        along, across = self._axes
        zero, middle = float(along.at(self._foot)), float(across.at(self.places[k]))
        return np.array([zero, middle, 0.0] if self._horizontal else [middle, zero, 0.0])

    def readings(self) -> Iterator[Reading]:
        """The end of each grown bar on the axis, and the number at the bar of each slot."""
        along, across = self._axes
        if not self.chart.placed:
            return
        i, j = (0, 1) if self._horizontal else (1, 0)
        for path, group in zip(self.paths, self._groups, strict=True):
            if not is_visible(path):
                continue
            edges = rectangle_edges(path.points)
            slots = self._slots(across.read(edges[:, j::2].mean(axis=1)))
            ends = along.read(edges[:, i::2].T)
            within = along.scaling.within(self._foot)
            for k, slot, (low, high) in zip(group, slots, ends.T.tolist(), strict=True):
                if self._growth[k] >= 1:
                    says = _end(low, high, self._foot, within)
                    yield Reading(self.shown[slot], says, along.scaling.within(says))
        numbers = [figure.number for figure in self._numbers.values() if is_visible(figure.number)]
        slots = self._slots(across.read([number.get_center()[j] for number in numbers]))
        for slot, number in zip(slots, numbers, strict=True):
            yield Reading(self.shown[slot], number.value, 1e-9)

    def _slots(self, places: NDArray[np.float64]) -> list[int]:
        """The indices of the bars nearest to positions (N,)."""
        return nearest(self.places, places)


def nearest(stands: NDArray[np.float64], places: NDArray[np.float64]) -> list[int]:
    """The indices of the elements of `stands` (M,) that are nearest to each of `places` (N,)."""
    found: list[int] = np.abs(stands - places[:, None]).argmin(axis=1).tolist()
    return found


def _end(low: float, high: float, foot: float, within: float) -> float:
    """The end of a bar whose other end is at `foot`; if neither is, the end nearer to it."""
    base, end = sorted((low, high), key=lambda edge: abs(edge - foot))
    return end if abs(base - foot) <= within else base
