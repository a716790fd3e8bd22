"""A smooth curve drawn in n pieces by one layer: flat pieces, or slanted ones.

Source: Dan Wilhelm's LLM Foundations, chapter 2, "how a one-layer network can approximate any
function arbitrarily well"; the curves are ours. A flat piece is a jump, a neuron that is a steep
sigmoid; a slanted one is a bend, a neuron that is a ReLU; the first flat piece takes a bias alone.
The largest error of flat pieces is at most L / (2 n), with L the steepest slope; that of slanted
ones at most M / (8 n^2), with M the largest second derivative.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Final, Literal, get_args

import numpy as np

from clockhead.model.arrays import Floats, Ints, sealed, sealed_ints, whole
from clockhead.model.units import Count, Difference, Doc, Factor

CurveName = Literal["fading wave", "bell", "arch", "ramp-up"]
CURVES: Final[dict[CurveName, Callable[[Floats], Floats]]] = {
    "fading wave": lambda x: np.asarray(np.sin(2 * np.pi * x) * np.exp(-x)),
    "bell": lambda x: np.asarray(np.exp(-0.5 * ((x - 0.5) / 0.15) ** 2)),
    "arch": lambda x: np.asarray(4 * x * (1 - x)),
    "ramp-up": lambda x: np.asarray(0.5 + 0.5 * np.tanh(6 * (x - 0.5))),
}
"""What can be drawn, on 0 to 1."""
FEWEST = 4
"""Pieces at first."""
MOST_DRAWN = 64
"""Pieces that are drawn at most."""
_WITHIN = 64
"""Points of a piece at which its error is measured."""


@dataclass(frozen=True)
class CurvePieces:
    """A curve of `CURVES` in 4 pieces, in 8, and so on: doubled so many times.

    Raises ValueError for another curve, and for less than 3 doublings.
    """

    name: Annotated[CurveName, Doc("the curve")] = "fading wave"
    n_doublings: Annotated[Count, Doc("how often the number of pieces is doubled")] = 6

    def __post_init__(self) -> None:
        if self.name not in get_args(CurveName):
            raise ValueError(f"name must be one of {', '.join(CURVES)}, got {self.name!r}")
        whole("n_doublings", self.n_doublings, at_least=3)

    @cached_property
    def counts(self) -> Ints:
        """How many pieces there are each time; shape (M,)."""
        return sealed_ints(FEWEST * 2 ** np.arange(self.n_doublings + 1))

    @property
    def fewest(self) -> Count:
        """How many pieces there are at first."""
        return int(self.counts[0])

    @property
    def most(self) -> Count:
        """How many pieces there are in the end."""
        return int(self.counts[-1])

    def at(self, x: Floats) -> Floats:
        """The curve at points of any shape."""
        return CURVES[self.name](x)

    # How far off pieces are

    @cached_property
    def flat_errors(self) -> Floats:
        """The largest error of flat pieces each time; shape (M,)."""
        return sealed(np.array([np.abs(self._off_flat(int(n))).max() for n in self.counts]))

    @cached_property
    def slanted_errors(self) -> Floats:
        """The largest error of slanted pieces each time; shape (M,)."""
        return sealed(np.array([np.abs(self._off_slanted(int(n))).max() for n in self.counts]))

    @property
    def last_flat_error(self) -> Difference:
        """The largest error of the most flat pieces."""
        return float(self.flat_errors[-1])

    @property
    def last_slanted_error(self) -> Difference:
        """The largest error of the most slanted pieces."""
        return float(self.slanted_errors[-1])

    @property
    def flat_ratio(self) -> Factor:
        """How many times as large the error is with half of the most flat pieces."""
        return float(self.flat_errors[-2] / self.flat_errors[-1])

    @property
    def slanted_ratio(self) -> Factor:
        """How many times as large the error is with half of the most slanted pieces."""
        return float(self.slanted_errors[-2] / self.slanted_errors[-1])

    @property
    def lead(self) -> Factor:
        """How many times as large the error of the most flat pieces is as of slanted ones."""
        return self.last_flat_error / self.last_slanted_error

    @property
    def lead_line(self) -> Floats:
        """The largest error of the most pieces, flat and slanted, as points over them; (2, 2)."""
        return np.array([[self.most, self.last_flat_error], [self.most, self.last_slanted_error]])

    # As it is drawn

    @cached_property
    def x(self) -> Floats:
        """Points at which the curve is drawn, the edges of all drawn pieces among them; (S,)."""
        return sealed(np.linspace(0.0, 1.0, 4 * self.most_drawn + 1))

    @cached_property
    def curve(self) -> Floats:
        """The curve at these points; shape (S,)."""
        return sealed(self.at(self.x))

    @property
    def most_drawn(self) -> Count:
        """How many pieces are drawn in the end."""
        return min(self.most, MOST_DRAWN)

    @cached_property
    def drawn_counts(self) -> Ints:
        """How many pieces there are each time, as far as they are drawn; shape (E,)."""
        return sealed_ints(self.counts[self.counts <= self.most_drawn].copy())

    @cached_property
    def stairs(self) -> Floats:
        """Flat pieces each time, as the ends of the most of them; shape (E, 2 N, 2)."""
        n = self.most_drawn
        edges = np.linspace(0.0, 1.0, n + 1)
        x = np.repeat(edges, 2)[1:-1]  # (2 N,)
        levels = [np.repeat(self._levels(int(k)), 2 * (n // int(k))) for k in self.drawn_counts]
        return sealed(np.stack([np.column_stack([x, level]) for level in levels]))

    @cached_property
    def bends(self) -> Floats:
        """Slanted pieces each time, as points at the edges of the most; shape (E, 2 N, 2).

        The inner edges come twice, so that stairs can turn into them.
        """
        x = self.stairs[0, :, 0]
        drawn = []
        for k in self.drawn_counts:
            edges = np.linspace(0.0, 1.0, int(k) + 1)
            drawn.append(np.column_stack([x, np.interp(x, edges, self.at(edges))]))
        return sealed(np.stack(drawn))

    @cached_property
    def flat_worst(self) -> Floats:
        """Where flat pieces are worst each time, from piece to curve; shape (E, 2, 2)."""
        return sealed(np.stack([self._worst(int(n), self._off_flat) for n in self.drawn_counts]))

    @cached_property
    def slanted_worst(self) -> Floats:
        """Where slanted pieces are worst each time, from piece to curve; shape (E, 2, 2)."""
        worst = [self._worst(int(n), self._off_slanted) for n in self.drawn_counts]
        return sealed(np.stack(worst))

    def _worst(self, n: int, off: Callable[[int], Floats]) -> Floats:
        """The piece and the curve where they are farthest apart, as points; shape (2, 2)."""
        found = off(n)
        at = np.unravel_index(np.abs(found).argmax(), found.shape)
        x = self._within(n)[at]
        y = float(self.at(x))
        return np.array([[x, y - found[at]], [x, y]])

    def _levels(self, n: int) -> Floats:
        """The curve in the middle of each of n pieces; shape (n,)."""
        return self.at((np.arange(n) + 0.5) / n)

    def _within(self, n: int) -> Floats:
        """Points in each of n pieces, both ends too; shape (n, P)."""
        return (np.arange(n)[:, None] + np.linspace(0.0, 1.0, _WITHIN + 1)) / n

    def _off_flat(self, n: int) -> Floats:
        """The curve less each flat piece; shape (n, P)."""
        return np.asarray(self.at(self._within(n)) - self._levels(n)[:, None])

    def _off_slanted(self, n: int) -> Floats:
        """The curve less each slanted piece; shape (n, P)."""
        x, edges = self._within(n), np.linspace(0.0, 1.0, n + 1)
        return np.asarray(self.at(x) - np.interp(x, edges, self.at(edges)))
