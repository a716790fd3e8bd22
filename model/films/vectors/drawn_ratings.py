"""Ratings as they are drawn: ways between tips, frames around winners, and arrows that move.

Source: as `ratings`. One arrow turns past a right angle and back; the one of the largest dot
product shrinks to a fifth and grows back, as the book's raters do who always give much or little.
While arrows move, all that is measured between them is computed anew at every step.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, sealed, sealed_ints
from clockhead.model.units import Cosine, Degrees, Doc, DotProduct, Length, Place
from clockhead.model.vectors.ratings import Ratings

LEAST_PART = 0.2
"""To what share of its length an arrow shrinks before it grows back."""
_STEPS = 31
_EASE = np.sin(np.linspace(0, np.pi / 2, _STEPS)) ** 2
"""How far one is on the way from one place to the next, at every step."""
_RIGHT, _WIDE, _HALF_TURN = 90.0, 125.0, 180.0
_BETWEEN = 0.2, 0.8
"""Where on a straight way someone may stand who slides onto it."""
_DIGITS = 12


@dataclass(frozen=True)
class DrawnRatings(Ratings):
    """Ratings, and all that pictures of them need besides."""

    # Ways from tip to tip

    @cached_property
    def legs(self) -> Floats:
        """From the asker across, and up to the height of the farthest; shape (3, 3)."""
        start, end = self.points[0], self.points[self.far]
        corner = np.array([end[0], start[1], start[2]])
        return sealed(np.array([start, corner, [end[0], end[1], start[2]]]))

    @property
    def turns_left(self) -> bool:
        """Whether one turns left at the corner between across and up, or goes straight on."""
        return _turns_left(self.legs)

    @property
    def detour_turns_left(self) -> bool:
        """Whether one turns left on the detour, or goes straight on."""
        return _turns_left(self.detour_path)

    @cached_property
    def straight(self) -> Floats:
        """From the asker to the farthest, as far as two films tell; shape (2, 3)."""
        return sealed(self.legs[[0, 2]])

    @cached_property
    def rise(self) -> Floats:
        """There, up to the farthest, and straight back to the asker; shape (4, 3)."""
        return sealed(np.vstack([self.straight, self.points[[self.far, 0]]]))

    @cached_property
    def detour_path(self) -> Floats:
        """From the asker by way of someone else to the farthest; shape (3, 3)."""
        return sealed(self.points[[0, self.via, self.far]])

    # In pictures

    @cached_property
    def nearest_marks(self) -> Ints:
        """0 for whoever is nearest and -1 for others; shape (N,)."""
        return self._marks(self.nearest)

    @cached_property
    def highest_marks(self) -> Ints:
        """0 for whoever has the largest dot product and -1 for others; shape (N,)."""
        return self._marks(self.highest)

    @cached_property
    def closest_marks(self) -> Ints:
        """0 for whoever points closest and -1 for others; shape (N,)."""
        return self._marks(self.closest)

    @property
    def unit_length(self) -> Length:
        """How long all arrows become that are to show their direction alone."""
        return 1.0

    # Who moves

    @property
    def turner(self) -> Place:
        """Who turns: of the nearest, the first."""
        return self.nearest[0]

    @property
    def starts_wide(self) -> bool:
        """Whether the one who turns is farther than a right angle from the asker."""
        return bool(self.whole_dots[self.turner] < 0)

    @property
    def turner_angle(self) -> Degrees:
        """The angle between the asker and the one who turns."""
        return float(self.angles[self.turner])

    @property
    def turner_shadow(self) -> Length:
        """How far the arrow that turns reaches along the asker's."""
        return float(self.shadows[self.turner])

    @cached_property
    def turned(self) -> Moved:
        """The one who turns rests at a right angle with the asker and beyond, and comes back."""
        beyond = _HALF_TURN - _WIDE if self.starts_wide else _WIDE
        return self._turned(self.points, _RIGHT, beyond)

    @cached_property
    def swung(self) -> Moved:
        """The same at length 1, with rests at the asker, at a right angle, and opposite."""
        return self._turned(self.units, 0.0, _RIGHT, _HALF_TURN)

    @cached_property
    def slid(self) -> Moved:
        """The one on the detour slides onto the straight way, rests, and comes back."""
        start, way = self.points[0, :2], np.diff(self.straight[:, :2], axis=0)[0]
        square = max(float(way @ way), 1.0)
        share = np.clip((self.points[self.via, :2] - start) @ way / square, *_BETWEEN)
        ends = self.points.copy()
        ends[self.via, :2] = start + share * way
        return _between(self.points, ends, self.via, _stops(0.0, 1.0, 0.0))

    @cached_property
    def slid_ways(self) -> Floats:
        """The detour meanwhile; shape (S, 3, 3)."""
        return sealed(self.slid.points[:, [0, self.via, self.far]])

    @property
    def loud_length(self) -> Length:
        """How long the arrow of the largest dot product is."""
        return float(self.lengths[self.loud])

    @property
    def own_length(self) -> Length:
        """How long the asker's arrow is."""
        return float(self.lengths[0])

    @property
    def loud_cosine(self) -> Cosine:
        """The cosine between the asker and whoever has the largest dot product."""
        return float(self.cosines[self.loud])

    @property
    def loud_angle(self) -> Degrees:
        """The angle between the asker and whoever has the largest dot product."""
        return float(self.angles[self.loud])

    @property
    def loud_shadow(self) -> Length:
        """How far the arrow of the largest dot product reaches along the asker's."""
        return float(self.shadows[self.loud])

    @property
    def quiet_dot(self) -> DotProduct:
        """The largest dot product once its arrow is a fifth as long."""
        return LEAST_PART * self.most_dot

    @cached_property
    def shrunk(self) -> Moved:
        """The arrow of the largest dot product shrinks."""
        return _between(self.points, self._quiet, self.loud)

    @cached_property
    def grown(self) -> Moved:
        """The arrow of the largest dot product grows back."""
        return _between(self._quiet, self.points, self.loud)

    @cached_property
    def normed(self) -> Moved:
        """All arrows run to length 1."""
        return _between(self.points, self.units, self.turner)

    @cached_property
    def restored(self) -> Moved:
        """All arrows run back to their lengths."""
        return _between(self.units, self.points, self.turner)

    @cached_property
    def circle(self) -> Floats:
        """A way round all tips at length 1; shape (97, 3)."""
        turns = np.linspace(0, 2 * np.pi, 97)
        ring = np.stack([np.cos(turns), np.sin(turns), 0 * turns], axis=1)
        return sealed(self.unit_length * ring)

    # The room that all of it needs

    @cached_property
    def room(self) -> Floats:
        """Corners of a floor for all that is drawn, how high ratings go, and tips; (5 + N, 3)."""
        along = self.shadows[:, None] * self.units[0]  # (N, 3)
        flat = np.vstack([along, self.points, self.turned.points.reshape(-1, 3)]).round(_DIGITS)
        low = np.floor(np.minimum(flat.min(axis=0), -1.0))
        high = np.ceil(np.maximum(flat.max(axis=0), 1.0))
        high[2] = max(1.0, self.points[:, 2].max())
        return sealed(np.vstack([_floor(low, high), self.points]))

    @cached_property
    def unit_room(self) -> Floats:
        """The same for arrows of length 1; shape (5 + N, 3)."""
        return sealed(np.vstack([_floor(-np.ones(3), np.ones(3)), self.units]))

    # How it is computed

    def _marks(self, winners: tuple[int, ...]) -> Ints:
        """0 for these and -1 for others."""
        return sealed_ints(np.where(np.isin(np.arange(self.n_raters), winners), 0, -1))

    @property
    def _quiet(self) -> Floats:
        """The tips once the arrow of the largest dot product is short; shape (N, 3)."""
        points = self.points.copy()
        points[self.loud, :2] *= LEAST_PART
        return points

    def _turned(self, points: Floats, *stops: float) -> Moved:
        """The one who turns goes to one angle with the asker after the other, and comes back."""
        k, own = self.turner, self.turner_angle
        side = 1.0 if self._turns[k] >= 0 else -1.0
        angles = _stops(own, *stops, own)  # (S,)
        x, y = self.units[0, :2] * np.linalg.norm(points[k, :2])
        cosines, sines = _cosines(angles), side * _cosines(_RIGHT - angles)
        series = np.repeat(points[None], len(angles), axis=0)
        tips = np.stack([x * cosines - y * sines, x * sines + y * cosines], axis=1)
        series[:, k, :2] = np.where((angles == own)[:, None], points[k, :2], tips)
        return Moved(sealed(series), k)


@dataclass(frozen=True, eq=False)
class Moved:
    """Arrows on their way, and what is measured between each of them and the asker's."""

    points: Annotated[Floats, Doc("the tips at every step; shape (S, N, 3)")]
    mover: Annotated[Place, Doc("who moves")]

    @cached_property
    def tables(self) -> Floats:
        """The ratings of the first two films at every step; shape (S, N, 2)."""
        return sealed(self.points[..., :2].copy())

    @cached_property
    def distances(self) -> Floats:
        """Distances to the asker at every step; shape (S, N)."""
        return _rounded(np.linalg.norm(self.tables - self.tables[:, :1], axis=2))

    @cached_property
    def dots(self) -> Floats:
        """Dot products with the asker at every step; shape (S, N)."""
        return _rounded((self.tables * self.tables[:, :1]).sum(axis=2))

    @cached_property
    def cosines(self) -> Floats:
        """Cosines with the asker at every step, 0 where an arrow has no length; shape (S, N)."""
        lengths = np.linalg.norm(self.tables, axis=2)
        both = lengths * lengths[:, :1]
        return _rounded(np.divide(self.dots, both, out=np.zeros_like(both), where=both > 0))

    @cached_property
    def shadows(self) -> Floats:
        """How far the one who moves reaches along the asker's arrow at every step; shape (S,)."""
        return sealed(self.dots[:, self.mover] / np.linalg.norm(self.tables[:, 0], axis=1))

    @cached_property
    def angles(self) -> Floats:
        """The angle between the one who moves and the asker, in degrees; shape (S,)."""
        (a, b), (x, y) = self.tables[:, 0].T, self.tables[:, self.mover].T
        return _rounded(np.degrees(np.arctan2(abs(a * y - b * x), self.dots[:, self.mover])))


def _between(start: Floats, end: Floats, mover: int, shares: Floats = _EASE) -> Moved:
    """From some tips to others, at these shares of the way."""
    part = shares[:, None, None]
    return Moved(sealed(start * (1 - part) + end * part), mover)


def _stops(*stops: float) -> Floats:
    """From one number to the next, with a rest as long as a way on all between; shape (S,)."""
    ways = [a * (1 - _EASE) + b * _EASE for a, b in pairwise(stops)]
    rests = [np.full(_STEPS, b) for b in stops[1:]]
    both = (part for pair in zip(ways, rests, strict=True) for part in pair)
    return np.concatenate([*both])[:-_STEPS]


def _rounded(numbers: Floats) -> Floats:
    """Numbers without the noise of their last digits, and without a negative zero."""
    return sealed(np.round(numbers, _DIGITS) + 0.0)


def _turns_left(path: Floats) -> bool:
    """Whether a path of three corners, seen from above, turns left or goes straight on."""
    first, second = np.diff(path[:, :2], axis=0)
    return bool(first[0] * second[1] - first[1] * second[0] >= 0)


def _cosines(degrees: ArrayLike) -> Floats:
    """Cosines that are exactly 0, 1 and -1 where they are."""
    angles = np.asarray(degrees, dtype=np.float64)
    exact = {90.0: 0.0, -90.0: 0.0, 0.0: 1.0, 180.0: -1.0}
    cosines = np.cos(np.radians(angles))
    for angle, cosine in exact.items():
        cosines[angles == angle] = cosine
    return cosines


def _floor(low: Floats, high: Floats) -> Floats:
    """The corners of a floor at height 0, and how high one can go over its zero; (5, 3)."""
    (left, front, _), (right, back, top) = low, high
    corners = [[left, front, 0], [right, front, 0], [right, back, 0], [left, back, 0]]
    return np.array([*corners, [0, 0, top]], dtype=np.float64)
