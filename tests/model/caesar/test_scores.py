import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.caesar.cipher import ENGLISH, counts, encode, templates
from clockhead.model.caesar.scores import (
    METHODS,
    chi_squared,
    dot_products,
    scores,
    squared_errors,
    unembedding_column,
)
from tests.model import plain_caesar

some_letters = st.text(plain_caesar.ALPHABET + " ", min_size=1, max_size=50).filter(str.strip)
PLAIN = {
    "dot product": plain_caesar.dot_product,
    "squared error": lambda text, r: -plain_caesar.squared_error(text, r),
    "chi-squared": lambda text, r: -plain_caesar.chi_squared(text, r),
    "log-likelihood": plain_caesar.log_likelihood,
    "square root": plain_caesar.root_product,
    "commonest is e": plain_caesar.share_of_e,
}


def histogram(text):
    return counts(encode(text))[:26] / len(text)


@given(some_letters, st.sampled_from(METHODS))
def test_strings_and_dictionaries_agree(text, method):
    expected = [PLAIN[method](text, rotation) for rotation in range(26)]
    assert_allclose(scores(histogram(text), method), expected, rtol=1e-9, atol=1e-12)


@given(some_letters, st.sampled_from(METHODS), st.integers(0, 25))
def test_turning_the_text_turns_the_scores(text, method, rotation):
    turned = scores(np.roll(histogram(text), rotation), method)
    assert_allclose(turned, np.roll(scores(histogram(text), method), rotation), rtol=1e-9)


@given(some_letters)
def test_dot_products_and_squared_errors_give_one_order(text):
    dots, errors = (scores(histogram(text), m) for m in ("dot product", "squared error"))
    own = (histogram(text) ** 2).sum() + (ENGLISH**2).sum()
    assert_allclose(errors, 2 * dots - own, atol=1e-14)
    apart = dots[:, None] > dots + 1e-12
    assert (errors[:, None] > errors)[apart].all()


@given(some_letters)
def test_counts_and_shares_find_the_same(text):
    for method in set(METHODS) - {"squared error"}:
        of_counts = scores(counts(encode(text))[:26], method)
        of_shares = scores(histogram(text), method)
        factor = 1 if method == "chi-squared" else len(text)
        assert_allclose(of_counts, factor * of_shares, rtol=1e-9, atol=1e-12)


def test_many_histograms_at_once():
    rows = np.random.default_rng(0).random((2, 3, 26))
    for method in METHODS:
        assert scores(rows, method).shape == (2, 3, 26)
        assert_allclose(scores(rows, method)[1, 2], scores(rows[1, 2], method))


def test_without_a_letter_all_rotations_are_alike():
    for method in METHODS:
        assert np.ptp(scores(np.zeros(26), method)) < 1e-15
    assert_allclose(chi_squared(np.zeros(26), templates()), 1)


def test_columns_of_the_network():
    assert_array_equal(unembedding_column("dot product"), ENGLISH)
    assert_array_equal(unembedding_column("log-likelihood"), np.log(ENGLISH))
    assert_array_equal(unembedding_column("square root"), np.sqrt(ENGLISH))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: scores(np.zeros(26), "guess"), "method must be one of"),
        (lambda: scores(np.zeros(27)), "histograms must have a last axis of 26"),
        (lambda: scores(np.zeros(26), "chi-squared", np.eye(26)[0]), "templates must be above 0"),
        (lambda: scores(np.zeros(26), "log-likelihood", np.eye(26)[0]), "above 0 for log"),
        (lambda: unembedding_column("chi-squared"), "method must be a product"),
        (lambda: unembedding_column("square root", [-1] * 26), "at least 0"),
        (lambda: dot_products(1.0, [[1.0]]), "histograms must have"),
        (lambda: squared_errors([np.nan], [[1.0]]), "histograms must be finite"),
    ],
)
def test_bad_arguments_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
