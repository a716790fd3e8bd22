"""Each head is switched off in turn: how much of the next word's probability moves?"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from manim import Create
from numpy.typing import NDArray

from clockhead.model.films.ablation.head_effects import HeadEffects
from clockhead.scenes.ablation.heads import place_board
from clockhead.scenes.ablation.inputs import HeadsStage
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.scale import Scale
from clockhead.scenes.parts.word_bars import WordBars
from clockhead.scenes.stage import (
    CAPTION,
    Column,
    Derived,
    Handle,
    Size,
    Steps,
    beat,
    fit,
    together,
)
from clockhead.scenes.style.motion import FadeIn, FadeOut

_ROUNDING = 1e-9
"""Tolerance when the scale's end is rounded up to a full ten percent."""
_SEEN = 5e-4
"""Smallest change that the displayed numbers show."""
_SHARE = ".1%"
_FRONT, _BEHIND = 0.5, 0.84
"""Widths of the bars in front and behind, as fractions of their slots."""
_LEAST_REST, _NARROW = Size(4.4, 2.1), Size(3.4, 2.75)
"""Least room for the chart and a line above it, in units, and the same for short names."""
_NUMBER = 25.0
"""Size of the numbers on the chart, in pixels at 720p."""


class OneByOne(HeadsStage):
    """Each head is switched off in turn: how much of the next word's probability moves?

    Three bars for each word: the probability that it keeps (front), its new probability (middle)
    and its old one (back).
    """

    title = "One head off at a time"
    question = "How far do the probabilities move?"
    caption = "A head's effect is what its silence moves, the total variation."
    opens = ("board",)
    derived = {
        "first_effect": Derived(
            "total variation when the first head is switched off",
            lambda v: float(v.effects[0, 0]),
            "share",
        ),
        "most": Derived(
            "largest total variation when one head is switched off",
            lambda v: float(v.effects.max()),
            "share",
        ),
        "goes": Derived(
            "how the likeliest word's probability changes without the strongest head, in words",
            lambda v: _change_verb(v),
        ),
    }

    handles = (Handle("seed", (0, 1, 2, 3, 4, 5)),)

    def layout(self) -> None:
        heads = self.values
        look: dict[str, Any] = {"narrow": _NARROW, "results": ("effects", _SHARE)}
        self.board, rest = place_board(self, _LEAST_REST, **look)
        every = heads.run.probabilities, heads.silenced_probabilities, heads.off.probabilities
        top = math.ceil(max(float(shares.max()) for shares in every) * 10 - _ROUNDING) / 10
        scale = Scale(0.0, top, (0.0, top), ".0%")
        base, words = self["run.probabilities"], self["vocabulary"]
        self.words = WordBars(base, words, scale, lying=False, width=_FRONT, grown=False)
        self.chart, self.kept = self.words.chart, self.words.bars
        look = {"width": _BEHIND, "dimmed": range(heads.n_vocab), "grown": False}
        self.before = Bars(base, self.chart, "residual", **look)
        look = {"spec": _SHARE, "numbered": [heads.prediction], "width": _FRONT, "grown": False}
        self.after = _ClearBars(base, self.chart, size=_NUMBER, **look)
        self.after.previous = base.array
        self.total = Figure(self["off_effect"], _SHARE, size=_NUMBER, prefix="all off: ")
        fit(rest, Column(self.total, self.words))
        self.cards = self.board.cards
        ways = (
            (self.after, "silenced_probabilities", "off.probabilities"),
            (self.kept, "kept_probabilities", "kept_off"),
        )
        for bars, each, none in ways:
            self.board.couple(bars, self.board.trials(base, self[each], self[none]))

    @beat("With all heads on, “{predicted}” is the most likely next word.")
    def start(self) -> Steps:
        time = 0.3 * self.reading
        yield FadeIn(self.chart, run_time=0.2 * time)
        self.add(self.before, self.after, self.kept)
        yield together([b.grow(lag=0.1) for b in (self.after, self.kept)], run_time=time)
        yield self.kept.recolor(self.values.prediction, "value", run_time=time)
        yield self.before.grow(run_time=0.5 * time)

    @beat(
        "What some words lose, others gain: {first_effect:.1%} of all probability, "
        "the total variation.",
        ask="Head 0 of layer 0 goes off. What moves?",
    )
    def first(self) -> Steps:
        yield 0.75 * together(self.board.flip((0, 0)))
        yield self.cards[0, 0].note()

    @beat("Every other head in turn, each time with all others on.")
    def others(self) -> Steps:
        _, *others = self.cards
        each = self.reading / len(others)
        for head in others:
            yield self.board.flip(head, run_time=0.7 * each)
            yield self.cards[head].note(run_time=0.3 * each)

    @beat("No head moves more: {most:.1%}. Without it “{predicted}” {goes} {strongest_share:.1%}.")
    def most(self) -> Steps:
        layer, head = map(int, self.values.strongest)
        self.around = CellFrame(self.cards[layer, head].region, "attention")
        yield Create(self.around, run_time=0.6)
        yield 0.7 * together(self.board.flip((layer, head)))

    @beat("Then {off_effect:.1%} of all probability moves.", ask="And with all of them off?")
    def all_off(self) -> Steps:
        yield FadeOut(self.around, run_time=0.3)
        yield 0.7 * together(self.board.flip(*self.cards))
        yield 0.2 * FadeIn(self.total)

    @beat(CAPTION)
    def end(self) -> Steps:
        yield 0.7 * together(self.board.flip())


def _change_verb(heads: HeadEffects) -> str:
    """How the likeliest word's probability changes without the strongest head, in words."""
    more = heads.strongest_share - float(heads.run.probabilities[heads.prediction])
    return "stays at" if abs(more) < _SEEN else "even rises to" if more > 0 else "falls to"


class _ClearBars(Bars):
    """Bars whose numbers stay above the bars' `previous` heights, so that nothing covers them."""

    previous: NDArray[np.float64]

    def _stand_number(
        self, figure: Figure, k: int, edges: NDArray[np.float64], value: float
    ) -> None:
        top = max(float(edges[3]), float(self.chart.y.at(self.previous[k])))
        super()._stand_number(figure, k, np.array([*edges[:3], top]), value)
