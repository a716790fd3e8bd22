"""A word is typed a second time: a reader knows what may come next, a row of tokens does not."""

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
from clockhead.scenes.previous_token.tiles import LETTERS, NAME, riddle_tiles
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import CAPTION, Column, Stage, Steps, beat, fit

_TALL = 72.0
"""The size where the canvas is higher than wide: the text then fills it in several lines."""


def _recalled(look: SecondLook) -> str:
    if look.has_one_continuation:
        return "You look back to an earlier “{typed}”, and read on: “{follower}”."
    return "You look back to where “{typed}” stood, and read what came after."


class Riddle(Stage[SecondLook]):
    """A word is typed a second time: a reader knows what may come next, a token does not."""

    class Inputs(TextInputs):
        """A text; one of its words is typed again."""

    title = "What comes next?"
    question = "A reader knows where to look. Do the tokens?"
    caption = "A previous-token head fills that gap, in every token at once."
    opens = ("tiles",)
    leaves = ("tiles",)

    @classmethod
    def compute(cls, inputs: Any) -> SecondLook:
        return second_look(inputs.tokens, inputs.d_head, base=inputs.base)

    def layout(self) -> None:
        tokens, size = self["tokens"], LETTERS if self.canvas.wide else _TALL
        self.tiles = riddle_tiles(self, size=size, slots=True)
        self.eye = Glance(self.tiles, len(tokens))
        assert self.tiles.layout is not None
        lines = int(np.ceil(len(tokens) / self.tiles.layout.per_line))
        self.raised = Strip(tokens, slots=True, size=size, lines=lines)
        self.card = TitleCard(said(NAME), role="attention")
        fit(self.canvas, Column(self.raised, self.card))
        self.card.hide()

    @beat("Someone writes a text, and then “{typed}” once more.")
    def typed(self) -> Steps:
        yield type_in(self.tiles, len(self.values.tokens), run_time=1.6)
        yield blink(self.tiles, run_time=1.0)
        yield ask_next(self.tiles)

    @beat(_recalled, ask="What would you say comes next?")
    def recall(self) -> Steps:
        look = self.values
        earlier = look.earlier.tolist()
        first, *rest = dict.fromkeys(n for e in earlier for n in (e, e + 1))
        self.eye.stand(self.eye.over(len(look.tokens)))
        yield self.eye.open()
        yield self.eye.sweep([first], run_time=1.3)
        yield paint(self.tiles, earlier, "attention"), self.eye.sweep(rest)
        yield self._answer()

    @beat("But a token holds only itself: “{follower}” cannot say what came before.")
    def only_itself(self) -> Steps:
        told = self.values.source + 1
        others = [k for k, tile in enumerate(self.tiles.tiles) if k != told]
        yield self.eye.close(), paint(self.tiles, range(len(self.tiles.tiles)), None)
        self.remove(self.eye)
        yield self.look_at(self.tiles.tiles[told], closest=2.2), dim_tiles(self.tiles, *others)
        yield open_slots(self.tiles, told, run_time=1.8)

    @beat(CAPTION)
    def card_(self) -> Steps:
        n = len(self.values.tokens)
        told = self.values.source + 1
        yield self.look_back(), undim_tiles(self.tiles)
        yield (
            open_slots(self.tiles, *(k for k in range(n) if k != told)),
            leave(self.tiles, n, n + 1, by=(1.0, 0.0, 0.0)),
        )
        box = self.raised.tiles[0].box
        places = np.array([self.raised.middle(k) for k in range(n)])
        yield slide_to(self.tiles, places, (box.width, box.height), run_time=1.2)
        yield self.card.appear(run_time=1.6)

    def _answer(self) -> Any:
        """The word that came next flies into the “?”; where there were several, they light up."""
        look = self.values
        if look.has_one_continuation:
            return answer(self.tiles, self["follower"], self.tiles.middle(look.source + 1))
        return paint(self.tiles, (look.earlier + 1).tolist(), "correct", run_time=1.2)
