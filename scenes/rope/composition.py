"""A query's turn is taken over to its key, transposed: of two positions one offset is left."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create, FadeIn, FadeOut, LaggedStart, SurroundingRectangle
from pydantic import Field

from clockhead.model.films.rope.composition import WordPair, word_pair
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.dial_turns import Base, Turns
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.term_moves import become
from clockhead.scenes.rope.inputs import WordInputs
from clockhead.scenes.rope.word_line import BY_OFFSET, FORMULA, TWO_WORDS, TwoWordStage
from clockhead.scenes.spelling import plural
from clockhead.scenes.stage import CAPTION, Derived, Steps, beat
from clockhead.scenes.style.theme import Role

_LINE = (0, 12)
"""The positions that can be asked for."""
_QUERY = [("turn query", "query(R)"), ("m", "_query(m)"), ("query", "query(q)")]
_KEY = [("turn key", "key(R)"), ("n", "_key(n)"), ("key", "key(k)"), ("equals", "=")]
_BOTH = [("open", "\\("), *_QUERY, ("close", "\\)"), ("transpose", "^top"), *_KEY]
_BETWEEN = [_QUERY[2], ("transpose", "^top"), _QUERY[0], ("flip", "^top"), _QUERY[1], *_KEY]
_FUSED = {"turn": ["turn query", "flip", "turn key"], "offset": ["n", "m"]}
_HOPS = {"turn query": 0.5, "m": 0.5}
"""How high R_m hops over q, in units."""


def _one(values: WordPair) -> str:
    if values.product.offset < 0:
        return "Forward by {product.n}, back by {product.m}: together one turn, back by {steps}."
    if values.product.offset > 0:
        return "Forward by {product.n}, back by {product.m}: together one turn, forward by {steps}."
    return "Forward by {product.n}, back by {product.m}: together no turn at all."


class Composition(TwoWordStage):
    """A query's turn is taken over to its key, transposed: of two positions one offset is left."""

    class Inputs(WordInputs):
        m: int = Field(5, ge=0, le=_LINE[1], description="position of the query")
        n: int = Field(3, ge=0, le=_LINE[1], description="position of the key")

    title = "Two turns, one offset"
    question = "What is left of the positions {product.m} and {product.n}?"
    caption = "Of two positions only the offset is left: that is what RoPE is built for."
    opens = ("dials", "line", "hero", "formula")
    leaves = TWO_WORDS
    derived = {
        "steps": Derived(
            "how far apart the two are", lambda v: plural(abs(v.product.offset), "step")
        )
    }

    values: WordPair
    compute = word_pair

    def layout(self) -> None:
        """Dials with both words' hands and arcs; the equation ends at a mark before the score."""
        product = self.values.product
        paths, n_decimals = ("product", "rotated_query_pairs", "key_pairs"), product.n_decimals
        self.lay_words(*paths, _LINE, nearest=product.offset, n_decimals=n_decimals)
        self._lay_arcs()
        self.formula, *self.forms = (
            Equation(terms, size=FORMULA) for terms in (_QUERY, _BOTH, _BETWEEN, BY_OFFSET)
        )
        self.lay_score(*self.forms)
        self.grid.write(self.formula)
        self.forms[0].hide(*(name for name, _ in _KEY))
        look: dict[str, Any] = {"color": self.theme.attention, "buff": 0.13, "corner_radius": 0.08}
        self.outline = SurroundingRectangle(self.score, **look)

    def _lay_arcs(self) -> None:
        """How far each word is turned, from where its hand was; R_m^T goes on from the key's."""
        dials, unit = self.grid.dials, self.values.words.unit

        def arc(path: str, start: Base, role: Role, out: float) -> Turns:
            phases = self[f"{path}_phases"]
            return Turns(phases, dials, start, role=role, out=out).set_z_index(1)

        query = Hands(self["product.query_pairs"], dials, unit=unit, ghost=True).set_z_index(1)
        key = self.key_hands.ghosts().set_z_index(1)  # over the faces of the next shot too
        self.ghosts = query, key
        self.query_arc = arc("product.query", query, "query", 0.6)
        self.key_arc = arc("product.key", key, "key", 0.76)
        self.back_arc = arc("transposed", self.key_arc, "query", 0.92)
        outermost = 0.92 if self.values.product.offset < 0 else 0.76
        self.one_arc = arc("offset", key, "position", outermost)

    @beat("The key of “{words.first}” is turned by its own position, {product.n}.")
    def meet(self) -> Steps:
        """The key comes in unturned, and turns by its own position."""
        yield (
            FadeIn(self.partner, shift=np.array([0.0, -0.5, 0.0])),
            FadeIn(*self.ghosts),
            self.key_hands.grow(),
            self.query_arc.grow(),
            become(self.formula, self.forms[0], run_time=1.0),
        )
        turned, by = self["product.rotated_key_pairs"], self["product.key_phases"].array
        yield (
            self.key_hands.turn_to(turned, by, run_time=3.0),
            self.key_arc.grow(run_time=3.0),
            self.formula.appear("key", "turn key", "n", run_time=1.5),
        )

    @beat("Their score adds up how well the hands agree on every dial.")
    def add_up(self) -> Steps:
        """What each dial adds to the score: copies of it fly there one after another."""
        yield self.wedges.grow(run_time=self.reading / 2)
        yield FadeIn(self.terms)
        goal = {"target_position": self.score.number.middle}
        flying = [FadeOut(figure.copy(), **goal) for figure in self.terms.figures]
        yield (
            LaggedStart(*flying, FadeIn(self.score), lag_ratio=0.3, run_time=self.reading / 2),
            self.formula.appear("equals"),
        )

    @beat(
        "Yes, if both hands turn back: $R_m^top$, the turn back, goes to the key.",
        ask="Can we undo the query's turn and keep the score?",
    )
    def back(self) -> Steps:
        """Both hands turn back as one; the query's arc winds up, reversed, at the key's."""
        time: dict[str, Any] = {"run_time": max(4.5, self.reading)}
        by, flip = -self["product.query_phases"].array, {"flip": ["transpose"]}
        yield (
            Create(self.outline, run_time=0.8),
            become(self.formula, self.forms[1], origins=flip, hops=_HOPS, **time),
            self.query.turn_to(self["product.query_pairs"], by, **time),
            self.key_hands.turn_to(self["product.key_pairs_by_offset"], by, **time),
            self.query_arc.to(self["unmoved_phases"], **time),
            self.back_arc.grow(**time),
        )

    @beat(_one)
    def one(self) -> Steps:
        """Steps back take steps forward away; what is left is the turn by the offset."""
        time = self.reading
        yield (
            FadeOut(self.outline, run_time=0.6),
            self.key_arc.to(self["rest_key_phases"], run_time=time),
            self.back_arc.to(self["rest_transposed_phases"], run_time=time),
        )
        yield (
            become(self.formula, self.forms[2], origins=_FUSED, run_time=1.5),
            FadeIn(self.one_arc, run_time=1.2),
            FadeOut(self.key_arc, self.back_arc, run_time=1.2),
        )

    @beat(CAPTION)
    def left(self) -> Steps:
        """The offset, on the line and in the formula."""
        yield self.bracket.appear(run_time=0.8), self.formula.highlight("offset")
        yield self.formula.pulse("offset")
