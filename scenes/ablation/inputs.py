"""What the stages of this film take: a short text, the rows that go in, how many heads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from pydantic import Field
from typing_extensions import TypeVar

from clockhead.model.films.ablation.head_effects import HeadEffects, head_effects
from clockhead.model.primer.worked_block import WorkedBlock, worked_block
from clockhead.scenes.stage import Claim, Stage
from clockhead.scenes.transformer_block.inputs import WIDTH, TapeInputs, TapeRow

MOST_HEADS = 3
"""More heads are not legible."""


H = TypeVar("H", bound=HeadEffects, default=HeadEffects)


class HeadsStage(Stage[H]):
    """A stage about the heads of a transformer of two layers over a short text."""

    class Inputs(TapeInputs):
        """A short text, the rows that go in, and how many heads a layer has."""

        resid_pre: tuple[TapeRow, ...] | None = Field(
            None, description=f"a row of {WIDTH} numbers for each word; left out, the primer's"
        )
        seed: int | None = Field(
            None,
            ge=0,
            le=2**32 - 1,
            description="draws the weights, and the rows if they are not given; "
            "left out, the weights are the primer's",
        )
        n_heads: int = Field(2, ge=2, le=MOST_HEADS, description="how many heads each layer has")

        @property
        def block(self) -> WorkedBlock:
            """The transformer over this text; ValueError for rows or sizes that do not fit."""
            return worked_block(self.tokens, self.resid_pre, self.seed, self.n_heads)

    claims: ClassVar[tuple[Claim, ...]] = (
        Claim(
            "one word is more likely than all others",
            lambda v: (v.run.probabilities == v.run.probabilities.max()).sum() == 1,
            "several words are level, as they are where all rows are 0; change resid_pre",
        ),
    )

    compute: ClassVar[Callable[..., Any]] = head_effects
