"""The score adds up the heights of the clock hands; only at the target do all point up."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from manim import FadeIn, Line, VGroup
from numpy.typing import NDArray

from model.score_row import ScoreRow
from scenes.facts import Fact, format_fact
from scenes.parts.charts.bars import Bars
from scenes.parts.clocks.height_clocks import HeightClocks
from scenes.parts.readout import Readout
from scenes.previous_token.common import AskingInputs
from scenes.stage import Finding, Slide
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive, recolor
from scenes.style.text import Label, Number, text_width
from scenes.style.theme import mix
from scenes.style.type import LABEL

MOST_HANDS = 16
"""As many hands as are legible at once; of more, these are spread over all."""
_WIDEST_BAR = 1.4


class ScoreAsClockSum(Slide):
    """The score adds up the heights of the clock hands; only at the target do all point up."""

    class Inputs(AskingInputs):
        """A position that asks."""

    title = "The score adds up clock hands"
    question = "How well does the query of “{asker}”, at position {m}, fit each key?"
    caption = (
        "Only at D = 0, the token before, do all hands point up: {best:.6g}. "
        "The next best sum is {runner_up:.6g}."
    )

    notes = (
        "{hand_by_hand}, key $n$ stands $D = n - m + 1$ steps from query $m$.",
        "How high each hand reaches, added up: the score, but for its factor $alpha$.",
        "{slow_hands}",
        "At $D = 0$, one step back, every hand points up.",
    )

    inputs: Inputs
    values: ScoreRow

    @classmethod
    def compute(cls, inputs: Inputs) -> ScoreRow:
        return inputs.row()

    @classmethod
    def facts(cls, values: ScoreRow) -> dict[str, Fact]:
        n_hands, n_slow = values.head.d_head // 2, int(values.steady.sum())
        return {
            "m": values.m,
            "asker": values.query_token,
            "target": values.target,
            "answer": values.target_token,
            "n_tokens": values.head.n_tokens,
            "n_hands": n_hands,
            "n_shown": min(n_hands, MOST_HANDS),
            "hand_by_hand": "Hand by hand"
            + (f" ({MOST_HANDS} of {n_hands} shown)" if n_hands > MOST_HANDS else ""),
            "n_slow": n_slow,
            "slow_hands": _slow_hands(n_slow),
            "best": float(values.sums[values.target]),
            "runner_up": values.runner_up,
            "lead": float(values.sums[values.target]) - values.runner_up,
        }

    @classmethod
    def checks(cls, values: ScoreRow) -> list[Finding]:
        best = int(values.sums.argmax())
        return [
            Finding(
                "the token before the query has the largest sum, and no other has it",
                bool(best == values.target and values.runner_up < values.sums[best]),
                f"key {best} has {values.sums[best]}, the next {values.runner_up}",
            )
        ]

    @classmethod
    def arrays(cls, values: ScoreRow) -> dict[str, NDArray[Any]]:
        return {
            "positions": values.head.positions,
            "offsets": values.offsets,
            "angles": values.phases,
            "heights": values.cosines,
            "sums": values.sums,
        }

    def construct(self) -> None:
        canvas = self.canvas
        left, right = canvas.columns(10, 11, gap=0.6) if canvas.wide else canvas.rows(6, 5)
        foot, clocks = left.cut_bottom(0.95, gap=0.3)
        self.frequencies = self.values.head.frequencies
        self.clocks = HeightClocks(len(self.frequencies), clocks, self.values.steady)
        offset, total = foot.columns(2, 3)
        self.offset = Readout(
            "steps apart, D",
            0,
            ".0f",
            offset.point(0, 1),
            width=offset.width,
            color=self.theme.text_color("position"),
        )
        self.total = Readout(
            "heights added up, f(D)",
            float(len(self.frequencies)),
            ".4f",
            total.point(0, 1),
            width=total.width,
            color=self.theme.text_color("attention"),
        )
        self._lay_chart(right)
        self._difference()
        self._heights()
        self._walk()
        self._all_up()

    def _lay_chart(self, region: Region) -> None:
        """A bar for every key, with its word, if there is room, and its offset below."""
        tokens, sums = self.inputs.tokens, self.values.sums
        name = Label("D", size=LABEL, color=self.theme.muted).put(region.point(0, 0))
        region = Region(region.left + 0.3, region.bottom, region.right, region.top)
        top, body = region.cut_top(LABEL * PX * 1.2, gap=0.12)
        room = min(region.width / len(tokens), _WIDEST_BAR / 0.72)
        fits = max(text_width(t, LABEL) for t in tokens) < room - 0.1
        labels, body = body.cut_bottom(LABEL * PX * (2.9 if fits else 1.5), gap=0.0)
        low = min(0.0, float(sums.min()))
        self.bars = Bars(
            0 * sums, body, high=float(len(self.frequencies)), low=low, most_width=_WIDEST_BAR
        )
        middles = [
            np.array([self.bars.middle(n), labels.bottom + 0.08, 0]) for n in range(len(sums))
        ]
        up = np.array([0.0, LABEL * PX * 1.4, 0.0])
        self.words = [
            Label(t, size=LABEL, color=self.theme.muted, align="center").put(place + up)
            for t, place in zip(tokens, middles, strict=True)
            if fits
        ]
        color = self.theme.text_color("position")
        offsets = self.values.offsets
        widest = max(text_width(format_fact(int(d), "d"), LABEL) for d in offsets)
        every = math.ceil((widest + 0.08) / self.bars.step)
        steps = [
            Number(int(d), "d", size=LABEL, color=color).put(place)
            for d, place in zip(offsets, middles, strict=True)
            if d % every == 0
        ]
        self.axis = VGroup(name.shift(np.array([0.0, 0.08, 0.0])), *self.words, *steps)
        height = self.bars.area.top
        line = Line((region.left, height, 0.0), (region.right, height, 0.0))
        line.set_stroke(self.theme.hairline, 2)
        most = Number(
            len(self.frequencies),
            "d",
            size=LABEL,
            color=self.theme.muted,
            align="right",
            prefix="all hands up: ",
        )
        self.most = VGroup(line, most.put(top.point(1, 0) + np.array([0.0, 0.06, 0.0])))

    def _difference(self) -> None:
        """What is compared: the key's hands against the query's, so many steps apart."""
        self.beat("difference")
        self.play(FadeIn(self.clocks, self.offset, self.axis), self.say(0))
        self.play(self._to(0, run_time=2.0), *self._light(0))
        self.let_read()

    def _heights(self) -> None:
        """Heights, added up, make one number: a bar."""
        self.beat("heights")
        self.total.number.set_value(float(self.values.sums[0]))
        self.play(FadeIn(self.clocks.gauges), self.say(1))
        self.play(FadeIn(self.total, self.bars))
        self.play(self._grow(0))
        self.let_read()

    def _walk(self) -> None:
        """Key by key; the slow hands do not mind, the fast ones do."""
        self.beat("walk")
        self.faded = mix(self.theme.ground, self.theme.attention, 0.4)
        self.play(
            self.say(2),
            recolor(self.clocks.hands[1], self.theme.muted),
            recolor(self.clocks.levels[1], self.faded),
        )
        step = min(1.0, 5.4 / len(self.values.sums))
        for n in range(1, len(self.values.sums)):
            self.play(
                self._to(n, run_time=step),
                self._grow(n, run_time=step),
                recolor(self.bars.bars[n - 1], self.faded, run_time=step),
                *self._light(n),
            )

    def _all_up(self) -> None:
        """At the token before the query, and only there, the sum is as large as it can be."""
        self.beat("all up")
        target, last = self.values.target, len(self.values.sums) - 1
        self.play(
            self._to(target, run_time=1.6),
            recolor(self.bars.bars[last], self.faded),
            *self._light(target),
            self.say(3),
        )
        self.play(recolor(self.bars.bars[target], self.theme.attention), FadeIn(self.most))
        self.let_read()

    def _to(self, n: int, run_time: float) -> Drive:
        """Turn the clocks to key `n`, the numbers with them."""

        def show(offset: NDArray[np.float64]) -> None:
            self.clocks.show(offset * self.frequencies[self.clocks.indices])
            self.offset.number.set_value(float(offset))
            self.total.number.set_value(float(np.cos(offset * self.frequencies).sum()))

        start, end = self.offset.number.value, float(self.values.offsets[n])
        return Drive(self.clocks, show, start, end, run_time=run_time)

    def _light(self, n: int) -> list[Drive]:
        """Let the word of key `n` have the colour of keys; the word that asks has its own."""
        look = self.theme
        colors = {self.inputs.m: look.query, n: look.key}
        return [
            recolor(word, colors.get(k, look.muted), run_time=0.4)
            for k, word in enumerate(self.words)
        ]

    def _grow(self, n: int, run_time: float = 1.0) -> Drive:
        values = np.where(np.arange(len(self.values.sums)) <= n, self.values.sums, 0.0)
        return self.bars.to(values, run_time=run_time)


def _slow_hands(n: int) -> str:
    """What the hands that hardly move do for the sum."""
    if n == 0:
        return "Key by key, the hands come closer, then part again."
    if n == 1:
        return "Key by key. The slowest hand hardly notices: it always adds almost 1."
    return f"Key by key. The {n} slow hands hardly notice: they always add almost {n}."
