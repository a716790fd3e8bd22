"""Both heads learn their scales: the loss falls, and attention finds what followed."""

import itertools
import math

import numpy as np
import pytest

from clockhead.model.films.induction.training import N_STEPS, training
from clockhead.model.induction.circuit import induction
from clockhead.model.induction.prompts import word_prompt
from clockhead.model.tokens import Vocabulary

TEXTS = ["a b a", "zorp blick wug zorp", "a a b a", "a b a c a", "a b c d e f g h i j a"]


def learned(text: str):
    tokens = word_prompt(text)
    head = induction(tokens, Vocabulary.of(tokens))
    return head, training(head)


@pytest.mark.parametrize("text", TEXTS)
def test_attention_is_even_at_first_and_finds_the_matches_in_the_end(text):
    head, found = learned(text)
    assert found.rows.shape == (N_STEPS + 1, head.n_tokens)
    np.testing.assert_allclose(found.rows.sum(axis=1), 1)
    assert np.ptp(found.rows[0]) < 0.02
    assert found.rows[-1, head.matches].sum() > 0.95
    assert found.steps.tolist() == list(range(N_STEPS + 1))


@pytest.mark.parametrize("text", TEXTS)
def test_every_step_lowers_the_loss(text):
    _, found = learned(text)
    assert all(later < loss for loss, later in itertools.pairwise(found.losses.tolist()))
    assert found.scales[0].tolist() == [0.02, 0.02]
    assert (np.diff(found.scales, axis=0) > 0).all()


@pytest.mark.parametrize("step", [0, 20, N_STEPS])
def test_rows_are_those_of_the_circuit_at_the_scales_of_their_step(step):
    head, found = learned("zorp blick wug zorp")
    alpha, beta = found.scales[step]
    same = induction(head.tokens, head.vocabulary, alpha=alpha, beta=beta)
    np.testing.assert_allclose(found.rows[step], same.row, atol=1e-9)
    np.testing.assert_allclose(found.layer_0[:, step], same.forward.head_0.pattern, atol=1e-9)
    np.testing.assert_allclose(found.stored[step], same.stored_weights, atol=1e-9)


def test_the_loss_begins_near_that_of_an_even_guess():
    head, found = learned("zorp blick wug zorp")
    assert found.losses[0] == pytest.approx(math.log(head.n_tokens), abs=0.15)
