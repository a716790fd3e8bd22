"""The line of positions with words that stand on it, alone or under dials and a formula."""

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
"""The sizes of a formula and of a number that is spoken of, in pixels at 720p."""
FAR = 1.1
"""How much farther than a far position the line then reaches."""
SPAN = 12
"""The positions that are seen at once."""
_HIGH, _LIFT = 0.52, 0.08
"""The height of tiles side by side on the line, and from the line up to them, in units."""
_SEAM, _END = 0.08, 0.2
"""Between such tiles, and what the line leaves free for them at each end."""
_FEWEST = 7
"""The last position that can be seen at least: a turn of the fastest hand ends before it."""

_TILE = (1.25, 0.52)
"""Width and height of a tile that stands by itself, in units."""
_NARROW, _PAD = 0.8, 0.2
"""The width of tiles that would touch, of the way between them, and its room beside a word."""
_OVER_LINE, _ROW = 0.12, _TILE[1] + 0.1
"""From the line up to such tiles, and from one row of them to the next."""
_CLEAR, _BRACKET = 0.08, 0.45
"""From the signs on the tiles up to a bracket, and the room for it and its number."""
_LARGE, _RIM, _OVER = 2.6, 0.44, 0.62
"""The radius of a large clock at most, the room around it, and over the line, in units."""
_BAND, _CLOCK_BAND = Size(4.0, 0.66), Size(1.0, 0.8)


class WordLine(Ruler):
    """A line of as many positions as words can stand side by side on a canvas.

    The tiles take the room up to `head` units over it.
    """

    head = _LIFT + _HIGH

    def __init__(self, canvas: Region) -> None:
        last = max(_FEWEST, int(canvas.width) - 1)
        super().__init__([0, last], head=self.head, margin=_END)

    def places(self, positions: Sequence[float]) -> NDArray[np.float64]:
        """The middles of tiles that stand at positions; (n, 3)."""
        up = np.array([0.0, _LIFT + _HIGH / 2, 0.0])
        return np.array([self.x(float(position)) + up for position in positions])

    def stand(self, words: Value, asks: int) -> Strip:
        """Words at the positions 0, 1, 2 and so on: the asking one a query, the others keys."""
        places = range(len(words))
        strip = Strip(words).place_at(self.places(places), self._box)
        return strip.look(places, "key").look([asks], "query")

    def slide(self, tiles: Strip, positions: Sequence[float], **options: Any) -> Animation:
        """Tiles on their way to positions."""
        return slide_to(tiles, self.places(positions), self._box, **options)

    @property
    def _box(self) -> tuple[float, float]:
        return self.pitch - _SEAM, _HIGH


def large_clock(canvas: Region, line: Ruler) -> Dials:
    """One clock over a line, with room for numbers around it."""
    foot = float(line.x(0)[1]) + _OVER
    clock = Dials(1, labels=None, largest=_LARGE)
    clock.place(Region(canvas.left, foot, canvas.right, canvas.top).inset(_RIM))
    return clock


def row_of_clocks(canvas: Region, n_hands: int) -> tuple[WordLine, Dials, Room]:
    """The line of the words, clocks with two lines of text under each, and a band over them."""
    line, faces = WordLine(canvas), Dials(n_hands, labels=None, largest=1.6, lines_under=2)
    band = Room(_CLOCK_BAND, _CLOCK_BAND)
    rows = faces.in_rows(1), faces.in_rows(2)
    ways = [Column(band, row, line, gap=0.1, weights=(0, 1, 0)) for row in rows]
    fit(canvas, *(ways if canvas.wide else ways[::-1]))
    return line, faces, band


def numbers_under(faces: Dials, value: Value, spec: Spec, words: str) -> VGroup:
    """A number under every clock, and under the lowest ones what these numbers are."""
    look: dict[str, Any] = {"size": NUMBER, "color": theme().text_color("position")}
    numbers = DialNumbers(value, faces, spec, **look)
    unit = Label(said(words), size=NUMBER, color="muted", align="center")
    low = float(faces.under(-1, 1)[1]) - CAP_HEIGHT * NUMBER / 90
    return VGroup(numbers, unit.put(np.array([faces.faces.get_x(), low, 0.0])))


def to_three_digits(number: float) -> str:
    """The format of a number to three digits, without an exponent or zeros behind the point."""
    digits = f"{Decimal(f'{number:.3g}').normalize():f}"
    return f",.{len(digits.partition('.')[2])}f"


class FilmGrid:
    """A band for formulas, dials under it, and a line of positions on which words stand.

    `window` are the first and the last position of the line, `apart` how many positions two words
    on it are apart: where they would touch, their tiles are as narrow as the `words` allow, or
    there is room for them above each other. A bracket stands clear of the tiles `over_tiles` units
    over the line. `lines_over` every dial take the room of the band.
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
        """The middle of a tile that stands on the line at a position."""
        up = _OVER_LINE + _TILE[1] / 2 + row * _ROW
        return np.array(self.line.x(position) + np.array([0.0, up, 0.0]))

    def tile(self, word: Value, position: float, role: Role | None, row: int = 0) -> Strip:
        """A word on a tile that stands on the line."""
        strip = Strip(Value("no words", ()), after=[word], hidden=0)
        return strip.place_at(self.spot(position, row)[None], box=self._box).look([0], role)

    def slide(self, tile: Strip, position: float, window: ArrayLike, **options: Any) -> Animation:
        """A tile on its way to where a position will be once the line shows a window."""
        (left, right), (first, last) = map(self.line.x, self.line.window), np.asarray(window)
        goal = left + (right - left) * (position - first) / (last - first)
        goal[1] = tile.middle(0)[1]
        return slide_to(tile, [goal], box=self._box, **options)

    def write(self, equation: Equation, right: float | None = None) -> Equation:
        """Place an equation in the band: in its middle, or so that it ends at `right`."""
        region, width = self.band.region, equation.most.width
        end = region.center[0] + width / 2 if right is None else right
        equation.place(Region(end - width, region.bottom, end, region.top))
        return equation
