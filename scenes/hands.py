"""Inputs that stages of several films share: the number of clock hands, and their speeds."""

from __future__ import annotations

from pydantic import Field

from clockhead.model.rope.rotation import BASE, rope_frequencies
from clockhead.scenes.stage import EvenInt, StageInputs


class HandsInputs(StageInputs):
    """The number of clock hands, and their speeds."""

    d_head: EvenInt = Field(
        8, ge=2, le=256, description="numbers in a key, two for each clock hand"
    )
    base: float = Field(
        BASE, ge=1, le=1e7, description="how far apart the hands' speeds are; 1 makes them equal"
    )

    @property
    def frequencies(self) -> tuple[float, ...]:
        """The angle by which each hand turns from one position to the next, in radians."""
        return tuple(rope_frequencies(self.d_head, self.base).tolist())
