"""A query and a key dragged together, and a key that strays."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.rope.relative_offset import WALK_STEPS, dragged_words
from clockhead.model.films.rope.words import WordScores, word_scores
from clockhead.model.rope.rotation import rope_frequencies

RATES = rope_frequencies(8)
TEXT = ("dog", "bites", "man")


def dragged(rates=RATES, seed=2322, **changes):
    places = {"m": 5, "n": 3, "shift": 95, "stray": 3, "stray_far": 6} | changes
    return dragged_words(word_scores(TEXT, 1, rates, seed), **places)


def with_vectors(query, key, rates):
    """Words of whose vectors only these two are used."""
    words = vars(word_scores(TEXT, 1, rates))
    keys = np.array([key] * 3)
    return WordScores(**words | {"query": np.array(query), "keys": keys})


drags = st.builds(
    dragged,
    st.sampled_from([2, 8, 16]).map(rope_frequencies),
    st.integers(0, 999),
    m=st.integers(0, 12),
    n=st.integers(0, 12),
    shift=st.integers(1, 9000),
)


@given(drags)
def test_both_moved_keep_the_score_and_the_key_alone_walks_on(found):
    assert found.near.offset == found.far.offset
    assert found.score_change < 1e-9
    assert_allclose(found.drag_scores, found.near.score, atol=1e-9)
    assert_allclose(found.drag_terms, np.tile(found.near.terms, (61, 1)), atol=1e-9)
    assert_allclose(found.home_scores, found.near.score, atol=1e-9)
    assert_allclose(found.home_terms, np.tile(found.near.terms, (61, 1)), atol=1e-9)
    assert_allclose(found.walk_key_pairs[0], found.near.key_pairs_by_offset, atol=1e-12)
    assert found.largest_difference < 1e-12
    assert abs(found.walk_offsets[-1] - found.near.offset) == found.stray_far
    stops = [0, WALK_STEPS * found.stray, WALK_STEPS * found.stray_far]
    at_stops = [found.far.score, found.stray_score, found.stray_far_score]
    assert_allclose(found.walk_scores[stops], at_stops, atol=1e-9)
    assert_array_equal(found.walk_offsets[::WALK_STEPS] % 1, 0)
    assert found.nearest == np.abs(found.walk_offsets[::WALK_STEPS]).min()
    lengths = np.linalg.norm(found.walk_key_pairs, axis=-1)
    assert_allclose(lengths, np.tile(lengths[0], (len(lengths), 1)))


def test_the_move_of_the_dog_and_the_bite():
    found = dragged()
    assert (found.near.offset, found.far.m, found.far.n) == (-2, 100, 98)
    assert (found.shift, found.home) == (95, 0)
    assert_allclose(found.home_phases, 100 * RATES)
    assert found.near.score == pytest.approx(4.69, abs=0.005)
    assert_allclose(found.shift_phases, 95 * RATES)


def test_the_key_alone_loses_its_score_and_finds_it_again():
    found = dragged()
    assert found.walk_offsets[-1] == -8
    assert found.stray_score == pytest.approx(1.12, abs=0.005)
    assert found.stray_far_score == pytest.approx(4.78, abs=0.005)
    assert found.is_back
    assert found.fast_pair_comes_round  # 6 positions are 6 radians
    assert found.comes_back_round
    assert not found.stray_looks_alike
    assert found.n_decimals == 3


@pytest.mark.parametrize(("m", "n", "end"), [(8, 10, 8), (8, 8, -6), (5, 3, -8), (5, 6, 7)])
def test_where_the_key_strays_to(m, n, end):
    """Away from the query, and back from its own place."""
    assert dragged(m=m, n=n).walk_offsets[-1] == end


def test_not_every_score_comes_back():
    early = dragged(stray_far=4)
    assert (early.is_back, early.fast_pair_comes_round, early.comes_back_round) == (False,) * 3
    against = with_vectors(-dragged().words.query, dragged().words.keys[0], RATES)
    risen = dragged_words(against, 5, 3, 95, 3, 4)
    assert risen.stray_far_score > risen.far.score
    assert not risen.is_back
    assert not dragged((0.01, 0.001)).fast_pair_comes_round  # it has hardly set off


@pytest.mark.parametrize(
    ("before", "after", "alike"),
    [(0.003, -0.004, True), (0.0099, 0.0061, True), (0.028, 0.037, False)],
)
def test_small_scores_are_compared_as_they_are_written(before, after, alike):
    def with_score(after_steps):
        """A key with the score `after` so many steps back, at a radian each."""
        across = (after - before * np.cos(after_steps)) / np.sin(after_steps)
        words = with_vectors((1.0, 0.0), (before, across), (1.0,))
        return dragged_words(words, 5, 5, 2, 1, 2)

    near, far = with_score(1), with_score(2)
    assert (near.stray_score, far.stray_far_score) == pytest.approx((after, after))
    assert near.stray_looks_alike == alike
    assert far.is_back == alike


def test_the_angle_between_the_hands_runs_on_without_a_jump():
    found = dragged()
    assert_allclose(found.walk_pair_angles[0], found.far.pair_angles, atol=1e-12)
    for before, after in pairwise(found.walk_pair_angles):
        assert_allclose(after - before, -RATES / WALK_STEPS, atol=1e-12)
    query = (0.0, 0.0, *found.words.query[2:])
    still = dragged_words(with_vectors(query, found.words.keys[0], RATES), 5, 3, 95, 3, 6)
    assert not still.walk_pair_angles[:, 0].any()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"m": -1}, "m must be a whole number of at least 0, got -1"),
        ({"stray_far": 3}, "stray_far must be above stray, got 3 and 3"),
    ],
)
def test_bad_drags_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        dragged(**changes)
