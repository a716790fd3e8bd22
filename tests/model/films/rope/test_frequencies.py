"""The schedule of frequencies at position 1 and at position m."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from clockhead.model.films.rope.frequencies import schedule_of
from clockhead.model.films.rope.words import told_words

WORDS = told_words(("dog", "bites", "man"), 1, (1.0, 0.1))


def schedule(d_head=8, base=10_000.0, m=44):
    return schedule_of(WORDS, d_head, base, m)


def test_the_default_is_a_decimal_clock():
    clock = schedule()
    assert_allclose(clock.frequencies, [1, 0.1, 0.01, 0.001])
    assert_allclose(clock.periods, [6.2832, 62.832, 628.32, 6283.2], rtol=1e-4)
    assert_allclose(clock.round_phases, 2 * np.pi * clock.frequencies)
    assert clock.factor == pytest.approx(10)
    assert clock.n_pairs == 4
    assert_allclose(clock.near_degrees, [57.2958, 5.72958, 0.572958, 0.0572958], rtol=1e-5)


def test_after_44_positions_the_fastest_is_almost_back_and_the_next_is_not():
    clock = schedule()
    assert clock.far_wedges[0] == pytest.approx(np.rad2deg(44 - 14 * np.pi))
    assert clock.far_wedges[1] == pytest.approx(252.1, abs=0.05)
    assert clock.far_cosines[0] == pytest.approx(0.99984, abs=1e-5)
    assert clock.far_cosines[1:].min() == pytest.approx(np.cos(4.4))
    assert clock.slower_pair_tells
    assert not schedule(4, 1e7, 6).slower_pair_tells
    assert not schedule(m=40).slower_pair_tells


@given(st.sampled_from([4, 8, 16, 64]), st.floats(1, 1e7), st.integers(1, 1000))
def test_every_pair_is_slower_by_the_factor(d_head, base, m):
    clock = schedule(d_head, base, m)
    assert_allclose(clock.periods[1:] / clock.periods[:-1], clock.factor)
    assert clock.fastest_period == pytest.approx(2 * np.pi)
    assert clock.slowest_period == pytest.approx(2 * np.pi * base ** (1 - 2 / d_head))
    assert_allclose(clock.far_cosines, np.cos(np.deg2rad(clock.far_wedges)), atol=1e-9)
    assert_allclose(clock.far_phases, m * np.deg2rad(clock.near_degrees))


def test_a_single_pair_is_no_schedule():
    with pytest.raises(ValueError, match="d_head must be at least 4"):
        schedule(2)
