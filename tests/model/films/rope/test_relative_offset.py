"""A query and a key dragged together, and a key that strays."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.rope.position_pair import PositionPair, RotatedDotProduct
from clockhead.model.films.rope.relative_offset import WALK_STEPS, DraggedPair, DraggedWords
from clockhead.model.films.rope.word_scores import WordScores
from clockhead.model.rope.rotation import rope_frequencies

RATES = rope_frequencies(8)
SHARES = np.linspace(0, 1, 9)
PRODUCT = WordScores.told(("dog", "bites", "man"), 1, RATES).with_word(0, 5, 3)


def dragged(**changes: int) -> DraggedPair:
    values = {"far_m": 100, "far_n": 98} | changes
    return DraggedPair(PRODUCT, **values)


products = st.builds(
    lambda m, n, d_head, seed: RotatedDotProduct(
        PositionPair(m, n, tuple(rope_frequencies(d_head).tolist())),
        *(tuple(v.tolist()) for v in np.random.default_rng(seed).normal(size=(2, d_head))),
    ),
    st.integers(0, 12),
    st.integers(0, 12),
    st.sampled_from([2, 8, 16]),
    st.integers(0, 999),
)


def test_a_drag_keeps_the_score_and_every_angle():
    pair = dragged()
    assert (pair.offset, pair.far_offset, pair.shift, pair.distance) == (-2, -2, 95, 95)
    assert pair.keeps_offset
    assert pair.near_score == pytest.approx(4.69, abs=0.005)
    assert pair.score_change < 1e-12
    assert pair.largest_angle_change < 1e-12
    series = pair.drag
    assert series.largest_score_change < 1e-12
    assert_allclose(series.offsets, -2)


def test_a_drag_that_changes_the_offset_says_so():
    pair = dragged(far_n=99)
    assert not pair.keeps_offset
    assert pair.score_change > 0.1
    assert pair.largest_angle_change == pytest.approx(1)


@pytest.mark.parametrize(
    ("changes", "named"),
    [({"far_n": 99}, "far_n must be 98.*got 99"), ({"far_m": 5, "far_n": 3}, "far_m must be an")],
)
def test_words_are_moved_together(changes, named):
    words = WordScores.told(("dog", "bites", "man"), 1, RATES)
    assert DraggedWords(words, dragged()).pair.keeps_offset
    with pytest.raises(ValueError, match=named):
        DraggedWords(words, dragged(**changes))


def test_the_key_alone_loses_its_score_and_finds_it_again():
    pair = dragged()
    assert (pair.stray_direction, pair.stray_far_n) == (-1, 92)
    assert [stray.pair.offset for stray in pair.strays] == [-5, -8]
    assert pair.stray_score == pytest.approx(1.12, abs=0.005)
    assert pair.stray_far_score == pytest.approx(4.78, abs=0.005)
    assert pair.fast_pair_turn == 6
    assert pair.is_back
    assert pair.fast_pair_comes_round
    assert pair.comes_back_round
    assert not pair.stray_looks_alike
    assert_allclose(pair.strays[1].terms.sum(), pair.stray_far_score)


def test_where_the_key_strays_to():
    assert dragged(far_m=8, far_n=10).stray_direction == 1
    assert dragged(far_m=8, far_n=8).strays[0].pair.n == 5
    assert dragged(far_m=5, far_n=3).stray_direction == 1  # 6 back would pass position 0
    assert dragged(far_m=5, far_n=3).stray_far_n == 9
    assert dragged(far_m=5, far_n=6, stray=1, stray_far=2).strays[0].pair.n == 7


def test_not_every_score_comes_back():
    assert not dragged(stray_far=4).is_back
    against = RotatedDotProduct(PRODUCT.pair, tuple(-x for x in PRODUCT.query), PRODUCT.key)
    risen = DraggedPair(against, 100, 98, stray_far=4)
    assert risen.stray_far_score > risen.far_score
    assert not risen.is_back
    assert not dragged(stray_far=4).fast_pair_comes_round
    assert not dragged(stray_far=4).comes_back_round
    same = RotatedDotProduct(PositionPair(5, 3, (1.0,) * 4), PRODUCT.query, PRODUCT.key)
    assert not DraggedPair(same, 100, 98).fast_pair_comes_round
    slow = RotatedDotProduct(PositionPair(5, 3, (0.01, 0.001)), PRODUCT.query[:4], PRODUCT.key[:4])
    assert not DraggedPair(slow, 100, 98).fast_pair_comes_round  # it has hardly set off
    zero = RotatedDotProduct(PRODUCT.pair, (0.0,) * 8, PRODUCT.key)
    assert DraggedPair(zero, 100, 98).stray_looks_alike


@pytest.mark.parametrize(
    ("before", "after", "alike"),
    [(0.003, -0.004, True), (0.0099, 0.0061, True), (0.028, 0.037, False)],
)
def test_small_scores_are_compared_as_they_are_written(before, after, alike):
    def with_score(after_steps: int) -> DraggedPair:
        """A key with the score `after` so many steps back, at a radian each."""
        across = (after - before * np.cos(after_steps)) / np.sin(after_steps)
        there = PositionPair(5, 5, (1.0,))
        return DraggedPair(RotatedDotProduct(there, (1.0, 0.0), (before, across)), 7, 7, 1, 2)

    near, far = with_score(1), with_score(2)
    assert (near.stray_score, far.stray_far_score) == pytest.approx((after, after))
    assert near.stray_looks_alike == alike
    assert far.is_back == alike


@given(products, st.integers(0, 9000))
def test_both_moved_keep_the_score(product, by):
    pair = DraggedPair(product, product.pair.m + by, product.pair.n + by)
    assert pair.score_change < 1e-9
    assert pair.drag.largest_score_change < 1e-9
    assert pair.strays[0].pair.n >= 0
    assert abs(pair.stray_far_n - pair.far_n) == pair.stray_far
    stops = [0, WALK_STEPS * pair.stray, WALK_STEPS * pair.stray_far]
    at_stops = [pair.far_score, pair.stray_score, pair.stray_far_score]
    assert_allclose(pair.walk.scores[stops], at_stops)
    assert_array_equal(pair.walk.key_positions[::WALK_STEPS] % 1, 0)
    assert pair.nearest == np.abs(pair.walk.offsets[::WALK_STEPS]).min()


@given(products, st.integers(0, 50), st.integers(0, 50))
def test_a_series_is_the_product_at_every_step(product, m, n):
    series = product.drag(m, n, SHARES)
    last = product.at(m, n)
    assert_allclose(series.query_pairs[0], product.rotated_query_pairs)
    assert_allclose(series.key_pairs[0], product.rotated_key_pairs)
    assert_allclose(series.query_pairs[-1], last.rotated_query_pairs)
    assert_allclose(series.key_pairs[-1], last.rotated_key_pairs)
    assert_allclose(series.terms[-1], last.terms, atol=1e-12)
    assert series.first_score == pytest.approx(product.rotated_both, abs=1e-12)
    assert series.last_score == pytest.approx(last.rotated_both, abs=1e-12)
    lengths = np.linalg.norm(series.key_pairs, axis=-1)
    assert_allclose(lengths, np.broadcast_to(product.key_lengths, lengths.shape))


@given(products)
def test_the_terms_add_up_to_the_score(product):
    assert product.terms_difference < 1e-12
    assert_allclose(np.linalg.norm(product.query_pairs, axis=-1), product.query_lengths)


def test_as_written_the_terms_add_up_to_the_scores():
    pair = dragged()
    assert (pair.near.n_decimals, pair.n_decimals) == (3, 3)
    for place in (pair.near, *pair.strays):
        added = sum(float(f"{term:.3f}") for term in place.terms)
        assert f"{added:.2f}" == f"{place.rotated_both:.2f}"


def test_how_far_the_move_rotates():
    pair = dragged(far_m=2, far_n=0)
    assert_allclose(pair.shift_phases, -3 * RATES)
    assert pair.fast_pair_drag_turns == pytest.approx(3 / (2 * np.pi))
    assert pair.near.pair.unmoved == PositionPair(0, 0, pair.near.pair.frequencies)


def test_pairs_of_two_vectors_written_out():
    product = RotatedDotProduct(
        PositionPair(1, 3, (np.pi / 2, np.pi)), (1.0, 0.0, 2.0, 1.0), (0.0, 3.0, 1.0, 1.0)
    )
    assert_allclose(product.rotated_query_pairs, [[0, 1], [-2, -1]], atol=1e-12)
    assert_allclose(product.rotated_key_pairs, [[3, 0], [-1, -1]], atol=1e-12)
    assert_allclose(product.terms, [0, 3], atol=1e-12)
    assert_allclose(product.key_by_offset, [0, -3, 1, 1], atol=1e-12)
    assert_array_equal(product.query_pairs, [[1, 0], [2, 1]])
    walk = product.along(1, [3, 4])
    assert_allclose(walk.terms, [[0, 3], [3, -3]], atol=1e-12)
    assert walk.largest_score_change == pytest.approx(3)


def test_a_dragged_pair_can_be_sent_to_another_process():
    pair = dragged()
    assert pair.is_back
    assert pickle.loads(pickle.dumps(pair)) == pair
    assert_array_equal(pickle.loads(pickle.dumps(pair.drag)).scores, pair.drag.scores)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"far_m": -1}, "far_m must be a whole number of at least 0"),
        ({"far_n": 1.5}, "far_n must be a whole number"),
        ({"stray": 0}, "stray must be a whole number of at least 1"),
        ({"stray_far": 3}, "stray_far must be above stray, got 3 and 3"),
    ],
)
def test_bad_drags_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        dragged(**changes)


def test_bad_series_are_refused():
    with pytest.raises(ValueError, match="shares must have 1 axes"):
        PRODUCT.drag(1, 2, 0.5)
    with pytest.raises(ValueError, match="key_positions must be as many as query_positions"):
        PRODUCT.along([], [])
    with pytest.raises(ValueError, match="far_m must be a finite number"):
        PRODUCT.drag(np.nan, 2, SHARES)


def test_the_angle_between_the_hands_runs_on_without_a_jump():
    pair = dragged()
    walk = pair.walk
    assert_allclose(walk.pair_angles[0], pair.far.pair_angles, atol=1e-12)
    assert_allclose(np.diff(walk.pair_angles, axis=0), np.tile(-6 / 144 * RATES, (144, 1)))
    wrapped = np.mod(walk.pair_angles[-1] - pair.strays[1].pair_angles + 1, 2 * np.pi)
    assert_allclose(wrapped, 1)
    zero = RotatedDotProduct(PRODUCT.pair, (0.0, 0.0, *PRODUCT.query[2:]), PRODUCT.key)
    assert_array_equal(zero.drag(9, 7, SHARES).pair_angles[:, 0], 0)
