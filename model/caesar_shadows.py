"""From two letters to all 26: how far each rotation's arrow reaches along the ciphertext's.

Source: Dan Wilhelm, LLM Foundations, chapter 1, which draws two letters as axes. There a long arrow
can have the largest dot product and a short one the smallest angle; with all 26 letters the arrows
are equally long, so that one arrow has both.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from model.arrays import Floats, Ints, sealed, sealed_ints
from model.caesar import N_ROTATIONS, templates
from model.caesar_geometry import LetterPlane
from model.cryptogram import Cryptogram
from model.tokens import LETTERS


@dataclass(frozen=True)
class Shadows:
    """A cryptogram seen along two letters, then three, and so on to all 26.

    The arrow of a rotation casts a shadow on the ciphertext's: its length times the cosine of the
    angle between them. Rows count the letters, 2 to 26: x, y, then the others from a to z.
    """

    plane: LetterPlane

    @cached_property
    def order(self) -> Ints:
        """The letters in the order in which they join; shape (26,)."""
        others = np.setdiff1d(np.arange(N_ROTATIONS), self.plane.axes)
        return sealed_ints(np.concatenate([self.plane.axes, others]))

    @cached_property
    def dot_products(self) -> Floats:
        """Of the ciphertext with each rotation, over the letters so far; shape (25, 26)."""
        products = self.plane.cryptogram.products[:, self.order]  # (26, 26), rotation by letter
        return sealed(products.cumsum(axis=1)[:, 1:].T)

    @cached_property
    def lengths(self) -> Floats:
        """Of each rotation's arrow; shape (25, 26). The last row is one length, 26 times."""
        squares = templates()[:, self.order] ** 2  # (26, 26)
        return sealed(np.sqrt(squares.cumsum(axis=1)[:, 1:].T))

    @cached_property
    def own_lengths(self) -> Floats:
        """Of the ciphertext's arrow; shape (25,)."""
        squares = self.plane.cryptogram.histogram[self.order] ** 2  # (26,)
        return sealed(np.sqrt(squares.cumsum()[1:]))

    @cached_property
    def shadows(self) -> Floats:
        """How far each rotation reaches along the ciphertext; shape (25, 26)."""
        return sealed(self.dot_products / self.own_lengths[:, None])

    @cached_property
    def heights(self) -> Floats:
        """How far each rotation's tip is from its shadow; shape (25, 26)."""
        return sealed(np.sqrt(np.maximum(self.lengths**2 - self.shadows**2, 0)))

    @cached_property
    def angles(self) -> Floats:
        """Between each rotation and the ciphertext, in radians; shape (25, 26)."""
        return sealed(np.arctan2(self.heights, self.shadows))

    @property
    def longest(self) -> int:
        """In the plane, the rotation of the longest shadow, which is the largest dot product."""
        return int(self.dot_products[0].argmax())

    @property
    def rival(self) -> int:
        """In the plane, a rotation at a smaller angle whose shadow is shorter; else the longest.

        Of several, the one that shows it best: far narrower, and not too short to be seen.
        """
        return int((self._gaps * self.lengths[0]).argmax()) if self.clarity > 0 else self.longest

    @property
    def clarity(self) -> float:
        """How well the plane shows that angle and shadow are not the same; 0 if it does not."""
        return float((self._gaps * self.lengths[0]).max())

    @cached_property
    def _gaps(self) -> Floats:
        """How much narrower than the longest shadow's each angle is, 0 if it is not; (26,)."""
        return sealed(np.maximum(self.angles[0, self.longest] - self.angles[0], 0))


def telling_plane(cryptogram: Cryptogram) -> LetterPlane:
    """The two letters that show best that a shorter arrow may point closer.

    They are letters of the ciphertext, or one of them is, and among pairs in which the longest
    shadow is that of the rotation found with all 26, if there are such pairs.
    """
    held = {int(k) for k in np.flatnonzero(cryptogram.counts)}
    every = combinations(range(N_ROTATIONS), 2)
    names = [(LETTERS.tokens[a], LETTERS.tokens[b]) for a, b in every if held & {a, b}]
    views = [Shadows(LetterPlane(cryptogram, *pair)) for pair in names]
    best = max(views, key=lambda view: (view.longest == cryptogram.found, view.clarity))
    return best.plane
