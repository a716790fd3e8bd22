"""With positions the scores know the order, and how far the words are apart is all they know."""

from __future__ import annotations

from math import cos, pi
from typing import Any

import numpy as np
from manim import Create, DashedVMobject, Succession, VMobject, Wait, smooth
from pydantic import Field

from model.word_scores import WordOrders
from scenes.parts.card import TitleCard
from scenes.parts.equation import Equation
from scenes.parts.score_arcs import ScoreArcs
from scenes.parts.strip import Strip
from scenes.rope.inputs import WordInputs
from scenes.rope.key_rows import KeyRows
from scenes.rope.word_line import WordLine
from scenes.rope.word_order import LONG_NAME, NAME, is_example, n_words
from scenes.stage import CAPTION, Claim, Column, Derived, Row, Stage, Steps, beat, fit

_SEEN = 0.01
"""A score that changes by less reads the same."""
_FEWEST = 3
"""Words of which one asks, and the others all change places."""
_FOOT = 0.9
"""What stays free at the foot of the canvas, where a film says whom it is owed to."""
_ABOVE, _EMBLEM = 1.2, 0.52
"""The room over the tiles, and the radius of the last dial, in units."""
_RISE = 0.9
"""How high a word passes over the one between."""
_DIGITS = 100.0
"""The sizes of the scores side by side, all together, in pixels."""


def _bet(values: WordOrders) -> str:
    if is_example(values):
        return "Let the man bite again, and watch the scores."
    return "Let “{last}” and “{first}” change places once more."


def _changed(values: WordOrders) -> str:
    which = "the scores" if len(values.told.words) == _FEWEST else "both their scores"
    return f"This time {which} change: the order has left its mark."


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
        words, asks = self["told.words"], self.inputs.asks
        self.outer = 0, len(words) - 1
        self.tiles = Strip(words, size=30.0, lines=1).look([asks], "query")
        self.tiles.look([k for k in range(len(words)) if k != asks], "key")
        ground = WordLine(self.tiles, len(words), above=_ABOVE)
        self.card = TitleCard(NAME, LONG_NAME)
        n_hands = len(self.values.told.frequencies)
        width = self.card.least.width
        self.rows = KeyRows(self.__getitem__, n_hands, len(words), width=width)
        _, page = self.canvas.cut_bottom(_FOOT, gap=0.0)
        beside = Row(ground, self.rows.stacked, weights=(1.0, 1.0))
        over, low = (Column(ground, half) for half in (self.rows.stacked, self.rows.abreast))
        if self.canvas.wide:
            fit(page, beside, over, low)
        else:
            fit(page, over, low, beside)
        self.line, self.dials = ground.line, self.rows.opening
        self.arcs = ScoreArcs(self["told.scores"], self.tiles, asks, size=_DIGITS / len(words))
        self.arcs.place(ground.room)
        self.arcs.hide()
        self.formula = Equation(
            [
                ("query", "query(q^top)"),
                ("turn", "position(R)"),
                ("offset", "_position(n-m)"),
                ("key", "key(k)"),
            ]
        )
        fit(self.rows.region, Column(self.card, self.formula))
        self.card.hide()
        self.formula.hide()

    @beat("Back to our {n_words} words, and now each has a place.")
    def back(self) -> Steps:
        self.add(self.rows.hidden, self.dials)
        yield self.rows.part(run_time=1.3)
        yield self.rows.turn(run_time=1.6)
        self.add(*self.rows.layers)
        yield (*self.rows.open_wedges(run_time=1.0), self.arcs.draw(run_time=1.0))
        yield self.arcs.write(run_time=0.5)

    @beat(_changed, ask=_bet)
    def swap(self) -> Steps:
        run: dict[str, Any] = {"run_time": self.reading, "rate_func": _along}
        yield (
            self.tiles.swap(
                *self.outer, to=self["swapped.words"], rise=_RISE, run_time=self.reading
            ),
            *self.rows.swap(**run),
            self.arcs.through(self["swap_scores"], **run),
            self.arcs.erase(run_time=0.3),
        )
        self.arcs.rebind(self["swapped.scores"])
        yield self.arcs.write(run_time=0.5)

    @beat(
        "The scores stay: all hands turn on and keep the angles between them.",
        ask=_later,
    )
    def shift(self) -> Steps:
        yield (
            self.line.scroll_by(self.inputs.shift, run_time=self.reading),
            *self.rows.shift(run_time=self.reading),
        )
        self.arcs.rebind(self["swapped_and_shifted.scores"])

    @beat(
        "RoPE turns queries and keys by their positions; of these the score sees only the offset."
    )
    def sum_up(self) -> Steps:
        top = self.tiles.top(self.inputs.asks)
        emblem = top + np.array([0.0, _EMBLEM + 0.15, 0.0])
        yield self.rows.clear(run_time=0.8), self.arcs.sink(run_time=0.8)
        yield (
            self.line.scroll_by(-self.inputs.shift, run_time=4.6),
            *self.rows.turn_back(run_time=4.6),
            *self.rows.gather(emblem, _EMBLEM, run_time=2.4),
            Succession(
                Wait(2.2), self.card.appear(run_time=1.2), self.formula.appear(run_time=1.2)
            ),
        )
        yield self.formula.pulse("offset")

    @beat(CAPTION)
    def next_film(self) -> Steps:
        yield Create(self._question(), run_time=1.2)

    def _question(self) -> VMobject:
        """A dashed arc from the dial of the asking word to the word before it."""
        start = self.rows.rows[0].dials.rim(0, -pi / 2)
        end = self.tiles.top(self.inputs.asks - 1) + np.array([0.0, 0.1, 0.0])
        corner = np.array([end[0], start[1], 0.0])
        arc = VMobject(stroke_color=self.theme.attention, stroke_width=4)
        arc.set_points_as_corners([start, start])
        arc.set_points([start, (start + corner) / 2, (corner + end) / 2, end])
        return DashedVMobject(arc, num_dashes=12)
