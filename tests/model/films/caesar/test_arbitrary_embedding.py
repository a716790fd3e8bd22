import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.caesar.embedding import ArbitraryEmbedding, random_embedding
from clockhead.model.caesar.transformer import CaesarTransformer
from clockhead.model.films.caesar.arbitrary_embedding import WIDTHS, Embedded
from tests.model import plain_caesar

some_letters = st.text(plain_caesar.ALPHABET + " ", min_size=1, max_size=40).filter(str.strip)
DEFAULT = "the shift hides every word but not how often each letter is needed to write it"


@settings(max_examples=40)
@given(some_letters, st.integers(0, 25), st.integers(28, 64), st.integers(0, 9999))
def test_random_vectors_say_what_one_hot_ones_do(text, rotation, n_dimensions, seed):
    message = Cryptogram(text, rotation)
    found = Embedded.random(message, n_dimensions, seed)
    assert found.embedding.shape == (27, n_dimensions) == found.one_hot.shape
    assert_allclose(found.one_hot_logits, message.dot_products, atol=1e-15)
    assert_allclose(found.one_hot @ found.one_hot_unembed, found.solver.one_hot_unembed)
    assert found.one_hot_unembed.shape == found.unembed.shape == (n_dimensions, 26)
    tolerance = 1e-15 * found.solver.condition
    assert_allclose(found.product, found.solver.one_hot_unembed, atol=tolerance)
    network = CaesarTransformer(message.tokens, found.embedding, found.unembed)
    assert_allclose(found.logits, network.logits[-1], atol=tolerance)
    assert found.difference == np.abs(found.logits - found.one_hot_logits).max() < tolerance
    assert found.error == np.abs(found.product - found.solver.one_hot_unembed).max()
    assert found.rank == 27
    if message.lead > 2 * tolerance:
        assert found.finds_the_same


@given(some_letters, st.integers(0, 25))
def test_chosen_dimensions_leave_out_what_all_logits_share(text, rotation):
    found = Embedded(Cryptogram(text, rotation), ArbitraryEmbedding(np.eye(27)))
    assert np.abs(found.chosen_logits - (found.one_hot_logits - found.common)).max() < 1e-12
    # The mean logit: every letter meets each frequency once
    assert found.common == pytest.approx(found.one_hot_logits.mean(), rel=1e-12)


@settings(max_examples=20)
@given(some_letters, st.integers(27, 64), st.integers(0, 9999))
def test_an_unembedding_for_one_hot_rows_cannot_read_random_ones(text, n_dimensions, seed):
    message = Cryptogram(text, 5)
    found = Embedded.random(message, n_dimensions, seed)
    assert_allclose(found.unread_product, found.embedding[:, :26] @ message.templates.T)
    network = CaesarTransformer(message.tokens, found.embedding, found.one_hot_unembed)
    assert_allclose(found.unread_logits, network.logits[-1], atol=1e-12)
    off = np.abs(found.unread_product - found.solver.one_hot_unembed)
    assert off.max() > 0.1


def test_the_numbers_of_the_default():
    found = Embedded.random(Cryptogram(DEFAULT, 7), 32, 0)
    assert found.common == pytest.approx(0.0311, abs=5e-5)
    assert found.difference < 1e-12
    assert found.finds_the_same
    assert (found.fewer, found.n_chosen, found.n_vocab, found.n_dimensions) == (20, 25, 27, 32)
    assert found.fewer_agreement == pytest.approx(0.75, abs=0.005)
    assert found.chosen_agreement == 1
    assert found.chosen_shares.tolist() == [1, 1, 1]
    assert found.chosen_widths.tolist() == [27, 26, 25]
    assert found.n_spare == 5
    assert found.chosen_logits.argmax() == 7


def test_random_vectors_need_as_many_dimensions_as_tokens():
    found = Embedded.random(Cryptogram("a", 0), 27, 3)
    assert found.agreement.shape == (32,)
    assert_array_equal(found.widths, WIDTHS)
    assert (found.agreement[found.widths < 27] < 1).all()
    assert (found.agreement[found.widths >= 27] == 1).all()
    assert Embedded.random(Cryptogram("b", 1), 30, 4).agreement is found.agreement


def test_nearly_dependent_vectors_are_told_by_the_error():
    """A vector that is nearly another one: the product changes by more than rounding."""
    rows = random_embedding(27, 0)
    rows[1] = rows[0] * (1 + 1e-13)
    rows[1, 0] += 1e-14
    found = Embedded(Cryptogram(DEFAULT, 7), ArbitraryEmbedding(rows))
    assert found.error > 1e-10


def test_fewer_dimensions_than_tokens_are_refused():
    with pytest.raises(ValueError, match="at least 27 dimensions, one for each token, got 26"):
        Embedded.random(Cryptogram("a", 0), 26, 0)
