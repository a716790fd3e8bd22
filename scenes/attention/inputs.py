"""Inputs of the worked example: a short text, its embeddings, and three weight matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, ClassVar

from pydantic import Field, model_validator

from clockhead.model.attention.worked_head import WorkedHead
from clockhead.model.primer.example import worked_head
from clockhead.model.tokens import words
from clockhead.scenes.stage import Derived, Stage, StageInputs, Words
from clockhead.scenes.texts import few_words, words_said

USUAL_TEXT = "the cat sat"
MOST_WORDS, MOST_WIDE, MOST_LETTERS = 5, 5, 9
"""Most tokens, columns, and letters of a word: with more, numbers in cells are too small."""

Number = Annotated[float, Field(ge=-9.99, le=9.99)]
Rows = Annotated[
    tuple[Annotated[tuple[Number, ...], Field(min_length=2, max_length=MOST_WIDE)], ...],
    Field(min_length=1, max_length=MOST_WIDE),
]
"""A matrix as nested lists, row by row."""


class ExampleStage(Stage):
    """A stage about one head that reads a short text."""

    class Inputs(StageInputs):
        """A short text, its embeddings, and three weight matrices."""

        text: Annotated[Words, few_words(3, MOST_WORDS, MOST_LETTERS)] = Field(
            USUAL_TEXT, description=words_said(3, MOST_WORDS, MOST_LETTERS)
        )
        embedding: Rows | None = Field(
            None,
            description="the embedding of each different word, in order of first appearance; "
            "default: the worked example's for “the”, “cat” and “sat”; for other words, random "
            "numbers from seed",
        )
        w_q: Rows | None = Field(None, description="W_Q, square, as wide as an embedding")
        w_k: Rows | None = Field(None, description="W_K, of the same size")
        w_v: Rows | None = Field(None, description="W_V, of the same size")
        seed: int | None = Field(
            None,
            ge=0,
            le=2**32 - 1,
            description="seed of random numbers, to two decimals, for everything that is not "
            "given; default: the worked example's numbers, or seed 0 for other words",
        )

        @model_validator(mode="after")
        def _check_sizes(self) -> ExampleStage.Inputs:
            _ = self.head  # raises ValueError if sizes do not fit
            return self

        @property
        def tokens(self) -> tuple[str, ...]:
            """The words of the text."""
            return words(self.text)

        @property
        def head(self) -> WorkedHead:
            """The head on this text; ValueError if a word has no embedding or sizes do not fit."""
            return worked_head(
                self.tokens, self.embedding, self.w_q, self.w_k, self.w_v, seed=self.seed
            )

    derived = {
        "asker": Derived(
            "the last token, whose query is shown", lambda head: quoted_token(head, head.last)
        )
    }

    inputs: Inputs
    values: WorkedHead

    compute: ClassVar[Callable[..., Any]] = worked_head


def quoted_token(head: WorkedHead, position: int) -> str:
    """A token as sentences name it: with its position if the text has it twice."""
    word = head.tokens[position]
    twice = head.tokens.count(word) > 1
    return f"“{word}” at {position}" if twice else f"“{word}”"
