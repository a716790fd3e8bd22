"""A row of scores, taken apart into the frequencies of RoPE."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.previous_token.head import previous_token_head
from clockhead.model.previous_token.score_row import ScoreRow, score_row

TOKENS = ("the", "cat", "sat", "on", "the", "mat", "and", "ran")


def row(m: int = 5, **options) -> ScoreRow:
    return score_row(previous_token_head(len(TOKENS), **options), m, TOKENS)


def test_the_sums_are_the_published_kernel():
    asked = row()
    assert_array_equal(asked.past_target[:5], [-4, -3, -2, -1, 0])
    assert_allclose(asked.sums[:5], [11.6615, 12.2724, 13.7301, 15.3136, 16], atol=5e-5)
    assert asked.target_sum == 16


def test_sums_times_alpha_are_the_scores():
    asked = row(alpha=3.5)
    assert_allclose(3.5 * asked.sums, asked.head.scores[5], atol=1e-12)
    assert asked.weight == asked.head.pattern[5, 4]


def test_hands_differ_by_the_offset():
    asked = row()
    apart = asked.key_phases - asked.query_phases[asked.m]
    assert_allclose(np.cos(apart), asked.cosines, atol=1e-12)
    assert_allclose(apart, asked.phases, atol=1e-12)


def test_only_the_target_has_all_hands_up():
    asked = row()
    assert asked.target == 4
    assert asked.query_token == "mat"
    assert (asked.cosines == 1).all(axis=1).tolist() == [n == 4 for n in range(8)]
    assert asked.mismatch < 1e-12
    assert row(m=6, offset=2).target == 4


def test_the_neighbours_of_the_target_are_its_runners_up():
    asked = row()
    assert asked.runner_up == pytest.approx(15.31365, abs=1e-5)
    assert (asked.runner_up_position, asked.runner_up_named) == (3, "“on”")
    assert asked.gap == pytest.approx(16 - asked.runner_up, abs=1e-12)
    assert asked.lead == pytest.approx(10 * asked.gap)
    assert row(m=1).runner_up_position == 1


def test_an_exact_alias_ties_with_the_target():
    aliased = row(frequencies=(np.pi / 2,) * 16)
    assert aliased.runner_up_position == 0
    assert aliased.gap < 1e-12
    assert not aliased.stands_out
    assert aliased.line == "none"


def test_the_query_sees_no_key_after_its_own():
    asked = row(m=3)
    assert asked.n_visible == 4
    assert asked.visible.tolist() == [True] * 4 + [False] * 4
    assert_array_equal(asked.visible_positions, [0, 1, 2, 3])
    assert_array_equal(asked.visible_past_target, [-2, -1, 0, 1])
    assert_array_equal(asked.walk, [0, 1, 3])
    assert_array_equal(asked.visible_sums, asked.sums[:4])
    assert asked.lowest_visible_sum == asked.sums[0] == pytest.approx(13.7301, abs=5e-5)
    assert row(m=3, causal=False).n_visible == 8


def test_a_runner_up_is_seen():
    # With theta = 1.2 alone, offset 5 is nearly round again, but from row 2 nobody sees it.
    asked = row(m=2, d_head=2, alpha=2.0, frequencies=(1.2,))
    assert asked.sums[6] > asked.runner_up == pytest.approx(np.cos(1.2))
    assert asked.runner_up_position == 0
    assert asked.runner_up_named == "“the” at 0"
    assert asked.lead == pytest.approx(2 - 2 * np.cos(1.2))
    assert asked.stands_out


def test_tokens_are_named_with_their_position_where_it_takes_it():
    asked = row()
    assert (asked.query_named, asked.target_named) == ("“mat”", "“the” at 4")
    assert row(m=2).target_named == "“cat”"


def test_the_stack_of_a_key_at_the_default():
    asked = row()
    assert asked.n_groups == 16
    assert_array_equal(asked.group_starts, np.arange(16))
    assert asked.n_steady == 10
    assert asked.lowest_plinth == pytest.approx(9.9883, abs=5e-5)
    assert_array_equal(asked.slivers, asked.cosines[:6])
    assert asked.plinths == pytest.approx(asked.slivers[:, 6:].sum(axis=1))
    assert row(m=1).n_steady == 12  # one position off: cos(10^(-i/4)) > .99 from i = 4
    assert row(base=1.0).n_steady == 0


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
    sizes = np.diff(asked.group_starts, append=d_head // 2)
    assert np.ptp(sizes) <= 1
    assert asked.n_groups == len(asked.group_starts) == min(16, d_head // 2)
    n_in_plinth = sizes[asked.steady_groups].sum()
    assert n_in_plinth <= asked.n_steady
    assert (asked.plinths >= 0.99 * n_in_plinth).all()
    assert asked.stands_out
    seen = [n for n in range(8) if n != asked.target and (n <= m or not causal)]
    assert asked.runner_up == pytest.approx(max(asked.sums[n] for n in seen), abs=1e-9)
    assert asked.walk.tolist() == seen


@pytest.mark.parametrize("m", [0, 8, -1])
def test_a_position_without_a_target_is_refused(m: int):
    with pytest.raises(ValueError, match="m must be"):
        row(m)


def test_a_query_that_sees_only_its_target_is_refused():
    with pytest.raises(ValueError, match="m must be 1 to 7"):
        row(0, offset=0)


def test_tokens_must_be_as_many_as_positions():
    with pytest.raises(ValueError, match="tokens must be 8"):
        score_row(previous_token_head(8), 5, ("the", "cat"))
