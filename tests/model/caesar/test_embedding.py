import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.caesar.accuracy import letter_shares, rotated_windows, solve
from clockhead.model.caesar.embedding import (
    agreement,
    agreement_by_width,
    centred_embedding,
    letters_only_embedding,
    matching_unembedding,
    mean_logits,
    random_embedding,
)
from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.model.caesar.transformer import caesar_transformer, unembedding

WINDOWS, ROTATIONS = rotated_windows(SAMPLE_ENGLISH, 32, 2000, seed=0)


def one_hot_logits(windows):
    return mean_logits(windows, unembedding())


def logits(windows, embedding):
    return mean_logits(windows, embedding @ matching_unembedding(embedding, unembedding()))


@given(st.integers(27, 80), st.integers(0, 2**32 - 1))
def test_any_embedding_of_full_rank_has_the_same_logits(n_dimensions, seed):
    embedding = random_embedding(n_dimensions, seed)
    tolerance = 1e-15 * np.linalg.cond(embedding)
    product = embedding @ matching_unembedding(embedding, unembedding())
    assert_allclose(product, unembedding(), atol=tolerance)
    assert_allclose(
        mean_logits(WINDOWS[:50], product), one_hot_logits(WINDOWS[:50]), atol=tolerance
    )


def test_the_same_logits_to_4e_15():
    for n_dimensions in (27, 32, 64):
        embedding = random_embedding(n_dimensions, 1)
        assert_allclose(logits(WINDOWS, embedding), one_hot_logits(WINDOWS), rtol=0, atol=4e-15)
        assert agreement(WINDOWS, embedding) == 1


def test_one_hot_logits_are_those_of_the_transformer():
    embedding = random_embedding(30, 0)
    solver = caesar_transformer(
        WINDOWS[0], embedding, matching_unembedding(embedding, unembedding())
    )
    assert_allclose(solver.logits[-1], logits(WINDOWS, embedding)[0], atol=1e-14)
    plain = caesar_transformer(WINDOWS[0])
    assert_allclose(plain.logits[-1], one_hot_logits(WINDOWS)[0], atol=1e-15)
    assert_array_equal(one_hot_logits(WINDOWS).argmax(axis=1), solve(WINDOWS))


@pytest.mark.parametrize(
    ("n_dimensions", "share"), [(26, 0.988), (25, 0.929), (20, 0.738), (10, 0.271)]
)
def test_fewer_dimensions_lose(n_dimensions, share):
    found = agreement_by_width(WINDOWS, [n_dimensions], n_draws=6)
    assert found == pytest.approx(share, abs=0.12)
    assert found < 1


def test_26_dimensions_are_exact_and_25_keep_the_order():
    exact = letters_only_embedding()
    assert_allclose(
        exact @ matching_unembedding(exact, unembedding()), unembedding(), rtol=0, atol=4e-16
    )
    order = centred_embedding()
    assert order.shape == (27, 25)
    assert agreement(WINDOWS, order) == 1
    apart = logits(WINDOWS, order) - one_hot_logits(WINDOWS)
    assert np.ptp(apart, axis=1).max() < 1e-15
    assert np.abs(apart).max() > 0.01


def test_spaces_at_zero_carry_nothing():
    for embedding in (letters_only_embedding(), centred_embedding()):
        assert_array_equal(embedding[26], np.zeros(embedding.shape[1]))
        assert_array_equal(logits([[26, 26]], embedding), np.zeros((1, 26)))
    assert letter_shares([[26, 26]]).sum() == 0


def test_an_embedding_has_dimensions():
    with pytest.raises(ValueError, match="n_dimensions must be"):
        random_embedding(0, 0)
