"""A text as tiles, in one or more lines, or at given points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Self

import numpy as np
from manim import DOWN, RIGHT, UP, linear, smooth
from numpy.typing import NDArray

from clockhead.scenes.parts.strip_lines import (
    LINE_GAP,
    Lines,
    TileMeasures,
    as_points,
    reading_order,
    states_at,
)
from clockhead.scenes.parts.tile import NOTE_SIZE, Note, Paint, Tile
from clockhead.scenes.stage import Picture, Reading, Size, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.stage.ways import plan_ways
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Gesture, stay
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.text import Align, Number
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import LABEL, MIN_SIZE

Points = Sequence[Sequence[float]] | NDArray[np.float64]
Show = Callable[[float], None]


class Strip(Picture):
    """Tokens as tiles. An empty word is a blank tile.

    `after` are words that can be typed after the tokens, each a value of its own; with `wonder`, a
    dashed "?" follows them. The last `hidden` tiles (default: all of these) are hidden until
    `type_in` or `ask_next`. `positions` numbers the tiles: True by index, or by the integers of a
    value. `notes` are words that can be shown below the tiles, or behind them with `aside`;
    `shares` says how full each note is, and `slots` reserves room for notes that are not given.
    With `boxes=False`, tiles are plain labels, with their aligned ends at the given points.
    `gutter` is the gap between two lines, in units; `note_size` and `number_size` are the largest
    size of notes and the size of numbers, in pixels.
    """

    def __init__(
        self,
        tokens: Value,
        *,
        after: Sequence[Value] = (),
        wonder: bool = False,
        hidden: int | None = None,
        positions: bool | Value = False,
        beside: bool = False,
        notes: Value | None = None,
        shares: Value | None = None,
        slots: bool = False,
        aside: bool = False,
        boxes: bool = True,
        align: Align = "center",
        size: float = LABEL,
        lines: int | None = None,
        gutter: float = LINE_GAP,
        note_size: float = NOTE_SIZE,
        number_size: float = MIN_SIZE,
    ) -> None:
        super().__init__(tokens)
        self.after, self._wonder, self._lines = list(after), wonder, lines
        self.boxed, self._align, self._numbers = boxes, align, positions
        n = len(tokens) + len(self.after) + wonder
        self.n_shown = n - (len(self.after) + wonder if hidden is None else hidden)
        words = (*tokens.content, *(value.content for value in self.after), *["?"] * wonder)
        beneath: tuple[str, ...] = tuple(notes.content) if notes is not None else ("",) * n * slots
        numbered = positions is not False
        self.measures = TileMeasures(
            words, beneath, max(size, MIN_SIZE), numbered, beside, boxes, aside, gutter,
            note_size, number_size,
        )  # fmt: skip
        self.tiles = [self._tile(k, word, beneath) for k, word in enumerate(words)]
        self.order = list(range(n))
        self.moving: set[int] = set()
        self.answer_value: Value | None = None
        self.caret = Shape(stroke_width=0, fill_color=theme().ink, fill_opacity=0)
        self.readers = [NoteWords(notes, self)] if notes is not None else []
        self.fills = NoteFills(shares, self) if shares is not None else None
        self.placed = False
        self.layout: Lines | None = None
        self.ranks: list[int] = []

    # Position

    @property
    def least(self) -> Size:
        n_lines = self.measures.n_lines(self._lines)
        return self.measures.block(n_lines, -(-len(self.tiles) // n_lines), MIN_SIZE)

    @property
    def most(self) -> Size:
        n, n_lines = len(self.tiles), self.measures.n_lines(self._lines)
        broad = self.measures.block(self._lines or 1, -(-n // (self._lines or 1)), self.size)
        high = self.measures.block(n_lines, -(-n // n_lines), self.size)
        return Size(broad.width, max(broad.height, high.height))

    @property
    def size(self) -> float:
        """The largest size of its letters, in pixels."""
        return self.measures.size

    @property
    def least_lane(self) -> Size:
        """The smallest lanes in which its tiles are legible side by side, or one below another."""
        block = self.measures.block(2, 2, MIN_SIZE)
        one = self.measures.block(1, 1, MIN_SIZE)
        return Size(block.width - one.width, block.height - one.height)

    def place(self, region: Region) -> None:
        """Fill a region, with as many lines as needed."""
        self.layout = Lines.filling(region, self.measures, self._lines)
        self._draw(self._pad_states(self.layout.states(max(self.n_shown, 1))))

    def place_at(self, points: Points, box: tuple[float, float] | None = None) -> Self:
        """Place the tiles at middles, in boxes of a given size or as large as fit."""
        self.layout = None
        self._draw(self._pad_states(self.states_on(points, box)))
        return self

    def states_on(self, points: Points, box: tuple[float, float] | None) -> NDArray[np.float64]:
        """States of tiles, (n, 5), with middles (plain labels: aligned ends) at points."""
        states = states_at(as_points(points), self.measures, box)
        if not self.boxed and self._align != "center":
            states[:, 0] += (0.5 if self._align == "left" else -0.5) * states[:, 2]
        return states

    def middle(self, k: int) -> NDArray[np.float64]:
        """The middle of tile k."""
        return self.tiles[k].middle

    def top(self, k: int) -> NDArray[np.float64]:
        """The middle of its upper edge."""
        return self._edge(k, UP)

    def bottom(self, k: int) -> NDArray[np.float64]:
        """The middle of its lower edge; notes and numbers are below it."""
        return self._edge(k, DOWN)

    def left(self, k: int) -> NDArray[np.float64]:
        """The middle of its left edge."""
        return self._edge(k, -RIGHT)

    def right(self, k: int) -> NDArray[np.float64]:
        """The middle of its right edge."""
        return self._edge(k, RIGHT)

    def copy_of(self, k: int) -> Tile:
        """A copy of tile k, which a stage can move independently."""
        tile = Tile(self.tiles[k].label.text, boxed=self.boxed)
        tile.draw(self.tiles[k].state)
        tile.look = self.tiles[k].look
        tile.dress()
        return tile

    # Motion

    def glide(self, places: Sequence[int], goals: NDArray[np.float64]) -> Show:
        """A function that moves tiles to their goals; hidden tiles wait at the last one."""
        starts = [self.tiles[k].state for k in places]
        self.moving |= set(places)
        waiting = np.repeat(goals[-1:], len(self.tiles) - len(goals), axis=0)
        self.rank(np.vstack([goals, waiting]))

        def at(share: float) -> None:
            for k, start, goal in zip(places, starts, goals, strict=True):
                self.tiles[k].draw(goal if share >= 1 else start + (goal - start) * share)

        return at

    def make_room(self, k: int) -> tuple[Show, NDArray[np.float64]]:
        """A function that moves other tiles out of the way of tile k, and tile k's state."""
        if not self.placed:
            return stay, np.ones(5)
        self.n_shown = max(self.n_shown, k + 1)
        if self.layout is None:
            return stay, self.tiles[k].state
        goals = self.layout.states(self.n_shown)
        glide = self.glide(range(k), goals[:k])
        self.rank(np.vstack([goals, np.repeat(goals[-1:], len(self.tiles) - len(goals), axis=0)]))
        return glide, goals[k]

    # Readings

    @property
    def state(self) -> NDArray[np.float64]:
        """Empty, because a text has no numbers."""
        return np.zeros(0)

    def set_to(self, value: Value) -> None:
        """Write other tokens into the tiles, without an animation."""
        self.shown = value
        self.order[: len(value)] = range(len(value))
        for tile, word in zip(self.tiles, value.content, strict=False):
            state = tile.state
            tile.label.text = word
            tile.label.clear_points()
            tile.draw(state)

    def show(self, state: NDArray[np.float64]) -> None:
        """Do nothing: a text has no intermediate values."""

    def readings(self) -> Iterator[Reading]:
        """The word in every box, and the number at every tile."""
        if not self.placed:
            return
        still = [tile for k, tile in enumerate(self.tiles) if k not in self.moving]
        labels = [tile.label for tile in still if is_visible(tile.label)]
        words = [(label.text, label.middle) for label in labels if label.has_points()]
        for place, tile in self.settled():
            meant = self.meant(place)
            low, high = tile.corners
            inside = (text for text, at in words if ((low <= at) & (at <= high))[:2].all())
            word = " ".join(inside)
            if meant is not None and (word or (not meant.content and tile.present)):
                yield Reading(meant, word)
        yield from self._number_readings()

    def settled(self) -> list[tuple[int, Tile]]:
        """The visible tiles that are not moving, with their indices in reading order."""
        still = [k for k, tile in enumerate(self.tiles) if k not in self.moving and tile.present]
        if not still:
            return []
        middles = np.array([self.tiles[k].middle for k in still])
        read = reading_order(middles, self.tiles[still[0]].box.height)
        places = [place for place in self.ranks if place in still]
        return [(place, self.tiles[still[k]]) for place, k in zip(places, read, strict=True)]

    def meant(self, place: int) -> Value | None:
        """The value of the word at a place; None for "?"."""
        token, tokens = self.order[place], self.shown
        if not isinstance(tokens, Value):
            return None
        if token < len(tokens):
            return tokens[token]
        if token < len(tokens) + len(self.after):
            return self.after[token - len(tokens)]
        return self.answer_value

    def _number_readings(self) -> Iterator[Reading]:
        settled = self.settled()
        spots = np.array([tile.number_spot for _, tile in settled])
        for k, tile in enumerate(self.tiles):
            number = tile.number
            if k in self.moving or not settled or number is None or not is_visible(number):
                continue
            nearest = np.linalg.norm(spots - number.anchor, axis=1).argmin()
            place = settled[int(nearest)][0]
            if isinstance(self._numbers, Value):
                if place < len(self._numbers):
                    yield Reading(self._numbers[place], float(number.text), 0.0)
            elif (meant := self.meant(place)) is not None:
                word = meant.content
                says = word if number.text == str(place) else f"{word} at {number.text}"
                yield Reading(meant, says)

    # Construction

    def _tile(self, k: int, word: str, beneath: Sequence[str]) -> Tile:
        number = None
        known = self._numbers is True or (
            isinstance(self._numbers, Value) and k < len(self._numbers)
        )
        dashed = self._wonder and k == len(self.measures.words) - 1
        if known and not dashed:
            at = float(self._numbers[k].content) if isinstance(self._numbers, Value) else k
            side: Align = "right" if self.measures.beside else "center"
            size = self.measures.number_size
            number = Number(at, ".0f", size=size, align=side, unit=None)
        return Tile(
            word,
            boxed=self.boxed,
            dashed=dashed,
            align=self._align,
            number=number,
            beside=self.measures.beside,
            note=Note(beneath[k], self.measures.note_size) if k < len(beneath) else None,
            aside=self.measures.aside,
        )

    def _pad_states(self, states: NDArray[np.float64]) -> NDArray[np.float64]:
        """States for all tiles: hidden ones have the state of the last visible one."""
        missing = len(self.tiles) - len(states)
        return np.vstack([states, np.repeat(states[-1:], max(missing, 0), axis=0)])

    def _draw(self, states: NDArray[np.float64]) -> None:
        for k, (tile, state) in enumerate(zip(self.tiles, states, strict=True)):
            tile.draw(state)
            tile.present = float(k < self.n_shown)
            tile.dress()
        self.rank(states)
        self.placed = True
        readers = [*self.readers, *([self.fills] if self.fills is not None else [])]
        self.submobjects = []
        self.add(*readers, *self.tiles, self.caret)
        if self.fills is not None:
            self.fills.show(self.fills.state)

    def rank(self, states: NDArray[np.float64]) -> None:
        """Record the reading order of tiles in these states."""
        self.ranks = reading_order(states, float(states[0, 3]))

    def _edge(self, k: int, side: NDArray[np.float64]) -> NDArray[np.float64]:
        low, high = self.tiles[k].corners
        return np.where(side < 0, low, np.where(side > 0, high, (low + high) / 2))

    def look(self, places: Sequence[int], role: Paint | None) -> Self:
        """Give tiles the look of a role, without an animation."""
        for k in places:
            tile = self.tiles[k]
            tile.role = role
            tile.look = tile.worn_look
            if self.placed:
                tile.draw(tile.state)
            tile.dress()
        return self


class NoteWords(Picture):
    """Readings of the notes below the tiles. It draws nothing: the tiles draw their notes."""

    def __init__(self, value: Value, strip: Strip) -> None:
        super().__init__(value)
        self._strip = strip

    def readings(self) -> Iterator[Reading]:
        """The word below each tile."""
        settled = self._strip.settled()
        notes = [tile.note.label for _, tile in settled if tile.note and _has_note_at_rest(tile)]
        words = [(label.text, label.middle) for label in notes]
        for place, tile in settled:
            state = tile.state
            at = [text for text, point in words if _is_at_note(tile, state, point)]
            token = self._strip.order[place]
            if at and token < len(self.shown.content):
                yield Reading(self.shown[token], " ".join(at))


class NoteFills(Picture):
    """The fill level of each note, as a fraction of its height, (n,)."""

    def __init__(self, value: Value, strip: Strip) -> None:
        super().__init__(value)
        self._strip = strip
        self._learns: NDArray[np.float64] | None = None

    def write_as_learned(self, series: Value) -> None:
        """Fade in each note's word as its share approaches the last one of a series (S, n)."""
        self._learns = series.array[[0, -1]]

    def show(self, state: NDArray[np.float64]) -> None:
        """Fill the notes to these levels."""
        by_token = dict(zip(self._strip.order, self._strip.tiles, strict=True))
        for token, share in enumerate(state):
            note = by_token[token].note
            if note:
                note.fill_to(float(share))
            if note and self._learns is not None:
                low, high = self._learns[:, token]
                is_known = high - low < 1e-9
                part = 1.0 if is_known else (float(share) - low) / (high - low)
                note.written = float(np.clip(2 * part - 1, 0.0, 1.0))
                note.dress()

    def readings(self) -> Iterator[Reading]:
        """The height of each filling relative to its frame."""
        for place, tile in self._strip.settled():
            token, note = self._strip.order[place], tile.note
            if note and _has_note_at_rest(tile) and token < len(self.shown.content):
                bottom, top = note.level.get_bottom()[1], note.level.get_top()[1]
                foot, height = note.frame.get_bottom()[1], note.frame.height
                off = abs(bottom - foot) / height
                yield Reading(self.shown[token], float((top - bottom) / height + off), 1e-6)


def _has_note_at_rest(tile: Tile) -> bool:
    """Whether the note of a tile is visible and at its final place."""
    note = tile.note
    return note is not None and is_visible(note.frame) and not note.offset.any()


def _is_at_note(tile: Tile, state: NDArray[np.float64], point: NDArray[np.float64]) -> bool:
    """Whether a point is at the note of a tile in this state."""
    x, y, width, height, _ = state
    if tile.note is None:
        return False
    if tile.aside:
        return bool(0 <= point[0] - x - width / 2 <= width and abs(point[1] - y) <= height / 2)
    drop = y - height / 2 - float(point[1])
    return bool(abs(point[0] - x) <= width / 2 and 0 <= drop <= 1.5 * tile.note.drop)


class Motion(Gesture):
    """An animation of a strip; it does nothing if the strip has not been placed."""

    def __init__(
        self,
        strip: Strip,
        prepare: Callable[[], Show],
        settle: Callable[[], object] | None = None,
        **options: Any,
    ) -> None:
        if not strip.placed:
            prepare, settle = lambda: stay, None
        super().__init__(strip, prepare, settle, **options)


def slide_to(
    strip: Strip,
    points: Sequence[Sequence[float]] | NDArray[np.float64],
    box: tuple[float, float] | None = None,
    *,
    rate_func: Callable[[float], float] | None = None,
    **options: Any,
) -> Motion:
    """Slide the tiles to other middles; one point for each visible tile.

    Tiles do not cross: if they would meet, they move first horizontally and then vertically, or the
    other way round. With a `rate_func`, they always move straight.
    """

    def prepare() -> Show:
        goals, strip.layout = strip.states_on(points, box), None
        places = list(range(len(goals)))
        starts = np.array([strip.tiles[k].state for k in places])
        glide = strip.glide(places, goals)
        if rate_func is not None:
            return glide
        none = np.zeros((0, 4))
        plan = plan_ways(_boxes_of(starts), _boxes_of(goals), none, none)
        if plan.is_plain or None in plan.ways:
            return lambda time: glide(smooth(time))

        def at(time: float) -> None:
            for tile, way, start, goal in zip(strip.tiles, plan.ways, starts, goals, strict=False):
                x, y, both = way.at(time) if way else np.ones(3)
                tile.draw(start + (goal - start) * np.array([x, y, both, both, both]))

        return at

    return Motion(strip, prepare, strip.moving.clear, rate_func=rate_func or linear, **options)


def _boxes_of(states: NDArray[np.float64]) -> NDArray[np.float64]:
    """Left, bottom, right and top of tiles in these states, (n, 4)."""
    middles, halves = states[:, :2], states[:, 2:4] / 2
    return np.hstack([middles - halves, middles + halves])
