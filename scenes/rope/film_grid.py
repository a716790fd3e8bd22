"""Places that are the same from shot to shot: a band for formulas, dials, the line of positions."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Animation
from numpy.typing import ArrayLike, NDArray

from scenes.parts.dial import Dials
from scenes.parts.equation import Equation
from scenes.parts.ruler import Ruler
from scenes.parts.strip import Strip
from scenes.stage import Column, Size, Value, fit
from scenes.style.layout import Region
from scenes.style.theme import Role

_TILE = (0.95, 0.46)
"""Width and height of a tile that stands on the line, in units."""
_OVER_LINE = 0.16
"""From the line up to the tiles that stand on it."""
_ROW = _TILE[1] + 0.1
_CLEAR = 0.1
"""From the signs on the tiles up to a bracket."""
_BRACKET = 0.38
"""Room over the tiles for a bracket and its number."""


class Space:
    """Room that something gets later: it remembers its region."""

    def __init__(self, width: float, height: float) -> None:
        self.least = self.most = Size(width, height)
        self.region = Region(0.0, 0.0, width, height)

    def place(self, region: Region) -> None:
        """Remember a region."""
        self.region = region


class FilmGrid:
    """A band for formulas, dials under it, and a line of positions on which words stand.

    `window` are the first and the last position of the line, `apart` how many positions two words
    on it are apart: where they would touch, there is room for them above each other.
    """

    def __init__(
        self,
        canvas: Region,
        n_hands: int,
        window: ArrayLike,
        *,
        apart: int | None = None,
    ) -> None:
        first, last = np.asarray(window, dtype=float)
        room = canvas.width / (last - first + 1)
        self.rows = 1 if apart is None or abs(apart) * room > 1.25 * _TILE[0] else 2
        self.band = Space(4.0, 0.72)
        head = self.over_tiles + _BRACKET
        self.line = Ruler(window, head=head, margin=_TILE[0] / 2 - 0.25)
        self.dials = Dials(n_hands, largest=1.15, lines_under=1)
        boxes = self.dials, self.dials.in_rows(1)
        fit(canvas, *(Column(self.band, box, self.line, gap=0.16) for box in boxes))

    def spot(self, position: float, row: int = 0) -> NDArray[np.float64]:
        """The middle of a tile that stands on the line at a position."""
        up = _OVER_LINE + _TILE[1] / 2 + row * _ROW
        return np.array(self.line.x(position) + np.array([0.0, up, 0.0]))

    @property
    def over_tiles(self) -> float:
        """How high over the line a bracket stands clear of the tiles."""
        return _OVER_LINE + self.rows * _ROW + _CLEAR

    def tile(self, word: Value, position: float, role: Role | None, row: int = 0) -> Strip:
        """A word on a tile that stands on the line."""
        strip = Strip(Value("no words", ()), after=[word], hidden=0)
        return strip.place_at(self.spot(position, row)[None], box=_TILE).look([0], role)

    def slide(self, tile: Strip, position: float, window: ArrayLike, **options: Any) -> Animation:
        """A tile on its way to where a position will be once the line shows a window."""
        (left, right), (first, last) = map(self.line.x, self.line.window), np.asarray(window)
        goal = left + (right - left) * (position - first) / (last - first)
        goal[1] = tile.middle(0)[1]
        return tile.slide_to([goal], box=_TILE, **options)

    def write(self, equation: Equation, right: float | None = None) -> Equation:
        """Place an equation in the band: in its middle, or so that it ends at `right`."""
        region, width = self.band.region, equation.most.width
        end = region.center[0] + width / 2 if right is None else right
        equation.place(Region(end - width, region.bottom, end, region.top))
        return equation
