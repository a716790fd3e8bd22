import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.previous_token.head import PreviousTokenHead
from clockhead.model.rope.rotation import phase_cosines, rope_frequencies
from tests.model import second_opinion

heads = st.builds(
    PreviousTokenHead,
    n_tokens=st.integers(1, 12),
    d_head=st.integers(1, 12).map(lambda pairs: 2 * pairs),
    alpha=st.floats(0.01, 100),
    base=st.floats(1, 1e6),
    look_back=st.integers(0, 20),
    causal=st.booleans(),
)

# (d_head, n_tokens): worst / mean mass at alpha 1, 4, 10, 100, causal, rows with a target
MASSES = {
    (8, 32): [(0.1285, 0.2088), (0.4984, 0.5584), (0.8750, 0.8961), (1, 1)],
    (8, 1024): [(0.0115, 0.0318), (0.1656, 0.2548), (0.6697, 0.7346), (1, 1)],
    (16, 32): [(0.2447, 0.3126), (0.7924, 0.7967), (0.9885, 0.9887), (1, 1)],
    (32, 32): [(0.4453, 0.4605), (0.8861, 0.8878), (0.9979, 0.9979), (1, 1)],
    (32, 1024): [(0.4328, 0.4357), (0.8861, 0.8861), (0.9979, 0.9979), (1, 1)],
    (64, 32): [(0.5866, 0.5922), (0.9744, 0.9748), (1, 1), (1, 1)],
    (128, 32): [(0.7701, 0.7733), (0.9990, 0.9990), (1, 1), (1, 1)],
}


@pytest.mark.parametrize(("d_head", "n_tokens"), MASSES)
def test_the_table_of_masses(d_head, n_tokens):
    masses = PreviousTokenHead(n_tokens, d_head).masses_over([1, 4, 10, 100])
    found = np.stack([masses.min(axis=1), masses.mean(axis=1)], axis=1)
    assert_allclose(found, MASSES[d_head, n_tokens], atol=5.1e-5)


@given(heads)
def test_three_ways_to_the_scores_agree(head):
    residual = np.random.default_rng(head.n_tokens).normal(size=(head.n_tokens, 5))
    tolerance = 1e-14 * head.alpha * head.d_head
    assert_allclose(head.scores_from_vectors, head.scores, atol=tolerance)
    assert_allclose(head.scores_from_matrices(residual), head.scores, atol=tolerance)


@settings(max_examples=40)
@given(heads)
def test_a_head_written_in_plain_loops_agrees(head):
    scores = second_opinion.head_scores(
        head.n_tokens,
        second_opinion.hands(head.d_head, head.base),
        head.alpha,
        head.look_back,
    )
    assert_allclose(head.scores, scores, atol=1e-13 * head.alpha * head.d_head)
    pattern = second_opinion.head_pattern(scores, head.causal)
    assert_allclose(head.pattern, pattern, atol=1e-12 * head.alpha * head.d_head)


@given(heads)
def test_rows_are_distributions_and_causal_heads_never_look_ahead(head):
    assert_allclose(head.pattern.sum(axis=1), 1, atol=1e-12)
    if head.causal:
        assert (np.triu(head.pattern, 1) == 0).all()


@given(heads)
def test_keys_and_queries_only_differ_by_turns(head):
    assert_allclose(np.linalg.norm(head.keys, axis=1), math.sqrt(head.d_head / 2))
    ahead = head.queries[head.look_back :]
    assert_allclose(ahead, head.alpha * head.keys[: len(ahead)], atol=1e-12 * head.alpha)


@given(heads)
def test_masses_from_running_sums_are_those_of_the_pattern(head):
    if head.target_rows.size:
        assert_allclose(head.masses_over([head.alpha])[0], head.masses, atol=1e-12)


def test_the_largest_score_is_alpha_times_the_number_of_hands():
    head = PreviousTokenHead(32, d_head=32, alpha=4)
    assert head.scores.max() == 64
    assert_array_equal(np.diagonal(head.scores, -1), np.full(31, 64.0))


@pytest.mark.parametrize("d_head", [2, 32])
def test_a_key_has_a_pair_of_coordinates_for_every_frequency(d_head):
    head = PreviousTokenHead(4, d_head)
    assert head.n_pairs == len(head.frequencies) == d_head / 2


@pytest.mark.parametrize("look_back", range(21))
@pytest.mark.parametrize("d_head", [16, 32, 64])
@pytest.mark.parametrize("causal", [True, False])
def test_every_row_with_a_target_finds_it(look_back, d_head, causal):
    head = PreviousTokenHead(48, d_head, look_back=look_back, causal=causal)
    assert head.finds_target
    assert_array_equal(head.looks_at[look_back:], np.arange(48 - look_back))
    assert_array_equal(head.rows_without_target, np.arange(look_back))


@pytest.mark.parametrize(
    ("d_head", "look_back", "causal", "alpha_99"),
    [(8, 1, True, 21.31), (8, 1, False, 24.47), (32, 1, True, 7.705), (32, 0, True, 6.70)],
)
def test_a_head_knows_what_99_percent_costs(d_head, look_back, causal, alpha_99):
    head = PreviousTokenHead(32, d_head, look_back=look_back, causal=causal)
    assert head.alpha_99 == pytest.approx(alpha_99, abs=0.012)


def test_a_head_knows_its_lead_and_its_estimate():
    head = PreviousTokenHead(32, 8)
    assert head.gap == pytest.approx(0.46474, abs=5e-6)
    assert head.alpha_99_estimate == pytest.approx(11.38, abs=5e-3)


def test_the_score_is_a_sum_of_clock_hands():
    head = PreviousTokenHead(8)
    heights = phase_cosines(head.offsets[5], head.frequencies)
    assert heights.shape == (8, 16)
    assert_allclose(head.alpha * heights.sum(axis=1), head.scores[5])
    assert_array_equal(heights[4], np.ones(16))


def test_the_rows_of_the_default_head():
    pattern = PreviousTokenHead(32).pattern.round(4)
    assert_array_equal(pattern[0, :2], [1, 0])
    assert_array_equal(pattern[1, :3], [0.999, 0.001, 0])
    assert_array_equal(pattern[9, 7:10], [0.001, 0.9979, 0.001])


# Rows without a target


def test_the_first_row_of_a_causal_head_attends_to_itself():
    assert PreviousTokenHead(32).pattern[0, 0] == 1


def test_the_first_row_of_an_unmasked_head():
    wide = PreviousTokenHead(32, 32, alpha=4, causal=False)
    assert wide.pattern[0, 0] == pytest.approx(0.9982, abs=5e-5)
    narrow = PreviousTokenHead(32, 8, alpha=4, causal=False)
    assert narrow.looks_at[0] == 5
    assert narrow.pattern[0, 0] == pytest.approx(0.1832, abs=5e-5)


@pytest.mark.parametrize(
    ("look_back", "looks_at"), [(5, [0, 1, 0, 0, 0]), (20, [0, 0, 1, 2, 3, 4, 5, 0])]
)
def test_rows_before_the_first_target_fall_on_near_aliases(look_back, looks_at):
    head = PreviousTokenHead(32, look_back=look_back)
    assert head.looks_at[: len(looks_at)].tolist() == looks_at


def test_a_text_too_short_for_its_look_back_has_no_target_at_all():
    head = PreviousTokenHead(3, look_back=3)
    assert not head.target_rows.size
    assert_array_equal(head.rows_without_target, [0, 1, 2])
    assert_array_equal(PreviousTokenHead(3, look_back=9).rows_without_target, [0, 1, 2])
    assert head.finds_target
    for name in ("worst_mass", "worst_row", "mean_mass", "alpha_99"):
        with pytest.raises(ValueError, match=r"above look_back .* got 3 tokens and look_back 3"):
            getattr(head, name)


# Equal frequencies


def test_equal_hands_lose_the_band_once_the_text_reaches_the_alias():
    def worst(n_tokens):
        return PreviousTokenHead(n_tokens, base=1).worst_mass

    assert worst(32) == pytest.approx(0.709, abs=5e-4)
    assert worst(46) == pytest.approx(0.419, abs=5e-4)
    assert worst(1024) == pytest.approx(0.0305, abs=5e-5)


@pytest.mark.parametrize(("n_tokens", "offset"), [(44, 25), (45, 44)])
def test_a_rival_must_lie_inside_the_text(n_tokens, offset):
    assert PreviousTokenHead(n_tokens, base=1).rival.offset == offset


def test_equal_hands_see_a_second_band_at_44():
    head = PreviousTokenHead(46, base=1)
    assert head.rival.offset == 44
    assert head.rival.share == pytest.approx(0.99984, abs=5e-6)
    assert head.pattern[45, 0] == pytest.approx(head.worst_mass, abs=0.02)


def test_an_exact_alias_shares_the_mass_at_every_alpha():
    head = PreviousTokenHead(32, alpha=1e4, schedule=(math.tau / 8,) * 16)
    assert head.worst_mass == pytest.approx(0.25, abs=1e-9)
    assert head.alpha_99 == math.inf


def test_given_speeds_replace_the_schedule():
    by_base, by_hand = (
        PreviousTokenHead(8),
        PreviousTokenHead(8, schedule=tuple(rope_frequencies(32))),
    )
    assert_array_equal(by_base.scores, by_hand.scores)


# Output and summary


def test_the_output_is_close_to_the_previous_value():
    values = np.eye(12)
    output = PreviousTokenHead(12).head_out(values)
    assert output.shape == (12, 12)
    assert_allclose(output[1:], values[:-1], atol=0.003)
    assert_array_equal(output[0], values[0])


def test_worst_row_and_patterns_at_other_alphas():
    head = PreviousTokenHead(32)
    assert head.pattern[head.worst_row, head.worst_row - 1] == head.worst_mass
    assert head.mean_mass == pytest.approx(sum(head.masses) / 31)
    patterns = head.patterns_over([1, 10])
    assert_allclose(patterns[0], PreviousTokenHead(32, alpha=1).pattern, atol=1e-14)
    assert_allclose(patterns[1], head.pattern, atol=1e-14)


def test_a_wrong_schedule_gives_another_head():
    from_one = PreviousTokenHead(32, schedule=tuple(second_opinion.hands(32, first=1)))
    assert from_one.worst_mass < 0.95 < PreviousTokenHead(32).worst_mass


def test_cached_arrays_are_read_only_and_heads_travel():
    head = PreviousTokenHead(4, schedule=(1.0,) * 16)
    for array in (
        head.frequencies,
        head.scores,
        head.pattern,
        head.keys,
        head.looks_at,
        head.masses,
    ):
        assert not array.flags.writeable
    copy = pickle.loads(pickle.dumps(head))
    assert copy == head
    assert hash(copy) == hash(head)
    assert_array_equal(copy.pattern, head.pattern)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_tokens": 0}, "n_tokens must be a whole number of at least 1, got 0"),
        ({"n_tokens": 4.0}, "n_tokens must be a whole number of at least 1, got 4.0"),
        ({"n_tokens": 4, "d_head": 7}, "d_head must be even"),
        ({"n_tokens": 4, "d_head": 0}, "d_head must be a whole number of at least 2, got 0"),
        ({"n_tokens": 4, "alpha": 0}, "alpha must be a finite number above 0 .*, got 0"),
        ({"n_tokens": 4, "alpha": -1}, "alpha must be .* got -1"),
        ({"n_tokens": 4, "alpha": math.nan}, "alpha must be .* got nan"),
        ({"n_tokens": 4, "alpha": math.inf}, "alpha must be .* got inf"),
        ({"n_tokens": 4, "alpha": "10"}, "alpha must be .* got '10'"),
        ({"n_tokens": 4, "base": 0.5}, "base must be a finite number at least 1, got 0.5"),
        ({"n_tokens": 4, "look_back": -1}, "look_back must be .* at least 0, got -1"),
        ({"n_tokens": 4, "look_back": 1.5}, "look_back must be .* got 1.5"),
        ({"n_tokens": 4, "schedule": (1.0,)}, "schedule must hold 16 frequencies, .* got 1"),
        ({"n_tokens": 4, "schedule": (0.0,) * 16}, "frequencies must be at least one"),
        ({"n_tokens": 4, "schedule": (math.nan,) * 16}, "frequencies must be finite"),
    ],
)
def test_bad_heads_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        PreviousTokenHead(**arguments)


def test_a_residual_needs_a_row_per_token():
    with pytest.raises(ValueError, match=r"residual must have 4 rows, got shape \(3, 2\)"):
        PreviousTokenHead(4).scores_from_matrices(np.zeros((3, 2)))


def test_the_band_slides_with_the_steps_that_the_query_is_turned_back():
    head = PreviousTokenHead(12)
    patterns = head.patterns_looking_back([1, 2, 2.5, 3])
    for index, look_back in ((0, 1), (1, 2), (3, 3)):
        other = PreviousTokenHead(12, look_back=look_back)
        assert_allclose(patterns[index], other.pattern, atol=1e-13)
    halfway = patterns[2][np.arange(3, 12)]
    assert_allclose(np.diag(halfway), np.diag(halfway[:, 1:]), atol=1e-13)
