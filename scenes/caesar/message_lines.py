"""Where the characters of a message stand: even cells, in lines that break between words."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap

import numpy as np
from manim import config
from numpy.typing import NDArray

from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.type import MIN_SIZE

_PITCH = 0.75
"""The width of a cell, in ems: the widest letters stand apart."""
_LINE = 1.45
"""The height of a line, in ems."""
_SHARE = 0.17
"""The most that a message takes of the height of a frame."""


@dataclass(frozen=True, eq=False)
class MessageLines:
    """The cells of a text: the middles of its characters (T, 3), and the size of a letter.

    `cell` and `line` are the width and the height of a cell, `gutter` is free under each line.
    """

    middles: NDArray[np.float64]
    size: float
    cell: float
    line: float
    region: Region
    gutter: float = 0.0

    @classmethod
    def filling(cls, text: str, region: Region, *, most: float, gutter: float) -> MessageLines:
        """Cells in the middle of a region, as large as they fit; `gutter` is free below a line."""
        sizes = [*np.arange(most, MIN_SIZE, -0.5), MIN_SIZE]
        longest = max(map(len, text.split()))
        fits = (
            float(size)
            for size in sizes
            if _height(text, region, size, gutter) <= region.height
            and longest <= _per_line(region, size)
        )
        return cls._of(text, region, next(fits, MIN_SIZE), gutter, region.center[1])

    @classmethod
    def hanging(cls, text: str, canvas: Region, *, most: float, gutter: float) -> MessageLines:
        """Cells along the top of a canvas, of a size that no other part of a stage changes."""
        room = Region(canvas.left, 0.0, canvas.right, _SHARE * config.frame_height)
        size = cls.filling(text, room, most=most, gutter=0.0).size
        height = _height(text, canvas, size, gutter)
        return cls._of(text, canvas, size, gutter, canvas.top - height / 2)

    @classmethod
    def _of(cls, text: str, region: Region, size: float, gutter: float, y: float) -> MessageLines:
        cell, line = _PITCH * size * PX, _LINE * size * PX
        lines = _evened(text, _per_line(region, size))
        width = cell * max(len(words.rstrip()) for words in lines)
        left, top = region.center[0] - width / 2, y + _height(text, region, size, gutter) / 2
        middles = np.array(
            [
                (left + (column + 0.5) * cell, top - i * (line + gutter) - line / 2, 0.0)
                for i, words in enumerate(lines)
                for column in range(len(words))
            ]
        )
        box = Region(left, 2 * y - top, left + width, top)
        return cls(middles, size, cell, line, box, gutter)


def _per_line(region: Region, size: float) -> int:
    return max(1, int(region.width / (_PITCH * size * PX) + 1e-6))


def _height(text: str, region: Region, size: float, gutter: float) -> float:
    return len(_evened(text, _per_line(region, size))) * (_LINE * size * PX + gutter)


def _evened(text: str, per_line: int) -> list[str]:
    """`text` in as few lines as that takes, the longest as short as it can be."""
    lines, longest = _broken(text, per_line), max(map(len, text.split()))
    least = longest if longest <= per_line else 1
    while per_line > least and len(shorter := _broken(text, per_line - 1)) == len(lines):
        lines, per_line = shorter, per_line - 1
    return lines


def _broken(text: str, per_line: int) -> list[str]:
    """`text` in lines of at most `per_line` characters; together they are `text` again.

    Lines end with a space, which may hang over, or within a word that is longer than a line.
    """
    lines, rest = list[str](), text
    for line in wrap(text, per_line):
        end = len(line) + rest[len(line) :].startswith(" ")
        lines.append(rest[:end])
        rest = rest[end:]
    return lines
