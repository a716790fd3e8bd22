"""One cell of a product as a sum of products, written in one or more lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import numpy as np
from manim import VGroup
from numpy.typing import NDArray

from clockhead.scenes.parts.equation import Equation, Way
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.terms import Term
from clockhead.scenes.stage import Picture, Reading, Size, Value
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, in_turn
from clockhead.scenes.style.theme import Role

_SIZE = 28.0
_GAP = 0.16
"""Gap between two lines, in units."""
_MOST_LINES = 3
_EACH = 0.2
"""Fraction of the time in which one term appears."""


class PairSum(Picture):
    """`a × b + c × d + ... = e` for cell (i, j): a box for `fit`, in as few lines as fit.

    With `plain`, products with a 0 are left out. Negative numbers have the colour of `negative`, if
    given. Terms are hidden until the product multiplies.
    """

    def __init__(
        self,
        matrices: tuple[Matrix, Matrix, Matrix],
        spot: tuple[int, int],
        roles: tuple[Role, Role, Role],
        *,
        spec: str,
        out_spec: str,
        plain: bool,
        size: float = _SIZE,
        negative: Role | None = None,
    ) -> None:
        super().__init__(_value(matrices[2], *spot))
        self.spot, self._roles, self._specs, self._size = spot, roles, (spec, out_spec), size
        self._negative = negative
        (i, j), (left, right, out) = spot, matrices
        row, column = left.table[i], right.table[:, j]
        pairs = [k for k in range(len(row)) if not plain or row[k] * column[k] != 0]
        self.pairs = pairs or [0]
        self.partial = np.cumsum((row * column)[self.pairs])
        """The sum after each pair; shape (pairs,)."""
        self._row, self._column = row, column
        self._values = {"sum": _value(out, i, j)}
        for k in self.pairs:
            self._values |= {f"a{k}": _value(left, i, k), f"b{k}": _value(right, k, j)}
        self.lines: list[Equation] = []
        self.moving = False

    @property
    def least(self) -> Size:
        """The smallest legible size, in as many lines as allowed."""
        width, height = self._extents[-1]
        return Size(width, height)

    @property
    def most(self) -> Size:
        return Size(max(line.most.width for line in self._sets[0]), self.least.height)

    def place(self, region: Region) -> None:
        """Centre it in a region, in as few lines as are legible there."""
        self.lines = max(self._sets, key=lambda lines: _share(lines, region))
        heights = [line.most.height for line in self.lines]
        top = region.center[1] + (sum(heights) + _GAP * (len(heights) - 1)) / 2
        for line, height in zip(self.lines, heights, strict=True):
            line.place(Region(region.left, top - height, region.right, top))
            top -= height + _GAP
        ems = {line.term(name).em for line in self.lines for name in line.terms}
        if len(ems) > 1:  # all lines as large as the smallest
            for line in self.lines:
                now = next(iter(line.terms.values())).em
                VGroup(*line.terms.values()).scale(min(ems) / now)
        self.submobjects = [line.hide() for line in self.lines]

    def term(self, name: str) -> Term:
        """A term: `a0`, `b0`, `times0`, `plus1`, `equals`, `sum`."""
        return next(line.term(name) for line in self.lines if name in line.terms)

    def ways_of(self, k: int, left: Matrix, right: Matrix) -> list[Callable[[float], None]]:
        """Animations of pair k: its numbers move from their cells, the signs fade in."""
        i, j = self.spot
        numbers = [("a", left.cell(i, k)), ("b", right.cell(k, j))]
        ways = [_flight(self.term(f"{name}{k}"), cell.center) for name, cell in numbers]
        names = [f"plus{k}", f"open_a{k}", f"close_a{k}", f"times{k}", f"open_b{k}", f"close_b{k}"]
        there = {name for line in self.lines for name in line.terms}
        return ways + [_rise(self.term(name)) for name in names if name in there]

    def end_of(self, out: Matrix) -> list[Callable[[float], None]]:
        """Animations of the result: it moves from its cell, and the equals sign fades in."""
        sum_flies = _flight(self.term("sum"), out.cell(*self.spot).center)
        return [sum_flies, _rise(self.term("equals"))]

    def write(self, **options: Any) -> Drive:
        """Fade in the terms one after another, for a sum that is shown without a product."""
        terms = [term for line in self.lines for term in line.terms.values()]

        def show(share: NDArray[np.float64]) -> None:
            for term, part in zip(terms, in_turn(float(share), len(terms), _EACH), strict=True):
                term.fade_to(float(part))

        return Drive(self, show, 0.0, 1.0, **options)

    def show(self, state: NDArray[np.float64]) -> None:
        """Not supported: a sum keeps its value."""
        raise NotImplementedError("a sum cannot be animated to another value")

    def readings(self) -> Iterator[Reading]:
        """The sum of the products of the numbers, in pairs in the order in which they are drawn."""
        terms = {name: term for line in self.lines for name, term in line.terms.items()}
        if self.moving or not terms or any(not term.opacity for term in terms.values()):
            return
        rows = np.array([line.terms[next(iter(line.terms))].anchor[1] for line in self.lines])
        there = [
            (int(np.abs(rows - at[1]).argmin()), at[0], float(self._values[name].content))
            for name, at in ((name, term.anchor) for name, term in terms.items())
            if name in self._values and name != "sum"
        ]
        order = np.array([x for *_, x in sorted(there)]).reshape(-1, 2)
        says = float((order[:, 0] * order[:, 1]).sum())
        yield Reading(self.shown, says, 1e-6 * max(1.0, abs(says)))

    # Layout

    @cached_property
    def _sets(self) -> list[list[Equation]]:
        """The equations for one line, for two, and so on."""
        counts = range(1, min(_MOST_LINES, len(self.pairs)) + 1)
        return [
            [self._line(part.tolist()) for part in np.array_split(np.array(self.pairs), n)]
            for n in counts
        ]

    @cached_property
    def _extents(self) -> list[tuple[float, float]]:
        """Minimum width and height for each number of lines."""
        return [
            (
                max(line.least.width for line in lines),
                sum(line.least.height for line in lines) + _GAP * (len(lines) - 1),
            )
            for lines in self._sets
        ]

    def _line(self, pairs: list[int]) -> Equation:
        terms = [term for k in pairs for term in self._pair(k, pairs[0])]
        if pairs[-1] == self.pairs[-1]:
            role = self._role(2, float(self._values["sum"].content))
            terms += [("equals", "="), ("sum", f"{role}({{sum:{self._specs[1]}}})")]
        return Equation(terms, values=self._values, size=self._size)

    def _pair(self, k: int, first: int) -> list[tuple[str, str]]:
        terms = [] if k == self.pairs[0] else [(f"plus{k}", "+ med" if k == first else "+")]
        for name, role, value in (
            ("a", self._role(0, self._row[k]), self._row[k]),
            ("b", self._role(1, self._column[k]), self._column[k]),
        ):
            number = (f"{name}{k}", f"{role}({{{name}{k}:{self._specs[0]}}})")
            leads = name == "a" and k == self.pairs[0]
            if value < 0 and not leads:
                terms += [(f"open_{name}{k}", r"\("), number, (f"close_{name}{k}", r"\)")]
            else:
                terms.append(number)
            if name == "a":
                terms.append((f"times{k}", "times"))
        return terms

    def _role(self, place: int, number: float) -> Role:
        """The colour of a number of the left factor (0), the right factor (1) or the result (2)."""
        return self._negative if self._negative and number < 0 else self._roles[place]


def _share(lines: list[Equation], region: Region) -> float:
    """The scale of the lines in a region, at most 1."""
    height = sum(line.most.height for line in lines) + _GAP * (len(lines) - 1)
    width = max(line.most.width for line in lines)
    return min(1.0, region.width / width, region.height / height)


def _value(matrix: Matrix, i: int, j: int) -> Value:
    meant = matrix.meant(i, j)
    assert isinstance(meant, Value)
    return meant


def _flight(term: Term, start: NDArray[np.float64]) -> Callable[[float], None]:
    """Animation of a term that moves from a cell to its place."""
    end, em = term.anchor, term.em
    begin = end + start - term.get_center()
    way = Way(term, (begin, em), (end, em), lambda share: min(1.0, 3 * share))
    return way.go


def _rise(term: Term) -> Callable[[float], None]:
    """Animation of a sign that fades in at the end."""
    return lambda share: term.fade_to(max(0.0, 3 * share - 2))
