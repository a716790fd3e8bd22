"""Two tokens in either order, in subspaces of their own and in one."""

import math

import numpy as np
import pytest

from clockhead.model.films.induction.lanes import two_orders
from clockhead.model.rope.rotation import rope_frequencies


def test_subspaces_of_their_own_keep_the_order():
    orders = two_orders(100.0, 10.0)
    cur, prev = orders.own_subspaces
    assert np.array_equal(cur, [[0, 1], [1, 0]])
    assert prev == pytest.approx(np.array([[1, 0], [0, 1]]))
    assert orders.apart == 1.0


def test_a_sharp_head_adds_both_orders_to_the_same_vector():
    orders = two_orders(100.0, 10.0)
    assert orders.one_subspace == pytest.approx(np.ones((2, 2)))
    assert orders.apart_in_one == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("alpha", [0.1, 1.0, 10.0])
def test_what_leaks_is_all_that_tells_the_orders_apart(alpha: float):
    frequencies = rope_frequencies(32)
    at_itself, before = alpha * np.cos(frequencies).sum(), alpha * len(frequencies)
    leak = 1 / (1 + math.exp(before - at_itself))
    orders = two_orders(alpha, 10.0)
    assert orders.apart_in_one == pytest.approx(2 * leak)
    assert orders.one_subspace == pytest.approx(
        np.array([[1 - leak, 1 + leak], [1 + leak, 1 - leak]])
    )
    assert orders.own_subspaces.sum(axis=0) == pytest.approx(orders.one_subspace)
