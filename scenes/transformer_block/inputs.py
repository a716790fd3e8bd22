"""What the stages of this film take: a text of a few words and the rows that go in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, ClassVar

from pydantic import Field
from typing_extensions import TypeVar

from clockhead.model.primer.weights import SENTENCE
from clockhead.model.primer.worked_block import D_FF, WorkedBlock, worked_block
from clockhead.model.tokens import token_name, words
from clockhead.scenes.stage import Derived, Stage, StageInputs, Words
from clockhead.scenes.texts import few_words, words_said

MOST_WORDS, MOST_LETTERS, WIDTH = 5, 8, 6
"""More tokens or wider words are not legible; rows are as wide as the primer's."""

Number = Annotated[float, Field(ge=-9.99, le=9.99)]
TapeRow = Annotated[tuple[Number, ...], Field(min_length=WIDTH, max_length=WIDTH)]


class TapeInputs(StageInputs):
    """A short text."""

    text: Annotated[Words, few_words(3, MOST_WORDS, MOST_LETTERS)] = Field(
        " ".join(SENTENCE), description=words_said(3, MOST_WORDS, MOST_LETTERS)
    )

    @property
    def tokens(self) -> tuple[str, ...]:
        """The words of the text."""
        return words(self.text)


B = TypeVar("B", bound=WorkedBlock, default=WorkedBlock)


class BlockStage(Stage[B]):
    """A stage about a transformer of two layers over a short text."""

    class Inputs(TapeInputs):
        """A short text and the rows that go in."""

        resid_pre: tuple[TapeRow, ...] | None = Field(
            None,
            description=f"a row of {WIDTH} numbers for each word; left out, the primer's for three "
            "words, and for more they are drawn from seed",
        )
        seed: int | None = Field(
            None,
            ge=0,
            le=2**32 - 1,
            description="draws the weights, and the rows if they are not given; "
            "left out, the weights are the primer's, unless the text or d_ff needs a seed: then 0",
        )
        n_heads: int = Field(2, ge=1, le=3, description="into how many heads the columns are cut")
        d_ff: int = Field(D_FF, ge=4, le=D_FF, description="width of the MLP; below 8 needs a seed")

        @property
        def block(self) -> WorkedBlock:
            """The transformer over this text; ValueError for rows or sizes that do not fit."""
            return worked_block(self.tokens, self.resid_pre, self.seed, self.n_heads, self.d_ff)

    derived = {
        "asker": Derived("the last token", lambda block: token_name(block.tokens, block.last))
    }

    inputs: Inputs

    compute: ClassVar[Callable[..., Any]] = worked_block
