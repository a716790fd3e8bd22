"""Every hand draws a wave: at many speeds they agree at one word only, at one speed at two."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import VGroup, linear
from numpy.typing import NDArray
from pydantic import Field

from clockhead.model.films.rope.aliasing import EqualFrequencies, equal_and_scheduled
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Rule, Trace
from clockhead.scenes.parts.dial import REACH, Dials
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.scale import Scale, round_ticks
from clockhead.scenes.rope.chart_slots import Level, SlotFrame, Slots
from clockhead.scenes.rope.inputs import ClockInputs
from clockhead.scenes.rope.word_line import NUMBER
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    FadeIn,
    FadeOut,
    Stage,
    Steps,
    beat,
    together,
)
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive, Moves, recolor
from clockhead.scenes.style.text import Align, Label
from clockhead.scenes.style.theme import Role

_FOOT, _SIDE, _EDGE = 1.15, 3.5, 0.35
"""The room under the waves, left of them on a wide canvas, and right of them, in units."""
_TALL_SIDE, _TALL_DIALS = 1.8, 0.42
"""The room left of them on a tall canvas, and the share of its height for dials above them."""
_LANE, _ROOM = 0.8, 0.16
"""The share of a lane that its wave fills, and the share over the highest wave that stays free."""
_SMALL = 24.0
_AWAY = 0.35
"""How bright the waves are under their sum."""


def _again(values: EqualFrequencies) -> str:
    if values.is_full:
        return "{alias_back} words back, all hands point straight up once more."
    return "{alias_back} words back, all hands point almost straight up once more."


class Aliasing(Stage[EqualFrequencies]):
    """Every hand draws a wave: at many speeds they agree at one word only, at one speed at two."""

    class Inputs(ClockInputs):
        theta: float = Field(
            1.0, ge=0.5, le=2, description="the one speed, in radians per position"
        )
        alpha: float = Field(
            40.0, ge=4, le=40, description="scale of the scores; larger is sharper"
        )
        long: int = Field(46, ge=40, le=64, description="tokens in the text")

    title = "Why the hands need different speeds"
    caption = "Give every hand its own speed again, and there is only one place where all agree."
    opens = ("faces", "text")
    claims = (
        Claim(
            "at one speed a wrong word gets visible attention",
            lambda v: v.alias_weight > 0.01,
            "the word {alias_back} back gets {alias_weight:.1%}; let alpha be smaller",
        ),
        Claim(
            "the right word gets visibly more at many speeds than at one",
            lambda v: v.schedule_weight > v.weight + 0.01,
            "it gets {schedule_weight:.1%} and {weight:.1%}; let base be smaller",
        ),
    )

    compute = equal_and_scheduled

    def layout(self) -> None:
        """Dials in a row, beside their waves, and in a block; waves in lanes and in one chart."""
        v, canvas = self.values, self.canvas
        side = _SIDE if canvas.wide else _TALL_SIDE
        foot = canvas.bottom + _FOOT
        lanes = Region(canvas.left + side, foot, canvas.right - _EDGE, canvas.top)
        low = lanes.top if canvas.wide else lanes.top - _TALL_DIALS * lanes.height
        self.whole = Region(lanes.left, foot, lanes.right, low)
        self._lay_text(self.whole)
        lane = lanes.height / v.n_pairs
        self.reach = min(_LANE * lane / 2, 0.45 * side * REACH)  # of a wave, and of a hand
        heights = [lanes.top - (k + 0.5) * lane for k in range(v.n_pairs)]
        self._lay_dials(lanes, low, heights)
        self.lanes = [
            Region(lanes.left, y - self.reach, lanes.right, y + self.reach) for y in heights
        ]
        self.lens = SlotFrame(self["places"][0], self._chart(lanes, 0, 1), "key")
        self.lens.redraw()
        self.charts = [self._chart(lane, -1, 1) for lane in self.lanes]
        self.waves = [
            Trace(self["waves"][k], chart, x=self["places"], role="key", drawn=0)
            for k, chart in enumerate(self.charts)
        ]
        self.levels = [
            Level(self["waves"][k][0], chart, self.key_hands, k, self.lens)
            for k, chart in enumerate(self.charts)
        ]
        top = v.n_pairs / (1 - _ROOM)
        self.sums = self._chart(self.whole, -v.n_pairs, top)
        self.sum = Trace(
            self["score"], self.sums, x=self["places"], role="score", stroke=7, drawn=0
        )
        self.highest = Rule(self["n_pairs"], self.sums)
        self.highest.redraw()

    def _chart(self, area: Region, low: float, high: float) -> Chart:
        """A chart over the places of the text that fills an area."""
        long = self.values.long
        chart = Chart(Scale(long - 0.5, -0.5), Scale(low, high, line=False))
        chart.place_area(area)
        return chart

    def _lay_text(self, area: Region) -> None:
        """The places of the text, what each gets, and numbers for the two that matter."""
        v = self.values
        ticks, name = round_ticks(0, v.long - 1), said("words back from the last one")
        back = Scale(v.long - 0.5, -0.5, ticks=ticks, spec="d", name=name)
        self.text = Chart(back, Scale(0, 1 / (1 - _ROOM), line=False), size=_SMALL)
        self.slots = Slots(self["long"], self.text)
        options: dict[str, Any] = {"at": v.back, "grown": False, "most_width": 0.5}
        self.bars = Bars(self["schedule_row"], self.text, **options)
        self.asker = SlotFrame(self["back"][v.target + 1], self.text, "query")
        self.wanted = SlotFrame(self["back"][v.target], self.text, "key")
        self.text.place_area(area)
        top, right = area.bottom + 0.5, area.right - 2.2 * self.text.x.pitch
        look: dict[str, Any] = {"size": NUMBER, "align": "right"}
        names = (
            Label(said("the last word"), color=self.theme.query, **look),
            Label(said("the word before"), color=self.theme.key, **look),
        )
        for line, label in enumerate(names):
            label.put(np.array([right, top + 0.55 * line, 0.0]))
        self.names = VGroup(*names)

    def _lay_dials(self, lanes: Region, low: float, heights: list[float]) -> None:
        """The dials in a row over the text, where they begin."""
        n, canvas = self.values.n_pairs, self.canvas
        self.faces = Dials(n, labels=None, largest=1.5, most=n)
        over = 1.9 if canvas.wide else 2.4
        right = lanes.right - 2 * self.text.x.pitch - 0.1  # beside the frames
        room = Region(canvas.left, lanes.bottom + over, right, canvas.top)
        rows = 1 if canvas.wide else 2
        self.faces.in_rows(rows).place(room)
        x = (canvas.left + lanes.left) / 2
        self.beside = [(x, y, 0.0) for y in heights], self.reach / REACH
        block = Dials(n, labels=None, largest=1.3, columns=2 if n > 1 else 1)
        if canvas.wide:
            block.place(Region(canvas.left, lanes.bottom, lanes.left - 0.1, lanes.top))
        else:
            block.place(Region(canvas.left, low, canvas.right, lanes.top))
        self.block = block.centers[0], block.radius
        self.query = Hands(self["last_phases"], self.faces, "query", angles=True)
        self.key_hands = Hands(self["query_phases"], self.faces, "key", angles=True)

    @beat("Here is a longer text, of {long} words. The last one looks back.", focus="faces")
    def a_text(self) -> Steps:
        """The places of the text come, and the last one asks."""
        yield FadeIn(self.slots, run_time=1.0)
        yield FadeIn(self.asker, self.names[0], run_time=0.8)

    @beat("It wants just one thing: the word right before it.", focus="faces")
    def wish(self) -> Steps:
        """The place before it."""
        yield FadeIn(self.wanted, self.names[1], run_time=0.8)

    @beat(
        "Meaning does not matter for that. So let all words have the same key, "
        "each turned by its position.",
        focus="faces",
    )
    def same_key(self) -> Steps:
        """The hands of the wanted word's key, which come on the dials."""
        yield self.key_hands.grow(run_time=1.4)

    @beat(
        "Take this key, turned back by one position, as the query. "
        "Then it matches the word before.",
        focus="faces",
    )
    def one_back(self) -> Steps:
        """The query's hands come where the last word stands, and turn back by a position."""
        self.add(self.query, self.key_hands)
        yield self.query.grow(run_time=1.0)
        yield 0.5
        yield self.query.to(self["query_phases"], run_time=2.4)

    @beat("Now turn the picture until the query points straight up.", focus="faces")
    def upright(self) -> Steps:
        """Both hands turn as one."""
        up, run = self["turned_upright"], {"run_time": max(3.0, self.reading)}
        yield self.query.to(up, **run), self.key_hands.to(up, **run)

    @beat("The higher a key reaches, the better it fits. The word right before fits perfectly.")
    def height(self) -> Steps:
        """The dials stand beside lanes for their waves."""
        yield FadeOut(self.names, self.wanted, run_time=0.5)
        yield self.faces.go_to(*self.beside, run_time=1.4)
        yield FadeIn(*self.charts, self.lens, run_time=0.8)

    @beat(
        "Go back word by word. Every hand goes up and down, and draws a wave.",
        rest=REST,
    )
    def draw(self) -> Steps:
        """The frame goes back through the text, the key's hands turn, and waves are drawn."""
        for level in self.levels:
            level.redraw()
        self.add(*self.waves, *self.levels)
        run: dict[str, Any] = {"run_time": 10.0, "rate_func": linear}
        walk = self._walk("key_phases", len(self.values.places) - 1, **run)
        heights = [level.through(self["waves"][k], **run) for k, level in enumerate(self.levels)]
        yield together(walk, *heights, *(wave.draw_to(1, **run) for wave in self.waves))

    def _walk(self, phases: str, step: int, **options: Any) -> Moves:
        """The key goes back from the wanted word."""
        part = slice(0, step + 1)
        return together(
            self.lens.through(self["places"][part], **options),
            self.key_hands.through(self[phases][part], **options),
        )

    @beat("Lay the waves on top of each other. All of them are at the top in one place only.")
    def lay(self) -> Steps:
        """The lanes slide into one; the dials make room for a block of large ones."""
        yield FadeOut(*self.levels, run_time=0.4)
        yield self.lens.to(self["places"][0]), self.key_hands.to(self["key_phases"][0])
        together_ = Region(
            self.whole.left,
            self.whole.bottom + 0.1 * self.whole.height,
            self.whole.right,
            self.whole.top - _ROOM * self.whole.height,
        )
        dials = self.faces, self.query, self.key_hands
        yield FadeOut(*dials, run_time=0.4)
        self.faces.place_at(*self.block)
        yield self._slide([together_] * len(self.charts), run_time=2.4)
        yield FadeIn(*dials, run_time=0.6)

    def _slide(self, goals: list[Region], **options: Any) -> Drive:
        """All charts of waves go to other areas."""
        starts = [_corners(chart.area) for chart in self.charts]
        ends = [_corners(goal) for goal in goals]

        def show(share: NDArray[np.float64]) -> None:
            for chart, start, end in zip(self.charts, starts, ends, strict=True):
                chart.place_area(Region(*(start + (end - start) * float(share))))

        return Drive(VGroup(*self.charts, *self.waves), show, 0.0, 1.0, **options)

    @beat(
        "Add them up, and you have the score. It is highest at the word right before.",
        rest=REST,
        focus="sums",
    )
    def add_up(self) -> Steps:
        """The sum, and a line at its highest point."""
        faint = (recolor(wave, self.theme.hairline) for wave in self.waves)
        yield together(*faint, run_time=0.6)
        yield FadeOut(*self.charts, run_time=0.4), FadeIn(self.sums, run_time=0.4)
        self.add(self.sum)
        yield self.sum.draw_to(1, run_time=3.0)
        yield FadeIn(self.highest, run_time=0.5)

    @beat("Softmax makes attention of it: the right word gets {schedule_weight:.1%}.", rest=REST)
    def attention(self) -> Steps:
        """A bar for every word."""
        yield FadeOut(self.sum, self.sums, self.highest, *self.waves, run_time=0.6)
        yield self.bars.grow(run_time=1.2)
        self.figures = self._figures("schedule_weight", None)
        yield FadeIn(self.figures, run_time=0.4)

    def _figures(self, right: str, wrong: str | None) -> VGroup:
        """What the right word gets, and the wrong one, written over their bars."""
        v, x = self.values, self.text.x
        sides: list[tuple[str | None, int, Align, Role]] = [
            (right, 1, "right", "attention"),
            (wrong, v.alias_back, "left", "wrong"),
        ]
        found = []
        for path, back, align, role in sides:
            if path is None:
                continue
            color = self.theme.text_color(role)
            figure = Figure(self[path], ".1%", size=NUMBER, color=color, align=align)
            y = float(self.text.y.at(self[path].array)) + 0.35 * NUMBER * PX
            half = (0.5 if align == "right" else -0.5) * x.pitch
            found.append(figure.put(np.array([float(x.at(back)) + half, y, 0.0])))
        return VGroup(*found)

    @beat(ask="What if all hands had one speed, and always agreed? Would it work even better?")
    def ask_(self) -> Steps:
        """The waves come back."""
        yield FadeOut(self.bars, self.figures, run_time=0.6)
        yield FadeIn(self.sums, *self.waves, self.sum, self.highest, run_time=0.8)

    @beat(
        "At the right word they are still at the top together. But now they move as one.",
        focus="sums",
    )
    def equal(self) -> Steps:
        """All speeds run to one."""
        yield together(*self._mix(slice(None)), run_time=5.0)

    def _mix(self, way: slice) -> list[Any]:
        """Waves and their sum, with speeds between their own and one, in the order of a slice."""
        series = self["mixed_waves"]
        waves = [wave.through(series[k][way]) for k, wave in enumerate(self.waves)]
        return [*waves, self.sum.through(self["mixed_scores"][way])]

    @beat(_again, rest=REST, focus="sums")
    def alias(self) -> Steps:
        """The key goes back to where the hands are up again."""
        step = self.values.alias_step
        yield self._walk("equal_phases", step, run_time=7.0, rate_func=linear)

    @beat(
        "So the word {alias_back} back gets {alias_weight:.1%}, the right one only {weight:.1%}. "
        "This is called aliasing.",
        rest=REST,
    )
    def split(self) -> Steps:
        """Two bars, one of them wrong."""
        v = self.values
        yield FadeOut(self.sum, self.sums, self.highest, self.lens, *self.waves, run_time=0.6)
        self.bars.set_to(self["equal_row"])
        wrong = [k for k in range(v.long) if k not in (v.target, v.target + 1)]
        yield self.bars.recolor(wrong, "wrong", run_time=0.1)
        yield self.bars.grow(run_time=1.2)
        self.figures = self._figures("weight", "alias_weight")
        yield FadeIn(self.figures, run_time=0.5)

    @beat(CAPTION, rest=REST, focus="sums")
    def mend(self) -> Steps:
        """The speeds part, and with them the hands at the wrong word."""
        yield FadeOut(self.bars, self.figures, run_time=0.6)
        yield FadeIn(self.sums, *self.waves, self.sum, self.highest, run_time=0.8)
        back = slice(None, None, -1)
        hands = self.key_hands.through(self["mixed_phases"][back])
        yield together(*self._mix(back), hands, run_time=5.0)
        yield recolor(self.sum, self.theme.score, run_time=0.4)


def _corners(area: Region) -> NDArray[np.float64]:
    """Left, bottom, right and top."""
    return np.array([area.left, area.bottom, area.right, area.top])
