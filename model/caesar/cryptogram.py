"""One cryptogram and everything that is computed to solve it.

Source: Dan Wilhelm, LLM Foundations, chapter 1. A histogram of few letters is
unreliable: the chapter's own four-letter example, `d edb` for `a bay`, comes out as rotation 25
and not 3. Which rotation scores most, and in which place the true one is, follow from whole
numbers: counts times frequencies in units of 1e-5. So equals are equal, whatever rounding does.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, sealed, sealed_ints
from clockhead.model.caesar.cipher import (
    ENGLISH,
    ENGLISH_UNITS,
    N_ROTATIONS,
    PER_UNIT,
    counts,
    decode,
    encode,
    rotate,
    rotation_number,
    templates,
    unit_templates,
)
from clockhead.model.caesar.scores import squared_errors
from clockhead.model.tokens import LETTERS
from clockhead.model.units import (
    Characters,
    Count,
    Doc,
    DotProduct,
    Letter,
    Letters,
    Rank,
    Rotation,
    Share,
    SquaredError,
    SquaredLength,
)

COMMONEST = int(ENGLISH_UNITS.argmax())
"""Index of the letter that is commonest in English, e."""

MOST_NAMED = 3
"""More rotations that share first place are counted and not named."""


@dataclass(frozen=True)
class Cryptogram:
    """`text`, of a to z and spaces, turned forward by `rotation`, and the way back.

    Raises ValueError for another character, a text without letters, a rotation not from 0 to 25.
    """

    text: Annotated[str, Doc("the plaintext")]
    rotation: Annotated[Rotation, Doc("how far every letter is turned forward, the true rotation")]

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
    def n_tokens(self) -> Characters:
        """How many characters there are, letters and spaces."""
        return len(self.tokens)

    @property
    def n_letters(self) -> Letters:
        """How many characters are letters, and so say something of the rotation."""
        return int(self.counts.sum())

    @property
    def n_spaces(self) -> Characters:
        """How many characters are spaces, which no rotation moves."""
        return self.n_tokens - self.n_letters

    @cached_property
    def histogram(self) -> Floats:
        """Share of a to z among all tokens, spaces counted with them; shape (26,)."""
        return sealed(self.counts / len(self.tokens))

    @cached_property
    def histograms(self) -> Floats:
        """The histogram as it is counted, after 0, 1, and so on to all tokens; (T + 1, 26)."""
        ones = self.tokens[:, None] == np.arange(N_ROTATIONS)  # (T, 26)
        counted = np.vstack([np.zeros(N_ROTATIONS), ones.cumsum(axis=0)])
        return sealed(counted / len(self.tokens))

    # Letters by name

    @property
    def alphabet(self) -> tuple[str, ...]:
        """The letters a to z, which all counts and shares are in the order of."""
        return LETTERS.tokens

    @property
    def commonest(self) -> str:
        """The letter that comes most often in the ciphertext, the first of equals."""
        return LETTERS.tokens[int(self.counts.argmax())]

    @property
    def commonest_count(self) -> Count:
        """How often the commonest letter comes in the ciphertext."""
        return int(self.counts.max())

    @property
    def commonest_is(self) -> str:
        """The plaintext letter behind the commonest one."""
        return LETTERS.tokens[(int(self.counts.argmax()) - self.rotation) % N_ROTATIONS]

    @property
    def english_commonest(self) -> str:
        """The commonest letter of English."""
        return LETTERS.tokens[COMMONEST]

    @property
    def english_commonest_share(self) -> Share:
        """How often the commonest letter of English comes."""
        return float(ENGLISH[COMMONEST])

    @property
    def english_rarest(self) -> str:
        """The rarest letter of English."""
        return LETTERS.tokens[int(ENGLISH_UNITS.argmin())]

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
    def exact_scores(self) -> Ints:
        """Counts times frequencies in units of 1e-5: 1e5 T times the dot products; shape (26,)."""
        return sealed_ints(unit_templates() @ self.counts)

    @cached_property
    def leaders(self) -> Ints:
        """The rotations that share the largest dot product, nearly always one; shape (k,)."""
        return sealed_ints(np.flatnonzero(self.exact_scores == self.exact_scores.max()))

    @property
    def n_leaders(self) -> Count:
        """How many rotations share the largest dot product."""
        return len(self.leaders)

    @property
    def is_tied(self) -> bool:
        """Whether several rotations share the largest dot product."""
        return self.n_leaders > 1

    @cached_property
    def ranking(self) -> Ints:
        """The rotations from the largest dot product to the smallest, equals in order; (26,)."""
        return sealed_ints(np.argsort(-self.exact_scores, kind="stable"))

    @property
    def found(self) -> Rotation:
        """The rotation of the largest dot product, the first of equals."""
        return int(self.leaders[0])

    @property
    def runner_up(self) -> Rotation:
        """The rotation after it in the ranking, which may score the same."""
        return int(self.ranking[1])

    @property
    def place(self) -> Rank:
        """The place of the true rotation: one more than score strictly more than it does."""
        return 1 + int((self.exact_scores > self.exact_scores[self.rotation]).sum())

    @property
    def shares_place(self) -> Count:
        """How many other rotations score exactly what the true one does."""
        return int((self.exact_scores == self.exact_scores[self.rotation]).sum()) - 1

    @property
    def best(self) -> DotProduct:
        """The largest dot product."""
        return float(self.dot_products[self.found])

    @property
    def second_best(self) -> DotProduct:
        """The dot product of the runner-up."""
        return float(self.dot_products[self.runner_up])

    @property
    def true_score(self) -> DotProduct:
        """The dot product of the true rotation."""
        return float(self.dot_products[self.rotation])

    @property
    def lead(self) -> DotProduct:
        """The largest dot product minus the second largest, 0 if they are equal."""
        first, second = self.exact_scores[self.ranking[:2]]
        return int(first - second) / (PER_UNIT * len(self.tokens))

    @property
    def is_read(self) -> bool:
        """Whether the true rotation, and no other, has the largest dot product."""
        return not self.is_tied and self.found == self.rotation

    @property
    def verdict(self) -> str:
        """Which rotations score most and where the true one is, in words."""
        if self.is_read:
            return f"rotation {self.found} scores most, and it is the true one"
        shared = "shares place" if self.shares_place else "is in place"
        truth = f"the true one {shared} {self.place}"
        if not self.is_tied:
            return f"rotation {self.found} scores most, {truth}"
        if self.n_leaders > MOST_NAMED:
            equals = f"{self.n_leaders} rotations"
        else:
            *others, last = self.leaders.tolist()
            equals = f"rotations {', '.join(map(str, others))} and {last}"
        if self.place == 1:
            return f"{equals} score the same"
        return f"{equals} score the same, {truth}"

    @property
    def decoded(self) -> str:
        """The ciphertext turned back by the rotation that was found."""
        return decode(rotate(self.tokens, -self.found))

    @cached_property
    def turned_back(self) -> tuple[str, ...]:
        """The ciphertext turned back by 0, 1, and so on to the rotation that was found."""
        steps = np.arange(self.found + 1)[:, None]  # (found + 1, 1)
        return tuple(decode(row) for row in rotate(self.tokens, -steps))  # (found + 1, T)

    def turned_on(self, start: int) -> tuple[str, ...]:
        """The ciphertext turned back by `start`, by one more, and so on to the plaintext."""
        steps = start + np.arange((self.rotation - start) % N_ROTATIONS + 1)[:, None]
        return tuple(decode(row) for row in rotate(self.tokens, -steps))

    @cached_property
    def corrections(self) -> tuple[str, ...]:
        """From what the rotation that was found makes of the ciphertext to the plaintext."""
        return self.turned_on(self.found)

    @cached_property
    def turns_back(self) -> Ints:
        """Every rotation from 0 to the one that was found; shape (found + 1,)."""
        return sealed_ints(np.arange(self.found + 1))

    @cached_property
    def turns(self) -> Ints:
        """Every rotation from 0 to the true one, as a wheel passes them; shape (rotation + 1,)."""
        return sealed_ints(np.arange(self.rotation + 1))

    @property
    def hero(self) -> Letter:
        """The letter that stands where English, turned by `found`, has its commonest."""
        return (COMMONEST + self.found) % N_ROTATIONS

    @property
    def hero_letter(self) -> str:
        """That letter by name."""
        return LETTERS.tokens[self.hero]

    @property
    def hero_is(self) -> str:
        """The plaintext letter behind it, the commonest of English where the message is read."""
        return LETTERS.tokens[(self.hero - self.rotation) % N_ROTATIONS]

    # Squared errors

    @cached_property
    def squared_errors(self) -> Floats:
        """Squared distance of the histogram from each template; shape (26,)."""
        return sealed(squared_errors(self.histogram, self.templates))

    @property
    def least_error(self) -> SquaredError:
        """The smallest squared error, that of the largest dot product."""
        return float(self.squared_errors[self.found])

    @property
    def own_square(self) -> SquaredLength:
        """The squared length of the histogram."""
        return float(self.histogram @ self.histogram)

    @property
    def length_squared(self) -> SquaredLength:
        """The squared length that all templates have."""
        return float(ENGLISH @ ENGLISH)

    @property
    def level(self) -> SquaredLength:
        """Both squared lengths: what twice a dot product and its error always add up to."""
        return self.own_square + self.length_squared

    @cached_property
    def twice(self) -> Floats:
        """Twice every dot product, what it takes off both squared lengths; shape (26,)."""
        return sealed(2 * self.dot_products)

    @cached_property
    def stacked(self) -> Floats:
        """Twice the dot product and the squared error of every rotation; shape (26, 2)."""
        return sealed(np.stack([self.twice, self.squared_errors], axis=1))
