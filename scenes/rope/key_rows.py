"""Two rows of dials: in each the asking word's query, and the key of the first or the last word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from manim import Animation, FadeIn, FadeOut, Mobject, VGroup
from numpy.typing import NDArray

from scenes.parts.dial import Dials
from scenes.parts.dial_hands import Hands
from scenes.parts.dial_turns import Wedges
from scenes.parts.figures import Figure
from scenes.parts.strip import Strip
from scenes.parts.tile import HEIGHT
from scenes.stage import Size, Value
from scenes.style.layout import GAP, PX, Region
from scenes.style.theme import theme
from scenes.style.type import LABEL, SMALL, X_HEIGHT

_MOST, _LARGEST = 4, 0.65
_SCORE = 5.0
"""The width of a score and its word, in ems."""
_OVER = 0.12
"""Between a name and the dials under it, in units."""
_DROP = X_HEIGHT / 2 * SMALL * PX

Animations = tuple[Animation, ...]


class KeyRow:
    """The dials in which the query meets the key of one word."""

    def __init__(self, read: Callable[[str], Value], word: int, dials: Dials) -> None:
        self.dials, self.word = dials, word
        unit = float(read("told.unit").array)
        self.query = Hands(read("told.query_pairs"), dials, "query", unit=unit)
        self.key = Hands(read("told.key_pairs")[word], dials, "key", unit=unit)
        self.wedges = Wedges(read("told.angles")[word], dials, self.query, end=self.key)
        self.before = Figure(
            read("told.scores")[word],
            ".2f",
            size=SMALL,
            color=theme().muted,
            prefix="was ",
            align="left",
        )


class KeyRows:
    """The rows of the first and the last word, each under its name.

    `read` looks a value up by its path. The `opening` are the dials of one row with the query's
    hands, in the middle, and the `hidden` ones lie under it; `part` makes two rows of them. A row
    gets at least `width`.
    """

    def __init__(
        self, read: Callable[[str], Value], n_hands: int, n_words: int, *, width: float
    ) -> None:
        self._read, self._width = read, width
        upper, lower = (
            Dials(n_hands, labels=labels, most=_MOST, columns=min(n_hands, _MOST), largest=_LARGEST)
            for labels in (None, "hand {}")
        )
        self.rows = KeyRow(read, 0, upper), KeyRow(read, n_words - 1, lower)
        self.hidden = VGroup(upper, self.rows[0].query)
        self.opening = VGroup(lower, self.rows[1].query)
        self.names = Strip(read("told.outer_words")).look([0, 1], "key")
        self.region = Region(0.0, 0.0, 0.0, 0.0)
        self._ways: list[NDArray[np.float64]] = []

    @property
    def stacked(self) -> Halves:
        """The two words one above the other, for a stage to arrange."""
        return Halves(self, is_stacked=True)

    @property
    def abreast(self) -> Halves:
        """The two words side by side."""
        return Halves(self, is_stacked=False)

    @property
    def half(self) -> Size:
        """What a word and its dials need at least."""
        dials = self.rows[1].dials.least
        return Size(
            max(dials.width, self._head.width, self._width), dials.height + self._head.height
        )

    def fill(self, region: Region, first: Region, last: Region) -> None:
        """Fill a region, a part for each word; for now all dials lie between the two."""
        self.region = region
        upper, lower = (row.dials for row in self.rows)
        head = self._head
        lower.place(Region(last.left, last.bottom, last.right, last.top - head.height))
        low, radius = lower.centers[0], lower.radius
        step = first.center - last.center
        self._ways = [low + step, low]
        for dials in (lower, upper):
            dials.place_at(low + step / 2, radius)
        for row in self.rows:
            row.query.redraw()
        left = min(low[:, 0].min() - radius, last.center[0] - head.width / 2)
        width, height = self.names.measures.width(LABEL), HEIGHT * LABEL * PX
        top = low[:, 1].max() + radius + head.height
        name = np.array([left + width / 2, top - height / 2, 0.0])
        self.names.place_at(np.array([name + step, name]), (width, height))
        for k, row in enumerate(self.rows):
            row.before.put(self.names.right(k) + np.array([GAP / 2, -_DROP, 0.0]))

    @property
    def layers(self) -> list[Mobject]:
        """What lies on each other, the lowest first."""
        rows = self.rows
        faces, hands = (
            [row.dials for row in rows],
            [h for row in rows for h in (row.query, row.key)],
        )
        return [*faces, *(row.wedges for row in rows), *hands]

    @property
    def everything(self) -> VGroup:
        """All that it shows but the dials and the query's hands."""
        pieces = [piece for row in self.rows for piece in (row.wedges, row.key, row.before)]
        return VGroup(self.names, *pieces)

    # What happens

    def part(self, *, run_time: float) -> Animations:
        """One row becomes two, each gets a name, and in each the hands of a key grow."""
        moves: list[Animation] = [FadeIn(self.names, run_time=run_time)]
        for row, way in zip(self.rows, self._ways, strict=True):
            moves.append(row.dials.go_to(way, row.dials.radius, run_time=run_time))
            moves.append(row.key.grow(run_time=run_time))
        return tuple(moves)

    def turn(self, *, run_time: float) -> Animations:
        """Query and keys are turned by their positions."""
        phases, asks = self._read("told.phases"), int(self._read("told.asks").content)
        query, keys = (self._read(f"told.rotated_{kind}_pairs") for kind in ("query", "key"))
        turns: list[Animation] = []
        for row in self.rows:
            own = {"run_time": run_time}
            turns.append(row.query.turn_to(query, phases[asks].array, **own))
            turns.append(row.key.turn_to(keys[row.word], phases[row.word].array, **own))
        return tuple(turns)

    def open_wedges(self, *, run_time: float) -> Animations:
        """Wedges open from the query's hands to the keys'."""
        opened = []
        for row in self.rows:
            angles = self._read("told.angles")[row.word]
            states = np.stack([0 * angles.array, angles.array])
            opened.append(row.wedges.pass_through(angles, states, run_time=run_time))
        return tuple(opened)

    def swap(self, **options: Any) -> Animations:
        """The two keys turn on, or back, as their words change places."""
        keys, angles = self._read("swap_key_pairs"), self._read("swap_angles")
        turns: list[Animation] = []
        for row in self.rows:
            turns.append(row.key.through(keys[row.word], **options))
            turns.append(row.wedges.through(angles[row.word], **options))
        return (*turns, *(FadeIn(row.before) for row in self.rows))

    def shift(self, **options: Any) -> Animations:
        """All hands turn on by as many positions, and every wedge with them."""
        by = self._read("shift_phases").array
        moved = "swapped_and_shifted.rotated_{}_pairs"
        query, keys = (self._read(moved.format(kind)) for kind in ("query", "key"))
        turns: list[Animation] = []
        for row, place in zip(self.rows, (len(keys) - 1, 0), strict=True):
            turns.append(row.query.turn_to(query, by, **options))
            turns.append(row.key.turn_to(keys[place], by, **options))
        return tuple(turns)

    def gather(self, point: NDArray[np.float64], radius: float, *, run_time: float) -> Animations:
        """All dials become one."""
        return tuple(row.dials.shrink_to(point, radius, run_time=run_time) for row in self.rows)

    def clear(self, *, run_time: float) -> Animation:
        """Names, keys and angles go."""
        return FadeOut(self.everything, run_time=run_time)

    def turn_back(self, **options: Any) -> Animations:
        """The hands of the query turn back by the shift."""
        by, query = self._read("shift_phases").array, self._read("swapped.rotated_query_pairs")
        return tuple(row.query.turn_to(query, -by, **options) for row in self.rows)

    @property
    def _head(self) -> Size:
        """The room of a name over its dials, and of the score beside it."""
        width = self.names.measures.width(LABEL) + GAP / 2 + _SCORE * SMALL * PX
        return Size(width, HEIGHT * LABEL * PX + _OVER)


@dataclass(frozen=True)
class Halves:
    """The words of some rows, one above the other or side by side."""

    rows: KeyRows
    is_stacked: bool

    @property
    def least(self) -> Size:
        return self._twice(self.rows.half)

    @property
    def most(self) -> Size:
        dials, least = self.rows.rows[1].dials.most, self.rows.half
        return self._twice(Size(dials.width, dials.height + least.height))

    def place(self, region: Region) -> None:
        """Give each word its half."""
        cut = region.rows if self.is_stacked else region.columns
        self.rows.fill(region, *cut(1, 1, gap=0.0 if self.is_stacked else GAP))

    def _twice(self, one: Size) -> Size:
        if self.is_stacked:
            return Size(one.width, 2 * one.height)
        return Size(2 * one.width + GAP, one.height)
