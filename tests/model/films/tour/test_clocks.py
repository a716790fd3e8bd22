"""Keys that turn a step at a time, each until it stands at its position."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from clockhead.model.films.tour.clocks import TickingRow, ticking_row
from clockhead.model.previous_token.head import previous_token_head


def row(n: int, d_head: int = 32) -> TickingRow:
    return ticking_row(previous_token_head(n, d_head), n - 1, tuple("abcdefghijkl"[:n]))


def test_three_keys_tick_two_times() -> None:
    """The fastest hand turns by 1 in a step: 0, 0, 0; then 0, 1, 1; then 0, 1, 2."""
    assert_allclose(row(3).ticks[:, :, 0], [[0, 0, 0], [0, 1, 1], [0, 1, 2]])


@given(st.integers(2, 12), st.sampled_from([2, 32]))
def test_they_start_upright_end_at_their_positions_and_never_skip_a_step(n: int, d: int) -> None:
    ticking = row(n, d)
    assert not ticking.ticks[0].any()
    assert_allclose(ticking.ticks[-1], ticking.key_phases)
    steps = np.diff(ticking.ticks, axis=0)
    for step in range(n - 1):
        moves = np.arange(n) > step
        assert_allclose(steps[step][moves], np.tile(ticking.head.frequencies, (moves.sum(), 1)))
        assert not steps[step][~moves].any()
