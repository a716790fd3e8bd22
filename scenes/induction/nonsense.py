"""The circuit on other words, with the same attention; then both heads are trained from scratch."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from manim import DOWN, LEFT

from clockhead.model.films.induction.nonsense import AnyWords, any_words
from clockhead.scenes.induction.hops import Hop
from clockhead.scenes.induction.lanes import WEAK_NOTE
from clockhead.scenes.induction.match import APART, BEYOND, SHARES, hops
from clockhead.scenes.induction.note_bars import NoteBars, strip_values
from clockhead.scenes.induction.spread import tile_positions
from clockhead.scenes.induction.words import InductionInputs
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_looks import (
    come_back,
    hide_tiles,
    leave,
    paint,
    show_notes,
    take_off,
    wear,
)
from clockhead.scenes.parts.strip_typing import answer, ask_next
from clockhead.scenes.stage import CAPTION, Claim, Column, Stage, Steps, Value, beat, fit, together
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.text import text_width

NAMES, LONG_NAMES = "Induction heads", "they continue what they have seen"
_STEP, _SMALL_STEP = 44.0, 30.0
"""Letter sizes of the training step, in pixels: over a chart, and below a column of bars."""
_TURN = 0.3
"""Seconds in which a word is replaced by another one."""


def _slow_start(time: float) -> float:
    """Fraction of the training steps shown at a time (0 to 1): the early steps run more slowly."""
    return float(time**1.6)


class Nonsense(Stage[AnyWords]):
    """The circuit on other words, with the same attention; then both heads are trained."""

    Inputs = InductionInputs
    title = "What does the head know?"
    question = ""
    caption = "Language models are full of them: induction heads."
    opens = ("tiles",)
    claims = (
        Claim(
            "nearly all of every note is the token before it",
            lambda v: v.head.least_stored >= 0.9,
            WEAK_NOTE,
        ),
        Claim(
            "the matching notes get nearly all of the attention",
            lambda v: v.head.match_weight >= 0.9,
            "they get only {head.match_weight:.0%}: beta {inputs.beta:g} is too small for alpha "
            "{inputs.alpha:g}",
        ),
        Claim(
            "the attention patterns of both layers do not depend on the words",
            lambda v: v.apart < 1e-9,
            "attention weights differ by {apart:.2g}",
        ),
    )

    compute = any_words

    def layout(self) -> None:
        head = self.values.head
        self.last, self.followers = head.n_tokens - 1, head.text.followers.tolist()
        across, down = (
            NoteBars(strip_values(self, "head."), self["trained.rows"][0], SHARES, down=down,
                     wonder=True, apart=APART[down], beyond=BEYOND, most_bar=1.3 if down else 2.6,
                     grown=False, large=True)
            for down in (False, True)
        )  # fmt: skip
        self.card = TitleCard(NAMES, LONG_NAMES, role="attention", size=84)
        under = Column(self.card, down, weights=(0, 1))
        ways: list[Any] = [across, under, down] if self.canvas.wide else [under, down, across]
        is_across = ways[fit(self.canvas, *ways)] is across
        self.noted = across if is_across else down
        if is_across:  # the name replaces the bars
            foot = across.chart.area.bottom
            self.card.place(replace(self.canvas, bottom=foot))
        self.tiles, self.bars = self.noted.tiles, self.noted.bars
        area, size = self.noted.chart.area, _STEP if is_across else _SMALL_STEP
        self.step = Figure(self["trained.steps"][0], ".0f", prefix="step ", size=size)
        widest = text_width(f"step {self.values.trained.n_steps}", size, "semibold")
        corner = area.point(1, 1) + (widest / 2 + 0.1) * LEFT + size * PX * DOWN
        beside = area.point(0.5, 0.5 / (self.last + 2))  # there is no bar for the answer
        self.step.number.center_on(corner if is_across else beside)
        self.noted.lift(self.canvas)
        self.first, self.second = hops(self, self.tiles, head, "head.")
        self.texts = {"head": self.tiles} | {name: self._strip(name) for name in ("sung", "named")}
        for strip in self.texts.values():
            show_notes(strip)
            strip.look(self.followers, "correct")
            strip.look([self.last], "query")

    def _strip(self, name: str) -> Strip:
        """The text of another head, on tiles in the same places."""
        measures = self.tiles.measures
        look: dict[str, Any] = {
            "size": measures.size,
            "note_size": measures.note_size,
            "aside": measures.aside,
        }
        strip = Strip(**strip_values(self, f"{name}."), wonder=True, **look)
        return strip.place_at(*tile_positions(self.tiles, self.last + 2))

    @beat(lambda v: "Back to the words that nobody has ever used." if v.is_made_up
          else "Back to our text.")  # fmt: skip
    def again(self) -> Steps:
        self.add(*self.first, *self.second, self.tiles)
        yield together(*(hop.draw() for hop in self.first))
        yield together(*(hop.draw(run_time=2.0) for hop in self.second))
        yield ask_next(self.tiles)
        yield from self._fly_answer()

    @beat("It knew nothing. Change every word, and both arrows stay where they are.",
          ask="How did the head know what to say?", rest=REST)  # fmt: skip
    def sung(self) -> Steps:
        yield from self._change_text("sung")

    @beat("Syllables or names, anything that can repeat: it only compares and copies.", rest=REST)
    def named_(self) -> Steps:
        yield from self._change_text("named")

    @beat(
        "How sharply both heads look can be learned. At first, attention goes everywhere.",
        rest=REST,
    )
    def untrained(self) -> Steps:
        hops = *self.first, *self.second
        yield together(*(hop.draw_back() for hop in hops)), leave(self.tiles, self.last + 1)
        self.remove(*hops)
        yield from self._change_text("head", says=False)
        yield take_off(self.tiles), paint(self.tiles, self.followers, None)
        yield self.noted.settle()
        yield ask_next(self.tiles)
        yield FadeIn(self.noted.chart.x), FadeIn(self.noted.chart.y), self.bars.grow(run_time=1.6)
        yield FadeIn(self.step)

    @beat(
        "For a while, little changes. Then, all of a sudden, both look where they should.",
        ask="What will training on random texts make of them?",
        rest=REST,
        focus=("tiles", "bars"),
    )
    def trained(self) -> Steps:
        """Fill the notes and grow the arrows with the steps of gradient descent, from nothing.

        A note's word is as opaque as its attention weight has become.
        """
        fills, learned = self.tiles.fills, self["trained.layer_0"]
        assert fills is not None
        grows: list[tuple[Any, Value]] = [
            *((hop, learned[hop.end]) for hop in self.first),
            *((part, self["trained.rows"]) for part in (self.bars, *self.second)),
            (fills, self["trained.stored"]),
        ]
        fills.write_as_learned(self["trained.stored"])
        for part, series in grows:
            part.learn(series) if isinstance(part, Hop) else part.set_to(series[0])
        self.add(*self.first, *self.second, self.tiles)
        yield wear(self.tiles, run_time=1.6)
        learn = [part.through(series, rate_func=_slow_start) for part, series in grows]
        count = self.step.through(self["trained.steps"], rate_func=_slow_start)
        yield together(*learn, count, run_time=6.0)
        yield paint(self.tiles, self.followers, "correct")
        yield from self._fly_answer()

    @beat(CAPTION, rest=REST)
    def name(self) -> Steps:
        yield FadeOut(self.bars, self.noted.chart, self.step)
        yield self.card.appear() if self.card.lines else 1.0
        yield 2.0

    def _fly_answer(self) -> Steps:
        if self.values.head.text.n_followed_by == 1:
            source = self.tiles.middle(self.followers[-1])
            yield answer(self.tiles, self._answer("head"), source, run_time=1.4)

    def _change_text(self, name: str, *, says: bool = True) -> Steps:
        """Replace every word by that of another text, from the first to the answer."""
        old, new, n = self.tiles, self.texts[name], self.last + 2
        new.place_at(*tile_positions(self.texts["head"], n))
        hide_tiles(new, *range(n))
        self.add(new)
        for k in range(n + 1):
            step: list[Any] = []
            if k < n:
                step += [leave(old, k), take_off(old, k)]
            if 0 < k < n:
                step += [come_back(new, k - 1), wear(new, k - 1)]
            elif k == n and says and self.values.head.text.n_followed_by == 1:
                step.append(answer(new, self._answer(name)))
            yield together(*step, run_time=_TURN)
        self.remove(old)
        self.tiles = new
        for hop, path in self._arrows(name):
            hop.switch_text(new, path)

    def _arrows(self, name: str) -> list[tuple[Hop, Value]]:
        """The arrows, each with the attention pattern of another text that it shows; (T,) each."""
        first, row = self[name + ".forward.head_0.pattern"], self[f"{name}.row"]
        shown = [(hop, first[hop.end]) for hop in self.first]
        return [*shown, *((hop, row) for hop in self.second)]

    def _answer(self, name: str) -> Value:
        return self[f"{name}.tokens"][self.followers[-1]]
