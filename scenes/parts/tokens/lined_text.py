"""Where the characters of a long text stand: equal cells in lines that break between words.

Several rows can run along each line, such as a ciphertext under its plaintext, column by column.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from scenes.style.layout import PX, Region
from scenes.style.theme import theme
from scenes.style.type import MIN_SIZE

_PITCH = 0.78
"""The width of a cell in ems: the widest letters stand apart."""


class LinedText:
    """Places for the characters of a text in a region, as large as they fit.

    `size` is the em in pixels at 720p; `rows` are the heights of the rows of a line, in ems, and
    `gap` is what lies between two lines. The space at the end of a line has its cell there, which
    may hang over the region's edge where it is `hanging`.
    """

    def __init__(
        self,
        text: str,
        region: Region,
        *,
        rows: tuple[float, ...] = (1.3,),
        gap: float = 0.5,
        most: float = 34.0,
        least: float = MIN_SIZE,
        pitch: float = _PITCH,
        hanging: bool = True,
    ) -> None:
        self.size, self.lines = most, [text]
        for size in np.arange(most, least - 0.5, -0.5):
            self.size = max(float(size), least)
            cell = pitch * self.size * PX
            most_cells = int(region.width / cell + 1e-6) - (0 if hanging else 1)
            self.lines = evened(text, max(1, most_cells))
            height = len(self.lines) * sum(rows) + (len(self.lines) - 1) * gap
            if height * self.size * PX <= region.height:
                break
        em = self.size * PX
        self.cell = pitch * em
        self.row_heights = np.array(rows) * em
        self.gap = gap * em
        widest = max(len(line.rstrip() if hanging else line) for line in self.lines)
        line_height = float(self.row_heights.sum()) + self.gap
        height = len(self.lines) * line_height - self.gap
        self.region = Region(
            region.center[0] - widest * self.cell / 2,
            region.center[1] - height / 2,
            region.center[0] + widest * self.cell / 2,
            region.center[1] + height / 2,
        )
        self._places = [(i, j) for i, line in enumerate(self.lines) for j in range(len(line))]

    def at(self, k: int, row: int = 0) -> NDArray[np.float64]:
        """The middle of character k's cell in a row of its line."""
        line, column = self._places[k]
        down = line * (float(self.row_heights.sum()) + self.gap)
        down += float(self.row_heights[:row].sum() + self.row_heights[row] / 2)
        x = self.region.left + (column + 0.5) * self.cell
        return np.array([x, self.region.top - down, 0.0])

    def box(self, k: int, row: int = 0) -> Region:
        """Character k's cell in a row of its line."""
        x, y, _ = self.at(k, row)
        width, height = self.cell / 2, float(self.row_heights[row]) / 2
        return Region(x - width, y - height, x + width, y + height)

    def line_of(self, k: int) -> int:
        """The line in which character k stands."""
        return self._places[k][0]


def blanks(lined: LinedText, places: Iterable[int], row: int = 0) -> VMobject:
    """A dash in each of some cells of a row, where something would have to be written."""
    path = VMobject(stroke_color=theme().muted, stroke_width=3)
    half, down = 0.32 * lined.cell, 0.3 * float(lined.row_heights[row])
    for k in places:
        x, y, _ = lined.at(k, row)
        path.start_new_path(np.array([x - half, y - down, 0.0]))
        path.add_line_to(np.array([x + half, y - down, 0.0]))
    return path


def evened(text: str, per_line: int) -> list[str]:
    """`broken` into as few lines as that takes, the longest as short as it can be."""
    lines = broken(text, per_line)
    while per_line > 1 and len(shorter := broken(text, per_line - 1)) == len(lines):
        lines, per_line = shorter, per_line - 1
    return lines


def broken(text: str, per_line: int) -> list[str]:
    """`text` in lines of at most `per_line` characters; together they are `text` again.

    Lines end with a space, which may hang over, or within a word that is longer than a line.
    """
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + len(word) > per_line:
            lines.append("")
        while len(word) > per_line:
            lines[-1], word = lines[-1] + word[:per_line], word[per_line:]
            lines.append("")
        lines[-1] += word + " "
    lines[-1] = lines[-1].removesuffix(" ")
    return lines if lines[-1] else lines[:-1]
