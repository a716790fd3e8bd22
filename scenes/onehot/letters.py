"""What the stages of this film have in common: a short text of letters, with BOS in front."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from clockhead.model.induction.onehot_layers import (
    SLIDE_TEXT,
    OneHotLayers,
    onehot_layers,
    onehot_vocabulary,
)
from clockhead.model.induction.prompts import letter_prompt
from clockhead.scenes.stage import Derived, Stage, StageInputs

_MOST_LETTERS = 9
"""With BOS in front, ten tokens: the matrices are twenty cells wide, and can still be read."""

FewLetters = Annotated[str, Field(min_length=1, pattern=rf"^!?[a-z ]{{1,{_MOST_LETTERS}}}$")]


class LetterInputs(StageInputs):
    """A short text, and the one-hot head over it."""

    text: FewLetters = Field(
        SLIDE_TEXT,
        description=f"1 to {_MOST_LETTERS} letters a to z and spaces; one character is one token, "
        "and ! in front may stand for BOS",
    )

    @property
    def tokens(self) -> tuple[str, ...]:
        """BOS and the letters; a space is ␣."""
        return letter_prompt(self.text)

    def head(self) -> OneHotLayers:
        """The two layers over this text, with causal attention."""
        return onehot_layers(self.tokens, onehot_vocabulary(self.tokens))


class LetterStage(Stage[OneHotLayers]):
    """A stage about the one-hot head over a short text."""

    Inputs = LetterInputs
    derived = {"query": Derived("the last token", lambda head: said(head.text.query_token))}

    @classmethod
    def compute(cls, inputs: Any) -> OneHotLayers:
        head: OneHotLayers = inputs.head()
        return head


def said(token: str) -> str:
    """A token in a sentence."""
    return token if token == "BOS" else f"“{token}”"
