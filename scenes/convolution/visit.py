"""Frames that go from window to window over one matrix, and from cell to cell over another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.cell_outlines import draw_around, in_steps
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.stage import Picture, Reading
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.theme import Role, theme

Stop = tuple[int, int]
_NEAR, _WITHIN = 0.02, 1e-6
_OPENS = 0.3
"""How long a cell takes to open, as a share of the time of a stop."""


class Visit(Picture):
    """A frame around a square window of `source`, and one around the cell of `out` it makes.

    `rule` says what the numbers of a window make; it is held against the cell. Cells of `out` are
    opened on arrival.
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
        self.spot = (0.0, 0.0)
        """The stop at which it is, or between two."""

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw both frames."""
        i, j = self.spot
        draw_around(self.window, self._source.lattice, [(i, j, self._side, self._side)])
        draw_around(self.target, self._out.lattice, [(i, j, 1, 1)])

    def come(self, *, run_time: float = 0.6) -> Drive:
        """Let the frames appear where they are."""

        def show(seen: float) -> None:
            for frame in (self.window, self.target):
                frame.set_stroke(opacity=seen)

        return self.drive(show, 0.0, 1.0, run_time=run_time)

    def step_to(self, *stop: int, run_time: float = 0.7) -> Drive:
        """Let them go to another stop; no cell opens."""
        start, end = np.array(self.spot), np.array(stop, dtype=float)
        return self.drive(
            lambda share: self._stand(start + (end - start) * share), 0.0, 1.0, run_time=run_time
        )

    def open_cell(self, *, run_time: float = 0.5) -> tuple[Drive, Drive]:
        """Let what the window makes appear in its cell."""
        i, j = (round(x) for x in self.spot)
        return self.walk([(i, j)], run_time=run_time)

    def walk(self, stops: list[Stop], *, run_time: float) -> tuple[Drive, Drive]:
        """Let them visit stops one after another, and each cell of `out` open on arrival."""
        path = np.array([self.spot, *stops], dtype=float)  # (stops + 1, 2)
        opened, n = self._out.opened, len(stops)

        def go(place: float) -> None:
            now = min(int(place), n - 1)
            self._stand(path[now] + (path[now + 1] - path[now]) * (place - now))

        def fill(place: NDArray[np.float64]) -> None:
            sizes = opened.copy()
            for k, stop in enumerate(stops):
                arrived = (float(place) - k - 1) / _OPENS + 1
                sizes[stop] = max(sizes[stop], min(1.0, max(0.0, arrived)))
            self._out.open_to(sizes)

        pace: dict[str, Any] = {"run_time": run_time, "rate_func": in_steps(n)}
        return self.drive(go, 0.0, n, **pace), Drive(self._out, fill, 0.0, n, **pace)

    def readings(self) -> Iterator[Reading]:
        """What the framed window makes, for the framed cell, while both rest."""
        if not len(self.window.points):
            return
        source = np.array(self._source.lattice.at(_middle(self.window))) - (self._side - 1) / 2
        out = np.array(self._out.lattice.at(_middle(self.target)))
        (i, j), cell = np.rint(source).astype(int), np.rint(out).astype(int)
        if max(np.abs(source - (i, j)).max(), np.abs(out - cell).max()) < _NEAR:
            says = self._rule(self._source.table[i : i + self._side, j : j + self._side])
            yield Reading(self.shown[int(cell[0]), int(cell[1])], says, _WITHIN)

    def drive(
        self, set_to: Callable[[float], None], start: float, end: float, **options: Any
    ) -> Drive:
        """Run from one number to another, and draw what each makes."""

        def show(share: NDArray[np.float64]) -> None:
            set_to(float(share))
            self.show(self.state)

        return Drive(self, show, start, end, **options)

    @property
    def resting(self) -> bool:
        """Whether it is at a stop, and frames are drawn."""
        return bool(len(self.window.points)) and all(x == round(x) for x in self.spot)

    def _stand(self, spot: NDArray[np.float64]) -> None:
        self.spot = float(spot[0]), float(spot[1])


def _middle(path: VMobject) -> NDArray[np.float64]:
    return np.asarray((path.points.min(axis=0) + path.points.max(axis=0)) / 2)
