"""One cryptogram and everything that is computed to solve it.

Source: Dan Wilhelm, LLM Foundations, chapter 1. A histogram of few letters is
unreliable: the chapter's own four-letter example, `d edb` for `a bay`, comes out as rotation 25
and not 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from model.arrays import Floats, Ints, sealed, sealed_ints
from model.attention import softmax
from model.caesar import N_ROTATIONS, counts, decode, encode, rotate, rotation_number, templates
from model.caesar_scores import Method, scores, squared_errors


@dataclass(frozen=True)
class Cryptogram:
    """`text`, of a to z and spaces, turned forward by `rotation`, and the way back.

    Raises ValueError for another character, a text without letters, a rotation not from 0 to 25.
    """

    text: str
    rotation: int

    def __post_init__(self) -> None:
        rotation_number("rotation", self.rotation)
        if not self.n_letters:
            raise ValueError(f"text must hold at least one letter, got {self.text!r}")

    @cached_property
    def tokens(self) -> Ints:
        """The ciphertext as tokens, a to z = 0 to 25 and space = 26; shape (T,)."""
        return sealed_ints(rotate(encode(self.text), self.rotation))

    @property
    def ciphertext(self) -> str:
        """What the solver is given."""
        return decode(self.tokens)

    @cached_property
    def counts(self) -> Ints:
        """How often a to z come in the ciphertext; shape (26,)."""
        return sealed_ints(counts(self.tokens)[:N_ROTATIONS])

    @property
    def n_letters(self) -> int:
        """How many characters are letters, and so say something of the rotation."""
        return int(self.counts.sum())

    @cached_property
    def histogram(self) -> Floats:
        """Share of a to z among all tokens, spaces counted with them; shape (26,)."""
        return sealed(self.counts / len(self.tokens))

    # What the dot products say

    @cached_property
    def templates(self) -> Floats:
        """Row r is English after rotation r; shape (26, 26)."""
        return sealed(templates())

    @cached_property
    def products(self) -> Floats:
        """Height of the text times height of the template, rotation by letter; (26, 26)."""
        return sealed(self.histogram * self.templates)

    @cached_property
    def dot_products(self) -> Floats:
        """The sums of the rows of `products`, a score for each rotation; shape (26,)."""
        return sealed(self.products.sum(axis=1))

    @cached_property
    def squared_errors(self) -> Floats:
        """Squared distance of the histogram from each template; shape (26,)."""
        return sealed(squared_errors(self.histogram, self.templates))

    @property
    def own_square(self) -> float:
        """The squared length of the histogram."""
        return float(self.histogram @ self.histogram)

    @cached_property
    def template_squares(self) -> Floats:
        """The squared length of every template, one and the same; shape (26,)."""
        return sealed((self.templates**2).sum(axis=1))

    @cached_property
    def ranking(self) -> Ints:
        """The rotations from the largest dot product to the smallest; shape (26,)."""
        return sealed_ints(np.argsort(-self.dot_products, kind="stable"))

    @property
    def found(self) -> int:
        """The rotation of the largest dot product, the first of equals."""
        return int(self.dot_products.argmax())

    @property
    def place(self) -> int:
        """The place of the true rotation in the ranking, 1 if it was found."""
        return int(np.flatnonzero(self.ranking == self.rotation)[0]) + 1

    @property
    def lead(self) -> float:
        """The largest dot product minus the second largest."""
        first, second = np.sort(self.dot_products)[[-1, -2]]
        return float(first - second)

    @property
    def is_solved(self) -> bool:
        """Whether the true rotation was found."""
        return self.found == self.rotation

    @property
    def decoded(self) -> str:
        """The ciphertext turned back by the rotation that was found."""
        return decode(rotate(self.tokens, -self.found))

    # Other ways to compare

    def found_by(self, method: Method) -> int:
        """The rotation that another method finds, the first of equals."""
        return int(scores(self.histogram, method).argmax())

    @cached_property
    def posterior(self) -> Floats:
        """Probability of each rotation given the counts, all equally likely before; (26,).

        Softmax of the log-likelihoods. Dot products are scores: their softmax is nearly flat.
        """
        return sealed(softmax(scores(self.counts, "log-likelihood")))
