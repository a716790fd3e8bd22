"""One head in one text: its pattern, the part of it in which the head shows most, what it looks at.

Five places are looked for: the token before, what came after the same token, the same token, the
first token, the own one (`model.heads.head_scores`).
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
from clockhead.model.tokens import named
from clockhead.model.units import Count, Doc, Position, Rows, Share, Tokens

WORTH = 1.25
"""So many times as much attention has to be elsewhere for the part to leave the diagonal."""
SEEN = 0.05
"""The attention weight from which a line is drawn."""


@dataclass(frozen=True, kw_only=True, eq=False)
class OneHead(Values):
    """A head, the whole of its pattern, and W tokens of the text of T. A row is a query."""

    layer: Annotated[Count, Doc("the layer of the head, from 0")]
    head: Annotated[Count, Doc("the head's number in its layer, from 0")]
    n_layers: Annotated[Count, Doc("how many layers the model has")]
    n_heads: Annotated[Count, Doc("how many heads each layer has")]
    n_tokens: Annotated[Tokens, Doc("length of the text")]
    is_causal: Annotated[bool, Doc("whether no token looks at a later one")]
    whole: Annotated[Floats, Doc("the pattern of the whole text; (1, T, T)")]

    first: Annotated[Position, Doc("the position of the first row that is shown close up")]
    last: Annotated[Position, Doc("the position of the last row that is shown close up")]
    first_key: Annotated[Position, Doc("the position of the first column that is shown close up")]
    last_key: Annotated[Position, Doc("the position of the last column that is shown close up")]
    is_part: Annotated[bool, Doc("whether the text is longer than that")]
    is_elsewhere: Annotated[bool, Doc("whether other tokens are shown as columns than as rows")]
    askers: Annotated[tuple[str, ...], Doc("the tokens of the rows close up; W of them")]
    keys: Annotated[tuple[str, ...], Doc("the tokens of the columns close up; W of them")]
    part: Annotated[Floats, Doc("this part of the pattern; (W, W)")]
    hidden: Annotated[Bools, Doc("where in it no token may look; (W, W)")]
    n_lines: Annotated[Count, Doc("how many weights of it are at least 5 percent")]

    kind: Annotated[Kind, Doc("what the head looks at most, or mixed")]
    looks: Annotated[
        Floats, Doc("mean attention on each of five places, over rows that have it; (5,)")
    ]
    rows: Annotated[Ints, Doc("how many rows have each of these places; (5,)")]
    n_repeats: Annotated[Rows, Doc("how many tokens stood before, with another after them")]
    most: Annotated[Share, Doc("the largest of these means")]
    most_at: Annotated[Count, Doc("which of the five places that is, from 0")]
    clear: Annotated[Share, Doc("the mean from which a head is of a kind")]

    asks: Annotated[Position, Doc("the row in which the head shows best, in the part")]
    target: Annotated[Position, Doc("the token that this row looks at, in the part")]
    asker: Annotated[str, Doc("the token of this row")]
    asked: Annotated[str, Doc("the token that it looks at")]
    is_itself: Annotated[bool, Doc("whether it looks at itself")]
    weight: Annotated[Share, Doc("the attention that it gives it")]


def checked_head(patterns: AttentionPatterns, layer: int, head: int) -> None:
    """ValueError unless the model has this head; it says how many there are."""
    for name, number, count in (
        ("layer", layer, patterns.n_layers),
        ("head", head, patterns.n_heads),
    ):
        if number >= count:
            what = "layers" if name == "layer" else "heads in each layer"
            there = f"{count} {what if count > 1 else what.replace('s', '', 1)}"
            raise ValueError(f"{name} must be 0 to {count - 1}: the model has {there}")


def part_of(
    patterns: AttentionPatterns, weights: Floats, first: int | None, length: int
) -> tuple[slice, slice]:
    """The rows and columns, `length` of each, in which most of `weights` (T, T) lie.

    They leave the diagonal if that is a good deal more. With `first`, rows begin there, or earlier
    where the text ends before. Raises ValueError for one behind the end.
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


def wanted(patterns: AttentionPatterns, layer: int, head: int) -> Bools:
    """What the head looks for by its kind, (T, T); all but the first and the own token if mixed."""
    kind, masks = head_scores(patterns).kinds[layer][head], detection_patterns(patterns.tokens)
    if kind == "mixed":
        return np.asarray(~(masks["first"] | masks["own"]))
    return masks[kind]


def one_head(
    patterns: AttentionPatterns, layer: int, head: int, first: int | None, length: int
) -> OneHead:
    """A head, and `length` tokens of its text close up, from `first` on or where it shows most.

    Raises ValueError for a head that there is not, and a `first` behind the end.
    """
    checked_head(patterns, layer, head)
    weights, mask = patterns.patterns[layer, head], wanted(patterns, layer, head)  # (T, T)
    rows, columns = part_of(patterns, weights * mask, first, length)
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
        asker=named(patterns.labels, rows.start + asks),
        asked=named(patterns.labels, columns.start + target),
        is_itself=rows.start + asks == columns.start + target,
        weight=float(part[asks, target]),
    )


def clearest_cell(
    patterns: AttentionPatterns, weights: Floats, mask: Bools, rows: slice, columns: slice
) -> tuple[int, int]:
    """Row and column, within a part, of the largest of `weights` (T, T) where `mask` is.

    The first row of a causal text, which has no choice, is not taken if there is another. Where the
    part has no such weight, all weights count.
    """
    part = weights[rows, columns]  # (W, W)
    has_choice = patterns.visible[rows].sum(axis=1) > 1  # (W,)
    for one in (mask[rows, columns], np.ones_like(part, dtype=np.bool_)):
        found = np.where(has_choice[:, None] & one, part, -1.0)  # (W, W)
        if found.max() > 0:
            break
    row, column = np.unravel_index(int(found.argmax()), part.shape)
    return int(row), int(column)
