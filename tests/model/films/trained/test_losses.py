"""Losses while the transformer learns, and what it guesses meanwhile."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from clockhead.model.films.trained.losses import two_falls
from clockhead.model.trained.texts import texts_said_twice
from tests.model.plain_trained import LETTERS, Reading, tokens

TEXT = "zorpanik zorpa"


def test_a_loss_is_minus_a_logarithm():
    falls = two_falls(TEXT)
    assert_allclose(np.exp(-falls.costs), falls.shares)
    assert_allclose(np.exp(-falls.ends), falls.ends_at)
    assert falls.first_share == pytest.approx(Reading(0, tokens(TEXT)).likely[-1, 13])


@pytest.mark.parametrize("step", [0, 150, 300, 600, 2000])
def test_what_the_training_measured_is_so_of_the_weights_that_were_kept(step: int):
    """They were kept with half the digits."""
    falls = two_falls(TEXT)
    losses = Reading(step, texts_said_twice(9, 64, 24)).losses  # (64, 48)
    at = falls.seen.tolist().index(step)
    assert falls.again[at] == pytest.approx(losses[:, 25:].mean(), abs=0.005)
    assert falls.new[at] == pytest.approx(losses[:, 1:24].mean(), abs=0.005)


def test_guesses_at_every_moment_are_of_the_letters_shown():
    falls = two_falls(TEXT)
    shown = [LETTERS.index(letter.replace("␣", " ")) for letter in falls.letters]
    for row, step in zip(falls.guesses, falls.steps.tolist(), strict=True):
        assert_allclose(row, Reading(step, tokens(TEXT)).likely[-1, shown], atol=1e-9)
    assert falls.letters[falls.place] == "n"
    assert falls.late_share == falls.guesses[-1, falls.place]
    assert (np.diff(falls.english) <= 0).all()
