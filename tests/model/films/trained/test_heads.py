"""What all heads look at while they are trained."""

import numpy as np
import pytest

from clockhead.model.films.trained.heads import heads_in_training, mean_shares
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
    assert len(found.other_heads) == 8


def test_the_heads_that_the_script_names():
    """One looks at the letter before; those of layer 1 find what followed, in this text 1.2."""
    found = heads_in_training(TEXT, 2000)
    assert (found.previous_heads, found.previous_name) == (((0, 1),), "0.1")
    assert found.induction_heads == ((1, 2), (1, 1), (1, 0), (1, 3))
    assert found.other_heads == ((0, 0), (0, 2), (0, 3))
    assert found.induction_name == "1.2"
    assert found.before.tolist() == [-1, *range(14)]
    text = "^" + TEXT
    where = {m: n for m, n in enumerate(found.followed.tolist()) if n >= 0}
    assert {text[m]: text[n] for m, n in where.items()} == {"r": "p", "p": "a", "a": "n"}
    assert all(text[n - 1] == text[m] for m, n in where.items())
    assert (found.n_found, found.n_again) == (3, 5)


@pytest.mark.parametrize("moment", [150, 600, 2000])
def test_shares_in_many_texts(moment: int):
    texts = texts_said_twice(9, 64, 24)
    patterns = Reading(moment, texts).patterns
    before, after = mean_shares(moment)
    for at, pattern in patterns.items():
        for m in range(25, 49):
            follower = m - 24 + 1
            assert (texts[:, m] == texts[:, follower - 1]).all()
        found = np.mean([pattern[:, m, m - 23] for m in range(25, 49)])
        assert after[at] == pytest.approx(found)
        found = np.mean([pattern[:, m, m - 1] for m in range(2, 49)])
        assert before[at] == pytest.approx(found)


def test_a_moment_that_was_not_kept_is_refused():
    with pytest.raises(ValueError, match=r"^moment must be one of 0, 50, .*, got 7"):
        heads_in_training(TEXT, 7)
