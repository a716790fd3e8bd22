"""One previous-token head at many alphas: the patterns, the worst rows, and who wins.

Source: Chris Wendler's RoPE transformer, section 3 ("Why alpha?"). Alpha scales all scores alike,
so it decides how much the winner of a row gets and never which key wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Bools, Floats, Ints, finite, real, sealed, sealed_ints, whole
from clockhead.model.attention.sharpness import ALPHA_LIMIT, lost_masses
from clockhead.model.previous_token.head import PreviousTokenHead
from clockhead.model.previous_token.score_row import ScoreRow
from clockhead.model.units import Doc, Rows, ScoreScale, Share, Tokens

_ROUNDING = 1e-12
_NEARLY_ONE = float(np.nextafter(1.0, 0.0))
"""Others always get something of a row, though it may be lost in rounding."""
_STEPS = 40


@dataclass(frozen=True)
class AlphaSweep:
    """`head` at all of the rising `alphas` (A,), whatever its own.

    Raises ValueError for alphas that do not rise from above 0 to at most `ALPHA_LIMIT`, and for a
    head in which no row has a target.
    """

    head: PreviousTokenHead
    alphas: tuple[float, ...]

    def __post_init__(self) -> None:
        scales = finite("alphas", self.alphas, n_axes=1)  # (A,)
        inside = scales.size and scales[0] > 0 and scales[-1] <= ALPHA_LIMIT
        if not (inside and (np.diff(scales) > 0).all()):
            raise ValueError(
                f"alphas must rise from above 0 to at most {ALPHA_LIMIT:g}, got {self.alphas}"
            )
        if not self.head.n_targets:
            raise ValueError(
                f"head must have a row with a target, got {self.head.n_tokens} tokens "
                f"and look_back {self.head.look_back}"
            )

    @classmethod
    def between(
        cls, head: PreviousTokenHead, low: float, high: float, n_alphas: int = 41
    ) -> AlphaSweep:
        """Evenly on a logarithmic scale, both ends exactly; in falling order they are swapped."""
        count = whole("n_alphas", n_alphas, at_least=2)
        ends = sorted((real("low", low, above=0), real("high", high, above=0)))
        scales = np.geomspace(ends[0], ends[1], count)  # (A,)
        scales[[0, -1]] = ends
        return cls(head, tuple(scales.tolist()))

    @classmethod
    def around(cls, head: PreviousTokenHead, n_alphas: int = 161) -> AlphaSweep:
        """A sweep that holds the head's alpha and alpha_99, with room at both ends.

        From min(.1, alpha/4) to 1.3 max(alpha, alpha_99). Raises ValueError for an alpha_99 that
        is not finite.
        """
        needed = real("alpha_99", head.alpha_99, at_least=0)
        low, high = min(0.1, head.alpha / 4), 1.3 * max(needed, head.alpha)
        spread = np.geomspace(low, high, whole("n_alphas", n_alphas, at_least=2))  # (n_alphas,)
        inner = [mark for mark in (head.alpha, needed) if mark > 0]
        return cls(head, tuple(np.unique([*spread, *inner]).tolist()))

    @property
    def low(self) -> ScoreScale:
        """The smallest alpha of the sweep."""
        return self.alphas[0]

    @property
    def high(self) -> ScoreScale:
        """The largest alpha of the sweep."""
        return self.alphas[-1]

    @property
    def decades(self) -> tuple[ScoreScale, ScoreScale]:
        """The powers of ten around the sweep, at least from .1 to 10."""
        low, high = min(self.low, 0.1), max(self.high, 10.0)
        ends = np.floor(np.log10(low) + _ROUNDING), np.ceil(np.log10(high) - _ROUNDING)
        return float(10.0 ** ends[0]), float(10.0 ** ends[1])

    def nearest(self, alpha: float) -> int:
        """Where in the sweep the alpha is that is nearest to this one."""
        return int(np.abs(np.array(self.alphas) - alpha).argmin())

    @cached_property
    def patterns(self) -> Floats:
        """The pattern at every alpha; shape (A, T, T)."""
        return sealed(self.head.patterns_over(np.array(self.alphas)))

    @cached_property
    def masses(self) -> Floats:
        """Attention on the target of every row that has one, at every alpha; shape (A, R)."""
        return sealed(self.head.masses_over(np.array(self.alphas)))

    @cached_property
    def worst_masses(self) -> Floats:
        """The smallest mass that a row gives its target, at every alpha; shape (A,)."""
        return sealed(self.masses.min(axis=1))

    @cached_property
    def worst_lost(self) -> Floats:
        """The most attention that a row gives away from its target, at every alpha; shape (A,)."""
        head = self.head
        lost = lost_masses(
            head.frequencies, self.alphas, head.n_tokens, head.look_back, head.causal
        )  # (A, R)
        return sealed(lost.max(axis=1))

    @cached_property
    def looks_at(self) -> Ints:
        """The position that gets most of each row at every alpha, the first; shape (A, T)."""
        return sealed_ints(self.patterns.argmax(axis=2))

    @cached_property
    def keeps_winners(self) -> Bools:
        """Whether the same position gets most of a row at every alpha, ties kept; shape (T,).

        The winner is that of the scores, and has to share first place at every alpha.
        """
        visible = np.where(self.patterns[0] > 0, self.head.scores, -np.inf)  # (T, T)
        winners = visible.argmax(axis=1)  # (T,)
        share = np.take_along_axis(self.patterns, winners[None, :, None], axis=2)[:, :, 0]  # (A, T)
        return np.asarray((share >= self.patterns.max(axis=2) - _ROUNDING).all(axis=0))

    @property
    def winners_constant(self) -> bool:
        """Whether every row has the same winner at every alpha."""
        return bool(self.keeps_winners.all())

    @property
    def n_changing(self) -> Rows:
        """How many rows have another winner at some alpha, 0."""
        return int((~self.keeps_winners).sum())

    @property
    def never_falls(self) -> bool:
        """Whether the worst mass never falls as alpha rises."""
        return bool((np.diff(self.worst_masses) >= -_ROUNDING).all())

    @property
    def alpha_99(self) -> ScoreScale:
        """The smallest alpha at which every row has 99 % on its target, inf if none does."""
        return self.head.alpha_99

    @property
    def mass_99(self) -> Share:
        """The smallest mass that a row gives its target at alpha_99."""
        return round(float(self.worst_masses_at([self.alpha_99])[0]), 9)

    def worst_masses_at(self, alphas: Sequence[float] | Floats) -> Floats:
        """The smallest mass that a row gives its target at other alphas: (K,) to (K,)."""
        return np.asarray(self.head.masses_over(alphas).min(axis=1))


@dataclass(frozen=True)
class ScaledRow:
    """A row, and the way of its head from alpha 1 to its own alpha; to 2 and back if that is 1."""

    row: Annotated[ScoreRow, Doc("the row at the head's alpha")]

    @cached_property
    def at_one(self) -> ScoreRow:
        """The row at alpha 1."""
        return replace(self.row, head=replace(self.row.head, alpha=1.0))

    @cached_property
    def alphas(self) -> Floats:
        """The alphas of the way, evenly on a logarithmic scale; shape (A,)."""
        if self.row.head.alpha != 1:
            return sealed(np.geomspace(1.0, self.row.head.alpha, _STEPS + 1))
        return sealed(2.0 ** (1 - np.abs(np.linspace(-1, 1, _STEPS + 1))))

    @cached_property
    def patterns(self) -> Floats:
        """The pattern at every one of them; shape (A, T, T)."""
        return sealed(self.row.head.patterns_over(self.alphas))

    @cached_property
    def leads(self) -> Floats:
        """The lead of the target's score over the visible runner-up's; shape (A,)."""
        return sealed(self.alphas * self.row.visible_gap)

    @cached_property
    def shares(self) -> Floats:
        """Attention on the target, never quite all of it; shape (A,)."""
        masses = self.row.head.masses_over(self.alphas)[:, self.row.target]  # (A,)
        return sealed(np.minimum(masses, _NEARLY_ONE))

    @property
    def worst_share(self) -> Share:
        """The least attention that a row gives its target, never quite all of it."""
        return min(self.row.head.worst_mass, _NEARLY_ONE)

    @property
    def n_after(self) -> Tokens:
        """How many tokens come after the one that asks."""
        return len(self.row.tokens) - 1 - self.row.m
