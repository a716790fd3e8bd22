"""What several stages of this film share."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from model.onehot_induction import SLIDE_TEXT, OneHotInduction, slide_vocabulary
from model.prompts import prompt
from scenes.stage import StageInputs

MOST_CHARACTERS = 9
"""With BOS in front, ten tokens: the matrices are twenty cells wide, and can still be read."""

ShortPrompt = Annotated[
    str, Field(min_length=1, max_length=MOST_CHARACTERS + 1, pattern=r"^!?[a-z ]{1,9}$")
]


class OneHotInputs(StageInputs):
    """A short text, and the one-hot head over it."""

    text: ShortPrompt = Field(
        SLIDE_TEXT,
        description=f"1 to {MOST_CHARACTERS} letters a to z and spaces; one character is one token",
    )
    bos: bool = Field(
        True, description="whether BOS, the beginning of the sequence, stands in front of the text"
    )

    def head(self) -> OneHotInduction:
        """The two layers over this text, with causal attention."""
        tokens = prompt(self.text, self.bos)
        return OneHotInduction(tokens, slide_vocabulary(tokens))
