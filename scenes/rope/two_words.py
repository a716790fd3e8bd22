"""The score of two words is the sum of how well their hands agree, over all clocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from manim import VGroup
from pydantic import Field

from clockhead.model.films.rope.two_words import meeting_words
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.dial_turns import Wedges
from clockhead.scenes.parts.equation import Equation, become
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.rope.dial_numbers import DialNumbers
from clockhead.scenes.rope.inputs import WordInputs
from clockhead.scenes.rope.word_line import FORMULA, NUMBER, SPAN, FilmGrid
from clockhead.scenes.stage import CAPTION, FadeIn, Handle, Stage, Steps, beat
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.motion import recolor

_QUERY = [("turn query", "position(R)"), ("m", "_position(m)"), ("query", "query(q)")]
_KEY = [("turn key", "position(R)"), ("n", "_position(n)"), ("key", "key(k)"), ("equals", "=")]
_BOTH = [("open", "\\("), *_QUERY, ("close", "\\)"), ("transpose", "^top"), *_KEY]
_BETWEEN = [_QUERY[2], ("transpose", "^top"), _QUERY[0], ("flip", "^top"), _QUERY[1], *_KEY]
_BY_OFFSET = [
    *[("query", "query(q)"), ("transpose", "^top")],
    *[("turn", "position(R)"), ("offset", "_position(n - m)"), ("key", "key(k)"), ("equals", "=")],
]
"""The score as a formula, term by term, with the key turned by the offset alone."""


class TwoWordInputs(WordInputs):
    """The words, and the positions of the query and of one key."""

    m: int = Field(5, ge=1, le=SPAN, description="position of the query")
    n: int = Field(3, ge=0, le=SPAN, description="position of the key")


class TwoWords(Stage):
    """The score of two words is the sum of how well their hands agree, over all clocks."""

    Inputs = TwoWordInputs
    title = "How well two words fit"
    caption = "That sum is the score: {near.score:.2f}."
    opens: ClassVar[tuple[str, ...]] = ("dials", "line", "hero", "formula")
    leaves: ClassVar[tuple[str, ...]] = (
        *("line", "hero", "partner", "faces", "query", "key_hands"),
        *("wedges", "terms", "formula", "score"),
    )
    handles = (Handle("n", "0:12"),)

    values: Any

    compute: ClassVar[Callable[..., Any]] = meeting_words

    def layout(self) -> None:
        """Lay out dials with both words' hands over the line, and the formula before the score."""
        v = self.values
        words = v.words
        pair = words.words[words.asks], words.first
        near: dict[str, Any] = {"apart": v.nearest, "words": pair}
        self.grid = grid = FilmGrid(self.canvas, words.n_pairs, (0, SPAN), **near)
        self.line, self.faces = grid.line, grid.dials
        texts = self["words.words"]
        self.hero = grid.tile(texts[words.asks], v.near.m, "query")
        self.partner = grid.tile(texts[0], v.near.n, "key", row=grid.rows - 1)
        self._lay_hands()
        self.formula, *self.forms = (
            Equation(terms, size=FORMULA) for terms in (_QUERY, _BOTH, _BETWEEN, _BY_OFFSET)
        )
        grid.write(self.formula)
        self.score = Figure(self["near.score"], ".2f", size=FORMULA, align="left")
        self._lay_score()

    def _lay_hands(self) -> None:
        """Lay out both words' hands on every dial, the angle between them, and its term."""
        v, unit, faces = self.values, self.values.words.unit, self.faces
        self.query = Hands(self["near.rotated_query_pairs"], faces, "query", unit=unit)
        self.key_hands = Hands(self["near.key_pairs"], faces, "key", unit=unit, rim=True)
        angles, end = self["near.pair_angles"], self.key_hands
        self.wedges = Wedges(angles, faces, self.query, end=end, out=0.45)
        self.dials = VGroup(faces, self.query)
        for depth, part in ((2, self.query), (3, self.wedges), (4, self.key_hands)):
            part.set_z_index(depth)  # thick hands would hide a narrow wedge
        spec = f"+.{v.n_decimals}f"
        self.terms = DialNumbers(self["near.terms"], faces, spec, size=NUMBER)

    def _lay_score(self) -> None:
        """Align the right ends of all forms of the formula with the start of the score."""
        width = max(form.most.width for form in self.forms)
        right = self.grid.band.region.center[0] + (width - self.score.number.width) / 2
        for form in self.forms:
            self.grid.write(form, right)
        base = self.forms[0].term("equals").anchor[1]
        self.score.put(np.array([right + 0.25, base, 0.0]))

    @beat(
        "Now two words meet. “{words.first}” is at {near.n}, with a key: what it has to offer.",
        focus="dials",
    )
    def meet(self) -> Steps:
        """Show the key's hands before they are turned."""
        yield FadeIn(self.partner, run_time=0.8), self.key_hands.grow(run_time=1.2)

    @beat("A key makes hands like a query, and its position turns them.", focus="dials")
    def turn_key(self) -> Steps:
        """Turn the key's hands by its position."""
        turned, by = self["near.rotated_key_pairs"], self["near.key_phases"].array
        yield self.key_hands.turn_to(turned, by, run_time=2.4)

    @beat(
        "On every clock, the two hands agree when the angle between them is small.", focus="dials"
    )
    def agree(self) -> Steps:
        """Show the angles between the hands."""
        yield self.wedges.grow(run_time=1.8)

    @beat(
        "In numbers: their lengths, times the cosine of that angle. Add it up for all clocks.",
        focus="dials",
    )
    def add_up(self) -> Steps:
        """Show each dial's term of the score, and the formula for their sum."""
        yield FadeIn(self.terms, run_time=0.8)
        yield 1.0
        self.forms[0].hide(*(name for name, _ in _KEY))
        yield become(self.formula, self.forms[0], run_time=1.0)
        yield self.formula.appear("turn key", "n", "key", run_time=1.0)

    @beat(CAPTION, rest=REST)
    def score_(self) -> Steps:
        """Highlight the terms one after another, and add them up."""
        self.score.set_to(self["sums"][0])
        yield self.formula.appear("equals", run_time=0.5)
        for k, figure in enumerate(self.terms.figures):
            lit = recolor(figure, self.theme.text_color("attention"), run_time=0.5)
            yield lit, self.score.to(self["sums"][k], run_time=0.5) if k else FadeIn(self.score)
            yield 0.5
            yield recolor(figure, self.theme.ink, run_time=0.3)
        self.score.set_to(self["near.score"])
