"""One head on one text: its pattern, the part in which it shows most, and its mean attention.

Mean attention is measured on the five targets of `model.heads.head_scores`: the token before,
followers of the same token, the same token, the first token, and the token itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Bools, Floats, Ints, Values
from clockhead.model.heads.head_scores import (
    CLEAR,
    Kind,
    detection_patterns,
    head_scores,
)
from clockhead.model.heads.patterns import AttentionPatterns
from clockhead.model.tokens import token_name
from clockhead.model.units import Count, Doc, Position, Rows, Share, Shares, Tokens

WORTH = 1.25
"""The part leaves the diagonal only where it has at least this many times as much attention."""
SEEN = 0.05
"""Smallest attention weight that is drawn as a line."""


@dataclass(frozen=True, kw_only=True, eq=False)
class OneHead(Values):
    """A head, its whole pattern over T tokens, and a part of W tokens; rows are queries."""

    layer: Annotated[Count, Doc("layer of the head, from 0")]
    head: Annotated[Count, Doc("number of the head in its layer, from 0")]
    n_layers: Annotated[Count, Doc("number of layers of the model")]
    n_heads: Annotated[Count, Doc("number of heads in each layer")]
    n_tokens: Annotated[Tokens, Doc("length of the text")]
    is_causal: Annotated[bool, Doc("whether no token attends to a later one")]
    whole: Annotated[Floats, Doc("attention weights of the whole text; (1, T, T)")]

    first: Annotated[Position, Doc("position of the first row of the part")]
    last: Annotated[Position, Doc("position of the last row of the part")]
    first_key: Annotated[Position, Doc("position of the first column of the part")]
    last_key: Annotated[Position, Doc("position of the last column of the part")]
    is_part: Annotated[bool, Doc("whether the text is longer than the part")]
    is_elsewhere: Annotated[
        bool, Doc("whether the columns of the part are other tokens than its rows")
    ]
    askers: Annotated[tuple[str, ...], Doc("tokens of the part's rows; W of them")]
    keys: Annotated[tuple[str, ...], Doc("tokens of the part's columns; W of them")]
    part: Annotated[Floats, Doc("attention weights of the part; (W, W)")]
    hidden: Annotated[Bools, Doc("whether a cell of the part is masked; (W, W)")]
    n_lines: Annotated[Count, Doc("number of weights in the part that are at least 5 percent")]

    kind: Annotated[Kind, Doc("kind of the head: the target that it attends to most, or mixed")]
    looks: Annotated[
        Shares, Doc("mean attention on each of the five targets, over the rows that have it; (5,)")
    ]
    rows: Annotated[Ints, Doc("number of rows that have each target; (5,)")]
    n_repeats: Annotated[
        Rows, Doc("number of tokens that occurred before, with a follower to attend to")
    ]
    most: Annotated[Share, Doc("largest mean attention on a target")]
    most_at: Annotated[Count, Doc("index of the target with the largest mean attention, from 0")]
    clear: Annotated[Share, Doc("smallest mean attention on its target for a head of a kind")]

    asks: Annotated[Position, Doc("row of the part with the clearest attention weight")]
    target: Annotated[Position, Doc("column of the part with that attention weight")]
    asker: Annotated[str, Doc("token of that row")]
    asked: Annotated[str, Doc("token of that column")]
    is_itself: Annotated[bool, Doc("whether that row attends to itself")]
    weight: Annotated[Share, Doc("attention weight of that row on that column")]


def check_head(patterns: AttentionPatterns, layer: int, head: int) -> None:
    """Raise ValueError, with the number of layers or heads, unless the model has this head."""
    for name, number, count in (
        ("layer", layer, patterns.n_layers),
        ("head", head, patterns.n_heads),
    ):
        if number >= count:
            what = "layers" if name == "layer" else "heads in each layer"
            there = f"{count} {what if count > 1 else what.replace('s', '', 1)}"
            raise ValueError(f"{name} must be 0 to {count - 1}: the model has {there}")


def best_part(
    patterns: AttentionPatterns, weights: Floats, first: int | None, length: int
) -> tuple[slice, slice]:
    """The `length` rows and columns whose block of `weights` (T, T) has the largest sum.

    Rows and columns are the same tokens, unless another block has a much larger sum (`WORTH`). With
    `first`, rows begin there, or earlier if the text is too short. Raises ValueError for a `first`
    after the end.
    """
    count = patterns.n_tokens
    n = min(length, count)
    if first is not None and first >= count:
        raise ValueError(f"first must be 0 to {count - 1}: the text has {count} tokens")
    sums = np.zeros((count + 1, count + 1))
    sums[1:, 1:] = weights.cumsum(axis=0).cumsum(axis=1)
    inside = sums[n:, n:] - sums[:-n, n:] - sums[n:, :-n] + sums[:-n, :-n]  # (T - n + 1,) * 2
    if patterns.is_causal:
        inside = np.where(np.tri(*inside.shape, dtype=np.bool_), inside, -1.0)
    if first is not None:
        rows = np.arange(len(inside))[:, None] == min(first, count - n)
        inside = np.where(rows, inside, -1.0)
    row, column = map(int, np.unravel_index(int(inside.argmax()), inside.shape))
    along = int(inside.diagonal().argmax())
    if inside[along, along] * WORTH >= inside[row, column]:
        row = column = along
    return slice(row, row + n), slice(column, column + n)


def target_mask(patterns: AttentionPatterns, layer: int, head: int) -> Bools:
    """The targets of the head's kind, (T, T); all but the first token and itself if mixed."""
    kind, masks = head_scores(patterns).kinds[layer][head], detection_patterns(patterns.tokens)
    if kind == "mixed":
        return np.asarray(~(masks["first"] | masks["own"]))
    return masks[kind]


def one_head(
    patterns: AttentionPatterns, layer: int, head: int, first: int | None, length: int
) -> OneHead:
    """A head, and a part of `length` tokens, from `first` on or where the head shows most.

    Raises ValueError for a head that does not exist, and for a `first` after the end.
    """
    check_head(patterns, layer, head)
    weights, mask = patterns.patterns[layer, head], target_mask(patterns, layer, head)  # (T, T)
    rows, columns = best_part(patterns, weights * mask, first, length)
    part = weights[rows, columns].copy()  # (W, W)
    scores = head_scores(patterns)
    looks, kind = scores.on_target[layer, head], scores.kinds[layer][head]  # (5,)
    asks, target = clearest_cell(patterns, weights, mask, rows, columns)
    return OneHead(
        layer=layer,
        head=head,
        n_layers=patterns.n_layers,
        n_heads=patterns.n_heads,
        n_tokens=patterns.n_tokens,
        is_causal=patterns.is_causal,
        whole=weights[None].copy(),
        first=rows.start,
        last=rows.stop - 1,
        first_key=columns.start,
        last_key=columns.stop - 1,
        is_part=len(part) < patterns.n_tokens,
        is_elsewhere=rows != columns,
        askers=patterns.labels[rows],
        keys=patterns.labels[columns],
        part=part,
        hidden=~patterns.visible[rows, columns],
        n_lines=int((part >= SEEN).sum()),
        kind=kind,
        looks=looks.copy(),
        rows=scores.rows.copy(),
        n_repeats=scores.n_induction_rows,
        most=float(looks.max()),
        most_at=int(looks.argmax()),
        clear=CLEAR,
        asks=asks,
        target=target,
        asker=token_name(patterns.labels, rows.start + asks),
        asked=token_name(patterns.labels, columns.start + target),
        is_itself=rows.start + asks == columns.start + target,
        weight=float(part[asks, target]),
    )


def clearest_cell(
    patterns: AttentionPatterns, weights: Floats, mask: Bools, rows: slice, columns: slice
) -> tuple[int, int]:
    """Row and column, within a part, of the largest of `weights` (T, T) under `mask`.

    The first row of a causal text, which can only attend to itself, is left out. If all weights
    under the mask are 0, all cells of the part count.
    """
    part = weights[rows, columns]  # (W, W)
    has_choice = patterns.visible[rows].sum(axis=1) > 1  # (W,)
    for one in (mask[rows, columns], np.ones_like(part, dtype=np.bool_)):
        found = np.where(has_choice[:, None] & one, part, -1.0)  # (W, W)
        if found.max() > 0:
            break
    row, column = np.unravel_index(int(found.argmax()), part.shape)
    return int(row), int(column)
