"""With positions the scores know the order, and how far the words are apart is all they know."""

from __future__ import annotations

from math import cos, pi
from typing import Any

import numpy as np
from manim import UP, Create, DashedVMobject, FadeOut, Succession, VMobject, Wait, smooth
from pydantic import Field

from model.word_scores import WordOrders
from scenes.parts.card import TitleCard
from scenes.parts.equation import Equation
from scenes.parts.score_arcs import ScoreArcs
from scenes.parts.strip import Strip
from scenes.rope.inputs import WordInputs
from scenes.rope.key_rows import KeyRow, gathered
from scenes.rope.word_line import WordLine
from scenes.rope.word_order import LONG_NAME, NAME, is_example, n_words
from scenes.stage import CAPTION, Claim, Column, Derived, Layers, Row, Stage, Steps, beat, fit

_SEEN = 0.01
"""A score that changes by less reads the same."""
_FEWEST = 3
"""Words of which one asks, and the others all change places."""
_ABOVE, _EMBLEM = 1.2, 0.52
"""The room over the tiles, and the radius of the last dial, in units."""
_RISE = 0.9
"""How high a word passes over the one between."""
_LETTERS = 42.0
"""The largest size of the words, in pixels."""
_DIGITS = 100.0
"""The sizes of the scores side by side, all together, in pixels."""

_FORMULA = [
    *(("query", "query(q^top)"), ("turn", "position(R)")),
    *(("offset", "_position(n-m)"), ("key", "key(k)")),
]


def _bet(values: WordOrders) -> str:
    if is_example(values):
        return "Let the man bite again. What will the scores be this time?"
    return "Let “{last}” and “{first}” change places again. What will their scores be this time?"


def _changed(values: WordOrders) -> str:
    which = "the scores" if len(values.told.words) == _FEWEST else "both their scores"
    return f"Now {which} have changed: the order has left its mark."


def _later(values: WordOrders) -> str:
    return "And {shift} position" + ("s" if values.shift > 1 else "") + " later in the text?"


def _along(share: float) -> float:
    """How far a tile on a half-circle has come along the line."""
    return 1.0 if share >= 1 else (1 - cos(pi * smooth(share))) / 2


class WhoBites(Stage):
    """The words change places again, and now the scores change; later in the text they do not."""

    class Inputs(WordInputs):
        """The words of the film's beginning."""

        shift: int = Field(95, ge=1, le=1000, description="how far the text is moved on")

    title = "What the score knows"
    question = "The same words, the other order: will the scores notice this time?"
    caption = "How does a head ask for the word just before its own?"
    opens = ("dials", "line", "tiles")
    claims = (
        Claim(
            "the swap changes both scores of the outer words visibly",
            lambda values: values.smallest_change >= _SEEN,
            "one changes by {smallest_change:.2g} only; another seed will do",
        ),
    )
    derived = {
        "n_words": Derived("how many words there are, spelled", n_words),
        "first": Derived("the first word", lambda v: v.told.words[0]),
        "last": Derived("the last word", lambda v: v.told.words[-1]),
    }

    inputs: Inputs
    values: WordOrders

    @classmethod
    def compute(cls, inputs: Any) -> WordOrders:
        return WordOrders(inputs.word_scores(), inputs.shift)

    def layout(self) -> None:
        """The words on their line, and a row of dials for each of the outer two."""
        words, asks = self["told.words"], self.inputs.asks
        others = [k for k in range(len(words)) if k != asks]
        self.tiles = Strip(words, size=_LETTERS, lines=1).look([asks], "query").look(others, "key")
        ground = WordLine(self.tiles, len(words), above=_ABOVE)
        self.rows = first, last = KeyRow(self, 0), KeyRow(self, -1)
        self.card, self.formula = TitleCard(NAME, LONG_NAME), Equation(_FORMULA)
        name = Column(self.card, self.formula)
        stacked, abreast = (Layers(way(first.box, last.box), name) for way in (Column, Row))
        beside = Row(ground, stacked)
        over, low = (Column(ground, aside, weights=(1, 2)) for aside in (stacked, abreast))
        fit(self.canvas, *((beside, over, low) if self.canvas.wide else (over, low, beside)))
        self.card.hide()
        self.formula.hide()
        self.line, self.dials = ground.line, gathered(self.rows)
        self.arcs = ScoreArcs(self["told.scores"], self.tiles, asks, size=_DIGITS / len(words))
        self.arcs.place(ground.room)
        self.arcs.set_z_index(-1)  # words that pass hide them
        self.arcs.hide()

    @beat("Back to our {n_words} words, and now each has a place.")
    def back(self) -> Steps:
        """One row of dials becomes two, and in each the query meets a key."""
        first, last = self.rows
        self.add(first.dials, first.query, self.dials)
        yield first.open(run_time=1.0) + last.open(run_time=1.0)
        yield first.turn(run_time=1.2) + last.turn(run_time=1.2) + [self.arcs.draw(run_time=1.2)]
        yield *(row.wedges.grow(run_time=0.8) for row in self.rows), self.arcs.write()

    @beat(ask=_bet)
    def swap(self) -> Steps:
        """The words change places, and the keys turn with them."""
        first, last = self.rows
        end, time = len(self.values.told.words) - 1, 2.6
        run: dict[str, Any] = {"run_time": time, "rate_func": _along}
        yield (
            self.tiles.swap(0, end, to=self["swapped.words"], rise=_RISE, run_time=time),
            *first.swap(**run),
            *last.swap(**run),
            self.arcs.through(self["swap_scores"], **run),
            self.arcs.erase(run_time=0.3),
        )
        self.arcs.rebind(self["swapped.scores"])

    @beat(_changed)
    def changed(self) -> Steps:
        """The scores of the new order, beside which the old ones stand."""
        yield self.arcs.write(run_time=0.6)

    @beat(
        "The scores stay: all hands turn on and keep the angles between them.",
        ask=_later,
    )
    def shift(self) -> Steps:
        """The line runs on under the words."""
        first, last = self.rows
        time = self.reading - 0.4
        yield (
            self.line.scroll_by(self.inputs.shift, run_time=time),
            *first.shift(run_time=time),
            *last.shift(run_time=time),
        )
        self.arcs.rebind(self["swapped_and_shifted.scores"])

    @beat("RoPE turns queries and keys by their positions, and the score sees only their offset.")
    def sum_up(self) -> Steps:
        """All dials become one over the word that asks; the film's name takes their place."""
        emblem = self.tiles.top(self.inputs.asks) + (_EMBLEM + 0.15) * UP
        fade = FadeOut(*(row.around_query for row in self.rows), run_time=0.8)
        yield fade, self.arcs.sink(run_time=0.8)
        yield (
            self.line.scroll_by(-self.inputs.shift, run_time=3.6),
            *(row.turn_back(run_time=3.6) for row in self.rows),
            *(row.dials.shrink_to(emblem, _EMBLEM, run_time=2.0) for row in self.rows),
            Succession(
                Wait(1.6), self.card.appear(run_time=1.0), self.formula.appear(run_time=1.0)
            ),
        )
        yield self.formula.pulse("offset")

    @beat(CAPTION)
    def next_film(self) -> Steps:
        """A dashed arc from the dial of the asking word to the word before it."""
        start = self.rows[0].dials.rim(0, -pi / 2)
        end = self.tiles.top(self.inputs.asks - 1) + 0.1 * UP
        corner = np.array([end[0], start[1], 0.0])
        arc = VMobject(stroke_color=self.theme.attention, stroke_width=4)
        arc.set_points([start, (start + corner) / 2, (corner + end) / 2, end])
        yield Create(DashedVMobject(arc, num_dashes=12), run_time=1.2)
