"""When the template of the largest dot product is also the one of the smallest error.

Source: Dan Wilhelm, LLM Foundations, chapter 1, Theorem 1 and the picture of two letters as axes.
|f - c|^2 = |f|^2 + |c|^2 - 2 f c: for templates of one length, only the dot product differs between
them. In the plane of two letters the templates have different lengths, and the two can differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Values, finite
from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.caesar.letter_planes import clearest_letters
from clockhead.model.caesar.scores import dot_products, squared_errors
from clockhead.model.films.caesar.projections import projections
from clockhead.model.tokens import LETTERS
from clockhead.model.units import Doc, Rotation, Unit

Row: TypeAlias = Annotated[int, Unit("template, from 0")]

UNEQUAL = ((0.2, 0.4), (0.8, 0.0))  # two templates of different length that part the two rules
BETWEEN = (0.5, 0.4)  # a histogram nearer to the first, with a larger dot product with the second


@dataclass(frozen=True, kw_only=True)
class TwoRules(Values):
    """A histogram of two letters against R templates: largest dot product or smallest error."""

    names: Annotated[tuple[str, ...], Doc("names of the templates: A, B, C and so on; R of them")]
    dot_products: Annotated[Floats, Doc("f c for every template; (R,)")]
    squared_errors: Annotated[Floats, Doc("|f - c|^2 for every template; (R,)")]
    twice: Annotated[Floats, Doc("twice every dot product; (R,)")]
    sums: Annotated[Floats, Doc("twice the dot product plus the error of every template; (R,)")]
    tips: Annotated[
        Floats, Doc("the templates and last the histogram, along its arrow and across; (R + 1, 2)")
    ]
    best_by_dot: Annotated[Row, Doc("the template of the largest dot product, the first of equals")]
    best_by_error: Annotated[
        Row, Doc("the template of the smallest squared error, the first of equals")
    ]
    larger: Annotated[str, Doc("the template of the largest dot product, by name")]
    nearer: Annotated[str, Doc("the template of the smallest squared error, by name")]
    agree: Annotated[bool, Doc("whether both rules pick the same template")]


def two_rules(histogram: ArrayLike = BETWEEN, templates: ArrayLike = UNEQUAL) -> TwoRules:
    """Compare a histogram (2,) with templates (R, 2). Raises ValueError for other shapes."""
    x, y = finite("histogram", histogram, n_axes=1)
    rows = finite("templates", templates, n_axes=2)  # (R, 2)
    dots, errors = dot_products((x, y), rows), squared_errors((x, y), rows)  # (R,)
    names = tuple(LETTERS.tokens[row].upper() for row in range(len(rows)))
    by_dot, by_error = int(dots.argmax()), int(errors.argmin())
    return TwoRules(
        names=names,
        dot_products=dots,
        squared_errors=errors,
        twice=2 * dots,
        sums=2 * dots + errors,
        tips=np.vstack([rows, (x, y)]) @ np.array([[x, -y], [y, x]]) / np.hypot(x, y),
        best_by_dot=by_dot,
        best_by_error=by_error,
        larger=names[by_dot],
        nearer=names[by_error],
        agree=by_dot == by_error,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class EqualLengths(Values):
    """A cryptogram whose templates are equally long, and two templates that are not."""

    cryptogram: Annotated[Cryptogram, Doc("the message, its ciphertext and its rotation")]
    tips: Annotated[
        Floats, Doc("the rotations and last the ciphertext, along its arrow and across; (27, 2)")
    ]
    sums: Annotated[
        Floats, Doc("twice the dot product plus the error of every rotation, all alike; (26,)")
    ]
    nearest: Annotated[
        Rotation, Doc("the rotation of the smallest squared error, the first of equals")
    ]
    unequal: Annotated[TwoRules, Doc("templates of unequal length, for which the rules differ")]


def equal_lengths(cryptogram: Cryptogram) -> EqualLengths:
    """Seen with all letters, on the sides that the clearest plane of two gives the arrows.

    All lengths are equal, so that exact dot products put the errors in order.
    """
    return EqualLengths(
        cryptogram=cryptogram,
        tips=projections(cryptogram, *clearest_letters(cryptogram)).tips[-1],
        sums=cryptogram.twice + cryptogram.squared_errors,
        nearest=cryptogram.found,
        unequal=two_rules(),
    )
