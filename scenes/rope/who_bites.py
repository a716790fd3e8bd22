"""With positions the scores know the order; all they know is how far away a word is, and where."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import DOWN, VGroup
from manim.utils.rate_functions import ease_in_out_sine
from pydantic import Field

from clockhead.model.films.rope.who_bites import WordOrders, word_orders
from clockhead.scenes.parts.dial import Dials
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.dial_turns import Wedges
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.rope.inputs import WordInputs
from clockhead.scenes.rope.orders import SCORES, OrderStage, of_example
from clockhead.scenes.rope.ruler import Ruler
from clockhead.scenes.rope.swap import swap
from clockhead.scenes.rope.word_line import NUMBER
from clockhead.scenes.spelling import plural, said
from clockhead.scenes.stage import CAPTION, Claim, Derived, FadeIn, Steps, beat, together
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import FadeOut, Moves

_TILE, _LETTERS = 1.1, 48.0
"""The room for a tile over its clocks, in units, and the size of its word."""
_ARCS, _TALLEST = 0.25, 2.6
"""The share of the canvas over the tiles, and what it is at most, in units."""

_PITCH = 1.05
"""From clock to clock, in diameters."""


class WhoBites(OrderStage):
    """The words change places again, and now the scores change; later in the text they do not."""

    class Inputs(WordInputs):
        """The words of the film's beginning."""

        shift: int = Field(95, ge=1, le=1000, description="how far the text is moved on")

    title = "{heading}"
    caption = (
        "“{words.first}” scores {first_before:.2f} before “{words.asker}” and {first_after:.2f} "
        "after it: so attention can tell."
    )
    opens = ("line", "tiles")
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
        """The line of positions; on each its clocks, over them its word, and over all the arcs."""
        words, canvas = self.values.words, self.canvas
        n, asks = words.n_words, words.asks
        self.tiles = Strip(self["words.words"], size=_LETTERS)
        self.line = Ruler((-0.4, n - 0.6), margin=0.3)
        foot = canvas.bottom + self.line.least.height
        self.line.place(Region(canvas.left, canvas.bottom, canvas.right, foot))
        top = canvas.top - min(_TALLEST, _ARCS * canvas.height)
        middles = [float(self.line.x(k)[0]) for k in range(n)]
        self.tiles.place_at(np.array([(x, top - _TILE / 2, 0.0) for x in middles]))
        self.tiles.look(words.others, "key").look([asks], "query")
        high = Region(canvas.left, top, canvas.right, canvas.top)
        self.arcs = self.arcs_over_tiles("words.scores", high, SCORES)
        half = self.line.pitch / 2
        self.dials, self.own = [], []
        self.guests: dict[int, Hands] = {}
        self.wedges: dict[int, Wedges] = {}
        query, keys, unit = self["words.query_pairs"], self["words.key_pairs"], words.unit
        for k, x in enumerate(middles):
            dials = Dials(words.n_pairs, labels=None)
            place_in_block(dials, Region(x - half, foot + 0.1, x + half, top - _TILE))
            if k == asks:
                own = Hands(query, dials, "query", unit=unit)
            else:
                own = Hands(keys[k], dials, "key", unit=unit, rim=True)
            self.dials.append(dials)
            self.own.append(own)
            if k != asks:
                guest = Hands(self["words.rotated_query_pairs"], dials, "query", unit=unit)
                angles = self["words.angles"][k]
                self.guests[k] = guest
                self.wedges[k] = Wedges(angles, dials, guest, end=own, out=0.5)

    def _clocks(self, *places: int) -> VGroup:
        """The clocks of some words, all hands on them."""
        parts = [
            part
            for k in places
            for part in (self.dials[k], self.guests.get(k), self.wedges.get(k), self.own[k])
            if part is not None
        ]
        return VGroup(*parts)

    @beat(
        "Back to our {n_words} words. Now each has a place, and its place turns its hands.",
        focus="tiles",
    )
    def back(self) -> Steps:
        """The clocks of every word, whose hands turn by its position."""
        words, run = self.values.words, {"run_time": 2.4}
        yield FadeIn(*self.dials, *self.own, run_time=1.0)
        yield 0.4
        yield tuple(
            own.turn_to(
                self["words.rotated_query_pairs"] if k == words.asks
                else self["words.rotated_key_pairs"][k],
                words.phases[k],
                **run,
            )
            for k, own in enumerate(self.own)
        )  # fmt: skip

    @beat(
        "“{words.asker}” lays its hands over those of the others, and each pair gets a score.",
        focus="tiles",
    )
    def compare(self) -> Steps:
        """The query's hands on the clocks of the others, the angles between, and the scores."""
        for k, guest in self.guests.items():
            self.add(guest, self.own[k])
        yield tuple(guest.grow(run_time=1.0) for guest in self.guests.values())
        yield tuple(wedges.grow(run_time=1.0) for wedges in self.wedges.values())
        self.add(*self.own)
        yield self.arcs.draw(run_time=1.2)
        yield self.arcs.write(run_time=0.8)

    @beat(
        ask=of_example(
            "Let the man bite the dog once more. Will the scores stay this time?",
            "Let “{words.last}” and “{words.first}” trade places again. Will the scores stay?",
        ),
        focus="tiles",
    )
    def swap_(self) -> Steps:
        """The outer words change places; their hands and scores are still the old ones."""
        first, last = 0, self.values.words.n_words - 1
        outer = self._clocks(first, last)
        yield FadeOut(outer, run_time=0.5)
        yield (
            swap(self.tiles, first, last, to=self["swapped.words"], run_time=3.0),
            self.arcs.following(run_time=3.0),
        )
        places = self.dials[last].centers[0], self.dials[first].centers[0]
        for k, centers in zip((first, last), places, strict=True):
            self.dials[k].place_at(centers, self.dials[k].radius)
        yield FadeIn(outer, run_time=0.5)

    @beat(
        "No: at their new places their hands turn on, and both scores change.",
        rest=REST,
        focus="tiles",
    )
    def change(self) -> Steps:
        """The hands turn by the way that the words have gone, and the scores run with them."""
        first, last = 0, self.values.words.n_words - 1
        phases, run = self.values.swap_phases, {"run_time": 4.0, "rate_func": ease_in_out_sine}
        moves: list[Any] = [self.arcs.through(self["swap_scores"], **run)]
        for k, place in ((first, last), (last, first)):
            pairs = self["swapped.rotated_key_pairs"][place]
            moves.append(self.own[k].turn_to(pairs, phases[k], **run))
            moves.append(self.wedges[k].through(self["swap_angles"][:, k], **run))
        yield together(*moves)
        self.arcs.rebind(self["swapped.scores"])
        self.before = [self._was(first, last), self._was(last, first)]
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
        """The line runs on under the words, and all hands race round."""
        yield FadeOut(*self.before, run_time=0.5)
        yield self._shift_by(self.values.shift, "swapped_and_shifted", 6.0)
        self.arcs.rebind(self["swapped_and_shifted.scores"])

    def _shift_by(self, steps: int, order: str, run_time: float) -> Moves:
        """All words go on, or back, by as many positions."""
        words, run = self.values.words, {"run_time": run_time, "rate_func": ease_in_out_sine}
        by = np.sign(steps) * self.values.shift_phases
        query, keys = self[f"{order}.rotated_query_pairs"], self[f"{order}.rotated_key_pairs"]
        places = [words.n_words - 1, *range(1, words.n_words - 1), 0]
        own = (
            hands.turn_to(query if k == words.asks else keys[places[k]], by, **run)
            for k, hands in enumerate(self.own)
        )
        guests = (hands.turn_to(query, by, **run) for hands in self.guests.values())
        return together(self.line.scroll_by(steps, **run), *own, *guests)

    @beat(
        CAPTION,
        ask=of_example("So who bit whom?", "So can it tell the order now?"),
        rest=REST,
        focus="tiles",
    )
    def who(self) -> Steps:
        """All the way back, with the scores at rest; and under them what they were."""
        yield FadeIn(*self.before, run_time=0.6)
        yield self._shift_by(-self.values.shift, "swapped", 5.0)
        self.arcs.rebind(self["swapped.scores"])


def place_in_block(dials: Dials, room: Region) -> None:
    """Place dials side by side, in the columns that make them largest."""
    n = dials.n

    def radius(columns: int) -> float:
        return min(room.width / columns, room.height / -(-n // columns)) / 2 / _PITCH

    columns = max(range(1, n + 1), key=radius)
    rows, r = -(-n // columns), radius(columns)
    row, column = np.divmod(np.arange(n), columns)
    x, y = (column - (columns - 1) / 2) * 2 * _PITCH * r, ((rows - 1) / 2 - row) * 2 * _PITCH * r
    dials.place_at(room.center[:2] + np.column_stack([x, y]), r)
