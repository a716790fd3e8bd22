import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from model.match_codes import (
    beta_estimate,
    beta_needed,
    circle_codes,
    harmonic_codes,
    match_gaps,
    match_scores,
    one_hot_codes,
    random_codes,
    self_masses,
    sharpening,
    simplex_codes,
    token_frequencies,
    truncated_codes,
)
from model.match_quality import match_quality, random_questions, rank_curve
from model.rank_one import strict_self_matches
from model.rope import kernel

sizes = st.integers(2, 60)
QUESTIONS = random_questions(300, 33, 27, seed=0)


@given(sizes)
def test_rank_two_is_enough_for_every_token_to_find_itself(n_vocab):
    scores = match_scores(circle_codes(n_vocab))
    assert strict_self_matches(scores).all()
    assert np.linalg.matrix_rank(scores) == (1 if n_vocab == 2 else 2)
    assert_allclose(match_gaps(circle_codes(n_vocab)), 1 - np.cos(2 * np.pi / n_vocab), atol=1e-12)


@given(st.integers(3, 60), st.integers(0, 2**32 - 1))
def test_rank_one_is_not(n_vocab, seed):
    line = np.random.default_rng(seed).normal(size=(n_vocab, 1))
    assert strict_self_matches(match_scores(line)).sum() <= 2


@given(sizes, st.floats(0.1, 50))
def test_a_simplex_has_the_pattern_of_one_hot_codes_with_one_rank_less(n_vocab, beta):
    corners = simplex_codes(n_vocab)
    assert corners.shape == (n_vocab, n_vocab - 1)
    assert_allclose(np.linalg.norm(corners, axis=1), 1)
    masses = self_masses(corners, beta * (n_vocab - 1) / n_vocab)
    assert_allclose(masses, self_masses(one_hot_codes(n_vocab), beta), atol=1e-13)


@given(st.integers(4, 60), st.data())
def test_harmonic_codes_have_the_clock_kernel(n_vocab, data):
    harmonics = data.draw(
        st.lists(st.integers(1, n_vocab // 2), min_size=1, max_size=4, unique=True)
    )
    tokens = np.arange(n_vocab)
    expected = kernel(tokens - tokens[:, None], token_frequencies(n_vocab, harmonics)) / len(
        harmonics
    )
    assert_allclose(match_scores(harmonic_codes(n_vocab, harmonics)), expected, atol=1e-12)


@pytest.mark.parametrize(("n_vocab", "beta"), [(27, 196), (100, 2680), (1000, 267_908)])
def test_what_a_circle_costs(n_vocab, beta):
    codes = circle_codes(n_vocab)
    assert beta_estimate(match_gaps(codes).min()) == pytest.approx(beta, rel=1e-3)
    if n_vocab < 1000:
        assert beta_needed(codes) == pytest.approx(beta, rel=1e-3)


def test_what_one_hot_codes_cost():
    assert beta_estimate(1, n_rivals=32) == pytest.approx(8.06, abs=5e-3)
    assert beta_needed(one_hot_codes(33)) == pytest.approx(math.log(99 * 32), rel=1e-6)


@given(sizes, st.integers(3, 8), st.floats(0.5, 0.999), st.integers(0, 1000))
def test_at_the_beta_needed_the_worst_token_just_has_the_mass(n_vocab, rank, mass, seed):
    codes = random_codes(n_vocab, rank, seed)
    beta = beta_needed(codes, mass)
    if math.isfinite(beta):
        assert self_masses(codes, beta).min() == pytest.approx(mass, abs=1e-6)


def test_a_token_that_never_leads_needs_infinite_beta():
    assert beta_needed(truncated_codes(4, 2)) == math.inf
    assert beta_needed([[1.0], [2.0], [-1.0]]) == math.inf


def test_codes_by_hand():
    assert_array_equal(truncated_codes(3, 2), [[1, 0], [0, 1], [0, 0]])
    assert_array_equal(truncated_codes(2, 5), np.eye(2))
    assert_allclose(circle_codes(4), [[1, 0], [0, 1], [-1, 0], [0, -1]], atol=1e-15)
    assert_allclose(np.linalg.norm(random_codes(5, 3, 0), axis=1), 1)
    assert_array_equal(random_codes(5, 3, 7), random_codes(5, 3, 7))


# Accuracy at beta 10 / 30 / 100 / 300 / 1000, over draws of the codes
RANDOM_ACCURACY = {
    2: [0.694, 0.862, 0.941, 0.978, 0.997],
    3: [0.941, 0.984, 0.998, 1, 1],
    4: [0.996, 1, 1, 1, 1],
    6: [1, 1, 1, 1, 1],
}


@pytest.mark.parametrize("rank", RANDOM_ACCURACY)
def test_accuracy_of_random_codes(rank):
    draws = [
        match_quality(random_codes(27, rank, seed), QUESTIONS, [10, 30, 100, 300, 1000]).accuracy
        for seed in range(4)
    ]
    assert_allclose(np.mean(draws, axis=0), RANDOM_ACCURACY[rank], atol=0.06)


def test_mass_of_random_codes_grows_with_the_rank():
    masses = [
        np.mean([match_quality(random_codes(27, r, s), QUESTIONS, [10]).mass for s in range(6)])
        for r in (1, 2, 3, 4, 6)
    ]
    assert_allclose(masses, [0.10, 0.28, 0.51, 0.66, 0.84], atol=0.03)


@pytest.mark.parametrize(
    ("codes", "at_10", "at_100"),
    [
        (one_hot_codes(27), 0.999, 1),
        (circle_codes(27), 0.311, 0.875),
        (harmonic_codes(27, (11, 12)), 0.859, 1),
        (harmonic_codes(27, (4, 11, 13)), 0.985, 1),
    ],
)
def test_mass_of_chosen_codes(codes, at_10, at_100):
    assert_allclose(match_quality(codes, QUESTIONS, [10, 100]).mass, [at_10, at_100], atol=0.02)


def test_accuracy_of_truncated_codes():
    ranks = (1, 2, 4, 8, 16, 24, 26, 27)
    found = [match_quality(truncated_codes(27, r), QUESTIONS, [1000]).accuracy[0] for r in ranks]
    assert_allclose(found, [0.17, 0.213, 0.27, 0.39, 0.653, 0.937, 1, 1], atol=0.06)


@given(st.integers(1, 30), st.integers(3, 12), st.integers(2, 6), st.integers(0, 1000))
def test_a_question_has_one_answer(n_texts, n_tokens, n_vocab, seed):
    drawn = random_questions(n_texts, n_tokens, n_vocab, seed)
    assert drawn.texts.shape == (n_texts, n_tokens)
    for text, answer in zip(drawn.texts.tolist(), drawn.followers, strict=True):
        assert text[0] == n_vocab - 1
        assert n_vocab - 1 not in text[1:]
        after = {b for a, b in itertools.pairwise(text) if a == text[-1]}
        assert after == {answer}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: token_frequencies(10, (6,)),
            "harmonics must be different whole numbers from 1 to 5",
        ),
        (lambda: token_frequencies(10, ()), "harmonics must be"),
        (lambda: token_frequencies(10, (2, 2)), "harmonics must be"),
        (lambda: simplex_codes(1), "n_vocab must be"),
        (lambda: random_codes(3, 0, 0), "rank must be"),
        (lambda: match_gaps([[1.0]]), "at least 2 tokens"),
        (lambda: beta_estimate(0), "gap must be"),
        (lambda: beta_needed(np.eye(2), mass=1), "mass must be"),
        (lambda: self_masses(np.eye(2), -1), "beta must be"),
        (lambda: random_questions(1, 2, 5, 0), "n_tokens must be"),
        (lambda: match_quality(np.eye(3), QUESTIONS, [1]), "codes must have 27 rows"),
        (lambda: match_quality(np.eye(27), QUESTIONS, 1), "betas must have 1 axes"),
    ],
)
def test_bad_arguments_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_a_rank_curve_is_the_mean_over_draws():
    questions = random_questions(50, 20, 9, 0)
    curve = rank_curve(questions, (1, 3), 10.0, n_draws=2, seed=5)
    runs = [match_quality(random_codes(9, 3, seed), questions, [10.0]) for seed in (5, 6)]
    assert_array_equal(curve.ranks, [1, 3])
    assert_allclose(curve.accuracy[1], np.mean([run.accuracy[0] for run in runs]))
    assert_allclose(curve.mass[1], np.mean([run.mass[0] for run in runs]))
    with pytest.raises(ValueError, match="ranks must hold at least one rank"):
        rank_curve(questions, (), 10.0)


@given(st.integers(3, 60), st.floats(0.1, 50), st.floats(60, 1e4))
def test_a_sharpening_gives_the_first_token_more_and_more(n_vocab, low, high):
    codes = circle_codes(n_vocab)
    run = sharpening(codes, low, high, n_steps=9)
    assert (run.betas[0], run.betas[-1]) == (low, high)
    assert_allclose(run.betas[1:] / run.betas[:-1], (high / low) ** (1 / 8))
    assert (np.diff(run.own) >= 0).all()
    assert_allclose(run.patterns.sum(axis=1), 1)
    for beta, own in zip(run.betas, run.own, strict=True):
        assert_allclose(own, self_masses(codes, beta)[0])
