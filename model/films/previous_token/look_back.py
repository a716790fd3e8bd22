"""A head whose query is rotated back by other numbers of steps, and the way from one to the next.

Source: Chris Wendler's RoPE transformer, section 3: the query alpha R_(m - b) c looks b back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values, whole
from clockhead.model.previous_token.head import PreviousTokenHead, previous_token_head
from clockhead.model.rope.rotation import rope_phases
from clockhead.model.units import Count, Doc, Positions, Rows

PER_STEP = 20
"""Patterns to a step of the way: even, to have half steps."""


@dataclass(frozen=True, kw_only=True, eq=False)
class OffsetWalk(Values):
    """A head at each of several offsets in turn, with `PER_STEP` patterns to a step between."""

    stops: Annotated[tuple[Positions, ...], Doc("how far back the head looks at every stop; K")]
    n_stops: Annotated[Count, Doc("how many stops there are")]
    last_stop: Annotated[Positions, Doc("how many positions back the head looks at the last stop")]
    last: Annotated[PreviousTokenHead, Doc("the head at the last stop")]
    looks_at: Annotated[Ints, Doc("the position that gets most of each row at every stop; (K, T)")]
    n_missed: Annotated[
        Rows, Doc("how many rows give their target less than another, at all stops")
    ]
    finds_target: Annotated[bool, Doc("whether at every stop all rows score their target highest")]

    steps: Annotated[Floats, Doc("steps back on the way, every stop and half step exactly; (S,)")]
    stop_indices: Annotated[Ints, Doc("where on the way every stop is; (K,)")]
    patterns: Annotated[Floats, Doc("the pattern on the way; (S, T, T)")]
    nearest_columns: Annotated[
        Floats, Doc("the position nearest to what each row looks for, below 0 without one; (S, T)")
    ]
    query_phases: Annotated[
        Floats, Doc("how far the query is turned by its weights; (S, d_head/2)")
    ]


def offset_walk(head: PreviousTokenHead, stops: tuple[int, ...]) -> OffsetWalk:
    """The head with other offsets. At half a step, the position before is the nearest.

    Raises ValueError for no stop, or one that is not below n_tokens.
    """
    if not stops:
        raise ValueError("stops must be at least one, got none")
    for stop in stops:
        if whole("stops", stop, at_least=0) >= head.n_tokens:
            raise ValueError(
                f"stops must lie below the {head.n_tokens} tokens of the text, got {stop}"
            )
    heads = [
        previous_token_head(
            head.n_tokens, head.d_head, head.alpha, offset=stop, frequencies=head.frequencies
        )
        for stop in stops
    ]
    distances = np.abs(np.diff(stops)) * PER_STEP  # (K - 1,)
    at = np.concatenate([[0], distances.cumsum()]).astype(np.int64)  # (K,)
    steps = np.interp(np.arange(at[-1] + 1), at, np.array(stops, dtype=float))  # (S,)
    return OffsetWalk(
        stops=stops,
        n_stops=len(stops),
        last_stop=stops[-1],
        last=heads[-1],
        looks_at=np.stack([head.looks_at for head in heads]),
        n_missed=sum(head.n_missed for head in heads),
        finds_target=all(head.always_strict for head in heads),
        steps=steps,
        stop_indices=at,
        patterns=head.patterns_looking_back(steps),
        nearest_columns=np.ceil(head.positions - steps[:, None] - 0.5),
        query_phases=rope_phases(-steps, head.frequencies),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Offsets:
    """A head at the offsets that are told of, and on the way to them and home again."""

    tokens: Annotated[tuple[str, ...], Doc("the text; T tokens")]
    told: Annotated[OffsetWalk, Doc("the offsets that are told of")]
    way: Annotated[OffsetWalk, Doc("the same, from one step back, and back to it")]
