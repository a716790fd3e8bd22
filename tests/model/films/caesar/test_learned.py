import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.attention.pattern import softmax
from clockhead.model.caesar.cipher import ENGLISH, templates
from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.model.caesar.scores import unembedding_column
from clockhead.model.films.caesar.learned import LearnedColumn, fit_column, standardised, weights

LOGS = unembedding_column("log-likelihood")


def loss(column, shares, strength):
    """Summed cross-entropy over windows at rotation 0, plus the penalty."""
    chances = softmax(shares @ templates(column).T)
    return -np.log(chances[:, 0]).sum() + (column @ column) / (2 * strength)


@pytest.mark.parametrize(("length", "accuracy"), [(8, 0.692), (32, 1), (128, 1)])
def test_learned_weights_are_as_good_as_the_handmade_ones(length, accuracy):
    learned = LearnedColumn(SAMPLE_ENGLISH, length)
    assert learned.accuracy == pytest.approx(accuracy, abs=0.02)
    assert learned.accuracy == pytest.approx(learned.accuracy_of(LOGS), abs=0.02)
    assert learned.accuracy >= learned.accuracy_of(ENGLISH)


def test_short_windows_teach_logarithms_and_long_ones_frequencies():
    short, long = (LearnedColumn(SAMPLE_ENGLISH, length) for length in (8, 128))
    assert short.correlation(LOGS) == pytest.approx(0.96, abs=0.01)
    assert long.correlation(ENGLISH) == pytest.approx(0.97, abs=0.01)
    assert short.correlation(LOGS) > short.correlation(ENGLISH)
    assert long.correlation(LOGS) < long.correlation(ENGLISH)


def test_no_column_nearby_is_better():
    learned = LearnedColumn(SAMPLE_ENGLISH, 16)
    best = loss(learned.column, learned.seen, 10)
    rng = np.random.default_rng(0)
    for size in (1e-3, 0.1, 1):
        for nudge in rng.normal(scale=size, size=(20, 26)):
            assert loss(learned.column + nudge, learned.seen, 10) > best


def test_training_all_weights_at_all_rotations_by_plain_descent_ends_at_the_same_column():
    rng = np.random.default_rng(0)
    shares = rng.dirichlet(20 * ENGLISH / ENGLISH.sum(), size=8)
    turned = np.concatenate([np.roll(shares, r, axis=1) for r in range(26)])
    truth = np.eye(26)[np.repeat(np.arange(26), len(shares))]
    weights = rng.normal(size=(26, 26))
    for _ in range(3000):
        slope = (softmax(turned @ weights.T) - truth).T @ turned + weights / 10
        weights -= 0.5 * slope
    assert_allclose(weights, templates(fit_column(shares, 10)), atol=1e-6)


def test_the_held_out_part_is_never_seen():
    learned = LearnedColumn(SAMPLE_ENGLISH, 8)
    seen, held_out = learned.parts
    assert abs(len(seen) - 0.7 * 2479) < 1
    assert seen + held_out == LearnedColumn(seen + held_out, 8).text
    assert learned.column.mean() == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("length", range(4, 17))
def test_learned_from_any_short_length_it_is_nearly_the_logarithms(length):
    found = weights(length)
    assert found.learned_length == length
    assert found.correlation > 0.92
    assert abs(found.learned_accuracy - found.log_accuracy) < 0.025
    assert found.frequency_accuracy < min(found.learned_accuracy, found.log_accuracy)
    assert found.n_held_out == len(found.learned.parts[1]) - length + 1


def test_training_step_by_step():
    found = weights(8)
    learned = found.learned
    assert_array_equal(found.path[0], np.zeros(26))
    assert_allclose(found.path[-1], standardised(learned.column), atol=1e-12)
    assert_allclose(found.path.mean(axis=1), 0, atol=1e-12)
    assert found.path.shape == (learned.n_steps + 1, 26)
    losses = [loss(column, learned.seen, 10) for column in learned.columns]
    assert losses[0] == pytest.approx(len(learned.seen) * np.log(26))
    assert (np.diff(losses) < 1e-9).all()
    # Newton's method: the last steps are tiny
    assert np.abs(found.path[-1] - found.path[-2]).max() < 1e-6


def test_the_numbers_of_the_default():
    found = weights(8)
    by_hand = found.frequency_accuracy, found.root_accuracy, found.log_accuracy
    assert by_hand == pytest.approx((0.5977, 0.6689, 0.6961), abs=5e-5)
    assert found.learned_accuracy == pytest.approx(0.7001, abs=5e-5)
    assert found.correlation == pytest.approx(0.9573, abs=5e-5)


def test_what_is_learned_from_and_what_is_held_out():
    found = weights(8)
    assert found.n_seen == len(found.learned.parts[0]) - 7
    assert (found.n_steps, len(found.path)) == (8, 9)
    by_hand = found.frequency_accuracy, found.root_accuracy, found.log_accuracy
    shares = (*by_hand, found.learned_accuracy)
    assert_array_equal(found.held_out_shares, shares)
    assert len(found.column_names) == len(shares)


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
        (lambda: LearnedColumn("abc", 8), "at least 8 characters"),
        (lambda: LearnedColumn(SAMPLE_ENGLISH, 8, 0), "strength must be"),
        (lambda: fit_column(np.ones((2, 25))), r"shares must have shape \(N, 26\)"),
        (lambda: standardised(np.ones(26)), "column must not be the same for all letters"),
        (lambda: fit_column(np.ones((2, 26)), -1), "strength must be"),
    ],
)
def test_bad_arguments_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_columns_side_by_side_have_one_scale_and_their_correlation():
    learned = LearnedColumn(SAMPLE_ENGLISH, 8)
    pair = np.stack([standardised(learned.column), standardised(np.log(ENGLISH))])
    assert_allclose(pair.mean(axis=1), 0, atol=1e-12)
    assert_allclose(pair.std(axis=1), 1)
    assert_allclose((pair[0] * pair[1]).mean(), learned.correlation(np.log(ENGLISH)))
