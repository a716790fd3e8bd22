"""The decimals at which rounded terms add up."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from clockhead.model.rounding import decimals_that_add_up

TERMS = [1.8573, 2.5201, 0.3555, -0.0405]
"""To two decimals they add up to 4.70, to three to 4.693; their sum is 4.6924."""


def test_a_third_decimal_is_taken_where_two_do_not_add_up():
    assert decimals_that_add_up(TERMS, sum(TERMS)) == 3
    assert decimals_that_add_up([0.25, 0.5], 0.75) == 2
    assert decimals_that_add_up([[0.25, 0.5, 0.0, 0.0], TERMS], [0.75, sum(TERMS)]) == 3


def test_no_more_than_most_are_taken():
    crumbs = [0.00004] * 200
    assert decimals_that_add_up(crumbs, sum(crumbs)) == 4
    assert decimals_that_add_up(TERMS, sum(TERMS), most=2) == 2


def test_without_terms_the_total_is_nothing():
    assert decimals_that_add_up([], 0.0) == 2


@given(st.lists(st.floats(-9, 9), min_size=1, max_size=8))
@example([1.0, 0.005])
def test_the_written_terms_add_up_or_there_are_as_many_as_may_be(terms):
    total = float(np.sum(terms))
    decimals = decimals_that_add_up(terms, total)
    added = round(sum(float(f"{term:.{decimals}f}") for term in terms), decimals)
    assert decimals == 4 or f"{added:.2f}".lstrip("-") == f"{total:.2f}".lstrip("-")


def test_every_sum_needs_its_total():
    with pytest.raises(ValueError, match="one for every sum"):
        decimals_that_add_up([[1.0], [2.0]], 3.0)
