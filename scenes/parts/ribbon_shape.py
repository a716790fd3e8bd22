"""The outline of a ribbon: a band of one breadth around a curve."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.parts.paths import straight

Point = NDArray[np.float64]

_PIECES = 8
"""A side of a ribbon is drawn in so many curves."""
_CURVES = 2 * _PIECES + 2


def first_part(lane: Point, grown: float) -> Point:
    """The first part of a cubic (4, 3), by de Casteljau."""
    if grown >= 1:
        return lane
    a, b, c, d = lane
    ab, bc, cd = (p + (q - p) * grown for p, q in ((a, b), (b, c), (c, d)))
    abc, bcd = ab + (bc - ab) * grown, bc + (cd - bc) * grown
    return np.array([a, ab, abc, abc + (bcd - abc) * grown])


@dataclass(frozen=True, slots=True)
class _Side:
    """Points along one side of a ribbon, and how fast they pass; (pieces + 1, 3) each."""

    points: NDArray[np.float64]
    speed: NDArray[np.float64]

    def curves(self) -> NDArray[np.float64]:
        """Cubics through the points: (4 pieces, 3)."""
        step = self.speed / (3 * _PIECES)
        a, b = self.points[:-1], self.points[1:]
        return np.stack([a, a + step[:-1], b - step[1:], b], axis=1).reshape(-1, 3)

    def back(self) -> _Side:
        return _Side(self.points[::-1], -self.speed[::-1])


def band(lane: Point, breadth: float) -> NDArray[np.float64]:
    """A closed path of one breadth around a cubic: up one side, across, back down the other."""
    times = np.linspace(0, 1, _PIECES + 1)
    left, right = (_side(lane, times, way * breadth / 2) for way in (1.0, -1.0))
    tip = straight(left.points[-1:], right.points[-1:])
    foot = straight(right.points[:1], left.points[:1])
    return np.concatenate([left.curves(), tip, right.back().curves(), foot])


def _side(lane: Point, times: NDArray[np.float64], aside: float) -> _Side:
    tiny = 1e-4
    speed = (_offset(lane, times + tiny, aside) - _offset(lane, times - tiny, aside)) / (2 * tiny)
    return _Side(_offset(lane, times, aside), speed)


def _offset(lane: Point, times: NDArray[np.float64], aside: float) -> NDArray[np.float64]:
    """Points beside a cubic, at right angles to it."""
    t = times[:, None]
    steps = np.diff(lane, axis=0)
    middle = (
        (1 - t) ** 3 * lane[0]
        + 3 * (1 - t) ** 2 * t * lane[1]
        + 3 * (1 - t) * t**2 * lane[2]
        + t**3 * lane[3]
    )
    speed = (1 - t) ** 2 * steps[0] + 2 * (1 - t) * t * steps[1] + t**2 * steps[2]
    normal = np.column_stack([-speed[:, 1], speed[:, 0], np.zeros(len(times))])
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-9)
    return np.asarray(middle + aside * normal)


def bands(points: NDArray[np.float64]) -> Iterator[tuple[Point, Point, float]]:
    """Start, end and breadth at the end of every band of a path, from its corners."""
    for path in points.reshape(-1, _CURVES, 4, 3):
        foot, tip = path[-1], path[_PIECES]
        breadth = float(np.linalg.norm(tip[3] - tip[0]))
        yield (foot[0] + foot[3]) / 2, (tip[0] + tip[3]) / 2, breadth
