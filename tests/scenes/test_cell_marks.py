"""Marks on cells, and three tables in a frame: where they stand and what they say."""

import numpy as np
import pytest

from scenes.parts.matrices.block_map import BlockMap
from scenes.parts.matrices.cell_marks import lost_cell, wrong_cell
from scenes.parts.matrices.three_panels import ThreePanels
from scenes.style.layout import Region
from scenes.style.text import Number, Paragraph

ROOM = Region(-2, -2, 2, 2)
FRAMES = [Region(-6, -2, 6, 2), Region(-3, -4, 3, 4)]


def numbers(part) -> list[str]:
    return [piece.text for piece in part.get_family() if isinstance(piece, Number)]


def board(width: float) -> BlockMap:
    return BlockMap(np.eye(4), Region(-2 * width, -2, 2 * width, 2), most_cell=9, square=False)


@pytest.mark.parametrize("width", [0.25, 1.0])
@pytest.mark.parametrize("place", [(0, 0), (2, 1)])
def test_a_mark_stays_in_its_cell(width, place):
    part, cell = board(width), board(width).cell(*place)
    for mark in (wrong_cell(part, *place), lost_cell(part, *place, 0.5, ".1f")):
        left, right = mark.get_left()[0], mark.get_right()[0]
        bottom, top = mark.get_bottom()[1], mark.get_top()[1]
        assert cell.left - 0.03 <= left
        assert right <= cell.right + 0.03
        assert cell.bottom <= bottom
        assert top <= cell.top


def test_only_a_zero_is_written_by_its_mark():
    assert numbers(wrong_cell(board(1.0), 2, 1)) == ["0"]
    assert numbers(wrong_cell(board(1.0), 0, 0)) == []
    assert numbers(lost_cell(board(1.0), 2, 1, 0.25, ".2f")) == ["0.25"]


def test_a_narrow_cell_is_marked_without_covering_its_number():
    assert len(wrong_cell(board(0.25), 0, 0)) == 1
    assert numbers(wrong_cell(board(0.25), 2, 1)) == []


@pytest.mark.parametrize("frame", FRAMES)
def test_tables_names_and_feet_keep_apart(frame):
    panels = ThreePanels(frame, "BOS")
    heads = panels.heads([("one", "a"), ("two", "b"), ("three", "c")])
    for k, (head, table) in enumerate(zip(heads, panels.tables, strict=True)):
        foot = panels.foot(k, 1, (3, "d"), " of ", (4, "d"))
        assert numbers(foot) == ["3", "4"]
        for part in (head, foot):
            beside = part.get_right()[0] <= table.left
            above = part.get_bottom()[1] >= table.top
            assert beside or above or part.get_top()[1] <= table.bottom
    assert panels.tables[2].right <= frame.right
    assert panels.tables[2].bottom >= frame.bottom


def test_lines_with_mathematics_are_about_as_long_as_each_other():
    text = "$A_1$ asks one thing: does the key stand just before the query?"
    one = Paragraph(text, width=20.0, size=26.0)
    two = Paragraph(text, width=0.8 * one.width, size=26.0)
    assert two.height > 1.5 * one.height
    assert two.width < 0.65 * one.width
