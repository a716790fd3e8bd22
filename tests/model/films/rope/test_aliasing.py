"""One frequency for all pairs, beside the schedule."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.rope.aliasing import equal_and_scheduled
from clockhead.model.previous_token.head import previous_token_head


def heads(d_head=8, alpha=40.0, short=32, long=46, theta=1.0, base=10_000.0):
    return equal_and_scheduled(short, long, theta, d_head, alpha, base)


@pytest.mark.parametrize(("d_head", "alpha"), [(8, 40.0), (32, 10.0)])
def test_at_one_frequency_a_long_text_has_an_alias(d_head, alpha):
    found = heads(d_head, alpha)
    assert found.alias == 44
    assert found.alias_turns == pytest.approx(7, abs=0.01)
    assert found.weight_short == pytest.approx(0.709, abs=5e-4)
    assert found.weight_long == pytest.approx(0.419, abs=5e-4)
    assert found.missed == pytest.approx(1 - found.weight_long)
    assert found.equal_rows[-1, found.alias_place] == pytest.approx(0.409, abs=2e-3)
    assert found.schedule_weight_long > 0.997
    assert (found.comes_round, found.returns, found.splits, found.schedule_holds) == (True,) * 4
    assert found.schedule_rows[-1, found.alias_place] < 1e-3
    assert found.schedule_disagrees
    assert (found.alias_place, found.target, found.oldest) == (0, 44, 14)


def test_rows_are_aligned_at_the_last_token():
    found = heads(short=30)
    assert_array_equal(found.back[[0, -2, -1]], [45, 1, 0])
    assert found.equal_rows.shape == (17, 46)
    assert_allclose(found.equal_rows.sum(axis=1), 1)
    assert_allclose(found.schedule_rows.sum(axis=1), 1)
    for row, length in zip(found.equal_rows, range(30, 47), strict=True):
        alone = previous_token_head(length, 8, 40.0, frequencies=(1.0,) * 4)
        assert_allclose(row[46 - length :], alone.pattern[-1], atol=1e-12)
        assert not row[: 46 - length].any()
    assert_array_equal(found.equal_weights, found.equal_rows[:, -2])
    assert (found.weight_short, found.weight_long) == tuple(found.equal_weights[[0, -1]])
    assert found.schedule_weight_short == found.schedule_rows[0, -2]


def test_a_near_miss_nearly_agrees_and_is_seen():
    assert heads().has_near_miss  # 25 positions before the target
    assert not heads(alpha=1e4).has_near_miss
    assert not heads(short=4).has_near_miss


def test_phases_are_those_of_the_distance_to_the_target():
    found = heads()
    assert_allclose(found.equal_phases[0], [-44.0] * 4)
    assert_array_equal(found.equal_phases[-2], np.zeros(4))
    assert_allclose(found.schedule_phases[0], -44 * np.array([1, 0.1, 0.01, 0.001]))
    assert_allclose(found.equal_periods, 2 * np.pi)
    assert_allclose(found.schedule_periods, 2 * np.pi * np.array([1, 10, 100, 1000]))


def test_what_many_speeds_have_to_be_to_be_better():
    found, alike = heads(), heads(base=1.0)
    assert found.slowdown == pytest.approx(1000)
    assert (found.speeds_differ, found.schedule_leads) == (True, True)
    assert alike.slowdown == 1
    assert (alike.speeds_differ, alike.schedule_leads) == (False, False)


def test_slow_hands_do_not_return():
    slow = heads(theta=0.05)  # a turn takes 126 positions
    assert (slow.alias, slow.returns, slow.comes_round) == (1, False, False)
    almost = heads(short=5, long=9)  # cos 6 = .96
    assert (almost.alias, almost.returns, almost.comes_round) == (6, True, False)


def test_a_weight_is_never_all():
    found = heads(d_head=256)
    assert 1 - 1e-15 < found.schedule_weight_long < 1
    assert 1 - 1e-15 < found.schedule_weight_short < 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"short": 46}, "short must be"),
        ({"short": 2}, "short must be"),
        ({"theta": 0.0}, "frequency"),
    ],
)
def test_lengths_that_make_no_sense(arguments, message):
    with pytest.raises(ValueError, match=message):
        heads(**arguments)
