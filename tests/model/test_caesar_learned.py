import numpy as np
import pytest
from numpy.testing import assert_allclose

from model.attention import softmax
from model.caesar import ENGLISH, templates
from model.caesar_learned import LearnedColumn, fit_column
from model.caesar_scores import unembedding_column
from model.sample_english import SAMPLE_ENGLISH

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


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LearnedColumn("abc", 8), "at least 8 characters"),
        (lambda: LearnedColumn(SAMPLE_ENGLISH, 8, 0), "strength must be"),
        (lambda: fit_column(np.ones((2, 25))), r"shares must have shape \(N, 26\)"),
        (lambda: fit_column(np.ones((2, 26)), -1), "strength must be"),
    ],
)
def test_bad_arguments_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_columns_side_by_side_have_one_scale_and_their_correlation():
    learned = LearnedColumn(SAMPLE_ENGLISH, 8)
    pair = learned.beside(np.log(ENGLISH))
    assert_allclose(pair.mean(axis=1), 0, atol=1e-12)
    assert_allclose(pair.std(axis=1), 1)
    assert_allclose((pair[0] * pair[1]).mean(), learned.correlation(np.log(ENGLISH)))
