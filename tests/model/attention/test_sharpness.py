import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from clockhead.model.attention.sharpness import (
    ALPHA_LIMIT,
    alpha_estimate,
    alpha_needed,
    lost_masses,
    target_masses,
)
from clockhead.model.previous_token.head import PreviousTokenHead
from clockhead.model.rope.rotation import equal_frequencies, rope_frequencies
from tests.model import second_opinion

# d_head: alpha for 99 % in every row at T = 8, 16, 32, 64, 256, 1024, causal and unmasked
ALPHA_99 = {
    8: (
        [21.29, 21.31, 21.31, 21.37, 24.98, 25.99],
        [21.29, 24.47, 24.47, 24.96, 28.23, 28.72],
    ),
    16: ([10.27] * 6, [10.27] * 6),
    32: ([7.705] * 6, [7.705] * 6),
    64: ([4.88] * 6, [4.88] * 6),
    128: ([2.774] * 6, [2.774] * 6),
}
LENGTHS = [8, 16, 32, 64, 256, 1024]


@pytest.mark.parametrize("d_head", ALPHA_99)
@pytest.mark.parametrize("causal", [True, False])
def test_the_table_of_alphas(d_head, causal):
    frequencies = rope_frequencies(d_head)
    found = [alpha_needed(frequencies, n_tokens, causal=causal) for n_tokens in LENGTHS]
    assert_allclose(found, ALPHA_99[d_head][0 if causal else 1], rtol=7e-4)


@pytest.mark.parametrize(
    ("d_head", "from_zero", "from_one"),
    [(8, 21.31, 1048.35), (32, 7.705, 23.33), (128, 2.775, 3.656)],
)
def test_counting_the_schedule_from_one_costs_sharpness(d_head, from_zero, from_one):
    assert alpha_needed(rope_frequencies(d_head), 32) == pytest.approx(from_zero, rel=5e-4)
    late = second_opinion.hands(d_head, first=1)
    assert alpha_needed(late, 32) == pytest.approx(from_one, rel=5e-4)


@pytest.mark.parametrize(
    ("base", "alpha"), [(2, 1.24), (10, 2.80), (100, 4.88), (1e4, 7.705), (5e5, 9.14)]
)
def test_a_larger_base_makes_the_neighbour_harder_to_tell(base, alpha):
    assert alpha_needed(rope_frequencies(32, base), 64) == pytest.approx(alpha, abs=6e-3)


@pytest.mark.parametrize(
    ("n_tokens", "alpha"), [(8, 7.21), (32, 34.26), (44, 34.26), (1024, 1.58e8)]
)
def test_equal_hands_need_ever_more(n_tokens, alpha):
    assert alpha_needed(equal_frequencies(32), n_tokens) == pytest.approx(alpha, rel=5e-4)


@pytest.mark.parametrize("n_tokens", [46, 256])
def test_equal_hands_past_the_alias_by_hand(n_tokens):
    by_hand = math.log(99) / (16 * (1 - math.cos(44)))  # one rival: 1 / (1 + e^-x) = .99
    assert by_hand == pytest.approx(1832.87, abs=5e-3)
    assert alpha_needed(equal_frequencies(32), n_tokens) == pytest.approx(by_hand, rel=1e-6)


@pytest.mark.parametrize(("look_back", "alpha"), [(0, 6.70), (1, 7.705), (2, 7.705), (20, 7.705)])
def test_any_look_back_costs_the_same_but_none(look_back, alpha):
    assert alpha_needed(rope_frequencies(32), 32, look_back) == pytest.approx(alpha, abs=5e-3)


@settings(max_examples=40)
@given(
    st.integers(1, 8).map(lambda pairs: 2 * pairs),
    st.integers(2, 40),
    st.integers(0, 3),
    st.booleans(),
    st.floats(0.3, 0.9999),
)
def test_the_needed_alpha_is_the_smallest(d_head, n_tokens, look_back, causal, mass):
    frequencies = rope_frequencies(d_head)
    if look_back >= n_tokens:
        return
    alpha = alpha_needed(frequencies, n_tokens, look_back, causal, mass)

    def worst(scale):
        return target_masses(frequencies, [scale], n_tokens, look_back, causal).min()

    assert worst(alpha) >= mass
    if alpha > 0:
        assert worst(math.nextafter(alpha, 0)) < mass


@given(st.integers(1, 16).map(lambda pairs: 2 * pairs), st.integers(2, 60), st.booleans())
def test_every_mass_grows_with_alpha(d_head, n_tokens, causal):
    masses = target_masses(rope_frequencies(d_head), [0, 0.5, 1, 5, 20], n_tokens, causal=causal)
    assert (np.diff(masses, axis=0) >= 0).all()


def test_at_alpha_zero_a_row_is_shared_equally():
    masses = target_masses(rope_frequencies(8), [0], 5)
    assert_allclose(masses, [[1 / 2, 1 / 3, 1 / 4, 1 / 5]])
    assert_allclose(
        target_masses(rope_frequencies(8), [0], 5, causal=False), np.full((1, 4), 1 / 5)
    )


def test_masses_close_to_one_stay_apart_from_it():
    lost = 1 - target_masses(rope_frequencies(32), [30], 32)[0, -1]
    assert lost == pytest.approx(2 * math.exp(-30 * 0.6863508), rel=1e-4)


def test_what_is_lost_stays_apart_from_nothing_where_the_mass_rounds_to_one():
    lost = lost_masses(rope_frequencies(32), [10, 100, 500], 32)[:, -1]
    by_hand = [2 * math.exp(-alpha * 0.68635085) for alpha in (100, 500)]
    assert lost[0] == pytest.approx(0.00209, abs=5e-6)
    assert_allclose(lost[1:], by_hand, rtol=1e-4)
    assert target_masses(rope_frequencies(32), [100], 32)[0, -1] == 1


@given(st.integers(1, 16).map(lambda pairs: 2 * pairs), st.integers(2, 40), st.booleans())
def test_mass_and_loss_sum_to_one(d_head, n_tokens, causal):
    frequencies, alphas = rope_frequencies(d_head), [0, 0.5, 5, 100]
    kept = target_masses(frequencies, alphas, n_tokens, causal=causal)
    assert_allclose(kept + lost_masses(frequencies, alphas, n_tokens, causal=causal), 1)


@pytest.mark.parametrize(
    ("d_head", "estimate"), [(8, 11.38), (16, 10.27), (32, 7.70), (64, 4.88), (128, 2.77)]
)
def test_the_estimate_from_the_neighbours(d_head, estimate):
    assert alpha_estimate(rope_frequencies(d_head)) == pytest.approx(estimate, abs=5.1e-3)


def test_the_estimate_is_too_small_for_a_narrow_head_only():
    heads = [rope_frequencies(d_head) for d_head in (8, 16, 32, 64, 128)]
    short = [alpha_needed(head, 32) / alpha_estimate(head) for head in heads]
    assert_allclose(short, [1.8723, 1, 1, 1, 1], atol=1e-4)


def test_scaling_scores_by_the_root_of_the_width_scales_alpha():
    assert alpha_needed(rope_frequencies(32), 32) * math.sqrt(32) == pytest.approx(43.6, abs=0.05)


def test_the_worst_mass_never_recovers_as_the_context_grows():
    worst = target_masses(equal_frequencies(32), [10], 60)[0]
    assert worst.shape == (59,)
    assert (np.diff(worst) <= 0).all()
    assert worst[32 - 2] == pytest.approx(0.709, abs=5e-4)
    assert worst[46 - 2] == pytest.approx(0.419, abs=5e-4)
    for n_tokens in (2, 20, 45, 60):
        head = PreviousTokenHead(n_tokens, base=1)
        assert worst[n_tokens - 2] == pytest.approx(head.worst_mass, abs=1e-12)


def test_with_the_schedule_context_costs_almost_nothing():
    worst = target_masses(rope_frequencies(32), [10], 1024)[0]
    assert worst[1:].max() - worst.min() < 1e-4


def test_an_exact_alias_can_never_reach_it():
    assert alpha_needed(equal_frequencies(32, math.tau / 8), 32) == math.inf


def test_hands_that_barely_move_have_no_estimate():
    assert alpha_estimate([1e-200]) == math.inf


def test_a_lone_token_needs_no_alpha():
    assert alpha_needed(rope_frequencies(8), 1, look_back=0) == 0


@pytest.mark.parametrize("mass", [0, 1, 1.5, -0.1, math.nan])
def test_a_mass_must_lie_between_none_and_all(mass):
    for function in (
        alpha_estimate,
        lambda rates, mass: alpha_needed(rates, 8, mass=mass),
    ):
        with pytest.raises(ValueError, match="mass must be a finite number above 0 and below 1"):
            function(rope_frequencies(8), mass=mass)


@pytest.mark.parametrize("alphas", [[-1], [math.nan], [2 * ALPHA_LIMIT], 3.0, "ab"])
def test_alphas_must_be_a_row_of_scales(alphas):
    with pytest.raises(ValueError, match="alphas must"):
        target_masses(rope_frequencies(8), alphas, 4)


def test_some_row_must_have_a_target():
    with pytest.raises(ValueError, match="n_tokens must be above look_back"):
        target_masses(rope_frequencies(8), [1], 2, look_back=2)
