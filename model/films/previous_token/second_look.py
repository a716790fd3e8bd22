"""A token is repeated at the end of a text, and found among the stored tokens.

Source: Chris Wendler's RoPE transformer, sections 3 and 5. A previous-token head stores at every
position the token before it (its note, in the film). The position that stores the repeated token
holds the token that followed it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.previous_token.copied_values import CopiedValues, copied_values
from clockhead.model.previous_token.head import previous_token_head
from clockhead.model.rope.rotation import BASE, rope_phases
from clockhead.model.tokens import Vocabulary
from clockhead.model.units import Count, Doc, Position

MAJORITY = 0.5
"""A position stores a token if its attention weight on that token is above this."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SecondLook(Values):
    """A text with one of its tokens repeated at the end, and a head on all T + 1 tokens."""

    tokens: Annotated[tuple[str, ...], Doc("the text; T tokens")]
    source: Annotated[Position, Doc("position of the token that is repeated")]
    typed: Annotated[str, Doc("token that is repeated")]
    follower: Annotated[str, Doc("token after the source")]
    earlier: Annotated[
        Ints, Doc("positions of the repeated token in the text that have a follower; (E,)")
    ]
    has_one_continuation: Annotated[
        bool, Doc("whether it is followed by the same token everywhere")
    ]

    copied: Annotated[CopiedValues, Doc("output of the head at all T + 1 positions")]
    key_phases: Annotated[Floats, Doc("radians that position n turns its key; (T + 1, d_head/2)")]
    query_phases: Annotated[Floats, Doc("radians that query m is turned; (T + 1, d_head/2)")]
    can_be_trusted: Annotated[
        bool, Doc("whether every position but the first stores the token before it")
    ]

    wears: Annotated[Floats, Doc("attention weight of every position on the repeated token; (T,)")]
    found: Annotated[Ints, Doc("positions that store the repeated token; (F,)")]
    n_found: Annotated[Count, Doc("number of positions that store the repeated token")]
    finds_expected: Annotated[
        bool, Doc("whether these are exactly the positions that should store it")
    ]
    first_is_found: Annotated[
        bool, Doc("whether the first position, which stores itself, is among them")
    ]
    found_after: Annotated[Ints, Doc("positions found other than the first; (F,) or (F - 1,)")]
    n_found_after: Annotated[Count, Doc("number of positions found other than the first")]
    followers: Annotated[tuple[str, ...], Doc("different tokens at these positions, in order")]


def second_look(
    tokens: tuple[str, ...], d_head: int = 32, alpha: float = 10.0, base: float = BASE
) -> SecondLook:
    """Repeat a token at the end of a text, and run a previous-token head on it.

    This is the first token that occurs once, leaving out both ends of the text; if there is none,
    the second token, or the first of only two. Raises ValueError for fewer than 2 tokens.
    """
    if len(tokens) < 2:
        raise ValueError(f"tokens must be 2 or more, got {len(tokens)}")
    indices = Vocabulary.of(tokens).encode(tokens)  # (T,)
    once = np.bincount(indices)[indices[1:-1]] == 1  # (T - 2,)
    source = 1 + int(once.argmax()) if once.size else 0
    typed = tokens[source]
    earlier = np.flatnonzero(indices[:-1] == indices[source])  # (E,)

    text = (*tokens, typed)
    head = previous_token_head(len(text), d_head, alpha, base)
    copied = copied_values(head, text)
    wears = copied.received[:-1, indices[source]].copy()  # (T,)
    found = np.flatnonzero(wears > MAJORITY)  # (F,)
    after = found[found > 0]
    itself = [0] if tokens[0] == typed else []
    return SecondLook(
        tokens=tokens,
        source=source,
        typed=typed,
        follower=tokens[source + 1],
        earlier=earlier,
        has_one_continuation=len({tokens[n + 1] for n in earlier.tolist()}) == 1,
        copied=copied,
        key_phases=rope_phases(head.positions, head.frequencies),
        query_phases=rope_phases(head.positions - head.offset, head.frequencies),
        can_be_trusted=copied.worst_share > MAJORITY,
        wears=wears,
        found=found,
        n_found=len(found),
        finds_expected=found.tolist() == itself + (earlier + 1).tolist(),
        first_is_found=bool(wears[0] > MAJORITY),
        found_after=after,
        n_found_after=len(after),
        followers=tuple(dict.fromkeys(tokens[n] for n in after.tolist())),
    )
