import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from clockhead.model.films.rope.matrix import RotatedVector
from clockhead.model.rope.rotation import periods, rope_frequencies

FREQUENCIES = tuple(rope_frequencies(8).tolist())


def vector(seed: int) -> tuple[float, ...]:
    return tuple(np.random.default_rng(seed).normal(size=8).tolist())


def test_a_quarter_turn_by_hand():
    turned = RotatedVector((3.0, 4.0, 1.0, 0.0), 1, (np.pi / 2, np.pi))
    assert_allclose(turned.lengths, [5.0, 1.0])
    assert_allclose(turned.start_angles, [np.arctan2(4, 3), 0.0])
    assert_allclose(turned.origins, np.zeros((2, 2)), atol=0)
    assert_allclose(turned.rotated, [-4.0, 3.0, -1.0, 0.0], atol=1e-15)
    assert_allclose(turned.matrix[:2, :2], [[0, -1], [1, 0]], atol=1e-15)
    assert turned.norm == pytest.approx(np.sqrt(26))


@given(st.integers(0, 2**32 - 1), st.integers(0, 500))
def test_the_matrix_turns_every_hand_by_its_own_angle(seed: int, m: int):
    turned = RotatedVector(vector(seed), m, FREQUENCIES)
    assert_allclose(turned.product, turned.rotated, atol=1e-13)
    angles = turned.start_angles + turned.phases
    assert_allclose(turned.rotated_pairs[:, 0], turned.lengths * np.cos(angles), atol=1e-12)
    assert_allclose(turned.rotated_pairs[:, 1], turned.lengths * np.sin(angles), atol=1e-12)
    assert turned.rotated_norm == pytest.approx(turned.norm, rel=1e-14)
    assert turned.norm_change == abs(turned.rotated_norm - turned.norm) < 1e-13
    assert turned.largest_difference == np.abs(turned.product - turned.rotated).max() < 1e-13
    assert turned.off_blocks.shape == (48,)
    assert turned.blocks_away[0].tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert not turned.off_blocks.any()


@pytest.mark.parametrize(
    ("values", "m", "named"),
    [((1.0,) * 6, 1, "8 coordinates"), ((1.0,) * 8, -1, "m must"), ((np.nan,) * 8, 1, "vector")],
)
def test_a_vector_must_fit_its_hands(values: tuple[float, ...], m: int, named: str):
    with pytest.raises(ValueError, match=named):
        RotatedVector(values, m, FREQUENCIES)


def test_a_full_turn_takes_its_period():
    assert_allclose(periods(FREQUENCIES) * FREQUENCIES, 2 * np.pi)
    assert periods((1.0,))[0] == pytest.approx(6.2832, abs=1e-4)


@given(st.integers(0, 2**32 - 1), st.integers(0, 500), st.booleans())
def test_rotation_changes_numbers_and_no_length(seed: int, m: int, alike: bool):
    turned = RotatedVector(vector(seed), m, (1.0,) * 4 if alike else FREQUENCIES)
    assert turned.largest_length_change < 1e-12 * max(1, turned.norm)
    assert turned.largest_number_change == np.abs(turned.rotated - turned.vector).max()
    assert_allclose(turned.pairs_at(turned.m), turned.rotated_pairs)
    assert turned.pairs_at([0.5, 1.5]).shape == (2, *turned.pairs.shape)
    assert_allclose(turned.degrees, np.rad2deg(turned.phases))
    assert_allclose(np.einsum("hij,hj->hi", turned.blocks, turned.pairs), turned.rotated_pairs)
    width = len(turned.vector)
    assert turned.n_zeros == width * (width - 2)


@pytest.mark.parametrize(
    ("base", "m", "apart"),
    [(10_000, 5, True), (1, 5, False), (1.0001, 1, False), (10_000, 1, True), (10_000, 0, False)],
)
def test_angles_are_apart_where_they_are_written_otherwise(base: float, m: int, apart: bool):
    turned = RotatedVector(vector(0), m, tuple(rope_frequencies(8, base).tolist()))
    assert turned.rotates_apart == apart == (len({f"{d:.1f}" for d in turned.degrees}) == 4)


def test_a_single_pair_is_rotated_by_an_angle_of_its_own():
    turned = RotatedVector((1.0, 0.0), 3, (1.0,))
    assert (turned.n_pairs, turned.rotates_apart, turned.rotation_is_seen) == (1, True, True)
    assert not RotatedVector((1.0, 0.0), 0, (1.0,)).rotation_is_seen
