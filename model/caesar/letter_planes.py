"""A cryptogram seen along two letters, for many pairs of letters at once.

Source: Dan Wilhelm, LLM Foundations, chapter 1, which draws two letters as axes. Counts and
frequencies are whole numbers of units, and so are products of them: which arrow is longest,
narrower, or beside the line is decided on these.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, TypeVar

import numpy as np
from numpy.typing import NDArray

from clockhead.model.arrays import Bools, Floats, Ints, sealed, sealed_ints
from clockhead.model.caesar.cipher import PER_UNIT, templates, unit_templates
from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.units import Doc

_Kind = TypeVar("_Kind", np.int64, np.float64)


@dataclass(frozen=True, eq=False)
class LetterPlanes:
    """What tells pairs of letters apart: how well each shows that the longest shadow may mislead.

    In every plane an arrow of the ciphertext, which must not be zero, and one for each of the 26
    rotations; P planes.
    """

    cryptogram: Annotated[Cryptogram, Doc("the message, its ciphertext and its rotation")]
    axes: Annotated[Ints, Doc("the places of the letters x and y in the alphabet; shape (P, 2)")]

    @cached_property
    def longest(self) -> Ints:
        """The rotation of the longest shadow, which is the largest dot product; shape (P,).

        Of equals, the one at the smallest angle.
        """
        return sealed_ints(np.lexsort((np.abs(self.crosses), -self._scores))[:, 0])

    @cached_property
    def crosses(self) -> Ints:
        """Cross product of the ciphertext with each rotation, in units; shape (P, 26)."""
        first, second = self._counts.T[:, :, None]  # (P, 1) each
        across, up = self._units.T  # (P, 26) each
        return sealed_ints(first * up - second * across)

    @cached_property
    def narrower(self) -> Bools:
        """Whether an arrow is at a smaller angle than the longest shadow's; shape (P, 26)."""
        sizes = np.abs(self.crosses)
        winning, its_size = self._of_longest(self._scores), self._of_longest(sizes)
        return np.asarray(sizes * winning < its_size * self._scores)

    @cached_property
    def misleads(self) -> Bools:
        """Whether another arrow has a longer shadow than the one found with all letters; (P,).

        It does so though that one points closer.
        """
        return np.asarray(self.narrower[:, self._found])

    @cached_property
    def gaps(self) -> Floats:
        """How much narrower than the longest shadow's each angle is, in radians; (P, 26).

        Times the arrow's length, so that it is not too short to be seen; 0 if it is not narrower.
        """
        narrower = self._of_longest(self._angles) - self._angles
        return sealed(np.where(self.narrower, np.maximum(narrower, 0), 0.0) * self._lengths)

    @cached_property
    def clarity(self) -> Floats:
        """How well each shows that angle and shadow are not the same; 0 if it does not; (P,)."""
        return sealed(self.gaps.max(axis=1))

    @cached_property
    def openness(self) -> Floats:
        """How well each shows that the longest shadow misleads; 0 if it does not; (P,).

        The smallest angle between the rotation found, ciphertext and axes, or by which that one is
        narrower, in radians; times its length.
        """
        angle, wider = self._angles[:, self._found], self._of_longest(self._angles)[:, 0]
        slope = np.arctan2(self._shares[:, 1], self._shares[:, 0])  # (P,)
        least = np.minimum.reduce([angle, wider - angle, slope, np.pi / 2 - slope])
        return sealed(np.where(self.misleads, least * self._lengths[:, self._found], 0.0))

    @property
    def best(self) -> int:
        """The place of the plane that is most open, and of equals the clearest, the first."""
        return int(np.lexsort((-self.clarity, -self.openness))[0])

    @property
    def _found(self) -> int:
        return int(self.cryptogram.ranking[0])

    def _of_longest(self, table: NDArray[_Kind]) -> NDArray[_Kind]:
        """What a table (P, 26) has of the longest shadow's arrow; shape (P, 1)."""
        return np.take_along_axis(table, self.longest[:, None], axis=1)

    @property
    def _counts(self) -> Ints:
        return self.cryptogram.counts[self.axes]  # (P, 2)

    @property
    def _shares(self) -> Floats:
        return self.cryptogram.histogram[self.axes]  # (P, 2)

    @property
    def _units(self) -> Ints:
        return unit_templates()[:, self.axes]  # (26, P, 2)

    @cached_property
    def _scores(self) -> Ints:
        """Products of counts and frequencies, in units; shape (P, 26)."""
        return sealed_ints((self._units * self._counts).sum(axis=-1).T)

    @cached_property
    def _lengths(self) -> Floats:
        """Of every rotation's arrow; shape (P, 26)."""
        return sealed(np.sqrt((templates()[:, self.axes] ** 2).sum(axis=-1).T))

    @cached_property
    def _angles(self) -> Floats:
        """Between every rotation and the ciphertext, in radians; shape (P, 26)."""
        own = (self._counts**2).sum(axis=-1)[:, None]  # (P, 1)
        heights = np.sqrt(self.crosses**2 / own) / PER_UNIT
        products = self.cryptogram.products[:, self.axes].sum(axis=-1).T  # (P, 26)
        shadows = products / np.sqrt((self._shares**2).sum(axis=-1))[:, None]
        return sealed(np.arctan2(heights, shadows))
