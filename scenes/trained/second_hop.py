"""The second hop: a head finds a letter by notes that other heads have written into its key."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Animation, VGroup
from pydantic import Field

from clockhead.model.films.trained.second_hop import SecondHop as Hop
from clockhead.model.films.trained.second_hop import second_hop
from clockhead.scenes.induction.arcs import Arcs
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.cell_outlines import CellFrame
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
    FadeOut,
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
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Moves
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import Role
from clockhead.scenes.trained.inputs import MOMENTS, OTHER_TEXTS, TrainedMoment

_LETTERS = 84.0
"""Size of the letters on tiles, in pixels."""
_NOTES = 42.0
"""Size of the letters of notes, in pixels."""
_NAMES = 34.0
"""Size of words at bars, in pixels."""
_SMALL_NOTES = 30.0
"""Size of notes and of words at bars when space is tight, in pixels."""
_WIDE = 9.0
"""Canvas width from which on the tiles are in one line, in units."""
_TILE = 0.6
"""Width that each tile needs on a line, in units."""
_HIGH = 7.0
"""A canvas that is lower than this has little room for two lines, in units."""
_OVER = 1.45
"""Space for arcs above a single line of tiles, in units."""
_OVER_LINES = 0.55
"""Space for arcs above several lines of tiles, in units."""
_GUTTER = 1.5
"""Vertical gap between the two lines of tiles, in units."""
_SMALL_GUTTER = 0.5
"""The gap used when space is tight."""
_HOP = 0.75
"""Space for an arc to the next letter, in units."""


def _query_sentence(v: Hop) -> str:
    if v.is_found:
        return (
            "The last “{riddle.last}” asks: head {reader_name} gives “{riddle.answer}” "
            "{share:.0%} of its attention."
        )
    return (
        "The last “{riddle.last}” asks: head {reader_name} gives “{riddle.answer}” "
        "only {share:.1%} of its attention."
    )


def _why_question(v: Hop) -> str:
    if v.is_found:
        return "Why “{riddle.answer}”, and not the “{riddle.last}” before it?"
    return "What could lead it to “{riddle.answer}”?"


def _remainder_sentence(v: Hop) -> str:
    if v.share_without >= v.share:
        return "No less: {share_without:.0%}. It must go by something else."
    if v.share_without >= v.share / 2:
        return "Still {share_without:.0%}. It must go by something else as well."
    return "Only {share_without:.0%}: without these notes, it hardly finds “{riddle.answer}”."


def _other_sentence(v: Hop) -> str:
    note = "Head {other_name} left notes, too: under “{riddle.answer}”, “{other_note}”."
    if v.is_before_last:
        return f"{note} Before the last “{{riddle.last}}” stands “{{other_note}}”, too."
    return note


def _without_both_sentence(v: Hop) -> str:
    if v.is_gone:
        return (
            "Without these as well, “{riddle.answer}” gets {share_without_both:.1%}, and "
            "“{instead}” gets most."
        )
    return "Without these as well, “{riddle.answer}” gets {share_without_both:.1%}."


def _answer_sentence(v: Hop) -> str:
    if v.is_found and v.is_guessed:
        return "Put all of them back: “{riddle.answer}” is found and copied, and gets {guess:.0%}."
    if v.is_guessed:
        return "Put all of them back: with the other heads, “{riddle.answer}” gets {guess:.0%}."
    return "Put all of them back: “{riddle.answer}” gets {guess:.1%}, and “{top}” more."


def _ending_sentence(v: Hop) -> str:
    if not v.is_found or not v.is_guessed:
        return said("Here, the two hops do not lead to the answer.")
    if v.share_without_both >= v.share / 2:
        return said("Here, this head goes by more than these two notes.")
    return said(
        "One layer leaves notes, the next reads them, as in the circuit that we set by hand."
    )


class SecondHop(Stage[Hop]):
    """The second hop: a head finds a letter by notes that other heads have written into its key."""

    class Inputs(TrainedMoment):
        reader: int | None = Field(
            None,
            ge=0,
            le=3,
            description="head of layer 1 that reads the notes; default: the one that finds most",
        )

    title = "The second hop"
    caption = "{ending}"
    opens = ("tiles",)
    leaves = ("tiles",)
    crosses = dict.fromkeys(("other", "back"), "notes come out from under their letters")
    derived = {
        "ending": Derived(
            "whether the two hops lead to the answer, and by which notes", _ending_sentence
        )
    }
    handles = (
        Handle("text", OTHER_TEXTS),
        Handle("moment", MOMENTS),
        Handle("reader", "0:3"),
    )

    compute = second_hop

    def layout(self) -> None:
        v = self.values
        width = max(_WIDE, _TILE * (len(v.letters) + 1))
        lines = 1 if self.canvas.width > width else 2
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
            gutter=_SMALL_GUTTER if is_small else _GUTTER,
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
        self.names = [self._name(name) for name in (v.writer_name, v.other_name)]
        asks = self.tiles.top(v.asks) + np.array([0.6 * self.tiles.tiles[0].box.width, 0.36, 0.0])
        self.reader = Label(v.reader_name, size=_NAMES, weight="semibold", color="attention")
        self.reader.put(asks).set_fill(opacity=float(lines == 1))  # otherwise arcs pass there
        self.before = Arcs(self["written"], self.tiles, v.goal)

    @beat(_query_sentence, focus=("tiles", "arcs"))
    def asks(self) -> Steps:
        yield paint(self.tiles, self.values.asks, "query")
        self.add(self.arcs, self.tiles)  # between lines, arcs pass behind the tiles
        yield self.arcs.draw(run_time=1.4), FadeIn(self.reader)
        yield paint(self.tiles, self.values.goal, "attention"), FadeIn(self.chart)
        yield together(*(bar.grow() for bar in self.bars), run_time=1.2)

    @beat(
        "Head {writer_name} came first. From “{riddle.answer}”, it looked at the letter before, "
        "and left a note: “{riddle.last}”.",
        ask=_why_question,
        focus="tiles",
    )
    def note(self) -> Steps:
        v = self.values
        yield (
            FadeOut(self.reader),
            self.arcs.draw_back(),
            self.look_at(self._goal_region(), closest=2.0, run_time=1.2),
        )
        yield self.before.draw(run_time=1.0)
        yield open_slots(self.tiles, v.goal, run_time=0.6)
        yield wear(self.tiles, v.goal, source=self.tiles.middle(v.before_goal), run_time=1.2)

    @beat("It has left a note under every letter, as full as its attention.", focus="tiles")
    def notes_(self) -> Steps:
        v = self.values
        others = [k for k in range(len(v.letters)) if k != v.goal]
        yield self.look_back(), self.before.draw_back()
        yield open_slots(self.tiles, *others, run_time=0.8)
        sources = np.array([self.tiles.middle(max(k - 1, 0)) for k in others])
        yield wear(self.tiles, *others, source=sources, run_time=1.3), FadeIn(self.names[0])

    @beat(
        "Head {reader_name} looks for a note that says what the last letter is: “{riddle.last}”.",
        focus="tiles",
    )
    def look_(self) -> Steps:
        v = self.values
        last = min(int(v.bearers[0]), v.asks - 1)
        notes = [self._note_region(k) for k in range(v.asks - 1, last - 1, -1)]
        letter = Region.around(self.tiles.tiles[v.asks].box.points)
        frame = CellFrame(letter, "query", 5.0)
        yield FadeIn(frame, run_time=0.4)
        yield frame.trace(self._note_region(v.asks), *notes, run_time=max(2.4, self.reading - 2.4))
        yield frame_notes(self.tiles, *v.bearers.tolist(), role="query", run_time=0.4)
        yield FadeOut(frame, run_time=0.4)

    @beat(
        ask="Hide these notes from head {reader_name}. What is left of the {share:.0%}?",
        focus=("tiles", "arcs"),
    )
    def take_out(self) -> Steps:
        yield self.arcs.draw(run_time=0.8), FadeIn(self.reader)
        yield self._hide_notes(0), self.arcs.to(self["rows"][1], run_time=1.4), *self._move_bars(1)

    @beat(_remainder_sentence, focus=("tiles", "arcs"))
    def without(self) -> Steps:
        yield 0.1

    @beat(_other_sentence, focus="tiles")
    def other_(self) -> Steps:
        yield frame_notes(self.tiles, role="value", run_time=0.1)
        yield rewrite_notes(self.tiles, self["other_notes"], self["other_shares"], run_time=0.2)
        yield self._show_notes(1, run_time=1.8)
        yield frame_notes(self.tiles, self.values.goal, role="query")
        if self.values.is_before_last:
            yield paint(self.tiles, [self.values.asks - 1, self.values.asks], "query")

    @beat(_without_both_sentence, focus=("tiles", "arcs"))
    def gone(self) -> Steps:
        if self.values.is_before_last:
            yield paint(self.tiles, self.values.asks - 1, None)
        yield self._hide_notes(1), self.arcs.to(self["rows"][2], run_time=1.4), *self._move_bars(2)

    @beat(_answer_sentence, focus="tiles")
    def back(self) -> Steps:
        v = self.values
        yield self._show_notes(1), self.arcs.to(self["rows"][1], run_time=1.4), *self._move_bars(1)
        yield (
            rewrite_notes(self.tiles, self["notes"], self["note_shares"], run_time=0.8),
            FadeOut(self.names[1], run_time=0.8),
        )
        yield frame_notes(self.tiles, role="value", run_time=0.1)
        yield frame_notes(self.tiles, *v.bearers.tolist(), role="query", run_time=0.1)
        yield (
            FadeIn(self.names[0], run_time=1.4),
            self.arcs.to(self["rows"][0], run_time=1.4),
            *self._move_bars(0),
        )
        if v.is_guessed:
            source = self.tiles.middle(v.goal)
            yield answer(self.tiles, self["riddle.answer"], source, run_time=1.2)

    @beat(CAPTION, rest=REST, focus="tiles")
    def end(self) -> Steps:
        yield self.arcs.draw_back(run_time=0.6)
        yield self.before.draw(run_time=1.2)
        yield self.arcs.draw(run_time=1.4)

    def _name(self, name: str) -> Label:
        """The name of the head that wrote the notes, left of the first one if there is room."""
        note = self.tiles.tiles[0].note
        assert note is not None
        x, y, _ = note.frame.get_left()
        label = Label(name, size=_NAMES, weight="semibold", color="value", align="right")
        has_room = x - label.width - 0.2 > self.canvas.left
        label.put(np.array([x - 0.2, y - 0.3 * _NAMES * PX, 0.0]))
        return label if has_room else label.set_fill(opacity=0.0)

    def _note_region(self, k: int) -> Region:
        """The region of the note under a letter."""
        note = self.tiles.tiles[k].note
        assert note is not None
        return Region.around(note.frame.points)

    def _goal_region(self) -> Region:
        """The region around the goal, with its note, its neighbours, and the arc over them."""
        v, tiles = self.values, self.tiles
        first, last = max(0, v.goal - 2), min(v.goal + 2, len(v.letters) - 1)
        low = float(tiles.bottom(v.goal)[1]) - tiles.measures.below
        high = float(tiles.top(v.goal)[1]) + _HOP
        return Region(float(tiles.left(first)[0]), low, float(tiles.right(last)[0]), high)

    def _show_notes(self, k: int, run_time: float = 1.4) -> Moves:
        """Show all notes, and the name of the head that wrote them."""
        return together(
            wear(self.tiles, *self._letter_range), FadeIn(self.names[k]), run_time=run_time
        )

    def _hide_notes(self, k: int) -> Moves:
        """Hide all notes, and the name of the head that wrote them."""
        gone = take_off(self.tiles, *self._letter_range)
        return together(gone, FadeOut(self.names[k]), run_time=1.4)

    @property
    def _letter_range(self) -> range:
        return range(len(self.values.letters))

    def _move_bars(self, k: int) -> list[Animation]:
        """Animate the bars to one of the three runs."""
        runs = self["runs"][k]
        return [bar.to(runs[at : at + 1], run_time=1.4) for at, bar in enumerate(self.bars)]
