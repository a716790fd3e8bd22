"""What several stages of this film share."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field

from model.previous_token import PreviousTokenHead
from model.rope import BASE
from model.score_row import ScoreRow
from model.tokens import words
from scenes.stage import EvenInt, StageInputs, Words

MOST_WORDS = 12


MOST_LETTERS = 10
"""More or longer words are not legible along the side of a grid on a phone."""


def _legible(text: str) -> str:
    tokens = words(text)
    if len(tokens) > MOST_WORDS:
        raise ValueError(f"{len(tokens)} words; at most {MOST_WORDS} can be read on screen")
    longest = max(tokens, key=len)
    if len(longest) > MOST_LETTERS:
        raise ValueError(
            f"“{longest}” has {len(longest)} letters; at most {MOST_LETTERS} fit into a cell"
        )
    return text


FewWords = Annotated[Words, AfterValidator(_legible)]


class KeyInputs(StageInputs):
    """What the keys of a head are made of."""

    text: FewWords = Field(
        "the cat sat on the mat and ran",
        description=f"up to {MOST_WORDS} words of letters a to z; one word is one token",
    )
    d_head: EvenInt = Field(32, ge=2, le=256, description="width of the head; d_head/2 clock hands")
    base: float = Field(
        BASE, ge=1, le=1e7, description="how far apart the hands' speeds are; 1 makes them equal"
    )

    @property
    def tokens(self) -> tuple[str, ...]:
        return words(self.text)


class AskingInputs(KeyInputs):
    """A head at one position, which asks."""

    m: int = Field(
        5, ge=1, le=MOST_WORDS - 1, description="the position that asks; a token must precede it"
    )

    def row(self, alpha: float = 1.0) -> ScoreRow:
        """Row m of the head over this text."""
        head = PreviousTokenHead(len(self.tokens), self.d_head, alpha, self.base)
        return ScoreRow(head, self.m, self.tokens)


class HeadInputs(KeyInputs):
    """What a whole head is made of."""

    alpha: float = Field(
        10.0, ge=0.01, le=1e4, description="scale of the scores; larger is sharper"
    )

    def head(self, **changes: Any) -> PreviousTokenHead:
        """The head over this text; `changes` are further arguments, such as `look_back`."""
        return PreviousTokenHead(
            n_tokens=len(self.tokens),
            d_head=self.d_head,
            alpha=self.alpha,
            base=self.base,
            **changes,
        )


STEPS = 40
"""Alphas that are worked out between two stops of a sweep."""
