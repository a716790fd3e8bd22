"""Attention scores without a cache, recomputed in every step, beside scores computed once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from manim import UP, Create, linear
from numpy.typing import NDArray
from pydantic import Field

from clockhead.model.transformer.cache_sizes import ScoreCounts, score_counts
from clockhead.scenes.kv_cache.words import NAME
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.cell_outlines import CellFrame, walk
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Column,
    Derived,
    Handle,
    Reading,
    Room,
    Row,
    Size,
    Stage,
    StageInputs,
    Steps,
    Value,
    beat,
    fit,
    wide_or_tall,
)
from clockhead.scenes.stage.shown import Readings
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut, together
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.type import LABEL

WITHOUT, WITH = "No cache", NAME
_SLOW = 3
"""Largest number of steps that are shown slowly."""
_LINE = 1.4 * LABEL * PX
"""Height of a line of text, in units."""
_OVER, _HIGHER = 1.15, 0.45
"""Length of the axis relative to the highest bar, and height of a growth factor over its bar."""
_NEAR, _MOST_CHART = 0.2, 5.0
"""Gap between the grids, and longest side of the chart, in units."""
_MOST_TERMS = 4
"""Longest sum that is written in full."""


def _sum(terms: NDArray[np.int64]) -> str:
    """The numbers of dot products of all steps as a sum; a long one with an ellipsis."""
    texts = [f"{term:,d}" for term in terms.tolist()]
    return " + ".join(texts if len(texts) <= _MOST_TERMS else [*texts[:3], "…", texts[-1]])


class Again(Stage[ScoreCounts]):
    """Attention scores without a cache, recomputed in every step, beside scores computed once."""

    class Inputs(StageInputs):
        n_tokens: int = Field(24, ge=4, le=32, description="number of tokens of the whole text")
        n_prompt: int = Field(
            1, ge=1, le=31, description="number of tokens that the first step takes at once"
        )

    title = "Again and again, or once"
    question = "A cell: a row's query times a column's key. Its shade: how often."
    caption = (
        "In the long run {long_recomputed_growth} and {long_cached_growth} times: like the "
        "length's cube; with a cache, its square."
    )
    opens = ("recomputed", "cached", "card")
    leaves = ("cached", "card")
    claims = (
        Claim(
            "the text is longer than the prompt",
            lambda counts: counts.n_steps > 1,
            "with n_prompt {prompt}, n_tokens must be more than {n_tokens}",
        ),
    )
    derived = {
        "all_rows": Derived(
            "the dot products of each step without a cache, as a sum",
            lambda c: _sum(c.recomputed_per_step),
        ),
        "new_rows": Derived(
            "the dot products of each step with a cache, as a sum",
            lambda c: _sum(c.cached_per_step),
        ),
    }

    handles = (Handle("n_tokens", "4:32:2"),)

    compute = score_counts

    def layout(self) -> None:
        self.recomputed = CountedScores(self["times_recomputed"], self["keys_used"])
        self.cached = CountedScores(self["times_cached"], self["queries_used"])
        self.sides = self.recomputed, self.cached
        self.chart = Chart(
            slots((WITHOUT, WITH)),
            Scale(0, self.values.recomputed),
            size=LABEL,
            least=(2.6, 1.2),
            most=(_MOST_CHART, _MOST_CHART),
        )
        so_far = self["both_so_far"]
        self.bars = Bars(so_far[0], self.chart, "token", spec=",.0f", size=LABEL)
        heads = [Room(Size(text_width(name, LABEL), _LINE)) for name in (WITHOUT, WITH)]
        over = _LINE / 2 * UP
        both = zip(heads, self.sides, strict=True)
        sides = [Column(*pair, gap=0.0, weights=(0, 1)) for pair in both]
        in_line, below = Row(*sides, self.chart), Column(Row(*sides, gap=_NEAR), self.chart)
        fit(self.canvas, wide_or_tall(in_line, below))
        self.name, self.card = (
            Label(name, align="center").center_on(side.lattice.region.point(0.5, 1) + over)
            for name, side in zip((WITHOUT, WITH), self.sides, strict=True)
        )
        self.last = self.values.n_steps - 1
        self.slow = min(_SLOW, self.last)

    def _run_steps(self, start: int, end: int, time: float) -> Steps:
        """Animate both grids and the bars from the step `start` to the step `end`."""
        bars = self.bars.through(self["both_so_far"][start : end + 1])
        yield together(bars, [side.run(start, end) for side in self.sides], run_time=time)

    @beat("Without a cache, every step computes all rows again; with one, only new rows.")
    def slowly(self) -> Steps:
        time = 0.8 * self.reading
        yield FadeIn(self.chart, self.bars, self.name, run_time=0.2 * time)
        yield from self._run_steps(0, self.slow, 0.8 * time)

    @beat("How many dot products is that, for {n_tokens} words?")
    def fast(self) -> Steps:
        if self.slow < self.last:
            yield from self._run_steps(self.slow, self.last, 0.8 * self.reading)

    @beat(
        "{all_rows} = {recomputed:,d} against {new_rows} = {cached:,d}: {ratio:.1f} times as many."
    )
    def sums(self) -> Steps:
        regions = [side.regions() for side in self.sides]
        frames = [CellFrame(first, "query") for first, *_ in regions]
        ways = [rest for _, *rest in regions]
        yield from walk(frames, ways, self.reading - 1.0, come=0.5, go=0.5)

    @beat("The cache spares old words (framed) all other work too, not counted here.")
    def spared(self) -> Steps:
        old = self.values.n_tokens - 1
        blocks = [side.block(0, 0, old, old) for side in self.sides]
        self.old = [CellFrame(block, "query") for block in blocks]
        yield 0.4 * together(*map(Create, self.old))

    @beat(
        "Twice as many words take {recomputed_growth:.1f} times as many; with a cache, "
        "{cached_growth:.1f} times."
    )
    def doubled(self) -> Steps:
        room = Scale(0, _OVER * self.values.recomputed_doubled)
        gone = FadeOut(*self.old, run_time=0.4)
        yield self.chart.rescale(y=room, run_time=0.2 * self.reading), gone
        yield 0.5 * self.bars.through(self["both_to_doubled"])
        growths = self["recomputed_growth"], self["cached_growth"]
        self.growths = [Figure(growth, ".1f", suffix=" times") for growth in growths]
        for k, figure in enumerate(self.growths):
            top = self.chart.at(float(k), float(self.bars.state[k]))
            figure.put(top + _HIGHER * UP)
        yield FadeIn(*self.growths, run_time=0.4)

    @beat(CAPTION)
    def grown(self) -> Steps:
        series = self["both_to_doubled"]
        yield FadeOut(*self.growths, run_time=0.4)
        yield 0.2 * self.bars.to(series[0])
        yield 0.5 * self.bars.through(series)


_LEAST, _MOST = 1.9, 4.9
"""Smallest and largest side of a grid, in units."""
_FAINTEST = 0.3
"""Brightness of a cell that was computed once, relative to the brightest."""
_SHRINK = 0.45
"""Fraction by which a cell shrinks while it is recomputed."""


class CountedScores(Matrix):
    """A grid of how often each score has been computed, (steps, T, T); 0 is an empty place.

    `rows` (steps, T) marks the rows that each step computes. The grid starts after the first step.
    """

    def __init__(self, times: Value, rows: Value) -> None:
        n_steps, n = rows.array.shape
        super().__init__(
            times[0],
            role="token",
            low=1 - (n_steps - 1) * _FAINTEST / (1 - _FAINTEST),
            high=float(n_steps),
            mask="causal",
            least_cell=_LEAST / n,
            most_cell=_MOST / n,
            aspect=(1.0, 1.0),
        )
        self._times, self._rows = times, rows.array.astype(bool)
        self.open_to(times[0].array)

    def run(self, start: int, end: int) -> Drive:
        """Animate from the step `start` to the step `end`."""
        return Drive(self, lambda at: self._go_to(float(at)), start, end, rate_func=linear)

    def regions(self) -> list[Region]:
        """The block of scores that each step computes: its rows, up to the last row's own key."""
        rows = [np.flatnonzero(step) for step in self._rows]
        return [self.block(int(row[0]), 0, len(row), int(row[-1]) + 1) for row in rows]

    def read_together(self) -> Iterator[Reading | Readings]:
        """The shades, and whether exactly those cells are visible that have been computed."""
        yield from super().read_together()
        sizes, counts = self.opened, self.table
        for i, j in np.argwhere(np.where(counts > 0, sizes == 0, sizes == 1)):
            yield Reading(self.meant(int(i), int(j)), "visible" if sizes[i, j] else "invisible")

    def _go_to(self, place: float) -> None:
        """Show the state after step `place`, counted from 0; fractions are within the next step."""
        last, share = int(place), place - int(place)
        self.set_to(self._times[last])
        known: NDArray[np.float64] = self._times.array[last] > 0
        sizes = known.astype(float)
        if share:
            again = 1 - _SHRINK * np.sin(np.pi * share)
            computed = self._rows[last + 1][:, None] & np.tri(self.n_rows, dtype=np.bool_)
            sizes = np.where(computed, np.where(known, again, share), sizes)
        self.open_to(sizes)
