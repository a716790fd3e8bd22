"""Token codes for the induction match: how many coordinates a token needs to match only itself.

Source: Chris Wendler's RoPE transformer, section 4, asks what a full-rank match would add. With a
code of r coordinates for every token, W_q1^T W_k1 has rank r and the score of tokens a and b is
beta c_a . c_b. With codes on a circle, rank 2 is enough for every token to score highest with
itself. The more tokens there are, the smaller this lead is, and the larger beta has to be.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, check_array, check_float, check_int
from clockhead.model.attention.pattern import softmax
from clockhead.model.rope.rotation import FULL_TURN

BETA_LIMIT = 1e9


def one_hot_codes(n_vocab: int) -> Floats:
    """One coordinate for every token, for a match of full rank; (V, V)."""
    return np.eye(check_int("n_vocab", n_vocab, at_least=1))


def circle_codes(n_vocab: int) -> Floats:
    """Codes spaced evenly on a circle of radius 1; (V, 2)."""
    size = check_int("n_vocab", n_vocab, at_least=2)
    angles = np.arange(size) * FULL_TURN / size  # (V,)
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1)


def match_scores(codes: ArrayLike) -> Floats:
    """c_a . c_b, the score of every pair of tokens at beta 1: (V, r) to (V, V)."""
    rows = check_array("codes", codes, n_axes=2)  # (V, r)
    return np.asarray(rows @ rows.T)


def match_gaps(codes: ArrayLike) -> Floats:
    """Lead of each token's score with itself over that with its best rival; (V, r) to (V,).

    At most 0 where the token does not match itself. Raises ValueError for fewer than 2 tokens.
    """
    scores = match_scores(codes)  # (V, V)
    if len(scores) < 2:
        raise ValueError(f"codes must hold at least 2 tokens, got {len(scores)}")
    rivals = np.where(np.eye(len(scores), dtype=np.bool_), -np.inf, scores)  # (V, V)
    return np.asarray(np.diagonal(scores) - rivals.max(axis=1))


def self_weights(codes: ArrayLike, beta: float) -> Floats:
    """Attention weight of each token on itself, in a text with every token once; (V, r) to (V,)."""
    scale = check_float("beta", beta, at_least=0, at_most=BETA_LIMIT)
    return np.diagonal(softmax(scale * match_scores(codes))).copy()


def beta_needed(codes: ArrayLike, weight: float = 0.99) -> float:
    """The smallest beta at which every `self_weights` is at least `weight`.

    Found by bisection; inf if a token does not lead, or if no beta up to 1e9 is large enough.
    """
    wanted = check_float("weight", weight, above=0, below=1)
    scores = match_scores(codes)  # (V, V)

    def reached(beta: float) -> bool:
        return bool(np.diagonal(softmax(beta * scores)).min() >= wanted)

    if match_gaps(codes).min() <= 0 or not reached(BETA_LIMIT):
        return math.inf
    low, high = 0.0, BETA_LIMIT
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high
