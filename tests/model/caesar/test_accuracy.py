import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.caesar.accuracy import (
    accuracy,
    accuracy_by_length,
    accuracy_of_templates,
    every_window,
    hits,
    letter_shares,
    rotated_windows,
    solve,
)
from clockhead.model.caesar.cipher import (
    ENGLISH_UNITS,
    counts,
    decode,
    decrypt,
    plaintext,
    templates,
    truncated_templates,
)
from clockhead.model.caesar.cryptogram import cryptogram
from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.model.caesar.scores import METHODS, scores
from tests.model import plain_caesar

pytestmark = pytest.mark.xdist_group("accuracy")

# Percent at 8 / 16 / 32 / 64 / 128 characters
TABLE = {
    "dot product": [57.6, 84.0, 96.0, 99.5, 100],
    "squared error": [57.6, 84.0, 96.0, 99.5, 100],
    "chi-squared": [63.6, 88.7, 99.2, 100, 100],
    "log-likelihood": [66.2, 92.7, 99.7, 100, 100],
    "square root": [65.9, 91.0, 98.4, 100, 100],
    "commonest is e": [17.8, 24.8, 34.3, 40.5, 57.1],
}


@pytest.fixture(scope="module")
def measured():
    return accuracy_by_length(SAMPLE_ENGLISH)


def test_the_table_of_accuracies(measured):
    assert_allclose(100 * measured, [TABLE[m] for m in METHODS], atol=2.0)
    assert_allclose(100 * measured[0], [56.9, 84.0, 96.0, 99.4, 100], atol=0.05)


def test_the_first_column_to_six_digits(measured):
    exact = {"dot product": 0.569175, "squared error": 0.569175, "log-likelihood": 0.662419}
    for method, share in exact.items():
        assert measured[METHODS.index(method), 0] == pytest.approx(share, abs=5e-7)


def exact_shares_right(length, score):
    """1 / k for each stretch of the sample whose rotation 0 leads with k - 1 others, else 0.

    `score` takes the letters of a stretch, turned back, to a whole number; nothing is rounded.
    """
    text = plaintext(SAMPLE_ENGLISH)
    for start in range(len(text) - length + 1):
        stretch = text[start : start + length]
        found = [score(plain_caesar.back(stretch, r)) for r in range(26)]
        best = max(found)
        yield found.count(best) ** -1 if found[0] == best else 0.0


UNITS = {c: int(n) for c, n in zip(plain_caesar.ALPHABET, ENGLISH_UNITS, strict=True)}


@pytest.mark.parametrize(
    ("method", "length", "score"),
    [
        ("dot product", 8, lambda text: sum(UNITS.get(c, 0) for c in text)),
        ("dot product", 4, lambda text: sum(UNITS.get(c, 0) for c in text)),
        ("commonest is e", 8, lambda text: text.count("e")),
        # The sum of logarithms is the logarithm of the product, which is a whole number
        ("log-likelihood", 4, lambda text: math.prod(UNITS.get(c, 1) for c in text)),
        ("log-likelihood", 8, lambda text: math.prod(UNITS.get(c, 1) for c in text)),
    ],
)
def test_equals_are_equal_as_in_whole_numbers(method, length, score):
    shares = letter_shares(every_window(SAMPLE_ENGLISH, length))
    found = hits(scores(shares, method))
    assert_allclose(found, list(exact_shares_right(length, score)), rtol=1e-15)


def test_rounding_does_not_part_equals():
    apart = 1 + 4e-16
    assert_array_equal(hits([[1, apart, 0.5], [-1, -apart, -2], [1, 1 + 1e-8, 0]]), [0.5, 0.5, 0])


def test_more_text_is_better_and_likelihood_best(measured):
    assert (np.diff(measured, axis=1) >= 0).all()
    best = measured[METHODS.index("log-likelihood")]
    assert (best >= measured).all()


def test_templates_that_do_not_rotate_solve_half():
    assert accuracy_of_templates(SAMPLE_ENGLISH, 32, templates()) == pytest.approx(0.957, abs=0.005)
    cut = accuracy_of_templates(SAMPLE_ENGLISH, 32, truncated_templates())
    assert cut == pytest.approx(0.510, abs=0.01)
    scaled = templates() * np.linspace(1, 2, 26)[:, None]
    assert accuracy_of_templates(SAMPLE_ENGLISH, 32, scaled) < 0.6


@pytest.mark.parametrize("method", METHODS)
def test_random_rotations_change_nothing(method):
    windows, rotations = rotated_windows(SAMPLE_ENGLISH, 16, 2000, seed=3)
    right = np.mean(solve(windows, method) == rotations)
    assert 100 * right == pytest.approx(TABLE[method][1], abs=4)


def test_windows_are_stretches_of_the_text_and_turn_back():
    text = plaintext(SAMPLE_ENGLISH)
    windows = every_window(SAMPLE_ENGLISH, 20)
    assert decode(windows[100]) == text[100:120]
    turned, rotations = rotated_windows(SAMPLE_ENGLISH, 20, 50, seed=0)
    for window, rotation in zip(turned, rotations, strict=True):
        assert decrypt(decode(window), int(rotation)) in text


@given(st.lists(st.text(plain_caesar.ALPHABET, min_size=6, max_size=6), min_size=1, max_size=5))
def test_many_windows_at_once_are_many_cryptograms(rows):
    windows = np.array([[plain_caesar.ALPHABET.index(c) for c in row] for row in rows])
    for method in METHODS:
        found = solve(windows, method)
        assert found.shape == (len(rows),)
        values = scores(letter_shares(windows), method)
        for row, one in zip(rows, values, strict=True):
            assert_allclose(one, scores(cryptogram(row, 0).histogram, method), atol=1e-12)
    assert_array_equal(counts(windows)[:, :26] / 6, letter_shares(windows))


def test_ties_count_in_part():
    assert accuracy([[1, 1, 0], [0, 2, 1]]) == pytest.approx(1 / 4)
    assert accuracy([[1, 1, 0], [0, 2, 1]], [1, 1]) == pytest.approx(3 / 4)
    spaces = accuracy_by_length("a b", [1], ["dot product", "commonest is e"])
    assert_allclose(spaces, [[(1 / 26) / 3], [(1 / 26) / 3]])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: every_window("abc", 4), "at least 4 characters, got 3"),
        (lambda: every_window("123", 1), "at least one of the letters"),
        (lambda: every_window("abc", 0), "length must be"),
        (lambda: accuracy_by_length("abc", [2], ["guess"]), "method must be one of"),
        (lambda: rotated_windows("abc", 2, 0, 0), "n_windows must be"),
    ],
)
def test_bad_arguments_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
