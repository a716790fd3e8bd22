"""From logits to a word: softmax at a temperature, and draws."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.attention.next_word import next_word, probabilities_at
from clockhead.model.films.attention.temperature import draw_words, temperature_walk
from clockhead.model.primer.weights import LOGITS_5, VOCABULARY

LOGITS = np.array(LOGITS_5)
PRIMER = next_word(VOCABULARY, LOGITS)
MAT, FLOOR, ON = (VOCABULARY.index(word) for word in ("mat", "floor", "on"))

# CONSTRUCTIONS.md 2a: temperature, mat, floor, on.
TABLE = [
    (0.1, 0.951747, 0.047385, 0.000868),
    (0.5, 0.535204, 0.293726, 0.131980),
    (0.7, 0.430534, 0.280467, 0.158385),
    (1.0, 0.314527, 0.233007, 0.156189),
    (2.0, 0.156564, 0.134755, 0.110328),
    (100.0, 0.051350, 0.051196, 0.050991),
]

logits_of_some_words = st.lists(st.floats(-20, 20), min_size=1, max_size=24)
temperatures = st.floats(0.05, 100)


def plain_softmax(logits, temperature):
    """The textbook formula on Python floats, by powers and not by exponentials."""
    powers = [(math.e ** (1 / temperature)) ** (logit - max(logits)) for logit in logits]
    return [power / math.fsum(powers) for power in powers]


def after(logits, temperature=1.0):
    return next_word(tuple(f"w{k}" for k in range(len(logits))), np.array(logits), temperature)


def primer_at(temperature):
    return next_word(VOCABULARY, LOGITS, temperature)


@pytest.mark.parametrize(("temperature", "mat", "floor", "on"), TABLE)
def test_the_primer_s_logits_at_a_temperature(temperature, mat, floor, on):
    found = primer_at(temperature)
    assert_allclose(found.probabilities[[MAT, FLOOR, ON]], [mat, floor, on], atol=5e-7)
    assert (found.greedy, found.greedy_word) == (MAT, "mat")
    assert found.greedy_share == pytest.approx(mat, abs=5e-7)


@given(logits_of_some_words, temperatures)
def test_shares_agree_with_the_plain_formula(logits, temperature):
    found, shares = after(logits, temperature), plain_softmax(logits, temperature)
    assert_allclose(found.probabilities, shares, rtol=1e-9, atol=1e-300)
    assert found.probabilities.sum() == pytest.approx(1)
    assert_allclose(probabilities_at(logits, [temperature, 1.0])[0], shares, rtol=1e-9)


@given(logits_of_some_words, temperatures, temperatures)
def test_the_order_is_that_of_the_logits_and_heat_undecides(logits, one, other):
    cold, hot = (after(logits, t) for t in sorted((one, other)))
    ordered = hot.logits[hot.order]
    assert (np.diff(ordered) <= 0).all()
    assert_array_equal(cold.order, hot.order)
    for found in (cold, hot):
        assert (np.diff(found.probabilities[found.order]) <= 0).all()
        assert found.greedy_share == found.probabilities.max()


def test_equal_logits_share_and_the_first_comes_first():
    found = after([1.5, 4.0, 4.0, 4.0, -2.0])
    assert (found.greedy, found.greedy_word, found.n_likeliest) == (1, "w1", 3)
    assert_array_equal(found.order, [1, 2, 3, 0, 4])
    assert len(set(found.probabilities[1:4])) == 1
    alike = after([2.0] * 4, 0.3)
    assert_allclose(alike.probabilities, 0.25)
    assert PRIMER.n_likeliest == 1


def test_far_from_the_best_there_is_nothing_left_and_no_nan():
    found = after([0.0, -9.0], 0.01)
    assert_allclose(found.probabilities, [1.0, 0.0])
    assert found.greedy_share < 1  # so that no one reads that nothing else could come


def test_draws_are_counted():
    drawn = draw_words(PRIMER, 20, 0)
    counts = [list(drawn.places).count(k) for k in range(20)]
    assert_array_equal(drawn.shares, np.array(counts) / 20)
    assert drawn.places.shape == (20,)
    assert sum(counts) == 20
    assert drawn.n_greedy == counts[MAT]


def test_a_seed_repeats_and_another_one_does_not():
    assert_array_equal(draw_words(PRIMER, 50, 3).places, draw_words(PRIMER, 50, 3).places)
    assert_array_equal(draw_words(PRIMER, 50, 3).places[:20], draw_words(PRIMER, 20, 3).places)
    assert (draw_words(PRIMER, 50, 3).places != draw_words(PRIMER, 50, 4).places).any()


def test_many_draws_come_near_the_probabilities():
    n = 200_000
    errors = draw_words(PRIMER, n, 1).shares - PRIMER.probabilities
    spread = np.sqrt(PRIMER.probabilities * (1 - PRIMER.probabilities) / n)
    assert (np.abs(errors) < 4.5 * spread).all()


@given(logits_of_some_words, temperatures, st.integers(0, 2**32 - 1))
def test_only_words_that_can_come_are_drawn(logits, temperature, seed):
    found = after(logits, temperature)
    drawn = draw_words(found, 30, seed)
    assert drawn.shares.sum() == pytest.approx(1)
    assert (found.probabilities[drawn.places] > 0).all()


def test_a_walk_goes_from_stop_to_stop():
    walk = temperature_walk(VOCABULARY, LOGITS, (1.0, 2.0, 0.5, 0.1), n_draws=20, seed=7)
    assert (walk.n_words, walk.first.temperature, walk.final.temperature) == (20, 1.0, 0.1)
    assert_array_equal(walk.probabilities[1], primer_at(2.0).probabilities)
    steps = walk.way_temperatures.shape[1]
    assert walk.way_temperatures.shape == (3, steps)
    assert walk.way_probabilities.shape == (3, steps, 20)
    for k in range(3):
        way = walk.way_temperatures[k]
        assert_allclose(way[[0, -1]], walk.temperatures[k : k + 2], rtol=1e-12)
        assert np.ptp(np.diff(np.log(way))) < 1e-12
        assert_allclose(walk.way_probabilities[k, -1], walk.probabilities[k + 1], rtol=1e-9)
        between = primer_at(float(way[steps // 2]))
        assert_allclose(walk.way_probabilities[k, steps // 2], between.probabilities, rtol=1e-9)
        assert_array_equal(walk.first_draws.places, draw_words(PRIMER, 20, 7).places)
    assert_array_equal(walk.final_draws.places, draw_words(primer_at(0.1), 20, 7).places)


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: next_word(("a", "b"), np.zeros(3)), r"2 numbers, one for each word"),
        (lambda: next_word(("a", "b"), np.array([0.0, np.nan])), "logits must"),
        (lambda: next_word(("a", "b"), np.zeros(2), 0.0), "temperatures must"),
        (lambda: next_word(("a", "b"), np.zeros(2), -1.0), "temperatures must"),
        (lambda: temperature_walk(("a",), np.zeros(1), (1.0, 0.0)), "temperatures must"),
        (lambda: temperature_walk(("a", "b"), np.zeros(2), (2.0,)), "at least two temperatures"),
        (lambda: probabilities_at([1.0], [1.0, -2.0]), "above 0, got -2"),
        (lambda: probabilities_at([np.inf], [1.0]), "logits must"),
    ],
)
def test_what_makes_no_sense_is_refused(make, match):
    with pytest.raises(ValueError, match=match):
        make()
