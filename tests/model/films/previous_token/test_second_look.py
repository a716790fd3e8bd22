"""A token typed a second time, and the notes that hold it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.previous_token.second_look import second_look
from clockhead.model.tokens import words

CAT = second_look(words("the cat sat on the mat and ran"))

texts = st.lists(st.sampled_from("abcdef"), min_size=2, max_size=12).map(tuple)
looks = st.builds(
    second_look,
    texts,
    d_head=st.sampled_from([2, 8, 32, 256]),
    alpha=st.sampled_from([0.01, 0.5, 1.0, 2.0, 10.0, 100.0, 1e4]),
    base=st.sampled_from([1.0, 100.0, 1e4, 1e7]),
)


@pytest.mark.parametrize(
    ("text", "source", "typed", "earlier", "found", "followers"),
    [
        ("a b a b a b", 1, "b", [1, 3], [2, 4], ("a",)),
        ("to be", 0, "to", [0], [0, 1], ("be",)),
        ("a a", 0, "a", [0], [0, 1], ("a",)),
        ("a b c b d", 2, "c", [2], [3], ("b",)),
        ("a b b a", 1, "b", [1, 2], [2, 3], ("b", "a")),
    ],
)
def test_sources_and_what_is_found(text, source, typed, earlier, found, followers):
    look = second_look(words(text))
    assert (look.source, look.typed) == (source, typed)
    assert_array_equal(look.earlier, earlier)
    assert_array_equal(look.found, found)
    assert look.followers == followers
    assert look.has_one_continuation == (len(followers) == 1)
    assert look.n_found_after == len([n for n in found if n])
    assert look.first_is_found == (0 in found)


@settings(max_examples=150)
@given(looks)
def test_a_clear_head_finds_every_follower_and_nothing_else(look):
    text = look.copied.tokens
    if look.copied.head.worst_weight > 0.5:
        assert look.can_be_trusted
        assert look.finds_expected
        after = (look.tokens[n + 1] for n in look.earlier)
        assert look.followers == tuple(dict.fromkeys(after))
    once = [n for n in range(1, len(look.tokens) - 1) if look.tokens.count(look.tokens[n]) == 1]
    rest = 1 if len(look.tokens) > 2 else 0
    assert look.source == (once[0] if once else rest)
    assert all(look.tokens[n] == look.typed for n in look.earlier)
    assert look.wears[0] == pytest.approx(float(look.tokens[0] == look.typed))
    alike = [n for n, token in enumerate(text) if token == look.typed]
    assert_allclose(look.wears, look.copied.head.pattern[:-1, alike].sum(axis=1))


def test_every_query_stands_as_the_key_before_it():
    assert CAT.key_phases.shape == CAT.query_phases.shape == (9, 16)
    assert_array_equal(CAT.query_phases[1:], CAT.key_phases[:-1])


def test_one_token_is_no_riddle():
    with pytest.raises(ValueError, match="tokens must be 2 or more, got 1"):
        second_look(("a",))
