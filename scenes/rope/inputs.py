"""What the stages of this film take: three to five words, who asks, and how the hands turn."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from model.embedding import demo_embedding
from model.rope import BASE, rope_frequencies
from model.rotated_vector import RotatedVector
from model.tokens import LETTERS, words
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


class VectorInputs(WordInputs):
    """A vector at a position: the asking word's query, or the embedding of a letter."""

    m: int = Field(5, ge=1, le=1000, description="position to which the vector is taken")
    letter: Annotated[str, Field(pattern=r"^[a-z]$")] | None = Field(
        None, description="a letter that takes the word's place, with its demo embedding"
    )

    def turned(self) -> RotatedVector:
        """The vector before and after the turn."""
        if self.letter is None:
            told = self.word_scores()
            vector, token = told.query, told.asker
        else:
            vector = demo_embedding([LETTERS.tokens.index(self.letter)], self.d_head)[0]
            token = self.letter
        return RotatedVector(tuple(vector.tolist()), self.m, self.frequencies, token)

    def unit(self) -> float:
        """The length that reaches the rim of a dial."""
        is_word = self.letter is None
        return self.word_scores().unit if is_word else float(self.turned().lengths.max())
