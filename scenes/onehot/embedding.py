"""A token as one-hot and its position as one-hot, side by side, row by row."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import DOWN, Create, FadeIn, Line, VGroup
from numpy.typing import NDArray

from model.arrays import Floats
from model.onehot_induction import OneHotInduction
from model.prompts import BOS
from scenes.facts import Fact, fill
from scenes.onehot.common import OneHotInputs
from scenes.parts.matrices.block_map import BlockMap
from scenes.parts.matrices.halves import Half, Halves, land, names, token_half
from scenes.spelling import named, spelled
from scenes.stage import Finding, Slide
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive
from scenes.style.text import Label, Number
from scenes.style.type import LABEL, SMALL, X_HEIGHT

_POSITIONS = 0.5
"""Room for the positions at the left of the tokens, in units."""
_WIDTHS = 0.55
"""Room for the widths under the halves, in units."""


class Embedding(Slide):
    """A token as one-hot and its position as one-hot, side by side, row by row."""

    class Inputs(OneHotInputs):
        pass

    title = "A row for every token"
    question = "How does a matrix say what stands where in a text?"
    caption = (
        "Every row holds two ones among {width} numbers: "
        "the first says what stands there, the second where."
    )

    inputs: Inputs
    values: OneHotInduction

    @classmethod
    def compute(cls, inputs: Inputs) -> OneHotInduction:
        return inputs.head()

    @classmethod
    def facts(cls, values: OneHotInduction) -> dict[str, Fact]:
        first, second = pair(values.tokens)
        return {
            "n_tokens": len(values.tokens),
            "n_vocab": len(values.vocabulary),
            "half": values.weights.half,
            "width": 2 * values.weights.half,
            "last": len(values.tokens) - 1,
            "query": named(values.tokens[-1]),
            "repeated": named(values.tokens[second]),
            "first": first,
            "second": second,
        }

    @classmethod
    def checks(cls, values: OneHotInduction) -> list[Finding]:
        half, table = values.weights.half, values.resid_pre
        what, where = table[:, :half].argmax(axis=1), table[:, half:].argmax(axis=1)
        ones, positions = table.sum(axis=1), np.arange(len(table))
        return [
            Finding(
                "every row holds two ones and zeros",
                bool((ones == 2).all() and ((table == 0) | (table == 1)).all()),
                f"rows sum to {ones.tolist()}",
            ),
            Finding(
                "the ones stand for the token and its position",
                bool((what == values.text.indices).all() and (where == positions).all()),
                f"{what.tolist()} and {where.tolist()}",
            ),
        ]

    @classmethod
    def arrays(cls, values: OneHotInduction) -> dict[str, NDArray[Any]]:
        return {
            "positions": np.arange(values.weights.half),
            "token_indices": values.text.indices,
            "embedded": values.resid_pre,
        }

    @classmethod
    def narration(cls, values: OneHotInduction) -> tuple[str, ...]:
        facts = cls.facts(values)
        first, second = pair(values.tokens)
        alike = "Rows {first} and {second} both say {repeated}: the same token, another position."
        single = "The last row says {query}, at {last}; no other row says the same."
        sentences = (
            "The text, one token a row, each with its position."
            + (" BOS marks the beginning." if BOS in values.tokens else ""),
            "In the first half, the token puts a 1 under its own name; the rest is 0.",
            "In the second half, the position does the same. All rows together: $Y^((0))$.",
            alike if first < second else single,
        )
        return tuple(fill(sentence, facts) for sentence in sentences)

    def construct(self) -> None:
        self._lay_out()
        self._text()
        self._tokens()
        self._positions()
        self._compare()

    def _lay_out(self) -> None:
        head, half = self.values, self.values.weights.half
        canvas = self.canvas
        region = Region(canvas.left + _POSITIONS, canvas.bottom, canvas.right - 0.06, canvas.top)
        _, region = region.cut_bottom(_WIDTHS, 0.0)
        vocabulary = [spelled(token) for token in head.vocabulary.tokens]
        mauve = self.theme.text_color("position")
        positions = names([str(k) for k in range(len(head.tokens))], half)
        self.table = Halves(
            np.zeros(head.resid_pre.shape),
            region,
            [spelled(token) for token in head.tokens],
            token_half("token", vocabulary, half),
            Half("position", positions, self.theme.position, mauve),
        )
        left = min(label.get_left()[0] for label in self.table.left.row_names) - 0.3
        self.places = [self._place(i, left) for i in range(len(head.tokens))]

    def _place(self, i: int, x: float) -> Number:
        mauve = self.theme.text_color("position")
        y = float(self.table.left.middle(i, 0)[1]) - X_HEIGHT / 2 * LABEL * PX
        number = Number(i, "d", size=LABEL, color=mauve, align="right")
        return number.put(np.array([x, y, 0.0]))

    def _text(self) -> None:
        """The text runs down, and its positions with it."""
        self.beat("text")
        self.play(self.say(0), FadeIn(*self.table.left.row_names), run_time=0.7)
        self.play(FadeIn(*self.places), run_time=0.6)
        self.let_read()

    def _tokens(self) -> None:
        """Every token flies to the column of its name."""
        self.beat("tokens")
        board, half = self.table.left, self.values.weights.half
        chips = [self._copy(label) for label in board.row_names]
        cells = VGroup(*(part for part in board.submobjects if part not in board.row_names))
        self.play(self.say(1), FadeIn(cells), run_time=0.7)
        columns = self.values.text.indices.tolist()
        self.play(self._land(board, self.values.resid_pre[:, :half], chips, columns))
        self.remove(*chips)
        self.let_read()

    def _positions(self) -> None:
        """Every position flies to its own column."""
        self.beat("positions")
        board, half = self.table.right, self.values.weights.half
        chips = [self._copy(label) for label in self.places]
        self.play(self.say(2), FadeIn(board), run_time=0.7)
        columns = list(range(len(chips)))
        self.play(self._land(board, self.values.resid_pre[:, half:], chips, columns))
        self.remove(*chips)
        self.play(FadeIn(self._widths()), run_time=0.5)
        self.let_read()

    def _compare(self) -> None:
        """The same token twice: alike on the left, different on the right."""
        self.beat("compare")
        rows = sorted(set(pair(self.values.tokens)))
        others = [self._dim(board, rows) for board in (self.table.left, self.table.right)]
        left, right = self.table.left, self.table.right
        what, where = self.values.text.indices, range(len(self.values.tokens))
        frames = VGroup(
            *(left.frame(left.cell(i, int(what[i])), self.theme.ink, 5) for i in rows),
            *(right.frame(right.cell(i, where[i]), self.theme.ink, 5) for i in rows),
        )
        self.play(self.say(3), *others, run_time=0.7)
        self.play(Create(frames), run_time=0.9)
        self.let_read()

    def _dim(self, board: BlockMap, rows: list[int]) -> FadeIn:
        """Cover all rows but these with a veil of the ground."""
        veils = VGroup()
        for i in range(len(self.values.tokens)):
            if i not in rows:
                box = board.frame(board.row(i), self.theme.ground, 0)
                veils.add(box.set_fill(self.theme.ground, 0.7))
        return FadeIn(veils)

    def _land(
        self, board: BlockMap, values: Floats, chips: list[Label], columns: list[int]
    ) -> Drive:
        return land(board, values, chips, columns, run_time=1.2 + 0.2 * len(chips))

    def _copy(self, label: Label) -> Label:
        chip = Label(label.text, size=26, weight="semibold", color=label.get_fill_color().to_hex())
        return chip.move_to(label)

    def _widths(self) -> VGroup:
        """How many numbers a half is wide, under each."""
        group = VGroup()
        for board in (self.table.left, self.table.right):
            area = board.area
            y = area.bottom - 0.14
            color = board.block_names[0].get_fill_color().to_hex()
            rule = Line((area.left, y, 0), (area.right, y, 0), stroke_width=2, stroke_color=color)
            number = Number(
                self.values.weights.half, "d", size=SMALL, color=color, suffix=" numbers"
            )
            group.add(rule, number.put(np.array([area.center[0], y, 0.0]) + DOWN * 0.3))
        return group


def pair(tokens: tuple[str, ...]) -> tuple[int, int]:
    """Two positions of one token: the last token's if it stood before; the last twice if none."""
    for second in reversed(range(len(tokens))):
        if tokens[second] in tokens[:second]:
            return tokens.index(tokens[second]), second
    return len(tokens) - 1, len(tokens) - 1
