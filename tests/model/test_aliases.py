import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from model.aliases import BLOCK, best_rival, near_aliases
from model.rope import rope_frequencies


def test_the_near_aliases_of_one_radian_per_step():
    found = near_aliases(1, 1000)
    assert_array_equal(found.offsets, [6, 19, 25, 44, 333, 710])
    assert_array_equal(found.full_turns, [1, 3, 4, 7, 53, 113])


@pytest.mark.parametrize(("offset", "lacking"), [(6, 0.0398), (44, 1.57e-4), (710, 1.8e-9)])
def test_how_close_the_near_aliases_come(offset, lacking):
    found = near_aliases(1, 1000)
    cosine = found.cosines[found.offsets.tolist().index(offset)]
    assert 1 - cosine == pytest.approx(lacking, rel=0.02)


def test_the_alias_of_the_film():
    found = near_aliases(1, 46)
    assert found.offsets[-1] == 44
    assert round(float(found.cosines[-1]), 5) == 0.99984


def test_a_hand_that_just_reaches_the_floor_is_kept():
    assert near_aliases(1, 46, at_least=math.cos(44)).offsets.tolist() == [44]


def test_a_whole_number_of_steps_per_turn_is_an_exact_alias():
    found = near_aliases(math.tau / 8, 100)
    assert_array_equal(found.offsets, [8])
    assert found.cosines[0] == 1


@given(st.floats(0.01, 3), st.integers(1, 300), st.floats(-1, 1))
def test_every_near_alias_beats_all_before_it(frequencies, up_to, at_least):
    found = near_aliases(frequencies, up_to, at_least)
    heights = [math.cos(offset * frequencies) for offset in range(1, up_to + 1)]
    records = [
        offset
        for offset in range(1, up_to + 1)
        if heights[offset - 1] >= at_least
        and all(heights[offset - 1] > height for height in heights[: offset - 1])
    ]
    assert found.offsets.tolist() == records


@pytest.mark.parametrize(
    ("d_head", "offset", "share"),
    [(8, 169646, 0.99999863), (16, 615746, 0.9515), (32, 1, 0.9571), (64, 1, 0.96615)],
)
def test_the_best_rival_of_a_head_among_a_million_offsets(d_head, offset, share):
    rival = best_rival(rope_frequencies(d_head), 10**6)
    assert rival.offset == offset
    assert rival.share == pytest.approx(share, abs=5e-5 if d_head > 8 else 5e-9)


def test_ten_turns_of_the_fast_hand_rival_the_neighbour_of_a_narrow_head():
    rival = best_rival(rope_frequencies(8), 255)
    assert rival.offset == 63
    assert rival.gap == pytest.approx(0.2082, abs=5e-5)


def test_a_rival_is_found_across_blocks():
    assert best_rival([math.tau / (BLOCK + 1)], BLOCK + 1).offset == BLOCK + 1


def test_the_share_is_what_the_gap_leaves():
    rival = best_rival(rope_frequencies(32), 31)
    assert rival.share * 16 + rival.gap == pytest.approx(16)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [((0, 5), "frequency"), ((1, 0), "up_to"), ((1, 5, 2), "at_least"), ((1, 5.5), "up_to")],
)
def test_bounds_that_make_no_sense_are_refused(arguments, name):
    with pytest.raises(ValueError, match=f"{name} must be"):
        near_aliases(*arguments)


def test_a_rival_needs_an_offset():
    with pytest.raises(ValueError, match="up_to must be a whole number of at least 1, got 0"):
        best_rival([1.0], 0)
