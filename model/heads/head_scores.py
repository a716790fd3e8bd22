"""What trained heads look at: scores of heads, their kinds, and where in a text they show it.

The scores of previous-token, duplicate-token and induction heads are those of TransformerLens
(`head_detector.detect_head` with the error measure "mul", its default): the share of all attention
of a head that lies on the detection pattern of the kind. Such a score is low for a perfect head if
few rows have something to find, so kinds are told by the rows that do (see `head_scores`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias, get_args

import numpy as np

from clockhead.model.arrays import Bools, Floats, Ints, Values, whole
from clockhead.model.heads.patterns import AttentionPatterns
from clockhead.model.units import Doc, Rows

Target: TypeAlias = Literal["previous", "induction", "duplicate", "first", "own"]
"""What a row may look at; where two get equally much, the first of these names the head."""
Kind: TypeAlias = Literal["previous", "induction", "duplicate", "first", "own", "mixed"]
TARGETS: tuple[Target, ...] = get_args(Target)
KINDS: tuple[Kind, ...] = get_args(Kind)
CLEAR = 0.4
"""The mean attention on its targets from which a head is of a kind, and not mixed."""
_TIE = 1e-9


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadScores(Values):
    """What each head looks at in one text. L layers, H heads in each, 5 targets."""

    previous: Annotated[Floats, Doc("share of attention on the token before; (L, H)")]
    duplicate: Annotated[Floats, Doc("share on earlier tokens that are the same; (L, H)")]
    induction: Annotated[Floats, Doc("share on tokens that followed the same token; (L, H)")]
    first: Annotated[Floats, Doc("share on the first token of the text; (L, H)")]
    own: Annotated[Floats, Doc("share that tokens give themselves; (L, H)")]

    on_target: Annotated[
        Floats, Doc("mean attention on a target, over rows that have it; (L, H, 5)")
    ]
    rows: Annotated[Ints, Doc("how many rows have each target; (5,)")]
    n_induction_rows: Annotated[
        Rows, Doc("in how many rows the token stood before, with another after it")
    ]
    kinds: Annotated[
        tuple[tuple[Kind, ...], ...], Doc("what each head looks at most, or mixed; (L, H)")
    ]
    order: Annotated[
        Ints, Doc("layer and head of all heads, by kind, the clearest first; (L H, 2)")
    ]

    def of(self, target: Target) -> Floats:
        """The score of all heads for a target, (L, H)."""
        found: Floats = getattr(self, target)
        return found

    def best(self, target: Target) -> tuple[int, int]:
        """Layer and head of the head that looks at a target most, over the rows that have it."""
        shares = self.on_target[..., TARGETS.index(target)]  # (L, H)
        layer, head = np.unravel_index(int(shares.argmax()), shares.shape)
        return int(layer), int(head)


def detection_patterns(tokens: Sequence[str]) -> dict[Target, Bools]:
    """For each target, True where row m would look at column n; each (T, T), n <= m.

    As TransformerLens has them: the token before; earlier tokens that are the same; tokens after
    these, up to the row's own. The last column that follows may be the row itself, if the token
    stands twice in a row.
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
    """What each head looks at.

    The scores are shares of a head's whole attention, without that on the first token
    (`exclude_bos`) or on the own one (`exclude_current_token`), 0 if nothing is left.

    `on_target` is the mean attention on a target over the rows that have it; the first row, which
    has no choice in a causal model, counts for none. A head is of the kind that it gives most, if
    this is at least `CLEAR`, and otherwise mixed. Kinds do not depend on what is excluded.
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
    """The first and the last position of the `length` tokens in which heads show most.

    That is where most attention stays within the part and goes to what a head looks at: the targets
    of its kind, and for a mixed head all but the first token and the own one. Of equal parts, the
    first. The whole text if it is not longer. All `heads` count if none are named, as (layer,
    head). Raises ValueError for a length below 1.
    """
    count, part = patterns.n_tokens, whole("length", length, at_least=1)
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
    if best is None:  # what it looks at lies too far back
        best = _best_start(all_shown, part) or 0
    return best, best + part - 1


def _best_start(weights: Floats, length: int) -> int | None:
    """Where the part begins in which most of the weights (T, T) lie; None if none do anywhere."""
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
    """What each row gives to the places of a mask (T, T); (L, H, T)."""
    found: Floats = np.einsum("lhmn,mn->lhm", patterns.patterns, mask.astype(np.float64))
    return found


def _kind(shares: Floats) -> Kind:
    """The kind of a head with these shares on its targets, (5,)."""
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
