"""One head at many alphas."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.previous_token.sharpness import alpha_sweep
from clockhead.model.films.previous_token.sub_diagonal import scaled_row
from clockhead.model.previous_token.head import previous_token_head
from clockhead.model.previous_token.score_row import score_row

TEXT = tuple("abcdefghijkl")


def sweep_of(n_tokens=8, **options):
    return alpha_sweep(TEXT[:n_tokens], previous_token_head(n_tokens, **options))


def test_a_sweep_holds_its_alpha_and_the_one_it_needs():
    sweep = sweep_of()
    assert sweep.alpha_99 == pytest.approx(7.70, abs=0.01)
    assert {10.0, sweep.alpha_99} <= set(sweep.alphas.tolist())
    assert sweep.alphas[sweep.nearest(10.0)] == 10.0
    assert sweep.nearest(0) == 0
    assert sweep.weight_99 == 0.99
    assert sweep.alphas[[0, -1]] == pytest.approx([0.1, 13])
    at_99 = sweep.worst_weights[sweep.nearest(sweep.alpha_99)]
    assert at_99 == pytest.approx(0.99, abs=1e-12)


@pytest.mark.parametrize(
    ("alpha", "ends"), [(0.1, (0.025, 10.01)), (1, (0.1, 10.01)), (100, (0.1, 130))]
)
def test_a_sweep_leaves_room_at_both_ends(alpha, ends):
    assert sweep_of(alpha=alpha).alphas[[0, -1]] == pytest.approx(ends, abs=0.01)


@pytest.mark.parametrize(
    ("alpha", "d_head", "decades"),
    [(10.0, 32, (0.1, 100.0)), (0.01, 256, (0.001, 10.0)), (1e4, 32, (0.1, 1e5))],
)
def test_the_decades_around_a_sweep_hold_it_and_1(alpha, d_head, decades):
    sweep = sweep_of(alpha=alpha, d_head=d_head)
    assert sweep.decades == pytest.approx(decades)
    assert decades[0] <= sweep.alphas[0] < sweep.alphas[-1] <= decades[1]


@settings(max_examples=40)
@given(
    st.integers(2, 12),
    st.sampled_from([2, 4, 32, 256]),
    st.sampled_from([1.0, 1e4, 1e7]),
    st.floats(0.01, 1e4),
)
def test_no_alpha_changes_who_wins(n_tokens, d_head, base, alpha):
    sweep = sweep_of(n_tokens, d_head=d_head, alpha=alpha, base=base)
    assert sweep.winners_constant
    assert sweep.n_changing == 0
    assert sweep.never_falls
    looks_at = sweep.patterns.argmax(axis=2)
    assert_array_equal(looks_at[:, 1:], np.tile(np.arange(n_tokens - 1), (len(looks_at), 1)))
    rows = np.arange(1, n_tokens)
    worst = sweep.patterns[:, rows, rows - 1].min(axis=1)
    assert_allclose(sweep.worst_weights, worst, atol=1e-12)


def test_an_exact_alias_is_refused():
    with pytest.raises(ValueError, match="alpha_99 must be a finite number"):
        sweep_of(frequencies=(np.pi / 2,) * 16)


@pytest.mark.parametrize("alpha", [0.01, 1.0, 10.0, 1e4])
def test_a_row_on_its_way_from_alpha_1(alpha):
    scaled = scaled_row(score_row(previous_token_head(8, alpha=alpha), 5, TEXT[:8]))
    assert scaled.at_one.head.alpha == 1
    assert_allclose(scaled.patterns[0], scaled.at_one.head.pattern)
    assert_allclose(scaled.patterns[-1], scaled.row.head.pattern)
    assert scaled.alphas[20] == pytest.approx(2 if alpha == 1 else alpha**0.5)
    assert_allclose(scaled.weights, np.minimum(scaled.patterns[:, 5, 4], 1), atol=1e-12)
    assert scaled.weights.max() < 1
    assert scaled.worst_weight < 1
    assert scaled.leads[[0, -1]] == pytest.approx([scaled.at_one.lead, scaled.row.lead])
