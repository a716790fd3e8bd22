"""Where the tiles of this film stand: in one line, or in lines that share the page."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.style.layout import Region

OVER = 0.5
"""What stays free over the tiles of this film, where an eye goes along."""
_LETTERS, _TALL = 38.0, 72.0
"""The size of their letters, in pixels, and that where the canvas is higher than wide."""
LARGE, NOTES = 70.0, 42.0
"""The size of letters of a few words, and of those of their notes."""


def letters(canvas: Region, largest: float = _LETTERS) -> float:
    """The largest size of letters on tiles that fill a canvas."""
    return largest if canvas.wide else _TALL


def spread(strip: Strip, page: Region, *, pin: bool = False) -> None:
    """Let the lines of a strip that has been placed share a page, so that arcs pass between them.

    Its tiles then stand where all of them do, whichever of them are there yet; those of a single
    line only if they are to be `pin`ned there.
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


def standing(strip: Strip, n: int) -> tuple[NDArray[np.float64], tuple[float, float]]:
    """Where the first tiles of a strip stand, and the size of their boxes."""
    box = strip.tiles[0].box
    return np.array([strip.middle(k) for k in range(n)]), (box.width, box.height)
