"""The neurons that draw a step function as the MLP of a transformer block, row by row.

A row of D numbers stands for every token. W_1 (D, N) and b_1 make N neurons of it, W_2 (N, D) and
b_2 make D numbers of these, which are added to the row. Here all neurons read one number of the
row, and write to one other; the rest is drawn once and stays as it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, sealed, sealed_ints
from clockhead.model.networks.relu_wave import N_STEPS, ReluWave
from clockhead.model.units import Count, Dimensions, Doc, Place, Tokens

D_MODEL = 4
READ, WRITTEN = 1, 2
"""The number of a row that neurons read, and the one that they write to."""
_SEED = 3
_FIRST, _ROUNDING = 2, 1e-9
_GOLDEN = (5**0.5 - 1) / 2
"""Multiples of it, less their whole part, lie apart from each other."""


@dataclass(frozen=True)
class WaveBlock:
    """An MLP of the neurons of `wave` over rows of `tokens`.

    The number that is read lies on a level of the step function, for each different token on the
    next one, and never at the same place for two of them. Raises ValueError for no tokens.
    """

    tokens: Annotated[tuple[str, ...], Doc("the tokens of the text")]
    wave: ReluWave = field(default_factory=ReluWave)
    names: Annotated[tuple[str, ...], Doc("words that were there before, and keep their rows")] = ()

    def __post_init__(self) -> None:
        if not self.tokens:
            raise ValueError("tokens must be one or more, got none")

    @property
    def n_tokens(self) -> Tokens:
        """How many tokens there are."""
        return len(self.tokens)

    @property
    def n_neurons(self) -> Count:
        """How many neurons there are."""
        return self.wave.n_neurons

    @property
    def d_model(self) -> Dimensions:
        """How many numbers a row has."""
        return D_MODEL

    @cached_property
    def kinds(self) -> Ints:
        """Which of the different tokens each one is; shape (T,)."""
        names = list(dict.fromkeys((*self.names, *self.tokens)))
        return sealed_ints(np.array([names.index(token) for token in self.tokens]))

    @cached_property
    def x(self) -> Floats:
        """The number of each row that neurons read; shape (T,)."""
        edges = self.wave.steps.edges  # (n + 2,)
        again, level = np.divmod(self.kinds + _FIRST, len(edges) - 1)
        share = (0.5 + again * _GOLDEN) % 1.0
        return sealed(edges[level] + (0.2 + 0.6 * share) * np.diff(edges)[level])

    @cached_property
    def rows(self) -> Floats:
        """The rows before the MLP, 0 where it writes; shape (T, D)."""
        rng = np.random.default_rng(_SEED)
        kinds = rng.uniform(-1, 1, (int(self.kinds.max()) + 1, D_MODEL)).round(1)
        rows = kinds[self.kinds]
        rows[:, READ], rows[:, WRITTEN] = self.x, 0.0
        return sealed(rows)

    @cached_property
    def w_1(self) -> Floats:
        """From a row to neurons: all read one number, by 1; shape (D, N)."""
        w = np.zeros((D_MODEL, self.n_neurons))
        w[READ] = 1.0
        return sealed(w)

    @property
    def b_1(self) -> Floats:
        """The biases of the neurons; shape (N,)."""
        return -self.wave.bends

    @cached_property
    def w_2(self) -> Floats:
        """From neurons to a row: all write to one number; shape (N, D)."""
        w = np.zeros((self.n_neurons, D_MODEL))
        w[:, WRITTEN] = self.wave.weights
        return sealed(w)

    @cached_property
    def b_2(self) -> Floats:
        """The bias of the sum, the first level; shape (D,)."""
        b = np.zeros(D_MODEL)
        b[WRITTEN] = self.wave.steps.levels[0]
        return sealed(b)

    @cached_property
    def acts(self) -> Floats:
        """What the neurons give for each row, ReLU(x W_1 + b_1); shape (T, N)."""
        return sealed(np.maximum(self.rows @ self.w_1 + self.b_1, 0.0))

    @cached_property
    def added(self) -> Floats:
        """What is added to each row; shape (T, D)."""
        return sealed(self.acts @ self.w_2 + self.b_2)

    @cached_property
    def out(self) -> Floats:
        """The rows after the MLP; shape (T, D)."""
        return sealed(self.rows + self.added)

    @property
    def y(self) -> Floats:
        """The number of each row that neurons write; shape (T,)."""
        return np.asarray(self.out[:, WRITTEN])

    @cached_property
    def points(self) -> Floats:
        """What neurons read of each row and what they write, as points; shape (T, 2)."""
        return sealed(np.column_stack([self.x, self.y]))


@dataclass(frozen=True)
class ChangedWord:
    """The same MLP before and after one word is exchanged for another.

    Raises ValueError for a place where there is no word, and for the word that stands there.
    """

    before: Annotated[WaveBlock, Doc("the rows of the text")]
    place: Annotated[Place, Doc("the place of the word that is exchanged")]
    word: Annotated[str, Doc("the word that comes in its place")]

    def __post_init__(self) -> None:
        if not 0 <= self.place < self.before.n_tokens:
            raise ValueError(f"place must be 0 to {self.before.n_tokens - 1}, got {self.place}")
        if self.before.tokens[self.place] == self.word:
            raise ValueError(
                f"instead must be another word than the one at place {self.place}, {self.word!r}"
            )

    @property
    def old(self) -> str:
        """The word that is exchanged."""
        return self.before.tokens[self.place]

    @cached_property
    def after(self) -> WaveBlock:
        """The rows once the word is exchanged."""
        tokens = list(self.before.tokens)
        tokens[self.place] = self.word
        return replace(self.before, tokens=tuple(tokens), names=self.before.tokens)

    @cached_property
    def way(self) -> Floats:
        """From what is read and written for the old word to the new, on the line; shape (F, 2)."""
        wave, (start, end) = self.before.wave, (self.before.x[self.place], self.after.x[self.place])
        low, high = min(start, end), max(start, end)
        bends = wave.bends[(low < wave.bends) & (wave.bends < high)]
        x = np.unique(np.concatenate([np.linspace(low, high, N_STEPS), bends]))
        points = np.column_stack([x, wave.at(x)])
        return sealed(points if start < end else points[::-1].copy())

    @property
    def n_changed(self) -> Count:
        """How many rows come out otherwise."""
        return int((np.abs(self.before.out - self.after.out) > _ROUNDING).any(axis=1).sum())
