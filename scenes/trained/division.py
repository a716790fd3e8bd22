"""Without the previous-token head, the loss falls and rises again: others looked back too."""

from __future__ import annotations

import numpy as np
from manim import VGroup, linear

from clockhead.model.films.trained.division import DividedWork, divided_work
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Dots, Rule, Trace
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.head_sheet import Arrangement, HeadSheet
from clockhead.scenes.parts.scale import Scale
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import (
    CAPTION,
    REST,
    Derived,
    FadeIn,
    FadeOut,
    Handle,
    Stage,
    Steps,
    beat,
    together,
)
from clockhead.scenes.style.layout import GAP, Region
from clockhead.scenes.style.motion import Drive, Moves
from clockhead.scenes.style.text import Label
from clockhead.scenes.trained.inputs import OTHER_TEXTS, Trained
from clockhead.scenes.trained.tiles import LABELS

_N_STEPS = 2000
_NUMBER = 30.0
"""Size of a number below a pattern, in pixels."""
_NUMBER_ROOM = 0.58
"""Height for such a number, in units."""
_HEADING = 0.55
"""Height above the patterns for the heading, in units."""
_OVERHANG = 0.5
"""Width by which the last number of the axis may overhang it, in units."""
_A_LEG = 1.4
"""Seconds from one saved step to the next."""


class Division(Stage[DividedWork]):
    """Without the previous-token head, the loss falls and rises again: others looked back too."""

    Inputs = Trained
    title = "They divide the work"
    caption = "The heads have divided the jobs among themselves."
    opens = ("chart", "again")
    derived = {
        "previous_name": Derived(
            "the head that looks one letter back", lambda v: f"0.{v.previous}"
        ),
        "own_name": Derived("the head that attends to the same letter", lambda v: f"0.{v.own}"),
    }
    handles = (Handle("text", OTHER_TEXTS, beat="alone"),)

    compute = divided_work

    def layout(self) -> None:
        page = self.canvas
        if page.wide:
            cut = page.left + 0.56 * page.width
            left = Region(page.left, page.bottom, cut, page.top)
            right = Region(cut + GAP, page.bottom, page.right, page.top)
        else:
            left, right = page.cut_top(0.48 * page.height)
        self.chart = Chart(
            Scale(0, _N_STEPS, (0, 800, 1600), ",d", said("steps of training")),
            Scale(0.0, 4.0, (0.0, 1.0, 2.0, 3.0, 4.0), ".0f", said("loss")),
            size=LABELS,
        )
        steps = self["steps"]
        self.again = Trace(self["again"], self.chart, x=self["seen"], role="wrong", stroke=4)
        self.again.beside = _OVERHANG
        self.own = Trace(self["without_own"], self.chart, x=steps, role="value", drawn=0.0)
        self.previous = Trace(self["without_previous"], self.chart, x=steps, role="key", drawn=0.0)
        self.dots = [
            Dots(self["without_own"], self.chart, x=steps, role="value"),
            Dots(self["without_previous"], self.chart, x=steps, role="key"),
        ]
        self.now = Rule(steps[self.values.shared_place], self.chart, upright=True, role="attention")
        self._lay_heads(right)
        self.chart.place(left)
        self.small, self.small_names = self.chart.area, self._names_of_curves()
        self.chart.place(page)
        self.names = self._names_of_curves()

    def _lay_heads(self, room: Region) -> None:
        """Lay out the four patterns of layer 0, with the attention that goes one letter back."""
        n, place = self.values.back.shape[1], self.values.shared_place
        heads = [(0, head) for head in range(n)]
        self.sheet = HeadSheet(self["patterns"][place], heads, named=False)
        top = room.top - _HEADING
        ways = []
        for columns in (2, 4):
            wide, high = room.width / columns, (top - room.bottom) / (n // columns)
            ways.append((min(0.94 * wide, high - _NUMBER_ROOM), columns, wide, high))
        side, columns, wide, high = max(ways)
        spots, self.numbers = np.zeros((n, 3)), VGroup()
        for head in range(n):
            row, column = divmod(head, columns)
            x = room.left + (column + 0.5) * wide
            over = top - row * high - (high - _NUMBER_ROOM - side) / 2
            spots[head] = x, over - side / 2, side
            number = Figure(self["back"][place][head], ".0%", size=_NUMBER, prefix=f"0.{head}: ")
            self.numbers.add(number.put(np.array([x, over - side - 0.4, 0.0])))
        self.sheet.stand(Arrangement(spots, 0.0))
        self.heading = Label(said("one letter back"), size=_NUMBER, color="muted", align="center")
        self.heading.put(np.array([room.center[0], room.top - 0.35, 0.0]))

    def _names_of_curves(self) -> list[Label]:
        """The names of the curves, at the right end of the chart in its current place."""
        edge = self.chart.area.right
        names = (
            (said("all heads"), "wrong", float(self.values.again[-1]), 0.42),
            (self.say_of("without {own_name}"), "value", float(self.values.without_own[-1]), 0.2),
            (self.say_of("without {previous_name}"), "key", self.values.risen, -0.75),
        )
        return [
            Label(name, size=28.0, color=role, align="right").put(
                np.array([edge, float(self.chart.y.at(level)) + over, 0.0])
            )
            for name, role, level, over in names
        ]

    @beat("Back to the training. This was the loss on letters that come again.", focus="chart")
    def before(self) -> Steps:
        yield FadeIn(self.names[0], run_time=0.5)

    @beat(
        "Silence head {own_name}, all through the training: there is hardly a second fall.",
        focus="chart",
    )
    def silent(self) -> Steps:
        yield self.own.draw_to(1.0, run_time=2.4)
        yield FadeIn(self.dots[0], self.names[1], run_time=0.5)

    @beat(
        "Silence the previous-token head: the loss falls to {lowest:.2f}, and then rises again, to "
        "{risen:.2f}.",
        rest=REST,
        focus="chart",
    )
    def rises(self) -> Steps:
        yield self.previous.draw_to(1.0, run_time=3.6)
        yield FadeIn(self.dots[1], self.names[2], run_time=0.5)

    @beat(
        "At step {shared_at}, three heads look one letter back with part of their attention. They "
        "can stand in for each other.",
        ask="Why does it rise again?",
        rest=REST,
        focus="sheet",
    )
    def shared(self) -> Steps:
        yield FadeOut(*self.names, run_time=0.4)
        yield self._shrink(run_time=1.2)
        yield FadeIn(*self.small_names, self.now, run_time=0.4)
        yield FadeIn(self.sheet, self.heading, self.numbers, run_time=0.8)

    @beat(
        "Then the others turn to other work, and head {previous_name} is left to do it: "
        "{alone:.0%}, over many texts.",
        rest=REST,
        focus="sheet",
    )
    def alone(self) -> Steps:
        for k in range(self.values.shared_place + 1, len(self.values.steps)):
            yield self._move_to_step(k, run_time=_A_LEG)

    @beat(CAPTION)
    def jobs(self) -> Steps:
        yield FadeOut(self.now, run_time=0.5)
        frames = [
            self.sheet.frame((0, self.values.own), "value"),
            self.sheet.frame((0, self.values.previous), "key"),
        ]
        yield FadeIn(*frames, run_time=0.6)

    def _shrink(self, *, run_time: float) -> Drive:
        """Shrink the chart to make room for the patterns."""
        start, end = (
            [area.left, area.bottom, area.right, area.top] for area in (self.chart.area, self.small)
        )
        return Drive(
            VGroup(self.chart, self.again, self.own, self.previous, *self.dots),
            lambda edges: self.chart.place_area(Region(*map(float, edges))),
            start,
            end,
            run_time=run_time,
        )

    def _move_to_step(self, k: int, *, run_time: float) -> Moves:
        """Animate the rule, the patterns and their numbers to a saved step."""
        numbers = [
            number.to(self["back"][k][head], rate_func=linear)
            for head, number in enumerate(self.numbers)
        ]
        return together(
            self.now.to(self["steps"][k], rate_func=linear),
            self.sheet.to(self["patterns"][k], rate_func=linear),
            *numbers,
            run_time=run_time,
        )
