"""One head after other last words: one follower, several, none, and without BOS."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.induction.other_texts import NEW_WORDS, other_texts
from clockhead.model.induction.circuit import induction
from clockhead.model.induction.continuation import continuation
from clockhead.model.tokens import Vocabulary, words
from tests.model.riddles import USUAL, begun, riddles

CAT = other_texts(USUAL)


def test_the_cat_and_its_other_texts():
    assert CAT.names == ("main", "other", "new", "without_bos")
    assert CAT.other.tokens == ("BOS", *words("the cat sat on the mat and the"))
    assert CAT.new.tokens == ("BOS", *USUAL[:-1], "dog")
    assert CAT.without_bos.tokens == CAT.other.tokens[1:]
    assert CAT.vocabulary.tokens == ("BOS", *words("the cat sat on mat and dog"))
    outputs = [
        [0, 0, 0, 0.9996, 0, 0, 0, 0],
        [0, 0, 0.4999, 0, 0, 0.4999, 0, 0],
        [0.0999, 0.2997, 0.0999, 0.0999, 0.0999, 0.0999, 0.0999, 0.1009],
        [0, 0.3368, 0.3333, 0, 0, 0.3298, 0, 0],
    ]
    assert_allclose(CAT.outputs, outputs, atol=2e-4)
    expected = [
        [0, 0, 0, 1, 0, 0, 0, 0],
        [0, 0, 0.5, 0, 0, 0.5, 0, 0],
        [0.1, 0.3, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1],
        [0, 0, 0.5, 0, 0, 0.5, 0, 0],
    ]
    assert_allclose(CAT.expected, expected, atol=1e-15)
    assert CAT.worst_error == pytest.approx(0.0035, abs=5e-5)
    assert CAT.without_bos.matches.tolist() == [0, 1, 5]


@pytest.mark.parametrize(
    ("text", "other", "without_bos"),
    [
        ("a b a", None, "a b a"),
        ("a b a c a", "a b a", "a b a"),
        ("a b a c a b", "a b a c a", "a b a c a"),
        ("c a b a", None, None),
        ("a a b a", None, "a a b a"),
    ],
)
def test_which_other_texts_there_are(text, other, without_bos):
    found = other_texts(words(text))
    assert (found.other and " ".join(found.other.tokens[1:])) == other
    assert (found.without_bos and " ".join(found.without_bos.tokens)) == without_bos
    assert (found.has_other, found.has_without_bos) == (other is not None, without_bos is not None)


@settings(max_examples=80)
@given(riddles())
def test_every_head_says_what_is_noted_at_alpha_10_and_beta_10(text):
    found = other_texts(text)
    assert found.worst_error < 0.01
    assert found.outputs.shape == (len(found.names), len(found.vocabulary))
    assert_allclose(found.outputs.sum(axis=1), 1)
    assert len(found.vocabulary) <= 12
    alone = induction(*begun(text))
    shared = [found.vocabulary.tokens.index(token) for token in alone.vocabulary.tokens]
    assert_allclose(found.main.output[shared], alone.output, atol=1e-12)


@settings(max_examples=80)
@given(riddles("abcd"))
def test_the_other_text_is_the_longest_beginning_of_the_other_case(text):
    found = other_texts(text)
    cases = {}
    for length in range(1, len(text)):
        part = text[:length]
        followers = {b for a, b in pairwise(part) if a == part[-1]}
        if followers - {part[-1]}:
            cases[length] = len(followers) > 1
    several = found.main.text.case == "several"
    lengths = [length for length, is_several in cases.items() if is_several != several]
    assert len(found.other.tokens if found.other else (0,)) - 1 == max(lengths, default=0)


@settings(max_examples=60)
@given(riddles())
def test_a_new_word_is_never_noted_and_leaves_the_shares_of_all_tokens(text):
    new = other_texts(text).new
    assert new.text.case == "none"
    assert new.n_matches == 0
    counts = [new.tokens.count(token) for token in new.vocabulary.tokens]
    assert_array_equal(new.text.expected, np.array(counts) / len(new.tokens))


@settings(max_examples=60)
@given(riddles("abc"))
def test_without_bos_the_first_token_answers_too(text):
    found = other_texts(text).without_bos
    if found is not None:
        assert found.tokens[0] == found.tokens[-1]
        assert found.matches[0] == 0
        others = [n for n in found.text.followers.tolist() if n > 0]
        assert found.matches.tolist() == [0, *others]
        own = found.vocabulary.tokens.index(found.tokens[0])
        assert found.output[own] > found.text.expected[own]


def test_the_new_word_is_one_that_the_text_does_not_have():
    assert other_texts(words("dog fish dog")).new.tokens[-1] == "tree"
    most = (*NEW_WORDS[:9], "dog")
    assert other_texts(most).new_word == NEW_WORDS[9]
    with pytest.raises(ValueError, match="words must leave out at least one of dog, fish, tree"):
        other_texts((*NEW_WORDS, "dog"))


@pytest.mark.parametrize("text", [(), ("a",), ("a", "a", "a"), ("a", "b"), ("b", "a", "a")])
def test_texts_that_cannot_be_continued_are_refused(text):
    with pytest.raises(ValueError, match="words must end in a word that stood before"):
        other_texts(text)
    if text:
        assert not continuation(text, Vocabulary.of(text)).says_more_than_copying
