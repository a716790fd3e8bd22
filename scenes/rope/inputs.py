"""What the stages of this film take: three to five words, who asks, and how the hands turn."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from model.rope import BASE, rope_frequencies
from model.tokens import words
from model.word_scores import WordScores
from scenes.stage import EvenInt, StageInputs, Words

_FEWEST, _MOST = 3, 5
_MOST_LETTERS = 7
"""More or longer words are not legible beside each other on a phone."""


def _legible(text: str) -> str:
    tokens = words(text)
    if not _FEWEST <= len(tokens) <= _MOST:
        raise ValueError(f"{len(tokens)} words; the example has {_FEWEST} to {_MOST}")
    longest = max(tokens, key=len)
    if len(longest) > _MOST_LETTERS:
        raise ValueError(
            f"“{longest}” has {len(longest)} letters; at most {_MOST_LETTERS} fit onto a tile"
        )
    if tokens[0] == tokens[-1]:
        raise ValueError(f"it begins and ends with “{tokens[0]}”: swapping the two changes nothing")
    return text


class HandsInputs(StageInputs):
    """How many clock hands there are and how fast they turn."""

    d_head: EvenInt = Field(8, ge=2, le=256, description="width of the head; d_head/2 clock hands")
    base: float = Field(
        BASE, ge=1, le=1e7, description="how far apart the hands' speeds are; 1 makes them equal"
    )

    @property
    def frequencies(self) -> tuple[float, ...]:
        """How far each hand turns in a position, in radians."""
        return tuple(rope_frequencies(self.d_head, self.base).tolist())


class WordInputs(HandsInputs):
    """A few words, one of which asks the others, with made-up queries and keys."""

    text: Annotated[Words, AfterValidator(_legible)] = Field(
        "dog bites man", description=f"{_FEWEST} to {_MOST} words of letters a to z"
    )
    asks: int = Field(1, ge=1, le=_MOST - 2, description="the position of the word that asks")
    seed: int = Field(2322, ge=0, le=10**6, description="from which queries and keys are drawn")

    @model_validator(mode="after")
    def _asker_is_inside(self) -> Self:
        if self.asks >= len(self.tokens) - 1:
            raise ValueError(
                f"asks must be a word between the first and the last of {len(self.tokens)}, "
                f"got {self.asks}"
            )
        return self

    @property
    def tokens(self) -> tuple[str, ...]:
        return words(self.text)

    def word_scores(self) -> WordScores:
        """The words at the positions 0, 1, 2 and so on, and their scores."""
        return WordScores.told(self.tokens, self.asks, self.frequencies, self.seed)


def part_of(n_shown: int, n_hands: int) -> str:
    """How many of the hands are shown, in words."""
    if n_shown < n_hands:
        return f"{n_shown} of {n_hands} hands"
    return "its one hand" if n_hands == 1 else f"all {n_hands} hands"
