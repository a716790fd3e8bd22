"""Coda: the code that the draft prints for the templates cuts English, and leaves most of it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from manim import Create
from pydantic import Field

from clockhead.model.caesar.cipher import N_ROTATIONS
from clockhead.model.films.caesar.printed import PrintedCode, printed_code
from clockhead.scenes.caesar.ciphertext import Ciphertext, message_above
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.matrix_moves import slide_cells
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.table import Room
from clockhead.scenes.parts.term_moves import become
from clockhead.scenes.stage import (
    CAPTION,
    Column,
    Layers,
    Row,
    Size,
    Stage,
    StageInputs,
    Steps,
    Value,
    beat,
    fit,
    together,
)
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.text import text_width
from clockhead.scenes.style.type import LABEL, MIN_SIZE

_PITCH = 0.46
"""The most from one letter to the next, in units."""
_STRIP, _TALLEST, _WORDS = 0.34, 0.75, 1.35 * LABEL * PX
"""The least and the most height of a strip, and that of the letters over it."""
_GAP = 0.1
_MARGIN = 0.5
"""The room for the numbers of rows, and as much at the other side."""
_LEAST_ROWS = 26 * 0.045
_FIFTHS = tuple(float(r) for r in range(0, N_ROTATIONS, 5))
_CODE, _LINE = 32.0, 0.5
"""The size of the code, in pixels, and the height of its line, in units."""
_TAIL, _PLUS = ("tail", 'position("freq[-r:]")'), ("plus", '" + "')
_WITH = ("with", "quad r = {turned:d}")
_PRINTED = [_TAIL, _PLUS, ("rest", '"freq[r:]"'), _WITH]
_MEANT = [_TAIL, _PLUS, ("rest", 'value("freq[:-r]")'), _WITH]
"""What is printed, and what turns English by r."""


def strip(frequencies: Value, letters: Value, high: float) -> Matrix:
    """A row of frequencies, (1, n), under its letters."""
    look: dict[str, Any] = {"role": "position", "low": 0.0, "high": high, "turns": (0.0,)}
    return Matrix(frequencies, columns=letters, aspect=None, least_cell=0.1, **look)


class Slices:
    """Room for two strips; `upper` holds all letters, `lower` what is put together of them."""

    def __init__(self) -> None:
        self.upper = self.lower = Region(0.0, 0.0, 0.0, 0.0)

    @property
    def least(self) -> Size:
        letter = text_width("m", MIN_SIZE) + 0.02
        return Size(2 * _MARGIN + N_ROTATIONS * letter, 2 * (_STRIP + _WORDS) + _GAP)

    @property
    def most(self) -> Size:
        more = 2 * (_TALLEST - _STRIP)
        return Size(2 * _MARGIN + N_ROTATIONS * _PITCH, self.least.height + more)

    def place(self, region: Region) -> None:
        """Fill a region from its middle."""
        left, right = columns_in(region)
        high = max(_STRIP, min(_TALLEST, (region.height - _GAP) / 2 - _WORDS))
        top = region.center[1] + high + _GAP / 2
        self.upper = Region(left, top - high, right, top)
        under = self.upper.bottom - _GAP - _WORDS
        self.lower = replace(self.upper, top=under, bottom=under - high)

    def part(self, first: int, n: int, *, lower: bool = False) -> Region:
        """So many places from one on."""
        whole = self.lower if lower else self.upper
        pitch = whole.width / N_ROTATIONS
        left = whole.left + first * pitch
        return replace(whole, left=left, right=left + n * pitch)


class Rows:
    """A matrix with a row for each rotation, numbered at the left, under the strips."""

    def __init__(self, matrix: Matrix) -> None:
        self.matrix = matrix
        down = Scale(N_ROTATIONS - 0.5, -0.5, _FIFTHS, "d", line=False)
        self.numbers = Chart(Scale(-0.5, N_ROTATIONS - 0.5, line=False), down)

    @property
    def least(self) -> Size:
        return Size(2 * _MARGIN + N_ROTATIONS * 0.1, _LEAST_ROWS)

    @property
    def most(self) -> Size:
        width = 2 * _MARGIN + N_ROTATIONS * _PITCH
        return Size(width, width)

    def place(self, region: Region) -> None:
        """Fill a region."""
        left, right = columns_in(region)
        area = Region(left, region.bottom, right, region.top)
        self.matrix.place_cells(area)
        self.numbers.place_area(area)


def columns_in(region: Region) -> tuple[float, float]:
    """Where the 26 columns begin and end in a region."""
    half = min(region.width / 2 - _MARGIN, N_ROTATIONS * _PITCH / 2)
    return float(region.center[0] - half), float(region.center[0] + half)


def _stands(code: PrintedCode) -> str:
    if code.n_kept == 1:
        return "But {first_kept} stands where it stood."
    return "But from {first_kept} on, all letters stand where they stood."


class Printed(Stage[PrintedCode]):
    """The draft's code for the templates: most of English stays where it is."""

    class Inputs(StageInputs):
        """Which row is put together before one's eyes."""

        turned: int = Field(7, ge=1, le=25, description="the row that is put together slowly")

    title = "Coda: two slices of English"
    question = "Does the book's code read its example?"
    caption = (
        "Of stretches of {length} characters, the printed rows read {printed_share:.0%}, "
        "these {meant_share:.0%}."
    )
    opens = ("message", "code", "english", "rows", "numbers")

    compute = printed_code

    def layout(self) -> None:
        self.message = Ciphertext(self["worked.ciphertext"])
        below = message_above(self.canvas, self.message)
        look: dict[str, Any] = {"values": {"turned": self["turned"]}, "size": _CODE}
        self.code, self.mended = (Equation(terms, **look) for terms in (_PRINTED, _MEANT))
        high = float(self.values.english.max())
        self.rows = Matrix(self["printed"], role="position", low=0.0, high=high, least_cell=0.04)
        self.rows.empty()
        self.slices, self.block = Slices(), Rows(self.rows)
        names = slots(self["names"], down=True)
        share = Scale(0.0, 1.0, (0.0, 0.5, 1.0), ".0%", name="read right")
        self.methods = Chart(share, names)
        self.shares = Bars(self["shares_read"], self.methods, "wrong", spec=".0%", grown=False)
        self.shares.recolor(1, "value").interpolate(1.0)
        layers = Layers(self.slices, self.methods)
        line = Room(Size(3.0, _LINE), Size(math.inf, _LINE))
        wide = Row(Column(line, layers), self.block, weights=(3, 2))
        tall = Column(line, layers, self.block, weights=(0, 1, 3), gap=0.2)
        fit(below, *((wide, tall) if self.canvas.wide else (tall, wide)))
        self.code.place(line.region)
        self.numbers = self.block.numbers
        self._lay_slices(high)

    def _lay_slices(self, high: float) -> None:
        """English, and over it copies of the two slices."""
        r, kept = self.values.turned, self.values.n_kept
        self.english = strip(self["english"], self["alphabet"], high)
        self.english.place_cells(self.slices.upper)
        self.tail = strip(self["tail"], self["tail_letters"], high)
        self.tail.place_cells(self.slices.part(kept, r))
        self.rest = strip(self["rest"], self["rest_letters"], high)
        self.rest.place_cells(self.slices.part(r, kept))

    @beat("It puts the last r letters first, then those from r on.")
    def cut(self) -> Steps:
        r, kept = self.values.turned, self.values.n_kept
        time = 0.3 * self.reading
        self.add(self.tail)
        goal = self.slices.part(0, r, lower=True)
        yield self.code.pulse("tail", run_time=time), slide_cells(self.tail, goal, run_time=time)
        self.add(self.rest)
        goal = self.slices.part(r, kept, lower=True)
        yield self.code.pulse("rest", run_time=time), slide_cells(self.rest, goal, run_time=time)

    @beat(_stands)
    def look(self) -> Steps:
        part = self.values.turned, self.values.n_kept
        above, below = (self.slices.part(*part, lower=lower) for lower in (False, True))
        self.lit = self.english.frame(above, "wrong")
        yield Create(self.lit), self.code.highlight("rest", role="wrong")
        yield 0.5 * self.lit.trace(below)

    @beat("Row 0 has {n_first_row} numbers: the code stops. Cut to {n_rotations}, it runs.")
    def all_rows(self) -> Steps:
        r, kept, row = self.values.turned, self.values.n_kept, self.rows.row(self.values.turned)
        lattice = self.rows.lattice
        tail, rest = lattice.block(r, 0, 1, r), lattice.block(r, r, 1, kept)
        yield together(
            self.lit.trace(rest),
            slide_cells(self.tail, tail, words=False),
            slide_cells(self.rest, rest, words=False),
            run_time=1.0,
        )
        yield from self._first_row()
        yield 0.5 * self.rows.fill_rows()
        self.remove(self.tail, self.rest, self.first)
        yield together(self.lit.trace(row), FadeOut(self.lit), run_time=0.3)

    def _first_row(self) -> Steps:
        """English twice, for `freq[-0:]` and `freq[0:]` are all of it; the second is cut off."""
        low, half = self.slices.lower, self.slices.lower.width / 2
        halves = replace(low, right=low.left + half), replace(low, left=low.left + half)
        both = [self._copy("english", N_ROTATIONS) for _ in halves]
        yield [
            slide_cells(one, half, words=False, run_time=0.8)
            for one, half in zip(both, halves, strict=True)
        ]
        self.first, cut = both
        yield FadeOut(cut, run_time=0.5), slide_cells(self.first, self.rows.row(0), run_time=0.7)

    def _copy(self, path: str, n: int) -> Matrix:
        """A copy of the first n letters of English, over them."""
        copy = strip(self[path], self["alphabet"][0:n], float(self.values.english.max()))
        copy.place_cells(self.slices.part(0, n))
        self.add(copy)
        return copy

    @beat(
        "So “{worked.ciphertext}”, “{worked.text}” turned by {worked.rotation}, is read as "
        "“{misread}”."
    )
    def misread(self) -> Steps:
        places = range(self.values.worked.n_tokens)
        yield 0.7 * self.message.turn(self["misreadings"])
        yield self.message.tint(places, "wrong", run_time=0.5)

    @beat("Meant were all but the last r: every row is English, turned.")
    def mend(self) -> Steps:
        places = range(self.values.worked.n_tokens)
        yield become(self.code, self.mended, run_time=0.8), self.message.tint(places, None)
        texts = self["corrections"]
        turned = [self.message.turn(texts)] if len(texts) > 1 else []
        r, kept = self.values.turned, self.values.n_kept
        moved = self._copy("meant_rest", kept)
        goal = self.rows.lattice.block(r, r, 1, kept)
        yield 0.4 * together(slide_cells(moved, goal, words=False), *turned)
        yield self.rows.to(self["meant"], run_time=0.8)
        self.remove(moved)
        yield self.message.paint(self["worked.text"], places, run_time=0.5)

    @beat(CAPTION)
    def end(self) -> Steps:
        yield together(FadeOut(self.english), FadeIn(self.methods), run_time=0.5)
        self.add(self.shares)
        yield 0.3 * self.shares.grow([0])
        yield 0.3 * self.shares.grow([1])
