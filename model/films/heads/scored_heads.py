"""Head scores, a table for each kind: layers by heads, as TransformerLens has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.heads.head_scores import head_scores
from clockhead.model.heads.patterns import AttentionPatterns
from clockhead.model.units import Count, Doc, Rows, Share, Tokens

MOST_NUMBERS = 16
"""As many rows or columns have a number."""


@dataclass(frozen=True, kw_only=True, eq=False)
class KindOfScore(Values):
    """One score of all heads, L layers of H."""

    table: Annotated[Floats, Doc("the share of each head's attention; (L, H)")]
    most: Annotated[Share, Doc("the largest of them")]
    mean: Annotated[Share, Doc("their mean over all heads")]
    layer: Annotated[Count, Doc("the layer of the head that has most")]
    head: Annotated[Count, Doc("its number in the layer")]

    @property
    def name(self) -> str:
        """The head that has most, as layer.head."""
        return f"{self.layer}.{self.head}"


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoredHeads(Values):
    """What all heads of a model give to the three places that circuits are made of."""

    n_layers: Annotated[Count, Doc("how many layers the model has")]
    n_heads: Annotated[Count, Doc("how many heads each layer has")]
    n_tokens: Annotated[Tokens, Doc("length of the text")]
    n_repeats: Annotated[Rows, Doc("how many tokens stood before, with another after them")]
    layers: Annotated[tuple[str, ...], Doc("numbers of layers, from 0; of many, some; L of them")]
    heads: Annotated[tuple[str, ...], Doc("numbers of heads, from 0; of many, some; H of them")]
    previous: Annotated[KindOfScore, Doc("attention on the token before")]
    duplicate: Annotated[KindOfScore, Doc("attention on the same token, where it was before")]
    induction: Annotated[KindOfScore, Doc("attention on what came after the same token")]


def scored_heads(
    patterns: AttentionPatterns, exclude_first: bool, exclude_own: bool
) -> ScoredHeads:
    """The scores, without attention on the first token or on the own one if these are excluded."""
    scores = head_scores(patterns, exclude_bos=exclude_first, exclude_current_token=exclude_own)
    previous, duplicate, induction = map(
        _kind_of_score, (scores.previous, scores.duplicate, scores.induction)
    )
    return ScoredHeads(
        n_layers=patterns.n_layers,
        n_heads=patterns.n_heads,
        n_tokens=patterns.n_tokens,
        n_repeats=scores.n_induction_rows,
        layers=numbers(patterns.n_layers),
        heads=numbers(patterns.n_heads),
        previous=previous,
        duplicate=duplicate,
        induction=induction,
    )


def numbers(count: int) -> tuple[str, ...]:
    """The numbers from 0 on; of more than `MOST_NUMBERS`, every so many and else nothing."""
    step = -(-count // MOST_NUMBERS)
    return tuple("" if k % step else str(k) for k in range(count))


def _kind_of_score(table: Floats) -> KindOfScore:
    layer, head = np.unravel_index(int(table.argmax()), table.shape)
    return KindOfScore(
        table=table.copy(),
        most=float(table.max()),
        mean=float(table.mean()),
        layer=int(layer),
        head=int(head),
    )
