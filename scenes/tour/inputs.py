"""Inputs of the tour's stages: one text for all of them, and the scales of its heads."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, Field

from clockhead.model.films.tour.clocks import TickingRow, ticking_row
from clockhead.model.films.tour.code import CodedText, coded_text
from clockhead.model.induction.continuation import continuation
from clockhead.model.induction.prompts import word_prompt
from clockhead.model.previous_token.head import previous_token_head
from clockhead.model.tokens import Vocabulary
from clockhead.scenes.caesar.inputs import MOST_CHARACTERS, CryptogramInputs
from clockhead.scenes.induction.words import InductionInputs, MatchInputs, RiddleText
from clockhead.scenes.stage import StageInputs

USUAL_TEXT = "on the mat the cat sat and the cat"
_D_HEAD = 32


def _check_letters(text: str) -> str:
    if not re.fullmatch("[a-z]+( [a-z]+)*", text):
        raise ValueError(
            "use words of the letters a to z alone: the film counts letters at its end"
        )
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"{len(text)} characters; at most {MOST_CHARACTERS} are legible")
    return text


TourText = Annotated[RiddleText, AfterValidator(_check_letters)]
TEXT = Field(
    USUAL_TEXT,
    description=f"3 to 11 words of letters a to z, up to {MOST_CHARACTERS} characters. The last "
    "word appears earlier in the text, followed by another word; if it does not, the first word of "
    "the text is added at the end",
)


class RiddleInputs(MatchInputs):
    """A text, and the sharpness of the head."""

    text: TourText = TEXT


class NotedInputs(InductionInputs):
    """A text, and the sharpness of both heads."""

    text: TourText = TEXT


class ClockInputs(StageInputs):
    """A text, with the word that followed the earlier last word as the query."""

    text: TourText = TEXT

    @property
    def tokens(self) -> tuple[str, ...]:
        """BOS and the words."""
        return word_prompt(self.text)

    @property
    def row(self) -> TickingRow:
        """That query's row in a previous-token head with alpha 1."""
        return self.row_at(1.0)

    def row_at(self, alpha: float) -> TickingRow:
        """The same row with another scale of the scores."""
        asking = continuation(self.tokens, Vocabulary.of(self.tokens)).other_follower
        head = previous_token_head(len(self.tokens), _D_HEAD, alpha)
        return ticking_row(head, asking, self.tokens)


class SharpClockInputs(ClockInputs):
    """A text, and the sharpness of the previous-token head."""

    alpha: float = Field(
        10.0, ge=0.01, le=1e4, description="scale of the scores of the previous-token head"
    )

    @property
    def row(self) -> TickingRow:
        """The row of the query."""
        return self.row_at(self.alpha)


class TurnedTextInputs(CryptogramInputs):
    """A text, and the rotation of its letters."""

    text: TourText = TEXT


class CodeInputs(NotedInputs):
    """A text, the rotation of its letters, and the sharpness of both heads."""

    rotation: int = Field(7, ge=0, le=25, description="how many places each letter is moved")

    def coded(self) -> CodedText:
        """Both heads over the text and over its ciphertext."""
        return coded_text(self.head, self.rotation)
