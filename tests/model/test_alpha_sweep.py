"""One head at many alphas."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from model.alpha_sweep import AlphaSweep
from model.previous_token import PreviousTokenHead

HEAD = PreviousTokenHead(8)


def test_a_sweep_around_the_stops_holds_them():
    sweep = AlphaSweep.around(HEAD, (1, 4, 10))
    assert {1.0, 4.0, 10.0, HEAD.alpha_99} <= set(sweep.alphas)
    assert sweep.low == pytest.approx(0.1)
    assert sweep.high == pytest.approx(13)
    assert sweep.alpha_99 == HEAD.alpha_99 == pytest.approx(7.70, abs=0.01)
    at_99 = sweep.worst_masses[sweep.alphas.index(HEAD.alpha_99)]
    assert at_99 == pytest.approx(0.99, abs=1e-12)


def test_the_low_end_leaves_room():
    assert AlphaSweep.around(HEAD, (0.2,)).low == pytest.approx(0.05)
    assert AlphaSweep.around(PreviousTokenHead(8, alpha=0.1), (1,)).low == pytest.approx(0.025)
    weak = PreviousTokenHead(8, alpha=1)
    assert AlphaSweep.around(weak, (1,)).high == pytest.approx(1.3 * HEAD.alpha_99)
    assert AlphaSweep.around(HEAD, (1, 100)).high == pytest.approx(130)


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
    sweep = AlphaSweep.around(PreviousTokenHead(n_tokens, d_head, alpha, base), (1, 4, 10), 21)
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
        AlphaSweep.around(aliased, (1,))
