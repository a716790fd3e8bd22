import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.caesar.cipher import encode, templates
from clockhead.model.caesar.cryptogram import cryptogram
from clockhead.model.caesar.scores import scores, unembedding_column
from clockhead.model.caesar.transformer import (
    caesar_transformer,
    triangular_mean,
    unembedding,
    uniform_head,
)
from tests.model import plain_caesar

PRINTED = zip(plain_caesar.ALPHABET, plain_caesar.PERCENT.split(), strict=True)
EXACT = {c: Fraction(p) for c, p in PRINTED}
texts = st.text(plain_caesar.ALPHABET + " ", min_size=1, max_size=40)


@given(texts)
def test_uniform_attention_is_the_running_mean(text):
    found = caesar_transformer(encode(text))
    assert_array_equal(found.pattern, triangular_mean(len(text)))
    means = found.resid_pre.cumsum(axis=0) / np.arange(1, len(text) + 1)[:, None]
    assert_allclose(found.head_out, means, atol=1e-15)


@given(texts)
def test_the_logits_of_a_row_are_the_dot_products_of_the_text_so_far(text):
    found = caesar_transformer(encode(text))
    for end in range(1, len(text) + 1):
        expected = [plain_caesar.dot_product(text[:end], r) for r in range(26)]
        assert_allclose(found.logits[end - 1], expected, atol=1e-14)


@given(texts.filter(str.strip), st.integers(0, 25))
def test_it_finds_what_the_cryptogram_finds(text, rotation):
    message = cryptogram(text, rotation)
    found = caesar_transformer(message.tokens)
    assert_allclose(found.logits[-1], message.dot_products, atol=1e-15)
    assert found.found == message.found
    assert_array_equal(found.exact_scores[-1], message.exact_scores)


@given(st.text(plain_caesar.ALPHABET + " ", min_size=1, max_size=15))
@example("er")
@example("an er")
def test_predictions_are_what_fractions_say(text):
    found = caesar_transformer(encode(text))
    expected = []
    for end in range(1, len(text) + 1):
        backs = [plain_caesar.back(text[:end], r) for r in range(26)]
        exact = [sum(EXACT.get(c, Fraction(0)) for c in back) for back in backs]
        expected.append(exact.index(max(exact)))
        scaled = found.exact_scores[end - 1] / (1e5 * end)
        assert np.abs(found.logits[end - 1] - scaled).max() < 1e-12
    assert found.predictions.tolist() == expected
    assert found.first_guess == expected[0]
    assert found.n_changes == sum(a != b for a, b in itertools.pairwise(expected))
    settled = len([*itertools.takewhile(lambda guess: guess == expected[-1], expected[::-1])])
    assert found.settled_after == len(text) - settled + 1


@pytest.mark.parametrize(
    ("text", "settled"), [("e", "first"), ("eee", "first"), ("ez", "last"), ("zee", "between")]
)
def test_when_it_settles(text, settled):
    assert caesar_transformer(encode(text)).settled == settled


def test_other_weights_are_compared_by_their_logits():
    column = unembedding_column("log-likelihood")
    found = caesar_transformer(encode("a bay"), unembed=unembedding(column))
    assert found.found == int(found.logits[-1].argmax()) == 7
    assert caesar_transformer(encode("a bay")).found == 22


@given(texts)
def test_logarithms_in_the_unembedding_score_by_likelihood(text):
    column = unembedding_column("log-likelihood")
    found = caesar_transformer(encode(text), unembed=unembedding(column))
    shares = found.head_out[-1, :26]
    assert_allclose(found.logits[-1], scores(shares, "log-likelihood"), atol=1e-13)


def test_the_prediction_settles():
    text = "the quick brown fox jumps over the lazy dog"
    found = caesar_transformer(cryptogram(text, 5).tokens)
    assert found.found == 5
    assert found.settled_after == 33
    assert found.predictions[31] != 5
    assert set(found.predictions[32:]) == {5}
    assert caesar_transformer([3]).settled_after == 1


@pytest.mark.parametrize(("text", "n_tied"), [("e", 0), ("an", 1), ("an n", 2), ("ann", 1)])
def test_letters_thirteen_apart_tie(text, n_tied):
    assert caesar_transformer(encode(text)).n_tied == n_tied


def test_the_mean_of_bab():
    x = np.array([[0, 1, 0], [1, 0, 0], [0, 1, 0]])
    expected = [[0, 1, 0], [1 / 2, 1 / 2, 0], [1 / 3, 2 / 3, 0]]
    assert_allclose(triangular_mean(3) @ x, expected)


def test_spaces_say_nothing():
    found = caesar_transformer(encode("  e "))
    assert_array_equal(found.logits[:2], np.zeros((2, 26)))
    assert_allclose(found.logits[3], found.logits[2] * 3 / 4)
    assert_array_equal(unembedding()[26], np.zeros(26))
    assert_array_equal(unembedding()[:26], templates().T)


@pytest.mark.parametrize(
    ("tokens", "message"), [([27], "indices must be from 0 to 26"), ([], "indices must be")]
)
def test_other_tokens_are_refused(tokens, message):
    with pytest.raises(ValueError, match=message):
        caesar_transformer(tokens)


def test_a_uniform_head_takes_the_mean_of_all_so_far():
    x = np.random.default_rng(0).normal(size=(5, 3))
    means = x.cumsum(axis=0) / np.arange(1, 6)[:, None]
    assert_allclose(uniform_head(3).run(x).head_out, means, atol=1e-14)
