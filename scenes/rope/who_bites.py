"""With positions the scores know the order, and how far the words are apart is all they know."""

from __future__ import annotations

from itertools import chain
from math import pi
from typing import Any

import numpy as np
from manim import UP, Create, CubicBezier, DashedVMobject, Succession, VGroup, Wait
from numpy.typing import ArrayLike
from pydantic import Field

from clockhead.model.films.rope.who_bites import WordOrders, word_orders
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.dial import Dials
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.dial_turns import Wedges
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_moves import along_half_circle, swap
from clockhead.scenes.parts.table import Room
from clockhead.scenes.rope.inputs import WordInputs
from clockhead.scenes.rope.orders import LONG_NAME, NAME, OrderStage, of_example
from clockhead.scenes.rope.ruler import Ruler
from clockhead.scenes.rope.word_line import BY_OFFSET
from clockhead.scenes.spelling import plural, said
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Column,
    Derived,
    FadeIn,
    FadeOut,
    Layers,
    Row,
    Size,
    Stage,
    Steps,
    beat,
    fit,
    together,
)
from clockhead.scenes.style.layout import GAP
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import SMALL

_END, _PITCH = 0.7, 0.9
"""How far the line runs on beyond the words, in positions, and from word to word, in units."""
_ABOVE, _RISE, _EMBLEM = 1.2, 0.9, 0.52
"""The room over the tiles, how high one passes over others, and the radius of the last dial."""
_MOST, _LARGEST, _OVER = 4, 0.75, 0.12
"""Hands that are shown, the largest radius of a dial, and from dials up to a name, in units."""
_LETTERS, _DIGITS = 42.0, 100.0
"""The largest size of the words, and the sizes of all scores together, in pixels."""


class KeyRow:
    """The dials in which the query meets the key of the first (0) or the last word (-1).

    Its `box` holds them under the word's name and its former score, for a stage to arrange.
    """

    def __init__(self, stage: Stage, word: int) -> None:
        self._read, self.word, words = stage.__getitem__, word, stage.values.words
        columns = min(words.n_pairs, _MOST)
        self.dials = Dials(words.n_pairs, most=_MOST, columns=columns, largest=_LARGEST)
        self.query = Hands(stage["words.query_pairs"], self.dials, "query", unit=words.unit)
        self.key = Hands(stage["words.key_pairs"][word], self.dials, "key", unit=words.unit)
        angles = stage["words.angles"][word]
        self.wedges = Wedges(angles, self.dials, self.query, end=self.key)
        for depth, part in enumerate((self.wedges, self.query, self.key), start=1):
            part.set_z_index(depth)
        self.name = Strip(stage["words.outer_words"][-word : 1 - word], lines=1).look([0], "key")
        look: dict[str, Any] = {"size": SMALL, "color": theme().muted}
        score = stage["words.scores"][word]
        self.before = Figure(score, ".2f", prefix=f"{said('was')} ", **look)
        self.box = Column(Row(self.name, self.before, gap=GAP / 2), self.dials, gap=_OVER)

    def open_from(self, middle: ArrayLike) -> None:
        """Let the dials wait in the places of others, whose middles are given."""
        self._home, self._radius = self.dials.centers[0], self.dials.radius
        self.dials.place_at(middle, self._radius)
        self.query.redraw()

    def open(self, **options: Any) -> list[Any]:
        """The dials go to their places under the name, and the hands of the key grow."""
        move = self.dials.go_to(self._home, self._radius, **options)
        return [FadeIn(self.name, **options), move, self.key.grow(**options)]

    def swap(self, **options: Any) -> list[Any]:
        """The key turns on, or back, as its word goes to the other end."""
        keys, angles = self._read("swap_key_pairs"), self._read("swap_angles")
        return [
            self.key.through(keys[self.word], **options),
            self.wedges.through(angles[self.word], **options),
            FadeIn(self.before),
        ]

    def turn(self, order: str, by: ArrayLike, key_by: ArrayLike, **options: Any) -> list[Any]:
        """Query and key are turned to where they are in the order at a path."""
        query, keys = (self._read(f"{order}.rotated_{name}_pairs") for name in ("query", "key"))
        key = keys[self.word if order == "words" else -1 - self.word]
        return [
            self.query.turn_to(query, by, **options),
            self.key.turn_to(key, key_by, **options),
        ]


class WhoBites(OrderStage):
    """The words change places again, and now the scores change; later in the text they do not."""

    class Inputs(WordInputs):
        """The words of the film's beginning."""

        shift: int = Field(95, ge=1, le=1000, description="how far the text is moved on")

    title = "What the score knows"
    question = "Will the scores notice the order this time?"
    caption = "How does a head ask for the word just before its own?"
    opens = ("dials", "line", "tiles")
    derived = OrderStage.derived | {
        "distance": Derived("how far the text goes on", lambda v: plural(v.shift, "position")),
    }
    claims = (
        Claim(
            "the swap changes both scores of the outer words visibly",
            lambda values: values.swap_is_seen,
            "one changes by {smallest_change:.2g} only; another seed will do",
        ),
    )

    values: WordOrders
    compute = word_orders

    def layout(self) -> None:
        """The words on their line, and a row of dials for each of the outer two."""
        texts, words = self["words.words"], self.values.words
        self.tiles = Strip(texts, size=_LETTERS, lines=1)
        self.tiles.look(words.others, "key").look([words.asks], "query")
        self.line = Ruler((-_END, words.n_words - 1 + _END))
        above = Size(_PITCH * (words.n_words + 2 * _END), _ABOVE)
        ground = Column(room := Room(above, above), self.tiles, self.line, gap=0.12)
        self.rows = first, last = KeyRow(self, 0), KeyRow(self, -1)
        self.card, self.formula = TitleCard(NAME, said(LONG_NAME)), Equation(BY_OFFSET[:-1])
        name = Column(self.card, self.formula)
        stacked, abreast = (Layers(way(first.box, last.box), name) for way in (Column, Row))
        beside = Row(ground, stacked)
        over, low = (Column(ground, aside, weights=(1, 2)) for aside in (stacked, abreast))
        fit(self.canvas, *((beside, over, low) if self.canvas.wide else (over, low, beside)))
        self.card.hide()
        self.formula.hide()
        middle = np.mean([row.dials.centers[0] for row in self.rows], axis=0)
        for row in self.rows:
            row.open_from(middle)
        self.dials = VGroup(last.dials, last.query)
        y = self.tiles.middle(0)[1]
        self.tiles.place_at([(self.line.x(k)[0], y) for k in range(words.n_words)])
        self.arcs = self.arcs_over_tiles("words.scores", room.region, _DIGITS / words.n_words)

    @beat("Our {n_words} words again, and now each has a place.")
    def back(self) -> Steps:
        """One row of dials becomes two, and in each the query meets a key."""
        first, last = self.rows
        self.add(first.dials, first.query, self.dials)
        yield first.open(run_time=1.0) + last.open(run_time=1.0)
        phases, asks = self["words.phases"].array, self.values.words.asks
        turns = (
            row.turn("words", phases[asks], phases[row.word], run_time=1.2) for row in self.rows
        )
        yield *chain(*turns), self.arcs.draw(run_time=1.2)
        yield *(row.wedges.grow(run_time=0.8) for row in self.rows), self.arcs.write()

    @beat(
        ask=of_example(
            "Let the man bite again. What will the scores be?",
            "“{words.last}” and “{words.first}” change places again. What will their scores be?",
        )
    )
    def swap(self) -> Steps:
        """The words change places, and the keys turn with them."""
        end, run = self.values.words.n_words - 1, {"run_time": 2.6, "rate_func": along_half_circle}
        yield (
            swap(self.tiles, 0, end, to=self["swapped.words"], rise=_RISE, run_time=2.6),
            *chain(*(row.swap(**run) for row in self.rows)),
            self.arcs.through(self["swap_scores"], **run),
            self.arcs.erase(run_time=0.3),
        )
        self.arcs.rebind(self["swapped.scores"])

    @beat("Both scores have changed: now the order counts.")
    def changed(self) -> Steps:
        """The scores of the new order, beside which the old ones stand."""
        yield self.arcs.write(run_time=0.6)

    @beat(
        "The scores stay, because the angles between the hands stay.",
        ask="And {distance} later in the text?",
    )
    def shift(self) -> Steps:
        """The line runs on under the words."""
        by = self["shift_phases"].array
        turns = (row.turn("swapped_and_shifted", by, by) for row in self.rows)
        scroll = self.line.scroll_by(self.values.shift)
        yield together(scroll, *turns, run_time=self.reading - 0.4)
        self.arcs.rebind(self["swapped_and_shifted.scores"])

    @beat("RoPE turns queries and keys by their positions, and the score sees only their offset.")
    def sum_up(self) -> Steps:
        """All dials become one over the word that asks; the film's name takes their place."""
        emblem = self.tiles.top(self.values.words.asks) + (_EMBLEM + 0.15) * UP
        query, by = self["swapped.rotated_query_pairs"], -self["shift_phases"].array
        gone = (part for row in self.rows for part in (row.name, row.wedges, row.key, row.before))
        yield together(FadeOut(*gone), self.arcs.sink(), run_time=0.8)
        yield (
            self.line.scroll_by(-self.values.shift, run_time=3.6),
            *(row.query.turn_to(query, by, run_time=3.6) for row in self.rows),
            *(row.dials.shrink_to(emblem, _EMBLEM, run_time=2.0) for row in self.rows),
            Succession(Wait(1.6), self.card.appear(run_time=1), self.formula.appear(run_time=1)),
        )
        yield self.formula.pulse("offset")

    @beat(CAPTION)
    def next_film(self) -> Steps:
        """A dashed arc from the dial of the asking word to the word before it."""
        start = self.rows[0].dials.rim(0, -pi / 2)
        end = self.tiles.top(self.values.words.asks - 1) + 0.1 * UP
        corner = np.array([end[0], start[1], 0.0])
        arc = CubicBezier(start, (start + corner) / 2, (corner + end) / 2, end)
        arc.set_stroke(self.theme.attention, 4)
        yield Create(DashedVMobject(arc, num_dashes=12), run_time=1.2)
