"""Heads of layer 0 through the training, and losses without two of them."""

import pytest
from numpy.testing import assert_allclose

from clockhead.model.films.trained.division import divided_work
from clockhead.model.trained.texts import texts_said_twice
from tests.model.plain_trained import Reading, tokens

TEXTS = texts_said_twice(9, 64, 24)


def test_losses_without_a_head_at_every_moment():
    found = divided_work("banana ban")
    curves = ((found.own, found.without_own), (found.previous, found.without_previous))
    for head, losses in curves:
        for step, loss in list(zip(found.steps.tolist(), losses, strict=True))[::3]:
            due = Reading(step, TEXTS, [(0, head)]).losses[:, 25:].mean()
            assert loss == pytest.approx(due)
    assert found.without_previous.min() == found.lowest == found.without_previous[8]


def test_patterns_and_what_goes_to_the_letter_before():
    found = divided_work("banana ban")
    for k, step in enumerate(found.steps.tolist()):
        text = Reading(step, tokens("banana ban")).patterns
        assert_allclose(found.patterns[k], [text[0, head] for head in range(4)], atol=1e-9)
    rows = Reading(600, TEXTS).patterns[0, 3]
    due = sum(rows[:, m, m - 1].mean() for m in range(2, 49)) / 47
    assert found.back[8, 3] == pytest.approx(due)
