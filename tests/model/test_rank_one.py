import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from model.embedding import demo_embedding
from model.rank_one import (
    RankOneHead,
    random_self_matches,
    self_match_counts,
    strict_self_matches,
)
from model.tokens import one_hot

seeds = st.integers(0, 2**32 - 1)
ONES = np.ones(32)


def test_the_table_of_three_letters():
    head = RankOneHead(demo_embedding(range(3), 32), ONES, ONES)
    assert_allclose(head.key_projections, [9.9977, 9.7570, 8.9492], atol=5e-5)
    assert_allclose(head.scores[2], [89.47, 87.32, 80.09], atol=5e-3)
    assert_allclose(head.pattern[2], [0.8960, 0.1039, 0.0001], atol=5e-5)
    assert_array_equal(head.looks_at, [0, 0, 0])
    assert head.peaks == (0,)
    assert_array_equal(head.self_matches, [0])


def test_all_26_letters_find_only_two():
    head = RankOneHead(demo_embedding(range(26), 32), ONES, ONES)
    assert head.peaks == (0, 13)
    assert_array_equal(head.self_matches, [0, 13])


@given(seeds, st.integers(2, 8), st.sampled_from([-5, -1, 0, 0.5, 3]))
def test_scores_are_the_matrices_multiplied_out(seed, d_head, gain):
    rng = np.random.default_rng(seed)
    x, v_q, v_k, u = rng.normal(size=(6, 5)), *rng.normal(size=(2, 5)), rng.normal(size=d_head)
    w_q, w_k = np.outer(gain * u / (u @ u), v_q), np.outer(u, v_k)
    head = RankOneHead(x, v_q, v_k, gain)
    assert_allclose(head.scores, (x @ w_q.T) @ (x @ w_k.T).T, atol=1e-9)
    assert np.linalg.matrix_rank(head.scores) <= 1


@given(seeds, st.integers(3, 30))
def test_at_most_two_tokens_find_themselves(seed, n_vocab):
    rng = np.random.default_rng(seed)
    x, v_q, v_k = rng.normal(size=(n_vocab, 6)), rng.normal(size=6), rng.normal(size=6)
    head = RankOneHead(x, v_q, v_k)
    assert len(head.peaks) <= 2
    assert self_match_counts(x, [v_q], [v_k])[0] == len(head.self_matches) <= 2


def test_twenty_thousand_directions_find_at_most_two_letters():
    directions = np.random.default_rng(0).normal(size=(2, 20_000, 32))
    assert self_match_counts(demo_embedding(range(26), 32), *directions).max() == 2


def test_two_tokens_of_opposite_sign_do_find_themselves():
    head = RankOneHead([[1.0], [-1.0]], [1.0], [1.0])
    assert_array_equal(head.self_matches, [0, 1])


def test_ties_are_no_match_and_zeros_no_preference():
    head = RankOneHead(one_hot(range(3), 3), np.zeros(3), np.ones(3))
    assert head.self_matches.size == 0
    assert_allclose(head.pattern, 1 / 3)
    assert_array_equal(self_match_counts(np.ones((4, 2)), [[1, 1]], [[1, 1]]), [0])
    assert_array_equal(self_match_counts([[2.0]], [[1]], [[1]]), [1])


def test_self_matches_of_several_tables_at_once():
    tables = np.array([[[2, 1], [1, 2]], [[1, 1], [3, 2]]])
    assert_array_equal(strict_self_matches(tables), [[True, True], [False, False]])


@pytest.mark.parametrize(
    ("v_q", "v_k", "gain", "message"),
    [
        ([1], [1, 1], 1, "v_q must have 2 coordinates, got 1"),
        ([1, 1], [1, 1, 1], 1, "v_k must have 2"),
        ([1, 1], [1, 1], np.inf, "gain must be"),
    ],
)
def test_bad_directions_are_refused(v_q, v_k, gain, message):
    with pytest.raises(ValueError, match=message):
        RankOneHead(np.eye(2), v_q, v_k, gain)


def test_a_table_must_be_square():
    with pytest.raises(ValueError, match=r"got \(2, 3\)"):
        strict_self_matches(np.zeros((2, 3)))


@given(seeds, st.integers(1, 300))
def test_random_directions_are_counted_by_how_many_find_themselves(seed, n_directions):
    vectors = demo_embedding(range(26), 32)
    counts = random_self_matches(vectors, n_directions, seed)
    v_q, v_k = np.random.default_rng(seed).normal(size=(2, n_directions, 32))
    pairs = list(zip(v_q, v_k, strict=True))[:20]
    one_by_one = [len(RankOneHead(vectors, q, k).self_matches) for q, k in pairs]
    assert counts.shape == (27,)
    assert counts.sum() == n_directions
    assert counts[3:].sum() == 0
    assert_array_equal(self_match_counts(vectors, v_q[:20], v_k[:20]), one_by_one)
