"""The board of heads: one card per head, one row of cards per layer, layer 0 at the bottom.

A card shows the head's name, its attention pattern, a switch, and room for a result. The readings
of the board check that the pattern and the result on each card are those of the named head, and
that all patterns and coupled pictures match the heads that are switched off.
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
"""Index of a layer, and of a head in it."""
Trials = Mapping[tuple[Head, ...], Value]
"""The value for each set of heads that are switched off."""

_PAD, _GAP = 0.08, 0.16
"""Padding inside a card, and the gap between cards, in units."""
_TITLE_HEIGHT = 0.28
"""Height of the line with the head's name."""
_SIDE_WIDTH = 0.74
"""Width of the switch and the result beside the pattern."""
_CELL, _NAMED_CELL, _MOST_CELL = 0.14, 0.34, 0.62
"""Smallest cell of a pattern without tokens, smallest with tokens, and largest, in units."""
_TEXT = 22.0
"""Size of the text on a card, in pixels at 720p."""
_SWITCH, _RIM = Size(0.5, 0.25), 0.04
"""Size of a switch, and the gap between its knob and its edge."""
_REST = Size(4.4, 1.5)
"""Least room beside the board."""


def pattern_of(stage: Stage, head: Head, *, words: bool = False) -> Matrix:
    """The pattern of a head; with `words`, rows and columns are labelled with the tokens."""
    named, cell = stage["tokens"] if words else None, _NAMED_CELL if words else _CELL
    look: dict[str, Any] = {"low": 0.0, "high": 1.0, "mask": "causal", "aspect": (1.0, 1.0)}
    look |= {"rows": named, "columns": named, "least_cell": cell, "most_cell": _MOST_CELL}
    return Matrix(stage["patterns"][head], **look)


class Switch(VGroup):
    """A small toggle switch, off at 0 and on at 1."""

    def __init__(self) -> None:
        super().__init__()
        self.pill = VMobject(stroke_width=2, fill_opacity=1)
        self.knob = VMobject(stroke_width=0, fill_opacity=1)
        self.add(self.pill, self.knob)

    def turn(self, on: float, middle: NDArray[np.float64] | None = None) -> None:
        """Draw the switch at this position, 0 to 1, around `middle` or where it already is."""
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
    def position(self) -> float:
        """The position of the switch, 0 to 1, measured from where its knob is."""
        way = float(self.knob.get_center()[0] - self.pill.get_center()[0])
        return way / (_SWITCH.width - _SWITCH.height) + 0.5


class HeadCard(VGroup):
    """A head's name, pattern and switch, and a result that the stage fades in later."""

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
        width = max(size.width + _SIDE_WIDTH, self.title.width)
        return Size(width + 2 * _PAD, size.height + _TITLE_HEIGHT + 2 * _PAD)

    def place(self, region: Region) -> None:
        """Fill a region with the card, its switch on."""
        self.region, inner = region, region.inset(_PAD)
        self.box.set_points(rounded(region.width, region.height) + region.center)
        over, inner = inner.cut_top(_TITLE_HEIGHT, 0.0)
        self.title.center_on(over.center)
        edge = inner.right - _SIDE_WIDTH
        self.pattern.place(Region(inner.left, inner.bottom, edge, inner.top))
        upper, lower = Region(edge, inner.bottom, inner.right, inner.top).cut_top(
            inner.height / 2, 0.0
        )
        self.switch.turn(1.0, upper.center)
        if self.result:
            self.result.place(lower)

    def note(self, *, run_time: float = 0.5) -> FadeIn:
        """Fade in the result."""
        assert self.result is not None
        return FadeIn(self.result, run_time=run_time)

    @property
    def named_head(self) -> Head:
        """The head whose name is written on it."""
        layer, head = map(int, re.findall(r"\d+", self.title.text))
        return layer, head


class HeadBoard(Picture):
    """A card for each head; with `words`, the patterns are labelled with the tokens.

    Each layer is a row, or a column if the board is `tall`; `short` shortens the heads' names.
    `results` is the fact path of the results per head, (L, h), and their number format.
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
        """Centre the cards in a region."""
        self._grid.place(region)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw these patterns, (L, h, T, T), on the cards."""
        for head, card in self.cards.items():
            card.pattern.shown = self.shown[head]
            card.pattern.show(state[head])

    def trials(self, usual: Value, each: Value, none: Value) -> Trials:
        """Key the values by the heads that are off: no head, each single head, all heads.

        Args:
            usual: the value with all heads on
            each: the values with one head off, (L, h, ...)
            none: the value with all heads off
        """
        singles: dict[tuple[Head, ...], Value] = {(head,): each[head] for head in self.cards}
        return {(): usual, **singles, tuple(self.cards): none}

    def couple(self, picture: Picture, values: Trials) -> None:
        """Show these values in a picture as heads are switched; readings check that it does."""
        self._coupled.append((picture, values))

    def flip(self, *off: Head, run_time: float = 0.5) -> tuple[Drive, ...]:
        """Switch these heads off and all others on, and animate the coupled pictures."""
        switches = [card.switch for card in self.cards.values()]
        start = np.array([switch.position for switch in switches])
        end = np.array([float(head not in off) for head in self.cards])

        def show(now: NDArray[np.float64]) -> None:
            for switch, on in zip(switches, now, strict=True):
                switch.turn(float(on))

        ways = (each.to(values[off], run_time=run_time) for each, values in self._coupled)
        return Drive(self, show, start, end, run_time=run_time), *ways

    @property
    def heads_off(self) -> tuple[Head, ...] | None:
        """The heads that are off according to their switches; None while a switch is moving."""
        on = [card.switch.position for card in self.cards.values()]
        if any(0.05 < share < 0.95 for share in on):
            return None
        cards = self.cards.values()
        return tuple(card.named_head for card, share in zip(cards, on, strict=True) if share < 0.5)

    def readings(self) -> Iterator[Reading]:
        """Compare each card with the head named on it, and coupled pictures with the switches."""
        for card in self.cards.values():
            if is_visible(card.title):
                for i, j in np.ndindex(card.pattern.table.shape):
                    says = float(card.pattern.table[i, j])
                    yield Reading(self.shown[(*card.named_head, i, j)], says)
                if self._found and card.result:
                    yield Reading(self._found[card.named_head], card.result.number.value)
        if (off := self.heads_off) is None:
            return
        for picture, values in self._coupled:
            if isinstance(picture.shown, Value):
                known, meant = off in values, values.get(off, picture.shown)
                for place in np.ndindex(picture.state.shape):
                    says = float(picture.state[place])
                    yield Reading(meant[place], says if known else "shown with other heads off")


def place_board(
    stage: Stage,
    least: Size = _REST,
    *,
    words: bool = True,
    narrow: Size | None = None,
    **options: Any,
) -> tuple[HeadBoard, Region]:
    """The board, placed as in every shot of the film, and the region left beside it.

    With `words`, the patterns are labelled with tokens if there is room for them. If the canvas is
    too small for the board and the room `least`, the room `narrow` is tried, with short names.
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
