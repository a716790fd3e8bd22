"""The head with a layer off, and with notes of the wrong token: only both layers continue."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from manim import DOWN, Animation, AnimationGroup, RoundedRectangle, VGroup
from numpy.typing import NDArray

from clockhead.model.films.induction.ablate import Ablations, ablations
from clockhead.model.induction.circuit import Induction
from clockhead.scenes.induction.match import SHARE, SHARES
from clockhead.scenes.induction.noted import Noted, worn
from clockhead.scenes.induction.words import InductionInputs, named
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.strip_looks import (
    frame_notes,
    paint,
    rewrite_notes,
    show_notes,
    take_off,
    wear,
)
from clockhead.scenes.parts.tile import Paint
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Column,
    Derived,
    Picture,
    Reading,
    Row,
    Size,
    Stage,
    Steps,
    Value,
    beat,
    fit,
)
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive, FadeIn, recolor
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import Role, mix, theme
from clockhead.scenes.style.type import LINE_HEIGHT, MIN_SIZE, SMALL

_PAD, _MOST = 0.2, Size(3.4, 2.0)
_LINES, _LEAST_LINES = (28.0, 38.0, 28.0), (MIN_SIZE, SMALL, MIN_SIZE)
"""The sizes of heading, word and share, in pixels."""
_SHORT = 14
"""So many letters fit on a card."""


class Outcome(Picture):
    """A heading, and under it a "?" that gives way to `words` and their `share`."""

    def __init__(
        self,
        heading: str,
        words: Value,
        share: Value,
        spec: str,
        *,
        role: Role | None,
        prefix: str = "",
    ) -> None:
        super().__init__(words)
        look = theme()
        ink = look.text_color(role) if role else look.ink
        self._lit, self._answered = look.ink, getattr(look, role) if role else look.ink
        self.box = RoundedRectangle(corner_radius=0.12, stroke_width=0, fill_opacity=1)
        self.edge = RoundedRectangle(corner_radius=0.12, stroke_width=3)
        self.box.set_fill(look.panel)
        self.edge.set_stroke(mix(look.ground, look.muted, 0.5))
        self.heading = Label(heading, size=_LINES[0], color=look.muted, align="center")
        self.asked = Label("?", size=_LINES[1], color=look.muted, align="center")
        self.word = Label(str(words.content), size=_LINES[1], color=ink, align="center",
                          weight="semibold")  # fmt: skip
        self.figure = Figure(
            share, spec, size=_LINES[2], weight="regular", color=ink, prefix=prefix
        )
        self.add(self.box, self.edge, self.heading, self.asked)

    @property
    def least(self) -> Size:
        """As wide as its lines, the words as small as they may be."""
        words = text_width(self.word.text, SMALL, "semibold")
        others = text_width(self.heading.text, MIN_SIZE), text_width(self.figure.number.text, SMALL)
        return Size(max(words, *others) + 2 * _PAD, _height(_LEAST_LINES) + _PAD)

    @property
    def most(self) -> Size:
        return Size(max(self.least.width, _MOST.width), _MOST.height)

    def place(self, region: Region) -> None:
        """Fill a region."""
        for piece in (self.box, self.edge):
            piece.stretch_to_fit_width(region.width).stretch_to_fit_height(region.height)
            piece.move_to(region.center)
        share = min(1.0, (region.height - _PAD) / _height(_LINES))
        x, y = region.center[0], region.center[1] + share * _height(_LINES) / 2
        lines = self.heading, self.word, self.figure.number
        for line, most, least in zip(lines, _LINES, _LEAST_LINES, strict=True):
            room = most * (region.width - 2 * _PAD) / max(line.width, 1e-9)
            line.scale(max(least, min(share * most, room)) / most)
            y -= share * _height((most,))
            line.put(np.array([x, y + 0.3 * share * most * PX, 0.0]))
        self.asked.put(self.word.anchor + DOWN * 0.5 * _LINES[0] * PX)

    @property
    def spot(self) -> NDArray[np.float64]:
        """Where its word stands, or will stand."""
        return np.array(self.word.get_center())

    def light(self) -> Drive:
        """Let its edge light up: this trial is on."""
        return recolor(self.edge, self._lit)

    def fill(self, *, run_time: float = 0.8) -> tuple[Animation, ...]:
        """Let "?" give way to what is said."""
        going = recolor(self.asked, theme().panel, opacity=0.0)
        coming = (FadeIn(part, run_time=run_time) for part in (self.word, self.figure))
        return going, *coming, recolor(self.edge, self._answered)

    def show(self, state: NDArray[np.float64]) -> None:
        """Its words do not change."""

    def answer(self) -> Outcome:
        """Say at once what is said."""
        self.edge.set_stroke(self._answered)
        self.remove(self.asked).add(self.word, self.figure)
        return self

    def readings(self) -> Iterator[Reading]:
        """The words on it."""
        if is_visible(self.word):
            yield Reading(self.shown, self.word.text)


def _height(sizes: tuple[float, ...]) -> float:
    """What lines of these sizes take."""
    return sum(sizes) * LINE_HEIGHT * PX


def _card(words: Sequence[str]) -> str:
    listed = named(words, "{n} words", "or")
    return listed if len(words) == 1 or len(listed) <= _SHORT else f"{len(words)} words"


def _fits(head: Induction) -> bool:
    return set(head.says) == set(head.text.best)


def _learned(values: Ablations) -> str:
    if not values.shares_a_word:
        return said(
            "The first head writes, the second one reads. Neither can answer without the other."
        )
    right = [word for word in values.frequent if word in values.both.says]
    return said(
        "The first head writes, the second one reads. Without notes, {words} came up only by "
        "being frequent.",
        words=named(right, "{n} words"),
    )


class Ablate(Stage[Ablations]):
    """What is left of the head with layer 0 off, with layer 1 off, and with other notes."""

    class Inputs(InductionInputs):
        """A text, and how sharply both layers look."""

    title = "Break it, and see"
    question = ""
    caption = "{learned}"
    opens = ("tiles", "chart", "bars", "cards")
    leaves = ("tiles",)
    claims = (
        Claim(
            "both layers on, the head says what the text says",
            lambda values: _fits(values.both),
            "it says {both_card} with alpha {inputs.alpha:g} and beta {inputs.beta:g}",
        ),
        Claim(
            "with notes of the token two back, it says what most often stood two after",
            lambda values: _fits(values.two_back),
            "it says {says_card} with alpha {inputs.alpha:g} and beta {inputs.beta:g}",
        ),
    )
    derived = {
        "learned": Derived("what follows from the trials", _learned),
        "frequent_said": Derived(
            "the words that stand most often",
            lambda v: named(v.frequent, "one of the {n} words that stand there most", "or"),
        ),
        "says_said": Derived(
            "the words that lead with layer 0 looking two back",
            lambda v: named(v.says, "one of {n} words", "or"),
        ),
        "both_card": Derived("what is said with both layers on", lambda v: _card(v.both.says)),
        "frequent_card": Derived("what is said with layer 0 off", lambda v: _card(v.frequent)),
        "nothing_card": Derived("what is said with layer 1 off", lambda _: "nothing"),
        "nothing_share": Derived(
            "the largest output with layer 1 off", lambda v: float(v.no_layer_1.output.max())
        ),
        "says_card": Derived(
            "what is said with layer 0 looking two back",
            lambda v: _card(v.says),
        ),
        "both_share": Derived(
            "the largest share with both layers on", lambda v: float(v.both.output.max()), "share"
        ),
    }

    compute = ablations

    def layout(self) -> None:
        across, down = (
            Noted(worn(self, "both."), self["both.row"], SHARES, down=down, large=True)
            for down in (False, True)
        )
        self.made = self._cards()
        four, pairs = Row(*self.made), (Row(*self.made[:2]), Row(*self.made[2:]))
        beside = Row(down, Column(*self.made, gap=0.2), weights=(1, 0))
        below = Column(down, *pairs, gap=0.25, weights=(3, 1, 1))
        wide = Column(across, four, weights=(5, 1))
        ways: list[Row | Column] = [wide, beside] if self.canvas.wide else [below, beside]
        self.noted = across if ways[fit(self.canvas, *ways)] is wide else down
        self.tiles, self.chart, self.bars = self.noted.tiles, self.noted.chart, self.noted.bars
        show_notes(self.tiles)
        self.tiles.look([self.values.both.n_tokens - 1], "query")
        self.cards = VGroup(self.made[0].answer(), *self.made[1:])

    def _cards(self) -> list[Outcome]:
        """For the whole head, and for each of three trials."""
        right, cards = set(self.values.both.says), []
        for name, (heading, words) in self._trials.items():
            role: Role | None = None if right & set(words) else "wrong"
            role = "right" if name == "both" else role
            prefix = "each " if len(words) > 1 else "out = " if name == "nothing" else ""
            said, share = self[f"{name}_card"], self[f"{name}_share"]
            spec = "g" if name == "nothing" else SHARE
            cards.append(Outcome(heading, said, share, spec, role=role, prefix=prefix))
        return cards

    @property
    def _trials(self) -> dict[str, tuple[str, tuple[str, ...]]]:
        """What is changed, by the names of its facts, and the words that are said then."""
        return {
            "both": ("both heads", self.values.both.says),
            "frequent": ("no first head", self.values.frequent),
            "nothing": ("no second head", ()),
            "says": ("two steps back", self.values.says),
        }

    @beat("Let us break it. Without the first head, there are no notes.")
    def layer_0_off(self) -> Steps:
        time = 0.6 * self.reading
        yield self.made[1].light(), self.bars.sink(), take_off(self.tiles, run_time=time)

    @beat(
        "Every word gets the same attention, so only frequency counts: it says {frequent_said}.",
        ask="What will it say?",
        rest=REST,
    )
    def says_what_is_frequent(self) -> Steps:
        """All bars grow to one height; those of the most frequent words add up."""
        self.bars.set_to(self["no_layer_0.row"])
        yield self.bars.grow(run_time=1.8)
        yield from self._tell(1, self.values.frequent, right=self.values.shares_a_word)

    @beat("Without the second head, the notes are there.")
    def layer_1_off(self) -> Steps:
        sink = self.bars.sink(), self.bars.unwrite(), self._plain()
        yield self.made[2].light(), wear(self.tiles, run_time=1.4), *sink

    @beat("But nobody reads them, so it says nothing.", rest=REST)
    def says_nothing(self) -> Steps:
        yield self.made[2].fill(run_time=1.8)

    @beat("And what if the first head looks two steps back?")
    def two_back(self) -> Steps:
        notes = self["two_back.stored_tokens"], self["two_back.stored_weights"]
        yield self.made[3].light(), rewrite_notes(self.tiles, *notes, run_time=1.6)
        both, other = self.values.both.stored_tokens, self.values.two_back.stored_tokens
        unlike = [k for k, (a, b) in enumerate(zip(both, other, strict=True)) if a != b]
        if unlike:
            yield frame_notes(self.tiles, *unlike, role="wrong")

    @beat(
        "Then it says {says_said}: what most often stood two after “{both.text.query_token}”.",
        rest=REST,
    )
    def says_two_ahead(self) -> Steps:
        self.bars.set_to(self["two_back.row"])
        yield self.bars.grow(run_time=1.4)
        right = bool(set(self.values.says) & set(self.values.both.says))
        yield from self._tell(
            3, self.values.says, right=right, among=self.values.two_back.matches.tolist()
        )

    @beat(CAPTION)
    def whole(self) -> Steps:
        notes = self["both.stored_tokens"], self["both.stored_weights"]
        yield self.bars.unwrite(run_time=0.2)
        run = self.bars.to(self["both.row"], run_time=1.6)
        yield rewrite_notes(self.tiles, *notes, run_time=1.6), run, self._plain()
        yield (
            paint(self.tiles, self.values.both.matches.tolist(), "correct"),
            frame_notes(self.tiles),
        )

    def _tell(
        self, card: int, words: Sequence[str], *, right: bool, among: Sequence[int] | None = None
    ) -> Steps:
        """Let what is said light up in the text, and go onto its card."""
        tokens = self.values.both.tokens
        places = [
            k for k, word in enumerate(tokens)
            if word in words and (among is None or k in among)
        ]  # fmt: skip
        role: Paint = "correct" if right else "wrong"
        yield paint(self.tiles, places, role), self.bars.write(places, SHARE)
        copies = [self.tiles.copy_of(k) for k in places]
        spot, time = self.made[card].spot, 1.5
        flying = (copy.fly_to(spot, run_time=time) for copy in copies)
        yield *flying, *self.made[card].fill(run_time=time)
        self.remove(*copies)

    def _plain(self) -> AnimationGroup:
        """No tile has a mark but the query."""
        last = self.values.both.n_tokens - 1
        return AnimationGroup(
            paint(self.tiles, range(last), None), paint(self.tiles, last, "query")
        )
