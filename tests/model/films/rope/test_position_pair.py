import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from clockhead.model.films.rope.position_pair import PositionPair, RotatedDotProduct
from clockhead.model.rope.rotation import kernel, rope_frequencies, rotation_matrix

RATES = tuple(rope_frequencies(32).tolist())
places = st.integers(0, 2000)


def test_two_pairs_of_one_offset_differ_by_the_same_angles():
    near, far = PositionPair(5, 3, RATES), PositionPair(100, 98, RATES)
    assert near.offset == far.offset == -2
    assert_allclose(near.difference_angles, far.difference_angles, atol=1e-13)
    assert near.score() == pytest.approx(13.7301, abs=5e-5)
    assert far.score() == pytest.approx(near.score(), abs=1e-12)


@given(places, places)
def test_the_score_is_the_kernel_of_the_offset(m, n):
    assert PositionPair(m, n, RATES).score() == pytest.approx(float(kernel(n - m, RATES)), abs=1e-9)


@given(places, places)
def test_the_differences_are_the_turn_by_the_offset(m, n):
    pair = PositionPair(m, n, RATES)
    assert (np.abs(pair.difference_angles) <= np.pi).all()
    assert_allclose(np.cos(pair.difference_angles), np.cos((n - m) * np.array(RATES)), atol=1e-10)
    assert_allclose(np.sin(pair.difference_angles), np.sin((n - m) * np.array(RATES)), atol=1e-10)


def test_the_score_depends_on_the_sign_of_the_offset_and_on_content():
    rng = np.random.default_rng(5)
    query, key = rng.normal(size=(2, 32))
    before = PositionPair(5, 3, RATES).score(query, key)
    after = PositionPair(3, 5, RATES).score(query, key)
    assert before == pytest.approx(query @ rotation_matrix(-2, RATES) @ key, abs=1e-12)
    assert abs(before - after) > 0.1
    against_noon = PositionPair(5, 3, RATES).score(query)
    assert against_noon == pytest.approx(query @ rotation_matrix(-2, RATES) @ ([1, 0] * 16))
    assert abs(before - PositionPair(5, 3, RATES).score()) > 0.1


@pytest.mark.parametrize(
    ("m", "n", "frequencies", "name"),
    [
        (-1, 0, RATES, "m"),
        (0, 1.5, RATES, "n"),
        (0, 1, (), "frequencies"),
        (0, 1, (0.0,), "frequencies"),
    ],
)
def test_a_pair_needs_positions_and_hands(m, n, frequencies, name):
    with pytest.raises(ValueError, match=f"^{name} must"):
        PositionPair(m, n, frequencies)


@given(places, places)
def test_back_by_m_and_on_by_n_is_one_turn(m, n):
    pair = PositionPair(m, n, RATES)
    assert_allclose(pair.product, pair.single_rotation, atol=1e-12)
    assert pair.largest_difference == np.abs(pair.product - rotation_matrix(n - m, RATES)).max()


def test_the_product_is_not_the_turn_by_another_offset():
    pair = PositionPair(5, 3, RATES)
    assert np.abs(pair.product - rotation_matrix(2, RATES)).max() > 1


@given(places, places, st.integers(0, 2**32 - 1))
def test_three_ways_to_a_score_agree(m, n, seed):
    query, key = np.random.default_rng(seed).normal(size=(2, 32))
    found = RotatedDotProduct(PositionPair(m, n, RATES), tuple(query), tuple(key))
    expected = query @ rotation_matrix(n - m, RATES) @ key
    assert found.rotated_both == pytest.approx(expected, abs=1e-10)
    assert found.rotated_between == pytest.approx(expected, abs=1e-10)
    assert found.rotated_once == pytest.approx(expected, abs=1e-10)
    assert found.largest_disagreement < 1e-10
    assert found.unrotated == pytest.approx(query @ key)
    ways = (found.rotated_both, found.rotated_between, found.rotated_once)
    assert found.largest_disagreement == max(abs(a - b) for a in ways for b in ways)


def test_the_constant_vector_scores_the_kernel():
    pair = PositionPair(5, 3, RATES)
    assert pair.of_constant.rotated_once == pytest.approx(13.7301, abs=5e-5)
    assert pair.of_constant.rotated_both == pair.score()
    assert pair.of_constant.unrotated == 16


def test_a_dot_product_needs_vectors_that_fit():
    with pytest.raises(ValueError, match="key must have 32 coordinates, got 2"):
        RotatedDotProduct(PositionPair(5, 3, RATES), (1.0,) * 32, (1.0, 0.0))


def test_phases_are_those_of_the_matrices():
    pair = PositionPair(5, 3, (1.0, 0.1))
    assert_allclose(pair.query_phases, [5, 0.5])
    assert_allclose(pair.key_phases, [3, 0.3])
    assert_allclose(pair.transposed_phases, [-5, -0.5])
    assert_allclose(pair.offset_phases, [-2, -0.2])
    assert not np.signbit(PositionPair(0, 3, (1.0, 0.1)).transposed_phases).any()


@given(places, places)
def test_a_pair_without_common_steps_keeps_its_offset(m, n):
    short = PositionPair(m, n, RATES).without_common_steps
    assert short.offset == n - m
    assert min(short.m, short.n) == 0


def test_the_angles_of_pairs_lead_from_the_query_to_the_key():
    noon, half_past_one = (1.0, 0.0), (0.5, 0.5)
    pair = PositionPair(0, 0, (1.0, 0.1))
    found = RotatedDotProduct(pair, (*noon, *half_past_one), (*half_past_one, 0.0, 0.0))
    assert_allclose(found.pair_angles, [np.pi / 4, 0.0])
    assert_allclose(found.at(2, 5).pair_angles, [np.pi / 4 + 3 - 2 * np.pi, 0.0], atol=1e-12)
