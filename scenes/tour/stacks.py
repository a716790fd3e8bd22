"""The heights of clock hands add up to a dot product, which is largest if all are upright."""

from __future__ import annotations

from clockhead.scenes.parts.table import Table, room_beside
from clockhead.scenes.previous_token.score_as_clock_sum import ScoreAsClockSum
from clockhead.scenes.stage import CAPTION, FadeIn, Steps, beat, together
from clockhead.scenes.style.motion import recolor
from clockhead.scenes.tour.clock_sum import ClockSum
from clockhead.scenes.tour.inputs import ClockInputs

_WALK = 5.5
"""Seconds in which the query is compared with all remaining keys."""


class Stacks(ScoreAsClockSum):
    """The score is the sum of the heights of the hands; only at the target are all upright."""

    class Inputs(ClockInputs):
        """A text."""

    title = "How alike are two clocks?"
    question = "How well does the query of {query_named} fit each key?"
    caption = "Such a sum is a dot product. Only for {target_named} do all hands stand upright."
    opens = ("tiles", "dials", "query", "groups", "axes")  # type: ignore[assignment]
    leaves = ("tiles", "dials", "query", "groups", "axes", "marks", "stacks")  # type: ignore[assignment]
    tells = ("hold", "stack", "walk", "upright")
    derived = {}
    handles = ()  # type: ignore[assignment]

    def layout(self) -> None:
        table = Table(self["head.scores"], self["tokens"])
        self.sum = ClockSum(self, self.values, grown=False)
        self.sum.place(room_beside(self.canvas, table), table.lattice)
        self.tiles, self.dials, self.query = table.tiles, self.sum.dials, self.sum.query
        self.axes, self.stacks = self.sum.axes, self.sum.stacks
        self.marks, self.groups = self.sum.marks, self.sum.groups
        self.first, *self.later = map(int, self.values.walk)
        for label, ink in zip(self.tiles.labels, self._word_colors(self.first), strict=True):
            label.set_fill(ink)

    @beat("Hold the query upright: each key's hands show its steps from {target_named}.")
    def hold(self) -> Steps:
        phases = self["phases"]
        query = self.query.to(phases[self.values.target])
        yield 1 * together(query, self.sum.keys.to(phases[self.first]))
        yield FadeIn(self.marks)

    @beat("Each hand adds its height, and a hand below the middle takes away.")
    def stack(self) -> Steps:
        yield self.sum.heights.grow(run_time=1.2)
        yield 1 * together(self.stacks.fly(self.first, self.sum.heights.middles))

    @beat("A fast hand comes round again, a slow one hardly moves: only many together can tell.")
    def walk(self) -> Steps:
        for n in self.later:
            yield from self._compare(n, _WALK / len(self.later))

    @beat(CAPTION)
    def upright(self) -> Steps:
        yield from self._compare(self.values.target, 2.8)
        yield recolor(self.sum.top, self.theme.ink)

    def _compare(self, n: int, seconds: float) -> Steps:
        """Compare the query with key n, highlight its word, and stack the heights."""
        yield self.sum.keys.to(self["phases"][n], run_time=0.6 * seconds), *self._highlight(n)
        self.sum.apart.set_to(self["past_target"][n])
        yield self.stacks.fly(n, self.sum.heights.middles, lag=0.0, run_time=0.4 * seconds)
