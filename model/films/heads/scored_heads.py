"""Head scores, a table for each kind: layers by heads, as TransformerLens has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.heads.head_scores import head_scores
from clockhead.model.heads.patterns import AttentionPatterns
from clockhead.model.units import Count, Doc, Rows, Share, Tokens

MOST_NUMBERS = 16
"""As many rows or columns have a number."""


Kind: TypeAlias = Literal["previous", "duplicate", "induction"]


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoredHeads(Values):
    """What all heads of a model give to the three places that circuits are made of."""

    n_layers: Annotated[Count, Doc("how many layers the model has")]
    n_heads: Annotated[Count, Doc("how many heads each layer has")]
    n_tokens: Annotated[Tokens, Doc("length of the text")]
    n_repeats: Annotated[Rows, Doc("how many tokens stood before, with another after them")]
    layers: Annotated[tuple[str, ...], Doc("numbers of layers, from 0; of many, some; L of them")]
    heads: Annotated[tuple[str, ...], Doc("numbers of heads, from 0; of many, some; H of them")]
    previous: Annotated[Floats, Doc("share of each head's attention on the token before; (L, H)")]
    previous_most: Annotated[Share, Doc("the largest previous-token score")]
    previous_layer: Annotated[Count, Doc("the layer of the head that has it")]
    previous_number: Annotated[Count, Doc("the number of this head in its layer")]
    duplicate: Annotated[
        Floats, Doc("share of each head's attention on the same token, where it was before; (L, H)")
    ]
    duplicate_most: Annotated[Share, Doc("the largest duplicate-token score")]
    duplicate_layer: Annotated[Count, Doc("the layer of the head that has it")]
    duplicate_number: Annotated[Count, Doc("the number of this head in its layer")]
    induction: Annotated[
        Floats, Doc("share of each head's attention on what came after the same token; (L, H)")
    ]
    induction_most: Annotated[Share, Doc("the largest induction score")]
    induction_layer: Annotated[Count, Doc("the layer of the head that has it")]
    induction_number: Annotated[Count, Doc("the number of this head in its layer")]

    def best(self, kind: Kind) -> tuple[int, int]:
        """Layer and number of the head with the largest score of a kind."""
        return getattr(self, f"{kind}_layer"), getattr(self, f"{kind}_number")


def scored_heads(
    patterns: AttentionPatterns, exclude_first: bool, exclude_own: bool
) -> ScoredHeads:
    """The scores, without attention on the first token or on the own one if these are excluded."""
    scores = head_scores(patterns, exclude_bos=exclude_first, exclude_current_token=exclude_own)
    return ScoredHeads(
        n_layers=patterns.n_layers,
        n_heads=patterns.n_heads,
        n_tokens=patterns.n_tokens,
        n_repeats=scores.n_induction_rows,
        layers=numbers(patterns.n_layers),
        heads=numbers(patterns.n_heads),
        **_scores("previous", scores.previous),
        **_scores("duplicate", scores.duplicate),
        **_scores("induction", scores.induction),
    )


def numbers(count: int) -> tuple[str, ...]:
    """The numbers from 0 on; of more than `MOST_NUMBERS`, every so many and else nothing."""
    step = -(-count // MOST_NUMBERS)
    return tuple("" if k % step else str(k) for k in range(count))


def _scores(kind: Kind, table: Floats) -> dict[str, Any]:
    """The scores of a kind, (L, H), the largest, and the head that has it."""
    layer, number = np.unravel_index(int(table.argmax()), table.shape)
    return {
        kind: table.copy(),
        f"{kind}_most": float(table.max()),
        f"{kind}_layer": int(layer),
        f"{kind}_number": int(number),
    }
