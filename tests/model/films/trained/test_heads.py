"""What all heads look at while they are trained."""

import numpy as np
import pytest

from clockhead.model.films.trained.heads import heads_in_training
from clockhead.model.trained.texts import texts_said_twice
from tests.model.plain_trained import Reading, kept, tokens

TEXT = "zorpanik zorpa"


def test_patterns_from_before_the_fall_to_the_moment():
    found = heads_in_training(TEXT, 600)
    assert found.steps.tolist() == [150, 300, 350, 400, 450, 500, 600]
    assert (found.first_step, found.last_step) == (150, 600)
    for step, patterns in zip(found.steps, found.patterns, strict=True):
        due = Reading(int(step), tokens(TEXT)).patterns
        for at in np.ndindex(2, 4):
            np.testing.assert_allclose(patterns[at], due[at], atol=1e-9)
    file = kept()
    np.testing.assert_allclose(found.losses, file["repeated"])
    for step, loss in zip(found.steps, found.loss_then, strict=True):
        assert loss == file["repeated"][file["seen"].tolist().index(step)]


@pytest.mark.parametrize("moment", [0, 50])
def test_an_early_moment_stands_alone(moment: int):
    found = heads_in_training(TEXT, moment)
    assert found.steps.tolist() == [moment]
    assert found.previous_heads == found.induction_heads == ()
    assert found.n_clear_at_first == 0
    assert len(found.other_heads) == 8


def test_the_heads_that_the_script_names():
    """One looks at the letter before; three find what followed, best of all for “r”, “p”, “a”."""
    found = heads_in_training(TEXT, 2000)
    assert found.previous_heads == ((0, 1),)
    assert found.induction_heads == ((1, 2), (1, 3), (1, 1))
    assert found.other_heads == ((0, 0), (0, 2), (0, 3), (1, 0))
    assert found.before.tolist() == [-1, *range(14)]
    text = "^" + TEXT
    where = {m: n for m, n in enumerate(found.followed.tolist()) if n >= 0}
    assert {text[m]: text[n] for m, n in where.items()} == {"r": "p", "p": "a", "a": "n"}
    assert all(text[n - 1] == text[m] for m, n in where.items())
    assert (found.n_found, found.n_again) == (3, 5)


def test_these_heads_do_so_in_other_texts_too():
    """In 50 texts of 20 letters that are said twice, as the film says of one."""
    texts = texts_said_twice(0, 50, 20)
    whole = Reading(2000, texts)
    before = [np.mean([np.diagonal(p, -1).mean() for p in whole.patterns[0, h]]) for h in range(4)]
    assert int(np.argmax(before)) == 1
    assert before[1] > 0.6
    for head in (1, 2, 3):
        found = [np.diagonal(p, -19)[2:].mean() for p in whole.patterns[1, head]]
        assert np.mean(found) > 0.4


def test_a_moment_that_was_not_kept_is_refused():
    with pytest.raises(ValueError, match=r"^moment must be one of 0, 50, .*, got 7"):
        heads_in_training(TEXT, 7)
