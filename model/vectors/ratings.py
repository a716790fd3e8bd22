"""People who rate films, as vectors: distances, dot products and cosines to the first of them.

Source: Dan Wilhelm, LLM Foundations, appendix B. Its two raters give every film the same, one much
and one little, and point the same way; its printed dot product lacks the sum over the elements.
Ratings are whole numbers, and which of two is nearer or points closer is decided on these.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

import numpy as np

from clockhead.model.arrays import Floats, Ints, sealed, sealed_ints
from clockhead.model.units import (
    Coordinate,
    Cosine,
    Count,
    Doc,
    DotProduct,
    Length,
    Place,
)

_ROUNDING = 1e-9
"""By how much a way has to be longer than another, so that rounding decides nothing."""


@dataclass(frozen=True)
class Ratings:
    """Ratings of three films by some people; the first asks who is like them.

    Distances, dot products and cosines are over the first two films, if nothing else is said.

    Raises:
        ValueError: when two people have one name, or someone gives nothing to both films.
    """

    raters: Annotated[tuple[str, ...], Doc("the people; the first one asks")]
    films: Annotated[tuple[str, ...], Doc("the films; the third one is left out at first")]
    given: Annotated[tuple[tuple[int, ...], ...], Doc("of every person, the rating of each film")]

    def __post_init__(self) -> None:
        if len(set(self.raters)) < len(self.raters):
            raise ValueError(f"raters must have different names, got {', '.join(self.raters)}")
        for rater, row in zip(self.raters, self.given, strict=True):
            if not any(row[:2]):
                raise ValueError(
                    f"ratings must not be 0 for both of the first two films, as {rater}'s are: "
                    "such an arrow has no direction"
                )

    # The arrows

    @cached_property
    def table(self) -> Ints:
        """The ratings of the first two films; shape (N, 2)."""
        return sealed_ints(np.array(self.given, dtype=np.int64)[:, :2])

    @cached_property
    def third(self) -> Ints:
        """The ratings of the third film; shape (N,)."""
        return sealed_ints(np.array(self.given, dtype=np.int64)[:, 2])

    @cached_property
    def points(self) -> Floats:
        """The tips of the arrows, the third film upwards; shape (N, 3)."""
        return sealed(np.array(self.given, dtype=np.float64))

    @property
    def n_raters(self) -> Count:
        """How many people there are."""
        return len(self.raters)

    @property
    def asker(self) -> str:
        """Who asks."""
        return self.raters[0]

    @cached_property
    def squared_lengths(self) -> Ints:
        """The squares of the lengths; shape (N,)."""
        return sealed_ints((self.table**2).sum(axis=1))

    @cached_property
    def lengths(self) -> Floats:
        """How long the arrows are; shape (N,)."""
        return sealed(np.sqrt(self.squared_lengths))

    @cached_property
    def units(self) -> Floats:
        """The arrows at length 1; shape (N, 3)."""
        return sealed(np.pad(self.table / self.lengths[:, None], ((0, 0), (0, 1))))

    # Distances

    @cached_property
    def differences(self) -> Ints:
        """By how much ratings differ from the asker's, the third film last; shape (N, 3)."""
        rows = np.array(self.given, dtype=np.int64)
        return sealed_ints(np.abs(rows - rows[0]))

    @cached_property
    def squared_distances(self) -> Ints:
        """The squares of the distances to the asker; shape (N,)."""
        return sealed_ints((self.differences[:, :2] ** 2).sum(axis=1))

    @cached_property
    def distances(self) -> Floats:
        """How far the tips are from the asker's; shape (N,)."""
        return sealed(np.sqrt(self.squared_distances))

    @cached_property
    def distances_in_space(self) -> Floats:
        """How far the tips are from the asker's with all three films; shape (N,)."""
        return sealed(np.sqrt((self.differences**2).sum(axis=1)))

    @cached_property
    def nearest(self) -> tuple[int, ...]:
        """Who is nearest to the asker."""
        return self._best(lambda k: -int(self.squared_distances[k]))

    @property
    def least_distance(self) -> Length:
        """The distance of whoever is nearest."""
        return float(self.distances[self.nearest[0]])

    @cached_property
    def far(self) -> Place:
        """Who is farthest from the asker, of equals the first."""
        return int(self.squared_distances.argmax())

    @property
    def far_across(self) -> Coordinate:
        """By how much the farthest differs on the first film."""
        return float(self.differences[self.far, 0])

    @property
    def far_up(self) -> Coordinate:
        """By how much the farthest differs on the second film."""
        return float(self.differences[self.far, 1])

    @property
    def far_high(self) -> Coordinate:
        """By how much the farthest differs on the third film."""
        return float(self.differences[self.far, 2])

    @property
    def far_distance(self) -> Length:
        """How far away the farthest is."""
        return float(self.distances[self.far])

    @property
    def far_in_space(self) -> Length:
        """How far away the farthest is with all three films."""
        return float(self.distances_in_space[self.far])

    @cached_property
    def via(self) -> Place:
        """By way of whom the detour to the farthest is shortest, if it is one at all."""
        others = [k for k in range(1, self.n_raters) if k != self.far]
        longer = [k for k in others if self._detour_by(k) > self.far_distance + _ROUNDING]
        return min(longer or others, key=lambda k: (self._detour_by(k), k))

    @property
    def detour(self) -> Length:
        """How far it is from the asker to the farthest by way of someone else."""
        return self._detour_by(self.via)

    @property
    def detour_start(self) -> Length:
        """How far it is to whoever is on the detour."""
        return float(self.distances[self.via])

    @property
    def detour_rest(self) -> Length:
        """How far it is from there to the farthest."""
        return self._rest_by(self.via)

    # Dot products

    @cached_property
    def whole_dots(self) -> Ints:
        """Dot products with the asker; shape (N,)."""
        return sealed_ints(self.table @ self.table[0])

    @cached_property
    def dots(self) -> Floats:
        """Dot products with the asker; shape (N,)."""
        return sealed(self.whole_dots.astype(np.float64))

    @cached_property
    def shadows(self) -> Floats:
        """How far each arrow reaches along the asker's; shape (N,)."""
        return sealed(self.dots / self.lengths[0])

    @cached_property
    def highest(self) -> tuple[int, ...]:
        """Whose dot product with the asker is largest."""
        return self._best(lambda k: int(self.whole_dots[k]))

    @property
    def most_dot(self) -> DotProduct:
        """The largest dot product of someone else with the asker."""
        return float(self.dots[self.highest[0]])

    @property
    def own_dot(self) -> DotProduct:
        """The dot product of the asker's arrow with itself."""
        return float(self.dots[0])

    # Cosines

    @cached_property
    def cosines(self) -> Floats:
        """The cosine of the angle between each arrow and the asker's; shape (N,)."""
        return sealed(self.dots / np.sqrt(self.squared_lengths * self.squared_lengths[0]))

    @cached_property
    def angles(self) -> Floats:
        """The angle between each arrow and the asker's, in degrees; shape (N,)."""
        return sealed(np.abs(self._turns))

    @cached_property
    def closest(self) -> tuple[int, ...]:
        """Whose arrow points closest to the asker's."""
        return self._best(self._signed_square)

    @property
    def most_cosine(self) -> Cosine:
        """The largest cosine of someone else."""
        return float(self.cosines[self.closest[0]])

    @property
    def n_winners(self) -> Count:
        """How many different answers the three measures have."""
        return len({self.nearest, self.highest, self.closest})

    @property
    def loud(self) -> Place:
        """Whose dot product with the asker is largest, of equals the first."""
        return self.highest[0]

    # How it is computed

    @cached_property
    def _turns(self) -> Floats:
        """How far each arrow is turned from the asker's, counter-clockwise, in degrees; (N,)."""
        a = self.table[0]
        crosses = a[0] * self.table[:, 1] - a[1] * self.table[:, 0]
        return sealed(np.degrees(np.arctan2(crosses, self.whole_dots)))

    def _best(self, score: Callable[[int], Any]) -> tuple[int, ...]:
        """All others of the highest score."""
        scores = {k: score(k) for k in range(1, self.n_raters)}
        return tuple(k for k, s in scores.items() if s == max(scores.values()))

    def _signed_square(self, k: int) -> tuple[int, int]:
        """The square of a cosine, with its sign, as a number that compares exactly."""
        dot, square = int(self.whole_dots[k]), int(self.squared_lengths[k])
        common = math.prod(int(s) for s in self.squared_lengths[1:])
        return (int(math.copysign(1, dot)) * dot**2 * (common // square), 0)

    def _detour_by(self, k: int) -> float:
        """How far it is to the farthest by way of k."""
        return float(self.distances[k]) + self._rest_by(k)

    def _rest_by(self, k: int) -> float:
        """How far it is from k to the farthest."""
        rest = self.table[self.far] - self.table[k]
        return math.sqrt(int(rest @ rest))
