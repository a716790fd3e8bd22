"""Matrices made of blocks: cells where they belong, shades and numbers that are the values."""

import numpy as np
import pytest
from manim import VMobject

from scenes.parts.matrices.block_map import Block, BlockMap
from scenes.style.layout import Region
from scenes.style.theme import CHALK, contrast, mix

ROOM = Region(-6, -3, 6, 3)
VALUES = np.array([[1.0, 0.0, 0.5, 0.0], [0.0, 1.0, 0.0, -1.0], [0.25, 0.0, 0.0, 1.0]])
LANES = [Block("cur", 2, CHALK.token), Block("prev", 2, CHALK.key)]


def cells(part: BlockMap) -> dict[tuple[float, float], str]:
    """The fill of every drawn cell, by its middle."""
    return {
        tuple(np.round((square.min(0) + square.max(0))[:2] / 2, 6)): path.get_fill_color().to_hex()
        for path in part.submobjects
        if type(path) is VMobject
        for square in path.points.reshape(-1, 16, 3)
    }


def at(part: BlockMap, i: int, j: int) -> tuple[float, float]:
    return tuple(np.round(part.middle(i, j)[:2], 6))


def test_every_cell_has_the_shade_of_its_value_in_the_colour_of_its_block():
    part = BlockMap(VALUES, ROOM, columns=LANES, negative=CHALK.wrong)
    fills = cells(part)
    assert len(fills) == VALUES.size
    assert fills[at(part, 0, 0)] == CHALK.token
    assert fills[at(part, 2, 3)] == CHALK.key
    assert fills[at(part, 1, 3)] == CHALK.wrong
    assert fills[at(part, 0, 2)] == mix(CHALK.panel, CHALK.key, 0.5)
    assert fills[at(part, 0, 1)] == CHALK.panel
    part.show(1 - VALUES)
    assert cells(part)[at(part, 0, 1)] == CHALK.token


def test_blocks_stand_apart_and_hold_their_cells():
    part = BlockMap(VALUES, ROOM, columns=LANES, rows=[Block("", 1), Block("", 2)])
    first, second = part.block(0), part.block(1)
    assert second.left - first.right == pytest.approx(0.14)
    assert first.width == pytest.approx(2 * part.cell_width)
    assert part.block(1, 0).height == pytest.approx(part.cell_height)
    x, y = part.middle(1, 2)[:2]
    low = part.block(1, 1)
    assert low.left < x < low.right
    assert low.bottom < y < low.top


@pytest.mark.parametrize("room", [ROOM, Region(-1, -3, 1, 3), Region(-6, -0.8, 6, 0.8)])
def test_a_map_stays_in_its_region(room: Region):
    names = ["a", "b", "BOS"]
    part = BlockMap(VALUES, room, columns=LANES, row_names=names, column_names="abcd", most_cell=9)
    assert part.width <= room.width + 1e-6
    assert part.height <= room.height + 1e-6


def test_numbers_are_the_values_and_legible():
    part = BlockMap(VALUES, ROOM, columns=LANES, spec=".2f", negative=CHALK.wrong)
    assert {place: number.value for place, number in part.numbers.items()} == {
        (i, j): VALUES[i, j] for i, j in zip(*np.nonzero(VALUES), strict=True)
    }
    part.show(np.roll(VALUES, 1))
    fills = cells(part)
    for (i, j), number in part.numbers.items():
        assert number.value == np.roll(VALUES, 1)[i, j]
        assert contrast(number.get_fill_color().to_hex(), fills[at(part, i, j)]) >= 4.5


def test_numbers_without_room_are_not_written():
    part = BlockMap(VALUES, ROOM, spec=".2f", most_cell=0.2)
    assert all(number.get_fill_opacity() == 0 for number in part.numbers.values())


def test_cells_appear_in_order_and_not_before():
    part = BlockMap(VALUES, ROOM, hidden=np.ones(VALUES.shape, bool), spec=".2f")
    assert not cells(part)
    assert not part.numbers
    order = np.broadcast_to(np.arange(3)[:, None], VALUES.shape)
    drive = part.appear(order)
    drive.interpolate_mobject(0.5)
    assert {round(y, 6) for _, y in cells(part)} == {at(part, 0, 0)[1], at(part, 1, 0)[1]}
    drive.interpolate_mobject(1.0)
    assert len(cells(part)) == VALUES.size
