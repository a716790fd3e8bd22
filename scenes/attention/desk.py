"""The layout of the stages that compute the attention formula step by step.

The formula is at the top of every shot. A matrix that has been computed shrinks into its letter in
the formula, which lights up, and comes back from there when it is needed, so the page holds only
the matrices in use. All products are laid out alike: one factor at the left, the other on top, and
the product where they meet; on a tall page, the three are below each other.
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
"""Formats of given numbers, the preferred one first."""
COMPUTED = (".3f", ".2f", ".1f", ".0f", ".1e", ".0e")
"""Formats of computed numbers, the preferred one first."""
FINE = (".4f", *COMPUTED)
"""Formats of dot products and scores."""
SHARES = (".3f", ".2f", ".1f")
"""Formats of attention weights."""

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
"""The terms of the formula: markup and colour role by name."""

_FOOT, _SENTENCE = 0.4, 0.37
"""Heights of the caption band without its text, and of a line of text, in units."""
_NUMBER, _SIGN_SIZE, _FORMULA = 36.0, 40.0, 46.0
"""Sizes of numbers in cells, of the matrices' letters and of the formula, in pixels at 720p."""
_STRIP, _SUM = 0.8, 1.2
"""Heights of the strip with the formula, and of a sum, in units."""
_OVER, _SIGN = 0.65, 0.85
"""Height of a letter above a matrix, and width of one beside it, in units."""
_SEAM = 0.35
"""Gap between two matrices, in units."""
_WIDE, _HIGH = 1.7, 0.8
"""Largest width and height of a cell, in units."""
_CELL = Size(0.4, 0.2)
"""Smallest cell, in units."""
_READABLE = Size(0.9, 0.42)
"""Size of a cell whose numbers are easy to read, in units."""
_SIDE = Size(3.4, 2.4)
"""Least room beside a (T, T) table, in units."""


def fixed_canvas(canvas: Region) -> Region:
    """The canvas, with a height that does not depend on how long a stage's sentences are."""
    frame = Region.frame(config.frame_width, config.frame_height).inset(MARGIN)
    lines = 3 if frame.width < SHORT_SIDE else 2
    bottom = frame.bottom + _FOOT + lines * _SENTENCE
    return Region(canvas.left, max(bottom, canvas.bottom), canvas.right, canvas.top)


def rows_of(
    stage: Stage, path: str, role: Role = "residual", *, named: bool = True, **options: Any
) -> Matrix:
    """A matrix with a row per token, (T, d_model), in two colours."""
    spec = GIVEN if path in ("resid_pre", "w_q", "w_k", "w_v") else COMPUTED
    look: dict[str, Any] = {"spec": spec, "least_cell": _CELL, "most_number": _NUMBER}
    return rows(stage[path], stage["tokens"] if named else None, role, **(look | options))


def grid_of(stage: Stage, path: str, **options: Any) -> Matrix:
    """A (T, T) table of dot products, scores or weights, labelled with the tokens."""
    look: dict[str, Any] = {"columns": stage["tokens"], "spec": FINE}
    look |= {"least_cell": _CELL, "most_number": _NUMBER, "most_cell": 1.9}
    if path == "pattern":
        look |= {"low": 0.0, "high": 1.0, "spec": SHARES, "mask": "causal", "role": "attention"}
    return rows(stage[path], stage["tokens"], **({"role": "score"} | look | options))


def formula_of(*lit: str, size: float = _FORMULA, root: bool = True) -> Equation:
    """The attention formula, grey except for the terms that are `lit`."""
    signs = {name: sign for name, sign in SIGNS.items() if root or name != "root"}
    terms = [(name, markup) for name, (markup, _) in signs.items()]
    formula = Equation(terms, size=size, color=theme().muted)
    for name in lit:
        if name in signs:
            formula.term(name).set_fill(theme().text_color(signs[name][1]))
    return formula


class Desk:
    """The layout of a stage about a worked head: see the module's docstring."""

    def __init__(self, stage: Stage, *lit: str, root: bool) -> None:
        head = stage.values
        assert isinstance(head, WorkedHead)
        self.canvas = canvas = fixed_canvas(stage.canvas)
        self._words = max(text_width(token, LABEL) for token in head.tokens) + WORD_GAP
        self.strip, self.below = canvas.cut_top(_STRIP, gap=0.1)
        self.formula = self.place_formula(formula_of(*lit, root=root))
        grid, side = Room(Size(2.0, 2.0)), Room(_SIDE)
        beside, under = (kind(grid, side, gap=0.6, weights=(5, 4)) for kind in (Row, Column))
        fit(self.below, *((beside, under) if self.below.wide else (under, beside)))
        self._grid, self.side = grid.region, side.region
        self.to_middle = self.below.center - self._grid.center
        """Vector from a table's place beside the side room to its place in the middle."""

    def place_formula(self, formula: Equation) -> Equation:
        """Place a formula at the left of the strip, or in its middle on a tall page."""
        strip, width = self.strip, formula.most.width
        right = strip.left + width if self.canvas.wide else strip.right
        formula.place(Region(strip.left, strip.bottom, right, strip.top))
        return formula

    def place_grids(self, *grids: Matrix) -> None:
        """Place (T, T) tables on top of each other in the middle."""
        cells, _, self.words = grids[0].plan.spot_in(self._grid)
        x, y, _ = self.to_middle
        middle = Region(cells.left + x, cells.bottom + y, cells.right + x, cells.top + y)
        for grid in grids:
            grid.place_cells(middle, size=self.words)

    def move_aside(self, *parts: VMobject, back: bool = False, run_time: float = 1.0) -> Drive:
        """Move parts from the middle to the side, or `back`."""
        way, done = self.to_middle * (1 if back else -1), [0.0]

        def show(share: NDArray[np.float64]) -> None:
            for part in parts:
                part.shift(way * (float(share) - done[0]))
            done[0] = float(share)

        return Drive(VGroup(*parts), show, 0.0, 1.0, run_time=run_time)

    def place_product(self, product: Product, left: str, right: str) -> Region:
        """Place a product and the letters of its factors; return the room left for a sum."""
        over = _OVER if left else _SEAM / 2
        corner, tower = self._corner(product, self.canvas, over), self._tower(product)
        if corner[1].right < max(term.get_right()[0] for term in self.formula.terms.values()):
            corner = self._corner(product, self.below, over)
        cells, room = max(corner, tower, key=lambda way: _legibility(way[0], product.counts))
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

    def letter_region(self, name: str) -> Region:
        """The region of a term of the formula."""
        return Region.around(self.formula.term(name).get_all_points())

    def put_away(self, matrix: Matrix, name: str, *, run_time: float = 1.2) -> tuple[Drive, ...]:
        """Shrink a matrix into its letter of the formula, and light up the letter."""
        opened = matrix.opened

        def close(share: NDArray[np.float64]) -> None:
            matrix.open_to(opened * (1 - float(share)))
            matrix.fade_lines(1 - float(share))

        names = [name, "turned"] if name == "key" else [name]
        return (
            slide_cells(matrix, self.letter_region(name), words=False, run_time=run_time),
            Drive(matrix, close, 0.0, 1.0, run_time=run_time, rate_func=rush_into),
            *self.light_terms(*names, run_time=run_time),
        )

    def light_terms(self, *names: str, run_time: float = 0.8) -> list[Drive]:
        """Give terms of the formula their colours."""
        return [
            recolor(self.formula.term(name), theme().text_color(SIGNS[name][1]), run_time=run_time)
            for name in names
        ]

    def put_away_now(self, matrix: Matrix, name: str) -> None:
        """Place a matrix in its letter of the formula, without animation."""
        move(matrix, self.letter_region(name), words=False)


def move(matrix: Matrix, cells: Region, *, words: bool | None = None) -> None:
    """Move the cells of a matrix into a region, without animation."""
    slide = slide_cells(matrix, cells, words=words)
    slide.begin()
    slide.finish()


def _legibility(cells: tuple[Region, Region, Region], counts: tuple[int, int, int]) -> float:
    """How easily numbers in these cells can be read; 1 is comfortable."""
    left, (n, m, _) = cells[0], counts
    return min(left.width / m / _READABLE.width, left.height / n / _READABLE.height)
