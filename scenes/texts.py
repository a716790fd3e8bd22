"""What stages of several films take: a text of a few short words, and how clock hands turn."""

from __future__ import annotations

from pydantic import AfterValidator, Field

from model.rope import BASE, rope_frequencies
from model.tokens import words
from scenes.spelling import plural
from scenes.stage import EvenInt, StageInputs


def few_words(fewest: int, most: int, n_letters: int) -> AfterValidator:
    """A text is taken if it has so many words, and none of more letters than are legible."""

    def check(text: str) -> str:
        tokens = words(text)
        if not fewest <= len(tokens) <= most:
            raise ValueError(f"{plural(len(tokens), 'word')}; a text has {fewest} to {most}")
        longest = max(tokens, key=len)
        if len(longest) > n_letters:
            raise ValueError(
                f"“{longest}” has {len(longest)} letters; at most {n_letters} are legible"
            )
        return text

    return AfterValidator(check)


class HandsInputs(StageInputs):
    """How many clock hands there are and how fast they turn."""

    d_head: EvenInt = Field(8, ge=2, le=256, description="width of the head; d_head/2 clock hands")
    base: float = Field(
        BASE, ge=1, le=1e7, description="how far apart the hands' speeds are; 1 makes them equal"
    )

    @property
    def frequencies(self) -> tuple[float, ...]:
        """How far each hand turns in a position, in radians."""
        return tuple(rope_frequencies(self.d_head, self.base).tolist())
