"""What several stages of this film share."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from model.cryptogram import Cryptogram
from scenes.facts import Fact
from scenes.stage import Finding, Slide, StageInputs

MOST_CHARACTERS = 100
"""More are not legible, ciphertext under plaintext, on a phone."""

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

    def cryptogram(self) -> Cryptogram:
        return Cryptogram(self.text, self.rotation)


class CryptogramStage(Slide):
    """A stage about one message, its ciphertext, and what is counted in it."""

    class Inputs(CryptogramInputs):
        pass

    inputs: Inputs
    values: Cryptogram

    @classmethod
    def compute(cls, inputs: CryptogramInputs) -> Cryptogram:
        return inputs.cryptogram()


def cryptogram_facts(cryptogram: Cryptogram) -> dict[str, Fact]:
    """What every stage about a message can say of it."""
    first, second = (int(r) for r in cryptogram.ranking[:2])
    return {
        "text": cryptogram.text,
        "ciphertext": cryptogram.ciphertext,
        "decoded": cryptogram.decoded,
        "rotation": cryptogram.rotation,
        "n_tokens": len(cryptogram.tokens),
        "n_letters": cryptogram.n_letters,
        "found": cryptogram.found,
        "best": float(cryptogram.dot_products[first]),
        "runner_up": second,
        "second_best": float(cryptogram.dot_products[second]),
        "lead": cryptogram.lead,
        "place": cryptogram.place,
        "is_solved": cryptogram.is_solved,
    }


def letters_are(cryptogram: Cryptogram) -> str:
    """How many letters there are, with a verb."""
    return "1 letter is" if cryptogram.n_letters == 1 else f"{cryptogram.n_letters} letters are"


def unrivalled(cryptogram: Cryptogram) -> Finding:
    """What a stage asserts that says one rotation is the best."""
    return Finding(
        says="one rotation scores more than all others",
        holds=cryptogram.lead > 1e-9,
        found=f"rotations {cryptogram.ranking[0]} and {cryptogram.ranking[1]} score the same",
    )


def solved(cryptogram: Cryptogram) -> Finding:
    """What a stage asserts that shows the message being read."""
    return Finding(
        says=f"the largest dot product is that of the true rotation, {cryptogram.rotation}",
        holds=cryptogram.is_solved,
        found=f"rotation {cryptogram.found} scores more; the true one is in place "
        f"{cryptogram.place}, for {letters_are(cryptogram)} too few, or too unlike English",
    )
