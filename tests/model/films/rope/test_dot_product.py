"""A query and a key at two positions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.attention.constant_key import constant_key
from clockhead.model.films.rope.dot_product import rotated_dot_product
from clockhead.model.films.rope.words import word_scores
from clockhead.model.rope.rotation import kernel, rope_frequencies, rotation_matrix

RATES = rope_frequencies(32)
WORDS = word_scores(("dog", "bites", "man"), 1, rope_frequencies(8))
places = st.integers(0, 2000)


@given(places, places)
def test_the_score_of_the_constant_key_is_the_kernel_of_the_offset(m, n):
    found = rotated_dot_product(constant_key(32), constant_key(32), RATES, m, n)
    assert found.score == pytest.approx(float(kernel(n - m, RATES)), abs=1e-9)
    assert found.offset == n - m


@given(places, places, st.integers(0, 2**32 - 1))
def test_three_ways_to_a_score_agree(m, n, seed):
    query, key = np.random.default_rng(seed).normal(size=(2, 32))
    found = rotated_dot_product(query, key, RATES, m, n)
    expected = query @ rotation_matrix(n - m, RATES) @ key
    assert found.score == pytest.approx(expected, abs=1e-10)
    assert found.terms.sum() == pytest.approx(expected, abs=1e-10)
    assert query @ found.key_pairs_by_offset.ravel() == pytest.approx(expected, abs=1e-10)


def test_the_score_of_the_dog_and_the_bite():
    product = rotated_dot_product(WORDS.query, WORDS.keys[0], WORDS.frequencies, 5, 3)
    assert product.offset == -2
    assert_allclose(product.terms, [1.86, 2.52, 0.36, -0.04], atol=0.005)
    assert product.score == pytest.approx(4.69, abs=0.005)
    assert product.n_decimals == 3
    added = sum(float(f"{term:.3f}") for term in product.terms)
    assert f"{added:.2f}" == f"{product.score:.2f}"


def test_pairs_of_two_vectors_written_out():
    query, key = np.array([1.0, 0.0, 2.0, 1.0]), np.array([0.0, 3.0, 1.0, 1.0])
    product = rotated_dot_product(query, key, np.array([np.pi / 2, np.pi]), 1, 3)
    assert_allclose(product.rotated_query_pairs, [[0, 1], [-2, -1]], atol=1e-12)
    assert_allclose(product.rotated_key_pairs, [[3, 0], [-1, -1]], atol=1e-12)
    assert_allclose(product.terms, [0, 3], atol=1e-12)
    assert_allclose(product.key_pairs_by_offset, [[0, -3], [1, 1]], atol=1e-12)
    assert_array_equal(product.query_pairs, [[1, 0], [2, 1]])


def test_the_angles_of_pairs_lead_from_the_query_to_the_key():
    query, key = np.array([1.0, 0.0, 0.5, 0.5]), np.array([0.5, 0.5, 0.0, 0.0])
    rates = np.array([1.0, 0.1])
    assert_allclose(rotated_dot_product(query, key, rates, 0, 0).pair_angles, [np.pi / 4, 0.0])
    turned = rotated_dot_product(query, key, rates, 2, 5).pair_angles
    assert_allclose(turned, [np.pi / 4 + 3 - 2 * np.pi, 0.0], atol=1e-12)


@pytest.mark.parametrize(("m", "n", "name"), [(-1, 0, "m"), (0, 1.5, "n")])
def test_positions_are_whole(m, n, name):
    with pytest.raises(ValueError, match=f"^{name} must"):
        rotated_dot_product(constant_key(32), constant_key(32), RATES, m, n)
