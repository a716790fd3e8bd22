"""A line of code that joins two slices of the alphabet, one of which begins too late."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from manim import Create
from pydantic import Field

from clockhead.model.films.errata.slices import PrintedSlices, printed_slices
from clockhead.scenes.errata.sheets import NUMBER, SMALLER
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.equation import Equation, become
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.matrix_moves import slide_cells
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_looks import paint
from clockhead.scenes.stage import CAPTION, REST, Handle, Stage, StageInputs, Steps, beat
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import FadeIn, FadeOut

_LINE, _LETTERS, _APART = 0.7, 0.5, 0.35
"""Heights of the code and of the letters above a strip, and gap between strips, in units."""
_TALLEST = 1.5, 2.4
"""Largest height of a strip on a wide and on a tall canvas, in units."""
_CODE = 42.0
"""Size of the code, in pixels at 720p."""
_TAIL, _PLUS = ("tail", 'probability("freq[-r:]")'), ("plus", '" + "')
_WITH = ("with", "quad r = {turned:d}")
_PRINTED = [_TAIL, _PLUS, ("rest", '"freq[r:]"'), _WITH]
"""The printed code."""
_MEANT = [_TAIL, _PLUS, ("rest", 'right("freq[:-r]")'), _WITH]
"""The correct code, which turns English by r."""


def _code_sentence(code: PrintedSlices) -> str:
    last = "the last letter" if code.turned == 1 else "the last {turned} letters"
    return f"This line of code should turn the alphabet by {{turned}}. It begins with {last}."


def _letters_sentence(code: PrintedSlices) -> str:
    if code.n_twice == 1:
        return "No. {twice} comes twice, and {gone} is gone."
    return "No. The letters {twice} come twice, and {gone} are gone."


class Slices(Stage[PrintedSlices]):
    """The draft's code for rotations of English: one slice begins too late and loses letters."""

    class Inputs(StageInputs):
        """The rotation of the alphabet."""

        turned: int = Field(7, ge=1, le=25, description="rotation of the alphabet, in letters")

    title = "Every letter once"
    caption = (
        "Of all stretches of {length} characters in our text, the printed rows read "
        "{printed_share:.0%}, the right ones {meant_share:.0%}."
    )
    opens = ("english", "code")

    handles = (Handle("turned", "1:25:2", beat="count"),)

    compute = printed_slices

    def layout(self) -> None:
        canvas = self.canvas
        height = min(_TALLEST[not canvas.wide], (canvas.height - _LINE - 2 * _LETTERS - _APART) / 2)
        top = canvas.center[1] + (_LINE + 2 * (_LETTERS + height) + _APART) / 2
        look: dict[str, Any] = {"values": {"turned": self["turned"]}, "size": _CODE}
        self.code, self.mended = (Equation(terms, **look) for terms in (_PRINTED, _MEANT))
        self.code.place(Region(canvas.left, top - _LINE, canvas.right, top))
        edge = top - _LINE - _LETTERS
        self.upper = Region(canvas.left, edge - height, canvas.right, edge)
        edge -= height + _APART + _LETTERS
        self.lower = replace(self.upper, bottom=edge - height, top=edge)
        self.english = self._strip("english", "alphabet", 0)
        r = self.values.turned
        self.tail = self._strip("tail", "tail_letters", self.values.n_kept)
        self.rest = self._strip("rest", "rest_letters", r)
        self.meant = self._strip("meant_rest", "meant_letters", 0)
        self._make_end()

    def _strip(self, path: str, letters: str, first: int) -> Matrix:
        """A strip of frequencies, (1, n), and their letters, from the place `first` on."""
        high = float(self.values.english.max())
        look: dict[str, Any] = {"role": "probability", "low": 0.0, "high": high, "turns": (0.0,)}
        words = self[letters]
        strip = Matrix(self[path], columns=words, aspect=None, least_cell=0.1, **look)
        strip.place_cells(self._places(first, len(words)), size=SMALLER)
        strip.words_to(float(strip.value.path == "english"))  # it is covered by copies at first
        return strip

    def _places(self, first: int, n: int, *, lower: bool = False) -> Region:
        """The region of `n` places from the place `first` on."""
        whole = self.lower if lower else self.upper
        pitch = whole.width / self.values.n_letters
        left = whole.left + first * pitch
        return replace(whole, left=left, right=left + n * pitch)

    def _make_end(self) -> None:
        """Make the word that is decrypted in two ways, and the chart of accuracies below it."""
        canvas = self.canvas
        room = canvas if canvas.wide else canvas.inset(0.0, 0.2 * canvas.height)
        upper, lower = room.cut_top(min(0.4 * room.height, 2.4))
        box = (min(2.8, 0.3 * upper.width), 1.0)
        places = [upper.point(share, 0.5) for share in (0.16, 0.5, 0.84)]
        self.words = Strip(self["words"], size=NUMBER).place_at(np.array(places), box)
        names = slots(self["names"], down=True)
        share = Scale(0.0, 1.0, (0.0, 0.5, 1.0), ".0%", name="read right")
        self.methods = Chart(share, names, size=SMALLER, most=(11.0, 3.0))
        look: dict[str, Any] = {"spec": ".0%", "grown": False, "size": NUMBER}
        self.shares = Bars(self["shares_read"], self.methods, "wrong", **look)
        self.shares.recolor(1, "right").interpolate(1.0)
        self.methods.place(lower)

    @beat(_code_sentence)
    def cut(self) -> Steps:
        yield self.code.pulse("tail", run_time=1.4)
        self.add(self.tail)
        goal = self._places(0, self.values.turned, lower=True)
        yield slide_cells(self.tail, goal, size=SMALLER, words=True, run_time=1.6)

    @beat("Behind them come all letters from {first_kept} on.")
    def join(self) -> Steps:
        yield self.code.pulse("rest", run_time=1.4)
        self.add(self.rest)
        goal = self._places(self.values.turned, self.values.n_kept, lower=True)
        yield slide_cells(self.rest, goal, size=SMALLER, words=True, run_time=1.6)

    @beat(_letters_sentence, ask="Is every letter there once?", rest=REST)
    def count(self) -> Steps:
        code, n = self.values, self.values.n_twice
        first = code.turned - n
        twice = [self._places(k, n, lower=True) for k in (first, code.n_letters - n)]
        self.lit = [CellFrame(place, "wrong") for place in twice]
        yield [Create(frame) for frame in self.lit]
        lost = CellFrame(self._places(0, n), "query")
        self.lit.append(lost)
        yield 0.3 * self.reading
        yield Create(lost)

    @beat("And for a turn of 0, it takes the whole alphabet twice: {n_not_turned} numbers.")
    def whole(self) -> Steps:
        yield FadeOut(*self.lit, self.tail, self.rest, run_time=0.5)
        look: dict[str, Any] = {
            "role": "probability",
            "low": 0.0,
            "aspect": None,
            "least_cell": 0.05,
        }
        self.both = Matrix(self["not_turned"], high=float(self.values.english.max()), **look)
        self.both.place_cells(self.lower)
        halves = np.repeat([[0.0, 1.0]], self.values.n_letters, axis=1)
        yield self.both.fill(np.sort(halves), each=0.5, run_time=1.6)

    @beat(
        "The second slice is as long as it should be. It only has to move to the beginning: "
        "then every letter is there once.",
        rest=REST,
    )
    def mend(self) -> Steps:
        r, kept = self.values.turned, self.values.n_kept
        window = CellFrame(self._places(r, kept), "right")
        yield FadeOut(self.both, run_time=0.5)
        yield FadeIn(self.tail, run_time=0.5), Create(window)
        move = window.trace(self._places(0, kept), run_time=1.4)
        yield move, become(self.code, self.mended, run_time=1.4)
        self.add(self.meant)
        goal = self._places(r, kept, lower=True)
        yield (
            slide_cells(self.meant, goal, size=SMALLER, words=True, run_time=1.6),
            window.trace(goal, run_time=1.6),
        )

    @beat(
        "With such rows a cipher is read. “{worked.ciphertext}” is “{worked.text}”, turned by "
        "{worked.rotation}. The printed rows read “{misread}”.",
        rest=REST,
    )
    def read(self) -> Steps:
        yield self.screen(self.words)
        yield paint(self.words, 2, "correct"), paint(self.words, 1, "wrong")

    @beat(CAPTION)
    def end(self) -> Steps:
        yield FadeIn(self.methods)
        self.add(self.shares)
        yield 0.3 * self.shares.grow([0])
        yield 0.3 * self.shares.grow([1])
