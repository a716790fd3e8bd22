"""The heights of clock hands add up to a dot product, largest where all stand upright."""

from __future__ import annotations

from clockhead.scenes.previous_token.score_as_clock_sum import ScoreAsClockSum
from clockhead.scenes.stage import Steps, beat
from clockhead.scenes.tour.inputs import ClockInputs


class Stacks(ScoreAsClockSum):
    """The score adds up the heights of the clock hands; only at the target do all point up."""

    class Inputs(ClockInputs):
        """A text."""

    title = "How alike are two clocks?"
    question = "How well does the query of {query_named} fit each key?"
    caption = "Such a sum is a dot product. Only for {target_named} do all hands stand upright."

    @beat("Hold the query upright: each key's hands show its steps from {target_named}.")
    def hold(self) -> Steps:
        yield from super().hold()

    @beat("A fast hand comes round again, a slow one hardly moves: only many together can tell.")
    def walk(self) -> Steps:
        yield from super().walk()
