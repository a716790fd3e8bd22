"""Tokens on a line that bends into a circle: from a match of rank 1 to one of rank 2.

Source: Chris Wendler's RoPE transformer, section 4, whose match has rank 1: W_QK = beta v v^T, and
a token is one number x = v . code. Then the score beta x_m x_n is largest at an end of the line,
and only the two ends find themselves. Bent into a circle, the tokens are the codes of
`model.induction.token_codes`, rank 2, and every one of them does; where they stand close, it takes
a large beta to tell neighbours apart.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Bools, Floats, Ints, real, sealed, sealed_ints, whole
from clockhead.model.attention.pattern import softmax
from clockhead.model.induction.token_codes import (
    BETA_LIMIT,
    Sharpening,
    beta_needed,
    circle_codes,
    one_hot_codes,
    self_masses,
    sharpening,
)
from clockhead.model.rope.rotation import FULL_TURN
from clockhead.model.units import Count, Doc, Place, ScoreScale, Share, Tokens

CURVE_STEPS = 12
"""Points of the line from one token to the next; token k is point CURVE_STEPS (k + 1/2)."""
_ALMOST_ALL = float(np.nextafter(1.0, 0.0))
"""The most that a token gives itself, though what others get may be lost in rounding."""
_ROUNDING = 1e-12
"""Scores this close, as a share of the larger one, are equal."""


@dataclass(frozen=True)
class BentLine:
    """The different tokens `names` on a line, in this order, and the line bent step by step.

    Every code asks and answers: c_m . c_n beta is the score. Raises ValueError for fewer than 3
    tokens, for one that comes twice, for a place outside the line, and for a beta not above 0.
    """

    names: Annotated[
        tuple[str, ...], Doc("the different tokens in order along the line; V of them")
    ]
    asker: Annotated[Place, Doc("place of the token that asks, along the line")] = 1
    beta: Annotated[ScoreScale, Doc("scale of the scores")] = 10.0
    n_steps: Annotated[Count, Doc("how many bends there are from the line to the circle")] = 81

    def __post_init__(self) -> None:
        if len(self.names) < 3:
            raise ValueError(
                f"names must be 3 or more, so that one stands between the ends, such as "
                f"('a', 'b', 'c'), got {self.names}"
            )
        if len(set(self.names)) < len(self.names):
            twice = next(name for name in self.names if self.names.count(name) > 1)
            raise ValueError(f"names must all be different, got {twice!r} more than once")
        if whole("asker", self.asker, at_least=0) >= len(self.names):
            raise ValueError(f"asker must be 0 to {len(self.names) - 1}, got {self.asker}")
        real("beta", self.beta, above=0, at_most=BETA_LIMIT)
        whole("n_steps", self.n_steps, at_least=2)

    @classmethod
    def of(cls, tokens: Sequence[str], beta: float = 10.0, n_steps: int = 81) -> BentLine:
        """The different tokens of a text in order of first appearance.

        Its last token asks, or the first inner one if the last stands at an end of the line.
        """
        names = tuple(dict.fromkeys(tokens))
        last = names.index(tokens[-1]) if names else 0
        return cls(names, last if 0 < last < len(names) - 1 else 1, beta, n_steps)

    @property
    def n_vocab(self) -> Tokens:
        """How many different tokens there are."""
        return len(self.names)

    @property
    def asker_name(self) -> str:
        """The token that asks."""
        return self.names[self.asker]

    # The line and its shapes

    @cached_property
    def places(self) -> Floats:
        """The one number of each token, even steps of 2 pi / V, both signs, never 0; shape (V,)."""
        size = len(self.names)
        steps = np.arange(size) + 0.5 - math.ceil(size / 2)  # (V,)
        return sealed(steps * FULL_TURN / size)

    @cached_property
    def bends(self) -> Floats:
        """How far the line is bent, 0 straight and 1 a circle of radius 1; shape (S,)."""
        return sealed(np.linspace(0, 1, self.n_steps))

    @cached_property
    def codes(self) -> Floats:
        """Where the tokens stand at every bend b; shape (S, V, 2).

        (sin(b x) / b, (1 - cos(b x)) / b - b): an arc of radius 1 / b that keeps its length. The
        origin moves from the line to the middle of the circle. At b = 0 it is (x, 0).
        """
        return sealed(self._bent(self.places))

    @cached_property
    def curve(self) -> Floats:
        """The whole line, half a step longer than its tokens, at every bend; shape (S, C, 2)."""
        step = FULL_TURN / len(self.names)
        along = np.arange(CURVE_STEPS * len(self.names) + 1) / CURVE_STEPS - 0.5  # (C,)
        return sealed(self._bent(self.places[0] + along * step))

    def _bent(self, x: Floats) -> Floats:
        """Where points x (N,) of the line are at every bend; shape (S, N, 2)."""
        b = self.bends[:, None]  # (S, 1)
        across = x * np.sinc(b * x / np.pi)  # (S, N); sin(b x) / b
        up = b * x**2 / 2 * np.sinc(b * x / FULL_TURN) ** 2 - b  # (S, N)
        return np.stack([across, up], axis=-1)

    @cached_property
    def scores(self) -> Floats:
        """beta c_m . c_n at every bend; shape (S, V, V)."""
        return sealed(self.beta * self.codes @ np.swapaxes(self.codes, 1, 2))

    @cached_property
    def patterns(self) -> Floats:
        """How each token divides its attention among all, at every bend; shape (S, V, V)."""
        return sealed(softmax(self.scores))

    @cached_property
    def looks_at(self) -> Ints:
        """The token that gets most from each, at every bend, the first of equals; shape (S, V)."""
        return sealed_ints(self.scores.argmax(axis=2))

    @cached_property
    def found(self) -> Bools:
        """Whether each token gives itself more than any other, at every bend; shape (S, V)."""
        own = np.diagonal(self.scores, axis1=1, axis2=2)  # (S, V)
        others = np.where(np.eye(len(self.names), dtype=np.bool_), -np.inf, self.scores)
        rivals = others.max(axis=2)  # (S, V)
        return np.asarray(own - rivals > _ROUNDING * np.abs(own))

    @cached_property
    def n_found(self) -> Ints:
        """How many tokens give themselves more than any other, at every bend; shape (S,)."""
        return sealed_ints(self.found.sum(axis=1))

    # Its two ends

    @property
    def n_found_on_line(self) -> Count:
        """How many tokens find themselves on the line, the two ends."""
        return int(self.n_found[0])

    @property
    def n_found_on_circle(self) -> Count:
        """How many tokens find themselves on the circle, all."""
        return int(self.n_found[-1])

    @property
    def line_shares(self) -> Floats:
        """How each token divides its attention on the line; shape (V, V)."""
        return np.asarray(self.patterns[0])

    @property
    def circle_shares(self) -> Floats:
        """How each token divides its attention on the circle; shape (V, V)."""
        return np.asarray(self.patterns[-1])

    @property
    def own(self) -> Share:
        """What the token that asks gives itself on the circle, the same for all; never 1."""
        return min(float(self.circle_shares[self.asker, self.asker]), _ALMOST_ALL)

    @property
    def end(self) -> Place:
        """The place of the end that gets most from the token that asks, on the line."""
        return int(self.looks_at[0, self.asker])

    @property
    def end_name(self) -> str:
        """The token at that end."""
        return self.names[self.end]


@dataclass(frozen=True)
class Crowd:
    """The circle of `n_vocab` tokens made fuller, until `n_large` stand on it.

    Raises ValueError for fewer than 3 tokens, for a circle that does not get fuller, and for a
    beta not above 0.
    """

    n_vocab: Annotated[Tokens, Doc("how many tokens stand on the circle at first")]
    n_large: Annotated[Tokens, Doc("how many tokens stand on the full circle")] = 100
    beta: Annotated[ScoreScale, Doc("scale of the scores")] = 10.0
    mass: Annotated[Share, Doc("what each token is to give itself")] = 0.99

    def __post_init__(self) -> None:
        whole("n_vocab", self.n_vocab, at_least=3)
        if whole("n_large", self.n_large, at_least=3) < self.n_vocab:
            raise ValueError(
                f"n_large must be at least n_vocab, {self.n_vocab}, got {self.n_large}"
            )
        real("beta", self.beta, above=0, at_most=BETA_LIMIT)
        real("mass", self.mass, above=0, below=1)

    @cached_property
    def own_large(self) -> Share:
        """What each token gives itself on the full circle, the same for all, and never 1."""
        return min(float(self_masses(circle_codes(self.n_large), self.beta)[0]), _ALMOST_ALL)

    @cached_property
    def beta_large(self) -> ScoreScale:
        """The smallest beta at which each token of the full circle gives itself `mass`."""
        return beta_needed(circle_codes(self.n_large), self.mass)

    @cached_property
    def beta_one_hot(self) -> ScoreScale:
        """The smallest beta that does it with a number of its own for every token."""
        return beta_needed(one_hot_codes(self.n_large), self.mass)

    @property
    def is_sharp(self) -> bool:
        """Whether each token of the full circle gives itself `mass` or more already."""
        return self.own_large >= self.mass

    @cached_property
    def sharpening(self) -> Sharpening:
        """Token 0 of the full circle from the smaller of beta and beta_large to the larger."""
        ends = sorted((float(self.beta), self.beta_large))
        return sharpening(circle_codes(self.n_large), ends[0], ends[1])

    # The circle as it fills: the token in the middle, and the others by how far off they are

    @cached_property
    def steps(self) -> Ints:
        """How many places off each token stands from the one in the middle; shape (n_large,)."""
        k = np.arange(self.n_large)
        return sealed_ints((k + 1) // 2 * np.where(k % 2, 1, -1))  # 0, 1, -1, 2, -2 ...

    @cached_property
    def sizes(self) -> Ints:
        """How many tokens stand on the circle, from n_vocab to n_large; shape (F,)."""
        return sealed_ints(np.arange(self.n_vocab, self.n_large + 1))

    @cached_property
    def filling_shares(self) -> Floats:
        """The attention of the token in the middle at every size; shape (F, n_large)."""
        angles = self.steps * FULL_TURN / self.sizes[:, None]  # (F, n_large)
        is_there = np.arange(self.n_large) < self.sizes[:, None]
        return sealed(softmax(np.where(is_there, self.beta * np.cos(angles), -np.inf)))

    @property
    def filling_own(self) -> Floats:
        """What that token gives itself at every size; shape (F,)."""
        return np.asarray(self.filling_shares[:, 0])

    @cached_property
    def turned_betas(self) -> Floats:
        """From beta to beta_large in equal ratios; shape (S,)."""
        betas = self.sharpening.betas
        return sealed(betas if self.beta <= self.beta_large else betas[::-1])

    @cached_property
    def turned_shares(self) -> Floats:
        """The attention of the token in the middle at each of these; shape (S, n_large)."""
        shares = self.sharpening.patterns[:, self.steps]  # (S, n_large); step -1 is the last token
        return sealed(shares if self.beta <= self.beta_large else shares[::-1])

    @property
    def turned_own(self) -> Floats:
        """What that token gives itself at each of these; shape (S,)."""
        return np.asarray(self.turned_shares[:, 0])

    @property
    def decades(self) -> tuple[float, float]:
        """The powers of ten between which every beta of the film lies."""
        betas = (self.beta, self.beta_large, self.beta_one_hot)
        low, high = math.floor(math.log10(min(betas))), math.ceil(math.log10(max(betas)))
        return float(f"1e{low}"), float(f"1e{high}")
