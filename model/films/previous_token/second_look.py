"""A token is typed a second time: which notes of a previous-token head hold it, and what they say.

Source: Chris Wendler's RoPE transformer, sections 3 and 5. After the head every token carries the
one before it, its note; a search for the typed token among these notes finds what followed it.
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
"""A note says a token if more than this share of it is that token."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SecondLook(Values):
    """A text with one of its tokens typed once more, and a head over all T + 1."""

    tokens: Annotated[tuple[str, ...], Doc("the text; T tokens")]
    source: Annotated[Position, Doc("the position of the token that is typed again")]
    typed: Annotated[str, Doc("the token that is typed again")]
    follower: Annotated[str, Doc("the token after the source")]
    earlier: Annotated[Ints, Doc("where another token follows the typed one in the text; (E,)")]
    has_one_continuation: Annotated[
        bool, Doc("whether the same token follows it wherever it stands")
    ]

    copied: Annotated[CopiedValues, Doc("what the head brings to all T + 1 positions")]
    key_phases: Annotated[Floats, Doc("radians that position n turns its key; (T + 1, d_head/2)")]
    query_phases: Annotated[Floats, Doc("radians that query m is turned; (T + 1, d_head/2)")]
    can_be_trusted: Annotated[
        bool, Doc("whether every note but the first is mostly the token before")
    ]

    wears: Annotated[Floats, Doc("the share of the typed token in every note of the text; (T,)")]
    found: Annotated[Ints, Doc("the positions whose note is more than half the typed token; (F,)")]
    n_found: Annotated[Count, Doc("how many notes are more than half the typed token")]
    finds_expected: Annotated[bool, Doc("whether these are the notes where the token should be")]
    first_is_found: Annotated[
        bool, Doc("whether the first token is among them, which notes itself")
    ]
    found_after: Annotated[Ints, Doc("the positions found besides the first; (F,) or (F - 1,)")]
    n_found_after: Annotated[Count, Doc("how many positions are found besides the first")]
    followers: Annotated[tuple[str, ...], Doc("the different tokens at these positions, in order")]


def second_look(
    tokens: tuple[str, ...], d_head: int = 32, alpha: float = 10.0, base: float = BASE
) -> SecondLook:
    """Type a token again: the first strictly inside the text that occurs once, if there is one.

    Else it is the first inside, else the first. Raises ValueError for fewer than 2 tokens.
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
