"""Softmax after the head: shares of attention as logits, and what is left of their proportions."""

from __future__ import annotations

from typing import Any

import numpy as np

from clockhead.model.films.induction.probabilities import ShareExamples, share_examples
from clockhead.model.induction.circuit import Induction
from clockhead.scenes.induction.column import ColumnText
from clockhead.scenes.induction.noted import worn
from clockhead.scenes.induction.spread import letters
from clockhead.scenes.induction.words import InductionInputs, named
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Dots
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.knob import Knob
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_looks import come_back, hide_tiles, leave, paint
from clockhead.scenes.parts.strip_moves import slide_to
from clockhead.scenes.parts.strip_notes import show_notes, take_off, wear
from clockhead.scenes.parts.word_bars import SHARES
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Column,
    Derived,
    FadeIn,
    FadeOut,
    Layers,
    Row,
    Stage,
    Steps,
    beat,
    fit,
    stack,
    together,
)
from clockhead.scenes.stage.shown import Picture
from clockhead.scenes.style.type import MIN_SIZE, SMALL

_SAID = ".1%"
_GAMMA, _GAMMAS = ".1f", (1.0, 100.0)
"""How gamma is written, and the ends of its knob."""
_SHORT = Scale(0.0, 1.0, (0.0, 1.0), ".0%")
_SHARED = 1.0, 4.0
"""How a text and what is below it share the page."""
_DOT = 0.09
_OTHERS = 3, 4, 5, 6, 7
_ONCE = 6
"""Places in the other text: those of words that stand before, and of the new word."""


_TEXTS = "main", "torn"
_Page = tuple[list[Strip], Chart, type[Row] | type[Column]]
"""Both texts, the chart, and how one stands to the other."""


def _scaled(values: ShareExamples) -> str:
    way = '$W_"out"$ may scale them: '
    if values.sure.n_leaders > 1:
        return (
            way
            + "γ = {sure.gamma:.1f} makes it {sure.goal:.0%} in all, {sure.likeliest:.1%} for the "
            "likeliest."
        )
    return way + "with γ = {sure.gamma:.1f}, {leading} reaches {sure.goal:.0%}."


def _ends(values: ShareExamples) -> str:
    where = "At that γ,"
    if values.turns_on:
        where = "At γ = {last_gamma:.1f}, “{often}” has {split.goal:.0%}:"
    return where + " {n_often} to {n_once} has become {last_odds:,.0f} to 1."


def _lead(values: ShareExamples) -> bool:
    both = (values.main, values.torn)
    return all(set(head.says) == set(head.text.best) for head in both)


class Probabilities(Stage[ShareExamples]):
    """Shares of attention become logits, a softmax makes probabilities of them, gamma sharpens."""

    class Inputs(InductionInputs):
        """A text, and how sharply both layers look."""

    title = "From shares to probabilities"
    question = '$W_"out"$ copies shares (dots) as logits. And softmax?'
    caption = (
        "Softmax keeps the order, not the shares; as logits, their logarithms would give them back."
    )
    opens = ("tiles", "chart", "bars", "dots")
    leaves = ("tiles",)
    claims = (
        Claim(
            "each text gets about the shares that its matching notes say",
            lambda values: values.worst_error < 0.1 and _lead(values),
            "one is off by {worst_error:.0%} with alpha {inputs.alpha:g} and beta {inputs.beta:g}",
        ),
    )
    derived = {
        "leading": Derived(
            "the words that attention gives most",
            lambda values: named(values.main.says, "{n} words"),
        ),
        "n_often": Derived(
            "how often the one word came in the other text", lambda v: v.came(v.often), "count"
        ),
        "n_once": Derived("how often the other word came there", lambda v: v.came(v.once), "count"),
    }

    @classmethod
    def compute(cls, inputs: Any) -> ShareExamples:
        return share_examples(inputs.tokens[1:], alpha=inputs.alpha, beta=inputs.beta)

    def layout(self) -> None:
        names, gamma = self["texts.vocabulary.tokens"], self["gammas"][0]
        size, is_wide = letters(self.canvas), self.canvas.wide
        upright = Chart(slots(names), SHARES, least=(1.5, 1.0))
        lying = Chart(SHARES, slots(names, down=True))
        small = Chart(_SHORT, slots(names, down=True), size=MIN_SIZE, least=(1.0, 1.0))
        numbers = (upright, SMALL), (lying, SMALL), (small, MIN_SIZE)
        bars = {chart: self._bars(chart, number) for chart, number in numbers}
        knob = Knob(gamma, *_GAMMAS, spec=_GAMMA, prefix="γ = ")
        plain = Figure(self["last_gamma"], _GAMMA, prefix="γ = ")
        line, lines = ([self._strip(name, n, size) for name in _TEXTS] for n in (1, None))
        column: list[Strip] = [ColumnText(worn(self, f"{name}."), size) for name in _TEXTS]

        over: list[_Page] = [(line, upright, Column), (lines, upright, Column)]
        beside: list[_Page] = [(lines, lying, Row if is_wide else Column)]
        pages = [*over, *beside] if is_wide else [*beside, *over]
        under_plain = {chart: Column(plain, chart, gap=0.1, weights=(0, 1)) for chart in bars}
        ways: list[tuple[_Page, Picture, Any]] = [
            *((page, knob, stack(page[1], knob, weights=(1, 0))) for page in pages),
            *(
                (page, plain, side)
                for page in pages
                for side in (Row(page[1], plain, weights=(1, 0)), under_plain[page[1]])
            ),
            ((column, small, Row), plain, under_plain[small]),
        ]
        chosen = fit(
            self.canvas,
            *(kind(_in_turn(texts), side, weights=_SHARED) for (texts, _, kind), _, side in ways),
        )
        (texts, self.chart, _), self.knob, _ = ways[chosen]
        self.knob.set_to(gamma)
        self.roomy = self.knob is knob
        self.tiles, self.torn = texts
        if texts is not column:
            self.torn = self._as_large(self.tiles)
        self.bars = bars[self.chart]
        places = np.arange(len(names))
        self.dots = Dots(self["sure.shares"], self.chart, x=places, radius=_DOT)
        self.dots.standing = set(self._followers(self.values.main))
        self.dots.redraw()
        show_notes(self.tiles)
        self.tiles.look(self.values.main.matches.tolist(), "correct")
        for strip in (self.tiles, self.torn):
            strip.look([len(strip.tiles) - 1], "query")
        end, first = self.values.main.n_tokens - 1, self.values.main.text.other_follower
        self.sources = [0, end, first, end, first, end, end, end]
        self.ends = np.array([tile.state for tile in self.torn.tiles])
        self.starts = np.array([self.tiles.tiles[k].state for k in self.sources])

    @beat(
        "Of {sure.lead:.1%} for {leading}, only {sure.flat_lead:.1%} is left: logits from 0 to 1 "
        "make at most a factor e."
    )
    def flat(self) -> Steps:
        """Bars of shares sink to probabilities; the dots stay where the shares are."""
        yield 0.2 * FadeIn(self.knob)
        yield self.bars.unwrite(run_time=0.3)
        leads = [self._top] * (self.values.sure.n_leaders == 1)
        numbered = [*leads, self._place(self.values.once)]
        yield from self._soften("sure.flat", numbered, 0.5)

    @beat(_scaled)
    def scale(self) -> Steps:
        """The knob turns up, and the bars of the words that lead grow."""
        yield self.bars.unwrite()
        yield from self._turn("gammas", "probabilities", [self._top])

    @beat(
        "Another text: “{often}” came twice, “{once}” once: {often_share:.1%} and {once_share:.1%}."
    )
    def split(self) -> Steps:
        """The tiles make up another text; what it says falls from them, and bars grow to it."""
        yield from self._clear(self.tiles, *self._gone)
        self.torn.place_at(self.starts[:, :2], tuple(self.starts[0, 2:4]))
        hide_tiles(self.torn, _ONCE)
        self.add(self.torn)
        yield slide_to(self.torn, self.ends[:, :2], tuple(self.ends[0, 2:4]), run_time=0.8)
        yield from self._count("torn", "split.shares", self.torn, _ONCE)

    @beat(_ends)
    def ends_(self) -> Steps:
        """The same softmax; then the knob goes on if it takes more."""
        both = [self._place(self.values.often), *[self._place(self.values.once)] * self.roomy]
        yield self.bars.unwrite(run_time=0.2)
        yield from self._soften("same", both, 0.2)
        if self.values.turns_on:
            yield self.bars.unwrite(run_time=0.2)
            yield from self._turn("more_gammas", "more_probabilities", both)

    @beat(CAPTION)
    def back(self) -> Steps:
        """The shares again, and then the text that all began with."""
        yield self.bars.unwrite(run_time=0.2)
        plain = self.bars.to(self["split.shares"]), self.bars.recolor(self._all, "value")
        yield together(plain, FadeOut(self.knob), run_time=0.8)
        yield from self._clear(self.torn, *_OTHERS)
        yield slide_to(self.torn, self.starts[:, :2], tuple(self.starts[0, 2:4]), run_time=0.8)
        self.remove(self.torn)
        self.add(self.tiles)
        yield from self._count("main", "sure.shares", self.tiles, *self._gone)

    # What the beats are made of

    def _soften(self, path: str, numbered: list[int], weight: float) -> Steps:
        """Let bars become probabilities."""
        yield weight * together(self.bars.to(self[path]), self.bars.recolor(self._all, "token"))
        yield self.bars.write(numbered, _SAID, run_time=0.4)

    def _turn(self, gammas: str, path: str, numbered: list[int]) -> Steps:
        """Let gamma run, and the probabilities with it."""
        yield 0.45 * together(self.knob.through(self[gammas]), self.bars.through(self[path]))
        yield self.bars.write(numbered, _SAID, run_time=0.4)

    def _clear(self, text: Strip, *gone: int) -> Steps:
        """Let go what is said of a text, and the tiles that the next one does not have."""
        sink = self.bars.sink(run_time=0.6), self.bars.unwrite(), FadeOut(self.dots, run_time=0.6)
        plain = paint(text, range(len(text.tiles) - 1), None)
        yield *sink, plain, take_off(text), leave(text, *gone)
        self.remove(text)

    def _count(self, name: str, shares: str, text: Strip, *come: int) -> Steps:
        """Let the rest of a text come; dots fall from what followed, and bars grow to them."""
        head: Induction = getattr(self.values, name)
        places = head.text.followers.tolist()
        self.bars.set_to(self[shares])
        self.dots.set_to(self[shares])
        yield come_back(text, *come), wear(text, *range(head.n_tokens), run_time=0.6)
        falling = [self._place(head.tokens[n]) for n in places]
        fall = self.dots.fall(falling, [text.middle(n) for n in places], run_time=0.8)
        green = self.bars.recolor(self._all, "value", run_time=0.1)
        yield fall, green, paint(text, places, "correct"), self.bars.grow(run_time=0.8)
        yield self.bars.write(self._followers(head) if name == "torn" else [self._top], _SAID)

    @property
    def _all(self) -> range:
        """The places of all words in the vocabulary."""
        return range(len(self.values.texts.vocabulary))

    @property
    def _gone(self) -> list[int]:
        """The tiles that the other text has no use for."""
        return [k for k in range(self.values.main.n_tokens) if k not in self.sources]

    @property
    def _top(self) -> int:
        """The place of the likeliest word after the first text."""
        return int(self.values.main.output.argmax())

    def _place(self, word: str) -> int:
        return self.values.texts.vocabulary.tokens.index(word)

    def _followers(self, head: Induction) -> list[int]:
        """The places of the words that followed, in the vocabulary."""
        return sorted(self._place(word) for word in head.text.followed_by)

    def _bars(self, chart: Chart, size: float) -> Bars:
        look: dict[str, Any] = {"spec": _SAID, "numbered": [self._top], "gap": 2 * _DOT}
        return Bars(self["sure.shares"], chart, "value", size=size, **look)

    def _as_large(self, text: Strip) -> Strip:
        """The other text in the place of the first, in letters that are no larger."""
        assert text.layout is not None
        other = self._strip("torn", None, text.layout.size)
        other.place(text.layout.region)
        return other

    def _strip(self, head: str, lines: int | None, size: float) -> Strip:
        """A text with its notes."""
        return Strip(**worn(self, f"{head}."), positions=True, size=size, lines=lines)


def _in_turn(texts: list[Strip]) -> Layers:
    """Texts of which one is seen after the other, with the height of the higher one."""
    return Layers(*sorted(texts, key=lambda text: -text.least.height))
