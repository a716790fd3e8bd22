"""Rows that pour into one: as high as their shares, in their own colours, and then the sum."""

import numpy as np
import pytest

from clockhead.scenes.attention.pour import Pour
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.stage import Value
from clockhead.scenes.style.layout import Region

ROWS = np.array([[-1.0, 0.5], [1.0, 0.25], [0.75, -0.5]])
SHARES = np.array([0.5, 0.3, 0.2])
GOAL = Region(2.0, -1.0, 6.0, -0.5)


def pour(rows=ROWS, shares=SHARES, out=None, **like) -> Pour:
    source = Matrix(Value("rows", rows), low=-1.0, high=1.0, **like)
    source.place_cells(Region(-4.0, 0.0, 0.0, 3.0))
    out = shares @ rows if out is None else out
    return Pour(source, Value("shares", shares), Value("out", out), GOAL)


def run(animation, share=1.0) -> None:
    animation.begin()
    animation.interpolate(share)


def boxes(part) -> np.ndarray:
    """Bottom and top of every piece in the first column, from the highest down."""
    corners = np.concatenate([path.points.reshape(-1, 16, 3) for path in part._cells])
    first = corners[corners[:, :, 0].min(axis=1) < corners[:, :, 0].min() + 0.1][:, :, 1]
    ends = np.stack([first.min(axis=1), first.max(axis=1)], axis=1)
    return ends[np.argsort(-ends[:, 1])]


def wrong(part) -> list:
    """The readings that are not what is meant, as a stage would judge them."""
    return [
        reading
        for reading in part.readings()
        if abs(reading.says - float(reading.meant.content)) > reading.within
    ]


def poured(part, upto=3) -> Pour:
    for gesture in (part.shrink, part.stack, part.mix)[:upto]:
        run(gesture())
    return part


def test_a_row_of_another_height_is_found():
    part = poured(pour(), 2)
    part._cells.stretch(1.1, 1)
    assert wrong(part)


def test_rows_that_lie_in_another_order_are_found():
    part = poured(pour(), 1)
    part._cells.rotate(np.pi)
    assert wrong(part)


def test_a_sum_that_is_not_that_of_the_rows_is_found_by_its_colours():
    part = poured(pour())
    part._out = Value("out", ROWS.mean(axis=0))
    assert wrong(part)


@pytest.mark.parametrize(
    ("shares", "out"), [(SHARES, ROWS[0]), (SHARES, ROWS.mean(axis=0)), (2 * SHARES, None)]
)
def test_what_is_no_blend_of_the_rows_is_refused(shares, out):
    with pytest.raises(ValueError, match="is not the rows of rows times their shares"):
        pour(shares=shares, out=out)


def test_what_gets_no_share_cannot_be_seen():
    shares = np.array([1 - 1e-9, 0.0, 1e-9])
    part = poured(pour(shares=shares), 2)
    assert len(boxes(part)) == 1
    assert not wrong(part)


def test_a_single_row_is_its_own_blend():
    part = poured(pour(rows=ROWS[:1], shares=np.ones(1)))
    assert np.allclose(boxes(part), [[-1.0, -0.5]])
    assert not wrong(part)
