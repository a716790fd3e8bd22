from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.model.trained.texts import (
    LONGEST,
    START,
    TOKENS,
    letter_pairs,
    random_letters,
    texts_said_twice,
    texts_to_learn,
    with_start,
)


def test_pairs_of_letters_are_counted_in_the_sample():
    sample = "".join(c if c.isalpha() else " " for c in SAMPLE_ENGLISH.lower()).split()
    text = " ".join(sample)
    pairs = letter_pairs()
    assert_allclose(pairs.sum(axis=1), 1)
    q, u, h, t = (TOKENS.tokens.index(letter) for letter in "quht")
    n_th = sum(a + b == "th" for a, b in pairwise(text))
    assert pairs[t, h] == pytest.approx((n_th + 0.3) / (text[:-1].count("t") + 27 * 0.3))
    assert pairs[q].argmax() == u
    assert pairs[26, 26] == 0


def test_random_letters_follow_one_another_as_the_pairs_say():
    texts = random_letters(np.random.default_rng(3), 4_000, 40)
    assert texts.shape == (4_000, 40)
    assert texts.min() >= 0
    assert texts.max() <= 26
    assert texts[:, 0].max() < 26
    counts = np.zeros((27, 27))
    np.add.at(counts, (texts[:, :-1], texts[:, 1:]), 1)
    often = counts.sum(axis=1) > 2_000
    found = counts[often] / counts[often].sum(axis=1, keepdims=True)
    assert_allclose(found, letter_pairs()[often], atol=0.04)


def test_seventy_of_a_hundred_texts_say_a_piece_again():
    texts = texts_to_learn(np.random.default_rng(0), 400)
    assert texts.shape == (400, LONGEST)
    assert (texts[:, 0] == TOKENS.tokens.index(START)).all()
    assert texts[:, 1:].max() < TOKENS.tokens.index(START)

    def says_again(text):
        """Whether its last 24 letters hold 6 in a row that stood before."""
        letters = "".join(TOKENS.tokens[token] for token in text[1:])
        pieces = (letters[k : k + 6] for k in range(len(letters) - 24, len(letters) - 5))
        return any(letters.find(piece) < letters.rfind(piece) for piece in pieces)

    assert 0.6 < np.mean([says_again(text) for text in texts]) < 0.75
    random = with_start(random_letters(np.random.default_rng(0), 400, LONGEST - 1))
    assert np.mean([says_again(text) for text in random]) < 0.05


def test_a_seed_gives_the_same_texts():
    first, second = (texts_to_learn(np.random.default_rng(4), 20) for _ in range(2))
    assert_array_equal(first, second)


def test_texts_said_twice_are():
    texts = texts_said_twice(5, 7, 12)
    assert texts.shape == (7, 25)
    assert_array_equal(texts[:, 1:13], texts[:, 13:])


@pytest.mark.parametrize(("n_texts", "n"), [(0, 3), (3, 0), (True, 3)])
def test_there_is_at_least_one_text_of_one_letter(n_texts, n):
    with pytest.raises(ValueError, match="at least 1"):
        random_letters(np.random.default_rng(0), n_texts, n)
