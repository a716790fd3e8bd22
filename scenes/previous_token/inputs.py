"""What the stages of this film take: a text, a head, and the position that asks."""

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
_MOST_LETTERS = 10
"""More or wider words are not legible along the side of a matrix on a phone."""
_USUAL_POSITION = 5


class TextInputs(HandsInputs):
    """A text, and how many clock hands read it."""

    text: Annotated[Words, few_words(2, _MOST_WORDS, _MOST_LETTERS)] = Field(
        "the cat sat on the mat and ran", description=words_said(2, _MOST_WORDS, _MOST_LETTERS)
    )
    d_head: EvenInt = Field(
        32, ge=2, le=256, description="numbers in a key, two for each clock hand"
    )

    @property
    def tokens(self) -> tuple[str, ...]:
        return words(self.text)

    @property
    def head(self) -> PreviousTokenHead:
        """The head over this text, at alpha 1."""
        return previous_token_head(len(self.tokens), self.d_head, 1.0, self.base)


class AskingInputs(TextInputs):
    """One position of the text, which asks."""

    m: int | None = Field(
        None,
        ge=1,
        le=_MOST_WORDS - 1,
        description="the position that asks, or the last one if the text is shorter; left out, "
        f"{_USUAL_POSITION}",
    )

    @property
    def asking(self) -> int:
        """The position that asks."""
        return min(_USUAL_POSITION if self.m is None else self.m, len(self.tokens) - 1)

    @property
    def row(self) -> ScoreRow:
        """The row of the head's scores in which that position asks."""
        return score_row(self.head, self.asking, self.tokens)


class HeadInputs(TextInputs):
    """A whole previous-token head."""

    alpha: float = Field(
        10.0, ge=0.01, le=1e4, description="scale of the scores; larger is sharper"
    )

    @property
    def head(self) -> PreviousTokenHead:
        """The head over this text."""
        return previous_token_head(len(self.tokens), self.d_head, self.alpha, self.base)
