"""A text whose tokens leak into their keys, on the way to a strength."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.attention.embedding import demo_embedding
from clockhead.model.films.previous_token.token_dependent_key import token_leak
from clockhead.model.previous_token.head import previous_token_head
from clockhead.model.rope.rotation import rotate
from clockhead.model.tokens import spread_over_vocabulary, words
from tests.model import second_opinion

TEXT = words("the cat sat on the mat and ran")
LEAK = token_leak(previous_token_head(8), TEXT, 0.2)
HELD = token_leak(previous_token_head(8), TEXT, 0.01)


@st.composite
def leaks(draw):
    tokens = tuple(draw(st.lists(st.sampled_from("abcdef"), min_size=2, max_size=10)))
    head = previous_token_head(
        len(tokens),
        draw(st.sampled_from([4, 16, 32])),
        draw(st.floats(0.1, 20)),
        offset=draw(st.integers(0, 1)),
        causal=draw(st.booleans()),
    )
    return token_leak(head, tokens, draw(st.floats(0.001, 3)))


@settings(max_examples=40)
@given(leaks())
def test_a_leaking_head_written_in_plain_loops_agrees(leak):
    head, rows = leak.head, second_opinion.demo_embedding(26, leak.head.d_head)
    indices = spread_over_vocabulary(leak.tokens, 26)
    extra = [[leak.strength * x for x in rows[index]] for index in indices]
    scores = second_opinion.head_scores(
        head.n_tokens, second_opinion.hands(head.d_head), head.alpha, head.offset, extra
    )
    pattern = second_opinion.head_pattern(scores, head.causal)
    assert_allclose(leak.patterns[-1], pattern, atol=1e-9)
    assert_allclose(leak.patterns[0], head.pattern, atol=1e-9)


@settings(max_examples=80)
@given(leaks())
def test_no_row_misses_its_target_before_the_first_loss_and_one_does_just_past_it(leak):
    head, at = leak.head, leak.first_loss_at
    if math.isinf(at):
        assert leak.first_loss_row == leak.first_loss_rival == -1
        assert leak.asker is None
        assert not leak.gains.any()
        return
    alone = previous_token_head(
        head.n_tokens, head.d_head, 1.0, offset=head.offset, causal=head.causal
    )
    assert token_leak(alone, leak.tokens, 1.0).first_loss_at == pytest.approx(at)
    if at > 1e-6:
        assert token_leak(head, leak.tokens, at * (1 - 1e-6)).n_missed == 0
    past = token_leak(head, leak.tokens, at + 1e-6 * (1 + at))
    assert past.looks_at[-1, leak.first_loss_row] != leak.first_loss_target
    assert leak.first_loss_rival <= leak.first_loss_row or not head.causal
    if at:
        due = leak.strength / at * leak.lead
        assert leak.gain == pytest.approx(due, rel=1e-6, abs=1e-6)
    assert leak.gains.sum() == pytest.approx(leak.gain)


@pytest.mark.parametrize("text", ["to be", "a a"])
def test_two_tokens_that_never_lose(text):
    leak = token_leak(previous_token_head(2), words(text), 10.0)
    assert leak.first_loss_at == math.inf
    assert (leak.n_missed, leak.is_torn, leak.goes_on) == (0, False, False)
    assert leak.halts == (0.0, 10.0, 10.0, 10.0)


def test_the_way_halts_around_the_first_loss():
    at = LEAK.first_loss_at
    assert LEAK.is_torn
    assert LEAK.goes_on
    assert LEAK.halts == pytest.approx((0, 0.96 * at, 1.003 * at, 0.2))
    lost = LEAK.looks_at[:, LEAK.first_loss_row] != LEAK.first_loss_target
    assert [bool(lost[LEAK.between(a, b)].any()) for a, b in ((0, 1), (1, 2))] == [False, True]
    assert (LEAK.asker, LEAK.target, LEAK.rival) == ("“and”", "“mat”", "“the” at 4")


@pytest.mark.parametrize("leak", [LEAK, HELD])
def test_every_leg_goes_from_halt_to_halt_and_back(leak):
    for start, end in ((0, 1), (1, 2), (2, 3), (3, 0), (1, 1)):
        way = leak.strengths[leak.between(start, end)]
        assert_allclose(way[[0, -1]], [leak.halts[start], leak.halts[end]])
        assert (np.sign(np.diff(way)) * np.sign(end - start) >= 0).all()


def test_a_text_that_bears_it_shows_the_pair_that_is_bent_most():
    assert not HELD.is_torn
    assert not HELD.goes_on
    assert HELD.halts[1:] == (0.01,) * 3
    vectors = demo_embedding(spread_over_vocabulary(TEXT, 26), 32).reshape(8, -1, 2)
    bends = np.linalg.norm(vectors, axis=-1).max(axis=0)
    assert bends[HELD.telling_hand - 1] == bends.max()
    assert_array_equal(HELD.pairs[0], np.tile([1.0, 0.0], (8, 1)))


def test_the_telling_hand_adds_most_to_what_the_rival_gains():
    head, ends = LEAK.head, [LEAK.first_loss_rival, LEAK.first_loss_target]
    vectors = demo_embedding(spread_over_vocabulary(TEXT, 26), 32)
    keys = rotate(vectors, head.positions, head.frequencies)[ends]
    gains = (head.queries[LEAK.first_loss_row] * keys).reshape(2, -1, 2).sum(axis=2)
    assert_allclose(LEAK.gains, 0.2 * (gains[0] - gains[1]), atol=1e-9)
    assert (gains[0] - gains[1]).argmax() == LEAK.telling_hand - 1


def test_the_longest_hand_is_the_longest_of_all():
    assert LEAK.longest == pytest.approx(np.linalg.norm(LEAK.pairs, axis=-1).max())
