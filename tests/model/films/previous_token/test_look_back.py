"""A query rotated back by more and more steps."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.previous_token.look_back import LookBackWalk
from clockhead.model.previous_token.head import PreviousTokenHead

HEAD = PreviousTokenHead(8)
WALK = LookBackWalk(HEAD, (1, 2, 3, 1), per_step=4)


def test_the_way_passes_every_stop_and_half_step():
    assert_allclose(WALK.steps[:9], np.arange(1, 3.01, 0.25))
    assert_array_equal(WALK.stop_indices, [0, 4, 8, 16])
    assert_array_equal(WALK.steps[WALK.stop_indices], [1, 2, 3, 1])
    assert WALK.n_stops == 4
    assert (WALK.last_stop, WALK.furthest) == (1, 3)
    assert WALK.last == HEAD


def test_half_way_two_cells_share():
    half = WALK.patterns[2]
    assert_allclose(half[7, 5], half[7, 6])
    assert half[7, 5] > 0.45
    assert_allclose(WALK.query_phases[2], -1.5 * HEAD.frequencies)


def test_rows_without_a_target_look_at_the_start():
    assert_array_equal(WALK.looks_at[0], [0, 0, 1, 2, 3, 4, 5, 6])
    assert_array_equal(WALK.looks_at[2], [0, 0, 0, 0, 1, 2, 3, 4])
    assert_array_equal(WALK.n_without_target, [1, 2, 3, 1])
    assert WALK.line == "sharp"
    assert WALK.n_missed == 0


@settings(max_examples=40)
@given(
    st.integers(2, 12),
    st.sampled_from([2, 8, 32]),
    st.sampled_from([0.01, 1.0, 10.0]),
    st.data(),
)
def test_every_stop_finds_its_target(n_tokens, d_head, alpha, data):
    head = PreviousTokenHead(n_tokens, d_head, alpha)
    stops = data.draw(st.permutations(range(n_tokens)))
    walk = LookBackWalk(head, tuple(stops), 2)
    assert walk.finds_target
    assert_allclose(walk.patterns[walk.stop_indices], walk.stop_patterns, atol=1e-12)
    for k, stop in enumerate(stops):
        assert_allclose(walk.stop_patterns[k], replace(head, look_back=stop).pattern, atol=1e-12)
        assert walk.worst_masses[k] == walk.heads[k].worst_mass
        assert_array_equal(walk.looks_at[k, stop:], np.arange(n_tokens - stop))
    assert walk.worst_mass == walk.worst_masses.min()
    assert_allclose(walk.patterns.sum(axis=-1), 1)
    assert np.abs(np.diff(walk.steps)).max() == 0.5


def test_rows_look_for_a_column_that_moves_with_the_steps():
    assert WALK.columns.shape == (len(WALK.steps), 8)
    for index, stop in zip(WALK.stop_indices, WALK.stops, strict=True):
        assert WALK.columns[index].tolist() == [m - stop for m in range(8)]
    assert WALK.nearest_columns[:5, 7].tolist() == [6, 6, 5, 5, 5]


def test_one_stop_is_a_way_of_one_pattern():
    assert LookBackWalk(HEAD, (2,)).patterns.shape == (1, 8, 8)


def test_a_walk_can_be_sent_to_another_process():
    assert pickle.loads(pickle.dumps(WALK)) == WALK


@pytest.mark.parametrize(
    ("stops", "message"),
    [
        ((), "stops must be 1 to 100, got 0"),
        ((8,), "stops must lie below the 8 tokens of the text, got 8"),
        ((-1,), "stops must be a whole number"),
        ((1, 1), "stops must differ from the one before"),
    ],
)
def test_bad_stops_are_refused(stops, message):
    with pytest.raises(ValueError, match=message):
        LookBackWalk(HEAD, stops)


def test_half_steps_need_an_even_number_of_patterns():
    with pytest.raises(ValueError, match="per_step must be even"):
        LookBackWalk(HEAD, (1, 2), 3)
