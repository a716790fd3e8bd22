import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from clockhead.model.caesar.cryptogram import cryptogram
from clockhead.model.films.caesar.angle import shadows
from clockhead.model.films.caesar.theorem import equal_lengths, two_rules

TEXT = "the shift hides every word but not how often each letter is needed to write it"


def test_unequal_lengths_part_the_two_rules():
    rules = two_rules()
    assert_allclose(rules.dot_products, [0.26, 0.40])
    assert_allclose(rules.squared_errors, [0.09, 0.25])
    assert (rules.best_by_dot, rules.best_by_error) == (1, 0)
    assert not rules.agree
    assert_allclose(rules.sums, [0.61, 1.05])
    along = rules.dot_products / math.hypot(0.5, 0.4)
    assert_allclose(rules.tips[:, 0], [*along, math.hypot(0.5, 0.4)])
    assert_allclose(rules.tips[:, 1] * math.hypot(0.5, 0.4), [0.12, -0.32, 0], atol=1e-15)


@given(st.integers(0, 2**32 - 1), st.integers(1, 6))
def test_the_square_multiplied_out(seed, n_templates):
    rng = np.random.default_rng(seed)
    own, rows = rng.normal(size=2), rng.normal(size=(n_templates, 2))
    rules = two_rules(own, rows)
    expanded = own @ own + (rows**2).sum(axis=1) - rules.twice
    assert_allclose(rules.squared_errors, expanded, atol=1e-13)


@given(st.integers(0, 2**32 - 1), st.integers(2, 6))
def test_equal_lengths_let_them_agree(seed, n_templates):
    rng = np.random.default_rng(seed)
    angles = rng.random(n_templates) * math.pi
    assert two_rules(rng.random(2), np.stack([np.cos(angles), np.sin(angles)], axis=1)).agree


def test_with_all_letters_lengths_are_equal():
    message = cryptogram(TEXT, 7)
    found = equal_lengths(message)
    assert_allclose(found.tips, shadows(message).tips[-1])
    assert found.nearest == int(message.squared_errors.argmin()) == 7
    assert not found.unequal.agree


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: shadows(cryptogram("zzz", 0), "e", "b"),
            "letter of the ciphertext 'zzz', got 'e'",
        ),
        (lambda: shadows(cryptogram("e", 0), "e", "e"), "different letters, got 'e' twice"),
        (lambda: shadows(cryptogram("e", 0), "e", "B"), "got 'B' at position 1"),
        (lambda: two_rules((1.0, 2.0), ((1.0,),)), "histograms must have a last axis of 1"),
    ],
)
def test_bad_arguments_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
