"""A word is typed again: a reader knows what may come next, but a token knows only itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from clockhead.model.films.previous_token.second_look import SecondLook, second_look
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.glance import Glance
from clockhead.scenes.parts.strip import Strip, slide_to
from clockhead.scenes.parts.strip_looks import dim_tiles, leave, open_slots, paint, undim_tiles
from clockhead.scenes.parts.strip_typing import answer, ask_next, blink, type_in
from clockhead.scenes.previous_token.inputs import TextInputs
from clockhead.scenes.previous_token.tiles import NAME, riddle_tiles
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import CAPTION, Column, Size, Stage, Steps, beat, fit, together
from clockhead.scenes.stage.layout import Room

_RAISED, _NAME, _EYE = 60.0, 64.0, 0.9
"""Letter sizes of tiles with slots and of the title, in pixels; width of an eye, in units."""
_TALL = 72.0
"""Letter size of these tiles on a tall canvas, which the text fills in several lines."""


def _earlier_word(look: SecondLook) -> str:
    if look.has_one_continuation:
        return "You look back to an earlier “{typed}”, and read on: “{follower}”."
    return "You look back to where “{typed}” stood, and read what came after."


class Riddle(Stage[SecondLook]):
    """A word is typed again: a reader knows what may come next, but a token knows only itself."""

    Inputs = TextInputs
    title = "What comes next?"
    caption = "But how does each of them find the one right before it?"
    opens = ("tiles",)
    leaves = ("tiles",)

    @classmethod
    def compute(cls, inputs: Any) -> SecondLook:
        return second_look(inputs.tokens, inputs.d_head, base=inputs.base)

    def layout(self) -> None:
        tokens, wide = self["tokens"], self.canvas.wide
        self.tiles = riddle_tiles(self, slots=True)
        self.eye = Glance(self.tiles, len(tokens), width=_EYE)
        assert self.tiles.layout is not None
        lines = 1 if wide else int(np.ceil(len(tokens) / self.tiles.layout.per_line))
        self.raised = Strip(tokens, slots=True, size=_RAISED if wide else _TALL, lines=lines,
                            gutter=_EYE)  # fmt: skip
        self.card = TitleCard(said(NAME), role="attention", size=_NAME)
        fit(self.canvas, Column(Room(Size(0.0, _EYE)), self.raised, self.card))

    @beat("Someone writes a text, and then “{typed}” once more.", focus="tiles")
    def typed(self) -> Steps:
        yield type_in(self.tiles, len(self.values.tokens), run_time=1.6)
        yield blink(self.tiles, run_time=1.0)
        yield ask_next(self.tiles)

    @beat(_earlier_word, ask="What would you say comes next?", focus="tiles")
    def recall(self) -> Steps:
        look = self.values
        earlier = look.earlier.tolist()
        first, *rest = dict.fromkeys(n for e in earlier for n in (e, e + 1))
        self.eye.stand(self.eye.over(len(look.tokens)))
        yield self.eye.open()
        yield self.eye.sweep([first], run_time=1.3)
        yield paint(self.tiles, earlier, "attention"), self.eye.sweep(rest)
        yield self._answer()

    @beat(
        "A language model cuts a text into tokens, here words. Each of them knows only itself.",
        focus="tiles",
    )
    def only_itself(self) -> Steps:
        told = self.values.source + 1
        others = [k for k, tile in enumerate(self.tiles.tiles) if k != told]
        yield self.eye.close(), paint(self.tiles, range(len(self.tiles.tiles)), None)
        self.remove(self.eye)
        yield dim_tiles(self.tiles, *others, run_time=1.0)
        yield self.look_at(*self.tiles.tiles[told - 1 : told + 1], closest=3.2, run_time=2.0)

    @beat("“{follower}” does not know that “{typed}” came right before it.", focus="tiles")
    def gap(self) -> Steps:
        yield open_slots(self.tiles, self.values.source + 1, run_time=1.8)

    @beat(
        "A previous-token head, one unit of attention, lets every token look one step back.",
        focus="tiles",
    )
    def head(self) -> Steps:
        n, told = len(self.values.tokens), self.values.source + 1
        yield self.look_back(), undim_tiles(self.tiles)
        yield (
            open_slots(self.tiles, *(k for k in range(n) if k != told)),
            leave(self.tiles, n, n + 1, by=(1.0, 0.0, 0.0)),
        )
        places = np.array([self.raised.middle(k) for k in range(n)])
        yield slide_to(self.tiles, places, run_time=1.0)
        width = min(_EYE, 0.8 * self.tiles.tiles[0].box.width)
        self.eyes = [Glance(self.tiles, k, width=width) for k in range(1, n)]
        yield together(*(eye.open() for eye in self.eyes))
        yield together(*(eye.sweep([eye.at - 1], run_time=1.6) for eye in self.eyes))

    @beat(CAPTION, focus="tiles")
    def name(self) -> Steps:
        yield self.card.appear(run_time=1.6)
        yield together(*(eye.close(run_time=0.8) for eye in self.eyes))
        self.remove(*self.eyes)

    def _answer(self) -> Any:
        """Fly the word that came next into the “?”, or highlight the words if there are several."""
        look = self.values
        if look.has_one_continuation:
            return answer(self.tiles, self["follower"], self.tiles.middle(look.source + 1))
        return paint(self.tiles, (look.earlier + 1).tolist(), "correct", run_time=1.2)
