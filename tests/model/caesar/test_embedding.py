import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.caesar.accuracy import letter_shares, rotated_windows, solve
from clockhead.model.caesar.cipher import ENGLISH
from clockhead.model.caesar.embedding import (
    ArbitraryEmbedding,
    agreement_by_width,
    centred_embedding,
    letters_only_embedding,
    random_embedding,
    wave_embedding,
    wave_strengths,
)
from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.model.caesar.scores import unembedding_column
from clockhead.model.caesar.transformer import CaesarTransformer

WINDOWS, ROTATIONS = rotated_windows(SAMPLE_ENGLISH, 32, 2000, seed=0)


@given(st.integers(27, 80), st.integers(0, 2**32 - 1))
def test_any_embedding_of_full_rank_has_the_same_logits(n_dimensions, seed):
    found = ArbitraryEmbedding(random_embedding(n_dimensions, seed))
    tolerance = 1e-15 * found.condition
    assert found.rank == 27
    assert found.error < tolerance
    assert_allclose(found.logits(WINDOWS[:50]), found.one_hot_logits(WINDOWS[:50]), atol=tolerance)


def test_the_same_logits_to_4e_15():
    for n_dimensions in (27, 32, 64):
        found = ArbitraryEmbedding(random_embedding(n_dimensions, 1))
        assert found.logit_error(WINDOWS) < 4e-15
        assert found.agreement(WINDOWS) == 1


def test_one_hot_logits_are_those_of_the_transformer():
    found = ArbitraryEmbedding(random_embedding(30, 0))
    solver = CaesarTransformer(WINDOWS[0], found.embedding, found.unembed)
    assert_allclose(solver.logits[-1], found.logits(WINDOWS)[0], atol=1e-14)
    plain = CaesarTransformer(WINDOWS[0])
    assert_allclose(plain.logits[-1], found.one_hot_logits(WINDOWS)[0], atol=1e-15)
    assert_array_equal(found.one_hot_logits(WINDOWS).argmax(axis=1), solve(WINDOWS))


@pytest.mark.parametrize(
    ("n_dimensions", "agreement"), [(26, 0.988), (25, 0.929), (20, 0.738), (10, 0.271)]
)
def test_fewer_dimensions_lose(n_dimensions, agreement):
    found = [
        ArbitraryEmbedding(random_embedding(n_dimensions, seed)).agreement(WINDOWS)
        for seed in range(6)
    ]
    assert np.mean(found) == pytest.approx(agreement, abs=0.12)
    assert np.mean(found) < 1


def test_agreement_by_width_is_the_mean_of_single_ones():
    widths = (10, 25, 26, 27, 32)
    single = [
        np.mean([ArbitraryEmbedding(random_embedding(d, s)).agreement(WINDOWS) for s in range(3)])
        for d in widths
    ]
    found = agreement_by_width(WINDOWS, widths, n_draws=3)
    assert_allclose(found, single, atol=1e-12)
    assert found[2] < 1
    assert_array_equal(found[3:], [1, 1])


def test_26_dimensions_are_exact_and_25_keep_the_order():
    exact = ArbitraryEmbedding(letters_only_embedding())
    assert exact.error < 4e-16
    assert exact.rank == 26
    assert exact.condition == 1
    order = ArbitraryEmbedding(centred_embedding())
    assert order.embedding.shape == (27, 25)
    assert order.agreement(WINDOWS) == 1
    apart = order.logits(WINDOWS) - order.one_hot_logits(WINDOWS)
    assert np.ptp(apart, axis=1).max() < 1e-15
    assert order.logit_error(WINDOWS) == np.abs(apart).max() > 0.01


def test_the_templates_have_full_rank_because_no_wave_is_missing():
    strengths = wave_strengths()
    assert strengths[0] == pytest.approx(1.00119)
    assert strengths.min() == pytest.approx(0.0690, abs=5e-5)
    assert_array_equal(1 + np.argsort(-strengths[1:])[:5], [7, 2, 5, 12, 8])
    logs = wave_strengths(unembedding_column("log-likelihood"))
    assert_array_equal(1 + np.argsort(-logs[1:])[:5], [12, 4, 2, 7, 8])


@pytest.mark.parametrize(
    ("n_waves", "accuracy"), [(1, 25.8), (2, 50.2), (3, 58.8), (4, 62.5), (5, 84.3), (6, 94.1)]
)
def test_a_few_circles_solve_some(n_waves, accuracy):
    found = ArbitraryEmbedding(wave_embedding(n_waves))
    assert found.rank == 2 * n_waves
    right = (found.logits(WINDOWS).argmax(axis=1) == ROTATIONS).mean()
    assert 100 * right == pytest.approx(accuracy, abs=4)


@pytest.mark.parametrize(("n_waves", "accuracy"), [(4, 82.4), (8, 96.1), (10, 98.0), (13, 99.6)])
def test_a_few_circles_of_logarithms_solve_more(n_waves, accuracy):
    column = unembedding_column("log-likelihood")
    found = ArbitraryEmbedding(wave_embedding(n_waves, column), column)
    right = (found.logits(WINDOWS).argmax(axis=1) == ROTATIONS).mean()
    assert 100 * right == pytest.approx(accuracy, abs=3)


def test_all_13_circles_are_25_dimensions_and_the_whole_order():
    found = ArbitraryEmbedding(wave_embedding(13))
    assert found.embedding.shape == (27, 25)
    assert found.agreement(WINDOWS) == 1


def test_spaces_at_zero_carry_nothing():
    for embedding in (letters_only_embedding(), centred_embedding(), wave_embedding(3)):
        assert_array_equal(embedding[26], np.zeros(embedding.shape[1]))
        found = ArbitraryEmbedding(embedding)
        assert_array_equal(found.logits([[26, 26]]), np.zeros((1, 26)))
    assert letter_shares([[26, 26]]).sum() == 0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ArbitraryEmbedding(np.eye(26)), "embedding must have 27 rows"),
        (lambda: ArbitraryEmbedding(np.zeros((27, 3))), "not all of them 0"),
        (lambda: random_embedding(0, 0), "n_dimensions must be"),
        (lambda: wave_embedding(14), "n_waves must be from 1 to 13"),
        (lambda: wave_strengths(ENGLISH[:5]), "column must have 26"),
    ],
)
def test_bad_arguments_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
