"""The tables that the primer prints for its example, beside what is true; and the film's end."""

from __future__ import annotations

from typing import Any

from manim import Create, VGroup

from clockhead.model.films.attention.printed import PrintedExample, printed_example
from clockhead.scenes.attention.lookup import NAME
from clockhead.scenes.attention.proofs import Proof
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.matrix_moves import slide_cells, slide_matrix
from clockhead.scenes.stage import CAPTION, Column, Row, Stage, StageInputs, Steps, beat, fit
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.theme import Role

_GAP = 0.25
_AROUND = 0.06
"""How far a frame stands off a cell that is marked already, in units."""
_HELD = 3.0
"""How long the true numbers stand, in seconds."""
_SAID = "Ask every word so far, and take more from those whose key fits better."
_TABLES: tuple[tuple[str, str, Role], ...] = (
    ("queries", "$Q$", "query"),
    ("keys", "$K$", "key"),
    ("values", "$V$", "value"),
    ("dots", "$Q K^top$", "attention"),
    ("scores", "$Q K^top \\/ sqrt(d)$", "attention"),
    ("pattern", "shares", "attention"),
    ("z", "output", "value"),
    ("last_row", "last row", "residual"),
    ("likely", "mat, floor, on", "token"),
)


class Printed(Stage):
    """The numbers that the primer prints, and the true ones."""

    class Inputs(StageInputs):
        """It takes nothing: it is about the primer's own example."""

    title = "What the primer prints"
    question = "How many of its {n_numbers} numbers are right?"
    caption = "This is why no number in these films is typed by hand."
    opens = ("proofs",)

    values: PrintedExample

    @classmethod
    def compute(cls, inputs: Any) -> PrintedExample:
        return printed_example()

    def layout(self) -> None:
        words = {"pattern": self["tokens"]}
        proofs = [Proof(self, path, name, role, words.get(path)) for path, name, role in _TABLES]
        q, k, v, dots, scores, pattern, blend, last, likely = proofs
        tables = Row(dots, scores, pattern, gap=_GAP)
        threes = (Row(q, k, v), tables, Row(blend, last, likely))
        twos = (Row(q, k), Row(v, blend), tables, Row(last, likely))
        ways = [Column(*rows, gap=_GAP) for rows in (threes, twos)]
        room = self.canvas.inset(_AROUND, 0.0)
        fit(room, *(ways if self.canvas.wide else reversed(ways)))
        self.pattern, self.proofs = pattern, VGroup(*proofs)
        self.each = proofs
        self.rest = [proof for proof in proofs if proof is not pattern]
        self.card = TitleCard(NAME, _SAID, role="attention")
        self.card.place(self.canvas)
        self.card.hide()

    @beat("These are its nine tables for “the cat sat”, as they are printed.")
    def tables(self) -> Steps:
        areas = [proof.matrix.lattice.region for proof in self.each]
        frame = CellFrame(areas[0])
        yield Create(frame, run_time=0.5)
        yield frame.trace(*areas[1:], run_time=max(3.0, self.reading - 0.8))
        yield FadeOut(frame, run_time=0.4)

    @beat("{n_right} follow from its rows, matrices and logits. The {n_wrong} framed ones do not.")
    def mark(self) -> Steps:
        pace = max(0.4, self.reading / len(self.each))
        for proof in self.each:
            yield FadeIn(proof.marks, proof.count, run_time=pace)

    @beat("Its shares, for one: they let “sat” look more at “cat” than at “the”.")
    def shares(self) -> Steps:
        proof, matrix = self.pattern, self.pattern.matrix
        self.home = matrix.lattice.region
        gone = [part for other in self.rest for part in (other, other.marks, other.count)]
        yield FadeOut(*gone, proof.title, proof.marks, proof.count, run_time=0.8)
        place = self.canvas.inset(0.12 * self.canvas.width, 0.0)
        yield slide_matrix(matrix, place, words=True, run_time=1.6)
        self.asker = matrix.frame_row(2, "query")
        yield Create(self.asker)

    @beat(
        "No: “cat” gets {true_share:.3f}, not {printed_share:.3f}, which is less than “the” gets.",
        ask="Is that what its rows and matrices give?",
    )
    def true_shares(self) -> Steps:
        yield self.pattern.correct()
        yield self.asker.trace(self.pattern.matrix.cell(2, 1), run_time=0.8)

    @beat(
        "The method is right. Some digits are rounded, some have slipped: "
        "{printed_query:.2f} should be {true_query:.2f}."
    )
    def correct(self) -> Steps:
        matrix = self.pattern.matrix
        back = slide_cells(matrix, self.home, words=False, run_time=1.4)
        yield back, FadeOut(self.asker, run_time=0.5)
        self.slipped = CellFrame(self.each[0].matrix.cell(2, 0).inset(-_AROUND))
        self.slipped.set_stroke(self.theme.ink)
        come = FadeIn(*self.rest, *(proof.marks for proof in self.each), self.pattern.title)
        yield come, Create(self.slipped)
        yield [other.correct() for other in self.rest]
        yield _HELD

    @beat(CAPTION)
    def end(self) -> Steps:
        marks = [proof.marks for proof in self.each]
        yield FadeOut(self.proofs, *marks, self.slipped), self.card.appear(run_time=2.0)
