"""One frequency for all pairs, beside the schedule."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.rope.aliasing import OneSpeed
from clockhead.model.previous_token.head import PreviousTokenHead


def heads(d_head: int = 8, alpha: float = 40.0, short: int = 32, long: int = 46) -> OneSpeed:
    return OneSpeed(short, long, 1.0, PreviousTokenHead(long, d_head, alpha))


@pytest.mark.parametrize(("d_head", "alpha"), [(8, 40.0), (32, 10.0)])
def test_at_one_frequency_a_long_text_has_an_alias(d_head, alpha):
    found = heads(d_head, alpha)
    assert found.alias == 44
    assert found.alias_turns == pytest.approx(7, abs=0.01)
    assert found.mass_short == pytest.approx(0.709, abs=5e-4)
    assert found.mass_long == pytest.approx(0.419, abs=5e-4)
    assert found.missed == pytest.approx(1 - found.mass_long)
    assert found.alias_mass == pytest.approx(0.409, abs=2e-3)
    assert found.schedule_mass_long > 0.997
    assert (found.comes_round, found.returns, found.splits, found.schedule_holds) == (True,) * 4
    assert found.schedule_alias_mass < 1e-3
    assert found.schedule_disagrees
    assert (found.alias_place, found.target, found.oldest) == (0, 44, 14)


def test_rows_are_aligned_at_the_last_token():
    found = heads(short=30)
    assert_array_equal(found.further_back[[0, -2, -1]], [44, 0, -1])
    assert_array_equal(found.back[[0, -2, -1]], [45, 1, 0])
    assert found.equal_rows.shape == (17, 46)
    assert_allclose(found.equal_rows.sum(axis=1), 1)
    assert_allclose(found.schedule_rows.sum(axis=1), 1)
    for row, length in zip(found.equal_rows, found.lengths, strict=True):
        alone = PreviousTokenHead(int(length), 8, 40.0, schedule=(1.0,) * 4)
        assert_allclose(row[46 - length :], alone.pattern[-1], atol=1e-12)
        assert not row[: 46 - length].any()
    assert found.equal_rows[-1, -2] == found.mass_long
    assert_array_equal(found.equal_masses, found.equal_rows[:, -2])
    assert found.equal_rows[0, -2] == found.mass_short
    assert found.schedule_rows[0, -2] == found.schedule_mass_short


def test_a_near_miss_nearly_agrees_and_is_seen():
    found = heads()
    assert found.short_rival.offset == 25
    assert found.has_near_miss
    assert not heads(alpha=1e4).has_near_miss
    assert not heads(short=4).has_near_miss


def test_phases_are_those_of_the_offset():
    found = heads()
    assert_allclose(found.equal_phases[0], [-44.0] * 4)
    assert_array_equal(found.equal_phases[-2], np.zeros(4))
    assert_allclose(found.schedule_phases[0], -44 * np.array([1, 0.1, 0.01, 0.001]))
    assert_allclose(found.equal_periods, 2 * np.pi)
    assert_allclose(found.schedule_periods, 2 * np.pi * np.array([1, 10, 100, 1000]))


def test_what_many_speeds_have_to_be_to_be_better():
    found = heads()
    assert found.slowdown == pytest.approx(1000)
    assert (found.speeds_differ, found.schedule_leads) == (True, True)
    alike = OneSpeed(32, 46, 1.0, PreviousTokenHead(46, 8, 40.0, base=1.0))
    assert alike.slowdown == 1
    assert (alike.speeds_differ, alike.schedule_leads) == (False, False)


def test_slow_hands_do_not_return():
    slow = OneSpeed(32, 46, 0.05, PreviousTokenHead(46, 8, 40.0))  # a turn takes 126 positions
    assert (slow.alias, slow.returns, slow.comes_round) == (1, False, False)
    almost = OneSpeed(5, 9, 1.0, PreviousTokenHead(9, 8, 40.0))  # cos 6 = .96
    assert (almost.alias, almost.returns, almost.comes_round) == (6, True, False)


def test_a_mass_is_never_all():
    found = heads(d_head=256)
    assert found.schedule.masses[-1] == 1.0
    assert 1 - 1e-15 < found.schedule_mass_long < 1
    assert 1 - 1e-15 < found.schedule_mass_short < 1


def test_lengths_that_make_no_sense():
    head = PreviousTokenHead(46, 8, 40.0)
    with pytest.raises(ValueError, match="short must be below long"):
        OneSpeed(46, 46, 1.0, head)
    with pytest.raises(ValueError, match="schedule must be a head of 40 tokens, got 46"):
        OneSpeed(32, 40, 1.0, head)
    with pytest.raises(ValueError, match="frequency"):
        OneSpeed(32, 46, 0.0, head)
