"""All eight heads during training: two known kinds emerge."""

from __future__ import annotations

import numpy as np
from manim import LEFT, UP, VGroup

from clockhead.model.films.trained.heads import HeadsInTraining, heads_in_training
from clockhead.model.films.trained.losses import AFTER, BEFORE
from clockhead.scenes.parts.cell_outlines import CellFrame, Outline
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Rule, Trace
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.head_sheet import Arrangement, HeadSheet, name_of
from clockhead.scenes.parts.paths import rectangles
from clockhead.scenes.parts.scale import Scale
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_looks import paint
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import (
    CAPTION,
    Column,
    Derived,
    FadeIn,
    FadeOut,
    Handle,
    Room,
    Row,
    Size,
    Stage,
    Steps,
    Value,
    beat,
    fit,
    together,
    wide_or_tall,
)
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.text import Label, Paragraph, text_width
from clockhead.scenes.style.theme import Role
from clockhead.scenes.style.type import LABEL
from clockhead.scenes.trained.inputs import MOMENTS, OTHER_TEXTS, TrainedMoment

_LETTERS = 30.0
"""Largest size of the letters beside a pattern, in pixels."""
_NAMES = 30.0
"""Size of the names of heads, in pixels."""
_LARGE_NAME = 44.0
"""Size of the name of a single head, in pixels."""
_NUMBER = 72.0
"""Size of the number that describes a single head, in pixels."""
_WORDS = 30.0
"""Size of the meaning of that number, in pixels."""
_RIM = 0.5
"""Margin for the letters beside a pattern, in units."""
_NARROW = 8.5
"""A canvas that is shorter than this both ways has no room for a chart, in units."""
_ROOMY = 4.4
"""Side of a large pattern, in units, from which on its description has full size."""
_TRANSITION = 0.5
"""Seconds of the transition to the next saved step."""
_PAUSE = 0.35
"""Seconds of the pause at a saved step."""
_LONG_PAUSE = 0.6
"""Seconds of the pause once the second fall is over."""
_NATS = Scale(0.0, 4.0, (0.0, 1.0, 2.0, 3.0), ".0f")


def _previous_sentence(v: HeadsInTraining) -> str:
    if v.is_previous:
        return "On average, the letter before gets {previous_share:.0%}: a previous-token head."
    return "The letter before gets {previous_share:.0%} on average. That is no clear line yet."


def _induction_sentence(v: HeadsInTraining) -> str:
    if not v.n_found:
        return "But no letter that comes again looks at what followed it earlier."
    if v.is_induction:
        return (
            "Head {induction_name}: {n_found} of the {n_again} letters that come again look at "
            "what followed them earlier."
        )
    return (
        "Head {induction_name}: only {n_found} of the {n_again} letters that come again look at "
        "what followed them earlier."
    )


def _ending_sentence(v: HeadsInTraining) -> str:
    if v.n_previous and v.n_induction:
        return said("In the other films, we built both kinds by hand. Here, nobody asked for them.")
    return said("After {n:,d} steps, there are not yet both kinds.", n=v.last_step)


class Heads(Stage[HeadsInTraining]):
    """All eight heads during training: two known kinds emerge."""

    Inputs = TrainedMoment
    title = "All eight heads"
    caption = "{ending}"
    derived = {"ending": Derived("whether both kinds of heads have emerged", _ending_sentence)}
    opens = ("aside", "curve", "sheet", "letters", "one_name")
    leaves = ("sheet",)
    handles = (
        Handle("moment", MOMENTS),
        Handle("text", OTHER_TEXTS),
    )

    compute = heads_in_training

    def layout(self) -> None:
        v = self.values
        self.sheet = HeadSheet(self["patterns"][0], name_size=_NAMES)
        steps = Scale(0.0, 2000.0, (0.0, 1000.0, 2000.0), ",.0f", name=said("steps of training"))
        most = (4.4, 2.6) if self.canvas.wide else (6.6, 3.4)
        self.chart = Chart(steps, _NATS, least=(2.9, 1.9), most=most)
        self.curve = Trace(self["losses"], self.chart, x=self["seen"], role="wrong", stroke=3.0)
        self.now = Rule(self["steps"][0], self.chart, upright=True, role="token")
        self.step = Figure(self["steps"][0], ",.0f", size=48, prefix=f"{said('step')} ")
        self.loss = Figure(
            self["loss_then"][0], ".2f", size=34, color="wrong", prefix=f"{said('loss')} "
        )
        page = Room(Size(5.0, 3.0), Size(20.0, 20.0))
        numbers = (self.step, self.loss)
        self.aside = VGroup(*numbers)
        if self.canvas.width < _NARROW > self.canvas.height:  # too small for a chart
            fit(self.canvas, Column(Row(*numbers, gap=0.8), page, gap=0.2, weights=(0, 1)))
        else:
            self.aside.add(self.chart, self.curve, self.now)
            aside = Column(*numbers, self.chart, gap=0.25)
            row = Row(page, aside, gap=0.4, weights=(1, 0))
            fit(self.canvas, wide_or_tall(row, Column(page, aside, gap=0.4, weights=(1, 0))))
        if self.chart.placed:
            self.aside.add_to_back(self._fall_band())
        self.sheet.place(page.region)
        self.rows = self.sheet.rows(page.region)
        side = min(page.region.width, page.region.height) - _RIM
        x, y, _ = page.region.center + _RIM / 2
        y -= _RIM
        self.large = Region(x - side / 2, y - side / 2, x + side / 2, y + side / 2)
        self.most_right = page.region.right
        self.scale = min(1.0, side / _ROOMY)
        self.letters = self._letters()
        self.one_name = self._name(v.previous)
        self.before = self._legend(
            v.previous, self["previous_share"], ".0%", "on the letter before"
        )
        self.after = self._legend(
            v.induction, self["n_found"], "d", "look at what followed", self.say_of(" of {n_again}")
        )
        self.watched: list[CellFrame] = []
        self.sheet.stand(self.sheet.zoomed(v.previous, self.large))

    def _fall_band(self) -> Shape:
        """A band over the steps in which the loss falls for the second time."""
        area, (left, right) = self.chart.area, self.chart.x.at((BEFORE, AFTER))
        band = Shape(stroke_width=0, fill_color=self.theme.attention, fill_opacity=0.25)
        return band.set_points(rectangles([left], [area.bottom], [right], [area.top]))

    def _letters(self) -> VGroup:
        """The letters above the columns of the large pattern, and left of its rows."""
        area, n = self.large, len(self.values.labels)
        at = (np.arange(n) + 0.5) / n * area.width
        over = np.column_stack([area.left + at, np.full(n, area.top + _RIM / 2)])
        beside = np.column_stack([np.full(n, area.left - _RIM / 2), area.top - at])
        box = (area.width / n + 0.12, 1.3 * area.width / n)
        self.columns, self.askers = (
            Strip(self["labels"], boxes=False, size=_LETTERS).place_at(points, box)
            for points in (over, beside)
        )
        return VGroup(self.columns, self.askers)

    def _name(self, head: tuple[int, int]) -> VGroup:
        """The name of a head, in the empty half of its large pattern."""
        size = _LARGE_NAME * self.scale
        at = self.large.point(0.54, 1.0) - np.array([0.0, 0.9 * size * PX, 0.0])
        word = f"{said('head')} "
        number = at + np.array([text_width(word, size, "semibold"), 0.0, 0.0])
        return VGroup(
            Label(word, size=size, weight="semibold").put(at),
            Label(name_of(head), size=size, weight="semibold").put(number),
        )

    def _legend(
        self, head: tuple[int, int], value: Value, spec: str, words: str, suffix: str = ""
    ) -> VGroup:
        """The name of a head, a number, and its meaning."""
        name, size = self._name(head), _NUMBER * self.scale
        number = Figure(value, spec, size=size, align="left", color="attention", suffix=suffix)
        number.put(name[0].anchor - np.array([0.0, 1.1 * size * PX, 0.0]))
        below = number.number.anchor - np.array([0.0, 0.5 * _WORDS * PX, 0.0])
        words_size = max(LABEL, _WORDS * self.scale)
        meaning = Paragraph(said(words), width=self.most_right - below[0], size=words_size)
        meaning.shift(below - meaning.get_corner(UP + LEFT))
        return VGroup(name, number, meaning)

    @beat(
        "Head {previous_number} of layer 0, {previous_name} for short: a row for each letter, "
        "brighter where it looks more. The first is the start of the text.",
        focus="sheet",
    )
    def one(self) -> Steps:
        n, lattice = len(self.values.labels), self.sheet.lattice(self.values.previous)
        rows = [lattice.block(m, 0, 1, m + 1) for m in range(n)]
        row = CellFrame(rows[0], "query", 3.0)
        yield FadeIn(row, run_time=0.4)
        yield row.trace(*rows[1:], run_time=max(4.0, self.reading - 2.5))
        yield FadeOut(row, run_time=0.4)

    @beat("There are eight heads, four in each layer.", focus="sheet")
    def eight(self) -> Steps:
        yield FadeOut(self.letters, self.one_name, run_time=0.5)
        yield self.sheet.go(self.rows)

    @beat(
        "Now it trains on. Keep an eye on {previous_name} and {induction_name}.",
        focus="sheet",
        when=lambda v: v.last_step > v.first_step,
    )
    def training(self) -> Steps:
        v = self.values
        self.watched = [
            CellFrame(self.sheet.tile(head).inset(0.03), "query")
            for head in (v.previous, v.induction)
        ]
        yield FadeIn(*self.watched, run_time=0.5)
        for k in range(1, len(v.steps)):
            yield together(
                self.sheet.to(self["patterns"][k]),
                *([self.now.to(self["steps"][k])] if self.chart.placed else []),
                self.step.to(self["steps"][k]),
                self.loss.to(self["loss_then"][k]),
                run_time=_TRANSITION,
            )
            yield _LONG_PAUSE if v.steps[k] >= AFTER else _PAUSE

    @beat(ask="What does head {previous_name} look for?", focus="sheet")
    def look_closer(self) -> Steps:
        if self.watched:
            yield FadeOut(*self.watched, run_time=0.4)
        yield self.sheet.go(self.sheet.zoomed(self.values.previous, self.large), run_time=1.6)
        yield FadeIn(self.letters, self.before[0], run_time=0.5)

    @beat("Each row has a place one step below the diagonal: the letter before.", focus="sheet")
    def line(self) -> Steps:
        self.framed = self._outline("before", self.values.previous)
        yield self.framed.trace(run_time=max(2.4, self.reading - 1.0))

    @beat(_previous_sentence, rest=REST, focus="sheet")
    def share(self) -> Steps:
        yield FadeIn(self.before[1:])

    @beat("Layer 1 looks for something else.", focus="sheet")
    def another(self) -> Steps:
        yield FadeOut(self.letters, self.framed, self.before, run_time=0.5)
        yield self.sheet.go(self.sheet.zoomed(self.values.induction, self.large), run_time=1.6)
        yield FadeIn(self.letters, self.after[0], run_time=0.5)

    @beat(_induction_sentence, focus="sheet")
    def stripe(self) -> Steps:
        self.framed = self._outline("followed", self.values.induction)
        self.missed = self._outline("missed", self.values.induction, role="wrong")
        if self.values.n_found:
            rows = np.flatnonzero(self.values.followed >= 0)
            yield (
                self.framed.trace(run_time=3.0),
                paint(self.askers, rows.tolist(), "query"),
                paint(self.columns, self.values.followed[rows].tolist(), "attention"),
            )
        yield FadeIn(self.after[1:], self.missed)

    @beat(
        "It is an induction head.",
        rest=REST,
        focus="sheet",
        when=lambda v: v.is_induction and v.n_found > 0,
    )
    def named(self) -> Steps:
        yield 0.1

    @beat(CAPTION, rest=REST, focus="sheet")
    def kinds(self) -> Steps:
        yield FadeOut(self.letters, self.framed, self.missed, self.after, self.aside, run_time=0.5)
        yield self.sheet.go(self._shelves())
        yield FadeIn(self.sheet.titles())

    def _outline(self, path: str, head: tuple[int, int], role: Role = "token") -> Outline:
        rows = np.flatnonzero(getattr(self.values, path) >= 0).tolist()
        return Outline(self[path], lambda: self.sheet.lattice(head), rows=rows, role=role)

    def _shelves(self) -> Arrangement:
        """A shelf for each kind of head that occurs."""
        v = self.values
        one, two = v.n_previous == 1, v.n_induction == 1
        kinds = {
            said("previous-token head") if one else said("previous-token heads"): v.previous_heads,
            said("induction head") if two else said("induction heads"): v.induction_heads,
            said("others"): v.other_heads,
        }
        there = {title: heads for title, heads in kinds.items() if heads}
        return self.sheet.shelves(self.canvas, list(there), list(there.values()))
