"""A head that looks for its own token, and repeats it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from clockhead.model.induction.echo import echo
from clockhead.model.tokens import Vocabulary, words

CAT = echo(("BOS", *words("the cat sat and the cat")), Vocabulary.of(words("BOS the cat sat and")))

texts = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=12).map(tuple)


def of(tokens, beta):
    return echo(tokens, Vocabulary.of(tokens), beta)


def test_the_cat_by_hand():
    share = math.exp(10) / (2 * math.exp(10) + 5)
    assert_allclose(CAT.row[[2, 6]], share)
    assert CAT.own_places.tolist() == [2, 6]
    assert CAT.own_share == pytest.approx(2 * share)
    assert CAT.prediction == "cat"


@given(texts, st.floats(0.01, 50))
def test_all_equal_tokens_together_get_a_share_that_counting_gives(tokens, beta):
    found, own = of(tokens, beta), tokens.count(tokens[-1])
    others = len(tokens) - own
    assert found.own_share == pytest.approx(own / (own + others * math.exp(-beta)))
    assert_allclose(found.row.sum(), 1)
    output = [found.row[[token == t for t in tokens]].sum() for token in found.vocabulary.tokens]
    assert_allclose(found.output, output)


@given(texts)
def test_it_always_says_its_own_token_at_beta_10(tokens):
    assert of(tokens, 10.0).prediction == tokens[-1]
    assert of(tokens, 10.0).own_share > 0.999


def test_a_token_that_is_outnumbered_is_not_said_at_a_small_beta():
    assert of(tuple("aaab"), 0.5).prediction == "a"


def test_what_is_said_goes_into_out_alone():
    stream = CAT.head.resid_post
    assert (stream[:, :5] == CAT.head.resid_pre[:, :5]).all()
    assert not CAT.head.resid_pre[:, 5:].any()
    assert not np.triu(CAT.head.pattern, 1).any()


@pytest.mark.parametrize(
    ("tokens", "beta", "message"),
    [
        ((), 10, "tokens must hold at least one token"),
        (("z",), 10, "got 'z' at position 0"),
        (("cat",), 0, "beta must be a finite number above 0, got 0"),
    ],
)
def test_bad_settings_are_refused(tokens, beta, message):
    with pytest.raises(ValueError, match=message):
        echo(tokens, CAT.vocabulary, beta)
