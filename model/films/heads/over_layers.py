"""Mean attention of each layer on the five targets, and the row of one token in each layer.

Both are means over the heads of a layer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Ints, Values
from clockhead.model.films.heads.scored_heads import number_labels
from clockhead.model.heads.head_scores import TARGETS, head_scores
from clockhead.model.heads.patterns import AttentionPatterns
from clockhead.model.tokens import token_name
from clockhead.model.units import Count, Doc, Position, Share, Shares, Tokens

MOST_KEYS = 8
"""Largest number of keys with a column of their own; all others share one."""
CLEAR = 0.2
"""Smallest mean over a layer's heads for which the layer is said to attend to a target."""


@dataclass(frozen=True, kw_only=True, eq=False)
class OverLayers(Values):
    """L layers of H heads, and the row of one token with K keys in each of them."""

    n_layers: Annotated[Count, Doc("number of layers of the model")]
    n_heads: Annotated[Count, Doc("number of heads in each layer")]
    n_tokens: Annotated[Tokens, Doc("length of the text")]
    layers: Annotated[
        tuple[str, ...],
        Doc("labels of the layers, from 0, empty for some if there are many; L of them"),
    ]
    looks: Annotated[
        Shares, Doc("mean attention of each layer's heads on each of the five targets; (5, L)")
    ]
    previous_layer: Annotated[
        Count, Doc("layer with the largest mean attention on the token before")
    ]
    previous: Annotated[Share, Doc("mean attention of that layer on the token before")]
    induction_layer: Annotated[
        Count, Doc("layer with the largest mean attention on followers of the same token")
    ]
    induction: Annotated[Share, Doc("mean attention of that layer on these followers")]
    in_order: Annotated[
        bool,
        Doc("whether both are at least 20 percent, and the first of them is in an earlier layer"),
    ]

    at: Annotated[Position, Doc("position of the token whose row is shown")]
    asker: Annotated[str, Doc("token whose row is shown")]
    keys_at: Annotated[Ints, Doc("positions of the keys with the largest attention weights; (K,)")]
    keys: Annotated[tuple[str, ...], Doc("tokens of these keys with their positions; K of them")]
    walk: Annotated[
        Shares,
        Doc("mean attention of each layer's heads on each key, and on all others; (L, K + 1)"),
    ]
    most_layer: Annotated[Count, Doc("layer with the largest mean attention on one key")]
    most_key: Annotated[Count, Doc("index of that key, from 0")]
    most_asked: Annotated[str, Doc("token of that key")]
    most: Annotated[Share, Doc("mean attention of that layer on that key")]


def over_layers(patterns: AttentionPatterns, at: int | None) -> OverLayers:
    """All layers, and the row of the token at position `at`, or of the last one.

    Raises ValueError for a position outside the text.
    """
    count = patterns.n_tokens
    row = count - 1 if at is None else at
    if row >= count:
        raise ValueError(f"at must be 0 to {count - 1}: the text has {count} tokens")
    looks = head_scores(patterns).on_target.mean(axis=1).T  # (5, L)
    rows = patterns.patterns[:, :, row].mean(axis=1)  # (L, T)
    best = np.argsort(-rows.max(axis=0), kind="stable")[:MOST_KEYS]  # (K,)
    keys_at = np.sort(best[rows.max(axis=0)[best] > 0])  # (K,)
    shown = rows[:, keys_at]  # (L, K)
    walk = np.column_stack([shown, np.clip(1 - shown.sum(axis=1), 0.0, 1.0)])  # (L, K + 1)
    layer, key = map(int, np.unravel_index(int(shown.argmax()), shown.shape))
    previous, induction = looks[TARGETS.index("previous")], looks[TARGETS.index("induction")]
    first, second = int(previous.argmax()), int(induction.argmax())
    return OverLayers(
        n_layers=patterns.n_layers,
        n_heads=patterns.n_heads,
        n_tokens=count,
        layers=number_labels(patterns.n_layers),
        looks=looks.copy(),
        previous_layer=first,
        previous=float(previous[first]),
        induction_layer=second,
        induction=float(induction[second]),
        in_order=bool(min(previous[first], induction[second]) >= CLEAR and first < second),
        at=row,
        asker=token_name(patterns.labels, row),
        keys_at=keys_at,
        keys=tuple(f"{patterns.labels[k]} {k}" for k in keys_at.tolist()),
        walk=walk,
        most_layer=layer,
        most_key=key,
        most_asked=token_name(patterns.labels, int(keys_at[key])),
        most=float(shown[layer, key]),
    )
