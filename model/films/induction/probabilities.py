"""Shares of attention as logits: what softmax makes of them, times gamma.

The output matrix of `model.induction.weights`, gamma [0 0 I 0], copies the subspace out, into which
layer 1 writes shares. A model that ends in softmax(logits) makes softmax(gamma shares) of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, finite, real, sealed, sealed_ints
from clockhead.model.attention.next_word import probabilities_at
from clockhead.model.induction.circuit import TIE, Induction
from clockhead.model.induction.other_texts import OtherTexts
from clockhead.model.induction.prompts import BOS_TOKEN
from clockhead.model.units import Count, Difference, Doc, Factor, ScoreScale, Share

STEPS_PER_UNIT = 10
"""Gamma is told in tenths."""
_ALMOST_ALL = float(np.nextafter(1.0, 0.0))
_WAY = 60
"""Steps from one gamma to the next."""


@dataclass(frozen=True, eq=False)
class ShareLogits:
    """Shares (V,) that are copied as logits, and the gamma at which the largest come to a `goal`.

    Raises ValueError unless there are two shares or more, each from 0 to 1, and a goal between.
    """

    shares: Annotated[Floats, Doc("what attention gives each token; shape (V,)")]
    goal: Annotated[Share, Doc("the probability that the leading tokens are to have")] = 0.99

    def __post_init__(self) -> None:
        shares = finite("shares", self.shares, n_axes=1)
        if len(shares) < 2 or shares.min() < 0 or shares.max() > 1:
            raise ValueError(f"shares must be two or more, each from 0 to 1, got {self.shares}")
        real("goal", self.goal, above=0, at_most=_ALMOST_ALL)
        sealed(self.shares)

    def at(self, gamma: float) -> Floats:
        """The softmax of the shares times gamma; shape (V,)."""
        return sealed(probabilities_at(self.shares, [1 / gamma])[0])

    def lead_at(self, gamma: float) -> float:
        """The probability of the leading tokens together; it grows with gamma."""
        return float(self.at(gamma)[self.leaders].sum())

    @cached_property
    def leaders(self) -> Ints:
        """The tokens whose share is the largest, or ties with it as `TIE` says; (1 to V,)."""
        return sealed_ints(np.flatnonzero(self.shares > self.shares.max() - TIE))

    @property
    def n_leaders(self) -> Count:
        """How many tokens lead."""
        return len(self.leaders)

    @property
    def lead(self) -> Share:
        """What attention gives the leading tokens together; never all if there are others."""
        lead = float(self.shares[self.leaders].sum())
        return min(lead, 1.0 if self.n_leaders == len(self.shares) else _ALMOST_ALL)

    @cached_property
    def flat(self) -> Floats:
        """The probabilities at gamma 1, whose logits are the shares themselves; shape (V,)."""
        return self.at(1.0)

    @property
    def flat_lead(self) -> Share:
        """The probability of the leading tokens together, at gamma 1."""
        return self.lead_at(1.0)

    @cached_property
    def gamma(self) -> Factor:
        """The least gamma, in tenths, at which the leading tokens together reach the goal."""
        low, high = 0, 1  # in tenths; low is too small, or nothing
        while self.lead_at(high / STEPS_PER_UNIT) < self.goal:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            reached = self.lead_at(middle / STEPS_PER_UNIT) >= self.goal
            low, high = (low, middle) if reached else (middle, high)
        return high / STEPS_PER_UNIT

    @cached_property
    def sharp(self) -> Floats:
        """The probabilities at that gamma; shape (V,)."""
        return self.at(self.gamma)

    @property
    def likeliest(self) -> Share:
        """The probability of the likeliest token at that gamma, alone."""
        return float(self.sharp.max())


@dataclass(frozen=True)
class ShareExamples:
    """A text of `words` without BOS, and one in which a word followed twice and another once.

    Both are made of one vocabulary. Raises ValueError where `OtherTexts` does.
    """

    words: Annotated[tuple[str, ...], Doc("the text without BOS; T - 1 words")]
    alpha: Annotated[ScoreScale, Doc("scale of the scores of layer 0")] = 10.0
    beta: Annotated[ScoreScale, Doc("scale of the scores of layer 1")] = 10.0

    def __post_init__(self) -> None:
        _ = self.main

    @cached_property
    def texts(self) -> OtherTexts:
        """The text and its vocabulary, with a word that it does not have."""
        return OtherTexts(self.words, alpha=self.alpha, beta=self.beta)

    @property
    def main(self) -> Induction:
        """The text itself, after BOS."""
        return self.texts.main

    @property
    def often(self) -> str:
        """The word that followed twice."""
        return self.main.tokens[self.main.text.other_follower]

    @property
    def once(self) -> str:
        """The word that followed once."""
        return self.texts.new_word

    @cached_property
    def torn(self) -> Induction:
        """The other text: the last word of the text, each time with one of those behind it."""
        query = self.main.text.query_token
        said = (query, self.often, query, self.often, query, self.once, query)
        return Induction(
            (BOS_TOKEN, *said), self.texts.vocabulary, alpha=self.alpha, beta=self.beta
        )

    def came(self, word: str) -> int:
        """How often a word followed in the other text."""
        text = self.torn.text
        return sum(text.tokens[place] == word for place in text.followers.tolist())

    @property
    def worst_error(self) -> Difference:
        """How far an output is at most from the shares of what is noted as its query."""
        return max(self.main.match_error, self.torn.match_error)

    # Shares as logits

    @cached_property
    def sure(self) -> ShareLogits:
        """What the head gives after the text."""
        return ShareLogits(_not_all(self.main.output))

    @cached_property
    def split(self) -> ShareLogits:
        """What the head gives after the other text."""
        return ShareLogits(_not_all(self.torn.output))

    @property
    def often_share(self) -> Share:
        """What attention gives the word that followed twice."""
        return self._of(self.often, self.split.shares)

    @property
    def once_share(self) -> Share:
        """What attention gives the word that followed once."""
        return self._of(self.once, self.split.shares)

    @cached_property
    def same(self) -> Floats:
        """Probabilities after the other text, at the gamma of the first; shape (V,)."""
        return self.split.at(self.sure.gamma)

    @property
    def turns_on(self) -> bool:
        """Whether it takes a larger gamma there for the same probability."""
        return self.split.gamma > self.sure.gamma

    @property
    def last_gamma(self) -> Factor:
        """The larger one of the two gammas."""
        return max(self.sure.gamma, self.split.gamma)

    @cached_property
    def last(self) -> Floats:
        """Probabilities after the other text, at the larger gamma; shape (V,)."""
        return self.split.at(self.last_gamma)

    @property
    def last_often(self) -> Share:
        """What is left there for the word that followed twice."""
        return self._of(self.often, self.last)

    @property
    def last_once(self) -> Share:
        """What is left there for the word that followed once."""
        return self._of(self.once, self.last)

    @property
    def last_odds(self) -> Factor:
        """How many times as likely as the other the word that followed twice is there."""
        return float(np.exp(self.last_gamma * (self.often_share - self.once_share)))

    # On the way

    @cached_property
    def gammas(self) -> Floats:
        """Gamma on its way from 1 to where the first text reaches the goal; (steps,)."""
        return _way(1.0, self.sure.gamma)

    @cached_property
    def probabilities(self) -> Floats:
        """Probabilities after the first text on that way; shape (steps, V)."""
        return sealed(probabilities_at(self.sure.shares, 1 / self.gammas))

    @cached_property
    def more_gammas(self) -> Floats:
        """Gamma on its way on to where both texts reach the goal; (steps,)."""
        return _way(self.sure.gamma, self.last_gamma)

    @cached_property
    def more_probabilities(self) -> Floats:
        """Probabilities after the other text on that way; shape (steps, V)."""
        return sealed(probabilities_at(self.split.shares, 1 / self.more_gammas))

    def _of(self, word: str, numbers: Floats) -> float:
        return float(numbers[self.texts.vocabulary.tokens.index(word)])


def _not_all(output: Floats) -> Floats:
    """An output as shares, of which none is 1, though the others may be lost in rounding."""
    return np.minimum(output, _ALMOST_ALL)


def _way(start: float, end: float) -> Floats:
    """Equal factors from one gamma to another, both of them to the digit."""
    steps = np.geomspace(start, end, _WAY + 1)
    steps[[0, -1]] = start, end
    return sealed(steps)
