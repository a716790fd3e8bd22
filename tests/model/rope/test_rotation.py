import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.rope.rotation import (
    composed_rotation,
    equal_frequencies,
    kernel,
    kernel_gap,
    rope_frequencies,
    rope_phases,
    rotate,
    rotation_matrix,
)
from tests.model import second_opinion

widths = st.integers(1, 40).map(lambda pairs: 2 * pairs)
places = st.integers(0, 1023)
seeds = st.integers(0, 2**32 - 1)


def random_vector(seed, d_head):
    return np.random.default_rng(seed).normal(size=d_head)


# The schedule


def test_the_schedule_of_a_narrow_head_by_hand():
    assert_allclose(rope_frequencies(8), [1, 1e-1, 1e-2, 1e-3], rtol=1e-14)


def test_the_schedule_counts_from_zero_though_the_front_box_counts_from_one():
    from_zero, from_one = rope_frequencies(32), second_opinion.hands(32, first=1)
    assert from_zero[0] == 1
    assert_allclose(from_zero, second_opinion.hands(32), rtol=1e-14)
    assert_allclose(from_zero[1:], from_one[:-1], rtol=1e-14)


@given(widths, st.floats(1, 1e9))
def test_speeds_fall_from_one_and_stay_above_one_over_base(d_head, base):
    frequencies = rope_frequencies(d_head, base)
    assert frequencies.shape == (d_head // 2,)
    assert frequencies[0] == 1
    assert (np.diff(frequencies) <= 0).all()
    assert frequencies[-1] >= 1 / base


def test_base_one_makes_all_hands_equally_fast():
    assert_array_equal(rope_frequencies(32, 1), equal_frequencies(32))


@pytest.mark.parametrize("d_head", [7, 0, -2, 1, 8.0, "8", None, True, math.nan])
def test_a_width_must_be_even(d_head):
    with pytest.raises(ValueError, match="d_head must be"):
        rope_frequencies(d_head)


@pytest.mark.parametrize("base", [0, 0.5, -1, math.nan, math.inf, "10", None])
def test_a_base_must_be_at_least_one(base):
    with pytest.raises(ValueError, match="base must be a finite number at least 1, got"):
        rope_frequencies(8, base)


@pytest.mark.parametrize("frequency", [0, -1, 6.3, math.nan])
def test_an_equal_frequency_must_lie_inside_one_turn(frequency):
    with pytest.raises(ValueError, match="frequency must be a finite number above 0 and at most"):
        equal_frequencies(8, frequency)


@pytest.mark.parametrize("frequencies", [[], [0.0], [1.0, -1.0], [7.0], [math.nan], 1.0, [[1.0]]])
def test_hands_must_turn(frequencies):
    with pytest.raises(ValueError, match="frequencies must"):
        rope_phases(3, frequencies)


@pytest.mark.parametrize("position", [1e16, -1e16, math.nan, math.inf])
def test_a_position_must_be_one_that_floats_can_tell_from_the_next(position):
    with pytest.raises(ValueError, match="positions must"):
        rope_phases(position, [1.0])


# Hands and kernel


@pytest.mark.parametrize(
    ("offset", "height"), [(0, 16), (1, 15.3136), (2, 13.7301), (3, 12.2724), (4, 11.6615)]
)
def test_the_kernel_of_sixteen_hands(offset, height):
    assert kernel(offset, rope_frequencies(32)) == pytest.approx(height, abs=5e-5)


@pytest.mark.parametrize(
    ("d_head", "gap"), [(8, 0.46474), (16, 0.51483), (32, 0.68635), (64, 1.08317), (128, 1.90632)]
)
def test_the_lead_over_the_neighbour(d_head, gap):
    assert kernel_gap(1, rope_frequencies(d_head)) == pytest.approx(gap, abs=5e-6)


@given(st.integers(-(10**5), 10**5), widths)
def test_the_kernel_is_even_and_the_gap_is_what_it_lacks(offset, d_head):
    frequencies = rope_frequencies(d_head)
    assert kernel(offset, frequencies) == pytest.approx(kernel(-offset, frequencies), abs=1e-12)
    by_subtraction = d_head / 2 - kernel(offset, frequencies)
    assert kernel_gap(offset, frequencies) == pytest.approx(by_subtraction, abs=1e-10)


@given(st.integers(1, 10**6), widths)
def test_no_other_offset_reaches_the_maximum(offset, d_head):
    assert kernel_gap(offset, rope_frequencies(d_head)) > 0


@pytest.mark.parametrize(("offset", "float_type"), [(312689, np.float32), (411557987, np.float64)])
def test_the_gap_survives_where_a_cosine_rounds_to_one(offset, float_type):
    assert np.cos(float_type(offset)) == 1
    assert kernel_gap(offset, [1.0]) > 0


@pytest.mark.parametrize("offset", [312689, 80143857])
def test_float64_keeps_closer_aliases_apart_than_is_said_of_it(offset):
    assert np.cos(float(offset)) < 1


# Rotation


@given(seeds, widths, places)
def test_rotation_agrees_with_complex_numbers(seed, d_head, position):
    vector, frequencies = random_vector(seed, d_head), rope_frequencies(d_head)
    expected = second_opinion.rotate(vector.tolist(), position, frequencies.tolist())
    assert_allclose(rotate(vector, position, frequencies), expected, atol=1e-12)


@given(seeds, widths, places)
def test_rotation_agrees_with_its_matrix(seed, d_head, position):
    vector, frequencies = random_vector(seed, d_head), rope_frequencies(d_head)
    expected = rotation_matrix(position, frequencies) @ vector
    assert_allclose(rotate(vector, position, frequencies), expected, atol=1e-13)


@given(seeds, widths, places)
def test_rotation_keeps_the_norm(seed, d_head, position):
    vector = random_vector(seed, d_head)
    turned = rotate(vector, position, rope_frequencies(d_head))
    assert np.linalg.norm(turned) == pytest.approx(np.linalg.norm(vector), rel=1e-14)


def test_a_quarter_turn_by_hand():
    turned = rotate([1, 0, 0, 2], 1, [math.pi / 2, math.pi / 2])
    assert_allclose(turned, [0, 1, -2, 0], atol=1e-15)


def test_the_matrix_of_two_hands_by_hand():
    c, s, c2, s2 = math.cos(3), math.sin(3), math.cos(0.3), math.sin(0.3)
    expected = [[c, -s, 0, 0], [s, c, 0, 0], [0, 0, c2, -s2], [0, 0, s2, c2]]
    assert_allclose(rotation_matrix(3, [1, 0.1]), expected, atol=1e-15)


@given(places, places, widths)
def test_turning_back_by_m_and_on_by_n_is_turning_by_the_offset(m, n, d_head):
    frequencies = rope_frequencies(d_head)
    assert (
        np.abs(composed_rotation(m, n, frequencies) - rotation_matrix(n - m, frequencies)).max()
        < 1e-12
    )


@given(places, places, seeds)
def test_rotations_add_up(a, b, seed):
    vector, frequencies = random_vector(seed, 32), rope_frequencies(32)
    twice = rotate(rotate(vector, a, frequencies), b, frequencies)
    assert_allclose(twice, rotate(vector, a + b, frequencies), atol=1e-12)


@pytest.mark.parametrize(("m", "error"), [(1e3, 2e-13), (1e5, 1e-11), (1e7, 2.5e-9)])
def test_far_positions_lose_only_what_floats_lose(m, error):
    frequencies = rope_frequencies(32)
    assert (
        np.abs(composed_rotation(m, m + 1, frequencies) - rotation_matrix(1, frequencies)).max()
        < error
    )


def test_one_vector_turns_at_many_positions_at_once():
    vector, frequencies = random_vector(1, 8), rope_frequencies(8)
    turned = rotate(vector, np.arange(5), frequencies)
    assert turned.shape == (5, 8)
    assert_array_equal(turned[3], rotate(vector, 3, frequencies))


def test_many_vectors_turn_each_at_its_own_position():
    vectors, frequencies = np.random.default_rng(2).normal(size=(5, 8)), rope_frequencies(8)
    turned = rotate(vectors, np.arange(5), frequencies)
    assert_array_equal(turned[4], rotate(vectors[4], 4, frequencies))


def test_matrices_stack_over_positions():
    frequencies = rope_frequencies(8)
    stack = rotation_matrix([[0, 1], [2, 3]], frequencies)
    assert stack.shape == (2, 2, 8, 8)
    assert_array_equal(stack[1, 1], rotation_matrix(3, frequencies))
    assert_array_equal(stack[0, 0], np.eye(8))


@pytest.mark.parametrize("vectors", [1.0, [1.0, 2.0], [[1.0] * 8] * 3 + [[math.nan] * 8], "abc"])
def test_a_vector_must_fit_the_hands(vectors):
    with pytest.raises(ValueError, match="vectors must"):
        rotate(vectors, 0, rope_frequencies(8))


@pytest.mark.parametrize(
    ("d_head", "up_to", "offset", "gap"),
    [(2, 18, 6, 0.0398), (2, 46, 44, 1.57e-4), (2, 1000, 710, 1.8e-9), (8, 255, 63, 0.2082)],
)
def test_the_offset_that_comes_closest_to_the_target(d_head, up_to, offset, gap):
    gaps = kernel_gap(np.arange(1, up_to + 1), rope_frequencies(d_head))
    assert gaps.argmin() + 1 == offset
    assert gaps.min() == pytest.approx(gap, rel=0.02)
