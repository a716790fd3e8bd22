"""One key for every token: what maps read of the ring of letters, with and without a constant."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.attention.embedding import demo_embedding
from clockhead.model.films.previous_token.constant_key import one_key
from clockhead.model.previous_token.head import previous_token_head
from clockhead.model.previous_token.score_row import score_row
from clockhead.model.tokens import words


def keys_of(text, m, d_model=32):
    return one_key(score_row(previous_token_head(len(text)), m, tuple(text)), d_model)


MAT = keys_of(words("the cat sat on the mat and ran"), 5)

found_keys = st.text("abcdef", min_size=2, max_size=12).flatmap(
    lambda text: st.builds(
        keys_of, st.just(text), st.integers(1, len(text) - 1), st.integers(2, 64)
    )
)


def test_the_letter_of_the_mat_and_its_opposite():
    assert MAT.hero == MAT.indices[5] == 14
    assert MAT.opposite == 1
    assert MAT.opposite_positions.tolist() == []
    assert keys_of("abb", 1).opposite_positions.tolist() == [0]
    assert (MAT.rank, MAT.n_opposite_pairs, MAT.n_vocab) == (2, 13, 26)


@settings(max_examples=60)
@given(found_keys)
def test_what_is_read_of_one_is_minus_what_is_read_of_the_other(found):
    assert_allclose(found.readings[:, 0], -found.readings[:, 1], atol=1e-12)
    assert_allclose(found.readings[[0, 30, 60, 90, 120], 0], [1, 0, -1, 0, 1], atol=1e-12)
    assert not (found.readings > 1e-9).all(axis=1).any()
    assert_allclose(np.linalg.norm(found.maps, axis=1), 1)
    by_hand = found.maps[:, :2] @ found.plane[found.hero]
    assert_allclose(by_hand, found.readings[:, 0], atol=1e-12)
    assert found.opposite_sum < 1e-12
    assert_allclose(found.shadows[0], -found.shadows[1], atol=1e-12)
    assert_array_equal(found.shadows.T, found.readings)
    assert found.cosine == pytest.approx(-1)
    assert found.linear_error == 1


@settings(max_examples=60)
@given(found_keys)
def test_any_map_of_the_vectors_is_a_map_of_the_plane(found):
    mixed = np.linalg.lstsq(found.plane, found.embedding, rcond=None)[0]
    assert_allclose(found.plane @ mixed, found.embedding, atol=1e-12)
    assert_allclose(np.linalg.norm(found.plane, axis=1), 1)
    assert np.linalg.matrix_rank(mixed, tol=1e-9) == 2
    assert_array_equal(found.embedding, demo_embedding(range(26), found.embedding.shape[1]))


@settings(max_examples=60)
@given(found_keys)
def test_the_height_is_the_same_for_all_and_so_is_the_key(found):
    assert_array_equal(found.lifted[:, :2], found.plane)
    assert_array_equal(found.lifted - found.flat, np.tile([0.0, 0.0, 1.0], (26, 1)))
    assert_array_equal(found.heights, np.ones(26))
    n = len(found.indices)
    assert found.error == 0
    assert_array_equal(found.key_pairs, np.tile([1.0, 0.0], (n, 16, 1)))
    assert_allclose(found.rotated_keys, found.row.head.keys, atol=1e-15)
    turned = np.stack([np.cos(found.phases), np.sin(found.phases)], axis=-1)
    assert_allclose(found.rotated_key_pairs, turned, atol=1e-14)
    assert_array_equal(found.phases, np.arange(n)[:, None] * found.row.head.frequencies)
    assert found.degrees[0] == pytest.approx(57.2958, abs=1e-4)
