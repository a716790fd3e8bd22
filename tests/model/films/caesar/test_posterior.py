"""The chance of every rotation, and what a softmax of dot products gives instead."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.caesar.cipher import ENGLISH, encode, encrypt
from clockhead.model.caesar.cryptogram import cryptogram
from clockhead.model.films.caesar.posterior import belief

PANGRAM = "the quick brown fox jumps over the lazy dog"
texts = st.text("abcdefghijklmnopqrstuvwxyz ", min_size=1, max_size=30).filter(str.strip)


def of(text, rotation=3):
    return belief(cryptogram(text, rotation))


def test_the_pangram():
    found = of(PANGRAM, 5)
    assert found.dot_share == pytest.approx(0.03880, abs=5e-6)
    assert found.chance == pytest.approx(0.98575, abs=5e-6)
    assert (found.found, found.is_read, found.is_sure) == (5, True, False)


@settings(max_examples=60)
@given(texts, st.integers(0, 25))
def test_chances_are_products_of_frequencies_over_their_sum(text, rotation):
    found = of(text, rotation)
    cipher = encode(encrypt(text, rotation))
    products = [
        math.prod(ENGLISH[(k - r) % 26] for k in cipher if k < 26) for r in range(26)
    ]  # at most 30 factors: float64 holds their product
    assert_allclose(found.chances[-1], np.array(products) / sum(products), atol=1e-12)
    assert_allclose(found.chances.sum(axis=1), 1)
    assert_allclose(found.chances[0], found.even)
    assert found.chances.shape == (len(text) + 1, 26)


@given(texts)
def test_a_space_changes_nothing_and_a_turn_turns_all_chances(text):
    plain, turned = of(text, 0), of(text, 9)
    assert_allclose(turned.chances, np.roll(plain.chances, 9, axis=1), atol=1e-12)
    for k, character in enumerate(text):
        if character == " ":
            assert_array_equal(plain.chances[k + 1], plain.chances[k])


@given(texts)
def test_a_softmax_of_dot_products_is_nearly_even(text):
    shares = of(text).dot_shares
    assert shares.sum() == pytest.approx(1)
    assert np.abs(26 * shares - 1).max() < math.exp(ENGLISH.max()) - 1
