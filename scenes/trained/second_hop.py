"""The second hop: a head finds a letter by notes that other heads have left in its key."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import VGroup
from pydantic import Field

from clockhead.model.films.trained.second_hop import SecondHop as Hop
from clockhead.model.films.trained.second_hop import second_hop
from clockhead.scenes.induction.arcs import Arcs
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_looks import (
    frame_notes,
    open_slots,
    paint,
    rewrite_notes,
    take_off,
    wear,
)
from clockhead.scenes.parts.strip_typing import answer
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import (
    CAPTION,
    Column,
    Derived,
    FadeIn,
    Handle,
    Room,
    Size,
    Stage,
    Steps,
    beat,
    fit,
    together,
)
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Moves
from clockhead.scenes.style.theme import Role
from clockhead.scenes.trained.inputs import MOMENTS, OTHER_TEXTS, TrainedMoment

_LETTERS, _NOTES, _NAMES, _SMALL_NOTES = 84.0, 42.0, 34.0, 30.0
"""The sizes of the letters on tiles, of those of notes, of words at bars, and of both where there
is little room, in pixels."""
_WIDE = 9.0
"""From this width of the canvas on, the tiles stand in one line, in units."""
_HIGH = 7.0
"""A canvas that is not so high has little room for two lines, in units."""
_OVER, _OVER_LINES = 1.45, 0.55
"""What stays free for arcs over one line of tiles, and over several, in units."""
_BETWEEN, _CLOSE = 1.5, 0.5
"""The same between two lines, and where there is little room."""
_HOP = 0.75
"""The room for an arc to the next letter, in units."""


def _asking(v: Hop) -> str:
    if v.is_found:
        return (
            "The last “{riddle.last}” asks. Head {reader} of layer 1 gives “{riddle.answer}” "
            "{share:.0%} of its attention."
        )
    return (
        "The last “{riddle.last}” asks. Head {reader} of layer 1 gives “{riddle.answer}” "
        "only {share:.1%} of its attention."
    )


def _why(v: Hop) -> str:
    if v.is_found:
        return "Why “{riddle.answer}”, and not the “{riddle.last}” before it?"
    return "What could lead it to “{riddle.answer}”?"


def _noted(v: Hop) -> str:
    if v.n_bearers == 1:
        return "It has left a note under every letter. Only one of them says “{riddle.last}”."
    return "It has left a note under every letter. {n_bearers} of them say “{riddle.last}”."


def _left(v: Hop) -> str:
    if v.share_without >= v.share:
        return "No less: {share_without:.0%}. It must go by something else."
    if v.share_without >= v.share / 2:
        return "Still {share_without:.0%}. It must go by something else as well."
    return "Only {share_without:.0%}: without these notes, it hardly finds “{riddle.answer}”."


def _other(v: Hop) -> str:
    if v.other_notes[v.asks] == v.other_note:
        return (
            "Head {other} has left notes, too. Under “{riddle.answer}” it says “{other_note}”, "
            "and under the last “{riddle.last}” as well."
        )
    return "Head {other} has left notes, too. Under “{riddle.answer}”, it says “{other_note}”."


def _returned(v: Hop) -> str:
    if v.is_found and v.is_guessed:
        return "Put all of them back: “{riddle.answer}” is found and copied, and gets {guess:.0%}."
    if v.is_guessed:
        return "Put all of them back: “{riddle.answer}” gets {guess:.0%}, with the other heads."
    return "Put all of them back: “{riddle.answer}” gets {guess:.1%}, and “{top}” more."


def _ending(v: Hop) -> str:
    if not v.is_found or not v.is_guessed:
        return said("Here, the two hops do not lead to the answer.")
    if v.share_without_both >= v.share / 2:
        return said("Here, this head goes by more than these two notes.")
    return said("One layer leaves notes, the next one reads them: the circuit that we set by hand.")


class SecondHop(Stage[Hop]):
    """The second hop: a head finds a letter by notes that other heads have left in its key."""

    class Inputs(TrainedMoment):
        reader: int | None = Field(
            None,
            ge=0,
            le=3,
            description="the head of layer 1 that reads; left out, the one that finds most",
        )

    title = "The second hop"
    caption = "{ending}"
    opens = ("tiles",)
    leaves = ("tiles",)
    derived = {"ending": Derived("whether the two hops lead to the answer, and by what", _ending)}
    handles = (
        Handle("text", OTHER_TEXTS),
        Handle("moment", MOMENTS),
        Handle("reader", "0:3"),
    )

    compute = second_hop

    def layout(self) -> None:
        v, lines = self.values, 1 if self.canvas.width > _WIDE else 2
        is_small = lines > 1 and self.canvas.height < _HIGH
        self.tiles = Strip(
            self["letters"],
            wonder=True,
            hidden=0,
            notes=self["notes"],
            shares=self["note_shares"],
            size=_LETTERS,
            note_size=_SMALL_NOTES if is_small else _NOTES,
            lines=lines,
            gutter=_CLOSE if is_small else _BETWEEN,
        )
        names = (
            self.say_of("attention on “{riddle.answer}”"),
            self.say_of("“{riddle.answer}” is guessed"),
        )
        bar_names = slots(names, down=True)
        ticks = () if is_small else (0.0, 0.5, 1.0)
        size = _SMALL_NOTES if is_small else _NAMES
        self.chart = Chart(
            Scale(0.0, 1.0, ticks, ".0%"),
            bar_names,
            size=size,
            most=(13.0, 1.1 if is_small else 1.9),
        )
        roles: tuple[Role, Role] = ("attention", "probability")
        options: dict[str, Any] = {"spec": ".1%", "size": size, "grown": False}
        self.bars = VGroup(
            *(
                Bars(self["runs"][0][k : k + 1], self.chart, role, at=[k], **options)
                for k, role in enumerate(roles)
            )
        )
        over = Room(Size(0.0, _OVER if lines == 1 else _OVER_LINES))
        fit(self.canvas, Column(over, self.tiles, self.chart, gap=0.2, weights=(0, 1, 1)))
        self.arcs = Arcs(self["rows"][0], self.tiles, v.asks)
        self.before = Arcs(self["written"], self.tiles, v.goal)

    @beat(
        _asking,
        rest=REST,
        focus=("tiles", "arcs"),
    )
    def asks(self) -> Steps:
        v = self.values
        yield paint(self.tiles, v.asks, "query")
        self.add(self.arcs, self.tiles)  # between lines, arcs pass behind the tiles
        yield self.arcs.draw(run_time=1.4)
        yield paint(self.tiles, v.goal, "attention"), FadeIn(self.chart)
        yield together(*(bar.grow() for bar in self.bars), run_time=1.2)

    @beat(
        "A head of layer 0 came first. From “{riddle.answer}”, head {writer} looked at the letter "
        "before, and left a note: “{riddle.last}”.",
        ask=_why,
        focus="tiles",
    )
    def note(self) -> Steps:
        v = self.values
        yield self.arcs.draw_back(), self.look_at(self._near_goal(), closest=2.0, run_time=1.6)
        yield self.before.draw(run_time=1.2)
        yield open_slots(self.tiles, v.goal, run_time=0.6)
        yield wear(self.tiles, v.goal, source=self.tiles.middle(v.before_goal), run_time=1.4)

    @beat(_noted, rest=REST, focus="tiles")
    def notes_(self) -> Steps:
        v = self.values
        others = [k for k in range(len(v.letters)) if k != v.goal]
        yield self.look_back(), self.before.draw_back()
        yield open_slots(self.tiles, *others, run_time=0.8)
        sources = np.array([self.tiles.middle(max(k - 1, 0)) for k in others])
        yield wear(self.tiles, *others, source=sources, run_time=1.6)
        yield frame_notes(self.tiles, *v.bearers.tolist(), role="query")

    @beat(
        _left,
        ask="Take these notes out of the keys. What is left of the {share:.0%}?",
        rest=REST,
        focus=("tiles", "arcs"),
    )
    def without(self) -> Steps:
        yield self.arcs.draw(run_time=1.0)
        yield take_off(self.tiles, *range(len(self.values.letters)), run_time=0.8)
        yield self._run(1)

    @beat(_other, rest=REST, focus="tiles")
    def other_(self) -> Steps:
        v = self.values
        yield frame_notes(self.tiles, role="value", run_time=0.1)
        yield rewrite_notes(self.tiles, self["other_notes"], self["other_shares"], run_time=0.2)
        yield wear(self.tiles, *range(len(v.letters)), run_time=1.4)
        alike = [v.goal, *([v.asks] if v.other_notes[v.asks] == v.other_note else [])]
        yield frame_notes(self.tiles, *alike, role="query")

    @beat(
        "Take these out as well, and “{riddle.answer}” gets {share_without_both:.1%}.",
        rest=REST,
        focus=("tiles", "arcs"),
    )
    def both(self) -> Steps:
        yield take_off(self.tiles, *range(len(self.values.letters)), run_time=0.8)
        yield self._run(2)

    @beat(
        _returned,
        focus="tiles",
    )
    def back(self) -> Steps:
        v = self.values
        yield rewrite_notes(self.tiles, self["notes"], self["note_shares"], run_time=0.2)
        yield frame_notes(self.tiles, role="value", run_time=0.1)
        yield frame_notes(self.tiles, *v.bearers.tolist(), role="query", run_time=0.1)
        yield wear(self.tiles, *range(len(v.letters)), run_time=1.0)
        yield self._run(0)
        if v.is_guessed:
            source = self.tiles.middle(v.goal)
            yield answer(self.tiles, self["riddle.answer"], source, run_time=1.2)

    @beat(CAPTION, rest=REST, focus="tiles")
    def end(self) -> Steps:
        yield self.before.draw(run_time=1.0)

    def _near_goal(self) -> Region:
        """The goal, its note, the letters around it, and the arc over them."""
        v, tiles = self.values, self.tiles
        first, last = max(0, v.goal - 2), min(v.goal + 2, len(v.letters) - 1)
        low = float(tiles.bottom(v.goal)[1]) - tiles.measures.below
        high = float(tiles.top(v.goal)[1]) + _HOP
        return Region(float(tiles.left(first)[0]), low, float(tiles.right(last)[0]), high)

    def _run(self, k: int) -> Moves:
        """Let arcs and bars go to one of the three runs."""
        runs = self["runs"][k]
        bars = [bar.to(runs[at : at + 1]) for at, bar in enumerate(self.bars)]
        return together(self.arcs.to(self["rows"][k]), *bars, run_time=1.4)
