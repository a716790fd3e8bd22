"""Inputs of this film's stages: a short text, and the embeddings of its tokens."""

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

MOST_WORDS = 5
"""Maximum number of tokens; more would be illegible."""
MOST_LETTERS = 8
"""Maximum width of a word, in average letters."""
WIDTH = 6
"""Number of columns of the rows, as in the primer."""

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
    """A stage about a transformer with two layers over a short text."""

    class Inputs(TapeInputs):
        """A short text and its embeddings."""

        resid_pre: tuple[TapeRow, ...] | None = Field(
            None,
            description=f"a row of {WIDTH} numbers for each word; default: the primer's for three "
            "words, and random ones from the seed for more",
        )
        seed: int | None = Field(
            None,
            ge=0,
            le=2**32 - 1,
            description="seed of the weights, and of the rows unless they are given; default: "
            "the primer's weights, or seed 0 if the text or d_ff needs a seed",
        )
        n_heads: int = Field(2, ge=1, le=3, description="number of heads, which share the columns")
        d_ff: int = Field(D_FF, ge=4, le=D_FF, description="width of the MLP; below 8 needs a seed")

        @property
        def block(self) -> WorkedBlock:
            """The transformer over this text; ValueError for rows or sizes that do not match."""
            return worked_block(self.tokens, self.resid_pre, self.seed, self.n_heads, self.d_ff)

    derived = {
        "asker": Derived("the last token", lambda block: token_name(block.tokens, block.last))
    }

    inputs: Inputs

    compute: ClassVar[Callable[..., Any]] = worked_block
