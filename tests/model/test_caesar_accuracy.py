import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from model.caesar import counts, decode, decrypt, plain, templates, truncated_templates
from model.caesar_accuracy import (
    accuracy_by_length,
    accuracy_of_templates,
    every_window,
    letter_shares,
    rotated_windows,
    share_right,
    solve,
)
from model.caesar_scores import METHODS, scores
from model.cryptogram import Cryptogram
from model.sample_english import SAMPLE_ENGLISH
from tests.model import plain_caesar

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
    assert measured.methods == METHODS
    assert_allclose(100 * measured.accuracy, [TABLE[m] for m in measured.methods], atol=2.0)
    assert_allclose(100 * measured.accuracy[0], [56.9, 84.0, 96.0, 99.4, 100], atol=0.05)


def test_more_text_is_better_and_likelihood_best(measured):
    assert (np.diff(measured.accuracy, axis=1) >= 0).all()
    best = measured.accuracy[measured.methods.index("log-likelihood")]
    assert (best >= measured.accuracy).all()
    assert_array_equal(measured.n_windows, 2480 - measured.lengths)


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
    text = plain(SAMPLE_ENGLISH)
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
            assert_allclose(one, scores(Cryptogram(row, 0).histogram, method), atol=1e-12)
    assert_array_equal(counts(windows)[:, :26] / 6, letter_shares(windows))


def test_ties_count_in_part():
    assert share_right([[1, 1, 0], [0, 2, 1]]) == pytest.approx(1 / 4)
    assert share_right([[1, 1, 0], [0, 2, 1]], [1, 1]) == pytest.approx(3 / 4)
    spaces = accuracy_by_length("a b", [1], ["dot product", "commonest is e"])
    assert_allclose(spaces.accuracy, [[(1 / 26) / 3], [(1 / 26) / 3]])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: every_window("abc", 4), "at least 4 characters, got 3"),
        (lambda: every_window("123", 1), "at least one of the letters"),
        (lambda: every_window("abc", 0), "length must be"),
        (lambda: accuracy_by_length("abc", []), "at least one each"),
        (lambda: accuracy_by_length("abc", [2], ["guess"]), "method must be one of"),
        (lambda: rotated_windows("abc", 2, 0, 0), "n_windows must be"),
    ],
)
def test_bad_arguments_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
