"""A product of two matrices, in which a row and a column meet in a cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from manim import VGroup

from clockhead.scenes.facts import format_fact
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.product_frames import Meeting
from clockhead.scenes.parts.product_layout import Plan, Shape, Way
from clockhead.scenes.parts.product_moves import ProductMoves
from clockhead.scenes.parts.product_sum import PairSum
from clockhead.scenes.stage import Size, Value, fit
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.text import Formula, text_width
from clockhead.scenes.style.theme import Role, theme
from clockhead.scenes.style.type import MIN_SIZE

_SIGN = 32.0
_NUMBER_AIR = 0.14
_NUMBER_HEIGHT = 0.23
_SAME = 1e-6
_SHAPES: tuple[Shape, ...] = ("corner", "tower", "row")
Spec = Sequence[str] | str


class Product(ProductMoves):
    """`left` (n, m) times `right` (m, p) is `out` (n, p): a row and a column meet in a cell.

    Each is a value, or a `Matrix`; one that has been placed stays there until `come`. `rows` are
    words at the rows of left and out, `columns` over those of right, `inner` at what they share.
    `signs` are formulas in the colours of the `roles`. Shades run from minus to plus `bound`, by
    default the largest of both factors, and `out_bound`. `lying` lays the right factor, given as
    (p, m), on its side. Cells are `least_cell` wide and high at least, or `least_width` wide.
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
        self.plan: Plan | None = None
        self.waiting = [matrix for matrix in self.matrices if matrix.placed]

    # Where it stands

    @property
    def ways(self) -> list[Way]:
        """At a corner, as a tower, in a row: with room for the best numbers, shorter ones, none."""
        cell, least = self.least_cell, self.least_width
        widths = [self._number_width(k) for k in range(self._n_specs)]
        sizes = [Size(max(least, width), max(cell, _NUMBER_HEIGHT)) for width in widths]
        bare = Size(least, cell)
        return [Way(self, shape, size) for size in [*sizes, bare] for shape in _SHAPES]

    @property
    def least(self) -> Size:
        return self.ways[0].least

    @property
    def most(self) -> Size:
        return self.ways[0].most

    def place(self, region: Region) -> None:
        """Stand in the middle of a region, in the first of its `ways` that fits there."""
        fit(region, *self.ways)

    def stand(self, plan: Plan) -> None:
        """Stand as planned; a matrix that stands already waits where it is."""
        self.plan = plan
        for matrix, cells in zip(self.matrices, plan.cells, strict=True):
            if matrix not in self.waiting:
                matrix.place_cells(cells, size=plan.size)
        if self.out not in self.waiting:  # its words stand at the factors already
            self.out.words_to(0.0, rows=plan.shape != "tower")
        for sign, middle in zip(self.signs, plan.signs, strict=False):
            sign.move_to(middle)
        if plan.shape == "row":
            a, b, c = plan.cells
            for text, x in (("times", (a.right + b.left) / 2), ("=", (b.right + c.left) / 2)):
                self.operators.add(Formula(text, size=_SIGN).move_to((x, b.center[1], 0.0)))
        self.add(*self.matrices, self.signs, self.operators, self.frames)

    @property
    def corner(self) -> Region:
        """What is free at the upper left; without area where factors stand otherwise."""
        assert self.plan is not None
        return self.plan.corner

    @property
    def rest(self) -> VGroup:
        """All of it but the product itself, to be faded when that goes on."""
        return VGroup(*(part for part in self.submobjects if part is not self.out))

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
        """Cell (i, j) written out as a sum, for `multiply`; the stage places it."""
        look: dict[str, Any] = {"spec": spec, "out_spec": out_spec, "plain": plain, "size": size}
        line = PairSum(self.matrices, (i, j), self.roles, **look)
        self.add(line)
        return line

    @property
    def _n_specs(self) -> int:
        return max(len(matrix.scale_now.spec) for matrix in self.matrices)

    def _number_width(self, k: int) -> float:
        """How wide cells must be for numbers in the format k of each, or its last."""
        widths = [0.0]
        for matrix in self.matrices:
            for spec in matrix.scale_now.spec[: k + 1][-1:]:
                texts = {format_fact(float(x), spec, matrix.value.unit) for x in matrix.table.flat}
                widths += [text_width(text, MIN_SIZE) + _NUMBER_AIR for text in texts]
        return max(widths)


def _largest(factor: Value | Matrix) -> float:
    """The largest number of a factor, without its sign."""
    array = factor.table if isinstance(factor, Matrix) else factor.array
    return float(np.abs(array).max()) or 1.0


def _check(left: Matrix, right: Matrix, out: Matrix) -> None:
    """Refuse what is no product.

    Raises:
        ValueError: when shapes or numbers do not belong together.
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
