import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.attention.constant_key import offset_head, with_constant
from clockhead.model.previous_token.head import line_kind, previous_token_head
from clockhead.model.rope.rotation import phase_cosines, rope_frequencies, rotation_matrix
from tests.model import second_opinion


@st.composite
def heads(draw):
    n_tokens = draw(st.integers(1, 12))
    return previous_token_head(
        n_tokens,
        d_head=2 * draw(st.integers(1, 12)),
        alpha=draw(st.floats(0.01, 100)),
        base=draw(st.floats(1, 1e6)),
        offset=draw(st.integers(0, n_tokens - 1)),
        causal=draw(st.booleans()),
    )


# (d_head, n_tokens): worst / mean weight at alpha 1, 4, 10, 100, causal, rows with a target
WEIGHTS = {
    (8, 32): [(0.1285, 0.2088), (0.4984, 0.5584), (0.8750, 0.8961), (1, 1)],
    (8, 1024): [(0.0115, 0.0318), (0.1656, 0.2548), (0.6697, 0.7346), (1, 1)],
    (16, 32): [(0.2447, 0.3126), (0.7924, 0.7967), (0.9885, 0.9887), (1, 1)],
    (32, 32): [(0.4453, 0.4605), (0.8861, 0.8878), (0.9979, 0.9979), (1, 1)],
    (32, 1024): [(0.4328, 0.4357), (0.8861, 0.8861), (0.9979, 0.9979), (1, 1)],
    (64, 32): [(0.5866, 0.5922), (0.9744, 0.9748), (1, 1), (1, 1)],
    (128, 32): [(0.7701, 0.7733), (0.9990, 0.9990), (1, 1), (1, 1)],
}


@pytest.mark.parametrize(("d_head", "n_tokens"), WEIGHTS)
def test_the_table_of_weights(d_head, n_tokens):
    weights = previous_token_head(n_tokens, d_head).target_weights_at([1, 4, 10, 100])
    found = np.stack([weights.min(axis=1), weights.mean(axis=1)], axis=1)
    assert_allclose(found, WEIGHTS[d_head, n_tokens], atol=5.1e-5)


@given(heads())
def test_three_ways_to_the_scores_agree(head):
    residual = with_constant(np.random.default_rng(head.n_tokens).normal(size=(head.n_tokens, 5)))
    mask = "before softmax" if head.causal else "none"
    written = offset_head(6, head.frequencies, head.alpha, head.offset, mask=mask).run(residual)
    tolerance = 1e-14 * head.alpha * head.d_head
    assert_allclose(head.queries @ head.keys.T, head.scores, atol=tolerance)
    turns = rotation_matrix(head.positions, head.frequencies)  # (T, d_head, d_head)
    queries, keys = (
        (turns @ weights @ residual[..., None])[..., 0]
        for weights in (written.head.w_q, written.head.w_k)
    )
    assert_allclose(queries @ keys.T, head.scores, atol=tolerance)
    assert_allclose(written.pattern, head.pattern, atol=1e-12 * head.alpha * head.d_head)


@settings(max_examples=40)
@given(heads())
def test_a_head_written_in_plain_loops_agrees(head):
    scores = second_opinion.head_scores(
        head.n_tokens, head.frequencies.tolist(), head.alpha, head.offset
    )
    assert_allclose(head.scores, scores, atol=1e-13 * head.alpha * head.d_head)
    pattern = second_opinion.head_pattern(scores, head.causal)
    assert_allclose(head.pattern, pattern, atol=1e-12 * head.alpha * head.d_head)


@given(heads())
def test_keys_and_queries_only_differ_by_turns(head):
    assert_allclose(np.linalg.norm(head.keys, axis=1), math.sqrt(head.d_head / 2))
    ahead = head.queries[head.offset :]
    assert_allclose(ahead, head.alpha * head.keys[: len(ahead)], atol=1e-12 * head.alpha)


@given(heads())
def test_weights_from_running_sums_are_those_of_the_pattern(head):
    assert_allclose(head.target_weights_at([head.alpha])[0], head.target_weights, atol=1e-12)
    assert_allclose(head.lost_at([head.alpha])[0], head.lost)
    assert_allclose(head.lost + head.target_weights, 1, atol=1e-12)


@given(heads())
def test_what_is_read_off_the_rows(head):
    strict = True
    for place, m in enumerate(head.target_rows.tolist()):
        assert head.targets[place] == m - head.offset
        rivals = set(range(m + 1 if head.causal else head.n_tokens)) - {m - head.offset}
        best = max((head.scores[m, n] for n in rivals), default=-math.inf)
        strict &= head.scores[m, m - head.offset] - best > 1e-12 * np.abs(head.scores).max()
    assert head.always_strict == strict
    assert head.n_targets == head.n_tokens - head.offset
    assert_array_equal(head.rows_without_target, np.arange(head.offset))
    assert head.worst_weight == head.pattern[head.worst_row, head.worst_row - head.offset]
    assert head.n_missed == len(head.missed_rows)
    assert head.finds_target == (head.n_missed == 0)


def test_the_largest_score_is_alpha_times_the_number_of_hands():
    head = previous_token_head(32, d_head=32, alpha=4)
    assert head.scores.max() == 64
    assert_array_equal(np.diagonal(head.scores, -1), np.full(31, 64.0))
    assert head.n_pairs == len(head.frequencies) == 16


@pytest.mark.parametrize("offset", range(21))
@pytest.mark.parametrize("d_head", [16, 32, 64])
@pytest.mark.parametrize("causal", [True, False])
def test_every_row_with_a_target_finds_it(offset, d_head, causal):
    head = previous_token_head(48, d_head, offset=offset, causal=causal)
    assert head.finds_target
    assert_array_equal(head.looks_at[offset:], np.arange(48 - offset))


def test_the_score_is_a_sum_of_clock_hands():
    head = previous_token_head(8)
    heights = phase_cosines(head.past_target[5], head.frequencies)
    assert heights.shape == (8, 16)
    assert_allclose(head.alpha * heights.sum(axis=1), head.scores[5])
    assert_array_equal(heights[4], np.ones(16))


def test_the_rows_of_the_default_head():
    pattern = previous_token_head(32).pattern.round(4)
    assert_array_equal(pattern[0, :2], [1, 0])
    assert_array_equal(pattern[1, :3], [0.999, 0.001, 0])
    assert_array_equal(pattern[9, 7:10], [0.001, 0.9979, 0.001])


def test_a_sharp_head_loses_little_but_not_nothing():
    head = previous_token_head(32, alpha=100)
    assert head.worst_weight == 1
    assert head.lost.max() == pytest.approx(3.11e-30, rel=1e-2)
    assert head.lost[0] == pytest.approx(head.lost.max() / 2, rel=1e-3)  # one neighbour only


# Rows without a target


def test_the_first_row_of_an_unmasked_head():
    wide = previous_token_head(32, 32, alpha=4, causal=False)
    assert wide.pattern[0, 0] == pytest.approx(0.9982, abs=5e-5)
    narrow = previous_token_head(32, 8, alpha=4, causal=False)
    assert narrow.looks_at[0] == 5
    assert narrow.pattern[0, 0] == pytest.approx(0.1832, abs=5e-5)


@pytest.mark.parametrize(
    ("offset", "looks_at"), [(5, [0, 1, 0, 0, 0]), (20, [0, 0, 1, 2, 3, 4, 5, 0])]
)
def test_rows_before_the_first_target_fall_on_near_aliases(offset, looks_at):
    head = previous_token_head(32, offset=offset)
    assert head.looks_at[: len(looks_at)].tolist() == looks_at


# Equal frequencies


@pytest.mark.parametrize(("n_tokens", "worst"), [(32, 0.709), (46, 0.419), (1024, 0.0305)])
def test_equal_hands_lose_the_line_once_the_text_reaches_the_alias(n_tokens, worst):
    found = previous_token_head(n_tokens, base=1).worst_weight
    assert found == pytest.approx(worst, abs=5e-4)


def test_equal_hands_see_a_second_line_at_44():
    head = previous_token_head(46, base=1)
    assert head.pattern[45, 0] == pytest.approx(head.worst_weight, abs=0.02)


def test_an_exact_alias_shares_the_attention_at_every_alpha():
    head = previous_token_head(32, alpha=1e4, frequencies=(math.tau / 8,) * 16)
    assert head.worst_weight == pytest.approx(0.25, abs=1e-9)
    assert not head.always_strict
    assert head.line == "none"


def test_given_frequencies_replace_the_schedule():
    by_hand = previous_token_head(8, frequencies=rope_frequencies(32))
    assert_array_equal(previous_token_head(8).scores, by_hand.scores)
    from_one = previous_token_head(32, frequencies=second_opinion.hands(32, first=1))
    assert from_one.worst_weight < 0.95 < previous_token_head(32).worst_weight


# At other scales and offsets


def test_patterns_at_other_alphas():
    head = previous_token_head(32)
    patterns = head.patterns_at([1, 10])
    assert_allclose(patterns[0], previous_token_head(32, alpha=1).pattern, atol=1e-14)
    assert_allclose(patterns[1], head.pattern, atol=1e-14)


def test_the_line_slides_with_the_steps_that_the_query_is_turned_back():
    head = previous_token_head(12)
    patterns = head.patterns_at_offsets([1, 2, 2.5, 3])
    for index, offset in ((0, 1), (1, 2), (3, 3)):
        other = previous_token_head(12, offset=offset)
        assert_allclose(patterns[index], other.pattern, atol=1e-13)
    halfway = patterns[2][np.arange(3, 12)]
    assert_allclose(np.diag(halfway), np.diag(halfway[:, 1:]), atol=1e-13)


@pytest.mark.parametrize(
    ("weight", "has_majority", "line"),
    [
        (1.0, True, "sharp"),
        (0.9, True, "sharp"),
        (0.8999, True, "blurred"),
        (0.51, True, "blurred"),
        (0.5, False, "none"),
    ],
)
def test_what_a_weight_shows(weight, has_majority, line):
    assert line_kind(weight, has_majority) == line


def test_a_head_shows_a_line_or_none():
    lines = [previous_token_head(8, alpha=alpha).line for alpha in (1.0, 3.0, 10.0)]
    assert lines == ["none", "blurred", "sharp"]


def test_arrays_are_read_only():
    head = previous_token_head(4, frequencies=(1.0,) * 16)
    for array in (head.frequencies, head.scores, head.pattern, head.keys, head.looks_at):
        assert not array.flags.writeable


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_tokens": 0}, "n_tokens must be a whole number of at least 1, got 0"),
        ({"n_tokens": 4.0}, "n_tokens must be a whole number of at least 1, got 4.0"),
        ({"n_tokens": 4, "d_head": 7}, "d_head must be even"),
        ({"n_tokens": 4, "alpha": 0}, "alpha must be a finite number above 0 .*, got 0"),
        ({"n_tokens": 4, "alpha": math.nan}, "alpha must be .* got nan"),
        ({"n_tokens": 4, "alpha": "10"}, "alpha must be .* got '10'"),
        ({"n_tokens": 4, "base": 0.5}, "base must be a finite number at least 1, got 0.5"),
        ({"n_tokens": 4, "offset": -1}, "offset must be .* at least 0, got -1"),
        ({"n_tokens": 4, "offset": 1.5}, "offset must be .* got 1.5"),
        ({"n_tokens": 3, "offset": 3}, "above offset .* got 3 tokens and offset 3"),
        ({"n_tokens": 4, "frequencies": (1.0,)}, "frequencies must be 16, one a pair, got 1"),
        ({"n_tokens": 4, "frequencies": (0.0,) * 16}, "frequencies must be at least one"),
        ({"n_tokens": 4, "frequencies": (math.nan,) * 16}, "frequencies must be finite"),
    ],
)
def test_bad_heads_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        previous_token_head(**arguments)
