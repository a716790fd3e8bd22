"""Heads by hand and the clock hands of trained ones, once more, offset by offset."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.model.trained.texts import texts_said_twice
from tests.model.plain_trained import LETTERS, SPEEDS, START, Reading, normed, weights

Floats = NDArray[np.float64]
FURTHEST = 10
N_TEXTS, N_LETTERS, SEED, MOST = 200, 20, 37, 10


# The clock hands of a head of layer 0


@cache
def common() -> Floats:
    """How common letters are in the long run, if each follows the last as in the sample; (27,)."""
    sample = "".join(c if c.isalpha() else " " for c in SAMPLE_ENGLISH.lower()).split()
    text = " ".join(sample)
    follows = np.full((27, 27), 0.3)
    for first, second in pairwise(text):
        follows[LETTERS.index(first), LETTERS.index(second)] += 1
    follows[26, 26] = 0
    follows /= follows.sum(axis=1, keepdims=True)
    shares = np.full(27, 1 / 27)
    for _ in range(200):
        shares = shares @ follows
    return shares


@cache
def by_hand_of(step: int, head: int) -> tuple[NDArray[np.complex128], NDArray[np.complex128]]:
    """Queries and keys of all letters as complex numbers, before they are turned; (27, 8) each."""
    w = weights(step)
    letters = normed(w["embedding"])[:27]
    query, key = letters @ w["w_q"][0, head], letters @ w["w_k"][0, head]
    return query[:, ::2] + 1j * query[:, 1::2], key[:, ::2] + 1j * key[:, 1::2]


def parts(step: int, head: int, back: float) -> Floats:
    """What each hand adds, on average over pairs of letters, with so many steps between; (8,)."""
    query, key = by_hand_of(step, head)
    pairs = np.einsum("ai,bi->abi", query * np.exp(1j * 40 * SPEEDS),
                      np.conj(key * np.exp(1j * (40 - back) * SPEEDS)))  # fmt: skip
    return np.asarray(np.einsum("a,b,abi->i", common(), common(), pairs.real) / 4)


@cache
def mean_scores(step: int, head: int) -> Floats:
    """The mean scores of letters 0 to 10 back; (11,)."""
    return np.array([parts(step, head, back).sum() for back in range(FURTHEST + 1)])


@cache
def hands(step: int, head: int) -> tuple[Floats, Floats]:
    """How long each hand is, and how far it is turned; (8,) each.

    What it adds is highest where the key is turned as far as the hand, and a quarter of a turn
    further it adds nothing: two of its heights say both.
    """
    up = parts(step, head, 0)
    aside = np.array([parts(step, head, np.pi / 2 / SPEEDS[i])[i] for i in range(8)])
    return np.hypot(up, aside), np.arctan2(aside, up)


def built_sums(back: int) -> Floats:
    """By hand at alpha 1: what 0 to 10 letters back score, where every hand stands at `back`."""
    return np.array([sum(np.cos((d - back) * SPEEDS)) for d in range(FURTHEST + 1)])


# Both layers by hand


@cache
def built_before(n: int) -> Floats:
    """The previous-token head by hand over n tokens, at alpha 10; (n, n)."""
    scores = [[10 * np.cos((m - k - 1) * SPEEDS).sum() for k in range(n)] for m in range(n)]
    shares = np.tril(np.exp(np.array(scores) - 80))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def built_followers(text: NDArray[np.int64]) -> Floats:
    """The induction head by hand, at beta 10: what it compares are notes; (T, T)."""
    same = text[:, None] == text  # (T, T)
    notes = built_before(len(text)) @ same  # (T, T): at k, how far the note says what m says
    shares = np.tril(np.exp(10 * notes.T))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


@cache
def twice() -> NDArray[np.int64]:
    return texts_said_twice(SEED, N_TEXTS, N_LETTERS)


@cache
def built_right() -> Floats:
    """By hand: what the right letter gets after 1 to 10 letters said again; (10,)."""
    found = []
    for text in twice():
        shares = built_followers(text)
        at = [N_LETTERS + again for again in range(1, MOST + 1)]
        found.append([shares[m][text == text[m + 1]].sum() for m in at])
    return np.mean(found, axis=0)


@cache
def trained_right(step: int, silent: tuple[tuple[int, int], ...] = ()) -> Floats:
    """The same for the trained transformer, without some heads; (10,)."""
    likely = Reading(step, twice(), silent).likely
    at = N_LETTERS + np.arange(1, MOST + 1)
    right = [likely[row, at, text[at + 1]] for row, text in enumerate(twice())]
    return np.mean(right, axis=0)


def looking_further(step: int) -> tuple[tuple[int, int], ...]:
    """The heads of layer 0 that score most two or three letters back."""
    return tuple((0, head) for head in range(4) if np.argmax(mean_scores(step, head)) in (2, 3))


def followers(text: str) -> list[set[int]]:
    """For each token, the start first, the places right after where it stood before, up to it."""
    said = [START, *map(LETTERS.index, text)]
    return [{k + 1 for k in range(m) if said[k] == said[m]} for m in range(len(said))]
