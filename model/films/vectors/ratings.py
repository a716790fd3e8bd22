"""Raters of films as vectors: distances, dot products and cosines to the first of them (the asker).

Source: Dan Wilhelm, LLM Foundations, appendix B. Its two raters give all films the same rating, one
high and one low, and have the same direction; its printed dot product lacks the sum over the
elements. Ratings are whole numbers, so that comparisons are exact. One arrow rotates past a right
angle and back; the one with the largest dot product shrinks to a fifth and grows back. All
measurements are computed at every step of these motions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.units import (
    Coordinate,
    Cosine,
    Count,
    Degrees,
    Difference,
    Doc,
    DotProduct,
    Length,
    Place,
    Unit,
)

LEAST_PART = 0.2
"""Fraction of its length to which an arrow shrinks before it grows back."""
_ROUNDING = 1e-9
"""Smallest difference by which a path counts as longer, so that rounding does not decide."""
_DIGITS = 12
"""Decimals to which measured values are rounded."""
_STEPS = 31
_EASE = np.sin(np.linspace(0, np.pi / 2, _STEPS)) ** 2
"""Fraction of the way from one stop to the next, at every step."""
_RIGHT, _WIDE, _HALF_TURN = 90.0, 125.0, 180.0
_BETWEEN = 0.2, 0.8
"""Smallest and largest fraction of the straight path at which someone slides onto it."""


@dataclass(frozen=True, kw_only=True)
class ArrowMotion(Values):
    """N arrows that move in S steps, and their measurements with the asker's arrow."""

    points: Annotated[Floats, Doc("tips of the arrows at every step; (S, N, 3)")]
    tables: Annotated[Floats, Doc("ratings of the first two films at every step; (S, N, 2)")]
    distances: Annotated[Floats, Doc("distances to the asker at every step; (S, N)")]
    dots: Annotated[Floats, Doc("dot products with the asker at every step; (S, N)")]
    cosines: Annotated[
        Floats, Doc("cosines with the asker at every step, 0 for an arrow of length 0; (S, N)")
    ]
    shadows: Annotated[
        Floats, Doc("length of the moving arrow's projection on the asker's at every step; (S,)")
    ]
    angles: Annotated[
        Floats,
        Unit("degrees"),
        Doc("angle between the moving arrow and the asker's, in degrees; (S,)"),
    ]


@dataclass(frozen=True, kw_only=True)
class Ratings(Values):
    """Ratings of three films by N people, of whom the first (the asker) looks for the most similar.

    Distances, dot products and cosines are with the asker and over the first two films, unless
    stated otherwise.
    """

    raters: Annotated[tuple[str, ...], Doc("names of the people; the first is the asker")]
    films: Annotated[tuple[str, ...], Doc("names of the films; the third is left out at first")]
    asker: Annotated[str, Doc("name of the asker")]
    table: Annotated[Ints, Doc("ratings of the first two films; (N, 2)")]
    third: Annotated[Ints, Doc("ratings of the third film; (N,)")]
    points: Annotated[Floats, Doc("tips of the arrows, with the third film as height; (N, 3)")]
    lengths: Annotated[Floats, Doc("lengths of the arrows; (N,)")]
    units: Annotated[Floats, Doc("arrows at length 1; (N, 3)")]
    unit_length: Annotated[
        Length, Doc("length to which arrows are normalized to compare directions, 1")
    ]
    own_length: Annotated[Length, Doc("length of the asker's arrow")]

    # Distances
    distances: Annotated[Floats, Doc("distances of the tips from the asker's; (N,)")]
    nearest: Annotated[tuple[int, ...], Doc("nearest people to the asker, all that tie")]
    nearest_marks: Annotated[Ints, Doc("0 for the nearest and -1 for others; (N,)")]
    least_distance: Annotated[Length, Doc("smallest distance to the asker")]
    far: Annotated[Place, Doc("farthest person from the asker, the first if several tie")]
    far_across: Annotated[
        Coordinate, Doc("difference between the farthest and the asker on the first film")
    ]
    far_up: Annotated[
        Coordinate, Doc("difference between the farthest and the asker on the second film")
    ]
    far_high: Annotated[
        Coordinate, Doc("difference between the farthest and the asker on the third film")
    ]
    far_distance: Annotated[Length, Doc("distance of the farthest from the asker")]
    far_in_space: Annotated[
        Length, Doc("distance of the farthest from the asker over all three films")
    ]
    legs: Annotated[Floats, Doc("path from the asker to the farthest along both axes; (3, 3)")]
    turns_left: Annotated[bool, Doc("whether this path turns left at its corner or goes straight")]
    straight: Annotated[
        Floats, Doc("straight line from the asker to the farthest, over two films; (2, 3)")
    ]
    rise: Annotated[
        Floats,
        Doc("path along this line, up to the farthest, and straight back to the asker; (4, 3)"),
    ]
    via: Annotated[
        Place,
        Doc("person with the shortest detour to the farthest, if possible not a straight line"),
    ]
    detour: Annotated[
        Length, Doc("length of the detour from the asker through that person to the farthest")
    ]
    detour_start: Annotated[Length, Doc("distance from the asker to that person")]
    detour_rest: Annotated[Length, Doc("distance from that person to the farthest")]
    detour_path: Annotated[Floats, Doc("corners of the detour; (3, 3)")]
    detour_turns_left: Annotated[bool, Doc("whether the detour turns left or goes straight")]
    slid: Annotated[
        ArrowMotion, Doc("motion of that person onto the straight line, with a rest, and back")
    ]
    slid_ways: Annotated[Floats, Doc("corners of the detour during this motion; (S, 3, 3)")]

    # Dot products
    dots: Annotated[Floats, Doc("dot products with the asker; (N,)")]
    shadows: Annotated[Floats, Doc("length of each arrow's projection on the asker's; (N,)")]
    own_dot: Annotated[DotProduct, Doc("dot product of the asker's arrow with itself")]
    most_dot: Annotated[DotProduct, Doc("largest dot product of another person with the asker")]
    quiet_dot: Annotated[DotProduct, Doc("the same dot product with that arrow a fifth as long")]
    highest: Annotated[tuple[int, ...], Doc("people with the largest dot product, all that tie")]
    highest_marks: Annotated[
        Ints, Doc("0 for people with the largest dot product and -1 for others; (N,)")
    ]
    loud: Annotated[Place, Doc("person with the largest dot product, the first if several tie")]
    loud_length: Annotated[Length, Doc("length of the arrow with the largest dot product")]
    loud_shadow: Annotated[Length, Doc("length of this arrow's projection on the asker's")]
    loud_cosine: Annotated[Cosine, Doc("cosine between this arrow and the asker's")]
    loud_angle: Annotated[Degrees, Doc("angle between this arrow and the asker's")]
    shrunk: Annotated[
        ArrowMotion, Doc("motion in which the arrow with the largest dot product shrinks")
    ]
    turner: Annotated[Place, Doc("person whose arrow rotates, the first of the nearest")]
    starts_wide: Annotated[bool, Doc("whether this arrow is beyond a right angle at first")]
    turner_angle: Annotated[Degrees, Doc("angle between this arrow and the asker's")]
    turner_shadow: Annotated[Length, Doc("length of this arrow's projection on the asker's")]
    turned: Annotated[
        ArrowMotion,
        Doc("motion of this arrow to a right angle with the asker's, beyond it, and back"),
    ]

    # Cosines
    cosines: Annotated[Floats, Doc("cosine between each arrow and the asker's; (N,)")]
    angles: Annotated[Floats, Doc("angle between each arrow and the asker's, in degrees; (N,)")]
    closest: Annotated[tuple[int, ...], Doc("people with the largest cosine, all that tie")]
    closest_marks: Annotated[
        Ints, Doc("0 for people with the largest cosine and -1 for others; (N,)")
    ]
    most_cosine: Annotated[Cosine, Doc("largest cosine of another person with the asker")]
    cosine_distance: Annotated[
        Difference, Doc("1 minus the cosine of the arrow with the largest dot product")
    ]
    unit_gap: Annotated[
        Length, Doc("distance between its tip and the asker's with both at length 1")
    ]
    unit_chord: Annotated[Floats, Doc("line between these two tips; (2, 3)")]
    n_winners: Annotated[Count, Doc("number of different answers of the three measures")]
    normed: Annotated[ArrowMotion, Doc("motion of all arrows to length 1")]
    swung: Annotated[
        ArrowMotion,
        Doc("motion of `turner` at length 1 to the asker's direction, to 90°, and to the opposite"),
    ]
    circle: Annotated[Floats, Doc("unit circle through all tips at length 1; (97, 3)")]

    # Bounds of the drawing
    room: Annotated[
        Floats,
        Doc(
            "corners of a floor for everything drawn, a point at the top, and all tips; (5 + N, 3)"
        ),
    ]
    unit_room: Annotated[Floats, Doc("the same for arrows of length 1; (5 + N, 3)")]


def ratings(raters: Sequence[str], films: Sequence[str], given: Sequence[Sequence[int]]) -> Ratings:
    """Compare people by their ratings `given` (N, 3) of three films.

    Raises ValueError for equal names, and for someone who rates both of the first two films 0.
    """
    if len(set(raters)) < len(raters):
        raise ValueError(f"raters must have different names, got {', '.join(raters)}")
    for rater, row in zip(raters, given, strict=True):
        if not any(row[:2]):
            raise ValueError(
                f"ratings must not be 0 for both of the first two films, as {rater}'s are: "
                "such an arrow has no direction"
            )
    rows = np.array(given, dtype=np.int64)  # (N, 3)
    table, points = rows[:, :2], rows.astype(np.float64)
    squares = (table**2).sum(axis=1)  # (N,), whole numbers
    lengths = np.sqrt(squares)
    units = np.pad(table / lengths[:, None], ((0, 0), (0, 1)))  # (N, 3)

    differences = np.abs(rows - rows[0])  # (N, 3)
    squared_distances = (differences[:, :2] ** 2).sum(axis=1)
    distances, in_space = np.sqrt(squared_distances), np.sqrt((differences**2).sum(axis=1))
    nearest = _best(-squared_distances)
    far = int(squared_distances.argmax())
    start, end = points[0], points[far]
    legs = np.array([start, [end[0], start[1], start[2]], [end[0], end[1], start[2]]])
    straight = legs[[0, 2]]
    far_distance = float(distances[far])
    rests = np.sqrt(((table[far] - table) ** 2).sum(axis=1))  # (N,)
    detours = distances + rests
    others = [k for k in range(1, len(rows)) if k != far]
    longer = [k for k in others if detours[k] > far_distance + _ROUNDING]
    via = min(longer or others, key=lambda k: (float(detours[k]), k))
    detour_path = points[[0, via, far]]
    slid = _slide(points, straight, via)

    whole_dots = table @ table[0]
    dots = whole_dots.astype(np.float64)
    shadows = dots / lengths[0]
    highest = _best(whole_dots)
    loud = highest[0]
    quiet = points.copy()
    quiet[loud, :2] *= LEAST_PART

    cosines = dots / np.sqrt(squares * squares[0])
    crosses = table[0, 0] * table[:, 1] - table[0, 1] * table[:, 0]
    turns = np.degrees(np.arctan2(crosses, whole_dots))  # (N,), counter-clockwise
    angles = np.abs(turns)
    closest = _best(_signed_squares(whole_dots, squares))
    turner = nearest[0]
    starts_wide = bool(whole_dots[turner] < 0)
    beyond = _HALF_TURN - _WIDE if starts_wide else _WIDE
    turn = float(turns[turner])
    turned = _rotate(points, units[0], turner, turn, (_RIGHT, beyond))
    swung = _rotate(units, units[0], turner, turn, (0.0, _RIGHT, _HALF_TURN))
    around = np.linspace(0, 2 * np.pi, 97)
    circle = np.stack([np.cos(around), np.sin(around), 0 * around], axis=1)

    along = shadows[:, None] * units[0]  # (N, 3)
    drawn = np.vstack([along, points, turned.points.reshape(-1, 3)]).round(_DIGITS)
    low = np.floor(np.minimum(drawn.min(axis=0), -1.0))
    high = np.ceil(np.maximum(drawn.max(axis=0), 1.0))
    high[2] = max(1.0, points[:, 2].max())

    def marks(winners: tuple[int, ...]) -> Ints:
        return np.where(np.isin(np.arange(len(rows)), winners), 0, -1)

    return Ratings(
        raters=tuple(raters),
        films=tuple(films),
        asker=raters[0],
        table=table,
        third=rows[:, 2],
        points=points,
        lengths=lengths,
        units=units,
        unit_length=1.0,
        own_length=float(lengths[0]),
        distances=distances,
        nearest=nearest,
        nearest_marks=marks(nearest),
        least_distance=float(distances[nearest[0]]),
        far=far,
        far_across=float(differences[far, 0]),
        far_up=float(differences[far, 1]),
        far_high=float(differences[far, 2]),
        far_distance=far_distance,
        far_in_space=float(in_space[far]),
        legs=legs,
        turns_left=_turns_left(legs),
        straight=straight,
        rise=np.vstack([straight, points[[far, 0]]]),
        via=via,
        detour=float(detours[via]),
        detour_start=float(distances[via]),
        detour_rest=float(rests[via]),
        detour_path=detour_path,
        detour_turns_left=_turns_left(detour_path),
        slid=slid,
        slid_ways=slid.points[:, [0, via, far]],
        dots=dots,
        shadows=shadows,
        own_dot=float(dots[0]),
        most_dot=float(dots[loud]),
        quiet_dot=LEAST_PART * float(dots[loud]),
        highest=highest,
        highest_marks=marks(highest),
        loud=loud,
        loud_length=float(lengths[loud]),
        loud_shadow=float(shadows[loud]),
        loud_cosine=float(cosines[loud]),
        loud_angle=float(angles[loud]),
        shrunk=_interpolate(points, quiet, loud),
        turner=turner,
        starts_wide=starts_wide,
        turner_angle=float(angles[turner]),
        turner_shadow=float(shadows[turner]),
        turned=turned,
        cosines=cosines,
        angles=angles,
        closest=closest,
        closest_marks=marks(closest),
        most_cosine=float(cosines[closest[0]]),
        cosine_distance=1.0 - float(cosines[loud]),
        unit_gap=float(np.linalg.norm(units[loud] - units[0])),
        unit_chord=units[[0, loud]],
        n_winners=len({nearest, highest, closest}),
        normed=_interpolate(points, units, turner),
        swung=swung,
        circle=circle,
        room=np.vstack([_floor(low, high), points]),
        unit_room=np.vstack([_floor(-np.ones(3), np.ones(3)), units]),
    )


def _best(scores: Sequence[Any] | Ints) -> tuple[int, ...]:
    """All people but the first who have the highest of N scores."""
    return tuple(k for k in range(1, len(scores)) if scores[k] == max(scores[1:]))


def _signed_squares(dots: Ints, squares: Ints) -> list[int]:
    """Signed squares of cosines, times a common factor that makes them whole numbers; (N,)."""
    common = math.prod(squares[1:].tolist())
    pairs = zip(dots.tolist(), squares.tolist(), strict=True)
    return [dot * abs(dot) * (common // square) for dot, square in pairs]


# Arrows that move


def _motion(points: Floats, mover: int) -> ArrowMotion:
    """Measure all arrows at every step of moving tips (S, N, 3)."""
    tables = points[..., :2].copy()
    lengths = np.linalg.norm(tables, axis=2)  # (S, N)
    both = lengths * lengths[:, :1]
    dots = _round((tables * tables[:, :1]).sum(axis=2))
    (a, b), (x, y) = tables[:, 0].T, tables[:, mover].T
    return ArrowMotion(
        points=points,
        tables=tables,
        distances=_round(np.linalg.norm(tables - tables[:, :1], axis=2)),
        dots=dots,
        cosines=_round(np.divide(dots, both, out=np.zeros_like(both), where=both > 0)),
        shadows=dots[:, mover] / np.linalg.norm(tables[:, 0], axis=1),
        angles=_round(np.degrees(np.arctan2(abs(a * y - b * x), dots[:, mover]))),
    )


def _interpolate(start: Floats, end: Floats, mover: int, shares: Floats = _EASE) -> ArrowMotion:
    """Move from one set of tips to another, at these fractions of the way."""
    part = shares[:, None, None]
    return _motion(start * (1 - part) + end * part, mover)


def _slide(points: Floats, straight: Floats, via: int) -> ArrowMotion:
    """Move person `via` onto the straight line, rest there, and move back."""
    start, way = points[0, :2], np.diff(straight[:, :2], axis=0)[0]
    square = max(float(way @ way), 1.0)
    share = np.clip((points[via, :2] - start) @ way / square, *_BETWEEN)
    ends = points.copy()
    ends[via, :2] = start + share * way
    return _interpolate(points, ends, via, _stops(0.0, 1.0, 0.0))


def _rotate(
    points: Floats, direction: Floats, k: int, turn: float, stops: tuple[float, ...]
) -> ArrowMotion:
    """Rotate person k, who is at `turn` degrees from a direction, to each stop, and back."""
    own, side = abs(turn), 1.0 if turn >= 0 else -1.0
    angles = _stops(own, *stops, own)  # (S,)
    x, y = direction[:2] * np.linalg.norm(points[k, :2])
    cosines, sines = (_round(f(np.radians(side * angles))) for f in (np.cos, np.sin))
    series = np.repeat(points[None], len(angles), axis=0)
    tips = np.stack([x * cosines - y * sines, x * sines + y * cosines], axis=1)
    series[:, k, :2] = np.where((angles == own)[:, None], points[k, :2], tips)
    return _motion(series, k)


def _stops(*stops: float) -> Floats:
    """Numbers from stop to stop, with a rest at each stop between the first and the last; (S,)."""
    ways = [a * (1 - _EASE) + b * _EASE for a, b in pairwise(stops)]
    rests = [np.full(_STEPS, b) for b in stops[1:]]
    both = (part for pair in zip(ways, rests, strict=True) for part in pair)
    return np.concatenate([*both])[:-_STEPS]


def _round(numbers: Floats) -> Floats:
    """Round away the noise of the last digits, and replace negative zeros."""
    return np.round(numbers, _DIGITS) + 0.0


def _turns_left(path: Floats) -> bool:
    """Whether a path of three points, seen from above, turns left or goes straight."""
    first, second = np.diff(path[:, :2], axis=0)
    return bool(first[0] * second[1] - first[1] * second[0] >= 0)


def _floor(low: Floats, high: Floats) -> Floats:
    """Corners of a floor at height 0, and a point above its origin at the top height; (5, 3)."""
    (left, front, _), (right, back, top) = low, high
    corners = [[left, front, 0], [right, front, 0], [right, back, 0], [left, back, 0]]
    return np.array([*corners, [0, 0, top]], dtype=np.float64)
