"""With positions, swapping two words changes their scores; shifting all words does not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from manim import DOWN, UP, VGroup
from manim.utils.rate_functions import ease_in_out_sine
from pydantic import Field

from clockhead.model.films.rope.who_bites import WordOrders, word_orders
from clockhead.scenes.parts.dial import Dials
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.dial_turns import Wedges
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.strip import Strip, slide_to
from clockhead.scenes.rope.inputs import WordInputs
from clockhead.scenes.rope.orders import SCORES, OrderStage, example_or
from clockhead.scenes.rope.ruler import Ruler
from clockhead.scenes.rope.score_arcs import ScoreArcs
from clockhead.scenes.rope.swap import swap
from clockhead.scenes.rope.word_line import NUMBER
from clockhead.scenes.spelling import plural, said
from clockhead.scenes.stage import CAPTION, Claim, Derived, FadeIn, Steps, beat, together
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import FadeOut, recolor

_TILE, _LETTERS = 1.1, 48.0
"""Height for a tile over its clocks, in units, and letter size of its word, in pixels."""
_LARGE, _HALF = 64.0, 0.72
"""Letter size at the end, in pixels, and height of the words' middle over their row, in units."""
_ARCS, _TALLEST = 0.32, 2.6
"""Height over the tiles, relative to the canvas, and its maximum, in units."""

_PITCH = 1.05
"""Distance between clocks, in diameters."""


_ENDING = example_or("who bit whom", "the order of the words")


class WhoBites(OrderStage):
    """With positions, swapping two words changes their scores; shifting all words does not."""

    class Inputs(WordInputs):
        """The words of the film's beginning, and the shift of the text."""

        shift: int = Field(95, ge=1, le=1000, description="shift of the text, in positions")

    title = "{heading}"
    caption = (
        "“{words.first}” before “{words.asker}” has {first_before:.2f}, behind it "
        "{first_after:.2f}. So a model can know {ending}."
    )
    opens = ("line", "tiles")
    derived = OrderStage.derived | {
        "ending": Derived("what a model can learn from such scores", lambda v: said(_ENDING(v))),
        "distance": Derived(
            "the shift of the text, with its unit", lambda v: plural(v.shift, "position")
        ),
    }
    claims = (
        Claim(
            "swapping the outer words visibly changes both of their scores",
            lambda values: values.swap_is_seen,
            "one changes by only {smallest_change:.2g}; try another seed",
        ),
    )

    values: WordOrders
    compute = word_orders

    def layout(self) -> None:
        """Lay out the line of positions, clocks for all words but the query's, words, and arcs."""
        words, canvas = self.values.words, self.canvas
        n = words.n_words
        self.tiles = Strip(self["words.words"], size=_LETTERS)
        self.line = Ruler((-0.95, n - 0.05), margin=0.0)
        foot = canvas.bottom + self.line.least.height
        self.line.place(Region(canvas.left, canvas.bottom, canvas.right, foot))
        top = canvas.top - min(_TALLEST, _ARCS * canvas.height)
        self.xs = [float(self.line.x(k)[0]) for k in range(n)]
        self.tiles.place_at(np.array([(x, top - _TILE / 2, 0.0) for x in self.xs]))
        high = Region(canvas.left, top, canvas.right, canvas.top)
        self.arcs = self._colored_arcs(self.tiles, "words.scores", high)
        self.dials, self.own = dict[int, Dials](), dict[int, Hands]()
        self.guests, self.wedges = dict[int, Hands](), dict[int, Wedges]()
        unit = words.unit
        half = 0.96 * self.line.pitch / (1 if n == 3 else 2)  # the query's word has no clocks
        for k in words.others:
            dials = Dials(words.n_pairs, labels=None)
            x = self.xs[k]
            place_in_block(dials, Region(x - half, foot, x + half, top - _TILE))
            own = Hands(self["words.key_pairs"][k], dials, "key", unit=unit, rim=True)
            guest = Hands(self["words.rotated_query_pairs"], dials, "query", unit=unit)
            angles = self["words.angles"][k]
            self.dials[k], self.own[k], self.guests[k] = dials, own, guest
            self.wedges[k] = Wedges(angles, dials, guest, end=own, out=0.5)
        self._lay_both_orders()

    def _colored_arcs(self, tiles: Strip, scores: str, room: Region) -> ScoreArcs:
        """Colour the tiles of query and keys, and draw arcs with scores over them."""
        tiles.look(self.values.words.others, "key").look([self.values.words.asks], "query")
        return self.arcs_over_tiles(tiles, scores, room, SCORES)

    def _lay_both_orders(self) -> None:
        """Lay out both orders, one over the other, each with its scores."""
        canvas = self.canvas
        middle = float(canvas.center[1])
        low = Region(canvas.left, canvas.bottom, canvas.right, middle)
        high = Region(canvas.left, middle, canvas.right, canvas.top)
        self.rows = [[(x, room.bottom + _HALF, 0.0) for x in self.xs] for room in (high, low)]
        self.first = Strip(self["words.words"], size=_LARGE).place_at(np.array(self.rows[0]))
        self.first_arcs = self._colored_arcs(self.first, "words.scores", high)
        second = Strip(self["swapped.words"], size=_LARGE).place_at(np.array(self.rows[1]))
        self.second, self.second_arcs = second, self._colored_arcs(second, "swapped.scores", low)

    def _clocks(self, *places: int) -> VGroup:
        """The clocks of some words, with all their hands."""
        parts = self.dials, self.guests, self.wedges, self.own
        return VGroup(*(part[k] for k in places for part in parts))

    @beat("Back to our {n_words} words. Now each has a place, and its place turns its hands.")
    def back(self) -> Steps:
        """Show the clocks of the keys, and turn their hands by their positions."""
        phases, turned = self.values.words.phases, self["words.rotated_key_pairs"]
        yield FadeIn(*self.dials.values(), *self.own.values(), run_time=1.0)
        yield 0.4
        yield tuple(own.turn_to(turned[k], phases[k], run_time=2.4) for k, own in self.own.items())

    @beat("“{words.asker}” lays its hands over those of the others, and each pair gets a score.")
    def compare(self) -> Steps:
        """Show the query's hands on the clocks of the keys, the angles between them, and scores."""
        for k, guest in self.guests.items():
            self.add(guest, self.own[k])
        yield tuple(guest.grow(run_time=1.0) for guest in self.guests.values())
        yield tuple(wedges.grow(run_time=1.0) for wedges in self.wedges.values())
        self.add(*self.own.values())
        yield self.arcs.draw(run_time=1.2)
        yield self.arcs.write(run_time=0.8)

    @beat(
        ask=example_or(
            "Let the man bite the dog once more. Will the scores stay this time?",
            "Let “{words.last}” and “{words.first}” trade places again. Will the scores stay?",
        )
    )
    def swap_(self) -> Steps:
        """Swap the outer words; their hands and scores are not updated yet."""
        first, last = 0, self.values.words.n_words - 1
        outer = self._clocks(first, last)
        yield FadeOut(outer, run_time=0.5)
        yield (
            swap(self.tiles, first, last, to=self["swapped.words"], run_time=3.0),
            self.arcs.follow_motion(run_time=3.0),
        )
        places = self.dials[last].centers[0], self.dials[first].centers[0]
        for k, centers in zip((first, last), places, strict=True):
            self.dials[k].place_at(centers, self.dials[k].radius)
        yield FadeIn(outer, run_time=0.5)

    @beat("No: at their new places their hands turn on, and both scores change.")
    def change(self) -> Steps:
        """Turn the hands by the words' change of position, and update the scores."""
        first, last = 0, self.values.words.n_words - 1
        phases, run = self.values.swap_phases, {"run_time": 3.2, "rate_func": ease_in_out_sine}
        moves: list[Any] = [self.arcs.through(self["swap_scores"], **run)]
        for k, place in ((first, last), (last, first)):
            pairs = self["swapped.rotated_key_pairs"][place]
            moves.append(self.own[k].turn_to(pairs, phases[k], **run))
            moves.append(self.wedges[k].through(self["swap_angles"][:, k], **run))
        yield together(*moves)
        self.arcs.rebind(self["swapped.scores"])
        self.before = [self._old_score(first, last), self._old_score(last, first)]
        yield FadeIn(*self.before, run_time=0.6)

    def _old_score(self, word: int, place: int) -> Figure:
        """The old score of a word, under its new score, or above it if numbers are crowded."""
        arcs = self.arcs
        number = arcs.numbers[arcs.ends.index(place)].number
        way, gap = (UP, 0.6) if arcs.is_crowded else (DOWN, 1.4)
        size = min(NUMBER, arcs.size)
        look: dict[str, Any] = {"size": size, "color": self.theme.muted}
        figure = Figure(self["words.scores"][word], ".2f", prefix=f"{said('was')} ", **look)
        return figure.put(number.middle + (arcs.size / 2 + gap * size) * PX * way)

    @beat(
        "And {distance} later, they stay: a score knows only how far away a word is, "
        "and on which side.",
        rest=REST,
    )
    def shift(self) -> Steps:
        """Scroll the line under the words, and turn all hands with it."""
        yield FadeOut(*self.before, run_time=0.5)
        v = self.values
        run: dict[str, Any] = {"run_time": 5.0, "rate_func": ease_in_out_sine}
        end = v.words.n_words - 1
        query = self["swapped_and_shifted.rotated_query_pairs"]
        keys = self["swapped_and_shifted.rotated_key_pairs"]
        places = {0: end, end: 0}
        yield together(
            self.line.scroll_by(v.shift, **run),
            *(
                own.turn_to(keys[places.get(k, k)], v.shift_phases, **run)
                for k, own in self.own.items()
            ),
            *(guest.turn_to(query, v.shift_phases, **run) for guest in self.guests.values()),
        )
        self.arcs.rebind(self["swapped_and_shifted.scores"])

    @beat(
        CAPTION, ask=example_or("So who bit whom?", "So what is the order of the words?"), rest=REST
    )
    def who(self) -> Steps:
        """Show both orders, one over the other, each with its scores."""
        yield FadeOut(self._clocks(*self.own), self.line, self.arcs, run_time=0.6)
        self.tiles.measures = replace(self.tiles.measures, size=_LARGE)
        yield slide_to(self.tiles, self.rows[1], run_time=1.2)
        yield FadeIn(self.first, run_time=0.6)
        yield self.first_arcs.draw(run_time=1.0), self.second_arcs.draw(run_time=1.0)
        yield self.first_arcs.write(run_time=0.8), self.second_arcs.write(run_time=0.8)
        lit, plain = self.theme.text_color("attention"), self.theme.ink
        for one, two in ((0, -1), (-1, 0)):  # the scores of one word in both orders
            pair = VGroup(self.first_arcs.numbers[one], self.second_arcs.numbers[two])
            yield recolor(pair, lit, run_time=0.5)
            yield 1.0
            yield recolor(pair, plain, run_time=0.4)


def place_in_block(dials: Dials, room: Region) -> None:
    """Place dials in a grid with the number of columns that makes them largest."""
    n = dials.n

    def radius(columns: int) -> float:
        return min(room.width / columns, room.height / -(-n // columns)) / 2 / _PITCH

    columns = max(range(1, n + 1), key=radius)
    rows, r = -(-n // columns), radius(columns)
    row, column = np.divmod(np.arange(n), columns)
    x, y = (column - (columns - 1) / 2) * 2 * _PITCH * r, ((rows - 1) / 2 - row) * 2 * _PITCH * r
    dials.place_at(room.center[:2] + np.column_stack([x, y]), r)
