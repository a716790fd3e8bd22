"""Two tokens in either order, in lanes of their own and in one."""

import math

import numpy as np
import pytest

from model.rope import frequencies
from model.two_orders import TwoOrders


def test_lanes_of_their_own_keep_the_order():
    orders = TwoOrders(alpha=100.0)
    cur, prev = orders.own_lanes
    assert np.array_equal(cur, [[0, 1], [1, 0]])
    assert prev == pytest.approx(np.array([[1, 0], [0, 1]]))
    assert orders.apart == 1.0


def test_a_sharp_head_adds_both_orders_to_the_same_vector():
    orders = TwoOrders(alpha=100.0)
    assert orders.one_lane == pytest.approx(np.ones((2, 2)))
    assert orders.apart_in_one == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("alpha", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("d_head", [8, 32])
def test_what_leaks_is_all_that_tells_the_orders_apart(alpha: float, d_head: int):
    theta = frequencies(d_head)
    at_itself, before = alpha * np.cos(theta).sum(), alpha * len(theta)
    leak = 1 / (1 + math.exp(before - at_itself))
    orders = TwoOrders(d_head, alpha)
    assert orders.apart_in_one == pytest.approx(2 * leak)
    assert orders.one_lane == pytest.approx(np.array([[1 - leak, 1 + leak], [1 + leak, 1 - leak]]))
    assert orders.own_lanes.sum(axis=0) == pytest.approx(orders.one_lane)
