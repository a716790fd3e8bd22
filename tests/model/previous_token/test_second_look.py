"""A token typed a second time, and the notes that hold it."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.previous_token.copied_values import CopiedValues
from clockhead.model.previous_token.second_look import SecondLook
from clockhead.model.tokens import words

CAT = SecondLook(words("the cat sat on the mat and ran"))

texts = st.lists(st.sampled_from("abcdef"), min_size=2, max_size=12).map(tuple)
looks = st.builds(
    SecondLook,
    texts,
    d_head=st.sampled_from([2, 8, 32, 256]),
    alpha=st.sampled_from([0.01, 0.5, 1.0, 2.0, 10.0, 100.0, 1e4]),
    base=st.sampled_from([1.0, 100.0, 1e4, 1e7]),
)


def test_the_cat_again():
    assert (CAT.source, CAT.typed, CAT.follower) == (1, "cat", "sat")
    assert (CAT.n_earlier, CAT.n_before, CAT.continuations) == (1, 1, ("sat",))
    assert CAT.text[-1] == "cat"
    assert CAT.head.n_tokens == 9
    assert_array_equal(CAT.found, [2])
    assert CAT.followers == CAT.found_tokens == ("sat",)
    assert CAT.wears[2] == CAT.best_share == pytest.approx(0.998, abs=5e-4)
    assert CAT.best_position == 2
    assert not CAT.first_is_found
    assert CAT.line == "sharp"
    assert CAT.has_one_continuation


def test_a_blurred_head_finds_nothing_for_certain():
    blurred = SecondLook(CAT.tokens, alpha=0.01)
    assert not blurred.clear
    assert not blurred.can_be_trusted
    assert CAT.can_be_trusted
    assert blurred.best_share < 0.5
    assert blurred.n_found == 0


@pytest.mark.parametrize(
    ("text", "source", "typed", "earlier", "continuations", "found", "followers"),
    [
        ("a b a b a b", 1, "b", [1, 3], ("a",), [2, 4], ("a",)),
        ("to be", 0, "to", [0], ("be",), [0, 1], ("be",)),
        ("a a", 0, "a", [0], ("a",), [0, 1], ("a",)),
        ("a b c b d", 2, "c", [2], ("b",), [3], ("b",)),
        ("a b b a", 1, "b", [1, 2], ("b", "a"), [2, 3], ("b", "a")),
    ],
)
def test_sources_and_what_is_found(text, source, typed, earlier, continuations, found, followers):
    look = SecondLook(words(text))
    assert (look.source, look.typed) == (source, typed)
    assert_array_equal(look.earlier, earlier)
    assert look.continuations == continuations
    assert_array_equal(look.found, found)
    assert look.followers == followers
    assert look.n_found_after == len([n for n in found if n])
    assert look.first_is_found == (0 in found)


def test_a_text_that_ends_with_the_typed_token_has_it_once_more():
    look = SecondLook(words("a b b"))
    assert (look.n_earlier, look.n_before) == (1, 2)
    assert look.named(1) == "“b” at 1"
    assert look.named(0) == "“a”"


@settings(max_examples=150)
@given(looks)
def test_a_clear_head_finds_every_follower_and_nothing_else(look):
    assert look.clear == (look.head.worst_mass > 0.5)
    if look.clear:
        assert look.finds_expected
        assert look.followers == look.continuations
    assert len(look.wears) == len(look.tokens)
    once = [n for n in range(1, len(look.tokens) - 1) if look.tokens.count(look.tokens[n]) == 1]
    rest = 1 if len(look.tokens) > 2 else 0
    assert look.source == (once[0] if once else rest)
    assert all(look.tokens[n] == look.typed for n in look.earlier)
    assert look.follower in look.continuations
    assert look.wears[0] == pytest.approx(float(look.tokens[0] == look.typed))
    assert_allclose(look.received.sum(axis=1), 1)
    alike = [n for n, token in enumerate(look.text) if token == look.typed]
    assert_allclose(look.wears, look.head.pattern[:-1, alike].sum(axis=1))


def test_a_look_can_be_sent_to_another_process():
    assert_array_equal(pickle.loads(pickle.dumps(CAT)).found, CAT.found)


def test_one_token_is_no_riddle():
    with pytest.raises(ValueError, match="tokens must be 2 or more, got 1"):
        SecondLook(("a",))
    with pytest.raises(ValueError, match="alpha must be"):
        SecondLook(("a", "b"), alpha=0)


def test_copied_values_of_the_cat():
    copied = CAT.copied
    assert copied.vocabulary.tokens == ("the", "cat", "sat", "on", "mat", "and", "ran")
    assert_array_equal(copied.sources, [0, 0, 1, 2, 3, 4, 5, 6, 7])
    assert copied.wanted == ("the", "the", "cat", "sat", "on", "the", "mat", "and", "ran")
    assert copied.shares[0] == 1
    assert copied.worst_share == copied.shares[1:].min() > 0.99
    assert copied.shares[copied.worst_share_row] == copied.worst_share
    # position 6, "and", takes "mat" from 5; "the" stands twice and is added up
    assert copied.received[6, 4] == CAT.head.pattern[6, 5]
    assert copied.received[6, 0] == pytest.approx(CAT.head.pattern[6, [0, 4]].sum())
    assert np.argmax(copied.shares_of("cat")) == 2
    assert copied.named(4) == "“the” at 4"


def test_every_query_stands_as_the_key_before_it():
    assert CAT.key_phases.shape == CAT.query_phases.shape == (9, 16)
    assert_array_equal(CAT.query_phases[1:], CAT.key_phases[:-1])
    assert_array_equal(CAT.key_phases[:, 0], CAT.head.positions)


def test_a_row_without_a_target_wants_its_own_token():
    head = replace(CAT.head, look_back=2)
    assert_array_equal(CopiedValues(head, CAT.text).sources, [0, 1, 0, 1, 2, 3, 4, 5, 6])


def test_copied_values_need_a_token_to_a_position():
    with pytest.raises(ValueError, match="tokens must be 9"):
        type(CAT.copied)(CAT.head, ("a",))
    with pytest.raises(ValueError, match="tokens must come from the vocabulary"):
        CAT.copied.shares_of("dog")
    lone = type(CAT.copied)(type(CAT.head)(1), ("a",))
    with pytest.raises(ValueError, match="head must have a row with a target, got 1 tokens"):
        _ = lone.worst_share
