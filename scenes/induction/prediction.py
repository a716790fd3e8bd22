"""The same head after other last words: one follower, several, none, and a text without BOS."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import LEFT, RIGHT

from clockhead.model.films.induction.other_texts import OtherTexts, other_texts
from clockhead.model.induction.circuit import Induction
from clockhead.scenes.induction.column import ColumnText
from clockhead.scenes.induction.idea import followers
from clockhead.scenes.induction.noted import worn
from clockhead.scenes.induction.spread import letters
from clockhead.scenes.induction.words import InductionInputs
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Dots
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_looks import come_back, hide_tiles, leave, paint
from clockhead.scenes.parts.strip_notes import frame_notes, show_notes, take_off, wear
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import CAPTION, Claim, Column, Derived, Row, Stage, Steps, beat, fit
from clockhead.scenes.style.motion import FadeOut
from clockhead.scenes.style.type import MIN_SIZE, SMALL

_AXIS = Scale(0.0, 1.0, (0.0, 0.5, 1.0), ".0%")
_SHORT = Scale(0.0, 1.0, (0.0, 1.0), ".0%")
_SAID = ".1%"
_ASIDE, _RING = 0.5, 0.1
"""How far tiles slide as they leave, and the radius of a dot."""


def _spread(values: OtherTexts) -> str:
    if values.is_even:
        return "“{new_word}” is new: no note agrees, so attention is spread evenly over all."
    return "“{new_word}” is new: no note agrees. Traces in the notes make attention uneven."


def _rule(values: OtherTexts) -> str:
    if values.is_even:
        return said(
            "With BOS, it says what followed, and how often; if nothing did, it spreads evenly."
        )
    return said(
        "With BOS, it says what followed, and how often; if nothing did, traces in the notes "
        "decide."
    )


class Prediction(Stage[OtherTexts]):
    """What the head says where one word followed, where several did, and where none did."""

    class Inputs(InductionInputs):
        """A text, and how sharply both layers look."""

    title = "One answer, several, none"
    question = "Bars: what the head says. Rings: what followed."
    caption = "{rule}"
    opens = ("tiles", "chart")
    leaves = ("tiles",)
    claims = (
        Claim(
            "where something followed, nearly all of the attention goes there",
            lambda values: values.least_match_weight >= 0.9,
            "only {least_match_weight:.0%} goes there with alpha {inputs.alpha:g} and beta "
            "{inputs.beta:g}",
        ),
    )
    derived = {
        "rule": Derived("what the head says of any text", _rule),
        "main_followers": Derived("what followed the last word", lambda v: followers(v.main.text)),
        "other_followers": Derived(
            "what followed the last word of the other text",
            lambda v: followers(v.other.text) if v.has_other else "none",
        ),
        "first": Derived("the first word", lambda v: v.main.tokens[1]),
    }

    tiles: Strip
    """The text that is continued now."""
    in_column = False

    @classmethod
    def compute(cls, inputs: Any) -> OtherTexts:
        return other_texts(inputs.tokens[1:], alpha=inputs.alpha, beta=inputs.beta)

    def layout(self) -> None:
        names, size = self["vocabulary.tokens"], letters(self.canvas)
        # The text with the new word has every word there is: where it fits, all others do.
        one, many = self._strip("new", size, lines=1), self._strip("new", size)
        column = ColumnText(worn(self, "new."), size)
        upright, lying = Chart(slots(names), _AXIS), Chart(_AXIS, slots(names, down=True))
        small = Chart(_SHORT, slots(names, down=True), size=MIN_SIZE, least=(1.0, 1.0))
        said, dots = self["outputs"][0], self["expected"][0]
        bars = {
            chart: Bars(
                said, chart, "value", spec=_SAID, numbered=(), gap=2 * _RING, size=size, grown=False
            )
            for chart, size in ((upright, SMALL), (lying, SMALL), (small, MIN_SIZE))
        }
        over = [(one, upright, Column), (many, upright, Column)]
        kinds: list[tuple[Strip, Chart, type[Row | Column]]]
        kinds = [*over, (many, lying, Row)] if self.canvas.wide else [(many, lying, Column), *over]
        kinds.append((column, small, Row))
        ways = [kind(text, chart, weights=(1, 4)) for text, chart, kind in kinds]
        text, self.chart, _ = kinds[fit(self.canvas, *ways)]
        self.bars, self.in_column = bars[self.chart], text is column
        places = np.arange(len(names))
        self.dots = Dots(dots, self.chart, x=places, role=None, radius=_RING, standing=())
        self.points = np.array([tile.middle for tile in text.tiles])
        self.box, self.size = tuple(text.tiles[0].state[2:4]), float(text.tiles[0].state[4])
        self._stand("main")
        self.tiles.look([len(self.values.main.tokens) - 1], "query")

    @beat("After “{main.text.query_token}” came {main_followers}: the output goes there.")
    def main(self) -> Steps:
        yield from self._count()

    @beat(
        "Stop at “{other.text.query_token}”: {other_followers} came next, so the output goes "
        "there.",
        when=lambda values: values.has_other,
    )
    def other(self) -> Steps:
        yield from self._become("other")
        yield from self._count()

    @beat(_spread)
    def new(self) -> Steps:
        yield from self._become("new")
        yield from self._count()

    @beat(
        "Without BOS, the first “{first}” notes itself, and so it counts as a match.",
        when=lambda values: values.has_without_bos,
    )
    def without_bos(self) -> Steps:
        """The first note changes, and with it the bar of the first word."""
        yield from self._become("without_bos")
        yield frame_notes(self.tiles, 0, role="wrong", run_time=0.4)
        yield from self._count(self.values.vocabulary.tokens.index(self.values.main.tokens[1]))

    @beat(CAPTION)
    def back(self) -> Steps:
        """The text is whole again."""
        yield from self._become("main")
        yield from self._count()

    # One text after another

    def _head(self, name: str) -> Induction:
        return self.values.heads[self.values.names.index(name)]

    def _strip(self, name: str, size: float, **options: Any) -> Strip:
        """A text with its notes."""
        if self.in_column:
            return ColumnText(worn(self, f"{name}."), size)
        return Strip(**worn(self, f"{name}."), positions=True, size=size, **options)

    def _worn(self, name: str) -> dict[int, tuple[str, str]]:
        """The token at each place and its note; without BOS, the first place is free."""
        head = self._head(name)
        return dict(enumerate(zip(head.tokens, head.stored_tokens, strict=True), _start(name)))

    def _stand(self, name: str, *hidden: int) -> None:
        """Let a text stand there, with all but some of its tiles and notes."""
        self.now, self.tiles = name, self._strip(name, self.size)
        n, start = len(self.tiles.tiles), _start(name)
        self.tiles.place_at(self.points[start : start + n], self.box)
        show_notes(self.tiles, *(k for k in range(n) if k not in hidden))

    def _become(self, name: str) -> Steps:
        """Let what the next text does not have go, then let come what it has instead.

        What was said of the old one goes first.
        """
        old, new, shift = self._worn(self.now), self._worn(name), _start(self.now)
        gone = [p - shift for p in old if p not in new or new[p][0] != old[p][0]]
        unlike = [p - shift for p in old if new.get(p) != old[p]]
        plain = paint(self.tiles, range(len(old)), None)
        dots = [FadeOut(self.dots)] if self._head(self.now).text.n_followers else []
        yield self.bars.sink(run_time=0.5), self.bars.unwrite(), *dots, plain
        way = _ASIDE * (LEFT if name == "without_bos" else RIGHT)
        moves = [leave(self.tiles, *gone, by=way)] if gone else []
        if unlike:
            yield *moves, take_off(self.tiles, *unlike)
        self.remove(self.tiles)
        start = _start(name)
        come = [p - start for p in new if p not in old or new[p][0] != old[p][0]]
        changed = [p - start for p in new if new[p] != old.get(p)]
        self._stand(name, *changed)
        hide_tiles(self.tiles, *come)
        self.add(self.tiles)
        query = paint(self.tiles, len(new) - 1, "query")
        yield come_back(self.tiles, *come), wear(self.tiles, *changed, run_time=0.6), query

    def _count(self, *wrong: int) -> Steps:
        """What the text says falls from its tiles; bars of what the head says grow to meet it."""
        k, head = self.values.names.index(self.now), self._head(self.now)
        found = (head.text.followers if head.text.n_followers else head.forward.positions).tolist()
        falling = [self.values.vocabulary.tokens.index(head.tokens[n]) for n in found]
        self.bars.set_to(self["outputs"][k])
        color = self.bars.recolor(range(len(self.values.vocabulary)), "value", run_time=0.1)
        if head.text.n_followers:  # else the text says nothing
            self.dots.set_to(self["expected"][k])
            fall = self.dots.fall(falling, [self.tiles.middle(n) for n in found])
            yield fall, color, paint(self.tiles, found, "correct")
        else:
            yield color
        yield self.bars.grow(run_time=0.8), *(self.bars.recolor(w, "wrong") for w in wrong)
        yield self.bars.write(wrong or sorted(set(falling)), _SAID)


def _start(name: str) -> int:
    """The place at which a text begins."""
    return int(name == "without_bos")
