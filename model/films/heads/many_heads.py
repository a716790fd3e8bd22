"""All heads of a model in one text, side by side, and sorted by what they look at.

Of a large model the heads that are most of a kind are shown, and the others are counted.
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
"""As many heads are shown at once."""
MOST_ON_SHELVES = {1: 48, 2: 24, 3: 16}
_MOST_ON_SHELF = 8
"""As many heads of a kind are shown, by how many kinds there are."""

Head = tuple[int, int]


@dataclass(frozen=True, kw_only=True, eq=False)
class ManyHeads(Values):
    """N of a model's heads, and W tokens of the text that they read."""

    n_layers: Annotated[Count, Doc("how many layers the model has")]
    n_heads: Annotated[Count, Doc("how many heads each layer has")]
    n_all: Annotated[Count, Doc("how many heads there are in all")]
    n_shown: Annotated[Count, Doc("how many of them are shown side by side")]
    n_left_out: Annotated[Count, Doc("how many of them are not shown")]
    n_tokens: Annotated[Tokens, Doc("length of the text")]
    first: Annotated[Position, Doc("the first position that is shown")]
    last: Annotated[Position, Doc("the last position that is shown")]
    is_part: Annotated[bool, Doc("whether the text is longer than what is shown")]
    is_causal: Annotated[bool, Doc("whether no token looks at a later one")]
    heads: Annotated[tuple[Head, ...], Doc("the heads that are shown, layer by layer; N of them")]
    patterns: Annotated[Floats, Doc("their patterns, as far as they are shown; (N, W, W)")]
    hidden: Annotated[Bools, Doc("where no token may look; (W, W)")]
    kinds: Annotated[tuple[Kind, ...], Doc("the kinds of heads that there are")]
    n_kinds: Annotated[Count, Doc("how many kinds that are")]
    n_clear: Annotated[Count, Doc("how many heads are of a kind, and not mixed")]
    n_previous: Annotated[Count, Doc("how many previous-token heads there are")]
    previous_head: Annotated[
        str, Doc("the clearest previous-token head, as layer.head; empty if none")
    ]
    previous_share: Annotated[Share, Doc("what that head gives to the token before, on average")]
    n_induction: Annotated[Count, Doc("how many induction heads there are")]
    induction_head: Annotated[str, Doc("the clearest induction head, as layer.head; empty if none")]
    induction_share: Annotated[
        Share, Doc("what that head gives to what came after the same token, on average")
    ]
    n_duplicate: Annotated[Count, Doc("how many duplicate-token heads there are")]
    duplicate_head: Annotated[
        str, Doc("the clearest duplicate-token head, as layer.head; empty if none")
    ]
    duplicate_share: Annotated[
        Share, Doc("what that head gives to the same token, where it was before, on average")
    ]
    n_first: Annotated[Count, Doc("how many heads that look at the first token there are")]
    first_head: Annotated[
        str, Doc("the clearest head that looks at the first token, as layer.head; empty if none")
    ]
    first_share: Annotated[Share, Doc("what that head gives to the first token, on average")]
    n_own: Annotated[Count, Doc("how many heads that look at the own token there are")]
    own_head: Annotated[
        str, Doc("the clearest head that looks at the own token, as layer.head; empty if none")
    ]
    own_share: Annotated[Share, Doc("what that head gives to the own token, on average")]
    n_mixed: Annotated[Count, Doc("how many heads look at none of these above all")]
    shown: Annotated[
        tuple[tuple[Head, ...], ...],
        Doc("the heads on the shelf of each kind, the clearest first"),
    ]

    def shelf(self, kind: Kind) -> tuple[Head, ...]:
        """The heads of a kind that are shown; none if there are none."""
        return self.shown[self.kinds.index(kind)] if kind in self.kinds else ()

    def count(self, kind: Kind) -> int:
        """How many heads of a kind there are, shown or not."""
        found: int = getattr(self, f"n_{kind}")
        return found


def many_heads(patterns: AttentionPatterns, first: int | None, length: int) -> ManyHeads:
    """All heads of a model, and `length` tokens of its text, from `first` on or where they show
    most.

    Raises ValueError for a `first` behind the end.
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
    """How many heads of each kind there are, the clearest, and what it gives on average."""
    found: dict[str, Any] = {}
    for k, target in enumerate(TARGETS):
        heads = by_kind[target]
        found[f"n_{target}"] = len(heads)
        found[f"{target}_head"] = f"{heads[0][0]}.{heads[0][1]}" if heads else ""
        found[f"{target}_share"] = float(scores.on_target[heads[0]][k]) if heads else 0.0
    return found
