"""Codes for the induction match: how few coordinates a token needs to find itself.

Source: Chris Wendler's RoPE transformer, section 4, asks what a full-rank match would add. With a
code of r coordinates for every token, W_q1^T W_k1 has rank r and token a scores beta c_a c_b with
token b. Three answers: on a circle, rank 2 is enough for every token to find itself; equal scores
for all others, as one-hot codes give, take rank V - 1 (the corners of a simplex); and below that
the lead shrinks, so that beta has to be larger. Codes on circles are rotary embeddings of tokens:
their score is the kernel of `model.rope` with k whole turns over the vocabulary.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from model.arrays import Floats, finite, real, whole
from model.attention import softmax
from model.rope import FULL_TURN, rope_phases

BETA_LIMIT = 1e9
CIRCLE = (1,)  # once round the vocabulary


def one_hot_codes(n_vocab: int) -> Floats:
    """A coordinate for every token: (V, V), the match of full rank."""
    return np.eye(whole("n_vocab", n_vocab, at_least=1))


def truncated_codes(n_vocab: int, rank: int) -> Floats:
    """One-hot codes of the first `rank` tokens, nothing for the others: (V, r)."""
    size = whole("n_vocab", n_vocab, at_least=1)
    return np.eye(size, min(whole("rank", rank, at_least=1), size))


def random_codes(n_vocab: int, rank: int, seed: int) -> Floats:
    """Directions drawn at random, of length 1: (V, r)."""
    shape = whole("n_vocab", n_vocab, at_least=1), whole("rank", rank, at_least=1)
    draws = np.random.default_rng(seed).normal(size=shape)  # (V, r)
    return np.asarray(draws / np.linalg.norm(draws, axis=1, keepdims=True))


def token_frequencies(n_vocab: int, harmonics: Sequence[int] = CIRCLE) -> Floats:
    """2 pi k / V, the phase of harmonic k from one token to the next, in radians; shape (K,).

    Raises ValueError for no harmonic, the same twice, or one not from 1 to V // 2.
    """
    size = whole("n_vocab", n_vocab, at_least=2)
    turns = [whole("harmonics", k, at_least=1) for k in harmonics]
    if not turns or len(set(turns)) < len(turns) or max(turns) > size // 2:
        raise ValueError(
            f"harmonics must be different whole numbers from 1 to {size // 2}, "
            f"got {list(harmonics)}"
        )
    return np.array(turns) * FULL_TURN / size  # (K,)


def harmonic_codes(n_vocab: int, harmonics: Sequence[int] = CIRCLE) -> Floats:
    """A point on a circle per harmonic, (cos, sin) side by side, of length 1 together: (V, 2K).

    With one harmonic the tokens stand on a circle.
    """
    angles = rope_phases(np.arange(n_vocab), token_frequencies(n_vocab, harmonics))  # (V, K)
    points = np.stack([np.cos(angles), np.sin(angles)], axis=-1)  # (V, K, 2)
    return np.asarray(points.reshape(n_vocab, -1) / math.sqrt(angles.shape[1]))


def circle_codes(n_vocab: int) -> Floats:
    """The tokens evenly on a circle: (V, 2)."""
    return harmonic_codes(n_vocab, CIRCLE)


def simplex_codes(n_vocab: int) -> Floats:
    """Corners of a simplex, all equally far apart and of length 1: (V, V - 1).

    c_a c_b = -1 / (V - 1), so beta (V - 1) / V gives the very pattern of one-hot codes at beta.
    """
    size = whole("n_vocab", n_vocab, at_least=2)
    centred = np.eye(size) - 1 / size  # (V, V), of rank V - 1
    axes = np.linalg.svd(centred)[2][: size - 1]  # (V - 1, V)
    corners = centred @ axes.T  # (V, V - 1)
    return np.asarray(corners / np.linalg.norm(corners, axis=1, keepdims=True))


def match_scores(codes: ArrayLike) -> Floats:
    """c_a c_b, every token's score with every other at beta 1: (V, r) to (V, V)."""
    rows = finite("codes", codes, n_axes=2)  # (V, r)
    return np.asarray(rows @ rows.T)


def match_gaps(codes: ArrayLike) -> Floats:
    """How far each token's score with itself leads its best rival; (V, r) to (V,).

    Not above 0 where the token does not find itself. Raises ValueError for fewer than 2 tokens.
    """
    scores = match_scores(codes)  # (V, V)
    if len(scores) < 2:
        raise ValueError(f"codes must hold at least 2 tokens, got {len(scores)}")
    rivals = np.where(np.eye(len(scores), dtype=np.bool_), -np.inf, scores)  # (V, V)
    return np.asarray(np.diagonal(scores) - rivals.max(axis=1))


def self_masses(codes: ArrayLike, beta: float) -> Floats:
    """What each token gives itself when every token stands there once; (V, r) to (V,)."""
    scale = real("beta", beta, at_least=0, at_most=BETA_LIMIT)
    return np.diagonal(softmax(scale * match_scores(codes))).copy()


def beta_needed(codes: ArrayLike, mass: float = 0.99) -> float:
    """The smallest beta at which every token gives itself `mass`, each standing there once.

    By bisection; inf where some token does not lead, or no beta up to 1e9 does it.
    """
    wanted = real("mass", mass, above=0, below=1)
    rows = finite("codes", codes, n_axes=2)  # (V, r)

    def reached(beta: float) -> bool:
        return bool(self_masses(rows, beta).min() >= wanted)

    if match_gaps(rows).min() <= 0 or not reached(BETA_LIMIT):
        return math.inf
    low, high = 0.0, BETA_LIMIT
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high


def beta_estimate(gap: float, n_rivals: int = 2, mass: float = 0.99) -> float:
    """ln(n mass / (1 - mass)) / gap: right where n rivals, all at the same distance, are the only.

    On a circle the two neighbours are: ln 198 / (1 - cos(2 pi / V)) for 99 %. For one-hot codes
    all are: ln(99 n) with gap 1, 8.06 for n = 32.
    """
    wanted = real("mass", mass, above=0, below=1)
    rivals = whole("n_rivals", n_rivals, at_least=1)
    return math.log(rivals * wanted / (1 - wanted)) / real("gap", gap, above=0)


@dataclass(frozen=True, eq=False)
class Sharpening:
    """How token 0 spreads its attention over all tokens of codes as beta grows: `betas` (S,).

    `patterns` (S, V); `own` (S,) is what it gives itself.
    """

    betas: Floats
    patterns: Floats

    @property
    def own(self) -> Floats:
        """What token 0 gives itself; shape (S,)."""
        return np.asarray(self.patterns[:, 0])


def sharpening(codes: ArrayLike, low: float, high: float, n_steps: int = 60) -> Sharpening:
    """Token 0 at `n_steps` scales from `low` to `high`, both included, in equal ratios."""
    first = real("low", low, above=0, at_most=BETA_LIMIT)
    last = real("high", high, above=0, at_most=BETA_LIMIT)
    betas = np.geomspace(first, last, whole("n_steps", n_steps, at_least=2))  # (S,)
    betas[[0, -1]] = first, last
    scores = match_scores(codes)[0]  # (V,)
    return Sharpening(betas, softmax(betas[:, None] * scores))
