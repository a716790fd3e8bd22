import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from model.previous_token import PreviousTokenHead
from model.token_dependent_key import (
    TokenDependentKeyHead,
    masses_by_strength,
    patterns_by_strength,
)
from model.tokens import Vocabulary, words
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


@given(leaking)
def test_one_head_gives_every_strength(head):
    patterns = patterns_by_strength(head.constant, head.indices, [0, head.strength])
    assert_allclose(patterns[0], head.constant.pattern, atol=1e-9)
    assert_allclose(patterns[1], head.pattern, atol=1e-9)
    masses = masses_by_strength(head.constant, head.indices, [0, head.strength])
    assert_allclose(masses[1], head.masses, atol=1e-9)


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


def test_strengths_must_be_a_row_of_numbers():
    with pytest.raises(ValueError, match="strengths must have 1 axes"):
        patterns_by_strength(PreviousTokenHead(6), INDICES, 1.0)
