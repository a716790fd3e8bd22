"""A row of scores, taken apart into the frequencies of RoPE."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.previous_token.head import PreviousTokenHead
from clockhead.model.previous_token.score_row import ScoreRow

TOKENS = ("the", "cat", "sat", "on", "the", "mat", "and", "ran")


def row(m: int = 5, **options: float) -> ScoreRow:
    return ScoreRow(PreviousTokenHead(n_tokens=len(TOKENS), **options), m, TOKENS)


def test_the_sums_are_the_published_kernel():
    near = {0: 16, 1: 15.3136, 2: 13.7301, 3: 12.2724, 4: 11.6615}
    found = dict(zip(row().offsets.tolist(), row().sums, strict=True))
    assert {d: round(f, 4) for d, f in found.items() if -4 <= d <= 0} == {
        -d: f for d, f in near.items()
    }


def test_sums_times_alpha_are_the_scores():
    asked = row(alpha=3.5)
    np.testing.assert_allclose(3.5 * asked.sums, asked.head.scores[5], atol=1e-12)


def test_hands_differ_by_the_offset():
    asked = row()
    apart = asked.key_phases - asked.query_phases[asked.m]
    np.testing.assert_allclose(np.cos(apart), asked.cosines, atol=1e-12)


def test_only_the_target_has_all_hands_up():
    asked = row()
    assert asked.target == 4
    assert (asked.query_token, asked.target_token) == ("mat", "the")
    assert (asked.cosines == 1).all(axis=1).tolist() == [n == 4 for n in range(8)]
    assert asked.runner_up == pytest.approx(15.31365, abs=1e-5)
    assert asked.mismatch < 1e-12


def test_slow_hands_are_steady():
    asked = row()
    assert asked.steady.tolist() == [False] * 6 + [True] * 10
    assert not row(base=1.0).steady.any()


def test_another_look_back_has_another_target():
    assert row(m=6, look_back=2).target == 4


@pytest.mark.parametrize("m", [0, 8, -1])
def test_a_position_without_a_target_is_refused(m: int):
    with pytest.raises(ValueError, match="m must be"):
        row(m)


def test_a_single_token_is_refused():
    with pytest.raises(ValueError, match="more than 1 tokens, got 1"):
        ScoreRow(PreviousTokenHead(n_tokens=1), 1, ("the",))


def test_tokens_must_be_as_many_as_positions():
    with pytest.raises(ValueError, match="tokens must be 8"):
        ScoreRow(PreviousTokenHead(n_tokens=8), 5, ("the", "cat"))


def test_the_row_knows_its_mass_and_what_it_loses():
    asked = row()
    assert asked.mass == asked.head.pattern[5, 4]
    assert asked.lost == pytest.approx(1 - asked.mass, abs=1e-15)
    assert row(alpha=100.0).lost == pytest.approx(2 * np.exp(-100 * 0.68635085), rel=1e-5)


def test_the_neighbours_of_the_target_are_its_runners_up():
    asked = row()
    assert (asked.runner_up_position, asked.runner_up_token, asked.n_runners_up) == (3, "on", 2)
    assert asked.target_sum == 16
    assert asked.gap == pytest.approx(16 - asked.runner_up, abs=1e-12)
    assert asked.n_tied == 0
    assert asked.runner_up_mass == asked.head.pattern[5, 3]
    assert asked.has_majority
    assert asked.is_strict_maximum
    assert not row(alpha=0.1).has_majority
    first = row(m=1)
    assert (first.runner_up_position, first.n_runners_up) == (1, 1)


def test_an_exact_alias_ties_with_the_target():
    aliased = ScoreRow(PreviousTokenHead(8, schedule=(np.pi / 2,) * 16), 5, TOKENS)
    assert aliased.n_tied == 1
    assert aliased.runner_up_position == 0
    assert aliased.gap < 1e-12
    assert not aliased.is_strict_maximum
    assert not aliased.has_majority
    assert not aliased.rises_then_falls


def test_sums_rise_to_the_target_and_fall_from_it():
    near = row()
    assert near.rises_to_target == bool((np.diff(near.sums[:5]) > 0).all())
    assert near.falls_from_target == bool((np.diff(near.sums[4:]) < 0).all())
    assert near.falls_from_target
    assert row(m=1).rises_to_target  # nothing stands before the target
    assert not row(base=1.0, m=7).rises_to_target  # six positions back, cos rises again


def test_steady_pairs_add_almost_the_same_everywhere():
    asked = row()
    assert asked.n_steady == 10
    assert asked.steady_sums == pytest.approx(asked.cosines[:, 6:].sum(axis=1))
    assert 9.9 < asked.steady_sums.min() < asked.steady_sums.max() == 10


def test_the_query_sees_no_key_after_its_own():
    asked = row(m=3)
    assert asked.n_visible == 4
    assert asked.visible.tolist() == [True] * 4 + [False] * 4
    assert_array_equal(asked.visible_positions, [0, 1, 2, 3])
    assert_array_equal(asked.visible_offsets, [-2, -1, 0, 1])
    assert_array_equal(asked.walk, [0, 1, 3])
    assert_array_equal(asked.visible_sums, asked.sums[:4])
    assert_array_equal(asked.visible_cosines, asked.cosines[:4])
    assert asked.lowest_visible_sum == asked.sums[0] == pytest.approx(13.7301, abs=5e-5)
    assert not row(base=1.0).visible_rises_then_falls
    assert asked.visible_rises_then_falls
    assert row(causal=False).n_visible == 8


def test_a_runner_up_that_is_seen():
    # With theta = 1.2 alone, offset 5 is nearly round again, but from row 2 nobody sees it.
    head = PreviousTokenHead(len(TOKENS), 2, alpha=2.0, schedule=(1.2,))
    asked = ScoreRow(head, 2, TOKENS)
    assert asked.runner_up_position == 6
    assert (asked.visible_runner_up_position, asked.n_visible_runners_up) == (0, 2)
    assert asked.visible_runner_up == pytest.approx(np.cos(1.2))
    assert asked.visible_gap == pytest.approx(1 - np.cos(1.2))
    assert asked.visible_lead == pytest.approx(2 - 2 * np.cos(1.2))
    assert asked.visible_runner_up_named == "“the” at 0"
    assert not asked.falls_from_target
    assert asked.visible_falls_from_target
    assert asked.target_stands_out
    assert not ScoreRow(PreviousTokenHead(8, 2, schedule=(np.pi / 2,)), 5, TOKENS).target_stands_out


def test_a_query_that_sees_only_its_target():
    alone = ScoreRow(PreviousTokenHead(8, look_back=0), 0, TOKENS)
    assert alone.target_stands_out
    with pytest.raises(ValueError, match="m must be a position that sees another key, got 0"):
        _ = alone.visible_runner_up


def test_tokens_are_named_with_their_position_where_it_takes_it():
    asked = row()
    assert (asked.query_named, asked.target_named) == ("“mat”", "“the” at 4")
    assert row(m=2).target_named == "“cat”"


def test_the_stack_of_a_key_at_the_default():
    asked = row()
    assert asked.n_groups == 16
    assert_array_equal(asked.group_starts, np.arange(16))
    assert asked.n_visible_steady == 10
    assert asked.lowest_plinth == pytest.approx(9.9883, abs=5e-5)
    assert_array_equal(asked.slivers, asked.visible_cosines)
    assert_array_equal(asked.steady_groups, asked.visible_steady)
    assert asked.plinths == pytest.approx(asked.slivers[:, 6:].sum(axis=1))
    assert row(m=1).n_visible_steady == 12  # one position off: cos(10^(-i/4)) > .99 from i = 4


@settings(max_examples=60)
@given(
    st.integers(1, 7),
    st.sampled_from([2, 4, 10, 32, 40, 64, 100, 256]),
    st.sampled_from([1.0, 100.0, 1e4, 1e7]),
    st.booleans(),
)
def test_every_stack_is_as_high_as_its_sum(m, d_head, base, causal):
    asked = row(m, d_head=d_head, base=base, causal=causal)
    assert_allclose(asked.slivers.sum(axis=1), asked.visible_sums, atol=1e-12)
    stacked = asked.plinths + asked.slivers[:, ~asked.steady_groups].sum(axis=1)
    assert_allclose(stacked, asked.visible_sums, atol=1e-12)
    assert asked.group_sizes.sum() == d_head // 2
    assert np.ptp(asked.group_sizes) <= 1
    assert asked.groups_are_alike == (np.ptp(asked.group_sizes) == 0)
    assert asked.n_groups == len(asked.group_starts) == min(16, d_head // 2)
    assert_array_equal(asked.group_phases, asked.phases[:, asked.group_starts])
    n_in_plinth = asked.group_sizes[asked.steady_groups].sum()
    assert n_in_plinth <= asked.n_visible_steady
    assert (asked.plinths >= 0.99 * n_in_plinth).all()
    assert asked.target_stands_out
    seen = [n for n in range(8) if n != asked.target and (n <= m or not causal)]
    assert asked.visible_runner_up == pytest.approx(max(asked.sums[n] for n in seen), abs=1e-9)
    assert asked.walk.tolist() == seen
    assert asked.visible_lead == pytest.approx(10 * asked.visible_gap)


def test_a_row_of_its_own_alpha_and_of_alpha_1():
    asked = row(alpha=10.0)
    assert asked.line == "sharp"
    assert asked.mass_at_alpha_1 == pytest.approx(row(alpha=1.0).mass)
    assert row(alpha=1.0).line == "none"
    blurred = row(alpha=2.0)
    assert 0.5 < blurred.mass < 0.9
    assert blurred.line == "blurred"


def test_a_row_can_be_sent_to_another_process():
    asked = row()
    assert asked.plinths.size == 6
    assert pickle.loads(pickle.dumps(asked)) == asked
