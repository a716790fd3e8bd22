import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.induction.continuation import continuation
from clockhead.model.tokens import Vocabulary
from tests.model import plain_induction

ABC = Vocabulary(("a", "b", "c"))


@pytest.mark.parametrize(
    ("text", "case", "expected", "best"),
    [
        ("abcab", "unique", [0, 0, 1], ("c",)),
        ("abacab", "unique", [1, 0, 0], ("a",)),
        ("abaca", "several", [0, 0.5, 0.5], ("b", "c")),
        ("abacaba", "several", [0, 2 / 3, 1 / 3], ("b",)),
        ("aab", "none", [2 / 3, 1 / 3, 0], ("a",)),
        ("a", "none", [1, 0, 0], ("a",)),
        ("aa", "unique", [1, 0, 0], ("a",)),
    ],
)
def test_what_a_text_says_by_hand(text, case, expected, best):
    found = continuation(tuple(text), ABC)
    assert (found.case, found.best) == (case, best)
    assert_allclose(found.expected, expected)


def test_where_the_answer_stands():
    found = continuation(tuple("abcab"), ABC)
    assert found.query_token == "b"
    assert_array_equal(found.earlier, [1])
    assert_array_equal(found.followers, [2])
    assert continuation(tuple("abacabba"), ABC).followed_by == ("b", "c")
    assert_array_equal(continuation(tuple("abcab"), ABC, offset=3).followers, [4])
    assert continuation(tuple("abcab"), ABC, offset=4).case == "none"


@given(st.text("abc ", min_size=1, max_size=20))
def test_the_shares_are_those_of_the_followers_or_of_the_prefix(text):
    found = continuation(tuple(text), Vocabulary(tuple("abc ")))
    source = plain_induction.followers(text) or list(text)
    expected = [source.count(token) / len(source) for token in "abc "]
    assert_allclose(found.expected, expected)


@pytest.mark.parametrize(
    ("text", "more", "place"),
    [
        ("abcab", True, 2),
        ("aaba", True, 2),
        ("caaba", True, 3),
        ("aaa", False, None),
        ("baa", False, None),
        ("abc", False, None),
        ("a", False, None),
    ],
)
def test_whether_a_text_says_more_than_copying(text, more, place):
    found = continuation(tuple(text), ABC)
    assert found.says_more_than_copying == more
    if more:
        assert found.other_follower == place
    else:
        with pytest.raises(ValueError, match="another token after an earlier"):
            _ = found.other_follower


@given(st.text("abc", min_size=1, max_size=12))
def test_counts_are_of_what_stood_before_and_what_followed(text):
    found = continuation(tuple(text), ABC)
    assert found.n_earlier == found.n_followers == text[:-1].count(text[-1])
    assert found.n_followed_by == len(set(plain_induction.followers(text)))
    assert found.case == ("none", "unique", "several")[min(found.n_followed_by, 2)]


@pytest.mark.parametrize(
    ("tokens", "offset", "message"),
    [((), 1, "at least one token"), (("d",), 1, "got 'd'"), (("a",), 0, "offset must be")],
)
def test_bad_texts_are_refused(tokens, offset, message):
    with pytest.raises(ValueError, match=message):
        continuation(tokens, ABC, offset)
