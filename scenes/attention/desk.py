"""Where the line of attention is worked out: its formula, and three tables of which two make one.

The formula stands at the top from shot to shot. What has been worked out is put away into its
letter there, which lights up, and is brought from there when it is needed: so only what is in use
is on the desk. A product always stands alike: what it takes at the left and on top, what it makes
where they meet; on a tall page one over the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import VGroup, VMobject, config, rush_into
from numpy.typing import NDArray

from clockhead.model.attention.worked_head import WorkedHead
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.matrix_layout import GAP as WORD_GAP
from clockhead.scenes.parts.matrix_moves import slide_cells
from clockhead.scenes.parts.product import Product
from clockhead.scenes.parts.product_layout import ProductPlan
from clockhead.scenes.parts.table import rows
from clockhead.scenes.stage import Column, Room, Row, Size, Stage, fit
from clockhead.scenes.style.layout import MARGIN, SHORT_SIDE, Region
from clockhead.scenes.style.motion import Drive, recolor
from clockhead.scenes.style.text import Formula, text_width
from clockhead.scenes.style.theme import Role, theme
from clockhead.scenes.style.type import LABEL

GIVEN = (".2f", ".1f", ".0f")
"""How numbers that are given are written, the best first."""
COMPUTED = (".3f", ".2f", ".1f", ".0f", ".1e", ".0e")
"""How numbers that are computed are written, and those in the table of who asks whom."""
FINE = (".4f", *COMPUTED)
SHARES = (".3f", ".2f", ".1f")
"""How shares of attention are written."""

SIGNS: dict[str, tuple[str, Role]] = {
    "softmax": ('op("softmax")', "token"),
    "open": ("\\(", "token"),
    "query": ("Q", "query"),
    "key": ("K", "key"),
    "turned": ("^top", "key"),
    "root": ("\\/ sqrt(d)", "token"),
    "close": ("\\)", "token"),
    "value": ("V", "value"),
}
"""The terms of the formula, each with its colour."""

_FOOT, _SENTENCE = 0.4, 0.37
"""The height of what stands around the sentences, and of a line of them, in units."""
_NUMBER, _SIGN_SIZE, _FORMULA = 36.0, 40.0, 46.0
"""The sizes of numbers in cells, of signs at tables and of the formula, in pixels."""
_STRIP, _SUM, _OVER, _SIGN, _SEAM = 0.8, 1.2, 0.65, 0.85, 0.35
"""The heights of the formula, of a sum and of a sign over a table; the width of one beside it, and
the room between two tables, in units."""
_WIDE, _HIGH = 1.7, 0.8
"""How wide and high cells may be."""
_CELL = Size(0.4, 0.2)
_READABLE = Size(0.9, 0.42)
"""The least size of a cell, and one in which numbers are read at ease."""
_TOLD = Size(3.4, 2.4)
"""The least room for what is told beside the table of who asks whom."""


def steady(canvas: Region) -> Region:
    """The same canvas for every stage of this film, however long its sentences are."""
    frame = Region.frame(config.frame_width, config.frame_height).inset(MARGIN)
    lines = 3 if frame.width < SHORT_SIDE else 2
    bottom = frame.bottom + _FOOT + lines * _SENTENCE
    return Region(canvas.left, max(bottom, canvas.bottom), canvas.right, canvas.top)


def rows_of(
    stage: Stage, path: str, role: Role = "residual", *, named: bool = True, **options: Any
) -> Matrix:
    """A matrix with a row for every token, (T, d_model), in two colours."""
    spec = GIVEN if path in ("resid_pre", "w_q", "w_k", "w_v") else COMPUTED
    look: dict[str, Any] = {"spec": spec, "least_cell": _CELL, "most_number": _NUMBER}
    return rows(stage[path], stage["tokens"] if named else None, role, **(look | options))


def grid_of(stage: Stage, path: str, **options: Any) -> Matrix:
    """A table of who asks whom, (T, T), words at its rows and columns; shares from 0 to 1."""
    look: dict[str, Any] = {"columns": stage["tokens"], "spec": FINE}
    look |= {"least_cell": _CELL, "most_number": _NUMBER, "most_cell": 1.9}
    if path == "pattern":
        look |= {"low": 0.0, "high": 1.0, "spec": SHARES, "mask": "causal", "role": "attention"}
    return rows(stage[path], stage["tokens"], **({"role": "score"} | look | options))


def formula_of(*lit: str, size: float = _FORMULA, root: bool = True) -> Equation:
    """The formula, with the terms that have been worked out in their colours."""
    signs = {name: sign for name, sign in SIGNS.items() if root or name != "root"}
    terms = [(name, markup) for name, (markup, _) in signs.items()]
    formula = Equation(terms, size=size, color=theme().muted)
    for name in lit:
        if name in signs:
            formula.term(name).set_fill(theme().text_color(signs[name][1]))
    return formula


class Desk:
    """The places on the canvas of a stage about a worked head. See the module."""

    def __init__(self, stage: Stage, *lit: str, root: bool) -> None:
        head = stage.values
        assert isinstance(head, WorkedHead)
        self.canvas = canvas = steady(stage.canvas)
        self._words = max(text_width(token, LABEL) for token in head.tokens) + WORD_GAP
        self.strip, self.below = canvas.cut_top(_STRIP, gap=0.1)
        self.formula = self.stand_on_top(formula_of(*lit, root=root))
        grid, told = Room(Size(2.0, 2.0)), Room(_TOLD)
        beside, under = (kind(grid, told, gap=0.6, weights=(5, 4)) for kind in (Row, Column))
        fit(self.below, *((beside, under) if self.below.wide else (under, beside)))
        self._grid, self.told = grid.region, told.region
        self.way = self.below.center - self._grid.center
        """From where such a table stands beside what is told to the middle."""

    def stand_on_top(self, formula: Equation) -> Equation:
        """Let a formula stand at the left of the strip, or in its middle on a tall page."""
        strip, width = self.strip, formula.most.width
        right = strip.left + width if self.canvas.wide else strip.right
        formula.place(Region(strip.left, strip.bottom, right, strip.top))
        return formula

    def lay(self, *grids: Matrix) -> None:
        """Let tables of who asks whom stand in the middle."""
        cells, _, self.words = grids[0].plan.spot_in(self._grid)
        x, y, _ = self.way
        middle = Region(cells.left + x, cells.bottom + y, cells.right + x, cells.top + y)
        for grid in grids:
            grid.place_cells(middle, size=self.words)

    def aside(self, *parts: VMobject, back: bool = False, run_time: float = 1.0) -> Drive:
        """Let what stands in the middle make room beside it, or come back."""
        way, done = self.way * (1 if back else -1), [0.0]

        def show(share: NDArray[np.float64]) -> None:
            for part in parts:
                part.shift(way * (float(share) - done[0]))
            done[0] = float(share)

        return Drive(VGroup(*parts), show, 0.0, 1.0, run_time=run_time)

    # A product

    def stand(self, product: Product, left: str, right: str) -> Region:
        """Let a product stand with these signs; what is left for a sum is returned."""
        over = _OVER if left else _SEAM / 2
        corner, tower = self._corner(product, self.canvas, over), self._tower(product)
        if corner[1].right < max(term.get_right()[0] for term in self.formula.terms.values()):
            corner = self._corner(product, self.below, over)
        cells, room = max(corner, tower, key=lambda way: _ease(way[0], product.counts))
        nowhere, top = np.zeros(3), cells[1].top
        free = Region(room.left, top, room.left, top)
        shape = "corner" if cells is corner[0] else "tower"
        product.stand(ProductPlan(shape, cells, (nowhere,) * 3, free, LABEL))  # type: ignore[arg-type]
        one, two, _ = cells
        beside = one.right + _SIGN / 2 if shape == "tower" else one.left - self._words / 2
        high = one.center[1] if shape == "tower" else one.top + _OVER / 2
        for sign, role, place in (
            (left, product.roles[0], (beside, high, 0.0)),
            (right, product.roles[1], (two.right + _SIGN / 2, two.center[1], 0.0)),
        ):
            if not sign:
                continue
            product.signs.add(Formula(sign, size=_SIGN_SIZE, color=role).move_to(place))
        return room

    def _corner(self, product: Product, area: Region, over: float) -> tuple[Any, Region]:
        n, m, p = product.counts
        seam = _SEAM + (self._words if product.right.plan.row_names is not None else 0.0)
        fixed = self._words + seam + _SIGN
        wide = min(_WIDE, (area.width - fixed) / (m + p))
        _, above = product.right.plan.margins(wide, LABEL)
        high = min(_HIGH, (area.height - above - _SEAM) / (n + m), 0.8 * wide)
        spare = area.width - fixed - (m + p) * wide
        x, y = area.left + self._words + spare / 2, area.top - above - m * high
        one = Region(x, y - _SEAM - n * high, x + m * wide, y - _SEAM)
        two = Region(one.right + seam, y, one.right + seam + p * wide, y + m * high)
        three = Region(two.left, one.bottom, two.right, one.top)
        right = two.left + _SEAM - seam - 0.2
        room = Region(area.left, one.top + over, right, self.strip.bottom)
        return (one, two, three), room

    def _tower(self, product: Product) -> tuple[Any, Region]:
        n, m, p = product.counts
        room, area = self.below.cut_bottom(_SUM, gap=0.2)
        wide = min(_WIDE, (area.width - self._words - _SIGN) / max(m, p))
        _, above = product.right.plan.margins(wide, LABEL)
        high = min(_HIGH, (area.height - above - 2 * _SEAM) / (n + m + n))
        spare = area.width - self._words - _SIGN - max(m, p) * wide
        x, y = area.left + self._words + spare / 2, area.top
        one = Region(x, y - n * high, x + m * wide, y)
        top = one.bottom - _SEAM - above
        two = Region(x, top - m * high, x + p * wide, top)
        top = two.bottom - _SEAM
        return (one, two, Region(x, top - n * high, x + p * wide, top)), room

    # Away, and back

    def letter(self, name: str) -> Region:
        """Where a letter of the formula stands."""
        return Region.around(self.formula.term(name).get_all_points())

    def put_away(self, matrix: Matrix, name: str, *, run_time: float = 1.2) -> tuple[Drive, ...]:
        """Let a table go into a letter of the formula, which lights up."""
        opened = matrix.opened

        def close(share: NDArray[np.float64]) -> None:
            matrix.open_to(opened * (1 - float(share)))
            matrix.fade_lines(1 - float(share))

        names = [name, "turned"] if name == "key" else [name]
        return (
            slide_cells(matrix, self.letter(name), words=False, run_time=run_time),
            Drive(matrix, close, 0.0, 1.0, run_time=run_time, rate_func=rush_into),
            *self.light(*names, run_time=run_time),
        )

    def light(self, *names: str, run_time: float = 0.8) -> list[Drive]:
        """Let terms of the formula have their colours."""
        return [
            recolor(self.formula.term(name), theme().text_color(SIGNS[name][1]), run_time=run_time)
            for name in names
        ]

    def away(self, matrix: Matrix, name: str) -> None:
        """Let a table be in a letter of the formula, at once."""
        move(matrix, self.letter(name), words=False)


def move(matrix: Matrix, cells: Region, *, words: bool | None = None) -> None:
    """Let the cells of a table that stands elsewhere fill a region, at once."""
    slide = slide_cells(matrix, cells, words=words)
    slide.begin()
    slide.finish()


def _ease(cells: tuple[Region, Region, Region], counts: tuple[int, int, int]) -> float:
    """How well numbers can be read in cells."""
    left, (n, m, _) = cells[0], counts
    return min(left.width / m / _READABLE.width, left.height / n / _READABLE.height)
