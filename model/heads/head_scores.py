"""Scores and kinds of trained heads, and the part of a text in which they show most.

The scores of previous-token, duplicate-token and induction heads are those of TransformerLens
(`head_detector.detect_head` with the error measure "mul", its default): the fraction of a head's
attention that is on the detection pattern of the kind. Even a perfect head has a low score if few
rows have a target, so the kind of a head depends only on rows that have one (see `head_scores`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias, get_args

import numpy as np

from clockhead.model.arrays import Bools, Floats, Ints, Values, check_int
from clockhead.model.heads.patterns import AttentionPatterns
from clockhead.model.units import Doc, Rows

Target: TypeAlias = Literal["previous", "induction", "duplicate", "first", "own"]
"""Targets of attention, in order of priority if a head attends to two of them equally."""
Kind: TypeAlias = Literal["previous", "induction", "duplicate", "first", "own", "mixed"]
TARGETS: tuple[Target, ...] = get_args(Target)
KINDS: tuple[Kind, ...] = get_args(Kind)
CLEAR = 0.4
"""Smallest mean attention on its target for a head of a kind; with less, it is mixed."""
_TIE = 1e-9


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadScores(Values):
    """Scores and kinds of all heads in one text; L layers, H heads in each, 5 targets."""

    previous: Annotated[Floats, Doc("fraction of attention on the token before; (L, H)")]
    duplicate: Annotated[
        Floats, Doc("fraction of attention on earlier copies of the same token; (L, H)")
    ]
    induction: Annotated[
        Floats, Doc("fraction of attention on tokens that followed an earlier copy; (L, H)")
    ]
    first: Annotated[Floats, Doc("fraction of attention on the first token of the text; (L, H)")]
    own: Annotated[Floats, Doc("fraction of attention of tokens on themselves; (L, H)")]

    on_target: Annotated[
        Floats, Doc("mean attention on each target, over the rows that have it; (L, H, 5)")
    ]
    rows: Annotated[Ints, Doc("number of rows that have each target; (5,)")]
    n_induction_rows: Annotated[
        Rows, Doc("number of rows whose token occurred before, with a follower to attend to")
    ]
    kinds: Annotated[
        tuple[tuple[Kind, ...], ...],
        Doc("kind of each head: the target it attends to most, or mixed; (L, H)"),
    ]
    order: Annotated[
        Ints, Doc("layer and head of every head, sorted by kind, the clearest first; (L H, 2)")
    ]

    def scores_for(self, target: Target) -> Floats:
        """The scores of all heads for a target; (L, H)."""
        found: Floats = getattr(self, target)
        return found

    def best(self, target: Target) -> tuple[int, int]:
        """Layer and number of the head with the largest mean attention on a target."""
        shares = self.on_target[..., TARGETS.index(target)]  # (L, H)
        layer, head = np.unravel_index(int(shares.argmax()), shares.shape)
        return int(layer), int(head)


def detection_patterns(tokens: Sequence[str]) -> dict[Target, Bools]:
    """For each target, True where column n is a target of row m; (T, T) each, with n <= m.

    As in TransformerLens: the token before; earlier copies of the same token; tokens that follow
    such a copy, including the row's own if the token is repeated immediately.
    """
    text = np.array(tokens, dtype=object)  # (T,)
    count = len(text)
    earlier = np.tri(count, k=-1, dtype=np.bool_)  # (T, T)
    same = np.equal.outer(text, text).astype(np.bool_) & earlier  # (T, T)
    followed = np.zeros_like(same)
    followed[:, 1:] = same[:, :-1]
    first = np.zeros_like(same)
    first[:, 0] = True
    return {
        "previous": np.eye(count, k=-1, dtype=np.bool_),
        "induction": followed,
        "duplicate": same,
        "first": first,
        "own": np.eye(count, dtype=np.bool_),
    }


def head_scores(
    patterns: AttentionPatterns,
    *,
    exclude_bos: bool = False,
    exclude_current_token: bool = False,
) -> HeadScores:
    """Scores and kinds of all heads.

    The scores are fractions of a head's whole attention, leaving out attention on the first token
    (`exclude_bos`) or of tokens on themselves (`exclude_current_token`), and 0 if nothing is left.
    `on_target` is the mean attention on a target over the rows that have it, without the first row,
    which can only attend to itself in a causal model. The kind of a head is its target with the
    largest mean, or mixed if that is below `CLEAR`. Kinds do not depend on the two options.
    """
    masks = detection_patterns(patterns.tokens)
    left = ~((masks["first"] & exclude_bos) | (masks["own"] & exclude_current_token))  # (T, T)
    total = _attention_on(patterns, left).sum(axis=-1)  # (L, H)
    scores, columns, rows = {}, [], []
    for target, mask in masks.items():
        found = _attention_on(patterns, mask & left).sum(axis=-1)  # (L, H)
        scores[target] = np.divide(found, total, out=np.zeros_like(total), where=total > 0)
        with_target = 1 + np.flatnonzero(mask[1:].any(axis=1))  # (R,)
        found = _attention_on(patterns, mask)[:, :, with_target].sum(axis=-1)  # (L, H)
        columns.append(found / max(1, with_target.size))
        rows.append(with_target.size)
    on_target = np.stack(columns, axis=-1)  # (L, H, 5)
    kinds = tuple(tuple(map(_kind, layer)) for layer in on_target)
    return HeadScores(
        **scores,
        on_target=on_target,
        rows=np.array(rows),
        n_induction_rows=rows[TARGETS.index("induction")],
        kinds=kinds,
        order=_order(kinds, on_target),
    )


def interesting_part(
    patterns: AttentionPatterns, length: int, heads: Sequence[tuple[int, int]] = ()
) -> tuple[int, int]:
    """First and last position of the `length` consecutive tokens in which `heads` show most.

    This is the part with the most attention from its rows to its own columns that are targets: of
    the head's kind, or for a mixed head all but the first token and the row itself. The first of
    several equal parts; the whole text if it is not longer. `heads` are (layer, head), all if none
    are given. Raises ValueError for a length below 1.
    """
    count, part = patterns.n_tokens, check_int("length", length, at_least=1)
    if part >= count:
        return 0, count - 1
    masks = detection_patterns(patterns.tokens)
    elsewhere = ~(masks["first"] | masks["own"])  # (T, T)
    kinds = head_scores(patterns).kinds
    asked = list(heads) or list(np.ndindex(patterns.patterns.shape[:2]))
    shown, all_shown = np.zeros((count, count)), np.zeros((count, count))
    for layer, head in asked:
        kind, weights = kinds[layer][head], patterns.patterns[layer, head]  # (T, T)
        shown += weights * (elsewhere if kind == "mixed" else masks[kind])
        all_shown += weights * elsewhere
    best = _best_start(shown, part)
    if best is None:  # all targets are too far back
        best = _best_start(all_shown, part) or 0
    return best, best + part - 1


def _best_start(weights: Floats, length: int) -> int | None:
    """Start of the part whose square block of `weights` (T, T) has the largest sum, None if 0."""
    count = len(weights)
    sums = np.zeros((count + 1, count + 1))
    sums[1:, 1:] = weights.cumsum(axis=0).cumsum(axis=1)
    start = np.arange(count - length + 1)
    end = start + length
    inside = sums[end, end] - sums[start, end] - sums[end, start] + sums[start, start]
    if inside.max() < _TIE:
        return None
    return int(np.flatnonzero(inside > inside.max() - _TIE)[0])


def _attention_on(patterns: AttentionPatterns, mask: Bools) -> Floats:
    """Attention of each row on the columns of a mask (T, T); (L, H, T)."""
    found: Floats = np.einsum("lhmn,mn->lhm", patterns.patterns, mask.astype(np.float64))
    return found


def _kind(shares: Floats) -> Kind:
    """The kind of a head with this mean attention on its targets (5,)."""
    most = float(shares.max())
    if most < CLEAR:
        return "mixed"
    return TARGETS[int(np.flatnonzero(shares > most - _TIE)[0])]


def _order(kinds: tuple[tuple[Kind, ...], ...], on_target: Floats) -> Ints:
    heads = [(layer, head) for layer, row in enumerate(kinds) for head in range(len(row))]

    def place(one: tuple[int, int]) -> tuple[int, float, tuple[int, int]]:
        kind = kinds[one[0]][one[1]]
        shares = on_target[one]  # (5,)
        clear = shares.max() if kind == "mixed" else shares[TARGETS.index(kind)]
        return KINDS.index(kind), -float(clear), one

    return np.array(sorted(heads, key=place), dtype=np.int64)  # (L H, 2)
