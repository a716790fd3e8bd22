"""The line of positions with words on it, alone or under dials and a formula."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, TypeAlias

import numpy as np
from manim import Animation, VGroup
from numpy.typing import ArrayLike, NDArray

from clockhead.scenes.parts.dial import Dials
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.strip import Strip, slide_to
from clockhead.scenes.rope.dial_numbers import DialNumbers
from clockhead.scenes.rope.ruler import Ruler
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import Column, Room, Size, Value, fit
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import Role, theme
from clockhead.scenes.style.type import CAP_HEIGHT, LABEL

Spec: TypeAlias = str | Callable[[float], str]

FORMULA, NUMBER = 48.0, 30.0
"""Letter sizes of a formula and of a number that a sentence mentions, in pixels at 720p."""
FAR = 1.1
"""Last position on a line that shows a far position, as a multiple of that position."""
SPAN = 12
"""Last position of the usual window, which starts at 0."""
_HIGH, _LIFT = 0.52, 0.08
"""Height of tiles side by side on the line, and their distance from the line, in units."""
_SEAM, _END = 0.08, 0.2
"""Gap between these tiles, and space for them beyond each end of the window, in units."""
_FEWEST = 7
"""Smallest last position of a line: the fastest hand completes a turn before it."""

_TILE = (1.25, 0.52)
"""Width and height of a single tile, in units."""
_NARROW, _PAD = 0.8, 0.2
"""Width of a tile that would touch its neighbour, relative to their distance; and its padding."""
_OVER_LINE, _ROW = 0.12, _TILE[1] + 0.1
"""Distance from the line to single tiles, and from one row of them to the next, in units."""
_CLEAR, _BRACKET = 0.08, 0.45
"""Gap between tiles and a bracket, and height of a bracket with its number, in units."""
_LARGE, _RIM, _OVER = 2.6, 0.44, 0.62
"""Largest radius of a large clock, margin around it, and distance from the line, in units."""
_BAND, _CLOCK_BAND = Size(4.0, 0.66), Size(1.0, 0.8)
"""Space for a formula over dials, and over clocks, in units."""


class WordLine(Ruler):
    """A line of positions on which words fit side by side; it fills the width of a canvas.

    The tiles reach up to `head` units over the line.
    """

    head = _LIFT + _HIGH

    def __init__(self, canvas: Region) -> None:
        last = max(_FEWEST, int(canvas.width) - 1)
        super().__init__([0, last], head=self.head, margin=_END)

    def tile_middles(self, positions: Sequence[float]) -> NDArray[np.float64]:
        """Middles of the tiles at these positions; (n, 3)."""
        up = np.array([0.0, _LIFT + _HIGH / 2, 0.0])
        return np.array([self.x(float(position)) + up for position in positions])

    def strip(self, words: Value, asks: int) -> Strip:
        """Words on tiles at the positions 0, 1, 2 and so on: a query at `asks`, and keys."""
        tile_middles = range(len(words))
        strip = Strip(words).place_at(self.tile_middles(tile_middles), self._box)
        return strip.look(tile_middles, "key").look([asks], "query")

    def slide(self, tiles: Strip, positions: Sequence[float], **options: Any) -> Animation:
        """Move tiles along the line to these positions."""
        return slide_to(tiles, self.tile_middles(positions), self._box, **options)

    @property
    def _box(self) -> tuple[float, float]:
        return self.pitch - _SEAM, _HIGH


def large_clock(canvas: Region, line: Ruler) -> Dials:
    """A large clock over a line, with space for numbers around it."""
    foot = float(line.x(0)[1]) + _OVER
    clock = Dials(1, labels=None, largest=_LARGE)
    clock.place(Region(canvas.left, foot, canvas.right, canvas.top).inset(_RIM))
    return clock


def row_of_clocks(canvas: Region, n_hands: int) -> tuple[WordLine, Dials, Room]:
    """A line of positions, clocks with two lines of text under each, and a band over them."""
    line, faces = WordLine(canvas), Dials(n_hands, labels=None, largest=1.6, lines_under=2)
    band = Room(_CLOCK_BAND, _CLOCK_BAND)
    rows = faces.in_rows(1), faces.in_rows(2)
    ways = [Column(band, row, line, gap=0.1, weights=(0, 1, 0)) for row in rows]
    fit(canvas, *(ways if canvas.wide else ways[::-1]))
    return line, faces, band


def numbers_under(faces: Dials, value: Value, spec: Spec, words: str) -> VGroup:
    """A number under every clock, and a label for all numbers under the lowest ones."""
    look: dict[str, Any] = {"size": NUMBER, "color": theme().text_color("position")}
    numbers = DialNumbers(value, faces, spec, **look)
    unit = Label(said(words), size=NUMBER, color="muted", align="center")
    low = float(faces.under(-1, 1)[1]) - CAP_HEIGHT * NUMBER / 90
    return VGroup(numbers, unit.put(np.array([faces.faces.get_x(), low, 0.0])))


def to_three_digits(number: float) -> str:
    """Format of a number with three significant digits, no exponent and no trailing zeros."""
    digits = f"{Decimal(f'{number:.3g}').normalize():f}"
    return f",.{len(digits.partition('.')[2])}f"


class FilmGrid:
    """A band for formulas, dials under it, and a line of positions with words on it.

    `window` is the first and the last position of the line, and `apart` the distance between two
    words on it, in positions. If their tiles would touch, they are as narrow as the `words` allow,
    or in two rows. A bracket is clear of the tiles at `over_tiles` units over the line.
    `lines_over` is the number of lines of text over every dial, which replace the band.
    """

    def __init__(
        self,
        canvas: Region,
        n_hands: int,
        window: ArrayLike,
        *,
        apart: float = np.inf,
        words: Sequence[str] = (),
        lines_over: int = 0,
    ) -> None:
        first, last = np.asarray(window, dtype=float)
        room = _NARROW * abs(apart) * canvas.width / (last - first + 1)
        need = max((text_width(word, LABEL) for word in words), default=np.inf) + _PAD
        self.rows = 1 if room > min(_TILE[0], need) else 2
        self._box = (min(_TILE[0], room) if self.rows == 1 else _TILE[0]), _TILE[1]
        self.over_tiles = _OVER_LINE + self.rows * _ROW + _CLEAR
        band = Size(_BAND.width, 0.0) if lines_over else _BAND
        self.band = Room(band, band)
        self.line = Ruler(window, head=self.over_tiles + _BRACKET, margin=_TILE[0] / 2 - 0.25)
        self.dials = Dials(
            n_hands,
            labels=None,
            largest=1.6,
            lines_under=int(not lines_over),
            lines_over=lines_over,
        )
        boxes = self.dials, self.dials.in_rows(1)
        fit(canvas, *(Column(self.band, box, self.line, gap=0.08) for box in boxes))

    def spot(self, position: float, row: int = 0) -> NDArray[np.float64]:
        """Middle of a tile on the line at a position; (3,)."""
        up = _OVER_LINE + _TILE[1] / 2 + row * _ROW
        return np.array(self.line.x(position) + np.array([0.0, up, 0.0]))

    def tile(self, word: Value, position: float, role: Role | None, row: int = 0) -> Strip:
        """A word on a tile on the line."""
        strip = Strip(Value("no words", ()), after=[word], hidden=0)
        return strip.place_at(self.spot(position, row)[None], box=self._box).look([0], role)

    def slide(self, tile: Strip, position: float, window: ArrayLike, **options: Any) -> Animation:
        """Move a tile to the place of a position on the line after it has zoomed to a window."""
        (left, right), (first, last) = map(self.line.x, self.line.window), np.asarray(window)
        goal = left + (right - left) * (position - first) / (last - first)
        goal[1] = tile.middle(0)[1]
        return slide_to(tile, [goal], box=self._box, **options)

    def write(self, equation: Equation, right: float | None = None) -> Equation:
        """Place an equation in the middle of the band, or with its right end at `right`."""
        region, width = self.band.region, equation.most.width
        end = region.center[0] + width / 2 if right is None else right
        equation.place(Region(end - width, region.bottom, end, region.top))
        return equation
