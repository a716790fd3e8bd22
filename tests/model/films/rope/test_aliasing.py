"""One frequency for all pairs, beside the schedule."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.rope.aliasing import EACH, equal_and_scheduled
from clockhead.model.previous_token.head import previous_token_head


def heads(d_head=8, alpha=40.0, long=46, theta=1.0, base=10_000.0):
    return equal_and_scheduled(long, theta, d_head, alpha, base)


@pytest.mark.parametrize(("d_head", "alpha"), [(8, 40.0), (32, 10.0)])
def test_at_one_frequency_a_long_text_has_an_alias(d_head, alpha):
    found = heads(d_head, alpha)
    assert (found.alias, found.alias_back, found.alias_place, found.target) == (44, 45, 0, 44)
    assert found.weight == pytest.approx(0.419, abs=5e-4)
    assert found.alias_weight == pytest.approx(0.409, abs=2e-3)
    assert found.schedule_weight > 0.997
    assert found.schedule_row[found.alias_place] < 1e-3
    assert found.is_full
    assert found.is_round


def test_rows_are_those_of_the_heads():
    found = heads()
    assert_array_equal(found.back[[0, -2, -1]], [45, 1, 0])
    alone = previous_token_head(46, 8, 40.0, frequencies=(1.0,) * 4)
    assert_array_equal(found.equal_row, alone.pattern[-1])
    assert_array_equal(found.schedule_row, previous_token_head(46, 8, 40.0).pattern[-1])
    assert (found.weight, found.schedule_weight) == (found.equal_row[44], found.schedule_row[44])


def test_waves_are_cosines_and_add_up_to_the_score():
    found, rates = heads(), np.array([1, 0.1, 0.01, 0.001])
    assert found.places[0] == 1
    assert found.places[-1] == 45
    whole = (found.places[::EACH] - 1)[:, None] * rates
    assert_allclose(found.waves[:, ::EACH], np.cos(whole).T, atol=1e-12)
    assert_allclose(found.key_phases[::EACH], -whole)
    assert_allclose(np.cos(found.key_phases).sum(axis=1), found.score, atol=1e-12)
    scores = np.log(found.schedule_row[found.target :: -1][:8])
    assert_allclose(scores - scores[0], 40 * (found.score[::EACH][:8] - 4), atol=1e-9)
    assert found.score.argmax() == 0


def test_mixtures_run_from_the_schedule_to_one_frequency():
    found = heads(theta=1.5)
    assert_allclose(found.mixed_waves[:, 0], found.waves, atol=1e-12)
    equal = np.cos(1.5 * (found.places - 1))
    assert_allclose(found.mixed_waves[:, -1], np.tile(equal, (4, 1)), atol=1e-12)
    assert_allclose(found.mixed_scores[-1], 4 * equal, atol=1e-12)
    assert_allclose(found.mixed_phases[-1], found.equal_phases[found.alias_step], atol=1e-12)
    assert_allclose(found.mixed_phases[0], found.key_phases[found.alias_step], atol=1e-12)
    assert equal[found.alias_step] == pytest.approx(found.alias_cosine)


def test_the_query_is_the_key_one_position_back():
    found = heads()
    rates = np.array([1, 0.1, 0.01, 0.001])
    assert_allclose(found.last_phases - found.query_phases, rates)
    assert_allclose(found.query_phases, 44 * rates)
    assert not found.turned_upright.any()


def test_slow_hands_do_not_come_round():
    slow = heads(theta=0.05)  # a turn takes 126 positions
    assert (slow.alias, slow.is_round) == (1, False)
    almost = heads(long=9)  # cos 6 = .96
    assert (almost.alias, almost.is_round, almost.is_full) == (6, True, False)


def test_a_weight_is_never_all():
    assert 1 - 1e-15 < heads(d_head=256).schedule_weight < 1


def test_a_frequency_that_makes_no_sense():
    with pytest.raises(ValueError, match="frequency"):
        heads(theta=0.0)
