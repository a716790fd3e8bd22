"""All heads of a model in one text, side by side, and sorted by what they look at.

Of a large model the heads that are most of a kind are shown, and the others are counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Bools, Floats, Values
from clockhead.model.heads.head_scores import KINDS, HeadScores, Kind, head_scores, interesting_part
from clockhead.model.heads.patterns import AttentionPatterns
from clockhead.model.units import Count, Doc, Position, Share, Tokens

MOST_HEADS = 144
"""As many heads are shown at once."""
MOST_ON_SHELVES = {1: 48, 2: 24, 3: 16}
_MOST_ON_SHELF = 8
"""As many heads of a kind are shown, by how many kinds there are."""

Head = tuple[int, int]


@dataclass(frozen=True, kw_only=True, eq=False)
class KindOfHeads(Values):
    """The heads of a kind."""

    n: Annotated[Count, Doc("how many heads are of this kind")]
    clearest: Annotated[str, Doc("the head that is most so, as layer.head; empty if there is none")]
    share: Annotated[Share, Doc("what it gives to what such heads look at; 0 if there is none")]
    shown: Annotated[tuple[Head, ...], Doc("the heads of this kind that are shown, clearest first")]


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
    previous: Annotated[KindOfHeads, Doc("heads that look at the token before")]
    induction: Annotated[KindOfHeads, Doc("heads that look at what came after the same token")]
    duplicate: Annotated[KindOfHeads, Doc("heads that look at the same token, where it was before")]
    first_token: Annotated[KindOfHeads, Doc("heads that look at the first token")]
    own: Annotated[KindOfHeads, Doc("heads that look at the own token")]
    mixed: Annotated[KindOfHeads, Doc("heads that look at none of these above all")]

    def of(self, kind: Kind) -> KindOfHeads:
        """The heads of a kind."""
        found: KindOfHeads = getattr(self, "first_token" if kind == "first" else kind)
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
    groups = {kind: _kind_of_heads(kind, heads, scores, most) for kind, heads in by_kind.items()}
    on_shelves = [head for group in groups.values() for head in group.shown]
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
        previous=groups["previous"],
        induction=groups["induction"],
        duplicate=groups["duplicate"],
        first_token=groups["first"],
        own=groups["own"],
        mixed=groups["mixed"],
    )


def _kind_of_heads(kind: Kind, heads: list[Head], scores: HeadScores, most: int) -> KindOfHeads:
    if not heads:
        return KindOfHeads(n=0, clearest="", share=0.0, shown=())
    best = heads[0]
    looks = scores.on_target[best]  # (5,)
    share = looks.max() if kind == "mixed" else looks[KINDS.index(kind)]
    return KindOfHeads(
        n=len(heads),
        clearest=f"{best[0]}.{best[1]}",
        share=float(share),
        shown=tuple(heads[:most]),
    )
