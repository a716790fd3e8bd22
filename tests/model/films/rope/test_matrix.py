"""A vector at a position, rotated pair by pair and by the matrix; and a word's query on its way."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from clockhead.model.films.rope.clock_hands import turned_word
from clockhead.model.films.rope.matrix import rotated_vector
from clockhead.model.films.rope.words import word_scores
from clockhead.model.rope.rotation import rope_frequencies

RATES = rope_frequencies(8)
TEXT = ("dog", "bites", "man")


def test_a_quarter_turn_by_hand():
    turned = rotated_vector((3.0, 4.0, 1.0, 0.0), 1, (np.pi / 2, np.pi))
    assert_allclose(turned.rotated, [-4.0, 3.0, -1.0, 0.0], atol=1e-15)
    assert_allclose(turned.matrix[:2, :2], [[0, -1], [1, 0]], atol=1e-15)
    assert turned.longest == 5


@given(st.integers(0, 2**32 - 1), st.integers(0, 500))
def test_the_matrix_turns_every_hand_by_its_own_angle(seed, m):
    turned = rotated_vector(np.random.default_rng(seed).normal(size=8), m, RATES)
    assert_allclose(turned.product, turned.rotated, atol=1e-13)
    lengths, angles = np.hypot(*turned.pairs.T), np.arctan2(*turned.pairs.T[::-1]) + turned.phases
    assert_allclose(turned.rotated_pairs[:, 0], lengths * np.cos(angles), atol=1e-12)
    assert_allclose(turned.rotated_pairs[:, 1], lengths * np.sin(angles), atol=1e-12)
    assert turned.norm_change < 1e-13
    assert turned.largest_difference < 1e-13
    assert_allclose(np.einsum("hij,hj->hi", turned.blocks, turned.pairs), turned.rotated_pairs)
    assert turned.blocks_away[0].tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert turned.n_zeros == 48 == (turned.blocks_away > 0).sum()
    assert not turned.matrix[turned.blocks_away > 0].any()


def test_a_vector_must_fit_its_hands():
    with pytest.raises(ValueError, match="last axis of 8"):
        rotated_vector((1.0,) * 6, 1, RATES)
    with pytest.raises(ValueError, match="vector must be finite"):
        rotated_vector((np.nan,) * 8, 1, RATES)


@given(st.integers(0, 999), st.integers(1, 60), st.sampled_from([1.0, 1e4]))
def test_a_word_turns_from_position_0_to_its_own(seed, m, base):
    words = word_scores(TEXT, 1, rope_frequencies(8, base), seed)
    turned = turned_word(words, m)
    assert turned.largest_length_change < 1e-12
    rotated = rotated_vector(words.query, m, words.frequencies)
    assert_allclose(turned.rotated_pairs, rotated.rotated_pairs)
    assert_allclose(turned.moments[0], words.query_pairs)
    assert_allclose(turned.moments[-1], turned.rotated_pairs)
    assert_allclose(
        turned.moments[20], rotated_vector(words.query, 1, words.frequencies).rotated_pairs
    )
    change = np.abs(rotated.rotated - words.query).max()
    assert turned.largest_number_change == pytest.approx(change)
    assert turned.rotation_is_seen == (turned.largest_number_change > 0.1)
    assert rotated.first_degrees == pytest.approx(np.rad2deg(rotated.phases[0]))
