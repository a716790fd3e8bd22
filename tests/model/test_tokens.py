import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from clockhead.model.tokens import (
    LETTERS,
    LETTERS_AND_SPACE,
    Vocabulary,
    letters,
    one_hot,
    spread_over_vocabulary,
    token_indices,
    token_name,
    words,
)


def test_the_letters_and_their_places():
    assert len(LETTERS) == 26
    assert len(LETTERS_AND_SPACE) == 27
    assert_array_equal(LETTERS_AND_SPACE.encode(letters("az n")), [0, 25, 26, 13])


def test_words_get_their_places_in_order_of_first_appearance():
    text = words("the cat sat\non the mat")
    vocabulary = Vocabulary.of(text)
    assert vocabulary.tokens == ("the", "cat", "sat", "on", "mat")
    assert_array_equal(vocabulary.encode(text), [0, 1, 2, 3, 0, 4])


@given(st.lists(st.sampled_from(LETTERS_AND_SPACE.tokens), min_size=1))
def test_encoding_can_be_read_back(tokens):
    for vocabulary in (LETTERS_AND_SPACE, Vocabulary.of(tokens)):
        assert [vocabulary.tokens[i] for i in vocabulary.encode(tokens)] == tokens


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "text must hold at least one character"),
        ("The cat", "got 'T' at position 0; write it in lower case"),
        ("caf\u00e9", "got '\u00e9' at position 3$"),
        ("a\nb", r"got '\\n' at position 1"),
        ("a1", "only the letters a to z and spaces, got '1' at position 1"),
    ],
)
def test_a_text_of_other_characters_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        letters(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "at least one word"), (" \n\t", "at least one"), ("a b\0c", "word 1")],
)
def test_a_text_without_proper_words_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        words(text)


def test_an_unknown_token_is_named_with_its_place():
    with pytest.raises(ValueError, match="vocabulary, got 'dog' at position 1"):
        Vocabulary.of(["cat"]).encode(["cat", "dog"])


@pytest.mark.parametrize(
    ("tokens", "message"), [((), "at least one token"), (("a", "b", "a"), "got 'a' more than once")]
)
def test_a_vocabulary_holds_different_tokens(tokens, message):
    with pytest.raises(ValueError, match=message):
        Vocabulary(tokens)


def test_one_hot_by_hand():
    assert_array_equal(one_hot([2, 0], 3), [[0, 0, 1], [1, 0, 0]])


def test_one_hot_vectors_are_all_equally_far():
    rows = one_hot(range(5), 5)
    apart = np.linalg.norm(rows[:, None] - rows, axis=-1)
    assert_array_equal(apart[~np.eye(5, dtype=bool)], np.full(20, np.sqrt(2)))


@pytest.mark.parametrize("indices", [[-1], [3], [0.0], [], [[0]], [True], ["a"]])
def test_an_index_must_name_a_token(indices):
    with pytest.raises(ValueError, match="indices must be"):
        one_hot(indices, 3)


def test_indices_without_a_vocabulary_have_no_upper_bound():
    assert_array_equal(token_indices([0, 10**6]), [0, 10**6])


def test_different_tokens_spread_over_a_vocabulary():
    assert spread_over_vocabulary(("the", "cat", "sat", "the"), 26) == (0, 8, 17, 0)
    assert spread_over_vocabulary(("a", "b"), 2) == (0, 1)


def test_a_vocabulary_must_hold_all_tokens():
    with pytest.raises(ValueError, match=r"at least 2, one for each different token, got 1"):
        spread_over_vocabulary(("a", "b"), 1)


def test_a_token_is_named_with_its_position_where_the_text_has_it_twice():
    text = words("the cat saw the dog")
    assert [token_name(text, n) for n in (0, 1, 3)] == ["“the” at 0", "“cat”", "“the” at 3"]
    with pytest.raises(ValueError, match="position must be 0 to 4, got 5"):
        token_name(text, 5)
    with pytest.raises(ValueError, match="position must be a whole number"):
        token_name(text, -1)
