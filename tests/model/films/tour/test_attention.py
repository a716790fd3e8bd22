"""An induction head whose scores are turned down, until it counts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.special import softmax

from clockhead.model.films.tour.attention import EvenAttention, even_attention
from clockhead.model.induction.circuit import induction
from clockhead.model.induction.prompts import word_prompt
from clockhead.model.tokens import Vocabulary


def turned_down(text: str, beta: float = 10.0) -> EvenAttention:
    tokens = word_prompt(text)
    return even_attention(induction(tokens, Vocabulary.of(tokens), beta=beta))


def test_the_cat_from_copying_to_counting() -> None:
    """Ten tokens: three times "the", twice "cat", all others once."""
    cat = turned_down("on the mat the cat sat and the cat")
    assert (cat.betas[0], cat.betas[-1]) == (10, 0.01)
    assert cat.words == ("BOS", "on", "the", "mat", "cat", "sat", "and")
    assert cat.text == "on the mat the cat sat and the cat"
    assert cat.outputs[0].argmax() == cat.words.index("sat")
    assert cat.outputs[0].max() > 0.999
    assert_allclose(cat.counted, [0.1, 0.1, 0.3, 0.1, 0.2, 0.1, 0.1])
    assert_allclose(cat.outputs[-1], cat.counted, atol=1e-3)
    assert_allclose(cat.rows[-1], 0.1, atol=1e-3)
    assert cat.miscount == pytest.approx(np.abs(cat.outputs[-1] - cat.counted).max())


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from("abcd"), max_size=8), st.sampled_from([0.01, 1.0, 10.0, 1e4]))
def test_rows_are_the_softmax_of_smaller_and_smaller_scores(some: list[str], beta: float) -> None:
    found = turned_down(" ".join(["x", "y", *some, "x"]), beta)
    scores = found.head.scores / beta
    assert_allclose(found.rows, softmax(np.outer(found.betas, scores), axis=1), atol=1e-9)
    indices = np.array(found.head.text.indices)
    for k in range(len(found.words)):
        assert_allclose(found.outputs[:, k], found.rows[:, indices == k].sum(axis=1), atol=1e-9)
        assert found.counted[k] == pytest.approx(np.mean(indices == k))
    assert (np.diff(found.betas) <= 0).all()
    assert found.miscount < 0.01
