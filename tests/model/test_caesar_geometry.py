import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from model.caesar import templates
from model.caesar_geometry import LetterPlane, TwoRules
from model.cryptogram import Cryptogram

PANGRAM = "the quick brown fox jumps over the lazy dog"


def test_unequal_lengths_part_the_two_rules():
    rules = TwoRules()
    assert_allclose(rules.dot_products, [0.50, 0.58])
    assert_allclose(rules.squared_errors, [0.02, 0.18])
    assert (rules.best_by_dot, rules.best_by_error) == (1, 0)
    assert not rules.agree
    assert not rules.equally_long
    assert_allclose(rules.stacked, [[1.00, 0.02], [1.16, 0.18]])
    assert rules.stacked[0].sum() != pytest.approx(rules.stacked[1].sum())


@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(2, 6))
def test_the_square_multiplied_out(seed, n_templates, width):
    rng = np.random.default_rng(seed)
    rows = tuple(map(tuple, rng.normal(size=(n_templates, width)).tolist()))
    rules = TwoRules(tuple(rng.normal(size=width).tolist()), rows)
    assert_allclose(rules.expanded, rules.squared_errors, atol=1e-13)


@given(st.integers(0, 2**32 - 1), st.integers(2, 6))
def test_equal_lengths_let_them_agree(seed, width):
    rng = np.random.default_rng(seed)
    base = rng.random(width)
    rows = tuple(tuple(np.roll(base, r).tolist()) for r in range(width))
    rules = TwoRules(tuple(rng.random(width).tolist()), rows)
    assert rules.equally_long
    assert rules.agree


def test_the_arrows_of_e_and_b():
    plane = LetterPlane(Cryptogram(PANGRAM, 0))
    assert plane.axes == (4, 1)
    expected = [[0.127, 0.015], [0.015, 0.020], [0.00074, 0.024]]
    assert_allclose(plane.arrows[[0, 3, 5]], expected)
    assert_allclose(plane.arrow, [3 / 43, 1 / 43])
    angle = math.atan2(1, 3) - math.atan2(0.015, 0.127)
    assert plane.angles[0] == pytest.approx(angle)
    assert plane.slope == pytest.approx(math.atan2(1, 3))
    assert plane.largest_and_narrowest((0, 5)) == (0, 0)


def test_in_the_plane_a_long_arrow_can_win_by_length():
    plane = LetterPlane(Cryptogram("bbe", 0))
    largest, narrowest = plane.largest_and_narrowest((0, 3))
    assert (largest, narrowest) == (0, 3)
    assert_allclose(np.linalg.norm(templates(), axis=1), np.linalg.norm(templates()[0]))


@given(st.text("ebxz ", min_size=1, max_size=12).filter(lambda t: "e" in t or "b" in t))
def test_angles_are_those_of_the_arrows(text):
    plane = LetterPlane(Cryptogram(text, 0))
    directions = np.arctan2(plane.arrows[:, 1], plane.arrows[:, 0])
    expected = np.abs(directions - math.atan2(plane.arrow[1], plane.arrow[0]))
    assert_allclose(plane.angles, expected, atol=1e-7)
    assert_allclose(plane.dot_products, plane.arrows @ plane.arrow)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LetterPlane(Cryptogram("zzz", 0)), "ciphertext must hold 'e' or 'b', got 'zzz'"),
        (lambda: LetterPlane(Cryptogram("e", 0), "e", "e"), "different letters, got 'e' twice"),
        (lambda: LetterPlane(Cryptogram("e", 0), "e", "B"), "got 'B' at position 1"),
        (lambda: LetterPlane(Cryptogram("e", 0)).largest_and_narrowest((26,)), "rotations must"),
        (lambda: TwoRules((1.0,), ((1.0, 2.0),)), "histograms must have a last axis of 2"),
    ],
)
def test_bad_arguments_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
