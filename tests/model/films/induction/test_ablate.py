"""What is left of the induction head with a layer off, or looking too far back."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.induction.ablate import Ablations
from clockhead.model.induction.circuit import Induction
from tests.model.riddles import USUAL, begun, riddles


def ablations(words, **settings):
    return Ablations(Induction(*begun(words), **settings))


def test_the_cat_by_hand():
    found = ablations(USUAL)
    assert found.both.says == ("sat",)
    assert (found.frequent, found.frequent_share, found.even) == (("the",), 0.3, 0.1)
    assert found.counts.tolist() == [1, 3, 2, 1, 1, 1, 1]
    assert found.says == ("on",)
    assert found.says_share > 0.99
    assert (found.n_frequent, found.n_says) == (1, 1)
    assert not found.says_the_same
    assert not found.shares_a_word


@pytest.mark.parametrize(
    ("words", "frequent", "same", "shares"),
    [
        ("bananab", ("a",), True, True),
        ("ababba", ("b", "a"), False, True),
        ("abacaba", ("a",), False, False),
    ],
)
def test_the_most_frequent_token_may_be_right(words, frequent, same, shares):
    found = ablations(tuple(words))
    assert set(found.frequent) == set(frequent)
    assert (found.says_the_same, found.shares_a_word) == (same, shares)


@settings(max_examples=40)
@given(riddles(), st.floats(0.1, 100), st.floats(0.1, 100))
def test_without_layer_0_every_token_gets_exactly_the_same_and_counts_come_out(words, alpha, beta):
    found = ablations(words, alpha=alpha, beta=beta)
    assert not found.no_layer_0.scores.any()
    assert (found.no_layer_0.row == found.even).all()
    tokens = found.both.tokens
    counts = Counter(tokens)
    shares = [counts[token] / len(tokens) for token in found.both.vocabulary.tokens]
    assert_allclose(found.no_layer_0.output, shares)
    most = max(counts.values())
    assert set(found.frequent) == {token for token, count in counts.items() if count == most}
    assert found.frequent_share == pytest.approx(found.no_layer_0.output.max())


@settings(max_examples=40)
@given(riddles(), st.randoms())
def test_without_layer_0_the_order_of_the_tokens_before_the_last_does_not_count(words, random):
    found = ablations(words)
    tokens = [*found.both.tokens[:-1]]
    random.shuffle(tokens)
    other = Ablations(replace(found.both, tokens=(*tokens, words[-1])))
    assert_allclose(other.no_layer_0.output, found.no_layer_0.output, atol=1e-15)
    assert other.frequent == found.frequent


@settings(max_examples=40)
@given(riddles())
def test_without_layer_1_nothing_is_said_though_the_notes_are_there(words):
    found = ablations(words)
    assert not found.no_layer_1.output.any()
    assert found.no_layer_1.says == ()
    assert_array_equal(found.no_layer_1.forward.resid_mid, found.both.forward.resid_mid)


@settings(max_examples=60)
@given(riddles())
def test_looking_two_back_something_always_matches_and_is_what_stood_two_after(words):
    two_back = ablations(words).two_back
    tokens = two_back.tokens
    after = [tokens[n + 2] for n in range(len(tokens) - 2) if tokens[n] == tokens[-1]]
    assert [tokens[n] for n in two_back.matches] == after != []
    assert two_back.match_error < 0.01
    counts = Counter(after)
    most = max(counts.values())
    assert set(two_back.says) == {token for token in counts if counts[token] == most}


def test_heads_that_are_ablated_already_are_refused():
    both = Induction(*begun(USUAL))
    with pytest.raises(ValueError, match="both must have its two layers on, got layer_0=False"):
        Ablations(replace(both, layer_0=False))
    with pytest.raises(ValueError, match="both must have look_back 1, got 2"):
        Ablations(replace(both, look_back=2))


def test_even_shares_are_of_all_tokens():
    assert ablations(USUAL).no_layer_0.row.tolist() == np.full(10, 0.1).tolist()
