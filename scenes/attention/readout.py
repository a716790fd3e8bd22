"""The last row is compared with the row of every word; softmax says which word comes out."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create

from clockhead.model.attention.worked_head import WorkedHead
from clockhead.model.films.attention.readout import TiedHead, tied_head
from clockhead.model.primer.example import is_primer
from clockhead.scenes.attention.inputs import ExampleStage, said
from clockhead.scenes.attention.page import COMPUTED, GIVEN, MOST_NUMBER, Page, rows_of
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.matrix_moves import slide_cells
from clockhead.scenes.parts.product_sum import PairSum
from clockhead.scenes.parts.table import Room
from clockhead.scenes.parts.word_bars import SHARES, WordBars, scale_of
from clockhead.scenes.spelling import counted
from clockhead.scenes.stage import CAPTION, Column, Derived, Size, Steps, beat, fit
from clockhead.scenes.stage.layout import Layers
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import Role

_NAME = 0.36
"""The room for the name of the last row over it, in units."""
_PITCH = 0.23
"""The least height of a row beside which its word can be read; else less is told."""
_APART = 0.4
"""The gap between the last row and those of the words, in cells."""
_DIGITS = 5
"""So many significant digits a sum of products has at least."""


def _unlearned(head: WorkedHead) -> str:
    return " No number here was learned." if is_primer(head) else ""


def _most(head: WorkedHead) -> str:
    n = len(head.vocabulary)
    return f"Of these {counted(n)} words, none gets more than" if n > 1 else "There is only"


class Readout(ExampleStage):
    """The last row, times the row of each word, gives a logit for each; the largest comes out."""

    title = "Which word comes out?"
    question = "How can a row of {d_model} numbers name a word?"
    caption = "{most} “{tied_word}”: {tied_share:.1%}.{unlearned}"
    opens = ("rows",)
    leaves = ("chart", "bars")
    derived = ExampleStage.derived | {
        "unlearned": Derived("what the numbers are, if they are the primer's", _unlearned),
        "most": Derived("how many words are compared", _most),
        "first_word": Derived("the first word", lambda head: head.vocabulary.tokens[0]),
    }

    values: TiedHead

    @classmethod
    def compute(cls, inputs: Any) -> TiedHead:
        return tied_head(inputs.example())

    def layout(self) -> None:
        head, page = self.values, Page(self)
        self.rows = rows_of(self, "resid_post")
        self.rows.place_cells(page.x)
        bound = self.rows.scale_now.high
        look: dict[str, Any] = {"low": -bound, "high": bound, "most_number": MOST_NUMBER}
        row = self["resid_post"][head.last]
        self.last_row = Matrix(row, lying=True, role="residual", spec=COMPUTED, **look)
        self.last_row.place_cells(self.rows.row(head.last))
        self.name = Label(f"the new row of {said(head, head.last)}")
        words = self["vocabulary.tokens"]
        self.words = rows_of(self, "embedding", rows=words, spec=GIVEN)
        options: dict[str, Any] = {"spec": self._spec, "grown": False}
        scale = scale_of(np.concatenate([head.tied_logits, head.tied_kept]))
        self.picture = WordBars(self["tied_logits"], words, scale, lying=True, **options)
        self.chart, self.bars = self.picture.chart, self.picture.bars
        self.kept = Bars(self["tied_kept"], self.chart, "residual", width=0.3, **options)
        self.sum = self._sum()
        self._lay_out(page)

    def _lay_out(self, page: Page) -> None:
        """The last row on top, the rows of the words under it, the bars beside or below."""
        x, n = page.x, len(self.values.vocabulary)
        rows = n + 1 + _APART
        most = x.height / self.values.n_tokens
        room = Room(*(Size(x.width, _NAME + rows * pitch) for pitch in (_PITCH, most)))
        beside = page.rest.left > x.right
        roomy = Column(room, self.sum, *([] if beside else [self.picture]))
        tight = Column(room, Layers(self.picture, self.sum))
        self.is_roomy = fit(page.canvas, roomy, *([] if beside else [tight])) == 0
        top = room.region.top - _NAME
        pitch = (room.region.height - _NAME) / rows
        self.over = Region(x.left, top - pitch, x.right, top)
        self.name.put(np.array([x.left, top + 0.3 * _NAME, 0.0]))
        level = Region(x.left, top - rows * pitch, x.right, top - rows * pitch + n * pitch)
        self.words.place_cells(level)
        if beside:
            left, right = (
                page.rest.left + self.chart.y.thickness,
                page.rest.right - self.bars.beside,
            )
            self.chart.place_area(Region(left, level.bottom, right, level.top))

    def _sum(self) -> PairSum:
        """The last row times the first word's row, number by number."""
        turned = Matrix(self["embedding"], lying=True)
        logits = Matrix(self["tied_logits"], lying=True)
        roles: tuple[Role, Role, Role] = ("residual", "residual", "token")
        matrices = self.last_row, turned, logits
        return PairSum(matrices, (0, 0), roles, spec=".5g", out_spec=self._spec, plain=False)

    @beat("Only the last row is read: what comes next is up to it.")
    def read(self) -> Steps:
        frame = self.rows.frame_row(self.values.last, "query")
        yield Create(frame, run_time=0.6)
        self.add(self.last_row)
        yield FadeOut(self.rows, run_time=0.8), FadeOut(frame, run_time=0.8)
        yield slide_cells(self.last_row, self.over, run_time=1.0)
        yield FadeIn(self.name, run_time=0.4)

    @beat("With weight tying, the rows of these words serve again: now to compare.")
    def tie(self) -> Steps:
        self.words.empty()
        self.add(self.words)
        run_time = 0.7 * self.reading
        shown = [FadeIn(self.chart, run_time=run_time)] if self.is_roomy else []
        yield self.words.fill_rows(run_time=run_time), *shown

    @beat("Row times row: number times number, added up, is the logit of “{first_word}”.")
    def multiply(self) -> Steps:
        self.add(self.sum)
        frame = CellFrame(self._pair(0))
        yield Create(frame, run_time=0.4)
        pairs = [self._pair(k) for k in range(1, self.values.d_model)]
        time = 0.75 * self.reading
        yield frame.trace(*pairs, run_time=time), self.sum.write(run_time=time)
        yield FadeOut(frame, run_time=0.4)

    @property
    def _spec(self) -> str:
        """How logits are written, with so many digits that the products can be seen to add up."""
        head = self.values
        most = max(1.0, float(np.abs(head.tied_terms).max()), float(np.abs(head.tied_logits).max()))
        return f".{max(0, _DIGITS - 1 - int(np.log10(most)))}f"

    def _pair(self, k: int) -> Region:
        """Column k of the last row and of the first word's."""
        above, below = self.last_row.cell(0, k), self.words.cell(0, k)
        return Region(above.left, below.bottom, above.right, above.top)

    @beat("So much of each logit comes from the old row of {asker} alone.")
    def old(self) -> Steps:
        yield FadeOut(self.sum, run_time=0.5)
        if not self.is_roomy:
            yield FadeIn(self.chart, run_time=0.5)
        self.add(self.kept)
        yield self.kept.grow(lag=0.5, run_time=0.7 * self.reading)

    @beat("The blend adds the rest: what attention brought in.")
    def blend(self) -> Steps:
        self.add(self.bars, self.kept)
        time = 0.6 * self.reading
        yield self.bars.grow(run_time=time), self.kept.unwrite(run_time=time)

    @beat(CAPTION, ask="Softmax makes shares of the logits. Which word gets most?")
    def soften(self) -> Steps:
        yield self.bars.unwrite(run_time=0.4), FadeOut(self.kept, run_time=0.4)
        self.chart.marks.remove(self.kept)
        yield self.bars.to(self["tied_probabilities"]), self.picture.rescale(SHARES)
        words = range(len(self.values.vocabulary))
        yield self.bars.write(words, ".1%")
        logits = self.values.tied_logits
        yield self.bars.dim_bars([k for k in words if logits[k] < logits.max()])
