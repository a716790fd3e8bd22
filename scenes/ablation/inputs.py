"""Inputs of this film's stages: a short text, its embeddings, and the number of heads."""

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
"""Most heads per layer; with more, the patterns are too small to read."""


H = TypeVar("H", bound=HeadEffects, default=HeadEffects)


class HeadsStage(Stage[H]):
    """A stage about the heads of a two-layer transformer that reads a short text."""

    class Inputs(TapeInputs):
        """A short text, its embeddings, and the number of heads per layer."""

        resid_pre: tuple[TapeRow, ...] | None = Field(
            None, description=f"{WIDTH} numbers for each word: its embedding; default: the primer's"
        )
        seed: int | None = Field(
            None,
            ge=0,
            le=2**32 - 1,
            description="seed of random weights, and of the embeddings if resid_pre is not given; "
            "default: the primer's weights",
        )
        n_heads: int = Field(2, ge=2, le=MOST_HEADS, description="number of heads per layer")

        @property
        def block(self) -> WorkedBlock:
            """The transformer on this text; ValueError if the embeddings or sizes do not fit."""
            return worked_block(self.tokens, self.resid_pre, self.seed, self.n_heads)

    claims: ClassVar[tuple[Claim, ...]] = (
        Claim(
            "one word is more likely than all the others",
            lambda v: (v.run.probabilities == v.run.probabilities.max()).sum() == 1,
            "several words are equally likely, for example because all embeddings are 0; "
            "change resid_pre",
        ),
    )

    compute: ClassVar[Callable[..., Any]] = head_effects
