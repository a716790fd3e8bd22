"""A row of scores, taken apart into the frequencies of RoPE."""

import numpy as np
import pytest

from model.previous_token import PreviousTokenHead
from model.score_row import ScoreRow

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
