"""One head at many alphas."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.previous_token.alpha_sweep import AlphaSweep, ScaledRow
from clockhead.model.previous_token.head import PreviousTokenHead
from clockhead.model.previous_token.score_row import ScoreRow

HEAD = PreviousTokenHead(8)


def test_a_sweep_around_a_head_holds_its_alpha_and_the_one_it_needs():
    sweep = AlphaSweep.around(HEAD)
    assert {10.0, HEAD.alpha_99} <= set(sweep.alphas)
    assert sweep.alphas[sweep.nearest(10.0)] == 10.0
    assert sweep.nearest(0) == 0
    assert sweep.mass_99 == 0.99
    assert sweep.low == pytest.approx(0.1)
    assert sweep.high == pytest.approx(13)
    assert sweep.alpha_99 == HEAD.alpha_99 == pytest.approx(7.70, abs=0.01)
    at_99 = sweep.worst_masses[sweep.alphas.index(HEAD.alpha_99)]
    assert at_99 == pytest.approx(0.99, abs=1e-12)


def test_the_low_end_leaves_room():
    assert AlphaSweep.around(PreviousTokenHead(8, alpha=0.1)).low == pytest.approx(0.025)
    weak = PreviousTokenHead(8, alpha=1)
    assert AlphaSweep.around(weak).high == pytest.approx(1.3 * HEAD.alpha_99)
    assert AlphaSweep.around(PreviousTokenHead(8, alpha=100)).high == pytest.approx(130)


@pytest.mark.parametrize(
    ("alpha", "d_head", "decades"),
    [(10.0, 32, (0.1, 100.0)), (0.01, 256, (0.001, 10.0)), (1e4, 32, (0.1, 1e5))],
)
def test_the_decades_around_a_sweep_hold_it_and_1(alpha, d_head, decades):
    sweep = AlphaSweep.around(PreviousTokenHead(8, d_head, alpha))
    assert sweep.decades == pytest.approx(decades)
    assert decades[0] <= sweep.low < sweep.high <= decades[1]


def test_a_sweep_between_two_alphas_is_even_on_a_log_scale():
    sweep = AlphaSweep.between(HEAD, 10, 1, 3)
    assert sweep.alphas == pytest.approx((1, np.sqrt(10), 10))
    assert_allclose(sweep.patterns[-1], HEAD.pattern)
    assert_allclose(sweep.masses[-1], HEAD.masses)
    assert sweep.worst_lost[-1] == pytest.approx(HEAD.worst_lost)


@settings(max_examples=40)
@given(
    st.integers(2, 12),
    st.sampled_from([2, 4, 32, 256]),
    st.sampled_from([1.0, 1e4, 1e7]),
    st.floats(0.01, 1e4),
)
def test_no_alpha_changes_who_wins(n_tokens, d_head, base, alpha):
    sweep = AlphaSweep.around(PreviousTokenHead(n_tokens, d_head, alpha, base), 21)
    assert sweep.winners_constant
    assert sweep.n_changing == 0
    assert sweep.never_falls
    assert_array_equal(
        sweep.looks_at[:, 1:], np.tile(np.arange(n_tokens - 1), (len(sweep.alphas), 1))
    )
    assert_allclose(sweep.worst_masses + sweep.worst_lost, 1)
    rows = np.arange(1, n_tokens)
    assert_allclose(sweep.masses, sweep.patterns[:, rows, rows - 1], atol=1e-12)
    assert_allclose(sweep.worst_masses_at(sweep.alphas), sweep.worst_masses)


def test_a_sweep_can_be_sent_to_another_process():
    sweep = AlphaSweep(HEAD, (1.0, 2.0))
    assert sweep.patterns.shape == (2, 8, 8)
    assert pickle.loads(pickle.dumps(sweep)) == sweep


@pytest.mark.parametrize("alphas", [(), (0.0, 1.0), (2.0, 1.0), (1.0, 1.0), (1.0, 1e16)])
def test_alphas_rise_from_above_0(alphas):
    with pytest.raises(ValueError, match="alphas must rise from above 0"):
        AlphaSweep(HEAD, alphas)


def test_bad_sweeps_are_refused():
    with pytest.raises(ValueError, match="head must have a row with a target, got 1 tokens"):
        AlphaSweep(PreviousTokenHead(1), (1.0,))
    with pytest.raises(ValueError, match="low must be a finite number above 0"):
        AlphaSweep.between(HEAD, 0, 1)
    aliased = PreviousTokenHead(8, schedule=(np.pi / 2,) * 16)
    with pytest.raises(ValueError, match="alpha_99 must be a finite number"):
        AlphaSweep.around(aliased)


@pytest.mark.parametrize("alpha", [0.01, 1.0, 10.0, 1e4])
def test_a_row_on_its_way_from_alpha_1(alpha):
    scaled = ScaledRow(ScoreRow(PreviousTokenHead(8, alpha=alpha), 5, tuple("abcdefgh")))
    assert scaled.at_one.head.alpha == 1
    assert_allclose(scaled.patterns[0], scaled.at_one.head.pattern)
    assert_allclose(scaled.patterns[-1], scaled.row.head.pattern)
    assert scaled.alphas[20] == pytest.approx(2 if alpha == 1 else alpha**0.5)
    assert_allclose(scaled.shares, np.minimum(scaled.patterns[:, 5, 4], 1), atol=1e-12)
    assert scaled.shares.max() < 1
    assert scaled.worst_share < 1
    assert scaled.leads[0] == pytest.approx(scaled.at_one.visible_lead)
    assert scaled.leads[-1] == pytest.approx(scaled.row.visible_lead)
    assert scaled.n_after == 2
