"""When the template of the largest dot product is also the one of the smallest error.

Source: Dan Wilhelm, LLM Foundations, chapter 1, Theorem 1 and the picture of two letters as axes.
|f - c|^2 = |f|^2 + |c|^2 - 2 f c: for templates of one length, only the dot product differs between
them. In the plane of two letters the templates have different lengths, and the two can differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, TypeAlias

import numpy as np

from clockhead.model.arrays import Floats, finite, sealed
from clockhead.model.caesar.cipher import templates
from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.caesar.scores import dot_products, squared_errors
from clockhead.model.tokens import LETTERS
from clockhead.model.units import Doc, Radians, Unit

Row: TypeAlias = Annotated[int, Unit("template, from 0")]

UNEQUAL = ((0.2, 0.4), (0.8, 0.0))  # two templates of different length that part the two rules
BETWEEN = (0.5, 0.4)  # a histogram nearer to the first, with a larger dot product with the second


@dataclass(frozen=True)
class TwoRules:
    """A histogram (K,) against templates (R, K): largest dot product or smallest squared error.

    Raises ValueError for other shapes.
    """

    histogram: Annotated[tuple[float, ...], Doc("shares of the letters; shape (K,)")] = BETWEEN
    templates: Annotated[
        tuple[tuple[float, ...], ...], Doc("what it is compared with; shape (R, K)")
    ] = UNEQUAL

    def __post_init__(self) -> None:
        finite("histogram", self.histogram, n_axes=1)
        _ = self.dot_products

    @property
    def names(self) -> tuple[str, ...]:
        """What the templates are called: A, B, C and so on; R of them."""
        return tuple(LETTERS.tokens[row].upper() for row in range(len(self.templates)))

    @property
    def larger(self) -> str:
        """Which template has the largest dot product, by name."""
        return self.names[self.best_by_dot]

    @property
    def nearer(self) -> str:
        """Which template has the smallest squared error, by name."""
        return self.names[self.best_by_error]

    @cached_property
    def dot_products(self) -> Floats:
        """f c for every template; shape (R,)."""
        return sealed(dot_products(self.histogram, self.templates))

    @cached_property
    def squared_errors(self) -> Floats:
        """|f - c|^2 for every template; shape (R,)."""
        return sealed(squared_errors(self.histogram, self.templates))

    @cached_property
    def twice(self) -> Floats:
        """Twice every dot product; shape (R,)."""
        return sealed(2 * self.dot_products)

    @cached_property
    def sums(self) -> Floats:
        """Twice the dot product plus the squared error of every template; shape (R,)."""
        return sealed(self.twice + self.squared_errors)

    @cached_property
    def tips(self) -> Floats:
        """Along and across the histogram's arrow: the templates and, last, it; shape (R + 1, 2).

        Raises ValueError unless there are two letters.
        """
        x, y = self.histogram
        arrows = np.vstack([self.templates, self.histogram])  # (R + 1, 2)
        return sealed(arrows @ np.array([[x, -y], [y, x]]) / np.hypot(x, y))

    @property
    def best_by_dot(self) -> Row:
        """The template of the largest dot product, the first of equals."""
        return int(self.dot_products.argmax())

    @property
    def best_by_error(self) -> Row:
        """The template of the smallest squared error, the first of equals."""
        return int(self.squared_errors.argmin())

    @property
    def agree(self) -> bool:
        """Whether both rules pick the same template."""
        return self.best_by_dot == self.best_by_error


@dataclass(frozen=True)
class LetterPlane:
    """A cryptogram seen along two letters: every rotation an arrow, the ciphertext another.

    Raises ValueError unless x and y are different letters a to z and the ciphertext holds one of
    them: without either its arrow has no direction.
    """

    cryptogram: Annotated[Cryptogram, Doc("the message, its ciphertext and its rotation")]
    x: Annotated[str, Doc("the letter along the first axis")] = "e"
    y: Annotated[str, Doc("the letter along the second axis")] = "b"

    def __post_init__(self) -> None:
        if self.x == self.y:
            raise ValueError(f"x and y must be different letters, got {self.x!r} twice")
        if not self.arrow.any():
            raise ValueError(
                f"x or y must be a letter of the ciphertext {self.cryptogram.ciphertext!r}, "
                f"got {self.x!r} and {self.y!r}"
            )

    @cached_property
    def axes(self) -> tuple[int, int]:
        """The indices of the two letters."""
        first, second = LETTERS.encode((self.x, self.y))
        return int(first), int(second)

    @cached_property
    def arrows(self) -> Floats:
        """The two entries of every template; shape (26, 2)."""
        return sealed(templates()[:, list(self.axes)])

    @cached_property
    def arrow(self) -> Floats:
        """The two entries of the ciphertext's histogram; shape (2,)."""
        return sealed(self.cryptogram.histogram[list(self.axes)])

    @cached_property
    def tips(self) -> Floats:
        """The tips of all arrows, the ciphertext's last; shape (27, 2)."""
        return sealed(np.vstack([self.arrows, self.arrow]))

    @property
    def slope(self) -> Radians:
        """How steep the ciphertext's arrow is, from 0 along x to a right angle along y."""
        return float(np.arctan2(self.arrow[1], self.arrow[0]))
