"""Lines, rectangles and discs as cubic curves, and their coordinates read from paths."""

from __future__ import annotations

import numpy as np
from manim import Circle, VMobject
from numpy.typing import ArrayLike, NDArray

DISC = Circle(1.0).points
"""A circle of radius 1, counter-clockwise; (32, 3)."""
_THIRDS = np.array([0.0, 1 / 3, 2 / 3, 1.0])[:, None]  # (4, 1)


def points_at(x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
    """The points with these coordinates, (N,) each or one for all: (N, 3)."""
    x, y = np.broadcast_arrays(np.asarray(x, dtype=float), np.asarray(y, dtype=float))
    return np.stack([x, y, np.zeros_like(x)], axis=-1)


def straight(start: NDArray[np.float64], end: NDArray[np.float64]) -> NDArray[np.float64]:
    """Lines between points: (N, 3) and (N, 3) to (4 N, 3)."""
    return _lines(start, end).reshape(-1, 3)


def closed(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sides of polygons, from each corner to the next: (..., K, 3) to (..., 4 K, 3)."""
    sides = _lines(corners, np.roll(corners, -1, axis=-2))  # (..., K, 4, 3)
    return sides.reshape(*corners.shape[:-2], 4 * corners.shape[-2], 3)


def rectangles(
    left: ArrayLike, bottom: ArrayLike, right: ArrayLike, top: ArrayLike
) -> NDArray[np.float64]:
    """Rectangles, counter-clockwise from the lower left corner: (16 N, 3).

    Edges are (N,), or one number for all.
    """
    edges = (np.asarray(edge, dtype=float) for edge in (left, bottom, right, top))
    left, bottom, right, top = np.broadcast_arrays(*edges)
    x = np.stack([left, right, right, left], axis=-1)  # (N, 4)
    y = np.stack([bottom, bottom, top, top], axis=-1)  # (N, 4)
    return closed(points_at(x, y)).reshape(-1, 3)


def line_ends(points: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Start and end of `straight` lines as drawn: (4 N, 3) to (N, 3) each."""
    lines = points.reshape(-1, 4, 3)
    return lines[:, 0], lines[:, 3]


def rectangle_edges(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Left, bottom, right and top of `rectangles` as drawn: (16 N, 3) to (N, 4)."""
    corners = points.reshape(-1, 16, 3)[..., :2]
    return np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1)


def rectangle_middles(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """The middles of `rectangles` as drawn: (16 N, 3) to (N, 3)."""
    edges = rectangle_edges(points)
    return np.pad((edges[:, :2] + edges[:, 2:]) / 2, ((0, 0), (0, 1)))


def discs(centers: NDArray[np.float64], radius: float) -> NDArray[np.float64]:
    """Discs around points (N, 3)."""
    return np.asarray((centers[:, None] + radius * DISC).reshape(-1, 3))


def middles(drawn: VMobject) -> NDArray[np.float64]:
    """The middles of discs as drawn; (N, 3)."""
    found = drawn.points.reshape(-1, len(DISC), 3)
    return np.asarray((found[:, 0] + found[:, len(DISC) // 2]) / 2)


def nearest(places: NDArray[np.float64], point: NDArray[np.float64]) -> int:
    """Index of the nearest of the points `places` (N, 3)."""
    return int(np.linalg.norm(places - point, axis=1).argmin())


def arrow_head(
    tip: NDArray[np.float64], way: NDArray[np.float64], size: float
) -> NDArray[np.float64]:
    """A triangle, as wide as long, with its tip at a point, along a unit vector `way`: (12, 3)."""
    side, neck = size / 2 * np.array([-way[1], way[0], 0.0]), tip - size * way
    return closed(np.array([tip, neck + side, neck - side]))


def _lines(start: NDArray[np.float64], end: NDArray[np.float64]) -> NDArray[np.float64]:
    """The four points of each line: (..., 3) and (..., 3) to (..., 4, 3)."""
    return np.asarray(start[..., None, :] + _THIRDS * (end - start)[..., None, :])
