from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.caesar.cipher import encode
from clockhead.model.caesar.cryptogram import cryptogram
from clockhead.model.caesar.transformer import caesar_transformer
from clockhead.model.films.caesar.guesses import running_guesses
from clockhead.model.films.caesar.transformer import counted_letters, first_characters
from tests.model import plain_caesar

texts = st.text(plain_caesar.ALPHABET + " ", min_size=1, max_size=20)
NAMES = plain_caesar.ALPHABET + " "
DEFAULT = "the shift hides every word but not how often each letter is needed to write it"


@given(texts, st.data())
def test_shares_of_all_occurrences_are_the_histogram(text, data):
    n = data.draw(st.integers(1, len(text)))
    solver = caesar_transformer(encode(text))
    first = first_characters(solver, n)
    counted = Counter(text[:n])
    assert first.characters == tuple(text[:n])
    assert first.marks.shape == (27, max(counted.values()))
    for name, shares in zip(NAMES, first.marks, strict=True):
        expected = [1 / n if k < counted[name] else 0 for k in range(first.marks.shape[1])]
        assert_allclose(shares, expected, rtol=1e-15)
    assert first.occurrences.tolist() == [text[:k].count(c) for k, c in enumerate(text[:n])]
    assert_allclose(first.mean, [counted[name] / n for name in NAMES], rtol=1e-14)
    assert_allclose(first.mean, solver.head_out[n - 1], atol=1e-15)
    assert_allclose(first.one_hot.mean(axis=0), first.mean, atol=1e-15)


@given(texts, st.data())
def test_the_logits_are_the_mean_times_the_unembedding(text, data):
    n = data.draw(st.integers(1, len(text)))
    solver = caesar_transformer(encode(text))
    first = first_characters(solver, n)
    assert_allclose(first.attention, np.full(n, 1 / n))
    assert_array_equal(first.templates, solver.unembed.T)
    assert solver.alphabet == tuple(NAMES)
    assert_allclose(first.mean @ solver.unembed, first.logits, atol=1e-15)
    expected = [plain_caesar.dot_product(text[:n], r) for r in range(26)]
    assert_allclose(first.logits, expected, atol=1e-14)


def test_two_of_three_by_hand():
    first = first_characters(caesar_transformer(encode("b bz")), 3)
    assert_array_equal(first.tokens, [1, 26, 1])
    assert_allclose(first.marks[[1, 26, 25]], [[1 / 3, 1 / 3], [1 / 3, 0], [0, 0]])
    assert_array_equal(first.one_hot.argmax(axis=1), [1, 26, 1])
    assert_array_equal(first.one_hot.sum(axis=1), [1, 1, 1])


@pytest.mark.parametrize(
    ("text", "n", "leaders"), [("an", 1, [22]), ("an", 2, [9, 22]), ("e e", 3, [0])]
)
def test_rotations_that_share_the_largest_score(text, n, leaders):
    solver = caesar_transformer(encode(text))
    first = first_characters(solver, n)
    assert first.leaders.tolist() == leaders
    scores = [plain_caesar.dot_product(text[:n], r) for r in range(26)]
    assert [r for r in range(26) if scores[r] > max(scores) - 1e-12] == leaders


def test_the_default_is_read():
    message = cryptogram(DEFAULT, 7)
    assert "".join(counted_letters(message).first.characters) == message.ciphertext[:8]
    guesses = running_guesses(message)
    assert (guesses.transformer.settled_after, guesses.transformer.settled) == (14, "between")
    assert guesses.is_right[13:].all()
    assert not guesses.is_right[12]
    assert guesses.n_wrong == 78 - guesses.is_right.sum()
    assert guesses.turns.tolist() == [1, 3, 13, 14]
    powers = np.exp(guesses.transformer.logits[-1])
    assert guesses.shares == pytest.approx(powers / powers.sum())
    assert (guesses.share, guesses.even) == (guesses.shares[7], 1 / 26)


def test_it_asks_for_nothing_and_the_mean_replaces_the_row():
    first = counted_letters(cryptogram(DEFAULT, 7)).first
    assert first.query == 0
    assert not first.scores.any()
    assert first.replaced[0] == pytest.approx(first.one_hot.mean(axis=0))


def test_of_a_short_text_all_characters_are_first():
    assert counted_letters(cryptogram("a bay", 3)).first.n == 5
