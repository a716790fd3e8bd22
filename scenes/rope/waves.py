"""The height of each key hand is a wave; their sum is the score, highest at the word before."""

from __future__ import annotations

from typing import Any

from manim import ORIGIN, RIGHT, VGroup, linear

from clockhead.model.films.rope.word_before import STEPS_PER_TOKEN, LookingBack, word_before
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Dots, Trace
from clockhead.scenes.parts.dial import REACH
from clockhead.scenes.parts.scale import Scale
from clockhead.scenes.rope.chart_slots import Level
from clockhead.scenes.rope.long_text import LongTextInputs, LongTextStage
from clockhead.scenes.rope.word_before import WordBefore
from clockhead.scenes.stage import CAPTION, Derived, FadeIn, FadeOut, Handle, Steps, beat, together
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import recolor

_LANE = 0.88
"""Height of a wave, relative to its lane."""
_SIDE = 2.2
"""Width for the dials beside the lanes, in units."""
_PEAK = 0.14
"""Radius of the dots at the two highest scores, in units."""


def _waves(values: LookingBack) -> str:
    if values.slow_hands_stay:
        return "Go back word by word: hands draw waves. The slow ones are for longer texts."
    return "Go back word by word: every hand goes up and down, and draws a wave."


class Waves(LongTextStage):
    """The height of each key hand is a wave; their sum is the score, highest at the word before."""

    Inputs = LongTextInputs
    title = "Waves make a score"
    caption = "So the right word gets {weight:.1%} of the attention."
    opens = WordBefore.leaves
    leaves = ("faces", "query", "key_hands", "text", "slots", "asker", "bars", "figures")
    derived = {
        "fewer": Derived(
            "factor by which the second best word gets less attention, to two digits",
            lambda v: float(f"{v.times:.2g}"),
            "factor",
        )
    }

    handles = (
        Handle("alpha", "4,6,8,10,15,20,30,40"),
        Handle("base", "100,300,3000,10000,30000,100000,300000,1000000"),
    )

    values: LookingBack
    compute = word_before

    def layout(self) -> None:
        """Lay out the dials beside lanes with their waves, and the chart of scores."""
        v, canvas = self.values, self.canvas
        self.lay_text()
        self.lay_hands(self["turned_upright"], self["key_phases"][0])
        lowest = min(v.piles.min(), v.parts.min())
        self.lay_scores(next(-v.full / k for k in (4, 2, 1) if lowest >= -v.full / k - 1e-9))
        self.tall = Region(canvas.left + _SIDE, self.foot, self.end, canvas.top)
        lane = self.tall.height / v.n_pairs
        reach = min(_LANE * lane / 2, 0.45 * _SIDE * REACH)  # amplitude of a wave, length of a hand
        middles = [self.tall.top - (k + 0.5) * lane for k in range(v.n_pairs)]
        self.beside = [(canvas.left + _SIDE / 2, y, 0.0) for y in middles], reach / REACH
        self.charts = []
        for y in middles:
            chart = Chart(Scale(v.long - 0.5, -0.5, line=False), Scale(-1, 1, line=False))
            chart.place_area(Region(self.tall.left, y - reach, self.end, y + reach))
            self.charts.append(chart)
        waves, x = self["waves"], self["places"]
        self.waves = [
            Trace(waves[k], chart, x=x, role="key", drawn=0) for k, chart in enumerate(self.charts)
        ]
        self.levels = [
            Level(waves[k][0], chart, self.key_hands, k, self.lens)
            for k, chart in enumerate(self.charts)
        ]
        second = self["second_score"], v.second_back
        two = self.figures_over(self.sums, ".2f", (*second, "center", "score"), lift=0.8)
        is_near = v.second_back * self.sums.x.pitch < 1.8 * two.width
        lift = 2.0 if is_near else 0.8
        best_dot = float(self.sums.x.at(1)) - 2 * _PEAK  # with a gap
        two.shift(min(0.0, best_dot - two.get_right()[0]) * RIGHT if is_near else ORIGIN)
        one = self.figures_over(self.sums, ".2f", (self["full"], 1, "right", "score"), lift=lift)
        x = self["words"]
        look: dict[str, Any] = {"radius": _PEAK, "standing": [0, v.second_back - 1]}
        peaks = Dots(self["word_scores"], self.sums, x=x, role="score", **look)
        peaks.redraw()
        self.best = VGroup(one, two, peaks)

    @beat(_waves)
    def draw(self) -> Steps:
        """Move the dials beside lanes, and draw the waves as the key moves through the text."""
        yield self.faces.go_to(self.faces.centers[0], self.beside[1], run_time=0.5)
        yield (
            self.faces.go_to(*self.beside, run_time=1.2),
            self.slide([(self.text, self.tall)], run_time=1.2),
        )
        for level in self.levels:
            level.redraw()
        yield FadeIn(*self.charts, run_time=0.4)
        self.add(*self.waves, *self.levels)
        run: dict[str, Any] = {"run_time": 8.0, "rate_func": linear}
        heights = [level.through(self["waves"][k], **run) for k, level in enumerate(self.levels)]
        yield together(
            self.walk(self["places"], self["key_phases"], **run),
            *heights,
            *(wave.draw_to(1, **run) for wave in self.waves),
        )

    @beat(
        "The longer the hands, the larger the scores. "
        "Here each counts {alpha:.12g} when it points straight up.",
        focus="sums",
    )
    def count(self) -> Steps:
        """Merge the lanes into one axis of scores, with waves of height alpha."""
        yield FadeOut(*self.levels, self.lens, run_time=0.4)
        self.lens.set_to(self["places"][0])
        v, y = self.values, self.sums.y
        area = Region(self.whole.left, float(y.at(-v.alpha)), self.end, float(y.at(v.alpha)))
        charts = [(chart, area) for chart in self.charts]
        dials = self.faces, self.query, self.key_hands
        yield FadeOut(*dials, run_time=0.4)  # in motion, they would cross the waves
        self.faces.place_at(*self.block)
        self.key_hands.set_to(self["key_phases"][0])
        yield self.slide([*charts, (self.text, self.whole)], run_time=2.0)
        self.remove(*self.charts, *self.waves)
        self.add(*self.parts)
        yield together(FadeIn(*dials), FadeIn(self.lens, self.sums), run_time=0.6)

    @beat("Pile them up, and you have the score.", rest=REST, focus="sums")
    def pile(self) -> Steps:
        """Add each wave onto the others, from the slowest on; the sum is the score."""
        for k in range(len(self.parts) - 2, -1, -1):
            yield self.parts[k].to(self["piles"][k], run_time=1.3)
        yield FadeIn(self.sum, run_time=0.6)

    @beat(
        "Only the dots are words. The right one has {full:.2f}, "
        "the next best, {second_back} back, {second_score:.2f}.",
        focus="sums",
    )
    def dots_(self) -> Steps:
        """Show a dot at every word, with numbers at the two highest."""
        yield FadeOut(*self.parts, run_time=0.5)
        yield recolor(self.sum, self.theme.hairline, run_time=0.5)
        yield FadeIn(self.dots, run_time=0.8)
        self.lens.set_to(self["places"][0])
        yield FadeIn(self.best, run_time=0.6)

    @beat(
        "Softmax turns scores into shares of attention: "
        "{gap:.2f} less is about {fewer:,.0f} times less.",
        focus="sums",
    )
    def softmax(self) -> Steps:
        """Move the key to the second best word, and back."""
        step = STEPS_PER_TOKEN * (self.values.second_back - 1)
        for way in (slice(0, step + 1), slice(step, None, -1)):
            yield self.walk(self["places"][way], self["key_phases"][way], run_time=2.0)

    @beat(CAPTION)
    def attention(self) -> Steps:
        """Show a bar of attention for every word."""
        yield FadeOut(self.sum, self.sums, self.dots, self.best, run_time=0.6)
        yield self.bars.grow(run_time=1.2)
        self.figures = self.figures_over(
            self.text, ".1%", (self["weight"], 1, "right", "attention")
        )
        yield FadeIn(self.figures, run_time=0.4)
