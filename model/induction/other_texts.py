"""The same induction head after other last words: one follower, several, none, and without BOS.

All texts share one vocabulary, so that their outputs stand side by side.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, sealed
from clockhead.model.induction.circuit import Induction
from clockhead.model.induction.continuation import Continuation
from clockhead.model.induction.prompts import BOS_TOKEN
from clockhead.model.tokens import Vocabulary
from clockhead.model.units import Coordinates, Count, Difference, Doc, ScoreScale, Share

NEW_WORDS = ("dog", "fish", "tree", "bird", "moon", "rain", "boat", "lamp", "leaf", "song", "wind")
"""One more than a text of 11 words can hold beside a word that comes twice."""
_EVEN = 0.01


@dataclass(frozen=True)
class OtherTexts:
    """A text of `words` without BOS, and texts made of it.

    Raises ValueError unless its last word stood before and another word followed it, and for a
    text that holds all of `NEW_WORDS`.
    """

    words: Annotated[tuple[str, ...], Doc("the text without BOS; T - 1 words")]
    d_head: Annotated[Coordinates, Doc("width of queries and keys in layer 0")] = 32
    alpha: Annotated[ScoreScale, Doc("scale of the scores of layer 0")] = 10.0
    beta: Annotated[ScoreScale, Doc("scale of the scores of layer 1")] = 10.0

    def __post_init__(self) -> None:
        if not self.words or not _counted(self.words).says_more_than_copying:
            raise ValueError(
                "words must end in a word that stood before and was followed by another one, "
                f"such as “the cat sat on the”, got {' '.join(self.words)!r}"
            )
        _ = self.new_word, self.main

    @property
    def new_word(self) -> str:
        """The first of `NEW_WORDS` that the text does not have."""
        unused = [word for word in NEW_WORDS if word not in self.words]
        if not unused:
            raise ValueError(
                f"words must leave out at least one of {', '.join(NEW_WORDS)}, "
                f"got {' '.join(self.words)!r}"
            )
        return unused[0]

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """BOS, the words in order of first appearance, and the new one; V of them."""
        return Vocabulary.of((BOS_TOKEN, *self.words, self.new_word))

    # The texts

    @cached_property
    def main(self) -> Induction:
        """The text itself, after BOS."""
        return self._head((BOS_TOKEN, *self.words))

    @cached_property
    def other(self) -> Induction | None:
        """The longest beginning of the text that is of the other case.

        With several followers if the text has one, with one if it has several; None if there is
        no such beginning.
        """
        case = self.main.text.case
        for length in reversed(range(1, len(self.words))):
            part = _counted(self.words[:length])
            if part.says_more_than_copying and part.case != case:
                return self._head((BOS_TOKEN, *part.tokens))
        return None

    @cached_property
    def new(self) -> Induction:
        """The text with a word at its end that it does not have."""
        return self._head((BOS_TOKEN, *self.words[:-1], self.new_word))

    @cached_property
    def without_bos(self) -> Induction | None:
        """The other text, or else the text itself, without BOS, if its first word is its last."""
        for head in (self.other, self.main):
            if head is not None and head.tokens[1] == head.tokens[-1]:
                return self._head(head.tokens[1:])
        return None

    # Side by side

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Which texts there are, by the names above and in this order; K of them, 2 to 4."""
        known = {"main": self.main, "other": self.other, "new": self.new}
        known["without_bos"] = self.without_bos
        return tuple(name for name, head in known.items() if head is not None)

    @cached_property
    def heads(self) -> tuple[Induction, ...]:
        """The head over each of them; K of them."""
        return tuple(getattr(self, name) for name in self.names)

    @property
    def n_texts(self) -> Count:
        """How many texts there are."""
        return len(self.names)

    @property
    def has_other(self) -> bool:
        """Whether a beginning of the text is of the other case."""
        return self.other is not None

    @property
    def has_without_bos(self) -> bool:
        """Whether one of the texts ends as it begins, so that BOS makes a difference."""
        return self.without_bos is not None

    @cached_property
    def outputs(self) -> Floats:
        """What each head says of every token; shape (K, V)."""
        return sealed(np.stack([head.output for head in self.heads]))

    @cached_property
    def expected(self) -> Floats:
        """What each text itself says, the shares of what followed or of all tokens; (K, V)."""
        return sealed(np.stack([head.text.expected for head in self.heads]))

    @cached_property
    def match_errors(self) -> Floats:
        """How far each output is at most from the shares of what is noted as its query; (K,)."""
        return sealed(np.array([head.match_error for head in self.heads]))

    @property
    def worst_error(self) -> Difference:
        """The largest of these errors."""
        return float(self.match_errors.max())

    @property
    def least_mass(self) -> Share:
        """The least attention that goes to the matching notes after a word that stood before."""
        return min(head.match_mass for head in (self.main, self.other) if head is not None)

    @property
    def is_even(self) -> bool:
        """Whether attention after the new word is spread evenly, but for a hundredth."""
        return self.new.match_error < _EVEN

    def _head(self, tokens: tuple[str, ...]) -> Induction:
        return Induction(
            tokens, self.vocabulary, d_head=self.d_head, alpha=self.alpha, beta=self.beta
        )


def _counted(words: tuple[str, ...]) -> Continuation:
    return Continuation(words, Vocabulary.of(words))
