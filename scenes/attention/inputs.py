"""What the stages of this film take: a text of a few words, their rows, and three matrices."""

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
"""More tokens, wider rows or wider words are not legible as numbers in cells."""

Number = Annotated[float, Field(ge=-9.99, le=9.99)]
Rows = Annotated[
    tuple[Annotated[tuple[Number, ...], Field(min_length=2, max_length=MOST_WIDE)], ...],
    Field(min_length=1, max_length=MOST_WIDE),
]
"""A matrix as nested lists, row by row."""


class ExampleStage(Stage):
    """A stage about one head over a short text."""

    class Inputs(StageInputs):
        """A short text, its rows, and three matrices."""

        text: Annotated[Words, few_words(3, MOST_WORDS, MOST_LETTERS)] = Field(
            USUAL_TEXT, description=words_said(3, MOST_WORDS, MOST_LETTERS)
        )
        embedding: Rows | None = Field(
            None,
            description="a row of numbers for each different word, in order of first appearance; "
            "left out, those of the worked example, for “the”, “cat” and “sat”; with other words, "
            "all are drawn from seed",
        )
        w_q: Rows | None = Field(None, description="W_Q, as many rows and columns as a row is wide")
        w_k: Rows | None = Field(None, description="W_K, likewise")
        w_v: Rows | None = Field(None, description="W_V, likewise")
        seed: int | None = Field(
            None,
            ge=0,
            le=2**32 - 1,
            description="draws what is not given, to two decimals; left out, nothing is drawn, but "
            "for words that the worked example has no rows for: then 0",
        )

        @model_validator(mode="after")
        def _fits(self) -> ExampleStage.Inputs:
            _ = self.head  # raises ValueError where they do not fit
            return self

        @property
        def tokens(self) -> tuple[str, ...]:
            """The words of the text."""
            return words(self.text)

        @property
        def head(self) -> WorkedHead:
            """The head over this text; ValueError for a word without a row, or unfit sizes."""
            return worked_head(
                self.tokens, self.embedding, self.w_q, self.w_k, self.w_v, seed=self.seed
            )

    derived = {"asker": Derived("the last token, which asks", lambda head: said(head, head.last))}

    inputs: Inputs
    values: WorkedHead

    compute: ClassVar[Callable[..., Any]] = worked_head


def said(head: WorkedHead, position: int) -> str:
    """The token at a position in a sentence; with its position where the text has it twice."""
    word = head.tokens[position]
    twice = head.tokens.count(word) > 1
    return f"“{word}” at {position}" if twice else f"“{word}”"
