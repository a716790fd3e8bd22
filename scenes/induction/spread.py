"""Placement of this film's tiles: in one line, or in several lines spread over the page."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.style.layout import Region

OVER = 0.5
"""Free space over the tiles, for the eye that moves along them, in units."""
_LETTERS, _TALL = 38.0, 72.0
"""Letter sizes on tiles, in pixels: on a wide canvas, and on a tall one."""
LARGE, NOTES = 70.0, 42.0
"""Letter sizes of short texts and of their notes, in pixels."""


def tile_size(canvas: Region, largest: float = _LETTERS) -> float:
    """Largest letter size on tiles that fill a canvas, in pixels; `largest` if it is wide."""
    return largest if canvas.wide else _TALL


def spread(strip: Strip, page: Region, *, pin: bool = False) -> None:
    """Spread the lines of a placed strip over the page, so that arcs can pass between them.

    This also fixes the positions of its tiles, however many of them are visible. The tiles of a
    single line are fixed only with `pin`.
    """
    lines = strip.layout
    assert lines is not None
    if lines.n_lines == 1 and not pin:
        return
    states = lines.states(len(strip.tiles))
    if lines.n_lines > 1:
        line = np.arange(len(strip.tiles)) // lines.per_line
        pitch = page.height / lines.n_lines
        states[:, 1] = page.top - (line + 0.5) * pitch + lines.measures.below / 2
    strip.place_at(states[:, :2], (float(states[0, 2]), float(states[0, 3])))


def tile_positions(strip: Strip, n: int) -> tuple[NDArray[np.float64], tuple[float, float]]:
    """Middles of the first `n` tiles of a strip, (n, 3), and width and height of their boxes."""
    box = strip.tiles[0].box
    return np.array([strip.middle(k) for k in range(n)]), (box.width, box.height)
