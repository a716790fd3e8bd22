"""One head in detail: its whole pattern, a part as a table and as lines, and where it looks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np
from manim import Create, VGroup, smooth
from numpy.typing import NDArray
from pydantic import Field

from clockhead.model.films.heads.one_head import SEEN, OneHead, one_head
from clockhead.model.heads.patterns import AttentionPatterns
from clockhead.scenes.heads.inputs import (
    First,
    Head,
    Layer,
    ModelInputs,
    load_patterns,
    spoken_places,
)
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.flow import Ribbons
from clockhead.scenes.parts.head_sheet import HeadSheet
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.matrix_layout import TurnedLabel
from clockhead.scenes.parts.scale import Scale
from clockhead.scenes.parts.word_bars import WordBars
from clockhead.scenes.stage import (
    CAPTION,
    REST,
    Derived,
    FadeIn,
    FadeOut,
    Handle,
    Picture,
    Reading,
    Room,
    Size,
    Stage,
    Steps,
    Value,
    beat,
    beside,
    fit,
    said,
    together,
)
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import slide
from clockhead.scenes.style.text import Align, Label, text_width
from clockhead.scenes.style.type import X_HEIGHT

_LINE = 1.2
"""Height of a line of text, in ems."""
_AIR = 0.14
"""Gap between a word and the end of its line, in units."""
_LARGEST, _SMALLEST = 30.0, 18.0
"""Largest and smallest size of words, in pixels at 720p."""
_AXIS, _AXIS_ROOM = 24.0, 0.5
"""Size of the axes' names, in pixels at 720p, and the room for them, in units."""
_SIDE = Size(4.8, 3.0)
"""Least room for the bars with their names, in units."""
_SHARES = Scale(0.0, 1.0, (0.0, 1.0), ".0%")
KIND_SAYS = {
    "previous": "On average, a token gives the one before it {most:.0%}: a previous-token head.",
    "induction": "When a token has stood before, what came after it then gets {most:.0%}: "
    "an induction head.",
    "duplicate": "When a token has stood before, it gets {most:.0%} there: a duplicate-token head.",
    "first": "On average, {most:.0%} goes to the first token, whatever it is.",
    "own": "On average, a token keeps {most:.0%} of its attention on itself.",
    "mixed": "None of these five places gets {clear:.0%} on average. A mixed head.",
}


def large_head(
    data: AttentionPatterns | None,
    text: str,
    moment: int,
    layer: int,
    head: int,
    first: int | None,
    length: int,
) -> OneHead:
    """A head of the data file or of the small transformer, with the part of the text to show."""
    return one_head(load_patterns(data, text, moment), layer, head, first, length)


class WordColumn(Picture):
    """A column of evenly spaced words, aligned at the left or at the right."""

    def __init__(self, words: Value, *, align: Align) -> None:
        super().__init__(words)
        self.align: Align = align
        self.labels: list[Label] = []

    @property
    def state(self) -> NDArray[np.float64]:
        """Empty: words have no numbers to animate."""
        return np.zeros(0)

    def show(self, state: NDArray[np.float64]) -> None:
        """Do nothing: words cannot be interpolated."""

    def place_in(self, region: Region, size: float) -> None:
        """Place the words in a region, with their aligned ends at its edge."""
        self.region = region
        x = region.left if self.align == "left" else region.right
        for k, word in enumerate(self.shown.content):
            y = self.y(k) - X_HEIGHT / 2 * size * PX
            self.labels.append(
                Label(str(word), size=size, align=self.align).put(np.array([x, y, 0.0]))
            )
        self.add(*self.labels)

    def y(self, k: int) -> float:
        """The height of word k's centre on the screen."""
        return self.region.top - (k + 0.5) * self.region.height / len(self.shown.content)

    def end(self, k: int) -> NDArray[np.float64]:
        """Where the lines to word k end."""
        way = -_AIR if self.align == "left" else _AIR
        x = self.region.left if self.align == "left" else self.region.right
        return np.array([x + way, self.y(k), 0.0])

    def readings(self) -> Iterator[Reading]:
        """Compare the word at each height."""
        for label in self.labels:
            if is_visible(label):
                pitch = self.region.height / len(self.shown.content)
                k = round((self.region.top - float(label.middle[1])) / pitch - 0.5)
                yield Reading(self.shown[k], label.text)


class Large(Stage[OneHead]):
    """One head in detail: where every token of a text looks, and what kind of head it is."""

    class Inputs(ModelInputs):
        """Which head, and the text it reads."""

        layer: Layer = 1
        head: Head = 3
        first: First = None
        length: int = Field(12, ge=2, le=16, description="largest number of tokens shown close up")

    title = "Head {layer}.{head}"
    caption = "Head {layer}.{head} in this text: the brighter a cell, the more attention."
    opens = ("sheet", "axes")
    leaves = ("table",)
    handles = (
        Handle("layer", "0:1", beat="looks"),
        Handle("head", "0:3", beat="looks"),
        Handle("moment", (0, 150, 350, 400, 500, 800, 2000), beat="looks"),
    )
    derived = {
        "places": Derived(
            "the names of the five places that heads may look at", lambda _: spoken_places()
        )
    }
    data_files: ClassVar = ("data",)
    compute = large_head

    def layout(self) -> None:
        head = self.values
        self.sheet = HeadSheet(self["whole"], [(head.layer, head.head)], causal=head.is_causal)
        canvas, rim = self.canvas, _AXIS_ROOM
        self.sheet.place(Region(canvas.left + rim, canvas.bottom, canvas.right, canvas.top - rim))
        square = self.sheet.tile((head.layer, head.head))
        across = Label(said("what is looked at"), size=_AXIS, color="muted", align="center")
        across.put(np.array([square.center[0], square.top + 0.15, 0.0]))
        down = TurnedLabel(said("which token looks"), 90.0, size=_AXIS, color="muted")
        down.shift(np.array([square.left - 0.3, square.center[1], 0.0]) - down.middle)
        self.axes = VGroup(across, down)
        cells = self.sheet.lattice((head.layer, head.head))
        n = len(head.askers)
        self.chosen = CellFrame(cells.block(head.first, head.first_key, n, n), "token")
        self.table = Matrix(
            self["part"],
            rows=self["askers"],
            columns=self["keys"],
            low=0.0,
            high=1.0,
            mask=head.hidden,
            least_cell=0.3,
            most_cell=0.9,
            aspect=(1.0, 1.0),
        )
        longest = max(text_width(word, _SMALLEST) for word in (*head.askers, *head.keys))
        high = n * _LINE * _SMALLEST * PX
        room = Room(Size(max(_SIDE.width, 2 * longest + 1.6), max(_SIDE.height, high)))
        self.is_alone = fit(self.canvas, beside(self.table, room, weights=(3, 2)), self.table) == 1
        side = self.canvas if self.is_alone else room.region
        self._make_lines(side)
        self.bars = WordBars(
            self["looks"], self["places"], _SHARES, lying=True, role="attention", spec=".0%",
            grown=False,
        )  # fmt: skip
        fit(side, self.bars)
        self.aside = self.table.get_center()
        self.table.shift(self.canvas.center - self.aside)
        self.looked_for = VGroup(self.bars.chart, self.bars.bars)

    def _make_lines(self, side: Region) -> None:
        """Make two columns of words, queries and keys, with a line for each attention weight."""
        n = len(self.values.askers)
        size = float(np.clip(side.height / n / _LINE / PX, _SMALLEST, _LARGEST))
        while size > _SMALLEST and side.width < 2 * self._longest(size) + 1.6:
            size -= 1
        height = min(side.height, 1.6 * n * _LINE * size * PX)
        longest = self._longest(size)
        width = min(side.width, 2 * longest + 5.0)
        x, y = side.center[:2]
        top, bottom = y + height / 2, y - height / 2
        self.left_words = WordColumn(self["askers"], align="right")
        self.left_words.place_in(Region(x - width / 2, bottom, x - width / 2 + longest, top), size)
        self.right_words = WordColumn(self["keys"], align="left")
        self.right_words.place_in(Region(x + width / 2 - longest, bottom, x + width / 2, top), size)
        self.ribbons = Ribbons(self["part"], self.right_words.end, self.left_words.end, least=SEEN)
        self.ribbons.hide()
        self.ribbons.place()

    def _move_aside(self) -> Steps:
        """Move the table from the middle to the side, if there is something beside it."""
        way = self.aside - self.table.get_center()
        if not self.is_alone and abs(way).max() > PX:
            yield slide(self.table, way)

    def _longest(self, size: float) -> float:
        return max(text_width(word, size) for word in (*self.values.askers, *self.values.keys))

    @beat(
        "Head {layer}.{head} reads {n_tokens} tokens. Each row is a token, and it lights up "
        "what it looks at.",
        rest=REST,
    )
    def whole(self) -> Steps:
        yield self.reading * 0.5
        yield Create(self.chosen)

    @beat(
        lambda head: (
            "Close up: tokens {first} to {last}, which look at tokens {first_key} to {last_key}."
            if head.is_elsewhere
            else "Here are tokens {first} to {last} close up."
            if head.is_part
            else "Here are the tokens beside their rows and over their columns."
        )
    )
    def close_up(self) -> Steps:
        yield together(
            FadeOut(self.sheet, self.axes),
            self.chosen.trace(self.table.lattice.region, rate=smooth),
            run_time=1.0,
        )
        yield together(FadeIn(self.table), FadeOut(self.chosen), run_time=0.8)

    @beat(
        lambda head: (
            "{asker} keeps {weight:.0%} of its attention on itself."
            if head.is_itself
            else "{asker} gives {weight:.0%} of its attention to {asked}."
        ),
        rest=REST,
    )
    def row(self) -> Steps:
        head = self.values
        self.frame_ = self.table.frame_row(head.asks, "query")
        yield Create(self.frame_)
        yield 0.5 * self.frame_.trace(self.table.cell(head.asks, head.target))

    @beat(
        "Now as lines, from each token to what it looks at: the broader, the more.",
        when=lambda head: head.n_lines > 0,
        rest=REST,
    )
    def lines_(self) -> Steps:
        columns = (self.left_words, self.right_words)
        gone = (self.frame_, self.table) if self.is_alone else (self.frame_,)
        yield FadeOut(*gone, run_time=0.5)
        yield from self._move_aside()
        yield FadeIn(*columns, run_time=0.6)
        yield 0.6 * self.ribbons.draw_in()

    @beat(lambda head: KIND_SAYS[head.kind], ask="What does this head look for?", rest=REST)
    def looks(self) -> Steps:
        stay = () if self.is_alone else (self.table,)
        yield self.screen(*stay, run_time=0.5)
        yield from self._move_aside()
        yield FadeIn(self.looked_for, run_time=0.6)
        yield 0.5 * self.bars.bars.grow()

    @beat(CAPTION)
    def end(self) -> Steps:
        if self.is_alone:
            yield self.screen(self.table)
        else:
            yield 0.4
