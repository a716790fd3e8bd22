"""What can be read off a pattern whose band should lie `look_back` below the diagonal."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from model.arrays import Floats, Ints, sealed, sealed_ints
from model.attention import attend


class Band(ABC):
    """A head in which row m is meant to attend to its target, position m - look_back."""

    @property
    @abstractmethod
    def look_back(self) -> int:
        """How many positions before its row the target lies."""

    @property
    @abstractmethod
    def pattern(self) -> Floats:
        """Row m takes pattern[m, n] of position n, and every row sums to 1; shape (T, T)."""

    @cached_property
    def looks_at(self) -> Ints:
        """The position that gets most of each row, the first of equals; shape (T,)."""
        return sealed_ints(self.pattern.argmax(axis=1))

    @cached_property
    def target_rows(self) -> Ints:
        """The rows m that have a position m - look_back; shape (max(T - look_back, 0),)."""
        return sealed_ints(np.arange(self.look_back, len(self.pattern)))

    @cached_property
    def rows_without_target(self) -> Ints:
        """The first rows, m < look_back, which have nothing to look back to."""
        return sealed_ints(np.arange(min(self.look_back, len(self.pattern))))

    @cached_property
    def masses(self) -> Floats:
        """Attention on the target, for every row of `target_rows`; the same shape."""
        return sealed(self.pattern[self.target_rows, self.target_rows - self.look_back])

    @property
    def worst_mass(self) -> float:
        """The smallest mass on a target; ValueError if no row has a target."""
        self._require_target()
        return float(np.min(self.masses))

    @property
    def worst_row(self) -> int:
        """The row of the smallest mass, the first of equals; ValueError without a target."""
        self._require_target()
        return int(self.target_rows[np.argmin(self.masses)])

    @property
    def mean_mass(self) -> float:
        """The mean mass on a target; ValueError if no row has a target."""
        self._require_target()
        return float(self.masses.mean())

    @cached_property
    def torn_rows(self) -> Ints:
        """The rows with a target that give another position more; (0 to T - look_back,)."""
        found = self.looks_at[self.target_rows] == self.target_rows - self.look_back
        return sealed_ints(self.target_rows[~found])

    @property
    def finds_target(self) -> bool:
        """Whether every row that has a target gives it more than any other position."""
        return not self.torn_rows.size

    def output(self, values: ArrayLike) -> Floats:
        """What each position receives of `values`, (T, d) to (T, d): close to its target's row.

        Raises ValueError for another number of rows.
        """
        return attend(self.pattern, values)

    def _require_target(self) -> None:
        if not self.target_rows.size:
            raise ValueError(
                f"n_tokens must be above look_back so that some row has a target, "
                f"got {len(self.pattern)} tokens and look_back {self.look_back}"
            )
