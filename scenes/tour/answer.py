"""The induction head: the last token's query finds the note with its own word."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from clockhead.model.films.tour.answer import EchoedInduction, echoed_induction
from clockhead.model.induction.circuit import Induction
from clockhead.scenes.induction.match import SCORE, SHARE, SHARES, Match
from clockhead.scenes.induction.note_bars import NoteBars, strip_values
from clockhead.scenes.induction.spread import OVER, spread, tile_positions, tile_size
from clockhead.scenes.parts.chart import Chart, Mark
from clockhead.scenes.parts.flow import HAIRLINE
from clockhead.scenes.parts.knob import Knob
from clockhead.scenes.parts.paths import rectangle_edges, rectangles
from clockhead.scenes.parts.scale import Scale
from clockhead.scenes.parts.strip import Strip, slide_to
from clockhead.scenes.parts.strip_looks import frame_notes, paint, show_notes
from clockhead.scenes.parts.strip_typing import answer, ask_next
from clockhead.scenes.stage import (
    CAPTION,
    Column,
    Derived,
    Handle,
    Reading,
    Row,
    Stage,
    Steps,
    Value,
    beat,
    fit,
    together,
)
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut
from clockhead.scenes.style.theme import mix, theme
from clockhead.scenes.tour.inputs import NotedInputs

_WIDTH = 0.72
_BETAS = 0.01, 1e4
"""Lowest and highest value of the knob."""


def _copy_sentence(head: Induction) -> str:
    if head.case == "unique":
        return f"What stands there is copied: “{head.text.followed_by[0]}”."
    return "What stands there is copied, each with its share."


class Poured(Mark):
    """Copies of the bars of `shares` (T,), which are stacked in `order` at the slot `goal`.

    The height of the stack is their sum.
    """

    def __init__(self, shares: Value, chart: Chart, goal: int, order: list[int]) -> None:
        super().__init__(shares, chart)
        self._horizontal, self._progress = bool(chart.y.scaling.names), 0.0
        self._starts = np.array(order, dtype=float)
        self._order, self._goal = order, goal
        seam = theme().ground
        self.pile = VMobject(fill_opacity=1, stroke_color=seam, stroke_width=1.5)
        self.add(self.pile)

    def pour(self, **options: Any) -> Drive:
        """Move the copies from their bars onto the stack."""
        return self.drive("_progress", 0.0, 1.0, **options)

    def draw(self, state: NDArray[np.float64]) -> None:
        """Draw the copies at the current fraction of their paths."""
        x, y, look = self.chart.x, self.chart.y, theme()
        along, across = (x, y) if self._horizontal else (y, x)
        shares = state[self._order]
        feet = (shares.cumsum() - shares) * self._progress
        low, high = along.at(feet), along.at(feet + shares)
        middle = across.at(self._starts + (self._goal - self._starts) * self._progress)
        sides = middle - _WIDTH / 2 * across.pitch, middle + _WIDTH / 2 * across.pitch
        if self._horizontal:
            self.pile.set_points(rectangles(low, sides[0], high, sides[1]))
        else:
            self.pile.set_points(rectangles(sides[0], low, sides[1], high))
        self.pile.set_fill(mix(look.attention, look.value, min(1.0, 2 * self._progress)))

    def readings(self) -> Iterator[Reading]:
        """The length of each copy; once stacked, also its start: the sum of those below it."""
        if not self.chart.placed or not is_visible(self.pile):
            return
        i, along = (0, self.chart.x) if self._horizontal else (1, self.chart.y)
        foot = 0.0
        for k, edges in zip(self._order, rectangle_edges(self.pile.points), strict=True):
            low, high = map(float, along.read(edges[i::2]))
            within = along.scaling.within(high)
            yield Reading(self.shown[k], high - low, within)
            if self._progress == 1 and abs(low - foot) > within:
                yield Reading(self.shown[k], f"a share that begins at {low:.3f}")
            foot = high


class Answer(Stage[EchoedInduction]):
    """The last token asks with its own word, and matching notes get its attention."""

    Inputs = NotedInputs
    title = "Who noted “{text.query_token}”?"
    question = "A layer later, the induction head: the last token asks the notes."
    caption = "{copied} Both heads together are an induction circuit."
    opens = ("tiles",)
    leaves = ("tiles",)
    claims = Match.claims
    derived = {"copied": Derived("what the head copies", _copy_sentence)}

    inputs: NotedInputs

    handles = (Handle("text", ("to be or not to", "a b a c a", "the cat and the dog and the")),)

    @classmethod
    def compute(cls, inputs: Any) -> EchoedInduction:
        text = inputs.tokens, inputs.vocabulary
        return echoed_induction(*text, alpha=inputs.alpha, beta=inputs.beta)

    def layout(self) -> None:
        head, beta = self.values, self.inputs.beta
        self.last, self.matches = head.n_tokens - 1, head.matches.tolist()
        self.others = [k for k in range(head.n_tokens) if k not in self.matches]
        scale = Scale(0.0, beta, (0.0, beta), "g")
        across, down = (
            NoteBars(
                strip_values(self),
                self["scores"],
                scale,
                SHARES,
                down=down,
                widest=max(f"{beta:{SCORE}}", "50.0%", key=len),
                wonder=True,
                role="score",
                grown=False,
            )
            for down in (False, True)
        )
        self.knob = Knob(self["inputs.beta"], *_BETAS, spec="g", prefix="β = ")
        over, beside = (Row(text, self.knob, weights=(1, 0)) for text in (across, down))
        below = Column(down, self.knob, weights=(1, 0))
        ways: list[Row | Column] = [over if self.canvas.wide else below, beside, Row(down)]
        self.noted = across if ways[fit(self.canvas, *ways)] is over else down
        self.tiles, self.bars = self.noted.tiles, self.noted.bars
        show_notes(self.tiles)

    @beat(
        "Without notes, “{text.query_token}” would find only “{text.query_token}”. So notes "
        "must come first: they are the keys."
    )
    def ask(self) -> Steps:
        """Show bars for matching the words themselves, shrink them, and frame the notes as keys."""
        chart = self.noted.chart
        self.bars.set_to(self["echoed_scores"])
        yield FadeIn(chart.x, chart.y, self.knob), paint(self.tiles, self.last, "query")
        yield 0.4 * self.bars.grow()
        order = range(self.last, -1, -1)
        keys = frame_notes(self.tiles, *order, role="key", run_time=0.36 * self.reading)
        yield self.bars.sink(run_time=0.19 * self.reading), keys

    @beat(
        "Words are vectors, too. Their dot product, times β, is nearly {inputs.beta:g} where the "
        "note is the word, else far less."
    )
    def score(self) -> Steps:
        self.bars.set_to(self["scores"])
        yield self.bars.grow(run_time=1.8)
        everyone = range(self.last + 1)
        yield self.bars.write(everyone, SCORE), frame_notes(self.tiles, *self.others)

    @beat("And again shares: {match_weight:.1%} goes to whoever noted “{text.query_token}”.")
    def share(self) -> Steps:
        """Turn scores into attention weights, in the colour of attention."""
        yield self.bars.unwrite(run_time=0.2)
        yield 0.4 * together(
            self.bars.to(self["row"]),
            self.noted.rescale(SHARES),
            self.bars.recolor(range(self.last + 1), "attention"),
        )
        yield self.bars.write(self.matches, SHARE), paint(self.tiles, self.matches, "attention")

    @beat(CAPTION)
    def take(self) -> Steps:
        """Stack copies of the weights, and copy the answer; finally show the row alone."""
        yield ask_next(self.tiles), frame_notes(self.tiles, *self.matches), FadeOut(self.knob)
        order = [k for k in (*self.matches, *self.others) if self.values.row[k] >= HAIRLINE]
        self.pile = Poured(self["row"], self.noted.chart, self.last + 1, order)
        self.add(self.pile.set_z_index(-1))  # the answer is drawn over it
        moves = [self.pile.pour(), paint(self.tiles, self.matches, "correct")]
        if self.values.case == "unique":
            first = self.matches[0]
            moves.append(answer(self.tiles, self["tokens"][first], self.tiles.middle(first)))
        yield together(*moves, run_time=2.4)
        chart = self.noted.chart
        yield FadeOut(self.bars, self.pile, chart.x, chart.y, run_time=0.6)
        if not self.noted.down:
            look: dict[str, Any] = {"positions": True, "wonder": True, "hidden": 0}
            alone = Strip(**strip_values(self), **look, size=tile_size(self.canvas))
            alone.place(self.canvas.inset(0.0, OVER))
            spread(alone, self.canvas, pin=True)
            yield slide_to(self.tiles, *tile_positions(alone, len(self.tiles.tiles)), run_time=0.8)
