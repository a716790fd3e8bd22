"""The same head after other last words: one follower, several, none, and a text without BOS."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from manim import LEFT, RIGHT, FadeIn
from numpy.typing import NDArray

from model.induction import Induction
from model.other_texts import OtherTexts
from scenes.facts import format_fact
from scenes.induction.counted import RADIUS, Counted
from scenes.induction.idea import followers
from scenes.induction.match import WORKS
from scenes.induction.noted import Listed, NotedBars, Rings
from scenes.induction.spread import letters
from scenes.induction.words import InductionInputs
from scenes.parts.chart import Chart
from scenes.parts.scale import Scale, slots
from scenes.parts.strip import Strip
from scenes.stage import CAPTION, Claim, Column, Derived, Row, Stage, Steps, beat, fit
from scenes.style.layout import GAP
from scenes.style.text import text_width
from scenes.style.type import SMALL

_AXIS = Scale(0.0, 1.0, (0.0, 0.5, 1.0), ".0%")
_SAID = ".1%"
_ASIDE = 0.5
"""How far tiles slide as they leave."""


def _main(values: OtherTexts) -> str:
    if values.main.case == "unique":
        return "Only {main_followers} came after “{main.text.query_token}”: nearly all goes there."
    return "After “{main.text.query_token}” came {main_followers}: they share the output."


def _other(values: OtherTexts) -> str:
    if values.main.case == "unique":
        return (
            "Stop at “{other.text.query_token}”: {other_followers} came next, and share the output."
        )
    return (
        "Stop at “{other.text.query_token}”: only {other_followers} came next, and gets nearly all."
    )


def _followers(head: Induction | None) -> str:
    return "none" if head is None else followers(head.text)


class Prediction(Stage):
    """What the head says where one word followed, where several did, and where none did."""

    class Inputs(InductionInputs):
        """A text, and how sharply both layers look."""

    title = "One answer, several, none"
    question = "What does it say after other words?"
    caption = "With BOS in front, it says what the text has shown: what followed, and how often."
    opens = ("tiles", "chart")
    leaves = ("tiles",)
    claims = (
        Claim(
            "each answer is what the matching notes say",
            lambda values: values.worst_error < 0.01,
            "one is off by {worst_error:.0%} with alpha {inputs.alpha:g} and beta "
            "{inputs.beta:g}; " + WORKS,
        ),
    )
    derived = {
        "main_followers": Derived("what followed the last word", lambda v: _followers(v.main)),
        "other_followers": Derived(
            "what followed the last word of the other text", lambda v: _followers(v.other)
        ),
        "first": Derived("the first word", lambda v: v.words[0]),
    }

    values: OtherTexts
    tiles: Strip
    """The text that is continued now."""
    options: Mapping[str, Any] = MappingProxyType({})
    """How all these texts stand: with `aside`, in a column."""

    @classmethod
    def compute(cls, inputs: Any) -> OtherTexts:
        found: OtherTexts = inputs.other_texts()
        return found

    def layout(self) -> None:
        names, size = self["vocabulary.tokens"], letters(self.canvas)
        # The text with the new word has every word there is: where it fits, all others do.
        one, widest = self._strip("new", size, lines=1), self._strip("new", size)
        self.options = {"beside": True, "aside": True}
        column = self._strip("new", size)
        listed = Listed(column)
        upright, lying = Chart(slots(names), _AXIS), Chart(_AXIS, slots(names, down=True))
        said = self["outputs"][0]
        bars = [NotedBars(said, chart, "value", spec=_SAID, numbered=(), clear=RADIUS, grown=False)
                for chart in (upright, lying)]  # fmt: skip
        texts = [
            format_fact(float(share), _SAID, "share") for share in np.ravel(self.values.outputs)
        ]
        bars[1].beside = max(text_width(text, SMALL) for text in texts) + 2 * RADIUS + GAP
        wide: list[tuple[Strip | Listed, Chart, type[Row] | type[Column]]]
        wide = [(one, upright, Column), (widest, upright, Column), (widest, lying, Row)]
        kinds = wide if self.canvas.wide else [(widest, lying, Column), *wide[:2]]
        kinds = [*kinds, (listed, lying, Row)]
        ways: list[Row | Column] = [
            kind(text, chart, weights=(1, 4)) for text, chart, kind in kinds
        ]
        box, self.chart, _ = kinds[fit(self.canvas, *ways)]
        text = box.strip if isinstance(box, Listed) else box
        self.options = self.options if box is listed else {}
        self.points = np.array([tile.middle for tile in text.tiles])
        self.box, self.size = tuple(text.tiles[0].state[2:4]), float(text.tiles[0].state[4])
        self.bars = bars[self.chart is lying]
        self.dots = Counted(self["expected"][0], self.chart)
        self.key = self.dots.key("counted in the text")
        self.now = "main"
        self.tiles = self._strip("main", self.size).place_at(self.points, self.box)
        self.tiles.show_notes()
        self.tiles.look([len(self.values.main.tokens) - 1], "query")

    @beat(_main)
    def main(self) -> Steps:
        yield from ([FadeIn(self.key)] if len(self.key) else [])
        yield from self._count("main")

    @beat(_other, when=lambda values: values.has_other)
    def other(self) -> Steps:
        yield from self._become("other")
        yield from self._count("other")

    @beat("And “{new_word}” is new: no note agrees, so every token so far gets a share.")
    def new(self) -> Steps:
        yield from self._become("new")
        yield from self._count("new")

    @beat(
        "Without BOS, the first “{first}” has none before it: its note says “{first}”, so it "
        "counts as a match.",
        when=lambda values: values.has_without_bos,
    )
    def without_bos(self) -> Steps:
        """The first note changes, and with it the bar of the first word."""
        base = self._base
        yield from self._become(base)
        yield self.tiles.leave(0, by=_ASIDE * LEFT), self.tiles.take_off(0)
        rest = slice(1, None)
        notes = self[f"{base}.noted_tokens"][rest], self[f"{base}.noted_shares"][rest]
        bare = Strip(self["without_bos.tokens"], notes=notes[0], shares=notes[1],
                     positions=True, size=self.size, **self.options)  # fmt: skip
        self._replace(bare, self.points[rest])
        own = self["without_bos.noted_tokens"], self["without_bos.noted_shares"]
        self.ring = Rings(self.tiles, 1, role="wrong")
        self.add(self.ring)
        self.tiles.look([len(self.tiles.tiles) - 1], "query")
        yield self.tiles.rewrite(*own, run_time=1.0), self.ring.close([0], run_time=1.0)
        self.now = "without_bos"
        first = self.values.vocabulary.tokens.index(self.values.words[0])
        yield from self._count("without_bos", first)

    @beat(
        "With BOS back, the note of the first “{first}” says “BOS”: it is no match any more.",
        when=lambda values: values.has_without_bos,
    )
    def bos_back(self) -> Steps:
        """BOS comes back, and only then into the note; the bars run into their dots."""
        base, first = self._base, self.values.vocabulary.tokens.index(self.values.words[0])
        notes, shares = self[f"{base}.noted_tokens"], self[f"{base}.noted_shares"]
        bos = Strip(self[f"{base}.tokens"][:1], notes=notes[:1], shares=shares[:1],
                    size=self.size, **self.options)  # fmt: skip
        bos.place_at(self.points[:1] + _ASIDE * LEFT, self.box).hide_tiles(0)
        self.add(bos)
        yield bos.slide_to(self.points[:1], self.box), bos.come_back(0), bos.wear(0, run_time=0.8)
        yield self.tiles.rewrite(notes[1:], shares[1:]), self.ring.open(), self.bars.unwrite()
        k = self.values.names.index(base)
        yield self.bars.to(self["outputs"][k], run_time=1.2), self.bars.recolor(first, "value")
        self.remove(self.ring, bos)
        found = self._head(base).text.followers.tolist()
        self._replace(self._strip(base, self.size), self.points)
        self.tiles.look(found, "correct").look([len(self.tiles.tiles) - 1], "query")
        yield self.bars.write(np.flatnonzero(self.values.expected[k]).tolist(), _SAID)
        self.now = base

    @beat(CAPTION)
    def back(self) -> Steps:
        """The text is whole again."""
        if self.now == "main":
            yield self.tiles.paint(len(self.tiles.tiles) - 1, "query")
            return
        yield from self._become("main")
        yield from self._count("main")

    # One text after another

    @property
    def _base(self) -> str:
        """The text that is told without BOS."""
        bare, other = self.values.without_bos, self.values.other
        assert bare is not None
        return "other" if other is not None and other.tokens[1:] == bare.tokens else "main"

    def _head(self, name: str) -> Induction:
        return self.values.heads[self.values.names.index(name)]

    def _strip(self, name: str, size: float, **options: Any) -> Strip:
        """A text with its notes, whose last tiles may still be to come."""
        notes, shares = self[f"{name}.noted_tokens"], self[f"{name}.noted_shares"]
        tokens = self[f"{name}.tokens"]
        given: dict[str, Any] = {"positions": True, "size": size, **self.options, **options}
        return Strip(tokens, notes=notes, shares=shares, **given)

    def _replace(self, strip: Strip, points: NDArray[np.float64]) -> None:
        """Let another strip stand where this one does, in the same places."""
        strip.place_at(points[: len(strip.tiles)], self.box)
        strip.show_notes(*range(strip.n_shown))
        self.remove(self.tiles)
        self.add(strip)
        self.tiles = strip

    def _become(self, name: str) -> Steps:
        """Let the end of the text go until the other one begins alike, and type what it lacks.

        What was said of the old one goes first.
        """
        old, new = self._head(self.now).tokens, self._head(name).tokens
        alike = [a == b for a, b in zip(old, new, strict=False)]
        same = alike.index(False) if False in alike else len(alike)
        plain = self.tiles.paint(range(len(old)), None)
        moves = [self.bars.sink(run_time=0.5), self.bars.unwrite(), self.dots.fade(), plain]
        if gone := range(same, len(old)):
            moves += self.tiles.leave(*gone, by=_ASIDE * RIGHT), self.tiles.take_off(*gone)
        yield moves
        self._replace(self._strip(name, self.size, hidden=len(new) - same), self.points)
        *early, last = range(min(same, len(new) - 1), len(new))
        if early:
            yield self.tiles.come_back(*early), self.tiles.wear(*early, run_time=0.6)
        if last >= same:
            yield self.tiles.type_in(last, run_time=0.6)
            yield (
                self.tiles.blink(run_time=0.4),
                self.tiles.wear(last, run_time=0.4),
                self.tiles.paint(last, "query"),
            )
        else:
            yield self.tiles.paint(last, "query", run_time=0.4)
        self.now = name

    def _count(self, name: str, *wrong: int) -> Steps:
        """What the text says falls from its tiles; bars of what the head says grow to meet it."""
        k, head = self.values.names.index(name), self._head(name)
        found = head.text.followers if head.text.n_followers else np.arange(head.n_tokens)
        tokens = self.values.vocabulary.tokens
        falling = [(self.tiles.middle(n), tokens.index(head.tokens[n])) for n in found.tolist()]
        light = [self.tiles.paint(found.tolist(), "correct")] if head.text.n_followers else []
        fall = self.dots.fall(self["expected"][k], falling, run_time=1.0)
        self.bars.set_to(self["outputs"][k])
        yield fall, *light, *(self.bars.recolor(w, "wrong") for w in wrong)
        self.dots.stand(*wrong)
        yield self.bars.grow(run_time=0.8)
        yield self.bars.write(wrong or sorted({slot for _, slot in falling}), _SAID)
