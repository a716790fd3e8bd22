import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.caesar.cryptogram import cryptogram
from clockhead.model.caesar.transformer import caesar_transformer
from clockhead.model.films.caesar.arbitrary_embedding import WIDTHS, random_vectors
from tests.model import plain_caesar

some_letters = st.text(plain_caesar.ALPHABET + " ", min_size=1, max_size=40).filter(str.strip)


@settings(max_examples=40)
@given(some_letters, st.integers(0, 25), st.integers(28, 64), st.integers(0, 9999))
def test_random_vectors_say_what_one_hot_ones_do(text, rotation, n_dimensions, seed):
    message = cryptogram(text, rotation)
    found = random_vectors(message, n_dimensions, seed)
    assert found.embedding.shape == (27, n_dimensions) == found.one_hot.shape
    assert_allclose(found.one_hot_logits, message.dot_products, atol=1e-15)
    assert_allclose(found.one_hot @ found.one_hot_unembed, found.one_hot_product)
    tolerance = 1e-15 * np.linalg.cond(found.embedding)
    assert_allclose(found.product, found.one_hot_product, atol=tolerance)
    network = caesar_transformer(message.tokens, found.embedding, found.unembed)
    assert_allclose(found.logits, network.logits[-1], atol=tolerance)
    assert found.difference == np.abs(found.logits - found.one_hot_logits).max() < tolerance
    assert found.rank == 27


@settings(max_examples=20)
@given(some_letters, st.integers(27, 64), st.integers(0, 9999))
def test_an_unembedding_for_one_hot_rows_cannot_read_random_ones(text, n_dimensions, seed):
    message = cryptogram(text, 5)
    found = random_vectors(message, n_dimensions, seed)
    assert_allclose(found.unread_product, found.embedding[:, :26] @ message.templates.T)
    network = caesar_transformer(message.tokens, found.embedding, found.one_hot_unembed)
    assert_allclose(found.unread_logits, network.logits[-1], atol=1e-12)
    assert np.abs(found.unread_product - found.one_hot_product).max() > 0.1


def test_random_vectors_need_as_many_dimensions_as_tokens():
    found = random_vectors(cryptogram("a", 0), 27, 3)
    assert_array_equal(found.widths, WIDTHS)
    assert (found.agreement[found.widths < 27] < 1).all()
    assert (found.agreement[found.widths >= 27] == 1).all()
