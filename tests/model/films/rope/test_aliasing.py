"""One frequency for all pairs, beside the schedule, in a long text."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.rope.aliasing import equal_and_scheduled
from clockhead.model.films.rope.word_before import STEPS_PER_TOKEN, word_before
from clockhead.model.previous_token.head import previous_token_head

RATES = np.array([1, 0.1, 0.01, 0.001])


def heads(d_head=8, alpha=40.0, long=46, theta=1.0, base=10_000.0):
    return equal_and_scheduled(long, theta, d_head, alpha, base)


def alone(long=46):
    return word_before(long, 8, 40.0, 10_000.0)


@pytest.mark.parametrize(("d_head", "alpha"), [(8, 40.0), (32, 10.0)])
def test_at_one_frequency_a_long_text_has_an_alias(d_head, alpha):
    found = heads(d_head, alpha)
    assert (found.alias, found.alias_back) == (44, 45)
    assert found.weight == pytest.approx(0.419, abs=5e-4)
    assert found.alias_weight == pytest.approx(0.409, abs=2e-3)
    assert found.alias_score == pytest.approx(alpha * d_head / 2 * np.cos(44))
    assert found.schedule_weight > 0.997
    assert found.own.row[0] < 1e-3
    assert found.is_full


def test_rows_are_those_of_the_heads():
    found = heads()
    assert_array_equal(found.own.back[[0, -2, -1]], [45, 1, 0])
    equal = previous_token_head(46, 8, 40.0, frequencies=(1.0,) * 4)
    assert_array_equal(found.equal.row, equal.pattern[-1])
    assert_array_equal(found.own.row, previous_token_head(46, 8, 40.0).pattern[-1])
    assert (found.weight, found.schedule_weight) == (found.equal.row[44], found.own.row[44])


def test_waves_are_cosines_and_add_up_to_the_score():
    found = alone()
    assert found.places[0] == 1
    assert found.places[-1] == 45
    whole = (found.places[::STEPS_PER_TOKEN] - 1)[:, None] * RATES
    assert_allclose(found.waves[:, ::STEPS_PER_TOKEN], np.cos(whole).T, atol=1e-12)
    assert_allclose(found.key_phases[::STEPS_PER_TOKEN], -whole)
    assert_allclose(40 * np.cos(found.key_phases).sum(axis=1), found.score, atol=1e-9)
    head = previous_token_head(46, 8, 40.0)
    assert_allclose(found.word_scores, head.scores[-1, -2::-1], atol=1e-9)
    assert_allclose(found.piles[:, 0], [160, 120, 80, 40])
    assert_allclose(-np.diff(found.piles, axis=0), found.parts[:-1], atol=1e-9)
    assert found.score.argmax() == 0


def test_the_second_best_word_is_a_turn_back():
    found = alone()
    assert found.full == pytest.approx(160)
    assert (found.second_back, found.words[6]) == (7, 7)
    assert found.second_score == pytest.approx(40 * np.cos(6 * RATES).sum())
    assert found.times == pytest.approx(found.row[-2] / found.row[-8])


def test_a_key_goes_from_the_first_word_to_the_target():
    found = alone()
    assert_array_equal(found.way[[0, -1]], [45, 1])
    assert_allclose(found.way_phases[[0, -1]], [0 * RATES, 44 * RATES])


def test_mixtures_run_from_the_schedule_to_one_frequency():
    found = heads(theta=1.5)
    own, step = found.own, found.alias_step
    assert_allclose(found.mixed_parts[:, 0], own.parts, atol=1e-9)
    equal = np.cos(1.5 * (own.places - 1))
    assert_allclose(found.mixed_parts[:, -1], np.tile(40 * equal, (4, 1)), atol=1e-9)
    assert_allclose(found.mixed_scores[-1], 160 * equal, atol=1e-9)
    assert_allclose(found.mixed_word_scores[0], own.word_scores, atol=1e-9)
    for phases, at in ((found.mixed_phases, step), (found.pause_phases, found.pause_step)):
        assert_allclose(phases[0], own.key_phases[at], atol=1e-12)
        assert_allclose(phases[-1], found.equal.key_phases[at], atol=1e-12)
    assert equal[step] == pytest.approx(found.alias_cosine)


def test_the_query_is_the_key_one_position_back():
    found = alone()
    assert_allclose(found.last_phases - found.query_phases, RATES)
    assert_allclose(found.query_phases, found.last_phases + found.step_back)
    assert not found.turned_upright.any()


def test_slow_hands_do_not_come_round():
    slow = heads(theta=0.05)  # a turn takes 126 positions
    assert slow.alias == 1
    almost = heads(long=9)  # cos 6 = .96
    assert (almost.alias, almost.is_full) == (6, False)


def test_a_weight_is_never_all():
    assert 1 - 1e-15 < heads(d_head=256).schedule_weight < 1


def test_a_frequency_that_makes_no_sense():
    with pytest.raises(ValueError, match="frequency"):
        heads(theta=0.0)
