"""The outlines that tiles are made of, about the origin, and the sign of each role."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.parts.paths import closed, straight
from clockhead.scenes.style.shape import Shape

CORNER = 0.08
"""The radius of a corner, in units."""
_DASH = 0.085
_ROUND = 4 / 3 * np.tan(np.pi / 8)
"""How far the handles of a quarter of a circle of radius 1 are from its ends."""


class Box(Shape):
    """The outline of a tile or of a note; a shape of its own kind, so that boxes become boxes."""

    def __init__(self) -> None:
        super().__init__()
        self.set_points(rounded(1.0, 1.0))


@lru_cache(maxsize=512)
def dashes(width: float, height: float, corner: float = CORNER) -> NDArray[np.float64]:
    """A dashed rounded rectangle about the origin, as one path."""
    edge = rounded(width, height, corner).reshape(-1, 4, 3)  # curves
    places = np.linspace(0.0, 1.0, 7)[:-1, None, None]
    a, b, c, d = (edge[None, :, k] for k in range(4))
    curve = (
        (1 - places) ** 3 * a
        + 3 * places * (1 - places) ** 2 * b
        + 3 * places**2 * (1 - places) * c
        + places**3 * d
    )
    loop = curve.transpose(1, 0, 2).reshape(-1, 3)
    loop = np.vstack([loop, loop[:1]])
    walked = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(loop, axis=0), axis=1))])
    n = 3 * max(4, round(walked[-1] / (2 * _DASH)))
    stops = np.linspace(0.0, walked[-1], 2 * n + 1)
    points = np.column_stack([np.interp(stops, walked, loop[:, axis]) for axis in range(3)])
    kept = (np.arange(2 * n) // 3) % 2 == 0
    return straight(points[:-1][kept], points[1:][kept])


@lru_cache(maxsize=512)
def rounded(width: float, height: float, corner: float = CORNER) -> NDArray[np.float64]:
    """A rounded rectangle about the origin."""
    radius = min(corner, width / 2.01, height / 2.01)
    x, y = width / 2, height / 2
    a, b, handle = x - radius, y - radius, _ROUND * radius
    arc = np.array([[x, b], [x, b + handle], [a + handle, y], [a, y]])  # the upper right corner
    sides = [arc, arc[::-1] * [-1, 1], -arc, arc[::-1] * [1, -1]]
    points: list[NDArray[np.float64]] = []
    for side, then in zip(sides, [*sides[1:], sides[0]], strict=True):
        thirds = np.linspace(0.0, 1.0, 4)[:, None]
        points += [side, side[-1] + (then[0] - side[-1]) * thirds]
    return np.pad(np.concatenate(points), ((0, 0), (0, 1)))


def _polygon(*corners: tuple[float, float]) -> NDArray[np.float64]:
    return closed(np.array([(*corner, 0.0) for corner in corners]))


def _ring(n: int = 24) -> NDArray[np.float64]:
    angles = np.linspace(0.0, 2 * np.pi, n, endpoint=False)
    return closed(np.column_stack([np.cos(angles), np.sin(angles), np.zeros(n)]))


_T, _S = 0.3, 1.0
_CROSS = [(_S, _S - _T), (_T, 0.0), (_S, _T - _S), (_S - _T, -_S), (0.0, -_T), (_T - _S, -_S)]
_CROSS += [(-_S, _T - _S), (-_T, 0.0), (-_S, _S - _T), (_T - _S, _S), (0.0, _T), (_S - _T, _S)]
_TICK = [(-1.0, 0.0), (-0.3, -0.9), (1.1, 0.7), (0.7, 1.1), (-0.3, -0.1), (-0.65, 0.35)]
SIGNS: dict[str | None, NDArray[np.float64]] = {
    "query": _polygon((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "key": 1.1 * _ring(),
    "value": 1.2 * _polygon((-1, 0), (0, -1), (1, 0), (0, 1)),
    "correct": 1.1 * _polygon(*_TICK),
    "wrong": _polygon(*_CROSS),
}
