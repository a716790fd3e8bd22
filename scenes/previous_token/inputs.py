"""Inputs of the stages of this film: a text, a head, and a query position."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from clockhead.model.previous_token.head import PreviousTokenHead, previous_token_head
from clockhead.model.previous_token.score_row import ScoreRow, score_row
from clockhead.model.tokens import words
from clockhead.scenes.hands import HandsInputs
from clockhead.scenes.stage import EvenInt, Words
from clockhead.scenes.texts import few_words, words_said

_MOST_WORDS = 12
"""Longest text: more words are not legible along the side of a matrix on a phone."""
_MOST_LETTERS = 10
"""Widest word, in usual letters, that is legible there."""
_USUAL_POSITION = 5
"""Default query position."""


class TextInputs(HandsInputs):
    """A text, and the size of the head, in clock hands."""

    text: Annotated[Words, few_words(2, _MOST_WORDS, _MOST_LETTERS)] = Field(
        "the cat sat on the mat and ran", description=words_said(2, _MOST_WORDS, _MOST_LETTERS)
    )
    d_head: EvenInt = Field(
        32, ge=2, le=256, description="width of a key, with two numbers for each clock hand"
    )

    @property
    def tokens(self) -> tuple[str, ...]:
        return words(self.text)

    @property
    def head(self) -> PreviousTokenHead:
        """The head over this text, at alpha 1."""
        return previous_token_head(len(self.tokens), self.d_head, 1.0, self.base)


class AskingInputs(TextInputs):
    """A text, a head, and one query position."""

    m: int | None = Field(
        None,
        ge=1,
        le=_MOST_WORDS - 1,
        description="the query position, or the last one if the text is shorter; if left out, "
        f"{_USUAL_POSITION}",
    )

    @property
    def asking(self) -> int:
        """The query position."""
        return min(_USUAL_POSITION if self.m is None else self.m, len(self.tokens) - 1)

    @property
    def row(self) -> ScoreRow:
        """The row of the head's scores for this query position."""
        return score_row(self.head, self.asking, self.tokens)


class HeadInputs(TextInputs):
    """A text, and a previous-token head with its scale alpha."""

    alpha: float = Field(
        10.0, ge=0.01, le=1e4, description="scale of the scores; larger is sharper"
    )

    @property
    def head(self) -> PreviousTokenHead:
        """The head over this text."""
        return previous_token_head(len(self.tokens), self.d_head, self.alpha, self.base)
