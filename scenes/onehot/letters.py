"""Inputs and base class of this film's stages: a short text of letters, with BOS in front."""

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
"""Longest text; with BOS it makes matrices of twenty columns, which are still legible."""

FewLetters = Annotated[str, Field(min_length=1, pattern=rf"^!?[a-z ]{{1,{_MOST_LETTERS}}}$")]


class LetterInputs(StageInputs):
    """A short text for the one-hot circuit."""

    text: FewLetters = Field(
        SLIDE_TEXT,
        description=f"1 to {_MOST_LETTERS} letters a to z and spaces; one character is one token, "
        "and a leading ! means BOS, which is added anyway",
    )

    @property
    def tokens(self) -> tuple[str, ...]:
        """BOS and the letters, with ␣ for a space."""
        return letter_prompt(self.text)

    def head(self) -> OneHotLayers:
        """Both layers, run over this text with causal attention."""
        return onehot_layers(self.tokens, onehot_vocabulary(self.tokens))


class LetterStage(Stage[OneHotLayers]):
    """A stage about the one-hot circuit on a short text."""

    Inputs = LetterInputs
    derived = {"query": Derived("the last token", lambda head: quote_token(head.text.query_token))}

    @classmethod
    def compute(cls, inputs: Any) -> OneHotLayers:
        head: OneHotLayers = inputs.head()
        return head


def quote_token(token: str) -> str:
    """A token as sentences write it: in quotes, or BOS."""
    return token if token == "BOS" else f"“{token}”"
