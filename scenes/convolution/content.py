"""Over words: a window that is the same in every text, beside attention, which chooses its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Any

import numpy as np
from manim import UP, Animation, Create, Mobject, smooth
from numpy.typing import NDArray
from pydantic import AfterValidator, Field

from clockhead.model.films.convolution.content import WIDTH, TwoReaches, asking, moved_words, reach
from clockhead.model.networks.filters import SIDE
from clockhead.model.tokens import words
from clockhead.scenes.convolution.inputs import PictureInputs
from clockhead.scenes.convolution.page import PicturePage, TitledMatrix
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.table import Room
from clockhead.scenes.spelling import counted, said
from clockhead.scenes.stage import (
    CAPTION,
    Column,
    Derived,
    FadeIn,
    FadeOut,
    Size,
    Stage,
    Steps,
    Words,
    beat,
    fit,
    together,
)
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.texts import few_words, words_said

USUAL_TEXT = "the cat sat on the mat and the cat"
_USUAL_OTHER = "the mat the cat sat on and the cat"
_TEXTS = "text", "other"
_FEWEST, _MOST, _LETTERS = 6, 12, 8
_LEAST_CELL = 0.2
_SHARE, _AIR = 30.0, 0.06
"""The size of the share under its cell, and the air between a word and its frame or its head."""
_LANES, _LANE, _STEEP = 3, 0.29, 8.0
"""The heights at which words move, how far each is over the last, and how steeply they rise."""
_TEXT = Annotated[Words, few_words(_FEWEST, _MOST, _LETTERS)]


def _asks(text: str) -> str:
    """A text, if its last word, or one that is added, finds its answer out of the window."""
    found = reach(asking(words(text)))
    if not (found.is_answer and found.is_beyond):
        raise ValueError(
            "attention finds no single word far back: let a word stand in the text once, and not "
            f"first, with {found.before} words or more after what follows it, such as in "
            f"“{USUAL_TEXT}”"
        )
    return text


def _moved(both: TwoReaches) -> str:
    if not both.other.is_answer:
        looks = (
            "attention is shared by {other.head.n_matches} words"
            if both.other.head.n_matches
            else "attention finds no match and is spread over all words"
        )
        return f"In another text the window is the same, and {looks}."
    if both.text.looks_at == both.other.looks_at:
        return (
            "In another text the window is the same. Attention finds “{other.found}”, here at "
            "the same place."
        )
    if sorted(both.text.tokens) == sorted(both.other.tokens):
        return "The words change places: the window stays, attention follows “{other.found}”."
    return "In another text the window is the same, and attention finds “{other.found}”."


class Content(Stage[TwoReaches]):
    """A fixed window beside a pattern chosen by content, over two texts."""

    class Inputs(PictureInputs):
        """A picture, and two texts of as many words."""

        text: Annotated[_TEXT, AfterValidator(_asks)] = Field(
            USUAL_TEXT,
            description=f"{words_said(_FEWEST, _MOST, _LETTERS)}. The last word stood before, "
            "once and far back; after any other comes one that did",
        )
        other_text: _TEXT | None = Field(
            None, description="another text, likewise; left out, the same words, moved"
        )

        @property
        def texts(self) -> list[tuple[str, ...]]:
            """The words of both texts."""
            first = asking(words(self.text))
            if self.other_text is not None:
                return [first, asking(words(self.other_text), reach(first).looks_at)]
            is_usual = first == words(USUAL_TEXT)
            return [first, words(_USUAL_OTHER) if is_usual else moved_words(first)]

    title = "Where to look?"
    question = "Is such a window enough for words?"
    caption = (
        "Both apply the same weights everywhere; attention compares words to choose where to look."
    )
    opens = ("image", "slot")
    leaves = ("fixed_then as fixed", "free_then as free")
    derived = {
        "before_said": Derived(
            "how many words before a word the window holds", lambda both: counted(both.text.before)
        ),
    }

    @classmethod
    def compute(cls, inputs: Inputs) -> TwoReaches:
        first, second = map(reach, inputs.texts)
        return TwoReaches(first, second, inputs.pixels)

    def layout(self) -> None:
        self.image = PicturePage(self).image
        self.slot = self.image.frame(self.image.block(1, 1, SIDE, SIDE), "value", 5)
        self.last = self.values.text.n_tokens - 1
        self.share, self.share_then = (
            Figure(self[f"{name}.share"], ".1%-", size=_SHARE) for name in ("text", "other")
        )
        width, height = self.share.least.width, 1.6 * _SHARE * PX
        under = Room(Size(width, height), Size(np.inf, height))
        # The text whose words are smaller or take more room says how large the other's are.
        tried = {name: self._lay(name, under)[0][0] for name in _TEXTS}
        large, small = sorted(
            _TEXTS,
            key=lambda name: (
                round(tried[name].column_labels[0].em, 6),
                round(tried[name].lattice.region.height, 6),
                -tried[name].lattice.region.width,
            ),
        )
        rows, over, below = self._lay(large, under)
        others = self._rows(small)
        for row, other in zip(rows, others, strict=True):
            other.place_cells(row.lattice.region, size=row.column_labels[0].em / PX)
        self.heads = [over.write(), below.write(self.theme.text_color("attention"))]
        (self.fixed, self.free), self.then = (rows, others)[:: 1 if large == "text" else -1]
        self.fixed_then, self.free_then = self.then
        for row in (self.fixed, self.free):
            row.empty()
        for share, free, text in (
            (self.share, self.free, self.values.text),
            (self.share_then, self.then[1], self.values.other),
        ):
            cell = free.cell(0, text.looks_at)
            share.place(Region(cell.left, cell.bottom - height, cell.right, cell.bottom))

    def _lay(
        self, name: str, under: Room
    ) -> tuple[tuple[Matrix, Matrix], TitledMatrix, TitledMatrix]:
        """The rows of a text, placed over room for a share, and the words over them."""
        rows = self._rows(name)
        over = TitledMatrix(said("a filter's window at the last word"), rows[0], air=_AIR)
        below = TitledMatrix(
            said("an induction head's attention at the last word"), rows[1], air=_AIR
        )
        fit(self.canvas, Column(over, below, under, gap=0.2, weights=(1, 1, 0)))
        return rows, over, below

    def _rows(self, name: str) -> tuple[Matrix, Matrix]:
        """What the last word sees through the window, and by attention: a row of cells each."""
        tokens = self[f"{name}.tokens"]
        look: dict[str, Any] = {"columns": tokens, "lying": True, "low": 0.0, "high": 1.0}
        look |= {"least_cell": _LEAST_CELL}
        window, pattern = (
            self[f"{name}.{what}"][len(tokens.content) - 1] for what in ("window", "pattern")
        )
        return Matrix(window, role="value", **look), Matrix(pattern, role="attention", **look)

    @beat("Over words, a filter sees each word and {before_said} before it.")
    def window(self) -> Steps:
        frame, corner = self.slot, self.image.block(0, 0, SIDE, SIDE)
        yield frame.trace(corner, self.image.block(1, 1, SIDE, SIDE), run_time=0.9)
        come = FadeIn(self.fixed, self.heads[0], run_time=0.9)
        yield FadeOut(self.image, run_time=0.6), come, frame.trace(_seen(self.fixed, 0))
        yield 0.6 * self._walk(self.fixed)
        yield self.fixed.fill_rows(run_time=0.5, labels=False)

    @beat("“{text.asker}” has stood here before. What came after it?")
    def before(self) -> Steps:
        self.match = self.fixed.frame(self._word(self.fixed, self.last), "query")
        yield Create(self.match, run_time=0.6)
        self.asker = self.match.copy()
        self.add(self.asker)
        place = self._word(self.fixed, self.values.text.looks_at - 1)
        yield self.match.trace(place, run_time=1.7)

    @beat(
        "“{text.found}”, {text.back} words back. Each layer of windows adds {text.before}, so it "
        "takes {text.layers}."
    )
    def miss(self) -> Steps:
        n, before = self.values.text.layers, self.slot.region
        self.layers = [self.slot]
        for k in range(1, n):
            frame = self.fixed.frame(before, "value", 5)
            before = _seen(self.fixed, self.last - k * (WIDTH - 1))
            yield 0.9 / (n - 1) * frame.trace(before)
            self.layers.append(frame)

    @beat("Attention finds what came after an earlier “{text.asker}”, at any distance.")
    def find_(self) -> Steps:
        here = self.values.text.looks_at
        gone, come = FadeOut(*self.layers[1:]), FadeIn(self.free, self.heads[1])
        yield together(gone, come, run_time=0.8)
        yield (
            self.asker.trace(self._word(self.free, self.last)),
            self.match.trace(self._word(self.free, here - 1)),
        )
        self.found = self.free.frame(self._word(self.free, here - 1), "attention")
        yield self.found.trace(self.free.cell(0, here), run_time=1.4)
        yield together(self.free.fill_rows(labels=False), FadeIn(self.share), run_time=1.0)

    @beat(_moved)
    def change(self) -> Steps:
        """The words go to their places in the other text, the frames to what attention finds."""
        other, (fixed, free) = self.values.other, self.then
        last, goal = other.n_tokens - 1, other.looks_at
        framed = [self.match, self.found] if other.is_answer else []
        yield self.screen(self.fixed, self.free, self.slot, self.asker, *framed, run_time=0.3)
        moves = [*_words_fly(self.fixed, fixed), *_words_fly(self.free, free)]
        flying: list[Any] = [move.mobject for move in moves]
        for row in (self.fixed, self.free, *self.then):
            row.words_to(0.0)
        ways = list[Drive]()
        if framed:
            there = self._word(free, goal - 1), free.cell(0, goal)
            ways = [frame.trace(end) for frame, end in zip(framed, there, strict=True)]
        if last == self.last:
            moves.append(self.free.to(self["other.pattern"][last]))
        else:
            moves += [FadeOut(row) for row in (self.fixed, self.free)]
            moves += [FadeIn(row) for row in self.then]
            ways += [
                self.slot.trace(_seen(fixed, last)),
                self.asker.trace(self._word(free, last)),
            ]
        for way in ways:
            way.rate_func = smooth
        yield 0.85 * together(moves, ways)
        for row in self.then:
            row.words_to(1.0)
        self.remove(self.fixed, self.free, *flying)
        self.add(fixed, free, self.slot, *framed[:1], self.asker, *framed[1:])
        yield FadeIn(*self.heads, *([self.share_then] if framed else []), run_time=0.5)

    @beat(CAPTION)
    def end(self) -> Steps:
        yield 0.65 * self._walk(self.then[0])

    def _walk(self, row: Matrix) -> Drive:
        """Let the window go from the first word to the last."""
        return self.slot.trace(*(_seen(row, m) for m in range(row.n_columns)))

    def _word(self, matrix: Matrix, k: int) -> Region:
        """Around word k over a matrix."""
        label, cell = matrix.column_labels[k], matrix.cell(0, k)
        low, high = label.get_bottom()[1] - _AIR, label.get_top()[1] + _AIR
        return Region(cell.left, float(low), cell.right, float(high))


def _seen(row: Matrix, m: int) -> Region:
    """The cells of what word m sees through the window."""
    first = max(0, m - WIDTH + 1)
    return row.block(0, first, 1, m + 1 - first)


def _words_fly(now: Matrix, then: Matrix) -> Iterator[Animation]:
    """Copies of the words of a row go to where they stand in the other text.

    Those that go equally far stay beside each other; they pass over the others.
    """
    waiting, goals = list(then.column_labels), dict[int, int]()
    for k, label in enumerate(now.column_labels):
        goal = next((one for one in waiting if one.text == label.text), None)
        if goal is None:
            yield FadeOut(label.copy())
        else:
            waiting.remove(goal)
            goals[k] = then.column_labels.index(goal)
    far = Counter(end - k for k, end in goals.items() if end != k)
    lanes = {steps: lane % _LANES for lane, (steps, _) in enumerate(far.most_common())}
    for k, end in goals.items():
        word, place = now.column_labels[k].copy(), then.column_labels[end].get_center()
        yield _over(word, place, lanes.get(end - k, 0) * _LANE)
    yield from (FadeIn(label.copy()) for label in waiting)


def _over(word: Mobject, end: NDArray[np.float64], height: float) -> Drive:
    """Let a word rise so high, go to its end, and come down."""
    start, gone = word.get_center(), np.zeros(3)

    def show(share: NDArray[np.float64]) -> None:
        rise = height * min(1.0, _STEEP * float(share), _STEEP * (1 - float(share)))
        way = (end - start) * float(share) + rise * UP
        word.shift(way - gone)
        gone[:] = way

    return Drive(word, show, 0.0, 1.0)
