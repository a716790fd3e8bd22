"""The match once more; then every word is another one, and nothing else changes."""

from __future__ import annotations

from typing import Any

from clockhead.model.films.induction.nonsense import AnyWords, any_words
from clockhead.scenes.induction.hops import Hop
from clockhead.scenes.induction.idea import NAME
from clockhead.scenes.induction.lanes import LOST
from clockhead.scenes.induction.match import APART, BEYOND, hops
from clockhead.scenes.induction.noted import Noted, worn
from clockhead.scenes.induction.spread import standing
from clockhead.scenes.induction.words import InductionInputs
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.scale import Scale
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_looks import (
    come_back,
    hide_tiles,
    leave,
    show_notes,
    take_off,
    wear,
)
from clockhead.scenes.parts.strip_typing import answer, ask_next
from clockhead.scenes.stage import CAPTION, Claim, Column, Stage, Steps, Value, beat, fit, together
from clockhead.scenes.stage.rhythm import REST

_PLAIN = Scale(0.0, 1.0)
_TURN = 0.3
"""Seconds in which a word gives way to another one."""


class Nonsense(Stage[AnyWords]):
    """The match once more; then every word is another one, and nothing else changes."""

    class Inputs(InductionInputs):
        """A text, and the scales of both layers."""

    title = "What does the head know?"
    question = ""
    caption = "Nobody has to build it: language models learn such heads in training."
    opens = ("tiles",)
    claims = (
        Claim("every note holds the token before it", lambda v: v.head.least_stored >= 0.9, LOST),
        Claim(
            "the attention goes to the notes that match",
            lambda v: v.head.match_weight >= 0.9,
            "only {head.match_weight:.0%} of it does: beta {inputs.beta:g} is too small for alpha "
            "{inputs.alpha:g}",
        ),
        Claim(
            "both layers attend in the same way, whatever the words are",
            lambda v: v.apart < 1e-9,
            "attention differs by {apart:.2g}",
        ),
    )

    @classmethod
    def compute(cls, inputs: Any) -> AnyWords:
        return any_words(inputs.induction())

    def layout(self) -> None:
        head = self.values.head
        self.last, self.followers = head.n_tokens - 1, head.text.followers.tolist()
        across, down = (
            Noted(worn(self, "head."), self["head.row"], _PLAIN, down=down, wonder=True,
                  apart=APART, beyond=BEYOND, most_bar=0.0, grown=False, large=True)
            for down in (False, True)
        )  # fmt: skip
        self.card = TitleCard(NAME, role="attention")
        under = [Column(self.card, noted, weights=(0, 1)) for noted in (across, down)]
        ways: list[Any] = [*under, across] if self.canvas.wide else [under[1], down, across]
        noted = {0: (across, down), 1: (down, down), 2: (across, across)}
        self.noted = noted[fit(self.canvas, *ways)][0 if self.canvas.wide else 1]
        self.card.hide()
        self.tiles = self.noted.tiles
        self.first, self.second = hops(self, self.tiles, head, "head.")
        self.texts = {"head": self.tiles} | {name: self._like(name) for name in ("sung", "counted")}
        for strip in self.texts.values():
            show_notes(strip)
            strip.look(self.followers, "correct")
            strip.look([self.last], "query")

    def _like(self, name: str) -> Strip:
        """Another text in the same places."""
        measures = self.tiles.measures
        look: dict[str, Any] = {
            "size": measures.size,
            "note_size": measures.note_size,
            "aside": measures.aside,
        }
        strip = Strip(**worn(self, f"{name}."), wonder=True, **look)
        return strip.place_at(*standing(self.tiles, self.last + 2))

    @beat(lambda v: "Back to the words that nobody has ever used." if v.is_made_up
          else "Back to our text.")  # fmt: skip
    def again(self) -> Steps:
        self.add(*self.first, *self.second, self.tiles)
        yield together(*(hop.draw() for hop in self.first))
        yield together(*(hop.draw(run_time=2.0) for hop in self.second))
        yield ask_next(self.tiles)
        if self.values.head.text.n_followed_by == 1:
            source = self.tiles.middle(self.followers[-1])
            yield answer(self.tiles, self._answer("head"), source, run_time=1.4)

    @beat("It knew nothing. Change every word, and both arrows stay where they are.",
          ask="How did the head know what to say?", rest=REST)  # fmt: skip
    def sung(self) -> Steps:
        yield from self._become("sung")

    @beat("Syllables or digits, anything that can repeat: it only compares and copies.", rest=REST)
    def counted(self) -> Steps:
        yield from self._become("counted")

    @beat("One head writes down what came before. The other finds it, and reads on.", rest=REST)
    def back(self) -> Steps:
        yield from self._become("head")
        hops = *self.first, *self.second
        yield together(*(hop.draw_back() for hop in hops))
        yield together(*(hop.draw() for hop in self.first))
        yield together(*(hop.draw(run_time=2.0) for hop in self.second))

    @beat(CAPTION)
    def name(self) -> Steps:
        yield self.card.appear() if self.card.lines else 1.0

    def _become(self, name: str) -> Steps:
        """Let every word give way to another one, from the first to the answer."""
        old, new, n = self.tiles, self.texts[name], self.last + 2
        new.place_at(*standing(self.texts["head"], n))
        hide_tiles(new, *range(n))
        self.add(new)
        for k in range(n + 1):
            step: list[Any] = []
            if k < n:
                step += [leave(old, k), take_off(old, k)]
            if 0 < k < n:
                step += [come_back(new, k - 1), wear(new, k - 1)]
            elif k == n and self.values.head.text.n_followed_by == 1:
                step.append(answer(new, self._answer(name)))
            yield together(*step, run_time=_TURN)
        self.remove(old)
        self.tiles = new
        for hop, path in self._arrows(name):
            hop.stand_on(new, path)

    def _arrows(self, name: str) -> list[tuple[Hop, Value]]:
        """The arrows, and what each of them shows of a text."""
        first, row = self[name + ".forward.head_0.pattern"], self[f"{name}.row"]
        shown = [(hop, first[hop.end]) for hop in self.first]
        return [*shown, *((hop, row) for hop in self.second)]

    def _answer(self, name: str) -> Value:
        return self[f"{name}.tokens"][self.followers[-1]]
