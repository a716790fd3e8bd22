"""Neurons that approximate a step function, as the MLP of a transformer block.

Every token has a row of D numbers. W_1 (D, N) and b_1 map it to N neurons, W_2 (N, D) and b_2 back
to D numbers, which are added to the row. Here all neurons read the same coordinate of the row and
write to one other; the remaining coordinates are random and do not change.
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
"""Coordinate of a row that neurons read, and the one that they write to."""
_SEED = 3
_FIRST, _ROUNDING = 2, 1e-9
_GOLDEN = (5**0.5 - 1) / 2
"""The fractional parts of its multiples are well separated."""


@dataclass(frozen=True, kw_only=True, eq=False)
class WaveBlock(Values):
    """An MLP with the N neurons of `wave`, on rows of T tokens."""

    tokens: Annotated[tuple[str, ...], Doc("tokens of the text")]
    wave: Annotated[ReluWave, Doc("layer of neurons that approximates a step function")]
    n_tokens: Annotated[Tokens, Doc("number of tokens")]
    n_neurons: Annotated[Count, Doc("number of neurons")]
    d_model: Annotated[Dimensions, Doc("number of coordinates of a row")]
    x: Annotated[Floats, Doc("coordinate of each row that neurons read; (T,)")]
    rows: Annotated[Floats, Doc("rows before the MLP, with 0 where it writes; (T, D)")]
    w_1: Annotated[
        Floats, Doc("W_1, from a row to neurons: all read one coordinate, with weight 1; (D, N)")
    ]
    w_2: Annotated[Floats, Doc("W_2, from neurons to a row: all write to one coordinate; (N, D)")]
    acts: Annotated[Floats, Doc("activations for each row, ReLU(x W_1 + b_1); (T, N)")]
    added: Annotated[Floats, Doc("output of the MLP, which is added to each row; (T, D)")]
    out: Annotated[Floats, Doc("rows after the MLP; (T, D)")]
    y: Annotated[Floats, Doc("coordinate of each row that neurons write; (T,)")]
    points: Annotated[
        Floats, Doc("points (coordinate read, coordinate written) of each row; (T, 2)")
    ]


def wave_block(
    tokens: Sequence[str], wave: ReluWave | None = None, names: Sequence[str] = ()
) -> WaveBlock:
    """Run an MLP with the neurons of `wave` on `tokens`.

    Different tokens, `names` first, read the levels of the step function in turn, and no two read
    the same x; words of `names` keep their rows in another text. Raises ValueError for no tokens.
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
    """The same MLP before and after one word is replaced."""

    before: Annotated[WaveBlock, Doc("the MLP on the text")]
    after: Annotated[WaveBlock, Doc("the MLP on the text with the word replaced")]
    place: Annotated[Place, Doc("position of the word that is replaced")]
    old: Annotated[str, Doc("word that is replaced")]
    word: Annotated[str, Doc("word that replaces it")]
    way: Annotated[
        Floats,
        Doc("points of the curve from the old word to the new one; (F, 2)"),
    ]
    n_changed: Annotated[Count, Doc("number of rows that change after the MLP")]


def change_word(before: WaveBlock, place: int, word: str) -> ChangedWord:
    """Replace one word of the text.

    Raises ValueError for a place outside the text, and for the word that is already there.
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
