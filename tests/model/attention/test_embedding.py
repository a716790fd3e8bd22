import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from clockhead.model.attention.embedding import (
    cosine_similarity,
    demo_embedding,
    opposite_pairs,
    ring_points,
)
from clockhead.model.tokens import LETTERS, one_hot
from tests.model import second_opinion

sizes = st.integers(2, 40)


@given(sizes, sizes)
def test_the_embedding_agrees_with_its_formula(n_vocab, d_model):
    expected = second_opinion.demo_embedding(n_vocab, d_model)
    assert_allclose(demo_embedding(range(n_vocab), d_model), expected, atol=1e-14)


@given(sizes, sizes)
def test_two_rows_make_every_token(n_vocab, d_model):
    rows, points = demo_embedding(range(n_vocab), d_model), ring_points(range(n_vocab))
    assert_allclose(np.linalg.norm(points, axis=1), 1)
    assert np.linalg.matrix_rank(rows, tol=1e-10) == 2
    basis = 0.5 * np.stack([np.cos(0.1 * np.arange(d_model)), np.sin(0.1 * np.arange(d_model))])
    assert_allclose(points @ basis, rows, atol=1e-14)


def test_the_singular_values_of_the_alphabet():
    values = np.linalg.svd(demo_embedding(range(26), 32), compute_uv=False)
    assert_allclose(values[:2], [7.2767, 7.1449], atol=5e-5)
    assert values[2] < 1e-13


@pytest.mark.parametrize(("d_model", "condition"), [(4, 8.92), (8, 4.32), (16, 2.08), (32, 1.018)])
def test_the_ellipse_is_long_in_narrow_models(d_model, condition):
    values = np.linalg.svd(demo_embedding(range(26), d_model), compute_uv=False)
    assert values[0] / values[1] == pytest.approx(condition, abs=6e-3)


def test_n_is_minus_a_and_a_space_is_an_a():
    rows = demo_embedding(range(39), 32)
    assert_allclose(rows[13:26], -rows[:13], atol=1e-15)
    assert_allclose(rows[26:], rows[:13], atol=2e-15)
    assert opposite_pairs(rows[:26]).tolist() == [[k, k + 13] for k in range(13)]


def test_the_alphabet_is_nearly_a_circle():
    rows = demo_embedding(range(26), 32)
    norms = np.linalg.norm(rows, axis=1)
    assert (round(norms.min(), 3), round(norms.max(), 3)) == (1.982, 2.018)
    rivals = np.where(np.eye(26, dtype=bool), -np.inf, cosine_similarity(rows))
    nearest = np.unravel_index(rivals.argmax(), rivals.shape)
    assert [LETTERS.tokens[i] for i in nearest] == ["g", "h"]
    assert rivals.max() == pytest.approx(0.97197, abs=5e-6)


def test_every_letter_matches_itself_best():
    rows, points = demo_embedding(range(26), 32), ring_points(range(26))
    assert ((rows @ rows.T).argmax(axis=1) == np.arange(26)).all()
    assert 1 - points[0] @ points[1] == pytest.approx(0.029058, abs=5e-7)


@pytest.mark.parametrize("d_model", [0, 2.0, None, -1])
def test_a_width_must_be_whole(d_model):
    with pytest.raises(ValueError, match="d_model must be a whole number"):
        demo_embedding(range(8), d_model)


def test_similarity_of_one_hot_vectors():
    assert_allclose(cosine_similarity(one_hot(range(4), 4)), np.eye(4))


def test_no_cosine_leaves_its_range():
    rows = np.random.default_rng(0).normal(size=(200, 3))
    assert np.abs(cosine_similarity(rows)).max() <= 1


def test_a_zero_vector_has_no_direction():
    with pytest.raises(ValueError, match="got a zero row 1"):
        cosine_similarity([[1.0, 0.0], [0.0, 0.0]])
