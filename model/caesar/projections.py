"""From two letters to all 26: how far each rotation's arrow reaches along the ciphertext's.

Source: Dan Wilhelm, LLM Foundations, chapter 1, which draws two letters as axes. There a long arrow
can have the largest dot product and a short one the smallest angle; with all 26 letters the arrows
are equally long, so that one arrow has both. Counts and frequencies are whole numbers of units, and
so are products of them: which is longest, narrower, or beside the line is decided on these.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, finite, sealed, sealed_ints
from clockhead.model.caesar.cipher import N_ROTATIONS, PER_UNIT, templates, unit_templates
from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.caesar.geometry import LetterPlane, TwoRules
from clockhead.model.caesar.letter_planes import LetterPlanes
from clockhead.model.tokens import LETTERS
from clockhead.model.units import Degrees, Doc, Factor, Letters, Radians, Rotation

ROOM = 0.9
"""Share of the length with all letters that the longest arrow of the plane gets when enlarged."""


@dataclass(frozen=True)
class Shadows:
    """A cryptogram seen along two letters, then three, and so on to all 26.

    The arrow of a rotation casts a shadow on the ciphertext's: its length times the cosine of the
    angle between them. Rows count the letters, 2 to 26: x, y, then the others from a to z.
    """

    plane: Annotated[LetterPlane, Doc("the two letters that come first")]

    @cached_property
    def order(self) -> Ints:
        """The letters in the order in which they join; shape (26,)."""
        others = np.setdiff1d(np.arange(N_ROTATIONS), self.plane.axes)
        return sealed_ints(np.concatenate([self.plane.axes, others]))

    @cached_property
    def n_letters(self) -> Ints:
        """How many letters have joined, 2 to 26; shape (25,)."""
        return sealed_ints(np.arange(2, N_ROTATIONS + 1))

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
        """How far each rotation's tip is from its shadow; shape (25, 26).

        |c|^2 |f|^2 - (c f)^2 in whole numbers, over |f|^2; for two letters, the cross product's
        square. A difference of squared lengths would lose digits near the line.
        """
        counted = self.plane.cryptogram.counts[self.order]  # (26,)
        rows = unit_templates()[:, self.order]  # (26, 26), rotation by letter
        own = (counted**2).cumsum()[1:, None]  # (25, 1)
        squares = (rows**2).cumsum(axis=1)[:, 1:].T  # (25, 26)
        across = squares * own - (rows * counted).cumsum(axis=1)[:, 1:].T ** 2  # (25, 26)
        return sealed(np.sqrt(across / own) / PER_UNIT)

    @cached_property
    def angles(self) -> Floats:
        """Between each rotation and the ciphertext, in radians; shape (25, 26)."""
        return sealed(np.arctan2(self.heights, self.shadows))

    # Where the tips are if the ciphertext's arrow is the first axis

    @property
    def slope(self) -> Radians:
        """How steep the ciphertext's arrow is in the plane of the two letters."""
        return self.plane.slope

    @cached_property
    def sides(self) -> Ints:
        """On which side of the ciphertext each arrow of the plane is; shape (26,).

        1 where it takes a turn from x towards y to reach it, or none, and -1 the other way.
        """
        return sealed_ints(np.where(self._in_plane.crosses[0] >= 0, 1, -1))

    @cached_property
    def beside(self) -> Floats:
        """The tips along the ciphertext and across it, on their sides; shape (25, 26, 2).

        Row 0 is the plane turned as a whole by -slope.
        """
        return sealed(np.stack([self.shadows, self.sides * self.heights], axis=-1))

    @cached_property
    def own(self) -> Floats:
        """The tip of the ciphertext's arrow, which is the first axis; shape (25, 2)."""
        return sealed(np.stack([self.own_lengths, np.zeros_like(self.own_lengths)], axis=-1))

    @cached_property
    def tips(self) -> Floats:
        """`beside` and, last, `own`: the tips of all arrows; shape (25, 27, 2)."""
        return sealed(np.concatenate([self.beside, self.own[:, None]], axis=1))

    # In the plane

    @property
    def longest(self) -> Rotation:
        """In the plane, the rotation of the longest shadow, which is the largest dot product.

        Of equals, the one at the smallest angle.
        """
        return int(self._in_plane.longest[0])

    @property
    def rival(self) -> Rotation:
        """In the plane, a rotation at a smaller angle whose shadow is shorter; else the longest.

        Of several, the one that is found with all letters, or else the one that shows it best: far
        narrower, and not too short to be seen.
        """
        if self.misleads:
            return self.narrowest
        return int(self._in_plane.gaps[0].argmax()) if self.clarity > 0 else self.longest

    @property
    def misleads(self) -> bool:
        """Whether, in the plane, another arrow has a longer shadow than the one found with all.

        It does so though that one points closer.
        """
        return bool(self._in_plane.misleads[0])

    @property
    def rules_differ(self) -> bool:
        """Whether, in the plane, another arrow than that of the longest shadow points closer."""
        return self.rival != self.longest

    @property
    def longest_angle(self) -> Degrees:
        """In the plane, the angle of the longest shadow's arrow to the ciphertext."""
        return math.degrees(self.angles[0, self.longest])

    @property
    def rival_angle(self) -> Degrees:
        """In the plane, the angle of the rival to the ciphertext."""
        return math.degrees(self.angles[0, self.rival])

    @property
    def clarity(self) -> Factor:
        """How well the plane shows that angle and shadow are not the same; 0 if it does not."""
        return float(self._in_plane.clarity[0])

    @property
    def openness(self) -> Factor:
        """How well the plane shows that the longest shadow misleads; 0 if it does not.

        The smallest angle between rival, ciphertext and axes, or by which the rival is narrower,
        in radians; times the length of the rival.
        """
        return float(self._in_plane.openness[0])

    @property
    def zoom(self) -> Factor:
        """How much the plane may grow until its longest arrow has .9 of the length with all."""
        return ROOM * float(self.lengths[-1, 0] / self.lengths[0].max())

    # With all letters

    @property
    def n_all(self) -> Letters:
        """How many letters have joined in the end."""
        return N_ROTATIONS

    @property
    def narrowest(self) -> Rotation:
        """With all letters, the rotation of the smallest angle, the first of equals.

        All lengths are equal there, so that exact dot products put the angles in order.
        """
        return int(self.plane.cryptogram.ranking[0])

    @property
    def next_narrowest(self) -> Rotation:
        """With all letters, the rotation of the next smallest angle, or of an equal one."""
        return int(self.plane.cryptogram.ranking[1])

    @property
    def found_angle(self) -> Degrees:
        """With all letters, the smallest angle to the ciphertext."""
        return math.degrees(self.angles[-1, self.narrowest])

    @property
    def next_angle(self) -> Degrees:
        """With all letters, the next smallest angle to the ciphertext."""
        return math.degrees(self.angles[-1, self.next_narrowest])

    @cached_property
    def _in_plane(self) -> LetterPlanes:
        return LetterPlanes(self.plane.cryptogram, np.array([self.plane.axes]))


def telling_plane(cryptogram: Cryptogram, x: str = "", y: str = "") -> LetterPlane:
    """The two letters that show best that the longest shadow may mislead; one may be given.

    They are letters of the ciphertext, or one of them is. Where no pair hides the rotation found
    with all 26 in this way, they show best that a shorter arrow may point closer.
    """
    pairs = np.array(list(combinations(range(N_ROTATIONS), 2)))
    if x or y:
        given = LETTERS.tokens.index(x or y)
        others = np.setdiff1d(np.arange(N_ROTATIONS), given)
        pairs = np.stack([np.full_like(others, given), others], axis=1)
        pairs = pairs if x else pairs[:, ::-1]
    held = cryptogram.counts[pairs].any(axis=1)
    planes = LetterPlanes(cryptogram, pairs[held])
    first, second = planes.axes[planes.best]
    return LetterPlane(cryptogram, LETTERS.tokens[first], LETTERS.tokens[second])


@dataclass(frozen=True, eq=False)
class Compared:
    """A cryptogram whose templates are equally long, and two templates that are not.

    Raises ValueError unless `beside` holds two coordinates for each of the 26 rotations.
    """

    cryptogram: Annotated[Cryptogram, Doc("the message, its ciphertext and its rotation")]
    beside: Annotated[Floats, Doc("tips along and across the ciphertext's arrow; shape (26, 2)")]
    unequal: Annotated[TwoRules, Doc("templates of unequal length, which part the two rules")]

    def __post_init__(self) -> None:
        if finite("beside", self.beside).shape != (N_ROTATIONS, 2):
            raise ValueError(f"beside must have shape (26, 2), got {np.shape(self.beside)}")

    @classmethod
    def of(cls, cryptogram: Cryptogram) -> Compared:
        """With all letters, on the sides that the most telling plane gives them."""
        return cls(cryptogram, Shadows(telling_plane(cryptogram)).beside[-1], TwoRules())

    @cached_property
    def own(self) -> Floats:
        """The tip of the ciphertext's arrow, which is the first axis; shape (2,)."""
        return sealed(np.array([math.sqrt(self.cryptogram.own_square), 0.0]))

    @cached_property
    def tips(self) -> Floats:
        """`beside` and, last, `own`: the tips of all arrows; shape (27, 2)."""
        return sealed(np.vstack([self.beside, self.own]))

    @cached_property
    def sums(self) -> Floats:
        """Twice the dot product plus the squared error of every rotation, all alike; (26,)."""
        return sealed(self.cryptogram.stacked.sum(axis=1))

    @property
    def nearest(self) -> Rotation:
        """The rotation of the smallest squared error, the first of equals.

        All lengths are equal, so that exact dot products put the errors in order.
        """
        return self.cryptogram.found
