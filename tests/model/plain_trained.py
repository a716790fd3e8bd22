"""The small trained transformer once more, head by head, with complex numbers for its rotations.

It reads `moments.npz` itself and asks nothing of `clockhead.model`.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FILE = Path(__file__).parents[2] / "model" / "trained" / "moments.npz"
LETTERS = "abcdefghijklmnopqrstuvwxyz "
START = 27
N_LAYERS = 2
N_HEADS = 4
D_HEAD = 16
SPEEDS = np.array([10_000.0 ** (-2 * i / D_HEAD) for i in range(D_HEAD // 2)])


@cache
def kept() -> dict[str, NDArray[Any]]:
    """Everything in the file."""
    with np.load(FILE) as file:
        return {name: file[name] for name in file.files}


def weights(step: int) -> dict[str, Floats]:
    """The weights after so many steps, by name."""
    at = kept()["steps"].tolist().index(step)
    names = ("embedding", "w_q", "w_k", "w_v", "w_o", "unembedding")
    return {name: kept()[name][at].astype(float) for name in names}


def tokens(text: str) -> Ints:
    """The start, and the letters of a text; (T + 1,)."""
    return np.array([START, *map(LETTERS.index, text)])


def normed(x: Floats) -> Floats:
    return np.asarray(x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + 1e-6))


def turned(x: Floats) -> NDArray[np.complex128]:
    """Pairs of coordinates (..., T, 16) as complex numbers, turned by position; (..., T, 8)."""
    pairs = x[..., 0::2] + 1j * x[..., 1::2]
    return np.asarray(pairs * np.exp(1j * np.outer(np.arange(x.shape[-2]), SPEEDS)))


class Reading:
    """What becomes of texts (..., T): `patterns` by head, what heads `added`, and `likely`.

    Heads in `silent` add nothing. `streams` are before layer 0, after it, and at the end.
    """

    def __init__(self, step: int, texts: Ints, silent: Collection[tuple[int, int]] = ()) -> None:
        self.texts = np.asarray(texts)
        w = weights(step)
        stream = w["embedding"][self.texts]
        self.streams = [stream]
        self.scores: dict[tuple[int, int], Floats] = {}
        self.patterns: dict[tuple[int, int], Floats] = {}
        self.added: dict[tuple[int, int], Floats] = {}
        later = np.triu(np.ones(2 * self.texts.shape[-1:], dtype=bool), k=1)
        for layer in range(N_LAYERS):
            read = normed(stream)
            for head in range(N_HEADS):
                at = layer, head
                query, key = turned(read @ w["w_q"][at]), turned(read @ w["w_k"][at])
                scores = np.real(query @ key.conj().swapaxes(-1, -2)) / np.sqrt(D_HEAD)
                shares = np.where(later, 0.0, np.exp(scores))
                shares /= shares.sum(axis=-1, keepdims=True)
                self.scores[at], self.patterns[at] = scores, shares
                self.added[at] = shares @ (read @ w["w_v"][at]) @ w["w_o"][at]
            heard = [head for head in range(N_HEADS) if (layer, head) not in silent]
            stream = sum((self.added[layer, head] for head in heard), start=stream)
            self.streams.append(stream)
        self.likely: Floats = shares_of(normed(stream) @ w["unembedding"])

    @property
    def losses(self) -> Floats:
        """Minus the logarithm of what each next letter got; (..., T - 1)."""
        return losses_of(self.likely, self.texts)


def shares_of(logits: Floats) -> Floats:
    weighed = np.exp(logits)
    return np.asarray(weighed / weighed.sum(axis=-1, keepdims=True))


def losses_of(likely: Floats, texts: Ints) -> Floats:
    """Minus the logarithm of what each next letter of texts (..., T) got; (..., T - 1)."""
    letters = texts[..., 1:, None]
    return -np.log(np.take_along_axis(likely[..., :-1, :], letters, axis=-1)[..., 0])
