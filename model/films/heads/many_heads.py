"""All heads of a model on one text, side by side, and sorted by kind.

For a large model, only the clearest heads of each kind are shown, and the others are counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from clockhead.model.arrays import Bools, Floats, Values
from clockhead.model.heads.head_scores import (
    KINDS,
    TARGETS,
    HeadScores,
    Kind,
    head_scores,
    interesting_part,
)
from clockhead.model.heads.patterns import AttentionPatterns
from clockhead.model.units import Count, Doc, Position, Share, Tokens

MOST_HEADS = 144
"""Largest number of heads shown side by side."""
MOST_ON_SHELVES = {1: 48, 2: 24, 3: 16}
_MOST_ON_SHELF = 8
"""Largest number of heads on the shelf of a kind, by the number of kinds."""

Head = tuple[int, int]


@dataclass(frozen=True, kw_only=True, eq=False)
class ManyHeads(Values):
    """N heads of a model, and their patterns on W tokens of the text."""

    n_layers: Annotated[Count, Doc("number of layers of the model")]
    n_heads: Annotated[Count, Doc("number of heads in each layer")]
    n_all: Annotated[Count, Doc("number of heads in the whole model")]
    n_shown: Annotated[Count, Doc("number of heads that are shown side by side")]
    n_left_out: Annotated[Count, Doc("number of heads that are not shown")]
    n_tokens: Annotated[Tokens, Doc("length of the text")]
    first: Annotated[Position, Doc("first position that is shown")]
    last: Annotated[Position, Doc("last position that is shown")]
    is_part: Annotated[bool, Doc("whether only a part of the text is shown")]
    is_causal: Annotated[bool, Doc("whether no token attends to a later one")]
    heads: Annotated[tuple[Head, ...], Doc("heads that are shown, layer by layer; N of them")]
    patterns: Annotated[Floats, Doc("the shown part of their patterns; (N, W, W)")]
    hidden: Annotated[Bools, Doc("whether a cell of this part is masked; (W, W)")]
    kinds: Annotated[tuple[Kind, ...], Doc("kinds of which the model has heads")]
    n_kinds: Annotated[Count, Doc("number of kinds of which the model has heads")]
    n_clear: Annotated[Count, Doc("number of heads that are not mixed")]
    n_previous: Annotated[Count, Doc("number of previous-token heads")]
    previous_head: Annotated[
        str, Doc("the clearest previous-token head, as layer.head; empty if none")
    ]
    previous_share: Annotated[Share, Doc("mean attention of that head on the token before")]
    n_induction: Annotated[Count, Doc("number of induction heads")]
    induction_head: Annotated[str, Doc("the clearest induction head, as layer.head; empty if none")]
    induction_share: Annotated[
        Share, Doc("mean attention of that head on tokens that followed the same token")
    ]
    n_duplicate: Annotated[Count, Doc("number of duplicate-token heads")]
    duplicate_head: Annotated[
        str, Doc("the clearest duplicate-token head, as layer.head; empty if none")
    ]
    duplicate_share: Annotated[
        Share, Doc("mean attention of that head on earlier copies of the same token")
    ]
    n_first: Annotated[Count, Doc("number of heads that attend most to the first token")]
    first_head: Annotated[
        str, Doc("the clearest head that attends to the first token, as layer.head; empty if none")
    ]
    first_share: Annotated[Share, Doc("mean attention of that head on the first token")]
    n_own: Annotated[Count, Doc("number of heads whose tokens attend most to themselves")]
    own_head: Annotated[
        str,
        Doc("the clearest head whose tokens attend to themselves, as layer.head; empty if none"),
    ]
    own_share: Annotated[Share, Doc("mean attention of that head's tokens on themselves")]
    n_mixed: Annotated[Count, Doc("number of mixed heads, without a clear target")]
    shown: Annotated[
        tuple[tuple[Head, ...], ...],
        Doc("heads that are shown of each kind, the clearest first"),
    ]

    def shelf(self, kind: Kind) -> tuple[Head, ...]:
        """The heads that are shown of a kind, which may be none."""
        return self.shown[self.kinds.index(kind)] if kind in self.kinds else ()

    def count(self, kind: Kind) -> int:
        """The number of heads of a kind, including those that are not shown."""
        found: int = getattr(self, f"n_{kind}")
        return found


def many_heads(patterns: AttentionPatterns, first: int | None, length: int) -> ManyHeads:
    """All heads of a model on `length` tokens of its text.

    The tokens begin at `first`, or are those in which the heads show most. Raises ValueError for a
    `first` after the end.
    """
    count = patterns.n_tokens
    if first is None:
        start, end = interesting_part(patterns, length)
    elif first >= count:
        raise ValueError(f"first must be 0 to {count - 1}: the text has {count} tokens")
    else:
        start = max(0, min(first, count - length))
        end = min(count, start + length) - 1
    scores = head_scores(patterns)
    every = [(int(layer), int(head)) for layer, head in scores.order]
    by_kind = {kind: [h for h in every if scores.kinds[h[0]][h[1]] == kind] for kind in KINDS}
    kinds = tuple(kind for kind in KINDS if by_kind[kind])
    most = MOST_ON_SHELVES.get(len(kinds), _MOST_ON_SHELF)
    shown_heads = tuple(tuple(by_kind[kind][:most]) for kind in kinds)
    on_shelves = [head for shelf in shown_heads for head in shelf]
    others = sorted(
        set(every) - set(on_shelves), key=lambda head: (-scores.on_target[head].max(), head)
    )
    heads = sorted([*on_shelves, *others[: max(0, MOST_HEADS - len(on_shelves))]])
    shown = slice(start, end + 1)
    at = tuple(np.array(heads).T)
    return ManyHeads(
        n_layers=patterns.n_layers,
        n_heads=patterns.n_heads,
        n_all=len(every),
        n_shown=len(heads),
        n_left_out=len(every) - len(heads),
        n_tokens=count,
        first=start,
        last=end,
        is_part=end - start + 1 < count,
        is_causal=patterns.is_causal,
        heads=tuple(heads),
        patterns=patterns.patterns[at][:, shown, shown].copy(),
        hidden=~patterns.visible[shown, shown],
        kinds=kinds,
        n_kinds=len(kinds),
        n_clear=len(every) - len(by_kind["mixed"]),
        n_mixed=len(by_kind["mixed"]),
        shown=shown_heads,
        **_clearest(by_kind, scores),
    )


def _clearest(by_kind: Mapping[Kind, Sequence[Head]], scores: HeadScores) -> dict[str, Any]:
    """Number of heads of each kind, the clearest of them, and its mean attention."""
    found: dict[str, Any] = {}
    for k, target in enumerate(TARGETS):
        heads = by_kind[target]
        found[f"n_{target}"] = len(heads)
        found[f"{target}_head"] = f"{heads[0][0]}.{heads[0][1]}" if heads else ""
        found[f"{target}_share"] = float(scores.on_target[heads[0]][k]) if heads else 0.0
    return found
