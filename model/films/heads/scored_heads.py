"""Head scores as in TransformerLens, a table of layers by heads for each kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.heads.head_scores import head_scores
from clockhead.model.heads.patterns import AttentionPatterns
from clockhead.model.units import Count, Doc, Rows, Share, Shares, Tokens

MOST_NUMBERS = 16
"""Largest number of rows or columns with a label."""


Kind: TypeAlias = Literal["previous", "duplicate", "induction"]


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoredHeads(Values):
    """The previous-token, duplicate-token and induction scores of all heads of a model."""

    n_layers: Annotated[Count, Doc("number of layers of the model")]
    n_heads: Annotated[Count, Doc("number of heads in each layer")]
    n_tokens: Annotated[Tokens, Doc("length of the text")]
    n_repeats: Annotated[
        Rows, Doc("number of tokens that occurred before, with a follower to attend to")
    ]
    layers: Annotated[
        tuple[str, ...],
        Doc("labels of the layers, from 0, empty for some if there are many; L of them"),
    ]
    heads: Annotated[
        tuple[str, ...],
        Doc("labels of the heads, from 0, empty for some if there are many; H of them"),
    ]
    previous: Annotated[
        Shares, Doc("fraction of each head's attention on the token before; (L, H)")
    ]
    previous_most: Annotated[Share, Doc("the largest previous-token score")]
    previous_layer: Annotated[Count, Doc("layer of the head with this score")]
    previous_number: Annotated[Count, Doc("number of this head in its layer")]
    duplicate: Annotated[
        Shares, Doc("fraction of each head's attention on earlier copies of the same token; (L, H)")
    ]
    duplicate_most: Annotated[Share, Doc("the largest duplicate-token score")]
    duplicate_layer: Annotated[Count, Doc("layer of the head with this score")]
    duplicate_number: Annotated[Count, Doc("number of this head in its layer")]
    induction: Annotated[
        Shares, Doc("fraction of each head's attention on followers of the same token; (L, H)")
    ]
    induction_most: Annotated[Share, Doc("the largest induction score")]
    induction_layer: Annotated[Count, Doc("layer of the head with this score")]
    induction_number: Annotated[Count, Doc("number of this head in its layer")]

    def best(self, kind: Kind) -> tuple[int, int]:
        """Layer and number of the head with the largest score of a kind."""
        return getattr(self, f"{kind}_layer"), getattr(self, f"{kind}_number")


def scored_heads(
    patterns: AttentionPatterns, exclude_first: bool, exclude_own: bool
) -> ScoredHeads:
    """The scores of all heads, without attention on the first token or on itself if excluded."""
    scores = head_scores(patterns, exclude_bos=exclude_first, exclude_current_token=exclude_own)
    return ScoredHeads(
        n_layers=patterns.n_layers,
        n_heads=patterns.n_heads,
        n_tokens=patterns.n_tokens,
        n_repeats=scores.n_induction_rows,
        layers=number_labels(patterns.n_layers),
        heads=number_labels(patterns.n_heads),
        **_scores("previous", scores.previous),
        **_scores("duplicate", scores.duplicate),
        **_scores("induction", scores.induction),
    )


def number_labels(count: int) -> tuple[str, ...]:
    """Labels from 0 on; if there are more than `MOST_NUMBERS`, only every k-th is not empty."""
    step = -(-count // MOST_NUMBERS)
    return tuple("" if k % step else str(k) for k in range(count))


def _scores(kind: Kind, table: Floats) -> dict[str, Any]:
    """The scores of a kind (L, H), the largest score, and its head."""
    layer, number = np.unravel_index(int(table.argmax()), table.shape)
    return {
        kind: table.copy(),
        f"{kind}_most": float(table.max()),
        f"{kind}_layer": int(layer),
        f"{kind}_number": int(number),
    }
