"""A longer token is the best match of others: by hand, and counted over all pairs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from clockhead.model.films.vectors.keys import token_matches

SHOWN = token_matches(("cat", "dog", "sat", "the"), (15, 50, 160, 75), 3.0)


def test_by_hand():
    assert SHOWN.best[0].tolist() == [0, 1, 2, 3]
    assert SHOWN.best[-1].tolist() == [3, 3, 2, 3]
    assert_allclose(SHOWN.dots[-1, 0], [1, np.cos(np.radians(35)), np.cos(np.radians(145)), 1.5])
    assert_allclose(SHOWN.dots[-1, 3, 3], 9)


def test_a_tie_takes_nothing():
    tied = token_matches(("a", "b"), (0, 60), 2.0)
    assert tied.taken == ()


def test_one_token_is_one_and_directions_differ():
    with pytest.raises(ValueError, match="tokens must be different"):
        token_matches(("a", "a"), (0, 60), 2.0)
    with pytest.raises(ValueError, match="angles must be different"):
        token_matches(("a", "b"), (-10, 350), 2.0)


@given(st.lists(st.integers(0, 359), min_size=2, max_size=5, unique=True), st.floats(1.0, 4.0))
def test_counted_over_all_pairs(angles, length):
    matches = token_matches(tuple("abcde"[: len(angles)]), tuple(angles), length)
    for step in (0, 30, 60):
        tips = matches.points[step, :, :2]
        for i, tip in enumerate(tips):
            scores = [float(tip @ other) for other in tips]
            assert_allclose(matches.dots[step, i], scores, atol=1e-12)
            assert scores[int(matches.best[step, i])] >= max(scores) - 1e-8
    norms = np.linalg.norm(matches.points, axis=2)
    assert_allclose(matches.dots, matches.cosines * norms[:, :, None] * norms[:, None], atol=1e-12)
    assert matches.best[0].tolist() == [*range(len(angles))]
