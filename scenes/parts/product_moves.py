"""What a product of two matrices does: rows and columns meet, pairs are multiplied, cells fill."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from manim import Animation, VGroup, linear, smooth
from numpy.typing import NDArray

from clockhead.scenes.parts.cell_outlines import in_steps
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.matrix_moves import slide_cells
from clockhead.scenes.parts.product_frames import Meeting
from clockhead.scenes.parts.product_layout import Plan
from clockhead.scenes.parts.product_sum import PairSum
from clockhead.scenes.stage.shown import Passing
from clockhead.scenes.style.motion import Drive, FadeIn
from clockhead.scenes.style.shape import Shapes


class ProductMoves(Shapes):
    """The gestures of a product: each returns an animation, which brings the product in."""

    left: Matrix
    right: Matrix
    out: Matrix
    matrices: tuple[Matrix, Matrix, Matrix]
    signs: VGroup
    operators: VGroup
    frames: Meeting
    plan: Plan | None
    counts: tuple[int, int, int]
    waiting: list[Matrix]

    def empty(self) -> Self:
        """Take the numbers of the product away, until they are made."""
        self.out.empty()
        return self

    def come(self, *, but: Matrix | None = None, run_time: float = 1.5) -> list[Animation]:
        """Let matrices that stood elsewhere slide to their places, and all others appear.

        The one to be left out, `but`, comes in a way of its own: rows may stand up into it.
        """
        assert self.plan is not None
        slides = [
            slide_cells(
                matrix,
                cells,
                size=self.plan.size,
                words=None if matrix is self.out else True,
                run_time=run_time,
            )
            for matrix, cells in zip(self.matrices, self.plan.cells, strict=True)
            if matrix in self.waiting
        ]
        others = [m for m in self.matrices if m not in self.waiting and m is not but]
        new = [*others, self.signs, self.operators]
        self.waiting = []
        return [*slides, *(FadeIn(part, run_time=run_time) for part in new if len(part))]

    def meet(self, i: int, j: int, *, run_time: float = 1.0) -> Drive:
        """Let the frames go to row i, column j, and the cell where they meet."""
        return self._visit([(i, j)], self.out.opened, smooth, run_time)

    def fill(self, *, run_time: float | None = None) -> Drive:
        """Let all cells that are not there yet come, row by row, the frames sweeping along."""
        n, _, p = self.counts
        return self._fill([(i, j) for i in range(n) for j in range(p)], run_time)

    def fill_row(self, i: int, *, run_time: float | None = None) -> Drive:
        """Let the rest of row i come."""
        return self._fill([(i, j) for j in range(self.counts[2])], run_time)

    def fill_column(self, j: int, *, run_time: float | None = None) -> Drive:
        """Let the rest of column j come."""
        return self._fill([(i, j) for i in range(self.counts[0])], run_time)

    def show_all(self, *, run_time: float = 1.5) -> Drive:
        """Let all cells come at once."""
        start = self.out.opened

        def show(share: NDArray[np.float64]) -> None:
            self.out.open_to(np.maximum(start, float(share)))

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def let_go(self, *, run_time: float = 0.5) -> Drive:
        """Let the frames fade."""
        return Drive(
            self, lambda seen: self.frames.be_seen(float(seen)), 1.0, 0.0, run_time=run_time
        )

    def multiply(self, line: PairSum, *, run_time: float | None = None) -> Drive:
        """Let pairs of numbers fly into their line one after another, and the cell add them up.

        The frames must `meet` at its cell before.
        """
        if self.frames.at != line.spot:
            raise ValueError(f"the frames must meet at {line.spot} first, not {self.frames.at}")
        goal, n, cell = self.out.value, len(line.pairs), line.spot
        states = np.repeat(goal.array[None], n, axis=0)
        states[(slice(None), *cell)] = line.partial
        low, high, opened = states.min(axis=0), states.max(axis=0), self.out.opened
        ways = [line.ways_of(k, self.left, self.right) for k in line.pairs] + [
            line.end_of(self.out)
        ]
        self.out.choose_for([*states, goal.array])

        def show(place: NDArray[np.float64]) -> None:
            now = min(int(place), n)
            share = float(place) - now
            for k, way in enumerate(ways[: now + 1]):
                for go in way:
                    go(1.0 if k < now else smooth(min(1.0, 1.25 * share)))
            line.moving = float(place) < n + 1
            self._point_at(line, now, share)
            added = min(n, now + (share >= 0.8))
            sizes = opened.copy()
            sizes[cell] = max(opened[cell], float(np.clip(5 * float(place) - 4, 0, 1)))
            if added:
                self.out.shown = Passing(goal, goal, low, high, states[added - 1])
            self.out.open_to(sizes)
            if place >= n + 1:
                self.out.set_to(goal)

        seconds = 1.4 * (n + 1) if run_time is None else run_time
        return Drive(self, show, 0.0, n + 1.0, run_time=seconds, rate_func=linear)

    # How it is done

    def _point_at(self, line: PairSum, now: int, share: float) -> None:
        """Frame the pair whose turn it is; none when the sum is written."""
        pairs = [line.pairs[0], *line.pairs]
        if now == len(line.pairs):
            self.frames.stand_at_pair(None)
        else:
            step = min(1.0, 4 * share)
            self.frames.stand_at_pair(pairs[now] + (pairs[now + 1] - pairs[now]) * step)

    def _fill(self, cells: list[tuple[int, int]], run_time: float | None) -> Drive:
        opened = self.out.opened
        coming = [cell for cell in cells if opened[cell] < 1] or cells[-1:]
        seconds = min(6.0, 0.6 + 0.25 * len(coming)) if run_time is None else run_time
        target = opened.copy()
        target[tuple(np.transpose(coming))] = 1.0
        return self._visit(coming, target, in_steps(len(coming)), seconds)

    def _visit(
        self,
        cells: list[tuple[int, int]],
        target: NDArray[np.float64],
        rate: Any,
        run_time: float,
    ) -> Drive:
        """Let the frames go from cell to cell, and cells open as far as `target` says, (n, p)."""
        frames, opened, n = self.frames, self.out.opened, len(cells)
        is_new = frames.at is None
        path = np.array([frames.at or cells[0], *cells], dtype=float)  # (n + 1, 2)
        arrival = np.full(opened.shape, np.inf)
        arrival[tuple(np.transpose(cells))] = np.arange(n) + 1.0

        def show(place: NDArray[np.float64]) -> None:
            now = min(int(place), n - 1)
            share = float(place) - now
            spot = path[now] + (path[now + 1] - path[now]) * share
            frames.moving = 0 < share < 1
            frames.stand((float(spot[0]), float(spot[1])))
            if is_new:
                frames.be_seen(max(0.01, min(1.0, 2 * float(place))))
            come = np.clip(2 * (float(place) - arrival) + 2, 0, 1)  # opens on the last half step
            self.out.open_to(np.maximum(opened, np.minimum(come, target)))

        return Drive(self, show, 0.0, float(n), run_time=run_time, rate_func=rate)
