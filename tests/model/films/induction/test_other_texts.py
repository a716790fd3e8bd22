"""One head after other last words: one follower, several, none, and without BOS."""

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.induction.nonsense import NOTES, PEOPLE, any_words
from clockhead.model.films.induction.other_texts import MADE_UP, NEW_WORDS, other_texts
from clockhead.model.induction.circuit import induction
from clockhead.model.induction.continuation import continuation
from clockhead.model.tokens import Vocabulary, words
from tests.model.riddles import begun, riddles

ZORP = other_texts(words("zorp blick wug zorp"), 10.0, 10.0)


def test_the_made_up_words_and_their_other_texts():
    assert list(ZORP.heads) == ["main", "torn", "without_bos", "new"]
    assert ZORP.torn.tokens == ("BOS", *words("zorp blick zorp blick zorp dax zorp"))
    assert ZORP.without_bos.tokens == ZORP.torn.tokens[1:]
    assert ZORP.new.tokens == ("BOS", *words("zorp blick wug dax"))
    assert (ZORP.often, ZORP.new_word) == ("blick", "dax")
    assert ZORP.vocabulary.tokens == ("BOS", *words("zorp blick wug dax"))
    outputs = [
        [0, 0, 1, 0, 0],
        [0, 0, 2 / 3, 0, 1 / 3],
        [0, 1 / 4, 1 / 2, 0, 1 / 4],
        [1 / 5, 1 / 5, 1 / 5, 1 / 5, 1 / 5],
    ]
    assert_allclose(ZORP.outputs, outputs, atol=4e-3)
    assert_allclose(ZORP.expected[2], [0, 0, 2 / 3, 0, 1 / 3], atol=1e-15)
    shares = ZORP.often_share, ZORP.once_share, ZORP.itself_share
    assert shares == pytest.approx((2 / 3, 1 / 3, 1 / 4), abs=4e-3)
    assert ZORP.is_even


@settings(max_examples=80)
@given(riddles())
def test_every_head_says_what_is_noted_at_alpha_10_and_beta_10(text):
    found = other_texts(text, 10.0, 10.0)
    assert found.worst_error < 0.01
    assert found.outputs.shape == (4, len(found.vocabulary))
    assert_allclose(found.outputs.sum(axis=1), 1)
    assert len(found.vocabulary) <= 12
    assert found.torn.text.followed_by == (found.often, found.new_word)
    alone = induction(*begun(text))
    shared = [found.vocabulary.tokens.index(token) for token in alone.vocabulary.tokens]
    assert_allclose(found.main.output[shared], alone.output, atol=1e-12)


@settings(max_examples=60)
@given(riddles())
def test_a_new_word_is_never_noted_and_leaves_the_shares_of_all_tokens(text):
    new = other_texts(text, 10.0, 10.0).new
    assert new.text.case == "none"
    assert new.n_matches == 0
    counts = [new.tokens.count(token) for token in new.vocabulary.tokens]
    assert_array_equal(new.text.expected, np.array(counts) / len(new.tokens))


@settings(max_examples=60)
@given(riddles("abc"))
def test_without_bos_the_first_token_answers_too(text):
    found = other_texts(text, 10.0, 10.0).without_bos
    assert found.tokens[0] == found.tokens[-1] == text[-1]
    assert found.matches.tolist() == [0, 1, 3, 5]
    own = found.vocabulary.tokens.index(found.tokens[0])
    assert found.output[own] > found.text.expected[own] == 0


def test_the_new_word_is_one_that_the_text_does_not_have():
    assert other_texts(words("dax fep dax"), 10.0, 10.0).new.tokens[-1] == "gorm"
    most = (*NEW_WORDS[:9], "dax")
    assert other_texts(most, 10.0, 10.0).new_word == NEW_WORDS[9]
    with pytest.raises(ValueError, match="words must leave out at least one of dax, fep, gorm"):
        other_texts((*NEW_WORDS, "dax"), 10.0, 10.0)


@pytest.mark.parametrize("text", [(), ("a",), ("a", "a", "a"), ("a", "b"), ("b", "a", "a")])
def test_texts_that_cannot_be_continued_are_refused(text):
    with pytest.raises(ValueError, match="words must end in a word that stood before"):
        other_texts(text, 10.0, 10.0)
    if text:
        assert not continuation(text, Vocabulary.of(text)).says_more_than_copying


@settings(max_examples=40)
@given(riddles("abcdefghij"))
def test_attention_is_the_same_whatever_the_words_are(text):
    found = any_words(induction(*begun(text)))
    assert found.apart < 1e-12
    assert not found.is_made_up
    for other, kinds in ((found.sung, NOTES), (found.named, PEOPLE)):
        assert set(other.tokens[1:]) <= set(kinds)
        assert other.matches.tolist() == found.head.matches.tolist()


def test_eleven_different_words_find_others_to_stand_for_them():
    assert len(set(NOTES)) == len(set(PEOPLE)) == 11
    assert any_words(induction(*begun(words("zorp blick zorp")))).is_made_up
    assert len(MADE_UP) == 14
