"""What several stages of this film share."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from model.embedding import demo_embedding
from model.rope import BASE, rope_frequencies
from model.rotated_vector import RotatedVector
from model.tokens import LETTERS
from scenes.stage import EvenInt, StageInputs

Letter = Annotated[str, Field(pattern=r"^[a-z]$")]


ROUNDING = 1e-12
"""Differences below this are rounding, not mathematics."""
ROOMY = 9.0
"""Units of width from which a canvas has room for sixteen dials in a row."""


class LetterAtPosition(StageInputs):
    """A letter's vector and the position it stands at."""

    letter: Letter = Field("j", description="the letter whose vector is turned")
    m: int = Field(40, ge=4, le=1000, description="the position it stands at")
    base: float = Field(BASE, ge=10, le=1e7, description="how far apart the hands' speeds are")

    def turned(self, d_head: int) -> RotatedVector:
        """The demo embedding of the letter at width `d_head`, turned to position m."""
        vector = demo_embedding([LETTERS.tokens.index(self.letter)], d_head)[0]  # (d_head,)
        frequencies = rope_frequencies(d_head, self.base)  # (d_head/2,)
        return RotatedVector(
            tuple(vector.tolist()), self.m, tuple(frequencies.tolist()), token=self.letter
        )


class HandsInputs(StageInputs):
    """How many hands there are and how fast they turn."""

    d_head: EvenInt = Field(32, ge=2, le=256, description="width of the head; d_head/2 clock hands")
    base: float = Field(
        BASE, ge=1, le=1e7, description="how far apart the hands' speeds are; 1 makes them equal"
    )

    @property
    def frequencies(self) -> tuple[float, ...]:
        return tuple(rope_frequencies(self.d_head, self.base).tolist())


def shown_hands(n_hands: int, most: int) -> NDArray[np.int64]:
    """At most `most` hands, spread over the faster half: the slow ones hardly move."""
    if n_hands <= most:
        return np.arange(n_hands)
    return np.linspace(0, max(most, n_hands // 2) - 1, most).round().astype(np.int64)


def part_of(n_shown: int, n_hands: int) -> str:
    """How many of the hands are shown, in words."""
    if n_shown < n_hands:
        return f"{n_shown} of {n_hands} hands"
    return "its one hand" if n_hands == 1 else f"all {n_hands} hands"
