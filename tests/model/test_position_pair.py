import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from model.position_pair import PositionPair
from model.rope import frequencies, kernel, rotation_matrix

HANDS = tuple(frequencies(32).tolist())
places = st.integers(0, 2000)


def test_two_pairs_of_one_offset_differ_by_the_same_angles():
    near, far = PositionPair(5, 3, HANDS), PositionPair(100, 98, HANDS)
    assert near.offset == far.offset == -2
    assert_allclose(near.difference_angles, far.difference_angles, atol=1e-13)
    assert near.score() == pytest.approx(13.7301, abs=5e-5)
    assert far.score() == pytest.approx(near.score(), abs=1e-12)


@given(places, places)
def test_the_score_is_the_kernel_of_the_offset(m, n):
    assert PositionPair(m, n, HANDS).score() == pytest.approx(float(kernel(n - m, HANDS)), abs=1e-9)


@given(places, places)
def test_the_differences_are_the_turn_by_the_offset(m, n):
    pair = PositionPair(m, n, HANDS)
    assert (np.abs(pair.difference_angles) <= np.pi).all()
    assert_allclose(np.cos(pair.difference_angles), np.cos((n - m) * np.array(HANDS)), atol=1e-10)
    assert_allclose(np.sin(pair.difference_angles), np.sin((n - m) * np.array(HANDS)), atol=1e-10)


def test_the_score_depends_on_the_sign_of_the_offset_and_on_content():
    rng = np.random.default_rng(5)
    query, key = rng.normal(size=(2, 32))
    before = PositionPair(5, 3, HANDS).score(query, key)
    after = PositionPair(3, 5, HANDS).score(query, key)
    assert before == pytest.approx(query @ rotation_matrix(-2, HANDS) @ key, abs=1e-12)
    assert abs(before - after) > 0.1
    against_noon = PositionPair(5, 3, HANDS).score(query)
    assert against_noon == pytest.approx(query @ rotation_matrix(-2, HANDS) @ ([1, 0] * 16))
    assert abs(before - PositionPair(5, 3, HANDS).score()) > 0.1


@pytest.mark.parametrize(
    ("m", "n", "thetas", "name"),
    [(-1, 0, HANDS, "m"), (0, 1.5, HANDS, "n"), (0, 1, (), "theta"), (0, 1, (0.0,), "theta")],
)
def test_a_pair_needs_positions_and_hands(m, n, thetas, name):
    with pytest.raises(ValueError, match=f"^{name} must"):
        PositionPair(m, n, thetas)


@given(places, places)
def test_back_by_m_and_on_by_n_is_one_turn(m, n):
    pair = PositionPair(m, n, HANDS)
    assert_allclose(pair.product, pair.single_turn, atol=1e-12)
    assert pair.largest_difference == np.abs(pair.product - rotation_matrix(n - m, HANDS)).max()


def test_the_product_is_not_the_turn_by_another_offset():
    pair = PositionPair(5, 3, HANDS)
    assert np.abs(pair.product - rotation_matrix(2, HANDS)).max() > 1
