"""The heads board: a card for every head, a row of cards for each layer, the first at the foot.

A card has the small pattern of its head under its name; beside it are a switch and room for a
result. The board is read back: the pattern and the result under a name must be those of this head,
and patterns and all coupled pictures must belong to the heads that are off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.table import steady
from clockhead.scenes.parts.tile import Box, rounded
from clockhead.scenes.stage import (
    Column,
    Picture,
    Reading,
    Room,
    Row,
    Size,
    Stage,
    Value,
    beside,
    fit,
)
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, FadeIn
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import mix, theme

Head = tuple[int, int]
"""A layer and a head of it."""
Trials = Mapping[tuple[Head, ...], Value]
"""Values by the heads that are off."""

_PAD, _BAND, _ASIDE, _GAP = 0.08, 0.28, 0.74, 0.16
"""Around what is on a card, the height of a line, the width beside a pattern; between cards."""
_CELL, _NAMED_CELL, _MOST_CELL = 0.14, 0.34, 0.62
"""How large cells are at least, and where words stand at them; and at most."""
_TEXT = 22.0
"""The size of what is written on a card, in pixels at 720p."""
_SWITCH, _RIM = Size(0.5, 0.25), 0.04
_REST = Size(4.4, 1.5)
"""The least room for all that is not the board."""


def pattern_of(stage: Stage, head: Head, *, words: bool = False) -> Matrix:
    """The pattern of a head; with `words` the tokens stand beside its rows and over its columns."""
    named, cell = stage["tokens"] if words else None, _NAMED_CELL if words else _CELL
    look: dict[str, Any] = {"low": 0.0, "high": 1.0, "mask": "causal", "aspect": (1.0, 1.0)}
    look |= {"rows": named, "columns": named, "least_cell": cell, "most_cell": _MOST_CELL}
    return Matrix(stage["patterns"][head], **look)


class Switch(VGroup):
    """A small switch, `on` from 0 to 1."""

    def __init__(self) -> None:
        super().__init__()
        self.pill = VMobject(stroke_width=2, fill_opacity=1)
        self.knob = VMobject(stroke_width=0, fill_opacity=1)
        self.add(self.pill, self.knob)

    def turn(self, on: float, middle: NDArray[np.float64] | None = None) -> None:
        """Draw it this far on, around a point; without one, where it is."""
        look = theme()
        middle = self.pill.get_center() if middle is None else middle
        width, height = _SWITCH.width, _SWITCH.height
        side, way = height - 2 * _RIM, (on - 0.5) * (width - height)
        self.pill.set_points(rounded(width, height, height / 2) + middle)
        self.knob.set_points(rounded(side, side, side / 2) + middle + [way, 0.0, 0.0])
        lit = mix(look.panel, look.attention, 0.75)
        self.pill.set_fill(mix(look.ground, lit, on)).set_stroke(mix(look.muted, lit, on))
        self.knob.set_fill(mix(look.muted, look.ink_on(lit), on))

    @property
    def reads(self) -> float:
        """How far it is on, 0 to 1, from the place of its knob."""
        way = float(self.knob.get_center()[0] - self.pill.get_center()[0])
        return way / (_SWITCH.width - _SWITCH.height) + 0.5


class HeadCard(VGroup):
    """The pattern of a head under its name, with a switch, and a result that a stage brings in."""

    def __init__(
        self, pattern: Matrix, head: Head, result: Figure | None, *, short: bool = False
    ) -> None:
        super().__init__()
        self.pattern, self.result, look = pattern, result, theme()
        self.box = Box().set_fill(look.panel, 1).set_stroke(look.hairline, 2).set_z_index(-1)
        name = f"L{head[0]} H{head[1]}" if short else f"layer {head[0]}, head {head[1]}"
        self.title = Label(name, size=_TEXT, color="muted", align="center")
        self.switch = Switch()
        self.add(self.box, self.title, pattern, self.switch)

    @property
    def least(self) -> Size:
        return self._around(self.pattern.least)

    @property
    def most(self) -> Size:
        return self._around(self.pattern.most)

    def _around(self, size: Size) -> Size:
        width = max(size.width + _ASIDE, self.title.width)
        return Size(width + 2 * _PAD, size.height + _BAND + 2 * _PAD)

    def place(self, region: Region) -> None:
        """Fill a region."""
        self.region, inner = region, region.inset(_PAD)
        self.box.set_points(rounded(region.width, region.height) + region.center)
        over, inner = inner.cut_top(_BAND, 0.0)
        self.title.center_on(over.center)
        edge = inner.right - _ASIDE
        self.pattern.place(Region(inner.left, inner.bottom, edge, inner.top))
        upper, lower = Region(edge, inner.bottom, inner.right, inner.top).cut_top(
            inner.height / 2, 0.0
        )
        self.switch.turn(1.0, upper.center)
        if self.result:
            self.result.place(lower)

    def note(self, *, run_time: float = 0.5) -> FadeIn:
        """Write the result on it."""
        assert self.result is not None
        return FadeIn(self.result, run_time=run_time)

    @property
    def named(self) -> Head:
        """The head whose name is written on it."""
        layer, head = map(int, re.findall(r"\d+", self.title.text))
        return layer, head


class HeadBoard(Picture):
    """A card for each head; `words` stand at their patterns, if there are to be any.

    Layers are rows, or columns if the board is `tall`; names may be `short`.
    `results` is the path of what is found out about each head, (L, h), and its format.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        words: bool,
        tall: bool = False,
        short: bool = False,
        results: tuple[str, str] | None = None,
    ) -> None:
        super().__init__(stage["patterns"])
        path, spec = results or ("", "")
        self._found = stage[path] if path else None
        self.cards: dict[Head, HeadCard] = {}
        for head in np.ndindex(self.state.shape[:2]):
            found = Figure(self._found[head], spec, size=_TEXT) if self._found else None
            pattern = pattern_of(stage, head, words=words)
            self.cards[head] = HeadCard(pattern, head, found, short=short)
        self._coupled: list[tuple[Picture, Trials]] = []
        passes = (stage[path] for path in ("patterns", "silenced_patterns", "off_patterns"))
        self.couple(self, self.trials(*passes))
        across, along = (Row, Column) if tall else (Column, Row)
        layers = [
            along(*(card for head, card in self.cards.items() if head[0] == layer), gap=_GAP)
            for layer in range(len(self.state))
        ]
        self._grid = across(*(layers if tall else reversed(layers)), gap=_GAP)
        self.add(*self.cards.values())

    @property
    def least(self) -> Size:
        return self._grid.least

    @property
    def most(self) -> Size:
        return self._grid.most

    def place(self, region: Region) -> None:
        """Stand in the middle of a region."""
        self._grid.place(region)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw other patterns, (L, h, T, T), on the cards."""
        for head, card in self.cards.items():
            card.pattern.shown = self.shown[head]
            card.pattern.show(state[head])

    def trials(self, usual: Value, each: Value, none: Value) -> Trials:
        """Values with all heads on, with each single one off, (L, h, ...), and with all off."""
        singles: dict[tuple[Head, ...], Value] = {(head,): each[head] for head in self.cards}
        return {(): usual, **singles, tuple(self.cards): none}

    def couple(self, picture: Picture, values: Trials) -> None:
        """Let a picture follow the switches; it is read back by the heads that are off."""
        self._coupled.append((picture, values))

    def flip(self, *off: Head, run_time: float = 0.5) -> tuple[Drive, ...]:
        """Switch these heads off and all others on; coupled pictures follow."""
        switches = [card.switch for card in self.cards.values()]
        start = np.array([switch.reads for switch in switches])
        end = np.array([float(head not in off) for head in self.cards])

        def show(now: NDArray[np.float64]) -> None:
            for switch, on in zip(switches, now, strict=True):
                switch.turn(float(on))

        ways = (each.to(values[off], run_time=run_time) for each, values in self._coupled)
        return Drive(self, show, start, end, run_time=run_time), *ways

    @property
    def off(self) -> tuple[Head, ...] | None:
        """The heads that are off, as their switches stand; None while one of them turns."""
        on = [card.switch.reads for card in self.cards.values()]
        if any(0.05 < share < 0.95 for share in on):
            return None
        cards = self.cards.values()
        return tuple(card.named for card, share in zip(cards, on, strict=True) if share < 0.5)

    def readings(self) -> Iterator[Reading]:
        """Each pattern and result, for the head at whose name it stands, and what is coupled."""
        for card in self.cards.values():
            if is_visible(card.title):
                for i, j in np.ndindex(card.pattern.table.shape):
                    says = float(card.pattern.table[i, j])
                    yield Reading(self.shown[(*card.named, i, j)], says)
                if self._found and card.result:
                    yield Reading(self._found[card.named], card.result.number.value)
        if (off := self.off) is None:
            return
        for picture, values in self._coupled:
            if isinstance(picture.shown, Value):
                known, meant = off in values, values.get(off, picture.shown)
                for place in np.ndindex(picture.state.shape):
                    says = float(picture.state[place])
                    yield Reading(meant[place], says if known else "shown with other heads off")


def beside_board(
    stage: Stage,
    least: Size = _REST,
    *,
    words: bool = True,
    narrow: Size | None = None,
    **options: Any,
) -> tuple[HeadBoard, Region]:
    """The board, placed as in every shot of the film, and what is left of the canvas.

    It has words at its patterns where there is room for them, if it may. Where the canvas is too
    small for the board and the `least` room, `narrow` room is left beside it.
    """
    looks: list[dict[str, Any]] = [{"words": True}] * words + [{"words": False}]
    sizes = [least] * len(looks)
    if narrow is not None:
        looks += [{"words": False, "tall": tall, "short": True} for tall in (False, True)]
        sizes += [narrow, narrow]
    boards, rooms = [HeadBoard(stage, **look, **options) for look in looks], [*map(Room, sizes)]
    ways = [
        Row(board, room) if look.get("short") else beside(board, room)
        for look, board, room in zip(looks, boards, rooms, strict=True)
    ]
    chosen = fit(steady(stage.canvas), *ways)
    return boards[chosen], rooms[chosen].region
