"""Paths of straight lines: where they run, and that they close."""

import numpy as np

from clockhead.scenes.parts.paths import closed, rectangles, straight

TRIANGLES = np.array([[[0, 0, 0], [3, 0, 0], [0, 3, 0]], [[1, 1, 0], [4, 1, 0], [1, 4, 0]]], float)


def test_handles_lie_on_the_line_at_its_thirds():
    path = straight(np.zeros((2, 3)), np.array([[3.0, 0, 0], [0, 6, 0]]))
    wanted = [*([x, 0, 0] for x in range(4)), *([0, 2 * y, 0] for y in range(4))]
    np.testing.assert_allclose(path, wanted)


def test_a_polygon_runs_from_corner_to_corner_and_back():
    paths = closed(TRIANGLES)
    assert paths.shape == (2, 12, 3)
    np.testing.assert_array_equal(paths[:, ::4], TRIANGLES)
    np.testing.assert_allclose(paths[:, 3::4], np.roll(TRIANGLES, -1, axis=1))


def test_rectangles_share_the_edges_that_are_given_once():
    paths = rectangles([0.0, 2.0], 0.0, [1.0, 5.0], 3.0).reshape(2, 16, 3)
    np.testing.assert_array_equal(paths.min(axis=1), [[0, 0, 0], [2, 0, 0]])
    np.testing.assert_array_equal(paths.max(axis=1), [[1, 3, 0], [5, 3, 0]])
    assert rectangles([], 0.0, [], 3.0).shape == (0, 3)
