"""A query's turn is taken over to its key, transposed: of two positions one offset is left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from manim import Create, FadeIn, FadeOut, LaggedStart, SurroundingRectangle
from pydantic import Field

from model.position_pair import RotatedDotProduct
from model.word_scores import WordScores
from scenes.parts.dial_hands import Hands
from scenes.parts.dial_turns import Turns
from scenes.parts.equation import Equation
from scenes.rope.inputs import WordInputs
from scenes.rope.two_words import SIZE, TwoWordStage
from scenes.stage import CAPTION, Steps, beat

_LINE = (0, 12)
"""The positions that can be asked for."""
_QUERY = [("turn query", "query(R)"), ("m", "_query(m)"), ("query", "query(q)")]
_KEY = [("turn key", "key(R)"), ("n", "_key(n)"), ("key", "key(k)"), ("equals", "=")]
_BOTH = [("open", "\\("), *_QUERY, ("close", "\\)"), ("transpose", "^top"), *_KEY]
_BETWEEN = [_QUERY[2], ("transpose", "^top"), _QUERY[0], ("flip", "^top"), _QUERY[1], *_KEY]
_OFFSET = [("turn", "position(R)"), ("offset", "_position(n - m)")]
_ONE = [*_BETWEEN[:2], *_OFFSET, *_KEY[2:]]
_FUSED = {"turn": ["turn query", "flip", "turn key"], "offset": ["n", "m"]}
_HOP = 0.5
"""How high R_m hops over q, in units."""


@dataclass(frozen=True)
class Meeting:
    """The asking word's query at one position, and the first word's key at another."""

    words: WordScores
    product: RotatedDotProduct


def _meet(values: Meeting) -> str:
    if values.product.pair.n == 0:
        return "The key of “{partner}” stands at position 0, so it is not turned."
    as_well = " as well," if values.product.pair.m else ""
    return f"The key of “{{partner}}” is turned{as_well} by its own position {{inputs.n}}."


def _score(values: Meeting) -> str:
    n_hands = len(values.words.frequencies)
    if n_hands > 8:
        return "Their score sums up how well the two hands agree, over all {n_hands} dials."
    if n_hands == 1:
        return "Their score says how well the two hands agree."
    return "Their score sums up how well the two hands agree, dial by dial."


def _back(values: Meeting) -> str:
    if values.product.pair.m == 0:
        return "There is nothing to take away: at position 0 the query is not turned."
    return "Yes: turn both hands back together. $R_m$ goes over to the key, as $R_m^top$."


def _one(values: Meeting) -> str:
    offset = values.product.pair.offset
    steps = f"{abs(offset)} step{'' if abs(offset) == 1 else 's'}"
    if offset < 0:
        return f"Forward by {{inputs.n}}, back by {{inputs.m}}: together one turn, back by {steps}."
    if offset > 0:
        return (
            f"Back by {{inputs.m}}, forward by {{inputs.n}}: together one turn, forward by {steps}."
        )
    return "Back by {inputs.m} and forward by {inputs.n}: together no turn at all."


class Composition(TwoWordStage):
    """A query's turn is taken over to its key, transposed: of two positions one offset is left."""

    class Inputs(WordInputs):
        m: int = Field(5, ge=0, le=_LINE[1], description="position of the query")
        n: int = Field(3, ge=0, le=_LINE[1], description="position of the key")

    title = "Two turns, one offset"
    question = "A query at {inputs.m} meets a key at {inputs.n}. What is left of their positions?"
    caption = "Of two positions only the offset is left: that is what RoPE is built for."
    opens = ("dials", "line", "hero", "formula")
    leaves = (
        *("dials", "key_hands", "line", "hero", "partner", "formula", "score"),
        *("wedges", "terms"),
    )

    inputs: Inputs
    values: Meeting

    @classmethod
    def compute(cls, inputs: Inputs) -> Meeting:
        words = inputs.word_scores()
        return Meeting(words, words.with_word(0, inputs.m, inputs.n))

    def layout(self) -> None:
        """Dials with both words' hands and arcs; the equation ends at a mark before the score."""
        product = self.values.product
        paths, n_decimals = ("product", "rotated_query_pairs", "key_pairs"), product.n_decimals
        self.lay_words(*paths, _LINE, nearest=product.pair.offset, n_decimals=n_decimals)
        self._lay_arcs(outermost=0.92 if product.pair.offset < 0 else 0.76)
        self.formula, *self.forms = (
            Equation(terms, size=SIZE) for terms in (_QUERY, _BOTH, _BETWEEN, _ONE)
        )
        self.lay_score(*self.forms)
        self.grid.write(self.formula)
        self.forms[0].hide(*(name for name, _ in _KEY))
        self.outline = SurroundingRectangle(
            self.score, color=self.theme.attention, buff=0.13, corner_radius=0.08
        )

    def _lay_arcs(self, outermost: float) -> None:
        """How far each word is turned, from where its hand was; R_m^T goes on from the key's."""
        dials, unit = self.grid.dials, self.values.words.unit
        self.ghosts = [
            Hands(self[f"product.{word}_pairs"], dials, unit=unit, ghost=True)
            for word in ("query", "key")
        ]
        query, key, back, offset = (
            self[f"product.pair.{name}_phases"] for name in ("query", "key", "transposed", "offset")
        )
        self.query_arc = Turns(query, dials, self.ghosts[0], role="query", out=0.6)
        self.key_arc = Turns(key, dials, self.ghosts[1], role="key", out=0.76)
        self.back_arc = Turns(back, dials, self.key_arc, role="query", out=0.92)
        self.one_arc = Turns(offset, dials, self.ghosts[1], role="position", out=outermost)
        for part in (*self.ghosts, self.query_arc, self.key_arc, self.back_arc, self.one_arc):
            part.set_z_index(1)  # over the faces of the next shot too, while they fade

    # What is told

    @beat(_meet)
    def meet(self) -> Steps:
        """The key comes in unturned, and turns by its own position."""
        yield (
            FadeIn(self.partner, shift=np.array([0.0, -0.5, 0.0])),
            FadeIn(*self.ghosts),
            self.key_hands.grow(),
            self.query_arc.grow(),
            self.formula.become(self.forms[0], run_time=1.0),
        )
        turned, by = self["product.rotated_key_pairs"], self["product.pair.key_phases"].array
        yield (
            self.key_hands.turn_to(turned, by, run_time=3.0),
            self.key_arc.grow(run_time=3.0),
            self.formula.appear("key", "turn key", "n", run_time=1.5),
        )

    @beat(_score)
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

    @beat(_back, ask="Can we undo the query's turn and keep the score?")
    def back(self) -> Steps:
        """Both hands turn back as one; the query's arc winds up, reversed, at the key's."""
        seconds: dict[str, Any] = {"run_time": max(4.5, self.reading)}
        by = -self["product.pair.query_phases"].array
        yield (
            Create(self.outline, run_time=0.8),
            self.formula.become(
                self.forms[1],
                origins={"flip": ["transpose"]},
                hops={"turn query": _HOP, "m": _HOP},
                **seconds,
            ),
            self.query.turn_to(self["product.query_pairs"], by, **seconds),
            self.key_hands.turn_to(self["product.key_pairs_by_offset"], by, **seconds),
            self.query_arc.to(self["product.pair.unmoved.query_phases"], **seconds),
            self.back_arc.grow(**seconds),
        )

    @beat(_one)
    def one(self) -> Steps:
        """Steps back take steps forward away; what is left is the turn by the offset."""
        rest = "product.pair.without_common_steps"
        yield (
            FadeOut(self.outline, run_time=0.6),
            self.key_arc.to(self[f"{rest}.key_phases"], run_time=self.reading),
            self.back_arc.to(self[f"{rest}.transposed_phases"], run_time=self.reading),
        )
        yield (
            self.formula.become(self.forms[2], origins=_FUSED, run_time=1.5),
            FadeIn(self.one_arc, run_time=1.2),
            FadeOut(self.key_arc, self.back_arc, run_time=1.2),
        )

    @beat(CAPTION)
    def left(self) -> Steps:
        """The offset, on the line and in the formula."""
        yield self.bracket.appear(run_time=0.8), self.formula.highlight("offset")
        yield self.formula.pulse("offset")
