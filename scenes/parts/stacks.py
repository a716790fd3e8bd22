"""Stacked bars: each sliver of a stack is a term of its sum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from manim import VGroup, linear
from numpy.typing import ArrayLike, NDArray

from clockhead.scenes.parts.chart import Chart, Mark
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.paths import rectangle_edges, rectangles, straight
from clockhead.scenes.stage import Reading, Size, Value
from clockhead.scenes.stage.shown import Passing, is_visible
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive, in_turn
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.theme import Role, mix, theme
from clockhead.scenes.style.type import SMALL

_GAP = 0.08
_HATCH = 0.1
_HALO = 9.0
"""Width of the outline that separates a total from the hatching behind it."""
_LEAST_WIDTH, _MOST_WIDTH = 0.25, 0.9
Kind = int
STEADY, ADDS, TAKES = 0, 1, 2


class Stacks(Mark):
    """For each key a stack of slivers (T, G), terms of a sum, at slots 0, 1, 2 ... of the chart.

    Slivers in `steady` are at the bottom, grey and without seams; `plinth` (T,) is their sum. Then
    come the positive slivers, and last the negative ones: hatched, subtracting from the top. With
    `hanging`, negative slivers are filled and hang below zero; `sink` then lowers the rest of the
    stack by their sum, so that its top is the total. If the negative slivers outweigh the positive
    ones, they are raised instead, and their lower end is the total. `totals` (T,), in format
    `spec`, are written at the ends of stacks at rest: in ink for keys in `leading`, muted for the
    others, or only for the leading ones if columns are narrow.
    """

    def __init__(
        self,
        value: Value,
        chart: Chart,
        *,
        steady: Sequence[int] = (),
        plinth: Value | None = None,
        totals: Value | None = None,
        spec: str = ".1f",
        leading: Sequence[int] = (),
        role: Role = "attention",
        width: float = 0.72,
        size: float = SMALL,
        hanging: bool = False,
        grown: bool = True,
    ) -> None:
        super().__init__(value, chart)
        n_keys, n_slivers = self.state.shape
        self._hanging, self._sunk = hanging, np.full(n_keys, float(grown))
        self._steady = np.isin(np.arange(n_slivers), list(steady))
        self._plinth, self._totals = plinth, totals
        self._leading, self._original = [int(k) for k in leading], value
        self._width = width
        self._landed = np.full((n_keys, n_slivers), float(grown))
        self._flight_starts = np.full(
            (n_keys, n_slivers, 3), np.nan
        )  # where slivers fly from, if they do
        self._lying = False
        self._drawn_slivers: dict[
            Kind, NDArray[np.int_]
        ] = {}  # the (key, sliver) of each rectangle
        self._make_pieces(str(getattr(theme(), role)))
        self._figures = (
            []
            if totals is None
            else [Figure(totals[k], spec, size=size, color=self._ink(k)) for k in range(n_keys)]
        )
        self.add(VGroup(*self._figures))
        if totals is not None:
            self.headroom = size * PX
        self.least_area = Size(n_keys * _LEAST_WIDTH, 1.2)

    def _make_pieces(self, color: str) -> None:
        look = theme()
        self._color = color
        self.foot = Shape(stroke_width=0, fill_color=mix(look.ground, look.residual, 0.6))
        self.tops = Shape(stroke_color=look.ground, stroke_width=1.5, fill_color=color)
        self.taken = Shape(stroke_color=look.wrong, stroke_width=1.5, fill_color=look.panel)
        if self._hanging:
            self.taken.set_stroke(look.ground).set_fill(look.wrong)
        self.hatch = Shape(stroke_color=look.wrong, stroke_width=1.5)
        self.gaps = Shape(stroke_color=look.ground, stroke_width=5)
        self.blocks = VGroup(*(Shape(stroke_width=0) for _ in range(len(self._landed))))
        for path in (self.foot, self.tops, self.taken):
            path.set_fill(opacity=1)
        self.add(self.foot, self.tops, self.taken, self.hatch, self.gaps, self.blocks)

    def _ink(self, key: int) -> str:
        return theme().ink if key in self._leading else theme().muted

    # Drawing

    def draw(self, state: NDArray[np.float64]) -> None:
        """Draw slivers of these heights (T, G), as far as they have arrived."""
        self._lying = False
        kinds = self._kinds(state)
        rects = self._in_flight(self._rectangles(state), kinds)
        self._paint(rects, kinds)
        for block in self.blocks:
            block.clear_points()
        self._fade_taken(1.0)
        self._write(state)

    def _kinds(self, state: NDArray[np.float64]) -> NDArray[np.int_]:
        return np.where(self._steady, STEADY, np.where(state < 0, TAKES, ADDS))

    def _order(self, state: NDArray[np.float64]) -> NDArray[np.int_]:
        """Indices of the slivers of each stack from bottom to top; (T, G)."""
        return np.argsort(self._kinds(state), axis=1, kind="stable")

    def _rectangles(self, state: NDArray[np.float64]) -> NDArray[np.float64]:
        """Left, bottom, right and top of each sliver at its final position; (T, G, 4)."""
        order = self._order(state)
        tops = np.cumsum(np.take_along_axis(state, order, axis=1), axis=1)
        ends = np.empty_like(tops)
        np.put_along_axis(ends, order, tops, axis=1)
        low, high = np.minimum(ends - state, ends), np.maximum(ends - state, ends)
        if self._hanging:
            taken, added = (np.clip(state * sign, 0, None).sum(axis=1) for sign in (-1, 1))
            stays = taken <= added
            up = np.where(stays, 0.0, added * self._sunk) - added
            down = np.where(stays, taken * self._sunk, 0.0)
            shift = np.where(state < 0, up[:, None], -down[:, None])
            low, high = low + shift, high + shift
        middle, half = self.chart.x.at(np.arange(len(state)))[:, None], self._thickness / 2
        y = np.stack([self.chart.y.at(low), self.chart.y.at(high)])  # (2, T, G)
        # Once a stack has sunk, hanging slivers and as much of the others have vanished.
        if self._hanging:
            zero, adds = float(self.chart.y.at(0.0)), state >= 0
            left = zero + (y - zero) * (1 - self._sunk[:, None])
            kept = np.where(adds, np.maximum(y, zero), np.minimum(y, zero))
            y = np.where(adds == stays[:, None], kept, left)
        edges = (middle - half, y[0], middle + half, y[1])
        return np.stack(np.broadcast_arrays(*edges), axis=-1)

    @property
    def _thickness(self) -> float:
        return min(_MOST_WIDTH, self.chart.x.pitch * self._width)

    def _in_flight(
        self, rects: NDArray[np.float64], kinds: NDArray[np.int_]
    ) -> NDArray[np.float64]:
        """The rectangles of slivers that are still flying or growing; (T, G, 4)."""
        share = (self._landed**2 * (3 - 2 * self._landed))[..., None]
        opened = rects.copy()
        part = (rects[..., 3] - rects[..., 1]) * self._landed
        takes = kinds == TAKES
        opened[..., 3] = np.where(takes, rects[..., 3], rects[..., 1] + part)
        opened[..., 1] = np.where(takes, rects[..., 3] - part, rects[..., 1])
        middle = (rects[..., :2] + rects[..., 2:]) / 2
        away = np.nan_to_num((self._flight_starts[..., :2] - middle) * (1 - share))
        flies = np.isfinite(self._flight_starts[..., :1])
        return np.where(flies, rects + np.concatenate([away, away], axis=-1), opened)

    def _paint(self, rects: NDArray[np.float64], kinds: NDArray[np.int_]) -> None:
        seen = self._landed > 0
        for kind, path in enumerate((self.foot, self.tops, self.taken)):
            self._drawn_slivers[kind] = np.argwhere(seen & (kinds == kind))
            chosen = rects[tuple(self._drawn_slivers[kind].T)]
            path.set_points(rectangles(*chosen.T) if len(chosen) else np.zeros((0, 3)))
        if not self._hanging:
            self.hatch.set_points(_hatched(rects[seen & (kinds == TAKES)]))
        self.gaps.set_points(self._break_lines(rects))

    @property
    def _is_original(self) -> bool:
        """Whether it shows the value that `plinth` and `totals` belong to."""
        return not isinstance(self.shown, Passing) and self.shown.path == self._original.path

    def _break_lines(self, rects: NDArray[np.float64]) -> NDArray[np.float64]:
        """A zigzag through each stack where the axis breaks; (M, 3)."""
        height = self.chart.y.break_at
        if height is None:
            return np.zeros((0, 3))
        tall = (self._landed * (rects[..., 3] > height)).max(axis=1) > 0
        corners = np.linspace(-0.5, 0.5, 5) * self._thickness * 1.1
        bends = np.array([[x, 0.05 * (-1) ** k, 0.0] for k, x in enumerate(corners)])
        middles = self.chart.x.at(np.flatnonzero(tall))
        lines = [bends + np.array([x, height, 0.0]) for x in middles]
        return np.concatenate([straight(line[:-1], line[1:]) for line in lines] or [bends[:0]])

    def _write(self, state: NDArray[np.float64]) -> None:
        """Write the totals over the stacks that are at rest."""
        standing = np.asarray((self._landed >= 1).all(axis=1)) & self._is_original
        rects, takes = self._rectangles(state), self._kinds(state) == TAKES
        if self._hanging:
            standing &= (self._sunk >= 1) | ~takes.any(axis=1)
            takes = takes & False
        eaten = np.where(takes, rects[..., 1], np.inf).min(axis=1)
        ends = np.minimum(rects[..., 3].max(axis=1), eaten)
        for k, figure in enumerate(self._figures):
            figure.number.set_fill(self._ink(k), 0.0)
            figure.put(np.array([self.chart.x.at(k), ends[k] + _GAP, 0.0]))
            figure.number.set_stroke(width=0, background=True)
        for k in self._legible(np.flatnonzero(standing)):
            number, halo = self._figures[k].number, _HALO if takes[k].any() else 0
            number.set_fill(opacity=1.0).set_stroke(theme().panel, halo, background=True)

    def _legible(self, keys: NDArray[np.int_]) -> list[int]:
        """The keys whose totals have room: the leading ones first, in their order."""
        widest = max((f.number.width for f in self._figures), default=0.0)
        crowded = widest + 0.06 > self.chart.x.pitch
        wanted = [k for k in self._leading if k in keys]
        wanted += [int(k) for k in keys if not crowded and k not in wanted]
        chosen: list[int] = []
        for k in wanted if self._figures else []:
            own = self._figures[k].number
            middle, half = own.get_center(), (own.width / 2, own.height / 2)
            inside = middle[0] + half[0] < self.chart.area.right + self.beside + 0.02
            others = [self._figures[other].number for other in chosen]
            apart = all(
                abs(middle[0] - other.get_center()[0]) > half[0] + other.width / 2
                or abs(middle[1] - other.get_center()[1]) > half[1] + other.height / 2
                for other in others
            )
            if inside and apart:
                chosen.append(k)
        return chosen

    # Motion

    def fly(
        self, key: int, points: ArrayLike, *, lag: float = 0.35, run_time: float = 2.0
    ) -> Drive:
        """Move the slivers of a key from points (G, 3), such as dials, onto its stack.

        Each starts `lag` of a flight after the one before it; with a lag of 0, all at once.
        """
        start = np.asarray(points, dtype=float)

        def show(share: NDArray[np.float64]) -> None:
            if not self.chart.placed:
                return
            self._flight_starts[key] = start if share < 1 else np.nan
            self._set_arrival(
                key, in_turn(float(share), len(start), 1 / (1 + lag * (len(start) - 1)))
            )
            self.redraw()

        return Drive(self, show, 0.0, 1.0, run_time=run_time, rate_func=linear)

    def grow(self, keys: Sequence[int] | None = None, *, lag: float = 0.5, **options: Any) -> Drive:
        """Grow stacks from the bottom, sliver by sliver, one key after another."""
        chosen = list(range(len(self._landed)) if keys is None else keys)
        each = 1 / (1 + lag * max(0, len(chosen) - 1))
        n_slivers = self._landed.shape[1]

        def show(share: NDArray[np.float64]) -> None:
            for key, far in zip(chosen, in_turn(float(share), len(chosen), each), strict=True):
                self._set_arrival(key, np.clip(far * n_slivers - np.arange(n_slivers), 0.0, 1.0))
            self.redraw()

        return Drive(self, show, 0.0, 1.0, **options)

    def sink(self, key: int, *, run_time: float = 1.2) -> Drive:
        """Lower a stack by its negative slivers, so that its top is the total."""

        def show(share: NDArray[np.float64]) -> None:
            self._sunk[key] = float(share)
            self.redraw()

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def _set_arrival(self, key: int, landed: NDArray[np.float64]) -> None:
        """Set how far each sliver of a key has arrived, in stacking order."""
        self._landed[key, self._order(self.state)[key]] = landed

    def lie_down(
        self, cells: Sequence[Region], colors: Sequence[str], *, run_time: float = 2.0
    ) -> Drive:
        """Move each complete stack into its cell (T,), and give it the cell's colour.

        The numbers disappear first. Afterwards nothing is read from the stacks, and bars or a
        matrix can replace them.
        """

        def show(share: NDArray[np.float64]) -> None:
            if self.chart.placed:
                self.redraw()
                self._sink(cells, colors, float(share))

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def _sink(self, cells: Sequence[Region], colors: Sequence[str], share: float) -> None:
        """Draw the stacks at the fraction `share` of the way into their cells."""
        rects, kinds = self._rectangles(self.state), self._kinds(self.state)
        boxes, goals = self._bounds(rects), np.array([_box(cell) for cell in cells])
        self._lying, standing = share > 0, rects.copy()
        for key in map(int, np.flatnonzero((self._landed >= 1).all(axis=1))):
            now = boxes[key] + (goals[key] - boxes[key]) * share
            inside = np.clip(rects[key], *boxes[key][[1, 3]]) * [0, 1, 0, 1]
            inside += rects[key] * [1, 0, 1, 0]
            rects[key] = _map_rectangles(inside, boxes[key], now)
            self.blocks[key].set_points(rectangles(*now[:, None]))
            self.blocks[key].set_fill(mix(self._color, colors[key], share), min(1.0, 2 * share))
        for figure in self._figures:
            figure.number.set_fill(opacity=0.0)
        if share > 0:
            self._paint(rects, kinds)
            self.gaps.clear_points()
            taken = standing[(self._landed > 0) & (kinds == TAKES)]
            self.taken.set_points(rectangles(*taken.T) if len(taken) else np.zeros((0, 3)))
            self.hatch.set_points(_hatched(taken))
            self._fade_taken(max(0.0, 1 - 4 * share))
        if share == 1:
            self.foot.clear_points()
            self.tops.clear_points()

    def _fade_taken(self, share: float) -> None:
        self.taken.set_fill(opacity=share).set_stroke(opacity=share)
        self.hatch.set_stroke(opacity=share)

    def _bounds(self, rects: NDArray[np.float64]) -> NDArray[np.float64]:
        """The box of each total, from zero on: (T, G, 4) to (T, 4)."""
        ends = self.chart.y.at(np.stack([0 * self.state.sum(axis=1), self.state.sum(axis=1)]))
        sides = rects[:, 0, ::2]
        return np.stack([sides[:, 0], ends.min(axis=0), sides[:, 1], ends.max(axis=0)], axis=1)

    # Readings

    def readings(self) -> Iterator[Reading]:
        """The height of each sliver that has arrived, the grey bottom, the sum, and the totals."""
        if not self.chart.placed:
            return
        if not self._lying:
            yield from self._heights()
        for figure in self._figures:
            if is_visible(figure.number) and not self._lying:
                [key] = self._keys([figure.number.get_center()[0]])
                if self._totals is not None:
                    yield Reading(self._totals[key], figure.number.value, 1e-9)

    def _heights(self) -> Iterator[Reading]:
        y = self.chart.y
        pieces: dict[int, list[tuple[Kind, float, float]]] = {}
        for kind, path in enumerate((self.foot, self.tops, self.taken)):
            if not is_visible(path):
                continue
            edges = rectangle_edges(path.points)
            keys, ends = self._keys(edges[:, ::2].mean(axis=1)), y.read(edges[:, 1::2].T)
            each = zip(self._drawn_slivers.get(kind, []), keys, ends.T.tolist(), strict=True)
            for (owner, sliver), key, (low, high) in each:
                if self._landed[owner, sliver] < 1:
                    continue
                pieces.setdefault(key, []).append((kind, low, high))
                if self._hanging and self._sunk[owner] > 0 and (self.state[owner] < 0).any():
                    continue
                says = low - high if kind == TAKES else high - low
                yield Reading(self.shown[key, int(sliver)], says, y.scaling.within(1.0))
        for key, found in pieces.items():
            still = (self._landed[key] >= 1).all() and self._sunk[key] in (0.0, 1.0)
            if still and self._is_original:
                yield from self._sums(key, found)

    def _sums(self, key: int, pieces: list[tuple[Kind, float, float]]) -> Iterator[Reading]:
        within = self.chart.y.scaling.within(1.0)
        feet = [high for kind, _, high in pieces if kind == STEADY]
        if self._plinth is not None:
            yield Reading(self._plinth[key], max(feet, default=0.0), within)
        if self._totals is not None:
            taken = [low for kind, low, _ in pieces if kind == TAKES]
            tops = [high for kind, _, high in pieces if kind != TAKES]
            top, foot = max(tops, default=0.0), min(taken, default=0.0)
            if not self._hanging:
                says = foot if taken else top
            elif self._sunk[key] < 1:
                says = top + foot
            else:
                says = top if self.state[key].sum() >= 0 else foot
            yield Reading(self._totals[key], says, within)

    def _keys(self, x: ArrayLike) -> list[int]:
        """The keys at positions along the chart."""
        slots = np.rint(self.chart.x.read(x)).clip(0, len(self._landed) - 1)
        keys: list[int] = slots.astype(int).tolist()
        return keys


def _box(cell: Region) -> tuple[float, float, float, float]:
    return cell.left, cell.bottom, cell.right, cell.top


def _map_rectangles(
    rects: NDArray[np.float64], box: NDArray[np.float64], to: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Map rectangles (G, 4) from one box to another."""
    old, new = np.maximum(box[2:] - box[:2], 1e-9), to[2:] - to[:2]
    corners = (rects.reshape(-1, 2, 2) - box[:2]) / old * new + to[:2]
    return np.asarray(corners.reshape(-1, 4))


def _hatched(rects: NDArray[np.float64]) -> NDArray[np.float64]:
    """Slanted lines inside rectangles (N, 4); (4 M, 3)."""
    starts, ends = [], []
    for left, bottom, right, top in rects:
        high = top - bottom
        for x in np.arange(left - high, right, _HATCH):
            low_x, high_x = max(x, left), min(x + high, right)
            if high_x > low_x:
                starts.append((low_x, bottom + low_x - x, 0.0))
                ends.append((high_x, bottom + high_x - x, 0.0))
    return straight(np.array(starts).reshape(-1, 3), np.array(ends).reshape(-1, 3))
