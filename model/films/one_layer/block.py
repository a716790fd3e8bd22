"""The neurons that draw a step function as the MLP of a transformer block, row by row.

A row of D numbers stands for every token. W_1 (D, N) and b_1 make N neurons of it, W_2 (N, D) and
b_2 make D numbers of these, which are added to the row. Here all neurons read one number of the
row, and write to one other; the rest is drawn once and stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.networks.relu_wave import N_STEPS, ReluWave, relu_wave
from clockhead.model.units import Count, Dimensions, Doc, Place, Tokens

D_MODEL = 4
READ, WRITTEN = 1, 2
"""The number of a row that neurons read, and the one that they write to."""
_SEED = 3
_FIRST, _ROUNDING = 2, 1e-9
_GOLDEN = (5**0.5 - 1) / 2
"""Multiples of it, less their whole part, lie apart from each other."""


@dataclass(frozen=True, kw_only=True, eq=False)
class WaveBlock(Values):
    """An MLP of the N neurons of `wave` over rows of T tokens."""

    tokens: Annotated[tuple[str, ...], Doc("the tokens of the text")]
    wave: Annotated[ReluWave, Doc("the layer of neurons that draws a step function")]
    n_tokens: Annotated[Tokens, Doc("how many tokens there are")]
    n_neurons: Annotated[Count, Doc("how many neurons there are")]
    d_model: Annotated[Dimensions, Doc("how many numbers a row has")]
    x: Annotated[Floats, Doc("the number of each row that neurons read; (T,)")]
    rows: Annotated[Floats, Doc("the rows before the MLP, 0 where it writes; (T, D)")]
    w_1: Annotated[Floats, Doc("from a row to neurons: all read one number, by 1; (D, N)")]
    w_2: Annotated[Floats, Doc("from neurons to a row: all write to one number; (N, D)")]
    acts: Annotated[Floats, Doc("what neurons give for each row, ReLU(x W_1 + b_1); (T, N)")]
    added: Annotated[Floats, Doc("what is added to each row; (T, D)")]
    out: Annotated[Floats, Doc("the rows after the MLP; (T, D)")]
    y: Annotated[Floats, Doc("the number of each row that neurons write; (T,)")]
    points: Annotated[
        Floats, Doc("what neurons read of each row and what they write, as points; (T, 2)")
    ]


def wave_block(
    tokens: Sequence[str], wave: ReluWave | None = None, names: Sequence[str] = ()
) -> WaveBlock:
    """An MLP of the neurons of `wave` over `tokens`; words of `names` keep the rows they had.

    The number that is read lies on a level of the step function, for each different token on the
    next one, and never at the same place for two of them. Raises ValueError for no tokens.
    """
    if not tokens:
        raise ValueError("tokens must be one or more, got none")
    wave = wave or relu_wave()
    different = list(dict.fromkeys((*names, *tokens)))
    kinds = np.array([different.index(token) for token in tokens])  # (T,)
    edges = wave.steps.edges  # (n + 2,)
    again, level = np.divmod(kinds + _FIRST, len(edges) - 1)
    share = (0.5 + again * _GOLDEN) % 1.0
    x = edges[level] + (0.2 + 0.6 * share) * np.diff(edges)[level]
    drawn = np.random.default_rng(_SEED).uniform(-1, 1, (int(kinds.max()) + 1, D_MODEL))
    rows = drawn.round(1)[kinds]
    rows[:, READ], rows[:, WRITTEN] = x, 0.0

    w_1, w_2 = np.zeros((D_MODEL, wave.n_neurons)), np.zeros((wave.n_neurons, D_MODEL))
    w_1[READ], w_2[:, WRITTEN] = 1.0, wave.weights
    b_1, b_2 = -wave.bends, np.zeros(D_MODEL)
    b_2[WRITTEN] = wave.steps.levels[0]
    acts = np.maximum(rows @ w_1 + b_1, 0.0)
    added = acts @ w_2 + b_2
    out = rows + added
    y = out[:, WRITTEN]
    return WaveBlock(
        tokens=tuple(tokens),
        wave=wave,
        n_tokens=len(tokens),
        n_neurons=wave.n_neurons,
        d_model=D_MODEL,
        x=x,
        rows=rows,
        w_1=w_1,
        w_2=w_2,
        acts=acts,
        added=added,
        out=out,
        y=y,
        points=np.column_stack([x, y]),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class ChangedWord(Values):
    """The same MLP before and after one word is exchanged for another."""

    before: Annotated[WaveBlock, Doc("the rows of the text")]
    after: Annotated[WaveBlock, Doc("the rows once the word is exchanged")]
    place: Annotated[Place, Doc("the place of the word that is exchanged")]
    old: Annotated[str, Doc("the word that is exchanged")]
    word: Annotated[str, Doc("the word that comes in its place")]
    way: Annotated[
        Floats,
        Doc("from what is read and written for the old word to the new, on the line; (F, 2)"),
    ]
    n_changed: Annotated[Count, Doc("how many rows come out otherwise")]


def change_word(before: WaveBlock, place: int, word: str) -> ChangedWord:
    """Exchange one word of the text.

    Raises ValueError for a place where there is no word, and for the word that stands there.
    """
    if not 0 <= place < before.n_tokens:
        raise ValueError(f"place must be 0 to {before.n_tokens - 1}, got {place}")
    if before.tokens[place] == word:
        raise ValueError(f"instead must be another word than the one at place {place}, {word!r}")
    wave, tokens = before.wave, list(before.tokens)
    tokens[place] = word
    after = wave_block(tokens, wave, names=before.tokens)
    start, end = before.x[place], after.x[place]
    low, high = min(start, end), max(start, end)
    bends = wave.bends[(low < wave.bends) & (wave.bends < high)]
    x = np.unique(np.concatenate([np.linspace(low, high, N_STEPS), bends]))
    points = np.column_stack([x, wave.at(x)])
    return ChangedWord(
        before=before,
        after=after,
        place=place,
        old=before.tokens[place],
        word=word,
        way=points if start < end else points[::-1].copy(),
        n_changed=int((np.abs(before.out - after.out) > _ROUNDING).any(axis=1).sum()),
    )
