"""A reader can continue made-up words; a head that attends to its own word only repeats it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from clockhead.model.films.induction.idea import Riddle, riddle
from clockhead.model.induction.continuation import Continuation
from clockhead.scenes.induction.arcs import Arcs
from clockhead.scenes.induction.spread import LARGE, OVER, spread, tile_positions, tile_size
from clockhead.scenes.induction.words import MatchInputs, quote_words
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.glance import Glance
from clockhead.scenes.parts.strip import Strip, slide_to
from clockhead.scenes.parts.strip_looks import leave, paint
from clockhead.scenes.parts.strip_typing import answer, ask_next, type_in
from clockhead.scenes.parts.tile import Paint
from clockhead.scenes.stage import CAPTION, Claim, Derived, Stage, Steps, beat
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.motion import FadeOut

_CARD = 1.7
"""Least height over the tiles at which the title fits there, in units."""
_LARGER = 1.25
"""Letter size of these few words, relative to the film's texts."""
NAME, LONG_NAME = "The induction circuit", "two heads that continue what they have seen"


def followers(text: Continuation) -> str:
    """The words that followed earlier copies of the last word, or their number if they are many."""
    return quote_words(text.followed_by, "{n} different words")


class Idea(Stage[Riddle]):
    """A reader can continue made-up words; a head that attends to its own word only repeats it."""

    Inputs = MatchInputs
    title = "What comes next?"
    question = ""
    caption = "That takes two heads, one after the other: an induction circuit."
    opens = ("tiles",)
    leaves = ("tiles",)
    claims = (
        Claim(
            "a head that looks for its own token finds it",
            lambda riddle: riddle.echo.own_share >= 0.9,
            "“{text.query_token}” gives itself only {echo.own_share:.0%}: beta {inputs.beta:g} is "
            "too small",
        ),
    )
    derived = {
        "followers_listed": Derived(
            "the words that followed earlier copies of the last word",
            lambda riddle: followers(riddle.text),
        )
    }

    compute = riddle

    def layout(self) -> None:
        words = self["text.tokens"][1:]  # a later stage introduces BOS
        self.last = len(words) - 1
        self.tiles = Strip(
            words, wonder=True, hidden=2, size=_LARGER * tile_size(self.canvas, LARGE)
        )
        self.tiles.place(self.canvas.inset(0.0, OVER))
        spread(self.tiles, self.canvas)
        self.eye = Glance(self.tiles, self.last)
        self.arcs = Arcs(self["echo.head.pattern"][self.last + 1][1:], self.tiles, self.last)
        self.after = [int(n) - 1 for n in self.values.text.followers]
        self.card = TitleCard(NAME, LONG_NAME, role="attention", size=72)
        over = replace(self.canvas, bottom=float(self.tiles.top(0)[1]) + 0.1)
        self.has_room = over.height > _CARD
        self.card.place(over if self.has_room else self.canvas)

    @beat(
        lambda riddle: (
            "Nobody has ever used these words." if riddle.is_made_up else "Read these words."
        ),
        focus="tiles",
    )
    def typed(self) -> Steps:
        yield type_in(self.tiles, self.last, run_time=1.4)
        yield ask_next(self.tiles)

    @beat(
        "You look back: after “{text.query_token}” came {followers_listed}.",
        ask="What would you say comes next?",
        focus="tiles",
    )
    def recall(self) -> Steps:
        text, tiles = self.values.text, self.tiles
        stops = list(dict.fromkeys(n for e in text.earlier.tolist() for n in (e - 1, e)))

        def meet(n: int) -> None:
            tiles.look([n], "correct" if n in self.after else None)

        self.eye.stand(self.eye.over(self.last))
        yield self.eye.open()
        yield self.eye.sweep(stops, meet=meet, run_time=max(2.4, self.reading))
        if text.n_followed_by == 1:
            found = self.after[-1]
            yield answer(tiles, self["text.tokens"][found + 1], tiles.middle(found), run_time=1.2)
        yield self.eye.close()
        self.remove(self.eye)

    @beat("You know nothing about “{text.query_token}”, and still you have a guess.",
          when=lambda riddle: riddle.is_made_up, rest=REST, focus="tiles")  # fmt: skip
    def guess(self) -> Steps:
        yield 1.0

    @beat("Can attention do the same? Let the last word look for words like itself.",
          focus=("tiles", "arcs"))  # fmt: skip
    def look_(self) -> Steps:
        tiles = self.tiles
        gone = [leave(tiles, self.last + 1)] if self.values.text.n_followed_by == 1 else []
        yield paint(tiles, self.after, None), *gone
        yield paint(tiles, self.last, "query"), ask_next(tiles)
        self.add(self.arcs, tiles)  # between lines, the arcs pass behind the tiles
        yield self.arcs.draw(run_time=1.8)

    @beat(
        "It says “{echo.prediction}”. A head copies what it finds, and it found the word itself.",
        ask="It finds them. But what will the head say next?",
        rest=REST,
        focus="tiles",
    )
    def parrot(self) -> Steps:
        text, tiles = self.values.text, self.tiles
        source = int(text.earlier[-1]) - 1
        role: Paint = "attention" if text.query_token in text.followed_by else "wrong"
        yield answer(tiles, self["echo.prediction"], tiles.middle(source), role=role, run_time=1.6)

    @beat("The word that we want stands one step further on.", focus="tiles")
    def further(self) -> Steps:
        yield ask_next(self.tiles)
        yield self.arcs.hop()
        yield paint(self.tiles, self.after, "correct")

    @beat(CAPTION)
    def card_(self) -> Steps:
        gone = self.arcs.draw_back(), paint(self.tiles, self.last, None)
        yield leave(self.tiles, self.last + 1), *gone
        self.remove(self.arcs)
        if self.has_room:
            middles, box = tile_positions(self.tiles, self.last + 1)
            if np.ptp(middles[:, 1]) < 1e-6:  # the tiles are in a single line
                aside = self.canvas.center[0] - (middles[0, 0] + middles[-1, 0]) / 2
                middle = np.vstack([middles, middles[-1:]]) + np.array([aside, 0.0, 0.0])
                yield slide_to(self.tiles, middle, box, run_time=0.8)
            yield self.card.appear()
        else:
            yield FadeOut(self.tiles)
            yield self.card.appear()
            yield 2.0
            yield self.screen(self.tiles)
