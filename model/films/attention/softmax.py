"""The softmax of a worked head's last row, step by step, and which tokens get most of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, sealed, sealed_ints
from clockhead.model.attention.worked_head import WorkedHead
from clockhead.model.units import Count, Score, Unit

_LARGEST = 7.0
"""Scores up to this size are raised to e as they are: e^7 is about 1000."""

Exponential = Annotated[float, Unit("e to a score")]


@dataclass(frozen=True, eq=False)
class WorkedSoftmax(WorkedHead):
    """A worked head whose last row is turned into shares before our eyes.

    Where a score of that row is so large that e to its power could not be written, the largest of
    the row is taken off all of them first: that divides every e^score by one number, and leaves
    the shares as they are.
    """

    @classmethod
    def of(cls, head: WorkedHead) -> WorkedSoftmax:
        """The same head."""
        return cls(head.tokens, head.embedding, head.w_q, head.w_k, head.w_v)

    @property
    def is_lowered(self) -> bool:
        """Whether the largest score is taken off first."""
        return bool(np.abs(self.scores[self.last]).max() > _LARGEST)

    @property
    def taken_off(self) -> Score:
        """What is taken off every score of the last row before e is raised to it."""
        return float(self.scores[self.last].max()) if self.is_lowered else 0.0

    @cached_property
    def powers(self) -> Floats:
        """What e is raised to for each token, by the last one; shape (T,)."""
        return sealed(self.scores[self.last] - self.taken_off)

    @cached_property
    def raised(self) -> Floats:
        """e to these powers; shape (T,)."""
        return sealed(np.exp(self.powers))

    @property
    def total(self) -> Exponential:
        """Their sum, by which each is divided."""
        return float(self.raised.sum())

    @cached_property
    def starts(self) -> Floats:
        """The sum of all shares before each token's; shape (T,)."""
        return sealed(np.cumsum(self.shares) - self.shares)

    @cached_property
    def most_looked_at(self) -> Ints:
        """The tokens that the last one looks at most, more than one if they tie; shape (n,)."""
        dots = self.dots[self.last]
        return sealed_ints(np.flatnonzero(dots >= dots.max() - self.rounding.max()))

    @cached_property
    def least_looked_at(self) -> Ints:
        """The tokens that the last one looks at least, more than one if they tie; shape (n,)."""
        dots = self.dots[self.last]
        return sealed_ints(np.flatnonzero(dots <= dots.min() + self.rounding.max()))

    @property
    def n_most(self) -> Count:
        """How many tokens tie for the largest share."""
        return len(self.most_looked_at)
