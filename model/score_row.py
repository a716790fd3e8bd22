"""One row of a previous-token head's scores, taken apart into the frequencies of RoPE.

Source: Chris Wendler's RoPE transformer, section 3. Between the query at m and the key at n, pair i
of the coordinates is D theta_i apart, with D = n - m + look_back. It adds the cosine of that phase
to the score, and the cosines sum to f(D), the score at alpha 1. At D = 0, the target, all are 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from model.arrays import Bools, Floats, Ints, sealed, sealed_ints, whole
from model.previous_token import PreviousTokenHead
from model.rope import kernel_gap, phase_cosines, rope_phases
from model.units import Count, Difference, Doc, Position, ScorePerAlpha, Share

STEADY = 0.99
"""A pair whose cosine never falls below this hardly tells positions apart."""

TIE = 1e-12
"""Sums tie that differ by less than this share of the largest: that much is rounding."""


@dataclass(frozen=True)
class ScoreRow:
    """Row `m` of `head`: the query at m against the key at every n, in a text of `tokens`.

    Raises ValueError unless m is a position of the text with a target, look_back <= m < n_tokens,
    and there are as many tokens as the head has positions.
    """

    head: PreviousTokenHead
    m: Annotated[Position, Doc("position of the query")]
    tokens: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.tokens) != self.head.n_tokens:
            raise ValueError(
                f"tokens must be {self.head.n_tokens}, one for each position, "
                f"got {len(self.tokens)}"
            )
        first, last = self.head.look_back, self.head.n_tokens - 1
        if last < first:
            raise ValueError(f"the text must have more than {first} tokens, got {last + 1}")
        if not first <= whole("m", self.m, at_least=0) <= last:
            raise ValueError(
                f"m must be a position with a token {first} before it, {first} to {last} in this "
                f"text, got {self.m}"
            )

    @property
    def target(self) -> Position:
        """The position that the query looks for, m - look_back."""
        return self.m - self.head.look_back

    @property
    def query_token(self) -> str:
        """The token at m, the position of the query."""
        return self.tokens[self.m]

    @property
    def target_token(self) -> str:
        """The token at the target."""
        return self.tokens[self.target]

    # Phases, and the cosines that add up

    @cached_property
    def offsets(self) -> Ints:
        """D = n - m + look_back for every n, 0 at the target; shape (T,)."""
        return sealed_ints(self.head.offsets[self.m])

    @cached_property
    def key_phases(self) -> Floats:
        """How far position n rotates each pair of its key, not reduced; shape (T, d_head/2)."""
        return sealed(rope_phases(self.head.positions, self.head.frequencies))

    @cached_property
    def query_phases(self) -> Floats:
        """How far each pair of query m is rotated, for every m; shape (T, d_head/2)."""
        looked = self.head.positions - self.head.look_back  # (T,)
        return sealed(rope_phases(looked, self.head.frequencies))

    @cached_property
    def phases(self) -> Floats:
        """Key phase minus query phase in radians, D theta_i, not reduced; shape (T, d_head/2)."""
        return sealed(rope_phases(self.offsets, self.head.frequencies))

    @cached_property
    def cosines(self) -> Floats:
        """cos(D theta_i), what each pair adds to the score at alpha 1; shape (T, d_head/2)."""
        return sealed(phase_cosines(self.offsets, self.head.frequencies))

    @cached_property
    def sums(self) -> Floats:
        """f(D), the cosines of all pairs added up; shape (T,)."""
        return sealed(self.cosines.sum(axis=1))

    @cached_property
    def steady(self) -> Bools:
        """Whether the cosine of a pair stays above `STEADY` at every n; shape (d_head/2,)."""
        return np.asarray(self.cosines.min(axis=0) > STEADY)

    @property
    def n_steady(self) -> Count:
        """How many pairs have a cosine above .99 at every position of the text."""
        return int(self.steady.sum())

    @cached_property
    def steady_sums(self) -> Floats:
        """What the steady pairs add to each sum; shape (T,)."""
        return sealed(self.cosines[:, self.steady].sum(axis=1))

    # The target and its rivals

    @property
    def target_sum(self) -> ScorePerAlpha:
        """The sum at the target, f(0) = d_head/2."""
        return float(self.sums[self.target])

    @property
    def runner_up(self) -> ScorePerAlpha:
        """The largest sum besides the target's."""
        return float(self._others.max())

    @property
    def runner_up_position(self) -> Position:
        """The position of the largest sum besides the target's, the first of equals."""
        return int(np.flatnonzero(self._runners_up)[0])

    @property
    def runner_up_token(self) -> str:
        """The token at the position of the largest sum besides the target's."""
        return self.tokens[self.runner_up_position]

    @property
    def n_runners_up(self) -> Count:
        """How many keys share the largest sum besides the target's."""
        return int(self._runners_up.sum())

    @property
    def gap(self) -> ScorePerAlpha:
        """Lead of the target over the runner-up, taken without a difference of sums."""
        return float(kernel_gap(self.offsets[self.runner_up_position], self.head.frequencies))

    @property
    def n_tied(self) -> Count:
        """How many other keys have the same sum as the target."""
        gaps = kernel_gap(self.offsets, self.head.frequencies)  # (T,)
        return int((gaps < TIE * self.target_sum).sum()) - 1

    @property
    def mass(self) -> Share:
        """Attention of row m on its target."""
        return float(self.head.masses[self.target])

    @property
    def lost(self) -> Share:
        """Attention of row m on all other positions together."""
        return float(self.head.lost[self.target])

    @property
    def runner_up_mass(self) -> Share:
        """Attention of row m on the position of the runner-up, 0 if that key is masked."""
        return float(self.head.pattern[self.m, self.runner_up_position])

    @property
    def has_majority(self) -> bool:
        """Whether row m gives its target more than all other positions together."""
        return bool(self.head.has_majority[self.target])

    @property
    def is_strict_maximum(self) -> bool:
        """Whether row m gives its target strictly more than any other position."""
        return bool(self.head.is_strict_maximum[self.target])

    @property
    def mismatch(self) -> Difference:
        """The largest difference between a coordinate of query m / alpha and of the target key."""
        query, key = self.head.queries[self.m], self.head.keys[self.target]
        return float(np.abs(query / self.head.alpha - key).max())

    # How the sums run along the row

    @property
    def rises_to_target(self) -> bool:
        """Whether every sum before the target is larger than the one before it."""
        return bool((np.diff(self.sums[: self.target + 1]) > self._rounding).all())

    @property
    def falls_from_target(self) -> bool:
        """Whether every sum after the target is smaller than the one before it.

        Keys after the query count too, though a causal head masks them.
        """
        return bool((np.diff(self.sums[self.target :]) < -self._rounding).all())

    @property
    def rises_then_falls(self) -> bool:
        """Whether the sums rise all the way to the target and fall all the way after it."""
        return self.rises_to_target and self.falls_from_target

    @cached_property
    def _others(self) -> Floats:
        """The sums with -inf at the target; shape (T,). A row with a target has another key."""
        return np.where(np.arange(len(self.sums)) == self.target, -np.inf, self.sums)

    @cached_property
    def _runners_up(self) -> Bools:
        """Which keys share the largest sum besides the target's; shape (T,)."""
        return np.asarray(self._others >= self._others.max() - self._rounding)

    @property
    def _rounding(self) -> float:
        return TIE * self.target_sum
