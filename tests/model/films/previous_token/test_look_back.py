"""A query rotated back by more and more steps."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.previous_token.look_back import PER_STEP, offset_walk
from clockhead.model.previous_token.head import previous_token_head

HEAD = previous_token_head(8)
WALK = offset_walk(HEAD, (1, 2, 3, 1))


def test_the_way_passes_every_stop_and_half_step():
    assert_allclose(WALK.steps[: 2 * PER_STEP + 1], np.arange(1, 3.01, 1 / PER_STEP))
    assert_array_equal(WALK.stop_indices, [0, PER_STEP, 2 * PER_STEP, 4 * PER_STEP])
    assert_array_equal(WALK.steps[WALK.stop_indices], [1, 2, 3, 1])
    assert (WALK.n_stops, WALK.last_stop) == (4, 1)
    assert_array_equal(WALK.last.pattern, HEAD.pattern)


def test_half_way_two_cells_share():
    half = WALK.patterns[PER_STEP // 2]
    assert_allclose(half[7, 5], half[7, 6])
    assert half[7, 5] > 0.45
    assert_allclose(WALK.query_phases[PER_STEP // 2], -1.5 * HEAD.frequencies)


def test_rows_without_a_target_look_at_the_start():
    assert_array_equal(WALK.looks_at[0], [0, 0, 1, 2, 3, 4, 5, 6])
    assert_array_equal(WALK.looks_at[2], [0, 0, 0, 0, 1, 2, 3, 4])
    assert WALK.n_missed == 0


@settings(max_examples=40)
@given(
    st.integers(2, 12),
    st.sampled_from([2, 8, 32]),
    st.sampled_from([0.01, 1.0, 10.0]),
    st.data(),
)
def test_every_stop_finds_its_target(n_tokens, d_head, alpha, data):
    head = previous_token_head(n_tokens, d_head, alpha)
    stops = data.draw(st.permutations(range(n_tokens)))
    walk = offset_walk(head, tuple(stops))
    assert walk.finds_target
    for k, stop in enumerate(stops):
        other = previous_token_head(n_tokens, d_head, alpha, offset=stop)
        assert_allclose(walk.patterns[walk.stop_indices[k]], other.pattern, atol=1e-12)
        assert_array_equal(walk.looks_at[k, stop:], np.arange(n_tokens - stop))
    assert_allclose(walk.patterns.sum(axis=-1), 1)


def test_rows_look_for_a_column_that_moves_with_the_steps():
    for index, stop in zip(WALK.stop_indices, WALK.stops, strict=True):
        assert WALK.nearest_columns[index].tolist() == [m - stop for m in range(8)]
    half = PER_STEP // 2
    assert WALK.nearest_columns[[half - 1, half, half + 1], 7].tolist() == [6, 5, 5]


def test_one_stop_is_a_way_of_one_pattern():
    assert offset_walk(HEAD, (2,)).patterns.shape == (1, 8, 8)


@pytest.mark.parametrize(
    ("stops", "message"),
    [
        ((), "stops must be at least one, got none"),
        ((8,), "stops must lie below the 8 tokens of the text, got 8"),
        ((1, -1), "stops must be a whole number of at least 0, got -1"),
    ],
)
def test_bad_walks_are_refused(stops, message):
    with pytest.raises(ValueError, match=message):
        offset_walk(HEAD, stops)
