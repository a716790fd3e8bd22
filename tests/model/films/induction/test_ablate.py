"""What is left of the induction head with a layer off, or looking too far back."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.induction.ablate import ablations
from tests.model.riddles import USUAL, begun, riddles


def ablated(words, alpha=10.0, beta=10.0):
    return ablations(*begun(words), alpha, beta)


def test_the_cat_by_hand():
    found = ablated(USUAL)
    assert found.both.says == ("sat",)
    assert found.frequent == ("the",)
    assert found.says == ("on",)
    assert found.two_back.output.max() > 0.99
    assert not found.shares_a_word


@pytest.mark.parametrize(
    ("words", "frequent", "shares"),
    [
        ("bananab", ("a",), True),
        ("ababba", ("b", "a"), True),
        ("abacaba", ("a",), False),
    ],
)
def test_the_most_frequent_token_may_be_right(words, frequent, shares):
    found = ablated(tuple(words))
    assert set(found.frequent) == set(frequent)
    assert found.shares_a_word == shares


@settings(max_examples=40)
@given(riddles(), st.floats(0.1, 100), st.floats(0.1, 100))
def test_without_layer_0_every_token_gets_exactly_the_same_and_counts_come_out(words, alpha, beta):
    found = ablated(words, alpha=alpha, beta=beta)
    assert not found.no_layer_0.scores.any()
    tokens = found.both.tokens
    assert (found.no_layer_0.row == 1 / len(tokens)).all()
    counts = Counter(tokens)
    shares = [counts[token] / len(tokens) for token in found.both.vocabulary.tokens]
    assert_allclose(found.no_layer_0.output, shares)
    most = max(counts.values())
    assert set(found.frequent) == {token for token, count in counts.items() if count == most}
    assert found.no_layer_0.output.max() == pytest.approx(most / len(tokens))


@settings(max_examples=40)
@given(riddles(), st.randoms())
def test_without_layer_0_the_order_of_the_tokens_before_the_last_does_not_count(words, random):
    found = ablated(words)
    tokens = [*found.both.tokens[:-1]]
    random.shuffle(tokens)
    other = ablations((*tokens, words[-1]), found.both.vocabulary, 10.0, 10.0)
    assert_allclose(other.no_layer_0.output, found.no_layer_0.output, atol=1e-15)
    assert other.frequent == found.frequent


@settings(max_examples=40)
@given(riddles())
def test_without_layer_1_nothing_is_said_though_the_notes_are_there(words):
    found = ablated(words)
    assert not found.no_layer_1.output.any()
    assert found.no_layer_1.says == ()
    assert_array_equal(found.no_layer_1.forward.resid_mid, found.both.forward.resid_mid)


@settings(max_examples=60)
@given(riddles())
def test_looking_two_back_something_always_matches_and_is_what_stood_two_after(words):
    two_back = ablated(words).two_back
    tokens = two_back.tokens
    after = [tokens[n + 2] for n in range(len(tokens) - 2) if tokens[n] == tokens[-1]]
    assert [tokens[n] for n in two_back.matches] == after != []
    assert two_back.match_error < 0.01
    counts = Counter(after)
    most = max(counts.values())
    assert set(two_back.says) == {token for token in counts if counts[token] == most}


def test_even_shares_are_of_all_tokens():
    assert ablated(USUAL).no_layer_0.row.tolist() == np.full(10, 0.1).tolist()
