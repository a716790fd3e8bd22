"""What the stages of this film take: three to five words, who asks, and how the hands turn."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from clockhead.model.films.rope.words import WordScores, told_words
from clockhead.model.rope.rotation import BASE, rope_frequencies
from clockhead.model.tokens import words
from clockhead.scenes.stage import EvenInt, StageInputs, Words
from clockhead.scenes.texts import few_words, words_said

_FEWEST, _MOST, _MOST_LETTERS = 3, 5, 8
"""More or wider words are not legible beside each other on a phone."""


class ClockInputs(StageInputs):
    """As many clocks as can be large, and speeds that can be told apart."""

    d_head: EvenInt = Field(8, ge=4, le=8, description="numbers in a key, two for each clock hand")
    base: float = Field(BASE, ge=100, le=1e6, description="how far apart the hands' speeds are")

    @property
    def frequencies(self) -> tuple[float, ...]:
        """How far each hand turns in a position, in radians."""
        return tuple(rope_frequencies(self.d_head, self.base).tolist())


class WordInputs(ClockInputs):
    """A few words, one of which asks the others, with made-up queries and keys."""

    text: Annotated[Words, few_words(_FEWEST, _MOST, _MOST_LETTERS)] = Field(
        "dog bites man", description=words_said(_FEWEST, _MOST, _MOST_LETTERS)
    )
    asks: int | None = Field(
        None,
        ge=1,
        le=_MOST - 2,
        description="the position of the word that asks, or the last but one if the text is "
        "shorter; left out, the first one inside that is neither the first word nor the last",
    )
    seed: int = Field(2322, ge=0, le=10**6, description="from which queries and keys are drawn")

    @property
    def words(self) -> WordScores:
        """The words at the positions 0, 1, 2 and so on, and their scores."""
        text = words(self.text)
        inside = range(1, len(text) - 1)
        others = (n for n in inside if text[n] not in (text[0], text[-1]))
        asks = next(others, 1) if self.asks is None else min(self.asks, inside[-1])
        return told_words(text, asks, self.frequencies, self.seed)
