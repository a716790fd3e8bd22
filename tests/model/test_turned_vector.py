import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from model.rope import frequencies, periods
from model.turned_vector import TurnedVector

HANDS = tuple(frequencies(8).tolist())


def vector(seed: int) -> tuple[float, ...]:
    return tuple(np.random.default_rng(seed).normal(size=8).tolist())


def test_a_quarter_turn_by_hand():
    turned = TurnedVector((3.0, 4.0, 1.0, 0.0), 1, (np.pi / 2, np.pi))
    assert_allclose(turned.lengths, [5.0, 1.0])
    assert_allclose(turned.start_angles, [np.arctan2(4, 3), 0.0])
    assert_allclose(turned.turned, [-4.0, 3.0, -1.0, 0.0], atol=1e-15)
    assert_allclose(turned.matrix[:2, :2], [[0, -1], [1, 0]], atol=1e-15)
    assert turned.norm == pytest.approx(np.sqrt(26))


@given(st.integers(0, 2**32 - 1), st.integers(0, 500))
def test_the_matrix_turns_every_hand_by_its_own_angle(seed: int, m: int):
    turned = TurnedVector(vector(seed), m, HANDS)
    assert_allclose(turned.product, turned.turned, atol=1e-13)
    angles = turned.start_angles + turned.turns
    assert_allclose(turned.turned_pairs[:, 0], turned.lengths * np.cos(angles), atol=1e-12)
    assert_allclose(turned.turned_pairs[:, 1], turned.lengths * np.sin(angles), atol=1e-12)
    assert turned.turned_norm == pytest.approx(turned.norm, rel=1e-14)
    assert turned.off_blocks.shape == (48,)
    assert not turned.off_blocks.any()


def test_the_way_there_ends_where_the_hands_stand():
    turned = TurnedVector(vector(3), 7, HANDS)
    assert turned.pairs_along.shape == (8, 4, 2)
    assert_allclose(turned.pairs_along[0], turned.pairs)
    assert_allclose(turned.pairs_along[-1], turned.turned_pairs)
    assert_allclose(turned.turns_along[-1], turned.turns)


@pytest.mark.parametrize(
    ("values", "m", "named"),
    [((1.0,) * 6, 1, "8 coordinates"), ((1.0,) * 8, -1, "m must"), ((np.nan,) * 8, 1, "vector")],
)
def test_a_vector_must_fit_its_hands(values: tuple[float, ...], m: int, named: str):
    with pytest.raises(ValueError, match=named):
        TurnedVector(values, m, HANDS)


def test_a_full_turn_takes_its_period():
    assert_allclose(periods(HANDS) * HANDS, 2 * np.pi)
    assert periods((1.0,))[0] == pytest.approx(6.2832, abs=1e-4)
