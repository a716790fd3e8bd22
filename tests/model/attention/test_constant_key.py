import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.attention.constant_key import (
    constant_key,
    key_weights,
    offset_head,
    query_weights,
    with_constant,
)
from clockhead.model.attention.head import ResidualStream
from clockhead.model.rope.rotation import rope_frequencies, rotation_matrix


def test_the_key_stands_every_hand_at_noon():
    assert_array_equal(constant_key(6), [1, 0, 1, 0, 1, 0])


@given(st.integers(0, 2**32 - 1), st.integers(1, 20), st.integers(0, 20))
def test_the_weights_give_every_vector_the_same_key(seed, n_vectors, d_model):
    vectors = np.random.default_rng(seed).normal(size=(n_vectors, d_model))
    keys = with_constant(vectors) @ key_weights(8, d_model).T
    assert_array_equal(keys, np.tile(constant_key(8), (n_vectors, 1)))


def test_a_linear_map_sends_zero_to_zero_and_the_constant_coordinate_saves_it():
    weights = key_weights(8, 5)
    assert_array_equal(weights[:, :-1] @ np.zeros(5), np.zeros(8))
    assert_array_equal(with_constant(np.zeros((1, 5))) @ weights.T, [constant_key(8)])


def test_key_and_query_weights_have_rank_one():
    w_k = key_weights(8, 5)
    assert np.linalg.matrix_rank(w_k) == 1
    assert np.linalg.matrix_rank(query_weights(w_k, 3.0, rope_frequencies(8))) == 1


@given(st.integers(0, 20), st.floats(0.1, 100))
def test_query_weights_are_the_boxed_equation(offset, alpha):
    frequencies, w_k = rope_frequencies(8), key_weights(8, 3)
    expected = alpha * rotation_matrix(-offset, frequencies) @ w_k
    assert_allclose(query_weights(w_k, alpha, frequencies, offset), expected, atol=1e-12)


@pytest.mark.parametrize(
    ("alpha", "offset", "name"), [(0, 1, "alpha"), (1, -1, "offset"), (1, 1.0, "offset")]
)
def test_query_weights_refuse_bad_scales(alpha, offset, name):
    with pytest.raises(ValueError, match=f"{name} must be"):
        query_weights(key_weights(8, 3), alpha, rope_frequencies(8), offset)


def test_the_previous_token_moves_into_its_own_subspace():
    stream = ResidualStream.of(token=3, prev=3, one=1)
    head = offset_head(7, rope_frequencies(32), 1000, w_ov=stream.copy_matrix("token", "prev"))
    resid_pre = with_constant(np.pad(np.eye(3), ((0, 0), (0, 3))))
    resid_post = head.run(resid_pre).resid_post
    assert_allclose(resid_post[:, stream.subspace("prev")], np.eye(3)[[0, 0, 1]], atol=1e-12)
    assert_allclose(resid_post[:, stream.subspace("token")], np.eye(3))
