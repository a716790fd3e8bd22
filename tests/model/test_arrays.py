import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clockhead.model.arrays import check_array, check_even, check_float, check_int, read_only


@pytest.mark.parametrize("value", [True, 3.0, "3", None, 2.5, math.nan, np.float64(4), [3]])
def test_a_count_must_be_a_whole_number(value):
    with pytest.raises(ValueError, match=r"n_tokens must be a whole number of at least 1, got "):
        check_int("n_tokens", value, at_least=1)


@given(st.integers(-(10**20), 10**20), st.integers(-100, 100))
def test_a_count_keeps_its_bound(value, at_least):
    if value >= at_least:
        assert check_int("count", value, at_least=at_least) == value
    else:
        with pytest.raises(ValueError, match=f"at least {at_least}, got {value}"):
            check_int("count", value, at_least=at_least)


def test_a_numpy_integer_is_a_count():
    assert check_int("count", np.int32(7), at_least=0) == 7


def test_an_odd_width_is_refused_with_the_reason():
    with pytest.raises(ValueError, match=r"d_head must be even, two coordinates .* got 7"):
        check_even("d_head", 7)


@pytest.mark.parametrize(
    "value", [0, -1.0, 11, math.nan, math.inf, -math.inf, "1", None, True, 1j, 10**400]
)
def test_a_number_outside_its_bounds_names_them(value):
    with pytest.raises(
        ValueError, match=r"alpha must be a finite number above 0 and at most 10, got"
    ):
        check_float("alpha", value, above=0, at_most=10)


@pytest.mark.parametrize("value", [10, 0.5, np.float32(0.5), np.int64(3)])
def test_a_number_inside_its_bounds_is_kept(value):
    assert check_float("alpha", value, above=0, at_most=10) == value


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1.0, math.nan], "x must be finite"),
        ([math.inf], "x must be finite"),
        ([[1.0, 2.0], [3.0]], "all rows equally long"),
        (["a"], "x must be an array of numbers"),
        (["1"], "x must be an array of numbers"),
        ([1j], "x must be an array of numbers"),
        ([True], "x must be an array of numbers, got bool values"),
        ([[1.0]], "x must have 1 axes, got shape"),
    ],
)
def test_an_array_must_be_finite_numbers(values, message):
    with pytest.raises(ValueError, match=message):
        check_array("x", values, n_axes=1)


def test_a_sealed_array_cannot_be_written():
    array = read_only(np.zeros(3))
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1
