"""With positions the scores know the order; all they know is how far away a word is, and where."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import DOWN
from pydantic import Field

from clockhead.model.films.rope.who_bites import WordOrders, word_orders
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.rope.inputs import WordInputs
from clockhead.scenes.rope.orders import LETTERS, NAME, SCORES, OrderStage, of_example
from clockhead.scenes.rope.ruler import Ruler
from clockhead.scenes.rope.swap import along_half_circle, swap
from clockhead.scenes.rope.word_line import BY_OFFSET, FORMULA, NUMBER
from clockhead.scenes.spelling import plural, said
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Column,
    Derived,
    FadeIn,
    Room,
    Row,
    Size,
    Steps,
    beat,
    fit,
    together,
)
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.motion import FadeOut

_OVER = 0.2
"""From the line up to the tiles, in units."""
_HIGH = Size(4.0, 1.6)
"""The room over the tiles at least, in units."""


_ENDING = of_example(
    "So who bit whom? Now the scores differ, and attention can tell the two stories apart.",
    "Now the scores differ, and attention can tell the two orders apart.",
)


class WhoBites(OrderStage):
    """The words change places again, and now the scores change; later in the text they do not."""

    class Inputs(WordInputs):
        """The words of the film's beginning."""

        shift: int = Field(95, ge=1, le=1000, description="how far the text is moved on")

    title = "{heading}"
    caption = "{ending}"
    opens = ("line", "tiles")
    derived = OrderStage.derived | {
        "ending": Derived("what the scores can tell now", lambda v: said(_ENDING(v))),
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
        """The words on their line, their scores over them, and a band for the name under it."""
        texts, n = self["words.words"], self.values.words.n_words
        self.tiles = Strip(texts, size=LETTERS)
        self.line = Ruler((-0.4, n - 0.6), margin=0.3)
        self.card, self.formula = TitleCard(NAME), Equation(BY_OFFSET[:-1], size=FORMULA)
        band = Row(self.card, self.formula)
        above = Room(_HIGH, Size(np.inf, 3.4))
        words = Room(Size(4.0, 1.2), Size(np.inf, 1.4))
        fit(self.canvas, Column(above, words, self.line, band, gap=0.12, weights=(3, 1, 0, 1)))
        self.card.hide()
        self.formula.hide()
        y = float(words.region.bottom) + _OVER + 0.5
        places = [(float(self.line.x(k)[0]), y, 0.0) for k in range(n)]
        self.tiles.place_at(np.array(places))
        self.tiles.look(self.values.words.others, "key").look([self.values.words.asks], "query")
        self.arcs = self.arcs_over_tiles("words.scores", above.region, SCORES)

    @beat(
        "Back to our {n_words} words. Now each has a place, and its clocks are turned.",
        focus="tiles",
    )
    def back(self) -> Steps:
        """The arcs of the film's beginning, with other scores."""
        yield self.arcs.draw(run_time=1.8)
        yield self.arcs.write(run_time=1.0)

    @beat(
        "Both have changed: now the order counts.",
        ask=of_example(
            "Let the man bite the dog once more. Will the scores stay this time?",
            "Let “{words.last}” and “{words.first}” trade places again. Will the scores stay?",
        ),
        rest=REST,
        focus="tiles",
    )
    def swap(self) -> Steps:
        """The words change places, and their scores run to others; the old ones stand below."""
        end, run = self.values.words.n_words - 1, {"run_time": 4.0, "rate_func": along_half_circle}
        yield (
            swap(self.tiles, 0, end, to=self["swapped.words"], run_time=4.0),
            self.arcs.through(self["swap_scores"], **run),
        )
        self.arcs.rebind(self["swapped.scores"])
        self.before = [self._was(0, end), self._was(end, 0)]
        yield FadeIn(*self.before, run_time=0.6)

    def _was(self, word: int, place: int) -> Figure:
        """The score that a word had, under the one that it has in its new place."""
        arcs = self.arcs
        number = arcs.numbers[arcs.ends.index(place)].number
        look: dict[str, Any] = {"size": NUMBER, "color": self.theme.muted}
        figure = Figure(self["words.scores"][word], ".2f", prefix=f"{said('was')} ", **look)
        return figure.put(number.middle + (SCORES / 2 + 1.4 * NUMBER) * PX * DOWN)

    @beat(
        "The same. A score knows only the offset: how far away a word is, and on which side.",
        ask="And {distance} later in the text, what will the scores be?",
        rest=REST,
        focus="tiles",
    )
    def shift(self) -> Steps:
        """The line runs on under the words."""
        yield FadeOut(*self.before, run_time=0.5)
        yield together(self.line.scroll_by(self.values.shift), run_time=6.0)
        self.arcs.rebind(self["swapped_and_shifted.scores"])

    @beat(CAPTION, rest=REST, focus="tiles")
    def who(self) -> Steps:
        """The name, and the formula beside it."""
        yield self.card.appear(run_time=1.0)
        yield self.formula.appear(run_time=1.2)
