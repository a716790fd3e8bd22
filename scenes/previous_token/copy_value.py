"""Values flow along the pattern, and every position learns what came before it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from manim import (
    AnimationGroup,
    Create,
    FadeIn,
    FadeOut,
    LaggedStart,
    RoundedRectangle,
    SurroundingRectangle,
    VGroup,
)
from numpy.typing import NDArray

from model.arrays import Floats
from model.previous_token import PreviousTokenHead
from model.tokens import Vocabulary, one_hot
from scenes.facts import Fact
from scenes.parts.placing import plated
from scenes.parts.tokens.flow import Chip, Ribbon
from scenes.parts.tokens.lanes import Band, Lanes
from scenes.previous_token.common import HeadInputs
from scenes.stage import Slide
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive, recolor
from scenes.style.text import Number, text_width
from scenes.style.type import LABEL, MIN_SIZE

EXAMPLE = 2
"""The position whose values are followed first."""


@dataclass(frozen=True, eq=False)
class Copied:
    """What a head hands on when the value of a token is its one-hot vector.

    `pattern` (T, T); `received` (T, V), the share of every token of the vocabulary in what each
    position gets; `shares` (T,), that of the token before it, or of itself at the start.
    """

    tokens: tuple[str, ...]
    pattern: Floats
    received: Floats
    shares: Floats

    @classmethod
    def by(cls, head: PreviousTokenHead, tokens: tuple[str, ...]) -> Copied:
        vocabulary = Vocabulary.of(tokens)
        indices = vocabulary.encode(tokens)  # (T,)
        received = head.head_out(one_hot(indices, len(vocabulary)))  # (T, V)
        sources = indices[np.maximum(head.positions - 1, 0)]  # (T,)
        return cls(tokens, head.pattern, received, received[head.positions, sources])


class CopyValue(Slide):
    """Values flow along the pattern, and every position learns what came before it."""

    class Inputs(HeadInputs):
        pass

    title = "The value comes along"
    question = "What does a position know once it has attended?"
    caption = (
        "From position 1 on, at least {worst_share:.2%-} of what is received is the token before."
    )
    notes = (
        "Each position offers a value: its own token.",
        "Attention says how much of each value “{word}” gets.",
        "It receives {share:.1%} “{word_before}”.",
        "Every position does the same.",
        "The first has only itself to attend to.",
        "Now “{word}” also knows that “{word_before}” came before it.",
    )

    inputs: Inputs
    values: Copied

    @classmethod
    def compute(cls, inputs: Inputs) -> Copied:
        if len(inputs.tokens) <= EXAMPLE:
            raise ValueError(f"text must have {EXAMPLE + 1} words or more, so that values can flow")
        return Copied.by(inputs.head(), inputs.tokens)

    @classmethod
    def facts(cls, values: Copied) -> dict[str, Fact]:
        m = EXAMPLE
        after_first = values.shares[1:]
        return {
            "n_tokens": len(values.tokens),
            "example": m,
            "word": values.tokens[m],
            "word_before": values.tokens[m - 1],
            "share": float(values.shares[m]),
            "worst_share": float(after_first.min()),
            "mean_share": float(after_first.mean()),
            "worst_word": values.tokens[1 + int(after_first.argmin())],
            "first_word": values.tokens[0],
            "first_share": float(values.shares[0]),
        }

    @classmethod
    def arrays(cls, values: Copied) -> dict[str, NDArray[np.float64]]:
        return {
            "positions": np.arange(len(values.tokens), dtype=float),
            "pattern": values.pattern,
            "received": values.received,
            "shares": values.shares,
        }

    def construct(self) -> None:
        self.lanes = self._lanes(self.canvas.inset(0.14, 0.0))
        self.arrived: dict[int, Chip] = {}
        self.ribbons: list[Ribbon] = []
        self._offer()
        self._ask()
        self._carry()
        self._everyone()
        self._first()
        self._knows()

    def _offer(self) -> None:
        """Every position has a value to give, and nothing received yet."""
        self.beat("offer")
        count = range(len(self.values.tokens))
        self.chips = [self._chip(k) for k in count]
        self.slots = VGroup(*(self._slot(k) for k in count))
        names = self.lanes.names
        self.play(FadeIn(self.lanes.heads), self.say(0), run_time=0.6)
        self.play(FadeIn(*self.chips, names["value"]), run_time=0.6)
        self.play(FadeIn(self.slots, names["received"]), run_time=0.5)
        self.let_read(least=0.3)

    def _ask(self) -> None:
        """One row of the pattern, as ribbons: thickness is attention."""
        self.beat("ask")
        m = EXAMPLE
        row = self.values.pattern[m, : m + 1]
        self.row_numbers = VGroup(*(self._attention(n, share) for n, share in enumerate(row)))
        frame = recolor(self.slots[m], self.theme.text_color("attention"), opacity=0)
        self.play(self.say(1), FadeIn(self.lanes.names["attention"]), frame, run_time=0.6)
        self.play(*(Create(r) for r in self._ribbons_of(m)), run_time=0.8)
        self.play(FadeIn(self.row_numbers), run_time=0.4)
        self.let_read()

    def _carry(self) -> None:
        """The value travels along and fills the empty box."""
        self.beat("carry")
        m = EXAMPLE
        self.play(self.say(2), self._travel(m), run_time=1.3)
        self.play(FadeIn(self._share(m), self.lanes.names["share"]), run_time=0.4)
        self.let_read(least=0.6)

    def _everyone(self) -> None:
        """All rows at once."""
        self.beat("everyone")
        rows = [m for m in range(1, len(self.chips)) if m != EXAMPLE]
        ribbons = [r for m in rows for r in self._ribbons_of(m)]
        grow = LaggedStart(*(Create(r) for r in ribbons), run_time=0.9)
        self.play(self.say(3), FadeOut(self.row_numbers, run_time=0.4), grow)
        travels = [self._travel(m) for m in rows]
        self.play(LaggedStart(*travels, lag_ratio=0.12, run_time=1.9))
        self.play(FadeIn(*(self._share(m) for m in rows)), run_time=0.4)

    def _first(self) -> None:
        """Row 0 has nothing before it."""
        self.beat("first")
        self.play(self.say(4), *(Create(r) for r in self._ribbons_of(0)), run_time=0.6)
        self.play(self._travel(0), run_time=0.9)
        self.play(FadeIn(self._share(0)), run_time=0.3)
        self.let_read(least=0.6)

    def _knows(self) -> None:
        """What was received stands beside what was there."""
        self.beat("knows")
        m = EXAMPLE
        held = VGroup(self.lanes.labels[m], self.lanes.positions[m], self.arrived[m])
        side = min(0.12, (self.lanes.lane - float(self.chips[m].box.height)) / 2)
        buff = (0.12, 0.12) if self.lanes.down else (0.12, side)
        frame = SurroundingRectangle(held, color=self.theme.ink, buff=buff)
        handed_on = [self._dim(chip) for chip in self.chips]
        let_go = [recolor(ribbon, self.theme.hairline) for ribbon in self.ribbons]
        self.play(self.say(5), *handed_on, *let_go)
        self.play(Create(frame), run_time=0.8)
        self.let_read()

    def _dim(self, chip: Chip) -> AnimationGroup:
        return AnimationGroup(
            recolor(chip.box, self.theme.panel), recolor(chip.label, self.theme.muted)
        )

    def _chip(self, k: int) -> Chip:
        return Chip(self.values.tokens[k], self._box(k, "value"), size=self._size)

    def _lanes(self, region: Region) -> Lanes:
        """Lanes down the frame where a share fits into each, else across it."""
        tokens = self.values.tokens

        def lanes(box: float, attention: float, share: float, margin: float) -> Lanes:
            bands = [
                Band("value", box, "value"),
                Band("attention", attention, "attention"),
                Band("received", box, "received"),
                Band("share", share, "share"),
            ]
            return Lanes(tokens, region, bands, margin=margin)

        down = lanes(0.85, 2.2, 0.45, 0.0)
        self._share_size = 26.0 if down.down and down.lane > 1.2 else LABEL
        self._size = min(32.0, (down.lane - 0.4) / self._widest)
        if down.down and down.lane > 0.86:
            return down
        lane = (region.height - 0.4) / len(tokens)
        self._size = max(MIN_SIZE, min(28.0, 1.05 / self._widest, 0.6 * lane / PX))
        box = self._size * self._widest + 0.34
        return lanes(box, max(0.6, region.width - 2 * box - 3.0), 0.85, region.width)

    @property
    def _widest(self) -> float:
        """The width of the widest word, for a size of 1."""
        return max(text_width(token, 1.0, "semibold") for token in self.values.tokens)

    def _box(self, k: int, band: str) -> Region:
        """A box for a token in a band of lane k."""
        box = self.lanes.box(k, self.lanes.spans[band])
        width = min(box.width, self._size * self._widest + 0.3)
        height = min(box.height - 0.06, self._size * PX * 1.9)
        return box.inset((box.width - width) / 2, (box.height - height) / 2)

    def _slot(self, k: int) -> RoundedRectangle:
        box = self._box(k, "received")
        shape = RoundedRectangle(width=box.width, height=box.height, corner_radius=0.08)
        shape.set_stroke(self.theme.hairline, 3).set_fill(self.theme.panel, 1)
        return shape.move_to(box.center)

    def _ribbons_of(self, m: int) -> list[Ribbon]:
        """The ribbons of row m that are thick enough to be seen."""
        seen = [n for n in range(m + 1) if self.values.pattern[m, n] > 1e-3]
        ribbons = [self._ribbon(m, n) for n in seen]
        self.ribbons += ribbons
        return ribbons

    def _ribbon(self, m: int, n: int) -> Ribbon:
        ends = self._end(n, "value"), self._end(m, "received")
        return Ribbon(*ends, self._heading, float(self.values.pattern[m, n]), width=0.2)

    def _end(self, k: int, band: str) -> NDArray[np.float64]:
        """The middle of the edge of a token's box that faces the ribbons."""
        box, side = self._box(k, band), 1 if band == "value" else -1
        half = box.height / 2 if self.lanes.down else box.width / 2
        return np.array(box.center + side * half * self._heading)

    @property
    def _heading(self) -> NDArray[np.float64]:
        """The direction in which lanes run."""
        return self.lanes.at(0, 1.0) - self.lanes.at(0, 0.0)

    def _attention(self, n: int, share: float) -> VGroup:
        """How much goes to position n, on a plate that covers the ribbon."""
        place = self._end(n, "value") + (0.17 if self.lanes.down else 0.45) * self._heading
        color = self.theme.text_color("attention")
        number = Number(share, ".1%", size=LABEL, weight="semibold", color=color)
        return plated(number, place)

    def _travel(self, m: int) -> Drive:
        n = max(m - 1, 0)
        chip = self.arrived[m] = self._chip(n)
        start, end = self._box(n, "value").center, self._box(m, "received").center
        return chip.travel(self._ribbon(m, n), start, end, float(self.values.shares[m]))

    def _share(self, m: int) -> Number:
        color = self.theme.text_color("value")
        number = Number(self.values.shares[m], ".1%", size=self._share_size, color=color)
        return number.center_on(self.lanes.at(m, self.lanes.spans["share"].middle))
