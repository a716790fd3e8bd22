"""The last word of a long text finds the one before: every hand draws a wave, and they add up."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import VGroup, linear

from clockhead.model.films.rope.word_before import LookingBack, word_before
from clockhead.scenes.parts.dial import REACH, Dials
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.rope.chart_slots import Level
from clockhead.scenes.rope.long_text import EDGE, FOOT, LongTextInputs, LongTextStage
from clockhead.scenes.rope.word_line import NUMBER
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import CAPTION, Derived, FadeIn, FadeOut, Steps, beat, together
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import recolor
from clockhead.scenes.style.text import Label

_SHORT, _NAMES = 0.3, 1.35
"""How high frames stand over words at first, and the room for their names under the dials."""
_LANE = 0.88
"""The share of a lane that its wave fills."""
_SIDE = 2.2
"""The room for dials beside the lanes, in units."""


class WordBefore(LongTextStage):
    """Every hand of a key draws a wave; their sum is the score, highest at the word before."""

    class Inputs(LongTextInputs):
        """The text, and the hands."""

    title = "Finding the word before"
    caption = (
        "To softmax, {gap:.1f} less means about {fewer:,.0f} times less attention: "
        "the right word gets {weight:.1%}."
    )
    opens = ("faces", "key_hands", "text", "slots")
    leaves = ("faces", "key_hands", "text", "slots", "asker", "bars", "figures")
    derived = {
        "fewer": Derived(
            "how many times less the second word gets, to two digits",
            lambda v: float(f"{v.times:.2g}"),
        ),
    }

    values: LookingBack
    compute = word_before

    @property
    def head(self) -> LookingBack:
        """The values."""
        return self.values

    def layout(self) -> None:
        """Dials in a row, beside lanes with their waves, and in a block beside the scores."""
        v, canvas = self.values, self.canvas
        self.lay_charts("", -v.full if v.score.min() < -v.full / 4 else -v.full / 4)
        right = canvas.right - EDGE
        foot = canvas.bottom + FOOT
        lanes = Region(canvas.left + _SIDE, foot, right, canvas.top)
        lane = lanes.height / v.n_pairs
        reach = min(_LANE * lane / 2, 0.45 * _SIDE * REACH)  # of a wave, and of a hand
        middles = [lanes.top - (k + 0.5) * lane for k in range(v.n_pairs)]
        self.lanes = [Region(lanes.left, y - reach, right, y + reach) for y in middles]
        self.beside = [(canvas.left + _SIDE / 2, y, 0.0) for y in middles], reach / REACH
        self.tall = Region(lanes.left, foot, right, canvas.top)
        self.low = Region(canvas.left + 0.1, foot, right, foot + _SHORT)
        self.faces = Dials(v.n_pairs, labels=None, largest=1.6)
        rows = self.faces.in_rows(1 if canvas.wide else 2)
        rows.place(Region(canvas.left, foot + _NAMES, canvas.right, canvas.top))
        self.text.place_area(self.low)
        self.query = Hands(self["last_phases"], self.faces, "query", angles=True)
        self.lay_key(self["way_phases"][0], self.faces)
        self.lay_waves(self["waves"], self["places"], self.lanes)
        self.levels = [
            Level(self["waves"][k][0], chart, self.key_hands, k, self.lens)
            for k, chart in enumerate(self.charts)
        ]
        for curve in (self.sum, *self.waves):
            curve.drawn = 0.0
            curve.redraw()
        second = self["second_score"], v.second_back
        two = self.figures_over(self.sums, ".1f", (*second, "center", "score"), lift=0.8)
        lift = 2.0 if v.second_back * self.sums.x.pitch < 1.8 * two.width else 0.8
        one = self.figures_over(self.sums, ".1f", (self["full"], 1, "right", "score"), lift=lift)
        self.best = VGroup(one, two)
        names = (said("the last word"), "query"), (said("the word before"), "key")
        self.names = VGroup()
        for line, (words, role) in enumerate(names):
            color = getattr(self.theme, role)
            label = Label(words, size=NUMBER, color=color, align="right")
            x = float(self.text.x.at(line)) + self.text.x.pitch / 2
            label.put(np.array([x, foot + _SHORT + 0.6 - 0.5 * line, 0.0]))
            self.names.add(label)

    @beat(
        "Here is a longer text, of {long} words. The last one wants the word right before it.",
        focus="faces",
    )
    def a_text(self) -> Steps:
        """The last word looks back, and the one before it is lit."""
        yield FadeIn(self.asker, self.names[0], run_time=0.8)
        yield 0.5
        yield FadeIn(self.lens, self.names[1], run_time=0.8)

    @beat(
        "Suppose all words had the same key: then only its turn tells where it stands.",
        focus="faces",
    )
    def same_key(self) -> Steps:
        """The key goes through the text, turned by its position."""
        yield FadeOut(self.lens, self.names[1], run_time=0.4)
        self.lens.set_to(self["way"][0])
        yield FadeIn(self.lens, run_time=0.4)
        yield self.walk(self["way"], self["way_phases"], run_time=3.5)
        yield FadeIn(self.names[1], run_time=0.4)

    @beat(
        "As the query, take this key, turned back by one position: it matches the word before.",
        focus="faces",
    )
    def one_back(self) -> Steps:
        """The query's hands come where the last word stands, and turn back by a position."""
        self.add(self.query, self.key_hands)
        yield self.query.grow(run_time=1.0)
        yield 0.8
        yield self.query.to(self["query_phases"], run_time=2.4)

    @beat(
        "Now turn the picture, until the query points straight up. "
        "The higher a key reaches, the better it fits.",
        focus="faces",
    )
    def upright(self) -> Steps:
        """Both hands turn as one; then the dials stand beside lanes for their waves."""
        up, run = self["turned_upright"], {"run_time": 2.4}
        yield self.query.to(up, **run), self.key_hands.to(up, **run)
        yield FadeOut(self.names, run_time=0.4)
        yield self.faces.go_to(self.faces.centers[0], self.beside[1], run_time=0.6)
        yield (
            self.faces.go_to(*self.beside, run_time=1.4),
            self.slide([(self.text, self.tall)], run_time=1.4),
        )

    @beat(
        "Go back word by word. Every hand goes up and down, and draws a wave.",
        rest=REST,
    )
    def draw(self) -> Steps:
        """The key goes back through the text, its hands turn, and waves are drawn."""
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
        "Add the waves up: {alpha:.12g} for every hand that points straight up. That is the score.",
        focus="sums",
    )
    def add_up(self) -> Steps:
        """The lanes slide into one, and the sum is drawn over them."""
        yield FadeOut(*self.levels, self.lens, run_time=0.4)
        self.lens.set_to(self["places"][0])
        charts = [(chart, self.inner) for chart in self.charts]
        yield (
            self.slide([*charts, (self.text, self.whole)], run_time=2.0),
            self.faces.go_to(self.block.centers[0], self.block.radius, run_time=2.0),
            self.key_hands.to(self["key_phases"][0], run_time=2.0),
        )
        faint = (recolor(wave, self.theme.hairline) for wave in self.waves)
        yield together(*faint, FadeIn(self.lens, self.sums), run_time=0.6)
        self.add(self.sum)
        yield self.sum.draw_to(1, run_time=2.2)

    @beat(
        "Only the dots are words. The right one has {full:.1f}, "
        "the next best, {second_back} back, {second_score:.1f}.",
        focus="sums",
    )
    def dots_(self) -> Steps:
        """A dot at every word; the two highest are written."""
        yield together(*(FadeOut(wave) for wave in self.waves), run_time=0.5)
        yield recolor(self.sum, self.theme.hairline, run_time=0.5)
        yield FadeIn(self.dots, run_time=0.8)
        yield FadeIn(self.best, run_time=0.6)

    @beat(CAPTION, rest=REST)
    def attention(self) -> Steps:
        """A bar for every word."""
        yield 2.5
        yield FadeOut(self.sum, self.sums, self.dots, self.best, run_time=0.6)
        yield self.bars.grow(run_time=1.2)
        v = self.values
        self.figures = self.figures_over(
            self.text, ".1%", (self["weight"], int(v.back[v.target]), "right", "attention")
        )
        yield FadeIn(self.figures, run_time=0.4)
