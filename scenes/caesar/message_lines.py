"""The positions of a message's characters: evenly spaced cells, in lines of whole words."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap

import numpy as np
from manim import config
from numpy.typing import NDArray

from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.type import MIN_SIZE

_PITCH = 0.75
"""Width of a cell, in ems: wide enough that the widest letters do not touch."""
_LINE = 1.45
"""Height of a line, in ems."""
_SHARE = 0.17
"""Largest height of a message at the top, as a fraction of the frame's height."""


@dataclass(frozen=True, eq=False)
class MessageLines:
    """The cells of a text: the centres of its characters (T, 3), and the size of a letter.

    `cell` and `line` are the width and height of a cell, `gutter` is the free room below each line.
    """

    middles: NDArray[np.float64]
    size: float
    cell: float
    line: float
    region: Region
    gutter: float = 0.0

    @classmethod
    def fit_region(cls, text: str, region: Region, *, most: float, gutter: float) -> MessageLines:
        """Cells in the middle of a region, as large as fits."""
        sizes = [*np.arange(most, MIN_SIZE, -0.5), MIN_SIZE]
        longest = max(map(len, text.split()))
        fits = (
            float(size)
            for size in sizes
            if _height(text, region, size, gutter) <= region.height
            and longest <= _per_line(region, size)
        )
        return cls._at_height(text, region, next(fits, MIN_SIZE), gutter, region.center[1])

    @classmethod
    def at_top(cls, text: str, canvas: Region, *, most: float, gutter: float) -> MessageLines:
        """Cells at the top of a canvas, in a size that depends on nothing else in the stage."""
        room = Region(canvas.left, 0.0, canvas.right, _SHARE * config.frame_height)
        size = cls.fit_region(text, room, most=most, gutter=0.0).size
        height = _height(text, canvas, size, gutter)
        return cls._at_height(text, canvas, size, gutter, canvas.top - height / 2)

    @classmethod
    def _at_height(
        cls, text: str, region: Region, size: float, gutter: float, y: float
    ) -> MessageLines:
        cell, line = _PITCH * size * PX, _LINE * size * PX
        lines = _balanced_lines(text, _per_line(region, size))
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
    return len(_balanced_lines(text, _per_line(region, size))) * (_LINE * size * PX + gutter)


def _balanced_lines(text: str, per_line: int) -> list[str]:
    """Break a text into the least number of lines, with the longest as short as possible."""
    lines, longest = _break_lines(text, per_line), max(map(len, text.split()))
    least = longest if longest <= per_line else 1
    while per_line > least and len(shorter := _break_lines(text, per_line - 1)) == len(lines):
        lines, per_line = shorter, per_line - 1
    return lines


def _break_lines(text: str, per_line: int) -> list[str]:
    """Break a text into lines of at most `per_line` characters; joined, they are the text again.

    A line ends with a space, which may exceed the limit, or within a word that is too long.
    """
    lines, rest = list[str](), text
    for line in wrap(text, per_line):
        end = len(line) + rest[len(line) :].startswith(" ")
        lines.append(rest[:end])
        rest = rest[end:]
    return lines
