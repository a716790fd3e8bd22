"""The scores of a text, computed again in every step, beside scores that are computed once."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create, FadeIn, FadeOut
from numpy.typing import NDArray
from pydantic import Field

from clockhead.model.cache_sizes import ScoreCounts
from clockhead.scenes.kv_cache.once import NAME
from clockhead.scenes.kv_cache.triangles import TipName, Triangle
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Trace
from clockhead.scenes.parts.scale import Scale, round_ticks
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Column,
    Derived,
    Row,
    Stage,
    StageInputs,
    Steps,
    beat,
    fit,
)
from clockhead.scenes.style.motion import Drive

WITHOUT, WITH = "No cache", NAME
_SLOW, _EACH = 3, 1.5
"""How many steps are taken slowly at most, and seconds for each."""
_FAST = 2.4
"""Seconds for all others, or less where these are few."""
_OVER = 1.14
"""How much higher the chart is than its curves, so that their names have room."""
_NEAR, _MOST_TERMS = 0.2, 4
_BOLD = 9.0
"""The width of a curve that is spoken of."""


def _sum(terms: NDArray[np.int64]) -> str:
    """What each step computes, and plus signs between; the middle of a long sum is left out."""
    texts = [f"{term:,d}" for term in terms.tolist()]
    return " + ".join(texts if len(texts) <= _MOST_TERMS else [*texts[:3], "…", texts[-1]])


class Again(Stage):
    """The scores of a text, computed again in every step, beside scores that are computed once."""

    class Inputs(StageInputs):
        n_tokens: int = Field(24, ge=4, le=32, description="length of the text in the end")
        n_prompt: int = Field(
            1, ge=1, le=31, description="tokens that the first step takes at once"
        )

    title = "Again and again, or once"
    question = "Rows are queries, columns keys: which dot products does a head take in a step?"
    caption = (
        "Not counted: making $q$, $k$, $v$, adding up values, the MLP after. Old words are spared "
        "these too."
    )
    opens = ("recomputed", "count", "cached", "card")
    leaves = ("cached", "card")
    claims = (
        Claim(
            "there are words to write after the prompt",
            lambda counts: counts.n_steps > 1,
            "with n_prompt {prompt}, n_tokens must be more than {n_tokens}",
        ),
    )

    derived = {
        "all_rows": Derived("the sum without a cache", lambda c: _sum(c.recomputed_per_step)),
        "new_rows": Derived("the sum with a cache", lambda c: _sum(c.cached_per_step)),
    }

    values: ScoreCounts

    @classmethod
    def compute(cls, inputs: Any) -> ScoreCounts:
        if inputs.n_prompt > inputs.n_tokens:
            raise ValueError(
                f"n_prompt must be less than n_tokens = {inputs.n_tokens}, got {inputs.n_prompt}"
            )
        return ScoreCounts(inputs.n_tokens, inputs.n_prompt)

    def layout(self) -> None:
        counts = self.values
        ticks = round_ticks(0, counts.n_tokens, most=4), round_ticks(0, counts.recomputed, most=4)
        self.chart = Chart(
            Scale(0, counts.n_tokens, ticks=ticks[0], name="words so far"),
            Scale(
                0, _OVER * counts.recomputed, ticks=ticks[1], spec=",d", name="dot products so far"
            ),
        )
        both = (("recomputed", WITHOUT), ("cached", WITH))
        x = self["lengths"]
        self.curves = [
            Trace(self[f"{of}_so_far"], self.chart, x=x, role="token", drawn=0) for of, _ in both
        ]
        self.names = [TipName(self[of], self.chart, name, counts.n_tokens) for of, name in both]
        self.recomputed = self._triangle(WITHOUT, "recomputed", "keys_used")
        self.cached = self._triangle(WITH, "cached", "queries_used")
        self.sides = without, cached = self.recomputed, self.cached
        chosen = fit(
            self.canvas,
            Row(without.over, cached.over, self.chart),
            Column(Row(without.over, cached.over), self.chart, weights=(2, 1)),
            Column(Row(without.beside, cached.beside, gap=_NEAR), self.chart, gap=_NEAR),
        )
        for side in self.sides:
            side.begin(under=chosen == 2)
        self.count, self.card = without.count, cached.count
        self.slow = min(_SLOW, counts.n_steps - 1)

    def _triangle(self, name: str, of: str, rows: str) -> Triangle:
        paths = f"times_{of}", rows, f"{of}_so_far", f"{of}_per_step"
        return Triangle(name, *(self[path] for path in paths))

    @beat("Without a cache, each step computes all rows so far; with one, only new rows.")
    def slowly(self) -> Steps:
        yield FadeIn(self.chart, run_time=1.0), *self._run(0, self.slow, _EACH * self.slow)

    @beat(ask="{n_tokens} words: how many dot products does each way take?")
    def fast(self) -> Steps:
        self.add(*self.curves)
        last = self.values.n_steps - 1
        time = min(_FAST, _EACH * (last - self.slow))
        curves = [curve.draw_to(1, run_time=max(1.0, time)) for curve in self.curves]
        yield [*curves, *(self._run(self.slow, last, time) if time else ())]

    def _run(self, start: int, end: int, time: float) -> list[Drive]:
        """Let both ways go on from step to step."""
        return [play for side in self.sides for play in side.run(start, end, run_time=time)]

    @beat(
        "{all_rows} = {recomputed:,d} against {new_rows} = {cached:,d}: {ratio:.1f} times as many."
    )
    def sums(self) -> Steps:
        gone = [side.step.animate.set_fill(opacity=0) for side in self.sides]
        yield *(FadeIn(name, run_time=1.0) for name in self.names), *gone

    @beat("The stronger its shade, the more often a cell is computed; with a cache, once.")
    def compared(self) -> Steps:
        frames = [side.matrix.frame_row(0, "query") for side in self.sides]
        ends = [side.matrix.row(len(side.matrix.table) - 1) for side in self.sides]
        yield [Create(frame, run_time=0.5) for frame in frames]
        time = 0.5 * self.reading
        yield [frame.trace(end, run_time=time) for frame, end in zip(frames, ends, strict=True)]
        yield [FadeOut(frame, run_time=0.5) for frame in frames]

    @beat("The work grows like the cube of the length; with a cache, like its square.")
    def grown(self) -> Steps:
        for of in ("recomputed_so_far", "cached_so_far"):
            bold = Trace(
                self[of], self.chart, x=self["lengths"], role="token", stroke=_BOLD, drawn=0
            )
            bold.redraw()
            self.add(bold)
            yield bold.draw_to(1, run_time=0.4 * self.reading)

    @beat(CAPTION)
    def spared(self) -> Steps:
        n_old = len(self.cached.matrix.table) - 1
        old = self.cached.matrix.frame(self.cached.matrix.block(0, 0, n_old, n_old))
        yield Create(old, run_time=0.6 * self.reading)
