"""The line of positions, and the words that stand on it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scenes.parts.dial import Dials
from scenes.parts.ruler import Ruler
from scenes.parts.strip import Strip
from scenes.stage import Value
from scenes.style.layout import Region
from scenes.style.text import Label
from scenes.style.theme import theme
from scenes.style.type import SMALL

_TILE = 0.52
"""The height of a tile on the line, in units."""
_LIFT = 0.08
"""From the line to the tiles on it."""
HEAD = _TILE + _LIFT
"""The room that tiles take above the line."""
_SEAM = 0.08
_END = 0.2
"""What the line leaves free at each end, so that a tile has room there, in units."""
_FEWEST = 7
"""The last position that can be seen at least: a turn of the fastest hand ends before it."""


def line_for(canvas: Region) -> Ruler:
    """A line of as many positions as words can stand side by side on a canvas."""
    return Ruler([0, max(_FEWEST, int(canvas.width) - 1)], head=HEAD, margin=_END)


def stand(words: Value, line: Ruler, asks: int) -> Strip:
    """Words at the positions 0, 1, 2 and so on: the asking one a query, the others keys."""
    strip = Strip(words).place_at(places(line, range(len(words))), box(line))
    strip.look([k for k in range(len(words)) if k != asks], "key")
    return strip.look([asks], "query")


def places(line: Ruler, positions: Sequence[float]) -> np.ndarray:
    """The middles of tiles that stand at positions; (n, 3)."""
    up = np.array([0.0, _LIFT + _TILE / 2, 0.0])
    return np.array([line.x(float(position)) + up for position in positions])


def box(line: Ruler) -> tuple[float, float]:
    """The width and height of a tile."""
    return line.pitch - _SEAM, _TILE


def turn_unit(dials: Dials) -> Label:
    """What the numbers under dials count, in the line below them."""
    unit = Label("positions per turn", size=SMALL, color=theme().muted, align="center")
    return unit.put(np.array([dials.faces.get_x(), dials.under(-1, 1)[1], 0.0]))
