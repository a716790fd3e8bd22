import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.attention.pattern import softmax
from clockhead.model.caesar.cipher import ENGLISH, templates
from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.model.caesar.scores import unembedding_column
from clockhead.model.films.caesar.learned import (
    fit_columns,
    split_windows,
    standardise,
    weights,
)

LOGS = unembedding_column("log-likelihood")


def loss(column, shares, strength):
    """Summed cross-entropy over windows at rotation 0, plus the penalty."""
    chances = softmax(shares @ templates(column).T)
    return -np.log(chances[:, 0]).sum() + (column @ column) / (2 * strength)


@pytest.mark.parametrize(("length", "accuracy"), [(8, 0.692), (32, 1), (128, 1)])
def test_learned_weights_are_as_good_as_the_handmade_ones(length, accuracy):
    found = weights(length)
    assert found.learned_accuracy == pytest.approx(accuracy, abs=0.02)
    assert found.learned_accuracy == pytest.approx(found.log_accuracy, abs=0.02)
    assert found.learned_accuracy >= found.frequency_accuracy


def test_short_windows_teach_logarithms_and_long_ones_frequencies():
    by_frequencies, by_logs = (
        [np.corrcoef(weights(length).path[-1], other)[0, 1] for length in (8, 128)]
        for other in (ENGLISH, LOGS)
    )
    assert by_logs[0] == pytest.approx(0.96, abs=0.01) == weights(8).correlation
    assert by_frequencies[1] == pytest.approx(0.97, abs=0.01)
    assert by_logs[0] > by_frequencies[0]
    assert by_logs[1] < by_frequencies[1]


def test_no_column_nearby_is_better():
    seen, _ = split_windows(SAMPLE_ENGLISH, 16)
    column = fit_columns(seen)[-1]
    best = loss(column, seen, 10)
    rng = np.random.default_rng(0)
    for size in (1e-3, 0.1, 1):
        for nudge in rng.normal(scale=size, size=(20, 26)):
            assert loss(column + nudge, seen, 10) > best


def test_training_all_weights_at_all_rotations_by_plain_descent_ends_at_the_same_column():
    rng = np.random.default_rng(0)
    shares = rng.dirichlet(20 * ENGLISH / ENGLISH.sum(), size=8)
    turned = np.concatenate([np.roll(shares, r, axis=1) for r in range(26)])
    truth = np.eye(26)[np.repeat(np.arange(26), len(shares))]
    weights = rng.normal(size=(26, 26))
    for _ in range(3000):
        slope = (softmax(turned @ weights.T) - truth).T @ turned + weights / 10
        weights -= 0.5 * slope
    assert_allclose(weights, templates(fit_columns(shares, 10)[-1]), atol=1e-6)


@pytest.mark.parametrize("length", range(4, 17))
def test_learned_from_any_short_length_it_is_nearly_the_logarithms(length):
    found = weights(length)
    assert found.learned_length == length
    assert found.correlation > 0.92
    assert abs(found.learned_accuracy - found.log_accuracy) < 0.025
    assert found.frequency_accuracy < min(found.learned_accuracy, found.log_accuracy)
    assert found.n_seen + found.n_held_out == 2479 - 2 * (length - 1)
    assert abs(found.n_seen + length - 1 - 0.7 * 2479) < 1


def test_training_step_by_step():
    found = weights(8)
    seen, held_out = split_windows(SAMPLE_ENGLISH, 8)
    assert (len(seen), len(held_out)) == (found.n_seen, found.n_held_out)
    columns = fit_columns(seen)
    assert_array_equal(found.path[0], np.zeros(26))
    assert_allclose(found.path[-1], standardise(columns[-1]), atol=1e-12)
    assert_allclose(found.path.mean(axis=1), 0, atol=1e-12)
    assert found.path.shape == (9, 26)
    losses = [loss(column, seen, 10) for column in columns]
    assert losses[0] == pytest.approx(len(seen) * np.log(26))
    assert (np.diff(losses) < 1e-9).all()
    # Newton's method: the last steps are tiny
    assert np.abs(found.path[-1] - found.path[-2]).max() < 1e-6


def test_the_numbers_of_the_default():
    found = weights(8)
    by_hand = found.frequency_accuracy, found.root_accuracy, found.log_accuracy
    assert by_hand == pytest.approx((0.5977, 0.6689, 0.6961), abs=5e-5)
    assert found.learned_accuracy == pytest.approx(0.7001, abs=5e-5)
    assert found.correlation == pytest.approx(0.9573, abs=5e-5)


def test_the_learned_numbers_turned_by_every_rotation():
    found = weights(8)
    assert_array_equal(found.unembedding[0], found.path[-1])
    assert_array_equal(found.unembedding[3], np.roll(found.path[-1], 3))


def test_letters_that_are_rare_in_english():
    found = weights(8)
    assert [found.alphabet[k] for k in found.rare] == ["j", "q", "x", "z"]
    assert len(found.alphabet) == 26


def test_the_columns_set_by_hand_are_to_one_scale():
    columns = weights(8).standard
    assert columns.shape == (3, 26)
    assert_allclose(columns.mean(axis=1), 0, atol=1e-12)
    assert_allclose(columns.std(axis=1), 1)
    # A line through the original values: nothing but the scale has changed
    for column, numbers in zip(columns, (ENGLISH, np.sqrt(ENGLISH), LOGS), strict=True):
        assert np.corrcoef(column, numbers)[0, 1] == pytest.approx(1)
        assert column.argmin() == 25


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: split_windows("abc", 8), "at least 8 characters"),
        (lambda: fit_columns(np.ones((2, 25))), r"shares must have shape \(N, 26\)"),
        (lambda: standardise(np.ones(26)), "column must not be the same for all letters"),
        (lambda: fit_columns(np.ones((2, 26)), -1), "strength must be"),
    ],
)
def test_bad_arguments_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
