"""A head whose query is rotated back by other numbers of steps, and the way from one to the next.

Source: Chris Wendler's RoPE transformer, section 3: the query alpha R_(m - b) c looks b back.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, sealed, sealed_ints, whole
from clockhead.model.previous_token.head import PreviousTokenHead
from clockhead.model.previous_token.look_back import Line
from clockhead.model.rope.rotation import rope_phases
from clockhead.model.units import Count, Doc, Positions, Rows, Share

MOST_STOPS = 100


@dataclass(frozen=True)
class LookBackWalk:
    """`head` looking back by each of `stops` in turn, with `per_step` patterns to a step between.

    An even `per_step` has the half steps, at which two neighbouring positions get equally much.
    Raises ValueError for no stop, more than 100, a stop that is not below n_tokens, two equal ones
    in a row, and an odd number of patterns to a step.
    """

    head: PreviousTokenHead
    stops: tuple[int, ...]
    per_step: Annotated[Count, Doc("patterns to a step of the way")] = 20

    def __post_init__(self) -> None:
        if not 1 <= len(self.stops) <= MOST_STOPS:
            raise ValueError(f"stops must be 1 to {MOST_STOPS}, got {len(self.stops)}")
        for stop in self.stops:
            if whole("stops", stop, at_least=0) >= self.head.n_tokens:
                raise ValueError(
                    f"stops must lie below the {self.head.n_tokens} tokens of the text, got {stop}"
                )
        if any(a == b for a, b in zip(self.stops, self.stops[1:], strict=False)):
            raise ValueError(f"stops must differ from the one before, got {self.stops}")
        if whole("per_step", self.per_step, at_least=2) % 2:
            raise ValueError(f"per_step must be even, to have half steps, got {self.per_step}")

    # The stops

    @property
    def n_stops(self) -> Count:
        """How many stops there are."""
        return len(self.stops)

    @cached_property
    def heads(self) -> tuple[PreviousTokenHead, ...]:
        """The head at every stop."""
        return tuple(replace(self.head, look_back=stop) for stop in self.stops)

    @property
    def last(self) -> PreviousTokenHead:
        """The head at the last stop."""
        return self.heads[-1]

    @property
    def last_stop(self) -> Positions:
        """How many positions back the head looks at the last stop."""
        return self.stops[-1]

    @property
    def furthest(self) -> Positions:
        """How many positions back the head looks at most."""
        return max(self.stops)

    @cached_property
    def stop_patterns(self) -> Floats:
        """The pattern at every stop; shape (K, T, T)."""
        return sealed(self.head.patterns_looking_back(np.array(self.stops, dtype=float)))

    @cached_property
    def looks_at(self) -> Ints:
        """The position that gets most of each row at every stop, the first; shape (K, T)."""
        return sealed_ints(self.stop_patterns.argmax(axis=2))

    @cached_property
    def n_without_target(self) -> Ints:
        """How many rows have nothing that far back, at every stop; shape (K,)."""
        return sealed_ints(np.array(self.stops, dtype=np.int64))

    @cached_property
    def worst_masses(self) -> Floats:
        """The smallest mass that a row gives its target, at every stop; shape (K,)."""
        return sealed(np.array([head.worst_mass for head in self.heads]))  # (K,)

    @property
    def worst_mass(self) -> Share:
        """The smallest mass that a row gives its target at any stop."""
        return float(self.worst_masses.min())

    @property
    def line(self) -> Line:
        """The least sharp line of any stop."""
        rank: tuple[Line, ...] = ("none", "blurred", "sharp")
        return min((head.line for head in self.heads), key=rank.index)

    @property
    def n_missed(self) -> Rows:
        """How many rows with a target give another position more, over all stops."""
        return sum(head.n_missed for head in self.heads)

    @property
    def finds_target(self) -> bool:
        """Whether at every stop every row with a target scores it strictly highest."""
        return all(head.always_strict for head in self.heads)

    # The way from stop to stop

    @cached_property
    def steps(self) -> Floats:
        """The steps back along the whole way, every stop and half step exactly; shape (S,)."""
        at = self.stop_indices  # (K,)
        return sealed(np.interp(np.arange(at[-1] + 1), at, np.array(self.stops, dtype=float)))

    @cached_property
    def stop_indices(self) -> Ints:
        """Where in `steps` every stop is; shape (K,)."""
        distances = np.abs(np.diff(self.stops)) * self.per_step  # (K - 1,)
        return sealed_ints(np.concatenate([[0], distances.cumsum()]).astype(np.int64))

    @cached_property
    def patterns(self) -> Floats:
        """The pattern along the way, `steps` back; shape (S, T, T)."""
        return sealed(self.head.patterns_looking_back(self.steps))

    @cached_property
    def columns(self) -> Floats:
        """The position that each row looks for along the way, below 0 without one; (S, T)."""
        return sealed(self.head.positions - self.steps[:, None])

    @cached_property
    def nearest_columns(self) -> Floats:
        """The same to the nearest position, at half a step the one before; shape (S, T)."""
        return sealed(np.ceil(self.columns - 0.5))

    @cached_property
    def query_phases(self) -> Floats:
        """How far the query is rotated by its weights along the way, -b theta; (S, d_head/2)."""
        return sealed(rope_phases(-self.steps, self.head.frequencies))
