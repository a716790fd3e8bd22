"""A filter on a picture: nine cards with weights that move from window to window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from clockhead.model.networks.filters import SIDE
from clockhead.scenes.convolution.page import NUMBER
from clockhead.scenes.parts import cells
from clockhead.scenes.parts.cell_outlines import draw_around, in_steps
from clockhead.scenes.parts.cells import CellNumbers, Lattice, ShadedCells
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.paths import rectangle_middles
from clockhead.scenes.stage import Picture, Reading
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, FadeIn
from clockhead.scenes.style.theme import Role, theme

_CARD = 0.66
"""Size of a card relative to its pixel, of which some must stay visible around it."""
_SEAM, _AIR = 0.028, 0.06
"""Gap between two cards in the filter, and how much a number may exceed its card, in units."""
_NEAR = 0.02
"""Tolerance for a card to be on its pixel, in cells."""
_ALL = np.ones((SIDE, SIDE), dtype=np.bool_)


Stop = tuple[int, int]
"""Row and column of a cell of the output, and of its window's upper left cell."""
_SAME_CELL, _WITHIN = 0.02, 1e-6
"""Tolerances for frames to be on whole cells, in cells, and of the rule's result."""
_OPENS = 0.3
"""How long a cell takes to open, as a fraction of the time of a stop."""


class Visit(Picture):
    """A frame around a square window of `source`, and one around its result, a cell of `out`.

    `rule` computes the result from the numbers of a window; readings compare it with the cell.
    Cells of `out` open when the frame arrives.
    """

    def __init__(
        self,
        source: Matrix,
        out: Matrix,
        side: int,
        rule: Callable[[NDArray[np.float64]], float],
        role: Role = "token",
    ) -> None:
        super().__init__(out.value)
        self._source, self._out, self._side, self._rule = source, out, side, rule
        self.window, self.target = (
            VMobject(stroke_color=theme().text_color(ink), stroke_width=5)
            for ink in (role, "token")
        )
        self.add(self.window, self.target)
        self.spot = np.zeros(2)
        """The current stop; fractional between two stops."""

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw both frames."""
        i, j = self.spot
        draw_around(self.window, self._source.lattice, [(i, j, self._side, self._side)])
        draw_around(self.target, self._out.lattice, [(i, j, 1, 1)])

    def appear(self, *, run_time: float = 0.6) -> FadeIn:
        """Fade in the frames at the current stop."""
        self.show(self.state)
        return FadeIn(self, run_time=run_time)

    def step_to(self, *stop: int, run_time: float = 0.7) -> Drive:
        """Move the frames to another stop without opening its cell."""
        return self.drive("spot", self.spot, stop, run_time=run_time)

    def open_cell(self, *, run_time: float = 0.5) -> tuple[Drive, Drive]:
        """Open the cell of the current stop."""
        i, j = (round(x) for x in self.spot)
        return self.walk([(i, j)], run_time=run_time)

    def walk(self, stops: list[Stop], *, run_time: float) -> tuple[Drive, Drive]:
        """Move the frames from stop to stop, and open each cell of `out` on arrival."""
        path = np.array([self.spot, *stops], dtype=float)  # (stops + 1, 2)
        opened, n = self._out.opened, len(stops)

        def go(place: NDArray[np.float64]) -> None:
            now = min(int(place), n - 1)
            self.spot = path[now] + (path[now + 1] - path[now]) * (float(place) - now)
            self.show(self.state)

        def fill(place: NDArray[np.float64]) -> None:
            sizes = opened.copy()
            for k, stop in enumerate(stops):
                arrived = (float(place) - k - 1) / _OPENS + 1
                sizes[stop] = max(sizes[stop], min(1.0, max(0.0, arrived)))
            self._out.open_to(sizes)

        pace: dict[str, Any] = {"run_time": run_time, "rate_func": in_steps(n)}
        return Drive(self, go, 0.0, n, **pace), Drive(self._out, fill, 0.0, n, **pace)

    def readings(self) -> Iterator[Reading]:
        """Compare the framed window's result with the framed cell, at a stop."""
        if not len(self.window.points):
            return
        source = (
            np.array(self._source.lattice.at(rectangle_middles(self.window.points)[0]))
            - (self._side - 1) / 2
        )
        out = np.array(self._out.lattice.at(rectangle_middles(self.target.points)[0]))
        (i, j), cell = np.rint(source).astype(int), np.rint(out).astype(int)
        if max(np.abs(source - (i, j)).max(), np.abs(out - cell).max()) < _SAME_CELL:
            says = self._rule(self._source.table[i : i + self._side, j : j + self._side])
            yield Reading(self.shown[int(cell[0]), int(cell[1])], says, _WITHIN)


class Stencil(Visit):
    """The weights of a `filter_` as cards that move from the filter onto an `image`.

    The frames claim that the sum of pixels times weights is the cell of the feature map `out`.
    """

    def __init__(self, filter_: Matrix, image: Matrix, out: Matrix) -> None:
        weights = filter_.table
        super().__init__(image, out, SIDE, lambda x: float((x * weights).sum()), "value")
        self._filter, self._weights, self._down = filter_, weights, 0.0
        self._cards = ShadedCells(filter_.ramp)
        self._numbers = CellNumbers(_ALL, unit=None, plain_zeros=False, most=NUMBER)
        self.add(self._cards, self._numbers)
        self.show(self.state)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw the cards, and the frames if the cards are on the picture."""
        scale, lattice = self._filter.scale_now, self._lattice
        step = cells.steps(self._weights, scale.low, scale.high)
        side = np.array([lattice.cell_width, lattice.cell_height])
        half = (side * (1 - (1 - _CARD) * self._down) - _SEAM) / 2
        self._cards.draw_between(lattice.middles - half, lattice.middles + half, step, _ALL)
        room = Lattice(Region(0.0, 0.0, *(SIDE * (2 * half + _AIR)).tolist()), SIDE, SIDE)
        self._numbers.choose(room, scale.spec, [self._weights])
        seen = np.full((SIDE, SIDE), float(self._down > 0))  # the filter shows its own numbers
        self._numbers.draw(lattice.middles, self._weights, step, seen, self._cards.ramp)
        if self._down >= 1:
            super().show(state)
        else:
            self.window.clear_points()
            self.target.clear_points()

    def lie_down(self, *, run_time: float = 1.5) -> Drive:
        """Move the cards from the filter onto the first window."""
        return self.drive("_down", 0.0, 1.0, run_time=run_time)

    def lift(self, *, run_time: float = 1.0) -> Drive:
        """Move the cards back to the filter."""
        return self.drive("_down", 1.0, 0.0, run_time=run_time)

    def readings(self) -> Iterator[Reading]:
        """Compare the frames' result, and the weight and the position of every card."""
        yield from super().readings()
        lattice, scale, weights = self._lattice, self._filter.scale_now, self._filter.value
        rests = self._down >= 1 and bool((self.spot == np.rint(self.spot)).all())
        for middle, step in zip(*self._cards.seen(), strict=True):
            at = lattice.nearest(middle)
            yield Reading(weights[at], float(scale.values_of(step)), scale.within)
            if rests and not self._is_on_pixel(at, middle):
                yield Reading(weights[at], "beside its pixel")
        for number in self._numbers.seen():
            meant = weights[lattice.nearest(number.middle)]
            yield Reading(meant, self._numbers.says(number, float(meant.content)), 0.0)

    def _is_on_pixel(self, at: tuple[int, int], middle: NDArray[np.float64]) -> bool:
        """Whether a card is centred on its pixel of the framed window."""
        frame, image = self.window.points, self._source.lattice
        corner = image.at((frame[:, 0].min(), frame[:, 1].max()))
        place = np.array(image.at(middle)) - corner - 0.5
        return bool(np.abs(place - at).max() < _NEAR)

    @property
    def _lattice(self) -> Lattice:
        """The cells of the cards: in the filter, on the picture, or in between."""
        (i, j), image = self.spot, self._source.lattice
        left = image.region.left + j * image.cell_width
        top = image.region.top - i * image.cell_height
        low, high = top - SIDE * image.cell_height, left + SIDE * image.cell_width
        home = self._filter.lattice.region
        start = np.array([home.left, home.bottom, home.right, home.top])
        edges = start + (np.array([left, low, high, top]) - start) * self._down
        return Lattice(Region(*edges.tolist()), SIDE, SIDE)
