"""A picture read by small filters: sums over windows, ReLU, pooling, and a score for each class.

Source: primer on attention, section 1 and appendix B. What nets call a convolution does not turn
its filter round; elsewhere that is a cross-correlation. A filter stops wherever its whole window
lies on the picture. Pooling goes on by one cell at a time, which the primer does not say.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, finite, sealed
from clockhead.model.attention.pattern import softmax
from clockhead.model.units import Count, Doc, Factor, Score, Share, Unit

SIDE, PATCH = 3, 2
"""The side of a filter's window, and of what pooling takes together."""
VERTICAL = ((-1.0, 2.0, -1.0),) * SIDE
HORIZONTAL = ((-1.0,) * SIDE, (2.0,) * SIDE, (-1.0,) * SIDE)
STROKE = ((0.0, 0.0, 1.0, 0.0, 0.0),) * 5
_ALMOST_NONE, _ALMOST_ALL = float(np.finfo(float).tiny), float(np.nextafter(1.0, 0.0))
_SAME = 1e-12
"""Sums are equal that differ by less than this share of what was added up: that is rounding."""


def windows(grid: ArrayLike, side: int) -> Floats:
    """All square windows of a grid (H, W); shape (H - side + 1, W - side + 1, side, side).

    Raises ValueError where the grid is smaller than one of them.
    """
    table = finite("grid", grid, 2)
    if min(table.shape) < side:
        raise ValueError(f"grid must hold a window of {side} x {side}, got shape {table.shape}")
    return np.asarray(sliding_window_view(table, (side, side)))


@dataclass(frozen=True, eq=False)
class FilterPass:
    """What one filter, (3, 3), makes of a picture, (H, W).

    Raises ValueError unless the picture has at least four rows and columns, which pooling needs,
    and the filter nine weights.
    """

    image: Annotated[Floats, Doc("how much ink there is at each pixel; (H, W)")]
    weights: Annotated[Floats, Doc("how much ink counts at each place of a window; (3, 3)")]

    def __post_init__(self) -> None:
        image, weights = finite("image", self.image, 2), finite("weights", self.weights, 2)
        if min(image.shape) < SIDE + PATCH - 1:
            raise ValueError(f"image must be at least 4 x 4, got shape {image.shape}")
        if weights.shape != (SIDE, SIDE):
            raise ValueError(f"weights must be 3 x 3, got shape {weights.shape}")

    @cached_property
    def stops(self) -> Floats:
        """The pixels of each stop's window in one row; shape (stops, 9), stops row by row."""
        return sealed(windows(self.image, SIDE).reshape(-1, SIDE * SIDE))

    @cached_property
    def column(self) -> Floats:
        """The nine weights as a column; shape (9, 1)."""
        return sealed(finite("weights", self.weights).reshape(-1, 1).copy())

    @cached_property
    def sums(self) -> Floats:
        """Pixels times weights, added up, at each stop; shape (stops, 1)."""
        found = self.stops @ self.column
        return sealed(np.where(np.abs(found) > self._rounding[:, None], found, 0.0))

    @cached_property
    def feature_map(self) -> Floats:
        """The sums where their windows are; shape (H - 2, W - 2)."""
        rows, columns = np.shape(self.image)
        return sealed(self.sums.reshape(rows - SIDE + 1, columns - SIDE + 1).copy())

    @property
    def n_stops(self) -> Count:
        """At how many places the whole window lies on the picture."""
        return len(self.stops)

    @cached_property
    def rectified(self) -> Floats:
        """The sums, or 0 where they are below it (ReLU); shape (H - 2, W - 2)."""
        return sealed(np.maximum(self.feature_map, 0.0))

    @cached_property
    def pooled(self) -> Floats:
        """The largest of each 2 x 2 patch of them; shape (H - 3, W - 3)."""
        return sealed(windows(self.rectified, PATCH).max(axis=(2, 3)))

    @property
    def n_negative(self) -> Count:
        """How many sums are below zero."""
        return int((self.feature_map < 0).sum())

    @property
    def largest(self) -> Score:
        """The largest sum of all."""
        return float(self.feature_map.max())

    @property
    def is_flat(self) -> bool:
        """Whether every sum is exactly zero."""
        return not self.feature_map.any()

    @property
    def is_silent(self) -> bool:
        """Whether no sum is above zero, so that nothing is left after ReLU."""
        return not self.rectified.any()

    @property
    def evidence(self) -> Score:
        """All that is left after pooling, added up."""
        return float(self.pooled.sum())

    @cached_property
    def _rounding(self) -> Floats:
        """How far from 0 a sum may be for rounding alone; shape (stops,)."""
        return np.asarray(_SAME * np.abs(self.stops * self.column[:, 0]).sum(axis=1))


@dataclass(frozen=True, eq=False)
class FilterNet:
    """Two filters on one picture, and the score of a class for each: its filter's evidence.

    The last layer's weights are 1 for the class's own filter and 0 for the other's.
    """

    first: FilterPass
    second: FilterPass
    names: tuple[str, str] = ("vertical", "horizontal")

    @classmethod
    def on(
        cls,
        image: ArrayLike,
        filters: tuple[ArrayLike, ArrayLike] = (VERTICAL, HORIZONTAL),
        names: tuple[str, str] = ("vertical", "horizontal"),
    ) -> FilterNet:
        """The net over a picture (H, W), with two filters of (3, 3)."""
        pixels = finite("image", image, 2)
        first, second = (FilterPass(pixels, finite("weights", one, 2)) for one in filters)
        return cls(first, second, names)

    @cached_property
    def pooled(self) -> Floats:
        """What is left of both pictures after pooling, in a row each; shape (2, cells)."""
        return sealed(np.stack([self.first.pooled.ravel(), self.second.pooled.ravel()]))

    @cached_property
    def logits(self) -> Floats:
        """The score of each class; shape (2,)."""
        return sealed(self.pooled.sum(axis=1))

    @cached_property
    def shares(self) -> Floats:
        """The probability of each class, by softmax; shape (2,).

        None is all or nothing, though rounding might make it so.
        """
        return sealed(np.clip(softmax(self.logits), _ALMOST_NONE, _ALMOST_ALL))

    @property
    def is_tie(self) -> bool:
        """Whether both classes score the same."""
        low, high = map(float, sorted(self.logits))
        return high - low <= _SAME * high

    @property
    def winner(self) -> Annotated[int, Unit("class, from 0")]:
        """The class that scores more, the first of equals."""
        return 0 if self.is_tie else int(self.logits.argmax())

    @property
    def answer(self) -> str:
        """The name of the class that scores more, the first of equals."""
        return self.names[self.winner]

    @property
    def score(self) -> Score:
        """What the class with the larger score has."""
        return float(self.logits[self.winner])

    @property
    def other_score(self) -> Score:
        """What the other class has."""
        return float(self.logits[1 - self.winner])

    @property
    def share(self) -> Share:
        """The probability of the class with the larger score."""
        return float(self.shares[self.winner])

    @property
    def odds(self) -> Factor:
        """How many times as likely it is as the other; infinity beyond what a float holds."""
        lead = self.score - self.other_score
        return math.exp(lead) if lead < math.log(np.finfo(float).max) else math.inf
