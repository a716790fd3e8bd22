"""The riddle again: the notes answer it, for whoever looks for the typed word among them."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import FadeIn, FadeOut

from model.second_look import SecondLook as Look
from scenes.parts.card import TitleCard
from scenes.parts.dial import Dials
from scenes.parts.dial_hands import Hands
from scenes.parts.glance import Glance
from scenes.parts.strip import Strip
from scenes.previous_token.inputs import HeadInputs
from scenes.previous_token.riddle import LETTERS, NAME, OVER
from scenes.spelling import listed
from scenes.stage import CAPTION, Column, Derived, Stage, Steps, beat, fit

_COUNTS = "no one two three four five six seven eight nine ten eleven"
"""Up to as many as a text can have."""
_FOOT = 0.75
"""What stays free at the foot of the canvas, where a film says whom it is owed to."""
_SEED = 0.03
"""The radius of a dial that has not left its tile yet."""


def _count(look: Look) -> str:
    return _COUNTS.split()[look.n_found_after].capitalize()


def _followers(look: Look) -> str:
    return listed(f"“{word}”" for word in look.followers) if look.followers else "none"


def _found(look: Look) -> str:
    if not look.clear:
        return "This head still looks at several tokens at once: its notes cannot be trusted."
    if len(look.followers) > 1:
        said = "{followers_listed} do: each of them once came after “{typed}”."
        return said + (" The first tile wears itself." if look.first_is_found else "")
    if look.n_found_after > 1:
        all_of = "both" if look.n_found_after == 2 else "all of them"
        said = f"{{count}} do, and {all_of} are “{{follower}}”."
        return said + (" The first tile only wears itself." if look.first_is_found else "")
    if look.first_is_found:
        return "“{follower}” does. The first tile does too, but it only wears itself."
    one = (
        "“{follower}” does." if look.tokens.count(look.follower) == 1 else "One “{follower}” does."
    )
    return one + " So what follows “{typed}”? “{follower}”."


class SecondLook(Stage):
    """The riddle again: now one tile wears the typed word, and that tile is the answer."""

    class Inputs(HeadInputs):
        """A whole head; it also looks back from the word that is typed again."""

    title = "What follows “{typed}”?"
    question = "Every token now carries a note of what it looked at."
    caption = "Every token shows the same clock, and each one asks for the time one step ago."
    opens = ("tiles",)
    derived = {
        "count": Derived("how many tiles wear the typed word, besides the first", _count),
        "followers_listed": Derived("the different words on these tiles, listed", _followers),
    }

    values: Look

    @classmethod
    def compute(cls, inputs: Any) -> Look:
        return Look(inputs.tokens, inputs.d_head, inputs.alpha, inputs.base)

    def layout(self) -> None:
        self.n = len(self.values.tokens)
        self.tiles = Strip(
            self["tokens"],
            after=[self["typed"]],
            wonder=True,
            notes=self["copied.wanted"],
            shares=self["copied.shares"],
            size=LETTERS,
        )
        self.tiles.place(self.canvas.inset(0.0, OVER))
        self.tiles.show_notes(*range(self.n))
        self.eye = Glance(self.tiles, self.n)
        self.dials = Dials(
            self.values.head.d_head // 2, lanes=self.n + 1, labels=None, most=1, largest=0.6
        )
        self.card = TitleCard(NAME, role="attention")
        _, page = self.canvas.cut_bottom(_FOOT, gap=0.0)
        fit(page, Column(self.dials, self.card))
        self.card.hide()

    @beat("Back to our riddle: “{typed}” is typed once more.")
    def again(self) -> Steps:
        yield self.tiles.type_in(self.n, run_time=1.4)
        yield self.tiles.wear(self.n, run_time=0.8), self.tiles.paint(self.n, "query")
        yield self.tiles.ask_next()

    @beat("It looks back along the notes: which tile wears “{typed}”?")
    def sweep(self) -> Steps:
        self.eye.stand(self.eye.over(self.n))
        yield self.eye.open()
        yield self.eye.sweep(range(self.n - 1, -1, -1), run_time=3.2)

    @beat(_found)
    def found(self) -> Steps:
        look = self.values
        if not look.clear:
            yield self.eye.sweep([self.n], run_time=1.6)
            return
        found = look.found.tolist()
        yield self.eye.sweep(found, run_time=min(2.4, 1.0 + 0.3 * len(found)))
        yield self.tiles.paint(found, "correct")
        if len(look.followers) == 1:
            source = look.found_after[-1]
            yield self.tiles.answer(
                self["tokens"][int(source)], self.tiles.middle(source), run_time=1.6
            )

    @beat("This second look takes a second head, and that is the next film.")
    def name(self) -> Steps:
        lit = [self.n, *(self.values.found.tolist() if self.values.clear else [])]
        others = [k for k in range(self.n + 1) if k not in lit]
        yield self.tiles.dim_tiles(*others), self.eye.sweep([self.n], run_time=1.4)
        yield self.eye.close()
        self.remove(self.eye)

    @beat(CAPTION)
    def close(self) -> Steps:
        home, radius = self.dials.centers, self.dials.radius
        tiles = [self.tiles.middle(k) for k in range(self.n + 1)]
        self.dials.place_at(np.array(tiles), _SEED)
        keys = Hands(self["key_phases"], self.dials, "key", angles=True)
        asks = [
            Hands(self["key_phases"][m], self.dials, "query", angles=True, lane=m)
            for m in range(1, self.n + 1)
        ]
        self.add(self.dials, keys)
        yield FadeOut(self.tiles), self.dials.go_to(home, radius, run_time=1.6)
        self.add(*asks, keys)  # the keys stay on top
        yield [FadeIn(ask, run_time=0.4) for ask in asks]
        yield [ask.to(self["query_phases"][m], run_time=1.2) for m, ask in enumerate(asks, 1)]
        yield [ask.move_to_lane(m - 1, run_time=1.2) for m, ask in enumerate(asks, 1)]
        yield self.card.appear(run_time=1.4)
