import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.caesar.geometry import LetterPlane, TwoRules

PANGRAM = "the quick brown fox jumps over the lazy dog"


def test_unequal_lengths_part_the_two_rules():
    rules = TwoRules()
    assert_allclose(rules.dot_products, [0.26, 0.40])
    assert_allclose(rules.squared_errors, [0.09, 0.25])
    assert (rules.best_by_dot, rules.best_by_error) == (1, 0)
    assert not rules.agree
    assert_allclose(rules.sums, [0.61, 1.05])
    along = rules.dot_products / math.hypot(0.5, 0.4)
    assert_allclose(rules.tips[:, 0], [*along, math.hypot(0.5, 0.4)])
    assert_allclose(rules.tips[:, 1] * math.hypot(0.5, 0.4), [0.12, -0.32, 0], atol=1e-15)


@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(2, 6))
def test_the_square_multiplied_out(seed, n_templates, width):
    rng = np.random.default_rng(seed)
    own, rows = rng.normal(size=width), rng.normal(size=(n_templates, width))
    rules = TwoRules(tuple(own.tolist()), tuple(map(tuple, rows.tolist())))
    expanded = own @ own + (rows**2).sum(axis=1) - rules.twice
    assert_allclose(rules.squared_errors, expanded, atol=1e-13)


@given(st.integers(0, 2**32 - 1), st.integers(2, 6))
def test_equal_lengths_let_them_agree(seed, width):
    rng = np.random.default_rng(seed)
    base = rng.random(width)
    rows = tuple(tuple(np.roll(base, r).tolist()) for r in range(width))
    rules = TwoRules(tuple(rng.random(width).tolist()), rows)
    assert rules.agree


def test_the_arrows_of_e_and_b():
    plane = LetterPlane(Cryptogram(PANGRAM, 0))
    assert plane.axes == (4, 1)
    expected = [[0.127, 0.015], [0.015, 0.020], [0.00074, 0.024]]
    assert_allclose(plane.arrows[[0, 3, 5]], expected)
    assert_allclose(plane.arrow, [3 / 43, 1 / 43])
    assert plane.slope == pytest.approx(math.atan2(1, 3))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LetterPlane(Cryptogram("zzz", 0)), "letter of the ciphertext 'zzz', got 'e'"),
        (lambda: LetterPlane(Cryptogram("e", 0), "e", "e"), "different letters, got 'e' twice"),
        (lambda: LetterPlane(Cryptogram("e", 0), "e", "B"), "got 'B' at position 1"),
        (lambda: TwoRules((1.0,), ((1.0, 2.0),)), "histograms must have a last axis of 2"),
    ],
)
def test_bad_arguments_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
