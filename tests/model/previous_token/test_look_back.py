"""What is read off the rows of a head that is meant to look back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.previous_token.head import PreviousTokenHead
from clockhead.model.previous_token.look_back import LookBackHead, line_of, lost_exponent
from clockhead.model.previous_token.token_dependent_key import TokenDependentKeyHead

heads = st.builds(
    PreviousTokenHead,
    n_tokens=st.integers(2, 12),
    d_head=st.integers(1, 12).map(lambda pairs: 2 * pairs),
    alpha=st.floats(0.01, 100),
    look_back=st.integers(0, 1),
    causal=st.booleans(),
)
TORN = TokenDependentKeyHead(PreviousTokenHead(6), (0, 5, 10, 15, 0, 20))


@given(heads)
def test_what_is_lost_agrees_between_gaps_and_pattern(head):
    from_pattern = LookBackHead.lost.func(head)
    assert_allclose(head.lost, from_pattern, rtol=1e-8, atol=1e-300)
    assert_allclose(head.lost + head.masses, 1, atol=1e-12)


def test_a_sharp_head_loses_little_but_not_nothing():
    head = PreviousTokenHead(32, alpha=100)
    assert head.worst_mass == 1
    assert head.worst_lost == pytest.approx(3.11e-30, rel=1e-2)
    assert head.worst_lost_row == 2  # the first row with a neighbour on either side
    assert head.mean_lost == pytest.approx(head.lost.mean())
    assert head.lost[0] == pytest.approx(head.worst_lost / 2, rel=1e-3)  # one neighbour only


@given(heads)
def test_the_runner_up_is_the_best_of_the_other_keys(head):
    for place, m in enumerate(head.target_rows):
        seen = [
            n for n in range(m + 1 if head.causal else head.n_tokens) if n != m - head.look_back
        ]
        if not seen:
            assert head.runner_up_positions[place] == -1
            assert head.runner_up_masses[place] == 0
            assert head.leads[place] == np.inf
            continue
        best = max(seen, key=lambda n: head.scores[m, n])
        assert head.runner_up_positions[place] == best
        assert head.runner_up_masses[place] == head.pattern[m, best]
    assert_array_equal(head.has_majority, head.masses > 0.5)
    assert head.worst_runner_up_mass == head.runner_up_masses.max()
    assert head.n_without_majority == (~head.has_majority).sum()


def test_the_target_of_the_default_head_has_a_majority_and_leads():
    head = PreviousTokenHead(12)
    assert head.always_majority
    assert head.always_strict
    assert head.worst_lead == pytest.approx(10 * head.gap)
    assert head.n_targets == 11
    assert head.n_without_majority == head.n_missed == 0
    assert head.worst_row_runner_up in (head.worst_row, head.worst_row - 2)
    assert head.worst_row_runner_up_mass == pytest.approx(head.worst_lost / 2, rel=0.01)


def test_a_dull_head_leads_without_a_majority():
    head = PreviousTokenHead(12, alpha=1)
    assert not head.always_majority
    assert head.always_strict
    assert head.n_without_majority == (head.masses < 0.5).sum() > 0


def test_an_exact_alias_is_no_strict_maximum():
    head = PreviousTokenHead(12, alpha=1e4, schedule=(np.pi / 4,) * 16)
    assert not head.always_strict
    assert_array_equal(head.is_strict_maximum, [True] * 8 + [False] * 3)
    assert not head.always_majority
    assert head.worst_lost == pytest.approx(0.5)


def test_rows_that_miss_have_neither():
    assert_array_equal(TORN.is_strict_maximum, ~np.isin(TORN.target_rows, TORN.missed_rows))
    assert TORN.n_missed == len(TORN.missed_rows) > 0
    assert not TORN.always_strict
    assert TORN.worst_lead == TORN.leads.min() < 0
    assert TORN.lost == pytest.approx(1 - TORN.masses, abs=1e-12)
    assert TORN.largest_loss == TORN.losses.max()


def test_without_a_target_there_is_no_worst_row():
    head = PreviousTokenHead(2, look_back=2)
    assert head.lost.shape == head.leads.shape == (0,)
    for name in ("worst_lost", "worst_lost_row", "mean_lost", "worst_lead", "worst_runner_up_mass"):
        with pytest.raises(ValueError, match="n_tokens must be above look_back"):
            getattr(head, name)


@pytest.mark.parametrize(
    ("mass", "has_majority", "line"),
    [
        (1.0, True, "sharp"),
        (0.9, True, "sharp"),
        (0.8999, True, "blurred"),
        (0.51, True, "blurred"),
        (0.5, False, "none"),
    ],
)
def test_what_a_mass_shows(mass, has_majority, line):
    assert line_of(mass, has_majority) == line


@pytest.mark.parametrize(
    ("lost", "exponent"),
    [(1.0, 0), (0.2, 0), (0.1, 1), (1e-5, 5), (3e-5, 4), (9e-6, 5), (1e-300, 300)],
)
def test_what_is_lost_as_one_part_in_a_power_of_ten(lost, exponent):
    assert lost_exponent(lost) == exponent
    assert lost <= 10.0**-exponent * (1 + 1e-12)


@pytest.mark.parametrize("lost", [0.0, -1.0, 1.5, np.nan])
def test_nothing_lost_has_no_exponent(lost):
    with pytest.raises(ValueError, match="lost must be above 0 and at most 1"):
        lost_exponent(lost)


def test_a_head_shows_a_line_or_none():
    lines = [PreviousTokenHead(8, alpha=alpha).line for alpha in (1.0, 3.0, 10.0)]
    assert lines == ["none", "blurred", "sharp"]
    sharp = PreviousTokenHead(8, alpha=100.0)
    assert sharp.worst_mass == 1
    assert sharp.worst_lost_exponent == 29
    assert not sharp.loses_nothing
    hard = PreviousTokenHead(8, alpha=1e4)
    assert hard.loses_nothing
    with pytest.raises(ValueError, match="lost must be above 0"):
        _ = hard.worst_lost_exponent
    with pytest.raises(ValueError, match="n_tokens must be above look_back"):
        _ = PreviousTokenHead(1).line
