import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from clockhead.model.attention.embedding import (
    DemoEmbedding,
    cosine_similarity,
    demo_embedding,
    distances,
)
from clockhead.model.tokens import LETTERS, one_hot
from tests.model import second_opinion

sizes = st.integers(2, 40)


@given(sizes, sizes)
def test_the_embedding_agrees_with_its_formula(n_vocab, d_model):
    expected = second_opinion.demo_embedding(n_vocab, d_model)
    assert_allclose(DemoEmbedding(n_vocab, d_model).matrix, expected, atol=1e-14)


@given(sizes, sizes)
def test_two_rows_make_every_token(n_vocab, d_model):
    demo = DemoEmbedding(n_vocab, d_model)
    assert demo.rank == 2
    assert_allclose(demo.codes @ demo.basis, demo.matrix, atol=1e-14)


@given(sizes, sizes)
def test_singular_values_agree_with_a_two_by_two_matrix(n_vocab, d_model):
    demo = DemoEmbedding(n_vocab, d_model)
    small = (demo.basis @ demo.basis.T) @ (demo.codes.T @ demo.codes)  # same eigenvalues as E E^T
    squares = np.sort(np.linalg.eigvals(small).real)[::-1]
    assert_allclose(demo.singular_values[:2] ** 2, squares, rtol=1e-6, atol=1e-9)


@given(sizes, sizes)
def test_the_plane_keeps_every_distance(n_vocab, d_model):
    demo = DemoEmbedding(n_vocab, d_model)
    assert demo.plane.shape == (n_vocab, 2)
    assert_allclose(distances(demo.plane), demo.distance, atol=1e-10)


def test_the_plane_is_the_same_on_every_machine():
    plane = DemoEmbedding().plane
    furthest = plane[np.abs(plane).argmax(axis=0), [0, 1]]
    assert (furthest > 0).all()


def test_the_singular_values_of_the_alphabet():
    values = DemoEmbedding(26, 32).singular_values
    assert_allclose(values[:2], [7.2767, 7.1449], atol=5e-5)
    assert values[2] < 1e-13


@pytest.mark.parametrize(("d_model", "condition"), [(4, 8.92), (8, 4.32), (16, 2.08), (32, 1.018)])
def test_the_ellipse_is_long_in_narrow_models(d_model, condition):
    assert DemoEmbedding(26, d_model).condition == pytest.approx(condition, abs=6e-3)


def test_n_is_minus_a_and_a_space_is_an_a():
    rows = demo_embedding(range(39), 32)
    assert_allclose(rows[13:26], -rows[:13], atol=1e-15)
    assert_allclose(rows[26:], rows[:13], atol=2e-15)


def test_the_alphabet_is_nearly_a_circle():
    demo = DemoEmbedding()
    assert (round(demo.norms.min(), 3), round(demo.norms.max(), 3)) == (1.982, 2.018)
    nearest = demo.nearest_pair
    assert [LETTERS.tokens[i] for i in nearest] == ["g", "h"]
    assert demo.similarity[nearest] == pytest.approx(0.97197, abs=5e-6)
    apart = demo.distance + np.diag(np.full(26, np.inf))
    assert apart.min() == pytest.approx(0.4777, abs=5e-5)


def test_every_letter_matches_itself_best():
    demo = DemoEmbedding()
    assert ((demo.matrix @ demo.matrix.T).argmax(axis=1) == np.arange(26)).all()
    whitened = demo.codes @ demo.codes.T
    assert whitened[0, 0] - whitened[0, 1] == pytest.approx(0.029058, abs=5e-7)


def test_one_token_is_a_point_and_one_column_a_line():
    assert DemoEmbedding(1, 8).rank == 1
    assert DemoEmbedding(8, 1).rank == 1
    assert_allclose(DemoEmbedding(8, 1).plane[:, 1], 0)


@pytest.mark.parametrize(("n_vocab", "d_model"), [(0, 8), (8, 0), (2.0, 8), (8, None), (-1, 8)])
def test_sizes_must_be_whole(n_vocab, d_model):
    with pytest.raises(ValueError, match=r"(n_vocab|d_model) must be a whole number"):
        DemoEmbedding(n_vocab, d_model)


def test_a_single_token_has_no_pair_and_no_ellipse():
    with pytest.raises(ValueError, match="n_vocab of at least 2, got 1"):
        _ = DemoEmbedding(1, 8).nearest_pair
    with pytest.raises(ValueError, match="at least 2, got 1 and 8"):
        _ = DemoEmbedding(1, 8).condition


def test_similarity_and_distance_of_one_hot_vectors():
    rows = one_hot(range(4), 4)
    assert_allclose(cosine_similarity(rows), np.eye(4))
    assert_allclose(distances(rows), math.sqrt(2) * (1 - np.eye(4)))


def test_no_cosine_leaves_its_range():
    rows = np.random.default_rng(0).normal(size=(200, 3))
    assert np.abs(cosine_similarity(rows)).max() <= 1


def test_a_zero_vector_has_no_direction():
    with pytest.raises(ValueError, match="got a zero row 1"):
        cosine_similarity([[1.0, 0.0], [0.0, 0.0]])
