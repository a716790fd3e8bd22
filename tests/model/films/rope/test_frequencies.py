"""The schedule of frequencies, and where the fastest pair comes round."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from clockhead.model.films.rope.frequencies import rope_schedule
from clockhead.model.films.rope.words import word_scores

WORDS = word_scores(("dog", "bites", "man"), 1, (1.0, 0.1))


def schedule(d_head=8, base=10_000.0):
    return rope_schedule(WORDS, d_head, base)


def test_the_default_is_a_decimal_clock():
    clock = schedule()
    assert_allclose(clock.frequencies, [1, 0.1, 0.01, 0.001])
    assert_allclose(clock.periods, [6.2832, 62.832, 628.32, 6283.2], rtol=1e-4)
    assert clock.doubled.tolist() == [0, 2, 4, 6]
    assert clock.factor == pytest.approx(10)
    assert clock.n_pairs == 4
    assert clock.fast_degrees == pytest.approx(57.2958, abs=1e-4)
    assert clock.counted.tolist() == [*range(7)]
    assert_allclose(clock.round_phase, [2 * np.pi])


def test_after_44_positions_the_fastest_is_back_and_the_next_is_not():
    clock = schedule()
    assert clock.m == 44
    assert clock.fast_phase % (2 * np.pi) == pytest.approx(44 - 14 * np.pi)
    assert clock.far_cosines[0] == pytest.approx(0.99984, abs=1e-5)
    assert clock.far_cosines[1:].min() == pytest.approx(np.cos(4.4))
    assert clock.slower_pair_tells
    assert not schedule(4, 1e6).slower_pair_tells


def test_another_base_changes_all_speeds_but_the_first():
    clock = schedule()
    assert (clock.low_base, clock.high_base) == (100, 1e6)
    assert_allclose(clock.low_phases[1:] / clock.phases[1:], 100 ** np.array([0.25, 0.5, 0.75]))
    assert_allclose(clock.phases[1:] / clock.high_phases[1:], 100 ** np.array([0.25, 0.5, 0.75]))
    assert clock.low_phases[0] == clock.phases[0] == clock.high_phases[0]
    assert_allclose(clock.low_periods, 2 * np.pi * 44 / clock.low_phases)
    assert_allclose(clock.high_periods, 2 * np.pi * 44 / clock.high_phases)


@given(st.sampled_from([4, 8, 16, 64]), st.floats(100, 1e7))
def test_every_pair_is_slower_by_the_factor(d_head, base):
    clock = schedule(d_head, base)
    assert_allclose(clock.frequencies[:-1] / clock.frequencies[1:], clock.factor)
    assert clock.fastest_period == pytest.approx(2 * np.pi)
    assert_allclose(clock.far_cosines, np.cos(clock.phases), atol=1e-9)


def test_a_single_pair_is_no_schedule():
    with pytest.raises(ValueError, match="d_head must be at least 4"):
        schedule(2)
