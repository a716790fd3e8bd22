import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clockhead.model.attention.embedding import demo_embedding, opposite_pairs, ring_points
from clockhead.model.attention.linear_probe import (
    _minimax_point,
    best_linear_probe,
    best_worst_case_probe,
)
from clockhead.model.tokens import one_hot

seeds = st.integers(0, 2**32 - 1)


def worst_error(rows, w):
    return np.abs(rows @ w - 1).max()


@pytest.mark.parametrize(
    ("n_vocab", "error"),
    [(2, 0), (6, 0.0935), (11, 0.4764), (12, 0.6115), (13, 0.7849), (14, 1), (26, 1), (40, 1)],
)
def test_the_smallest_worst_error_of_the_demo_embedding(n_vocab, error):
    probe = best_worst_case_probe(demo_embedding(range(n_vocab), 32))
    assert probe.residual == pytest.approx(error, abs=5e-5)


@pytest.mark.parametrize("n_vocab", [14, 20, 26, 27])
def test_from_14_letters_on_the_best_probe_reads_nothing(n_vocab):
    rows = demo_embedding(range(n_vocab), 32)
    probe = best_worst_case_probe(rows)
    assert probe.reads_nothing
    assert probe.residual == 1
    assert best_linear_probe(rows).residual >= 1
    assert opposite_pairs(rows)[0].tolist() == [0, 13]


@settings(max_examples=60)
@given(seeds, st.integers(3, 12), st.integers(1, 2))
def test_no_direction_in_a_fine_search_has_a_smaller_worst_error(seed, n_vocab, rank):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n_vocab, rank)) @ rng.normal(size=(rank, 5))
    best = best_worst_case_probe(rows)
    assert best.residual <= min(1, best_linear_probe(rows).residual) + 1e-9
    for scale in (1e-6, 1e-3, 0.1, 1):
        for nudge in rng.normal(scale=scale, size=(100, 5)):
            assert worst_error(rows, best.direction + nudge) >= best.residual - 1e-9


@given(seeds, st.integers(3, 10))
def test_the_bound_is_proved_by_a_dependence_of_three_points(seed, n_vocab):
    points = np.random.default_rng(seed).normal(size=(n_vocab, 2))
    best = best_worst_case_probe(points)
    errors = points @ best.direction - 1
    active = np.flatnonzero(np.abs(np.abs(errors) - best.residual) < 1e-7)
    assert active.size >= 3  # three errors are equally large: no direction lowers all of them


@pytest.mark.parametrize("n_vocab", [14, 17])
def test_the_dependences_give_the_same_for_opposite_points(n_vocab):
    points = ring_points(range(n_vocab))
    in_plane = _minimax_point(points)
    assert np.abs(in_plane).max() < 1e-12
    assert worst_error(points, in_plane) == pytest.approx(1)


def test_independent_rows_are_read_without_error():
    assert best_worst_case_probe(one_hot(range(26), 26)).residual < 1e-14
    assert best_worst_case_probe([[2.0, 0.0], [1.0, 3.0]]).residual < 1e-14


def test_a_row_of_zeros_cannot_be_read():
    assert best_worst_case_probe([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]).residual == 1


def test_parallel_rows_share_the_error():
    probe = best_worst_case_probe([[1.0, 0.0], [3.0, 0.0]])
    assert probe.residual == pytest.approx(0.5)
    assert probe.direction == pytest.approx([0.5, 0])


def test_a_higher_rank_is_refused():
    rows = np.random.default_rng(0).normal(size=(5, 3))
    with pytest.raises(ValueError, match="rank at most 2 or independent rows, got rank 3"):
        best_worst_case_probe(rows)


@pytest.mark.parametrize("embedding", [[], [[]], [1.0], [[np.nan]]])
@pytest.mark.parametrize("probe", [best_linear_probe, best_worst_case_probe])
def test_a_probe_needs_vectors(probe, embedding):
    with pytest.raises(ValueError, match="embedding must"):
        probe(embedding)


# Least squares


@pytest.mark.parametrize(("n_vocab", "residual"), [(2, 0), (6, 0.108), (26, 1)])
def test_without_the_constant_the_demo_embedding_cannot_do_it(n_vocab, residual):
    probe = best_linear_probe(demo_embedding(range(n_vocab), 32))
    assert probe.residual == pytest.approx(residual, abs=5e-4)


@given(st.integers(0, 2**32 - 1), st.integers(1, 12))
def test_independent_rows_need_no_constant(seed, n_vocab):
    rows = np.random.default_rng(seed).normal(size=(n_vocab, 24))
    assert best_linear_probe(rows).residual < 1e-10


def test_no_nearby_direction_reads_better():
    rows = demo_embedding(range(6), 32)
    best = best_linear_probe(rows)
    nudges = np.random.default_rng(3).normal(scale=0.01, size=(200, 32))
    others = ((best.direction + nudges) @ rows.T - 1) ** 2
    assert (others.sum(axis=1) >= ((best.readings - 1) ** 2).sum() - 1e-12).all()
