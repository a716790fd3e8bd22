"""On text: a filter's window, which is always the same, and attention, which depends on content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Any

import numpy as np
from manim import UP, Animation, Create, Mobject, smooth
from numpy.typing import NDArray
from pydantic import AfterValidator, Field

from clockhead.model.films.convolution.content import (
    WIDTH,
    TwoReaches,
    append_query,
    reach,
    rotate_words,
)
from clockhead.model.networks.filters import SIDE
from clockhead.model.tokens import words
from clockhead.scenes.convolution.inputs import PictureInputs
from clockhead.scenes.convolution.page import PicturePage, TitledMatrix
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.spelling import counted, said
from clockhead.scenes.stage import (
    CAPTION,
    Column,
    Derived,
    FadeIn,
    FadeOut,
    Handle,
    Room,
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
from clockhead.scenes.style.theme import Role
from clockhead.scenes.texts import few_words, words_said

USUAL_TEXT = "the cat sat on the mat and the cat"
_USUAL_OTHER = "the mat the cat sat on and the cat"
_TEXTS = "text", "other"
_SEEN: tuple[tuple[str, Role], ...] = ("window", "value"), ("pattern", "attention")
"""What the last word looks at: fact path and colour of the window and of the attention pattern."""
_FEWEST, _MOST, _LETTERS = 6, 12, 8
"""Least and largest number of words in a text, and letters of a word."""
_LEAST_CELL = 0.2
"""Least side of a cell, in units."""
_SHARE = 30.0
"""Size of the percentage below its cell, in pixels at 720p."""
_AIR = 0.06
"""Gap between a word and its frame or title, in units."""
_LANES, _LANE = 3, 0.29
"""Number of heights at which words move, and the distance between them, in units."""
_STEEP = 8.0
"""How fast words rise: they are at full height after the fraction 1 / _STEEP of their move."""
_TEXT = Annotated[Words, few_words(_FEWEST, _MOST, _LETTERS)]


def _check_answer(text: str) -> str:
    """Return the text if its last word (or one added to it) finds its answer outside the window."""
    found = reach(append_query(words(text)))
    if not (found.is_answer and found.is_beyond):
        raise ValueError(
            "attention finds no single word far back: use a word once in the text, and not "
            f"first, with {found.before} words or more after what follows it, such as in "
            f"“{USUAL_TEXT}”"
        )
    return text


def _other_text_sentence(both: TwoReaches) -> str:
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
    """A fixed window and content-based attention, on two texts."""

    class Inputs(PictureInputs):
        """A picture, and two texts."""

        text: Annotated[_TEXT, AfterValidator(_check_answer)] = Field(
            USUAL_TEXT,
            description=f"{words_said(_FEWEST, _MOST, _LETTERS)}. The last word must occur once "
            "before, far back; if it does not, a word that does is added",
        )
        other_text: _TEXT | None = Field(
            None, description="another text, likewise; default: the same words in another order"
        )

        @property
        def texts(self) -> list[tuple[str, ...]]:
            """The words of both texts."""
            first = append_query(words(self.text))
            if self.other_text is not None:
                return [first, append_query(words(self.other_text), reach(first).looks_at)]
            is_usual = first == words(USUAL_TEXT)
            return [first, words(_USUAL_OTHER) if is_usual else rotate_words(first)]

    title = "Where to look?"
    crosses = {"change": "words change places"}
    question = "Is such a window enough for words?"
    caption = (
        "Both apply the same weights everywhere; attention compares words to choose where to look."
    )
    opens = ("image", "slot")
    leaves = ("fixed_then as fixed", "free_then as free")
    derived = {
        "before_said": Derived(
            "number of words before a word in its window, as a word",
            lambda both: counted(both.text.before),
        )
    }

    handles = (
        Handle(
            "text",
            (
                "to be or not to be",
                "the cat and the dog and the cat",
                "one fish two fish red fish blue fish",
            ),
        ),
    )

    @classmethod
    def compute(cls, inputs: Inputs) -> TwoReaches:
        first, second = map(reach, inputs.texts)
        return TwoReaches(first, second, inputs.pixels)

    def layout(self) -> None:
        self.image = PicturePage(self).image
        self.slot = self.image.frame(self.image.block(1, 1, SIDE, SIDE), "value", 5)
        self.last = self.values.text.n_tokens - 1
        shares = [Figure(self[f"{name}.share"], ".1%-", size=_SHARE) for name in _TEXTS]
        self.share, self.share_then = shares
        width, height = shares[0].least.width, 1.6 * _SHARE * PX
        under = Room(Size(width, height), Size(np.inf, height))
        laid = {name: self._lay(name, under) for name in _TEXTS}
        # The text that needs smaller words or more room determines the size of both.
        large, small = sorted(_TEXTS, key=lambda name: _extent(laid[name][0].matrix))
        headed, others = laid[large], self._rows(small)
        for row, other in zip(headed, others, strict=True):
            size = row.matrix.column_labels[0].em / PX
            other.place_cells(row.matrix.lattice.region, size=size)
        rows = {large: [row.matrix for row in headed], small: others}
        (self.fixed, self.free), self.then = rows["text"], rows["other"]
        self.fixed_then, self.free_then = self.then
        self.heads = [headed[0].write(), headed[1].write("attention")]
        self.fixed.empty()
        self.free.empty()
        for share, free, text in (
            (self.share, self.free, self.values.text),
            (self.share_then, self.free_then, self.values.other),
        ):
            cell = free.cell(0, text.looks_at)
            share.place(Region(cell.left, cell.bottom - height, cell.right, cell.bottom))

    def _lay(self, name: str, under: Room) -> tuple[TitledMatrix, TitledMatrix]:
        """Place the two rows of a text with their titles, above room for a percentage."""
        fixed, free = self._rows(name)
        over = TitledMatrix(said("a filter's window at the last word"), fixed, air=_AIR)
        words = said("an induction head's attention at the last word")
        below = TitledMatrix(words, free, air=_AIR)
        fit(self.canvas, Column(over, below, under, gap=0.2, weights=(1, 1, 0)))
        return over, below

    def _rows(self, name: str) -> list[Matrix]:
        """Make the rows of what the last word looks at: through the window and by attention."""
        last = len(self[f"{name}.tokens"].content) - 1
        return [
            Matrix(
                self[f"{name}.{path}"][last],
                columns=self[f"{name}.tokens"],
                lying=True,
                role=role,
                low=0.0,
                high=1.0,
                least_cell=_LEAST_CELL,
            )
            for path, role in _SEEN
        ]

    @beat("Over words, a filter sees each word and {before_said} before it.")
    def window(self) -> Steps:
        frame, corner = self.slot, self.image.block(0, 0, SIDE, SIDE)
        yield frame.trace(corner, self.image.block(1, 1, SIDE, SIDE), run_time=0.9)
        come = FadeIn(self.fixed, self.heads[0], run_time=0.9)
        yield FadeOut(self.image, run_time=0.6), come, frame.trace(_window_of(self.fixed, 0))
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
            before = _window_of(self.fixed, self.last - k * (WIDTH - 1))
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

    @beat(_other_text_sentence)
    def change(self) -> Steps:
        """Move the words to their places in the other text, and the frames with them."""
        other, (fixed, free) = self.values.other, self.then
        last, goal = other.n_tokens - 1, other.looks_at
        now = self.fixed, self.free
        ends = {
            self.slot: _window_of(fixed, last),
            self.match: self._word(free, goal - 1),
            self.asker: self._word(free, last),
            self.found: free.cell(0, goal),
        }
        if not other.is_answer:
            del ends[self.match], ends[self.found]
        yield self.screen(*now, *ends, run_time=0.3)
        words = [*_move_words(self.fixed, fixed), *_move_words(self.free, free)]
        flying: list[Any] = [word.mobject for word in words]
        for row in (*now, *self.then):
            row.words_to(0.0)
        cells: list[Animation] = [FadeOut(*now), FadeIn(*self.then)]
        if last == self.last:
            cells = [self.free.to(self["other.pattern"][last])]
        frames = [frame.trace(end, rate=smooth) for frame, end in ends.items()]
        yield 0.85 * together(words, cells, frames)
        for row in self.then:
            row.words_to(1.0)
        self.remove(*now, *flying)
        self.add(*self.then, *ends)
        share = [self.share_then] if other.is_answer else []
        yield FadeIn(*self.heads, *share, run_time=0.5)

    @beat(CAPTION)
    def end(self) -> Steps:
        yield 0.65 * self._walk(self.then[0])

    def _walk(self, row: Matrix) -> Drive:
        """Slide the window from the first word to the last."""
        return self.slot.trace(*(_window_of(row, m) for m in range(row.n_columns)))

    def _word(self, matrix: Matrix, k: int) -> Region:
        """The region around word k above a matrix."""
        label, cell = matrix.column_labels[k], matrix.cell(0, k)
        low, high = label.get_bottom()[1] - _AIR, label.get_top()[1] + _AIR
        return Region(cell.left, float(low), cell.right, float(high))


def _extent(row: Matrix) -> tuple[float, float, float]:
    """Sort key for the size of a row: size of its words, height, then the wider row first."""
    area = row.lattice.region
    return round(row.column_labels[0].em, 6), round(area.height, 6), -area.width


def _window_of(row: Matrix, m: int) -> Region:
    """The region of the cells in word m's window."""
    first = max(0, m - WIDTH + 1)
    return row.block(0, first, 1, m + 1 - first)


def _move_words(now: Matrix, then: Matrix) -> Iterator[Animation]:
    """Move copies of a row's words to their places in the other text.

    Words that move equally far stay together, at one height, so that they do not cross others.
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
        yield _move_over(word, place, lanes.get(end - k, 0) * _LANE)
    yield from (FadeIn(label.copy()) for label in waiting)


def _move_over(word: Mobject, end: NDArray[np.float64], height: float) -> Drive:
    """Raise a word to a height, move it to its end, and lower it."""
    start, gone = word.get_center(), np.zeros(3)

    def show(share: NDArray[np.float64]) -> None:
        rise = height * min(1.0, _STEEP * float(share), _STEEP * (1 - float(share)))
        way = (end - start) * float(share) + rise * UP
        word.shift(way - gone)
        gone[:] = way

    return Drive(word, show, 0.0, 1.0)
