"""What the stages of this film take: a text, a head, and the position that asks."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field

from model.previous_token import PreviousTokenHead
from model.rope import BASE
from model.score_row import ScoreRow
from model.tokens import words
from scenes.stage import EvenInt, StageInputs, Words

_MOST_WORDS = 12
_MOST_LETTERS = 10
"""More or longer words are not legible along the side of a matrix on a phone."""
_USUAL_POSITION = 5


def _legible(text: str) -> str:
    tokens = words(text)
    if not 2 <= len(tokens) <= _MOST_WORDS:
        count = "1 word" if len(tokens) == 1 else f"{len(tokens)} words"
        raise ValueError(
            f"{count}; a text has 2 to {_MOST_WORDS}, so that one comes before another"
        )
    longest = max(tokens, key=len)
    if len(longest) > _MOST_LETTERS:
        raise ValueError(
            f"“{longest}” has {len(longest)} letters; at most {_MOST_LETTERS} fit into a cell"
        )
    return text


FewWords = Annotated[Words, AfterValidator(_legible)]


class TextInputs(StageInputs):
    """A text, and how many clock hands read it."""

    text: FewWords = Field(
        "the cat sat on the mat and ran",
        description=f"2 to {_MOST_WORDS} words of letters a to z; one word is one token",
    )
    d_head: EvenInt = Field(32, ge=2, le=256, description="width of the head; d_head/2 clock hands")
    base: float = Field(
        BASE, ge=1, le=1e7, description="how far apart the hands' speeds are; 1 makes them equal"
    )

    @property
    def tokens(self) -> tuple[str, ...]:
        return words(self.text)


class AskingInputs(TextInputs):
    """One position of the text, which asks."""

    m: int | None = Field(
        None,
        ge=1,
        le=_MOST_WORDS - 1,
        description=f"the position that asks; {_USUAL_POSITION} or the last one if it is left out",
    )

    @property
    def asking(self) -> int:
        """The position that asks."""
        return min(_USUAL_POSITION, len(self.tokens) - 1) if self.m is None else self.m

    def row(self, alpha: float = 1.0) -> ScoreRow:
        """The row of the head's scores in which that position asks."""
        head = PreviousTokenHead(len(self.tokens), self.d_head, alpha, self.base)
        return ScoreRow(head, self.asking, self.tokens)


class HeadInputs(TextInputs):
    """A whole previous-token head."""

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
