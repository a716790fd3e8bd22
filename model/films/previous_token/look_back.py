"""A head at several offsets, and its patterns on the way from one to the next.

Source: Chris Wendler's RoPE transformer, section 3: with the query alpha R_(m - b) c, row m attends
b positions back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values, check_int
from clockhead.model.previous_token.head import PreviousTokenHead, previous_token_head
from clockhead.model.rope.rotation import rope_phases
from clockhead.model.units import Count, Doc, Positions, Rows

PER_STEP = 20
"""Number of patterns per step of the offset; even, so that half steps are among them."""


@dataclass(frozen=True, kw_only=True, eq=False)
class OffsetWalk(Values):
    """A head at K offsets, one after another, with `PER_STEP` patterns per step between them."""

    stops: Annotated[tuple[Positions, ...], Doc("offset of the head at every stop; K of them")]
    n_stops: Annotated[Count, Doc("number of stops")]
    last_stop: Annotated[Positions, Doc("offset of the head at the last stop")]
    last: Annotated[PreviousTokenHead, Doc("the head at the last stop")]
    looks_at: Annotated[
        Ints, Doc("position with the largest weight in each row, at every stop; (K, T)")
    ]
    n_missed: Annotated[
        Rows,
        Doc(
            "number of rows that attend more to another position than their target, over all stops"
        ),
    ]
    finds_target: Annotated[
        bool, Doc("whether all rows attend to their target strictly most, at every stop")
    ]

    steps: Annotated[
        Floats, Doc("offsets on the way, including every stop and half step exactly; (S,)")
    ]
    stop_indices: Annotated[Ints, Doc("index of every stop on the way; (K,)")]
    patterns: Annotated[Floats, Doc("attention weights on the way; (S, T, T)")]
    nearest_columns: Annotated[
        Floats,
        Doc("position nearest to each row's target on the way, negative if there is none; (S, T)"),
    ]
    query_phases: Annotated[
        Floats, Doc("radians that the query's weights turn each pair; (S, d_head/2)")
    ]


def offset_walk(head: PreviousTokenHead, stops: tuple[int, ...]) -> OffsetWalk:
    """Move the offset of `head` from stop to stop.

    At half a step, the earlier position counts as the nearest. Raises ValueError for no stop, or
    for one that is not below n_tokens.
    """
    if not stops:
        raise ValueError("stops must be at least one, got none")
    for stop in stops:
        if check_int("stops", stop, at_least=0) >= head.n_tokens:
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
        patterns=head.patterns_at_offsets(steps),
        nearest_columns=np.ceil(head.positions - steps[:, None] - 0.5),
        query_phases=rope_phases(-steps, head.frequencies),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Offsets:
    """A head at the offsets that the film shows, and on the way there and back."""

    tokens: Annotated[tuple[str, ...], Doc("the text; T tokens")]
    told: Annotated[OffsetWalk, Doc("the offsets that the film shows")]
    way: Annotated[OffsetWalk, Doc("the same offsets, beginning and ending with 1")]
