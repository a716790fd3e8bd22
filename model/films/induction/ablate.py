"""The induction head with a layer switched off, or with layer 0 looking one step too far back.

Without layer 0 nothing is noted, all scores of layer 1 are 0, and the output is how often each
token stands in the text, whatever the order. Without layer 1 nothing is read, and the output is 0.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Ints, sealed_ints
from clockhead.model.induction.circuit import Induction
from clockhead.model.units import Count, Doc, Share


@dataclass(frozen=True, eq=False)
class Ablations:
    """The whole head `both`, and what is left of it.

    Raises ValueError for a head with a layer off, or one that does not look one position back.
    """

    both: Annotated[Induction, Doc("the head with both layers on")]

    def __post_init__(self) -> None:
        if not (self.both.layer_0 and self.both.layer_1):
            raise ValueError(
                f"both must have its two layers on, got layer_0={self.both.layer_0} "
                f"and layer_1={self.both.layer_1}"
            )
        if self.both.look_back != 1:
            raise ValueError(f"both must have look_back 1, got {self.both.look_back}")

    @cached_property
    def no_layer_0(self) -> Induction:
        """The head with layer 0 off."""
        return replace(self.both, layer_0=False)

    @cached_property
    def no_layer_1(self) -> Induction:
        """The head with layer 1 off."""
        return replace(self.both, layer_1=False)

    @cached_property
    def two_back(self) -> Induction:
        """The head with both layers on and layer 0 looking two positions back."""
        return replace(self.both, look_back=2)

    @property
    def even(self) -> Share:
        """What every token gets of an attention that is the same for all, 1/T."""
        return 1 / len(self.both.tokens)

    @cached_property
    def counts(self) -> Ints:
        """How often each token of the vocabulary stands in the text; shape (V,)."""
        counts = np.bincount(self.both.text.indices, minlength=len(self.both.vocabulary))  # (V,)
        return sealed_ints(counts)

    @cached_property
    def frequent(self) -> tuple[str, ...]:
        """The tokens that stand most often: what is said without layer 0, by exact counts."""
        best = np.flatnonzero(self.counts == self.counts.max())
        return tuple(self.both.vocabulary.tokens[index] for index in best.tolist())

    @property
    def n_frequent(self) -> Count:
        """How many tokens stand most often."""
        return len(self.frequent)

    @property
    def frequent_share(self) -> Share:
        """The share of the text that each of them has."""
        return int(self.counts.max()) / len(self.both.tokens)

    @property
    def says(self) -> tuple[str, ...]:
        """What is said with layer 0 looking two back: one token, or several that tie."""
        return self.two_back.says

    @property
    def n_says(self) -> Count:
        """How many tokens are said with layer 0 looking two back."""
        return len(self.says)

    @property
    def says_share(self) -> Share:
        """The largest share of a token with layer 0 looking two back."""
        return float(self.two_back.output.max())

    @property
    def says_the_same(self) -> bool:
        """Whether the head says the same without layer 0 as with it."""
        return set(self.frequent) == set(self.both.says)

    @property
    def shares_a_word(self) -> bool:
        """Whether the head without layer 0 says one of the tokens that it says with it."""
        return not set(self.frequent).isdisjoint(self.both.says)
