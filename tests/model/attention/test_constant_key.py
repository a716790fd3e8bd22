import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.attention.constant_key import (
    TextKeys,
    constant_key,
    key_weights,
    query_weights,
    with_constant,
)
from clockhead.model.attention.embedding import demo_embedding
from clockhead.model.attention.linear_probe import best_linear_reader
from clockhead.model.previous_token.head import PreviousTokenHead
from clockhead.model.rope.rotation import rope_frequencies, rotation_matrix
from clockhead.model.tokens import one_hot


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
def test_query_weights_are_the_boxed_equation(look_back, alpha):
    frequencies, w_k = rope_frequencies(8), key_weights(8, 3)
    expected = alpha * rotation_matrix(-look_back, frequencies) @ w_k
    assert_allclose(query_weights(w_k, alpha, frequencies, look_back), expected, atol=1e-12)


@pytest.mark.parametrize(("n_vocab", "residual"), [(2, 0), (6, 0.108), (26, 1)])
def test_without_the_constant_the_demo_embedding_cannot_do_it(n_vocab, residual):
    reader = best_linear_reader(demo_embedding(range(n_vocab), 32))
    assert reader.residual == pytest.approx(residual, abs=5e-4)


def test_the_best_reader_of_the_alphabet_reads_nothing():
    reader = best_linear_reader(demo_embedding(range(26), 32))
    assert_allclose(reader.direction, 0, atol=1e-15)
    assert_allclose(reader.readings, 0, atol=1e-14)


def test_one_hot_vectors_need_no_constant():
    reader = best_linear_reader(one_hot(range(26), 26))
    assert_allclose(reader.direction, 1)
    assert reader.residual < 1e-14


@given(st.integers(0, 2**32 - 1), st.integers(1, 12))
def test_independent_rows_need_no_constant(seed, n_vocab):
    rows = np.random.default_rng(seed).normal(size=(n_vocab, 24))
    assert best_linear_reader(rows).residual < 1e-10


def test_no_nearby_direction_reads_better():
    rows = demo_embedding(range(6), 32)
    best = best_linear_reader(rows)
    nudges = np.random.default_rng(3).normal(scale=0.01, size=(200, 32))
    others = ((best.direction + nudges) @ rows.T - 1) ** 2
    assert (others.sum(axis=1) >= ((best.readings - 1) ** 2).sum() - 1e-12).all()


@pytest.mark.parametrize("embedding", [[], [[]], [1.0], [[np.nan]]])
def test_a_reader_needs_vectors(embedding):
    with pytest.raises(ValueError, match="embedding must"):
        best_linear_reader(embedding)


@pytest.mark.parametrize(
    ("alpha", "look_back", "name"), [(0, 1, "alpha"), (1, -1, "look_back"), (1, 1.0, "look_back")]
)
def test_query_weights_refuse_bad_scales(alpha, look_back, name):
    with pytest.raises(ValueError, match=f"{name} must be"):
        query_weights(key_weights(8, 3), alpha, rope_frequencies(8), look_back)


def test_a_text_gets_one_key_and_the_best_linear_map_gets_none():
    text = TextKeys((0, 3, 7, 0))
    assert text.error == 0
    assert_array_equal(text.linear_readings, np.zeros(4))
    assert_array_equal(text.linear_keys, np.zeros((4, 32)))
    assert text.reader.residual == pytest.approx(1)
    head = PreviousTokenHead(n_tokens=4)
    assert_allclose(text.rotated_keys, head.keys, atol=1e-15)
    assert_array_equal(text.phases, np.arange(4)[:, None] * head.frequencies)
    assert_array_equal(text.key_pairs, np.tile([1.0, 0.0], (4, 16, 1)))
    turned = np.stack([np.cos(text.phases), np.sin(text.phases)], axis=-1)
    assert_allclose(text.rotated_key_pairs, turned, atol=1e-15)
    assert text.degrees[0] == pytest.approx(57.2958, abs=1e-4)


def test_a_small_vocabulary_is_read_a_little():
    text = TextKeys((0, 2), n_vocab=6)
    assert text.reader.residual == pytest.approx(0.1077, abs=1e-4)
    assert_allclose(text.linear_keys[:, 0], text.linear_readings)
    assert (text.linear_readings > 0.8).all()


def test_a_text_must_lie_in_its_vocabulary():
    with pytest.raises(ValueError, match="from 0 to 5, got 0 to 6"):
        TextKeys((0, 6), n_vocab=6)


def test_a_text_knows_which_of_its_letters_are_opposite():
    text = TextKeys((0, 3, 13, 16))  # a d n q
    assert text.n_opposite_pairs == 13
    assert text.opposite_pairs[0].tolist() == [0, 13]
    assert text.opposite_positions.tolist() == [[0, 2], [1, 3]]
    assert text.has_opposites
    assert not TextKeys((0, 3, 7, 0)).has_opposites
    assert TextKeys((0, 1), n_vocab=13).n_opposite_pairs == 0
    assert TextKeys((0, 1), n_vocab=14).opposite_pairs.tolist() == [[0, 13]]


@pytest.mark.parametrize(("n_vocab", "error"), [(12, 0.61), (13, 0.78), (14, 1), (26, 1)])
def test_the_worst_case_reader_of_a_vocabulary(n_vocab, error):
    text = TextKeys((0, 1), n_vocab=n_vocab)
    assert text.worst_case_reader.residual == pytest.approx(error, abs=5e-3)
    assert text.worst_case_reader.residual <= text.reader.residual
