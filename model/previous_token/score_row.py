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

from clockhead.model.arrays import Bools, Floats, Ints, sealed, sealed_ints, whole
from clockhead.model.previous_token.head import PreviousTokenHead
from clockhead.model.previous_token.look_back import Line, line_of
from clockhead.model.rope.rotation import kernel_gap, phase_cosines, rope_phases
from clockhead.model.tokens import named
from clockhead.model.units import Count, Difference, Doc, Position, Score, ScorePerAlpha, Share

STEADY = 0.99
"""A pair whose cosine never falls below this hardly tells positions apart."""

TIE = 1e-12
"""Sums tie that differ by less than this share of the largest: that much is rounding."""

MOST_GROUPS = 16
"""Pairs of a wider head are taken together in this many groups."""


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
            allowed = f"{first} to {last}" if first < last else f"{first}"
            raise ValueError(
                f"m must be {allowed} in this text, where a token stands {first} before it, "
                f"got {self.m}"
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

    @property
    def query_named(self) -> str:
        """The query's token in quotes, with its position if the text has it more than once."""
        return named(self.tokens, self.m)

    @property
    def target_named(self) -> str:
        """The target's token in quotes, with its position if the text has it more than once."""
        return named(self.tokens, self.target)

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

    @property
    def mass_at_alpha_1(self) -> Share:
        """Attention of row m on its target if the scores are not scaled."""
        return float(self.head.masses_over([1.0])[0, self.target])

    @property
    def line(self) -> Line:
        """Whether row m gives its target 90 % or more, more than half, or neither."""
        return line_of(self.mass, self.has_majority)

    # The keys that the query sees: of a causal head, those up to its own position

    @property
    def n_visible(self) -> Count:
        """How many keys the query sees."""
        return self.m + 1 if self.head.causal else self.head.n_tokens

    @cached_property
    def visible(self) -> Bools:
        """Whether the query sees the key at n; shape (T,)."""
        return np.asarray(np.arange(self.head.n_tokens) < self.n_visible)

    @cached_property
    def visible_positions(self) -> Ints:
        """The positions of the keys that the query sees, 0 .. M - 1; shape (M,), M = n_visible."""
        return sealed_ints(np.arange(self.n_visible))

    @cached_property
    def visible_offsets(self) -> Ints:
        """D of every key that the query sees; shape (M,)."""
        return sealed_ints(self.offsets[: self.n_visible].copy())

    @cached_property
    def visible_cosines(self) -> Floats:
        """What each pair adds to the sum of every key that the query sees; shape (M, d_head/2)."""
        return sealed(self.cosines[: self.n_visible].copy())

    @cached_property
    def visible_sums(self) -> Floats:
        """The sum of every key that the query sees; shape (M,)."""
        return sealed(self.sums[: self.n_visible].copy())

    @property
    def lowest_visible_sum(self) -> ScorePerAlpha:
        """The smallest sum of a key that the query sees."""
        return float(self.visible_sums.min())

    @cached_property
    def walk(self) -> Ints:
        """The visible positions besides the target, from first to last; shape (M - 1,)."""
        return sealed_ints(self.visible_positions[self.visible_positions != self.target])

    @property
    def visible_runner_up(self) -> ScorePerAlpha:
        """The largest sum that the query sees besides the target's. ValueError if it sees none."""
        return float(self.sums[self.visible_runner_up_position])

    @property
    def visible_runner_up_position(self) -> Position:
        """The position of the largest sum that the query sees besides the target's, the first.

        Raises ValueError if the query sees no other key.
        """
        return int(self._visible_runners_up[0])

    @property
    def visible_runner_up_named(self) -> str:
        """The token there in quotes, with its position if the text has it more than once."""
        return named(self.tokens, self.visible_runner_up_position)

    @property
    def n_visible_runners_up(self) -> Count:
        """How many keys that the query sees share the largest sum besides the target's."""
        return len(self._visible_runners_up)

    @property
    def visible_gap(self) -> ScorePerAlpha:
        """Lead of the target over the visible runner-up, taken without a difference of sums."""
        offset = self.offsets[self.visible_runner_up_position]
        return float(kernel_gap(offset, self.head.frequencies))

    @property
    def visible_lead(self) -> Score:
        """Lead of the target's score over that of the visible runner-up, alpha times the gap."""
        return self.head.alpha * self.visible_gap

    @property
    def target_stands_out(self) -> bool:
        """Whether the target's sum is above that of every other key that the query sees."""
        return not len(self.walk) or self.visible_gap > self._rounding

    @property
    def visible_rises_to_target(self) -> bool:
        """Whether every visible sum before the target is larger than the one before it."""
        return self.rises_to_target

    @property
    def visible_falls_from_target(self) -> bool:
        """Whether every visible sum after the target is smaller than the one before it."""
        return bool((np.diff(self.visible_sums[self.target :]) < -self._rounding).all())

    @property
    def visible_rises_then_falls(self) -> bool:
        """Whether the visible sums rise all the way to the target and fall after it."""
        return self.visible_rises_to_target and self.visible_falls_from_target

    # Stacks: the steady groups of pairs as a plinth, and the others on it, group by group

    @cached_property
    def visible_steady(self) -> Bools:
        """Whether a pair's cosine stays above `STEADY` at all visible keys; shape (d_head/2,)."""
        return np.asarray(self.visible_cosines.min(axis=0) > STEADY)

    @property
    def n_visible_steady(self) -> Count:
        """How many pairs have a cosine above .99 at every key that the query sees."""
        return int(self.visible_steady.sum())

    @property
    def n_groups(self) -> Count:
        """How many groups of neighbouring pairs there are: a pair each, or 16."""
        return min(MOST_GROUPS, self.head.n_pairs)

    @cached_property
    def group_starts(self) -> Ints:
        """The first pair of every group, the one that stands for it; shape (G,), G = n_groups."""
        return sealed_ints(np.arange(self.n_groups) * self.head.n_pairs // self.n_groups)

    @cached_property
    def group_sizes(self) -> Ints:
        """How many pairs every group holds, alike but for one; shape (G,)."""
        return sealed_ints(np.diff(self.group_starts, append=self.head.n_pairs))

    @property
    def groups_are_alike(self) -> bool:
        """Whether all groups hold equally many pairs."""
        return int(np.ptp(self.group_sizes)) == 0

    @cached_property
    def group_phases(self) -> Floats:
        """D theta of the first pair of every group, for all keys; shape (T, G)."""
        return sealed(self.phases[:, self.group_starts])

    @cached_property
    def slivers(self) -> Floats:
        """What every group adds to the sum of each key that the query sees; shape (M, G)."""
        return sealed(np.add.reduceat(self.visible_cosines, self.group_starts, axis=1))

    @cached_property
    def steady_groups(self) -> Bools:
        """Whether all pairs of a group are steady at the visible keys; shape (G,)."""
        return np.logical_and.reduceat(self.visible_steady, self.group_starts)

    @cached_property
    def plinths(self) -> Floats:
        """What the steady groups add to the sum of each key that the query sees; shape (M,)."""
        return sealed(self.slivers[:, self.steady_groups].sum(axis=1))

    @property
    def lowest_plinth(self) -> ScorePerAlpha:
        """The smallest plinth of a key that the query sees."""
        return float(self.plinths.min())

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

    @cached_property
    def _visible_runners_up(self) -> Ints:
        """The visible positions that share the largest sum besides the target's, (1 or more,)."""
        if not len(self.walk):
            raise ValueError(f"m must be a position that sees another key, got {self.m}")
        sums = self.sums[self.walk]  # (M - 1,)
        return sealed_ints(self.walk[sums >= sums.max() - self._rounding])

    @property
    def _rounding(self) -> float:
        return TIE * self.target_sum
