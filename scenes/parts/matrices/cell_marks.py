"""Marks on the cells of a map: a number that is wrong, and one that was there and is gone."""

from __future__ import annotations

import numpy as np
from manim import DashedVMobject, Line, VGroup
from numpy.typing import NDArray

from scenes.parts.matrices.block_map import BlockMap
from scenes.style.text import Number
from scenes.style.theme import theme
from scenes.style.type import MIN_SIZE, SMALL

_ROOMY = 0.3
"""The least width of a cell, in units, with room for a cross beside its number."""
_DASHES = 16


def wrong_cell(board: BlockMap, i: int, j: int) -> VGroup:
    """A frame and a cross on cell (i, j), with its number if that is 0, which maps leave out.

    A narrow cell has its cross in the middle, or only the frame if a number stands there.
    """
    cell, color = board.cell(i, j).inset(0.05), theme().wrong
    value, roomy = float(board.values[i, j]), cell.width > _ROOMY
    mark = VGroup(board.frame(cell, color, 4))
    least = min(cell.width, cell.height)
    if roomy:
        arm = 0.13 * least
        mark.add(*_cross(np.array([cell.right - 0.02 - arm, cell.top - 0.02 - arm, 0]), arm, color))
    elif value == 0:
        mark.add(*_cross(board.middle(i, j), 0.25 * least, color))
    if roomy and value == 0:
        number = Number(value, "d", size=SMALL, color=theme().text_color("wrong"))
        mark.add(number.center_on(board.middle(i, j)))
    return mark


def lost_cell(board: BlockMap, i: int, j: int, value: float, spec: str) -> VGroup:
    """A number that stood in cell (i, j), in a dashed frame."""
    aside = 0.07 if board.cell_width > _ROOMY + 0.1 else 0.03
    frame = board.frame(board.cell(i, j).inset(aside, 0.09), theme().wrong, 3)
    number = Number(value, spec, size=MIN_SIZE, color=theme().text_color("wrong"))
    return VGroup(
        DashedVMobject(frame, num_dashes=_DASHES if board.cell_width > _ROOMY else _DASHES // 2),
        number.center_on(board.middle(i, j)),
    )


def _cross(middle: NDArray[np.float64], arm: float, color: str) -> list[Line]:
    ends = [arm * np.array([1.0, side, 0.0]) for side in (1, -1)]
    return [Line(middle - end, middle + end, stroke_width=4, color=color) for end in ends]
