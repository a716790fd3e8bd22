"""A linear map that turns over the ring of letters."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.attention.constant_key import TextKeys
from clockhead.model.attention.embedding import demo_embedding
from clockhead.model.films.previous_token.constant_key import TurningReader
from clockhead.model.tokens import spread_over_vocabulary, words

CAT = spread_over_vocabulary(words("the cat sat on the mat and ran"), 26)

readers = st.lists(st.integers(0, 25), min_size=1, max_size=12).flatmap(
    lambda indices: st.builds(
        TurningReader,
        st.builds(TextKeys, st.just(tuple(indices)), d_model=st.integers(2, 64)),
        st.integers(0, len(indices) - 1),
    )
)


def test_the_letter_of_the_mat_and_its_opposite():
    reader = TurningReader(TextKeys(CAT), 5)
    assert reader.hero == CAT[5] == 14
    assert reader.opposite == 1
    assert reader.opposite_positions.tolist() == []
    assert not reader.opposite_is_in_text
    assert reader.n_points == 7
    assert TurningReader(TextKeys((2, 15, 15)), 0).opposite_positions.tolist() == [1, 2]


@settings(max_examples=60)
@given(readers)
def test_what_is_read_of_one_is_minus_what_is_read_of_the_other(reader):
    assert_allclose(reader.readings[:, 0], -reader.readings[:, 1], atol=1e-12)
    assert_allclose(reader.readings[[0, 30, 60, 90, 120], 0], [1, 0, -1, 0, 1], atol=1e-12)
    assert not (reader.readings > 1e-9).all(axis=1).any()
    assert_array_equal(reader.read_pairs[..., 0], reader.readings)
    assert not reader.read_pairs[..., 1].any()
    assert_allclose(np.linalg.norm(reader.maps, axis=1), 1)
    by_hand = reader.maps[:, :2] @ reader.plane[reader.hero]
    assert_allclose(by_hand, reader.readings[:, 0], atol=1e-12)
    assert reader.opposite_sum < 1e-12
    assert reader.cosine == pytest.approx(-1)
    assert reader.rank == 2


@settings(max_examples=60)
@given(readers)
def test_any_map_of_the_vectors_is_a_map_of_the_plane(reader):
    vectors = demo_embedding(range(26), reader.keys.d_model)
    mixed = np.linalg.lstsq(reader.plane, vectors, rcond=None)[0]
    assert_allclose(reader.plane @ mixed, vectors, atol=1e-12)
    assert_allclose(np.linalg.norm(reader.plane, axis=1), 1)
    assert np.linalg.matrix_rank(mixed, tol=1e-9) == 2


@settings(max_examples=60)
@given(readers)
def test_the_height_is_the_same_for_all(reader):
    assert_array_equal(reader.lifted[:, :2], reader.plane)
    assert_array_equal(reader.lifted - reader.flat, np.tile([0.0, 0.0, 1.0], (26, 1)))
    assert_array_equal(reader.heights, np.ones(26))
    assert_array_equal(reader.height_pairs, [[1, 0], [1, 0]])


def test_a_reader_can_be_sent_to_another_process():
    reader = TurningReader(TextKeys(CAT), 5)
    assert reader.plane.shape == (26, 2)
    assert pickle.loads(pickle.dumps(reader)) == reader


def test_bad_readers_are_refused():
    with pytest.raises(ValueError, match="n_vocab must be 26"):
        TurningReader(TextKeys((0, 1), n_vocab=20))
    with pytest.raises(ValueError, match="m must be a position of the text, 0 to 1, got 2"):
        TurningReader(TextKeys((0, 1)), 2)
