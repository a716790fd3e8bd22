import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.attention.embedding import demo_embedding
from clockhead.model.previous_token.head import PreviousTokenHead
from clockhead.model.previous_token.token_dependent_key import (
    TokenDependentKeyHead,
)
from clockhead.model.rope.rotation import rotate
from clockhead.model.tokens import Vocabulary, spread_over_vocabulary, words
from tests.model import second_opinion

TEXT = words("the cat sat on the mat")
INDICES = tuple(Vocabulary.of(TEXT).encode(TEXT).tolist())

leaking = st.lists(st.integers(0, 25), min_size=2, max_size=10).flatmap(
    lambda indices: st.builds(
        TokenDependentKeyHead,
        constant=st.builds(
            PreviousTokenHead,
            n_tokens=st.just(len(indices)),
            d_head=st.sampled_from([4, 16, 32]),
            alpha=st.floats(0.1, 20),
            look_back=st.integers(0, 3),
            causal=st.booleans(),
        ),
        indices=st.just(tuple(indices)),
        strength=st.floats(0, 3),
    )
)


@settings(max_examples=40)
@given(leaking)
def test_a_leaking_head_written_in_plain_loops_agrees(head):
    base, rows = head.constant, second_opinion.demo_embedding(26, head.constant.d_head)
    extra = [[head.strength * x for x in rows[index]] for index in head.indices]
    scores = second_opinion.head_scores(
        base.n_tokens, second_opinion.hands(base.d_head), base.alpha, base.look_back, extra
    )
    assert_allclose(head.scores, scores, atol=1e-10)
    assert_allclose(head.pattern, second_opinion.head_pattern(scores, base.causal), atol=1e-9)


@pytest.mark.parametrize("in_query", [False, True])
def test_no_leak_is_the_constant_head(in_query):
    head = TokenDependentKeyHead(PreviousTokenHead(6), INDICES, strength=0, in_query=in_query)
    assert_allclose(head.pattern, head.constant.pattern, atol=1e-12)
    assert_allclose(head.losses, 0, atol=1e-12)
    assert head.finds_target


def test_the_band_of_the_cat_tears():
    head = TokenDependentKeyHead(PreviousTokenHead(6), INDICES)
    assert_array_equal(head.missed_rows, [3, 4])
    assert head.worst_row == 4
    assert head.worst_mass == pytest.approx(0.0080, abs=5e-5)
    assert head.losses[head.worst_row - 1] == pytest.approx(0.9899, abs=5e-5)
    assert_array_equal(head.target_rows, [1, 2, 3, 4, 5])


def test_a_leak_moves_equal_offsets_apart():
    head = TokenDependentKeyHead(PreviousTokenHead(6), INDICES, strength=0.5)
    diagonal = np.diagonal(head.scores, -1)
    assert np.ptp(diagonal) > 1
    assert np.ptp(np.diagonal(head.constant.scores, -1)) == 0
    assert_allclose(head.content_scores, head.scores - head.constant.scores)


def test_the_same_token_leaks_the_same_content_wherever_it_stands():
    head = TokenDependentKeyHead(PreviousTokenHead(6), INDICES, strength=0.5)
    assert_array_equal(head.content[0], head.content[4])
    apart = head.content_scores[4, 3] - head.content_scores[5, 4]
    assert apart != 0
    swapped = TokenDependentKeyHead(PreviousTokenHead(6), (3, 1, 2, 3, 3, 4), strength=0.5)
    assert swapped.content_scores[4, 3] == pytest.approx(swapped.content_scores[5, 4], abs=1e-9)


def test_the_query_leaks_too_when_the_boxed_equation_is_taken_at_its_word():
    base = PreviousTokenHead(6)
    head = TokenDependentKeyHead(base, INDICES, in_query=True)
    keys = base.key + head.content
    expected = second_opinion.dot(
        [10 * x for x in second_opinion.rotate(keys[4].tolist(), 4 - 1, base.frequencies.tolist())],
        second_opinion.rotate(keys[2].tolist(), 2, base.frequencies.tolist()),
    )
    assert head.scores[4, 2] == pytest.approx(expected, abs=1e-10)


def test_the_output_follows_the_torn_band():
    head = TokenDependentKeyHead(PreviousTokenHead(6), INDICES)
    output = head.head_out(np.eye(6))
    assert_allclose(output, head.pattern)
    assert (output[head.missed_rows, head.missed_rows - 1] < 0.5).all()


@pytest.mark.parametrize(
    ("indices", "strength", "message"),
    [
        ((0, 1), 1, "indices must name 3 tokens, got 2"),
        ((0, 1, -1), 1, "indices must be at least 0"),
        ((0, 1, 0.5), 1, "indices must be a row of whole numbers"),
        ((0, 1, 2), -1, "strength must be a finite number at least 0"),
        ((0, 1, 2), math.nan, "strength must be"),
    ],
)
def test_bad_leaks_are_refused(indices, strength, message):
    with pytest.raises(ValueError, match=message):
        TokenDependentKeyHead(PreviousTokenHead(3), indices, strength)


CAT = words("the cat sat on the mat and ran")
CAT_INDICES = spread_over_vocabulary(CAT, 26)
CAT_HEAD = TokenDependentKeyHead(PreviousTokenHead(8), CAT_INDICES, 0.2)


def test_the_strengths_at_which_the_cat_loses_its_targets():
    at = dict(zip(CAT_HEAD.target_rows.tolist(), CAT_HEAD.loses_target_at, strict=True))
    assert [round(float(at[m]), 3) for m in (3, 4, 6, 7)] == [0.142, 0.077, 0.067, 0.126]
    assert at[1] == math.inf
    assert CAT_HEAD.loses_target_to[0] == -1
    assert_array_equal(CAT_HEAD.missed_rows, [3, 4, 6, 7])
    assert CAT_HEAD.n_kept == 3
    assert CAT_HEAD.can_lose
    assert CAT_HEAD.first_loss_at == pytest.approx(0.066991, abs=1e-6)
    first = CAT_HEAD.first_loss_row, CAT_HEAD.first_loss_target, CAT_HEAD.first_loss_rival
    assert first == (6, 5, 4)
    assert not CAT_HEAD.rival_is_itself
    assert CAT_HEAD.position_lead == pytest.approx(6.8635, abs=1e-4)
    assert CAT_HEAD.token_lead == pytest.approx(20.4909, abs=1e-4)


@pytest.mark.parametrize("text", ["to be", "a a"])
def test_two_tokens_that_never_lose(text):
    indices = spread_over_vocabulary(words(text), 26)
    head = TokenDependentKeyHead(PreviousTokenHead(2), indices, 10)
    assert not head.can_lose
    assert head.first_loss_at == math.inf
    assert_array_equal(head.loses_target_to, [-1])
    with pytest.raises(ValueError, match="indices must be tokens for which a row loses"):
        _ = head.first_loss_row


def test_a_row_that_turns_to_itself():
    head = TokenDependentKeyHead(PreviousTokenHead(2), (13, 0), 10)
    assert head.rival_is_itself
    assert (head.first_loss_row, head.first_loss_rival, head.first_loss_target) == (1, 1, 0)
    assert head.n_kept == 0


@settings(max_examples=80)
@given(leaking)
def test_a_row_misses_its_target_just_past_the_strength_that_it_stands(head):
    at = head.loses_target_at
    assert (at >= 0).all()
    assert_allclose(replace(head, constant=replace(head.constant, alpha=1)).loses_target_at, at)
    clear = np.abs(head.strength - at) > 1e-6 * (1 + np.where(np.isinf(at), 0, at))
    missed = np.isin(head.target_rows, head.missed_rows)
    assert_array_equal(missed[clear], (head.strength > at)[clear])
    scores = head.constant.scores[None] + np.where(np.isinf(at), 0, at)[:, None, None] * (
        head.unit_content_scores
    )
    for k in np.flatnonzero(np.isfinite(at) & (at < 1e6)):
        row, target, rival = head.target_rows[k], head.targets[k], head.loses_target_to[k]
        assert scores[k, row, rival] == pytest.approx(scores[k, row, target], rel=1e-6, abs=1e-6)
        assert rival <= row or not head.causal


@given(leaking)
def test_patterns_and_pairs_on_the_way(head):
    patterns = head.patterns_over([0, head.strength])
    assert_allclose(patterns[0], head.constant.pattern, atol=1e-9)
    assert_allclose(patterns[1], head.pattern, atol=1e-9)
    pairs = head.key_pairs_over([0.0, head.strength, 1.0])
    assert_array_equal(pairs[0], np.broadcast_to([1.0, 0.0], pairs[0].shape))
    keys = head.constant.key + head.content
    assert_allclose(pairs[1], keys.reshape(len(head.indices), -1, 2))
    moved = np.linalg.norm(pairs[2] - pairs[0], axis=-1)
    assert moved[:, head.most_bent_pair].max() == pytest.approx(moved.max())


@given(leaking)
def test_the_most_gaining_pair_adds_most_to_what_the_rival_gains(head):
    if not head.can_lose:
        with pytest.raises(ValueError, match="none does"):
            _ = head.most_gaining_pair
        return
    row, ends = head.first_loss_row, [head.first_loss_rival, head.first_loss_target]
    keys = rotate(
        demo_embedding(head.indices, head.constant.d_head),
        head.constant.positions,
        head.constant.frequencies,
    )
    products = (head.constant.queries[row] * keys[ends]).reshape(2, -1, 2).sum(axis=2)
    gains = products[0] - products[1]
    assert gains[head.most_gaining_pair] == pytest.approx(gains.max(), abs=1e-9)
    assert gains.max() > 0


def test_a_query_with_its_token_has_no_single_strength():
    head = TokenDependentKeyHead(PreviousTokenHead(8), CAT_INDICES, in_query=True)
    with pytest.raises(ValueError, match="in_query must be False"):
        _ = head.loses_target_at
