"""Logits that become attention, rows of two halves, weights as a picture: states, not frames."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from model.attention import pattern_from_scores
from model.onehot_induction import SLIDE_TEXT, SLIDE_VOCABULARY, OneHotInduction
from scenes.parts.matrices.halves import Half, Halves, land, names, token_half
from scenes.parts.matrices.logit_map import LogitMap
from scenes.parts.matrices.weight_picture import WeightPicture
from scenes.style.layout import Region
from scenes.style.text import Label
from scenes.style.theme import CHALK

ROOM = Region(-6, -3, 6, 3)
HEAD = OneHotInduction(tuple(SLIDE_TEXT), SLIDE_VOCABULARY)
TOKENS = list(SLIDE_TEXT)


def end(animation) -> None:
    """Take an animation to its end."""
    animation.begin()
    animation.interpolate(1.0)
    animation.finish()


@pytest.fixture
def logits() -> LogitMap:
    part = LogitMap(HEAD.scores_1, ROOM, queries=TOKENS, keys=TOKENS, key_name="key", high=100)
    end(part.fill_rows())
    return part


def halves() -> Halves:
    right = Half("position", names(list("012345"), 6), CHALK.position, CHALK.position)
    return Halves(np.zeros((6, 12)), ROOM, TOKENS, token_half("token", TOKENS, 6), right)


def test_logits_appear_in_every_cell(logits: LogitMap):
    assert logits.shown.all()
    assert logits.numbers[1, 0].text == "100"
    assert logits.numbers[0, 5].text == "−100"


def test_the_mask_takes_later_keys_and_nothing_else(logits: LogitMap):
    gone = logits.numbers[0, 5]
    end(logits.mask())
    assert_array_equal(logits.shown, np.tri(6, dtype=bool))
    assert gone.get_fill_opacity() == 0
    assert (0, 5) not in logits.numbers


def test_the_softmax_ends_with_the_pattern_itself(logits: LogitMap):
    end(logits.mask())
    pattern = np.where(HEAD.pattern_1 < 1e-12, 0, HEAD.pattern_1)
    end(logits.softmax(pattern))
    assert_array_equal(logits.values, pattern)
    assert {place: number.text for place, number in logits.numbers.items()} == {
        (max(row, 0), max(row - 1, 0)): "1" for row in range(6)
    }
    assert all(number.get_fill_opacity() == 1 for number in logits.numbers.values())


def test_shares_read_as_fractions_do():
    part = LogitMap(HEAD.scores_2, ROOM, queries=TOKENS, keys=TOKENS, key_name="key", high=100)
    end(part.fill_rows())
    end(part.mask())
    end(part.softmax(pattern_from_scores(np.zeros((6, 6)))))
    assert part.numbers[2, 0].text == "0.33"
    assert part.numbers[5, 5].text == "0.17"


def test_a_map_that_has_moved_still_writes_into_its_cells(logits: LogitMap):
    before = logits.middle(2, 1)
    end(logits.slide([-1.5, 0.25, 0.0]))
    assert_allclose(logits.middle(2, 1) - before, [-1.5, 0.25, 0])
    logits.show(logits.values)
    assert_allclose(logits.numbers[2, 1].get_center(), logits.middle(2, 1), atol=0.15)
    assert_allclose(logits.slots.get_center()[:2], logits.area.center[:2], atol=1e-6)


def test_columns_take_other_names(logits: LogitMap):
    before = [*logits.column_names, *logits.block_names]
    renaming = logits.rename(list("uvwxyz"), "value")
    after = [*logits.column_names, *logits.block_names]
    assert [name.text for name in after] == [*"uvwxyz", "value"]
    renaming.begin()
    for share in (0.0, 0.3, 0.5, 0.8):
        renaming.interpolate(share)
        opacities = [max(n.get_fill_opacity() for n in names) for names in (before, after)]
        assert min(opacities) == 0, "old and new names are never seen together"
    end(renaming)
    assert all(name.get_fill_opacity() == 1 for name in after)
    assert not set(before) & set(logits.get_family())


def test_the_names_of_rows_and_of_columns_stay_in_the_region():
    narrow = Region(-1.5, -2, 1.5, 2)
    part = LogitMap(
        np.eye(6) * 100, narrow, queries=list("abcdef"), keys=list("abcdef"), key_name="k", high=1
    )
    assert part.left >= narrow.left - 1e-6
    assert part.left == pytest.approx(part.row_title.get_left()[0])
    assert part.row_title.get_right()[0] < part.area.left


def test_both_halves_stand_row_by_row_with_a_map_of_as_many_rows(logits: LogitMap):
    table = halves()
    for row in range(6):
        y = table.left.middle(row, 0)[1]
        assert table.right.middle(row, 0)[1] == pytest.approx(y)
        assert logits.middle(row, 0)[1] == pytest.approx(y)
    assert table.right.middle(0, 0)[0] > table.left.middle(0, 5)[0]
    assert table.area.right <= ROOM.right + 1e-6


def test_chips_land_and_leave_their_row():
    board, values = halves().left, HEAD.resid_pre[:, :6]
    chips = [Label(token) for token in TOKENS]
    end(land(board, values, chips, HEAD.text.indices.tolist()))
    assert_array_equal(board.values, values)
    assert all(chip.get_fill_opacity() == 0 for chip in chips)


@pytest.mark.parametrize(
    ("weights", "active", "legend"),
    [
        (HEAD.weights.w_qk_1, (1, 1), ["100", "0", "−100"]),
        (HEAD.weights.w_qk_2, (0, 1), ["100", "0"]),
    ],
)
def test_the_picture_frames_the_block_that_is_not_zero(weights, active, legend):
    part = WeightPicture(weights, ROOM, name="A", halves=("token", "position"), active=active)
    inside = [
        (i, j)
        for i, j in np.ndindex(weights.shape)
        if part.block.left < part.map.middle(i, j)[0] < part.block.right
        and part.block.bottom < part.map.middle(i, j)[1] < part.block.top
    ]
    rest = weights.copy()
    for place in inside:
        rest[place] = 0
    assert len(inside) == 36
    assert not rest.any()
    assert [piece.text for piece in part.legend if isinstance(piece, Label)] == legend
