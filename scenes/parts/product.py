"""A product of two matrices, in which a row and a column meet in a cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from manim import Animation, VGroup, linear, smooth
from numpy.typing import NDArray

from clockhead.scenes.facts import format_fact
from clockhead.scenes.parts.cell_outlines import in_steps
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.matrix_moves import slide_cells
from clockhead.scenes.parts.product_layout import Arrangement, Form, Meeting, Needs, ProductPlan
from clockhead.scenes.parts.product_sum import PairSum
from clockhead.scenes.stage import Size, Value
from clockhead.scenes.stage.shown import Passing
from clockhead.scenes.style.motion import Drive, FadeIn
from clockhead.scenes.style.shape import Shapes
from clockhead.scenes.style.text import Formula, text_width
from clockhead.scenes.style.theme import Role, theme
from clockhead.scenes.style.type import MIN_SIZE

_SIGN = 32.0
_NUMBER_AIR = 0.14
_NUMBER_HEIGHT = 0.23
_SAME = 1e-6
_SHAPES: tuple[Form, ...] = ("corner", "tower", "row")
Spec = Sequence[str] | str


class Product(Shapes):
    """`left` (n, m) times `right` (m, p) is `out` (n, p): a row and a column meet in a cell.

    Each is a value, or a `Matrix`; one that is already placed stays there until `come`. `rows` are
    the names of the rows of left and out, `columns` those of the columns of right, and `inner`
    those of the shared dimension. `signs` are formulas for the three, in the colours of the
    `roles`. Colours range from -`bound` to `bound`, by default the largest absolute value of the
    two factors; `out_bound` is that of the product. With `lying`, the right factor is given as (p,
    m) and drawn transposed. Cells are at least `least_cell` wide and high, and at least
    `least_width` wide.
    """

    def __init__(
        self,
        left: Value | Matrix,
        right: Value | Matrix,
        out: Value | Matrix,
        *,
        roles: tuple[Role, Role, Role],
        signs: tuple[str, str, str] | None = None,
        rows: Value | None = None,
        columns: Value | None = None,
        inner: Value | None = None,
        spec: Spec = (".4g", ".2f", ".1f"),
        out_spec: Spec | None = None,
        bound: float | None = None,
        out_bound: float | None = None,
        lying: bool = False,
        frame: Role = "token",
        least_cell: float = 0.24,
        least_width: float = 0.0,
        most_cell: float = 0.9,
        **look: Any,
    ) -> None:
        super().__init__()
        least = max(_largest(left), _largest(right)) if bound is None else bound
        most = _largest(out) if out_bound is None else out_bound
        specs = (spec, spec, spec if out_spec is None else out_spec)
        words = ((rows, inner), (inner, columns), (rows, columns))
        bounds, self._spec = (least, least, most), specs
        self.left, self.right, self.out = (
            given
            if isinstance(given, Matrix)
            else Matrix(
                given,
                rows=words[k][0],
                columns=words[k][1],
                role=roles[k],
                low=-bounds[k],
                high=bounds[k],
                spec=specs[k],
                lying=lying and k == 1,
                most_cell=most_cell,
                aspect=None,
                **look,
            )
            for k, given in enumerate((left, right, out))
        )
        self.matrices = self.left, self.right, self.out
        _check(*self.matrices)
        self.roles, self.most_cell = roles, most_cell
        self.least_cell, self.least_width = least_cell, max(least_cell, least_width)
        self.counts = (self.left.n_rows, self.left.n_columns, self.right.n_columns)
        ink = [theme().text_color(role) for role in roles]
        written = [Formula(s, size=_SIGN, color=c) for s, c in zip(signs or (), ink, strict=False)]
        self.signs = VGroup(*written)
        self.sign_sizes = [Size(s.width, s.height) for s in written] or [Size(0.0, 0.0)] * 3
        self.operators = VGroup()
        self.frames = Meeting(*self.matrices, frame)
        self.plan: ProductPlan | None = None
        self.waiting = [matrix for matrix in self.matrices if matrix.placed]

    # Position

    @property
    def ways(self) -> list[Arrangement]:
        """Alternatives for `fit`: corner, tower and row, with ever shorter numbers, then none."""
        cell, least = self.least_cell, self.least_width
        widths = [self._number_width(k) for k in range(self._n_specs)]
        sizes = [Size(max(least, width), max(cell, _NUMBER_HEIGHT)) for width in widths]
        bare = Size(least, cell)
        needs = Needs(self.matrices, self.sign_sizes, self.most_cell)
        return [
            Arrangement(needs, self.stand, shape, size)
            for size in [*sizes, bare]
            for shape in _SHAPES
        ]

    def stand(self, plan: ProductPlan) -> None:
        """Draw the product as planned; a matrix that is already placed stays where it is."""
        self.plan = plan
        for matrix, cells in zip(self.matrices, plan.cells, strict=True):
            if matrix not in self.waiting:
                matrix.place_cells(cells, size=plan.size)
        if self.out not in self.waiting:  # its names are already at the factors
            self.out.words_to(0.0, rows=plan.shape != "tower")
        for sign, middle in zip(self.signs, plan.signs, strict=False):
            sign.move_to(middle)
        if plan.shape == "row":
            a, b, c = plan.cells
            for text, x in (("times", (a.right + b.left) / 2), ("=", (b.right + c.left) / 2)):
                self.operators.add(Formula(text, size=_SIGN).move_to((x, b.center[1], 0.0)))
        self.add(*self.matrices, self.signs, self.operators, self.frames)

    def line(
        self,
        i: int,
        j: int,
        *,
        spec: str = ".4g",
        out_spec: str = ".4g",
        plain: bool = False,
        size: float = 28.0,
    ) -> PairSum:
        """Cell (i, j) written as a sum, for `multiply`; the stage places it."""
        look: dict[str, Any] = {"spec": spec, "out_spec": out_spec, "plain": plain, "size": size}
        line = PairSum(self.matrices, (i, j), self.roles, **look)
        self.add(line)
        return line

    # Motion

    def empty(self) -> Self:
        """Hide the numbers of the product until they are computed."""
        self.out.empty()
        return self

    def come(self, *, run_time: float = 1.5) -> list[Animation]:
        """Slide the matrices that were already on screen into place, and fade in the rest."""
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
        others = [m for m in self.matrices if m not in self.waiting]
        new = [*others, self.signs, self.operators]
        self.waiting = []
        return [*slides, *(FadeIn(part, run_time=run_time) for part in new if len(part))]

    def meet(self, i: int, j: int, *, run_time: float = 1.0) -> Drive:
        """Move the frames to row i, column j, and the cell where they meet."""
        return self._move_frames([(i, j)], self.out.opened, smooth, run_time)

    def fill(self, *, run_time: float | None = None) -> Drive:
        """Fill all cells that are still empty, row by row, with the frames moving along."""
        n, _, p = self.counts
        return self._fill([(i, j) for i in range(n) for j in range(p)], run_time)

    def fill_row(self, i: int, *, run_time: float | None = None) -> Drive:
        """Fill the remaining cells of row i."""
        return self._fill([(i, j) for j in range(self.counts[2])], run_time)

    def let_go(self, *, run_time: float = 0.5) -> Drive:
        """Fade out the frames."""
        frames = self.frames

        def show(seen: NDArray[np.float64]) -> None:
            frames.draw(seen=float(seen), at=frames.drawn.at if seen > 0 else None)

        return Drive(self, show, 1.0, 0.0, run_time=run_time)

    def multiply(self, line: PairSum, *, run_time: float | None = None) -> Drive:
        """Move pairs of numbers into their line one after another, and add them up in the cell.

        Call `meet` for its cell first; raises ValueError if the frames are elsewhere.
        """
        if (at := self.frames.drawn.at) != line.spot:
            raise ValueError(f"the frames must meet at {line.spot} first, not {at}")
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

    # Drawing

    @property
    def _n_specs(self) -> int:
        return max(len(matrix.scale_now.spec) for matrix in self.matrices)

    def _number_width(self, k: int) -> float:
        """Minimum width of cells for numbers in the k-th format of each matrix, or its last one."""
        widths = [0.0]
        for matrix in self.matrices:
            for spec in matrix.scale_now.spec[: k + 1][-1:]:
                texts = {format_fact(float(x), spec, matrix.value.unit) for x in matrix.table.flat}
                widths += [text_width(text, MIN_SIZE) + _NUMBER_AIR for text in texts]
        return max(widths)

    def _point_at(self, line: PairSum, now: int, share: float) -> None:
        """Frame the current pair; none once the sum is written."""
        pairs, step = [line.pairs[0], *line.pairs], min(1.0, 4 * share)
        is_written = now == len(line.pairs)
        pair = None if is_written else pairs[now] + (pairs[now + 1] - pairs[now]) * step
        self.frames.draw(pair=pair)

    def _fill(self, cells: list[tuple[int, int]], run_time: float | None) -> Drive:
        opened = self.out.opened
        coming = [cell for cell in cells if opened[cell] < 1] or cells[-1:]
        seconds = min(6.0, 0.6 + 0.25 * len(coming)) if run_time is None else run_time
        target = opened.copy()
        target[tuple(np.transpose(coming))] = 1.0
        return self._move_frames(coming, target, in_steps(len(coming)), seconds)

    def _move_frames(
        self, cells: list[tuple[int, int]], target: NDArray[np.float64], rate: Any, run_time: float
    ) -> Drive:
        """Move the frames from cell to cell, and open cells to the sizes `target`, (n, p)."""
        frames, opened, n = self.frames, self.out.opened, len(cells)
        is_new, start = frames.drawn.at is None, frames.drawn.at or cells[0]
        path = np.array([start, *cells], dtype=float)  # (n + 1, 2)
        arrival = np.full(opened.shape, np.inf)
        arrival[tuple(np.transpose(cells))] = np.arange(n) + 1.0

        def show(place: NDArray[np.float64]) -> None:
            now = min(int(place), n - 1)
            share = float(place) - now
            spot = path[now] + (path[now + 1] - path[now]) * share
            seen = max(0.01, min(1.0, 2 * float(place))) if is_new else frames.drawn.seen
            frames.draw(at=(float(spot[0]), float(spot[1])), seen=seen, moves=0 < share < 1)
            come = np.clip(2 * (float(place) - arrival) + 2, 0, 1)  # opens on the last half step
            self.out.open_to(np.maximum(opened, np.minimum(come, target)))

        return Drive(self, show, 0.0, float(n), run_time=run_time, rate_func=rate)


def _largest(factor: Value | Matrix) -> float:
    """The largest absolute value of a factor."""
    array = factor.table if isinstance(factor, Matrix) else factor.array
    return float(np.abs(array).max()) or 1.0


def _check(left: Matrix, right: Matrix, out: Matrix) -> None:
    """Check that `out` is the product of `left` and `right`.

    Raises:
        ValueError: if shapes or numbers do not match.
    """
    shapes = [matrix.table.shape for matrix in (left, right, out)]
    (n, m), (m_too, p), whole = shapes
    if m != m_too or whole != (n, p):
        raise ValueError(f"{shapes[0]} times {shapes[1]} is not {whole}")
    off = np.abs(left.table @ right.table - out.table).max()
    if off > _SAME * max(1.0, np.abs(out.table).max()):
        raise ValueError(
            f"{left.shown.name} times {right.shown.name} is off {out.shown.name} by {off:.3g}"
        )
