"""What the stages of this film take: a secret message, and how far its letters are turned."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from clockhead.model.caesar.cryptogram import Cryptogram, cryptogram
from clockhead.scenes.stage import Stage, StageInputs

MOST_CHARACTERS = 100
"""More are not legible on a phone."""

Plaintext = Annotated[
    str, Field(min_length=1, max_length=MOST_CHARACTERS, pattern=r"^[a-z]+( [a-z]+)*$")
]


class CryptogramInputs(StageInputs):
    """A secret message, and how far its letters are turned."""

    text: Plaintext = Field(
        "the shift hides every word but not how often each letter is needed to write it",
        description=f"up to {MOST_CHARACTERS} characters: words of letters a to z, one space "
        "between them",
    )
    rotation: int = Field(7, ge=0, le=25, description="how many places each letter is moved")

    @property
    def cryptogram(self) -> Cryptogram:
        """The message, turned."""
        return cryptogram(self.text, self.rotation)


class CryptogramStage(Stage[Cryptogram]):
    """A stage about one message, its ciphertext, and what is counted in it."""

    Inputs = CryptogramInputs

    compute = cryptogram
