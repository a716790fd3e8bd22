import math

import pytest

from clockhead.model.rope.aliases import BLOCK, best_rival
from clockhead.model.rope.rotation import rope_frequencies


@pytest.mark.parametrize(
    ("up_to", "offset", "lacking"), [(18, 6, 0.0398), (46, 44, 1.57e-4), (1000, 710, 1.8e-9)]
)
def test_the_best_rivals_at_one_radian_a_step(up_to, offset, lacking):
    rival = best_rival([1.0], up_to)
    assert rival.offset == offset
    assert rival.gap == pytest.approx(lacking, rel=0.02)


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


def test_a_rival_needs_an_offset():
    with pytest.raises(ValueError, match="up_to must be a whole number of at least 1, got 0"):
        best_rival([1.0], 0)
