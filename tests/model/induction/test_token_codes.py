import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from clockhead.model.induction.token_codes import (
    beta_needed,
    circle_codes,
    match_gaps,
    match_scores,
    one_hot_codes,
    self_weights,
)
from tests.model import second_opinion

sizes = st.integers(2, 60)


@given(sizes)
def test_rank_two_is_enough_for_every_token_to_find_itself(n_vocab):
    scores = match_scores(circle_codes(n_vocab))
    assert (match_gaps(circle_codes(n_vocab)) > 0).all()
    assert np.linalg.matrix_rank(scores) == (1 if n_vocab == 2 else 2)
    assert_allclose(match_gaps(circle_codes(n_vocab)), 1 - np.cos(2 * np.pi / n_vocab), atol=1e-12)


@given(st.integers(3, 60), st.integers(0, 2**32 - 1))
def test_rank_one_is_not(n_vocab, seed):
    line = np.random.default_rng(seed).normal(size=(n_vocab, 1))
    assert (match_gaps(line) > 0).sum() <= 2


@pytest.mark.parametrize(("n_vocab", "beta"), [(27, 196), (100, 2680), (1000, 267_908)])
def test_what_a_circle_costs(n_vocab, beta):
    codes = circle_codes(n_vocab)
    assert second_opinion.beta_for(match_gaps(codes).min()) == pytest.approx(beta, rel=1e-3)
    if n_vocab < 1000:
        assert beta_needed(codes) == pytest.approx(beta, rel=1e-3)


def test_what_one_hot_codes_cost():
    assert beta_needed(one_hot_codes(33)) == pytest.approx(math.log(99 * 32), rel=1e-6)


@given(sizes, st.integers(3, 8), st.floats(0.5, 0.999), st.integers(0, 1000))
def test_at_the_beta_needed_the_worst_token_just_has_the_weight(n_vocab, rank, mass, seed):
    codes = np.random.default_rng(seed).normal(size=(n_vocab, rank))
    codes /= np.linalg.norm(codes, axis=1, keepdims=True)
    beta = beta_needed(codes, mass)
    if math.isfinite(beta):
        assert self_weights(codes, beta).min() == pytest.approx(mass, abs=1e-6)


def test_a_token_that_never_leads_needs_infinite_beta():
    assert beta_needed(np.eye(4, 2)) == math.inf
    assert beta_needed([[1.0], [2.0], [-1.0]]) == math.inf


def test_codes_by_hand():
    assert_allclose(circle_codes(4), [[1, 0], [0, 1], [-1, 0], [0, -1]], atol=1e-15)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: circle_codes(1), "n_vocab must be"),
        (lambda: match_gaps([[1.0]]), "at least 2 tokens"),
        (lambda: beta_needed(np.eye(2), weight=1), "weight must be"),
        (lambda: self_weights(np.eye(2), -1), "beta must be"),
    ],
)
def test_bad_arguments_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
