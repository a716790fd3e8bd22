import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from clockhead.model.previous_token.head import previous_token_head
from clockhead.model.previous_token.sharpness import (
    ALPHA_LIMIT,
    alpha_needed,
    lost_weights,
    target_weights,
)
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


@pytest.mark.parametrize(("offset", "alpha"), [(0, 6.70), (1, 7.705), (2, 7.705), (20, 7.705)])
def test_any_offset_costs_the_same_but_none(offset, alpha):
    assert alpha_needed(rope_frequencies(32), 32, offset) == pytest.approx(alpha, abs=5e-3)


@settings(max_examples=40)
@given(
    st.integers(1, 8).map(lambda pairs: 2 * pairs),
    st.integers(2, 40),
    st.integers(0, 3),
    st.booleans(),
    st.floats(0.3, 0.9999),
)
def test_the_needed_alpha_is_the_smallest(d_head, n_tokens, offset, causal, weight):
    frequencies = rope_frequencies(d_head)
    if offset >= n_tokens:
        return
    alpha = alpha_needed(frequencies, n_tokens, offset, causal, weight)

    def worst(scale):
        return target_weights(frequencies, [scale], n_tokens, offset, causal).min()

    assert worst(alpha) >= weight
    if alpha > 0:
        assert worst(math.nextafter(alpha, 0)) < weight


@given(st.integers(1, 16).map(lambda pairs: 2 * pairs), st.integers(2, 60), st.booleans())
def test_every_weight_grows_with_alpha(d_head, n_tokens, causal):
    weights = target_weights(rope_frequencies(d_head), [0, 0.5, 1, 5, 20], n_tokens, causal=causal)
    assert (np.diff(weights, axis=0) >= 0).all()


def test_at_alpha_zero_a_row_is_shared_equally():
    weights = target_weights(rope_frequencies(8), [0], 5)
    assert_allclose(weights, [[1 / 2, 1 / 3, 1 / 4, 1 / 5]])
    assert_allclose(
        target_weights(rope_frequencies(8), [0], 5, causal=False), np.full((1, 4), 1 / 5)
    )


def test_weights_close_to_one_stay_apart_from_it():
    lost = 1 - target_weights(rope_frequencies(32), [30], 32)[0, -1]
    assert lost == pytest.approx(2 * math.exp(-30 * 0.6863508), rel=1e-4)


def test_what_is_lost_stays_apart_from_nothing_where_the_weight_rounds_to_one():
    lost = lost_weights(rope_frequencies(32), [10, 100, 500], 32)[:, -1]
    by_hand = [2 * math.exp(-alpha * 0.68635085) for alpha in (100, 500)]
    assert lost[0] == pytest.approx(0.00209, abs=5e-6)
    assert_allclose(lost[1:], by_hand, rtol=1e-4)
    assert target_weights(rope_frequencies(32), [100], 32)[0, -1] == 1


@given(st.integers(1, 16).map(lambda pairs: 2 * pairs), st.integers(2, 40), st.booleans())
def test_weight_and_loss_sum_to_one(d_head, n_tokens, causal):
    frequencies, alphas = rope_frequencies(d_head), [0, 0.5, 5, 100]
    kept = target_weights(frequencies, alphas, n_tokens, causal=causal)
    assert_allclose(kept + lost_weights(frequencies, alphas, n_tokens, causal=causal), 1)


def test_scaling_scores_by_the_root_of_the_width_scales_alpha():
    assert alpha_needed(rope_frequencies(32), 32) * math.sqrt(32) == pytest.approx(43.6, abs=0.05)


def test_the_worst_weight_never_recovers_as_the_context_grows():
    worst = target_weights(equal_frequencies(32), [10], 60)[0]
    assert worst.shape == (59,)
    assert (np.diff(worst) <= 0).all()
    assert worst[32 - 2] == pytest.approx(0.709, abs=5e-4)
    assert worst[46 - 2] == pytest.approx(0.419, abs=5e-4)
    for n_tokens in (2, 20, 45, 60):
        head = previous_token_head(n_tokens, base=1)
        assert worst[n_tokens - 2] == pytest.approx(head.worst_weight, abs=1e-12)


def test_with_the_schedule_context_costs_almost_nothing():
    worst = target_weights(rope_frequencies(32), [10], 1024)[0]
    assert worst[1:].max() - worst.min() < 1e-4


def test_an_exact_alias_can_never_reach_it():
    assert alpha_needed(equal_frequencies(32, math.tau / 8), 32) == math.inf


def test_a_lone_token_needs_no_alpha():
    assert alpha_needed(rope_frequencies(8), 1, offset=0) == 0


@pytest.mark.parametrize("weight", [0, 1, 1.5, -0.1, math.nan])
def test_a_weight_must_lie_between_none_and_all(weight):
    with pytest.raises(ValueError, match="weight must be a finite number above 0 and below 1"):
        alpha_needed(rope_frequencies(8), 8, weight=weight)


@pytest.mark.parametrize("alphas", [[-1], [math.nan], [2 * ALPHA_LIMIT], 3.0, "ab"])
def test_alphas_must_be_a_row_of_scales(alphas):
    with pytest.raises(ValueError, match="alphas must"):
        target_weights(rope_frequencies(8), alphas, 4)


def test_some_row_must_have_a_target():
    with pytest.raises(ValueError, match="n_tokens must be above offset"):
        target_weights(rope_frequencies(8), [1], 2, offset=2)
