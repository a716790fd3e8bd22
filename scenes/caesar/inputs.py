"""Inputs of this film's stages: a secret message and its rotation."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from clockhead.model.caesar.cryptogram import Cryptogram, cryptogram
from clockhead.scenes.stage import Stage, StageInputs

MOST_CHARACTERS = 100
"""Most characters of a message; longer ones are too small on a phone."""

Plaintext = Annotated[
    str, Field(min_length=1, max_length=MOST_CHARACTERS, pattern=r"^[a-z]+( [a-z]+)*$")
]


class CryptogramInputs(StageInputs):
    """A secret message and its rotation."""

    text: Plaintext = Field(
        "the shift hides every word but not how often each letter is needed to write it",
        description=f"up to {MOST_CHARACTERS} characters: words of letters a to z, one space "
        "between them",
    )
    rotation: int = Field(7, ge=0, le=25, description="number of places that each letter is moved")

    @property
    def cryptogram(self) -> Cryptogram:
        """The encrypted message."""
        return cryptogram(self.text, self.rotation)


class CryptogramStage(Stage[Cryptogram]):
    """A stage about one message, its ciphertext and its histogram."""

    Inputs = CryptogramInputs

    compute = cryptogram
