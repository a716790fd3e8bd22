"""Inputs of the stages of this film: the speeds of the hands, a few words, and a query."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from clockhead.model.films.rope.words import WordScores, word_scores
from clockhead.model.rope.rotation import BASE, rope_frequencies
from clockhead.model.tokens import words
from clockhead.scenes.stage import EvenInt, StageInputs, Words
from clockhead.scenes.texts import few_words, words_said

_FEWEST, _MOST, _MOST_LETTERS = 3, 5, 8
"""Fewest and most words, and widest word in usual letters; more are not legible on a phone."""


class ClockInputs(StageInputs):
    """The number of clock hands, and the base of their speeds."""

    d_head: EvenInt = Field(
        8, ge=4, le=8, description="width of a key, with two numbers for each clock hand"
    )
    base: float = Field(
        BASE, ge=100, le=1e6, description="base of the speeds; larger makes slow hands slower"
    )

    @property
    def frequencies(self) -> tuple[float, ...]:
        """The angle by which each hand turns per position, in radians."""
        return tuple(rope_frequencies(self.d_head, self.base).tolist())


class WordInputs(ClockInputs):
    """A few words with made-up queries and keys, and the word whose query is used."""

    text: Annotated[Words, few_words(_FEWEST, _MOST, _MOST_LETTERS)] = Field(
        "dog bites man", description=words_said(_FEWEST, _MOST, _MOST_LETTERS)
    )
    asks: int | None = Field(
        None,
        ge=1,
        le=_MOST - 2,
        description="position of the word whose query is used, or the last but one if the text is "
        "shorter; if left out, the first inner word that differs from the outer ones",
    )
    seed: int = Field(2322, ge=0, le=10**6, description="seed of the random queries and keys")

    @property
    def words(self) -> WordScores:
        """The words at the positions 0, 1, 2 and so on, with their scores."""
        text = words(self.text)
        inside = range(1, len(text) - 1)
        others = (n for n in inside if text[n] not in (text[0], text[-1]))
        asks = next(others, 1) if self.asks is None else min(self.asks, inside[-1])
        return word_scores(text, asks, self.frequencies, self.seed)
