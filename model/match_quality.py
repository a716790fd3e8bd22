"""How well low-rank codes do induction: accuracy and follower mass over random texts.

Layer 1 of `model.induction` with codes for the match only: what is copied out stays one-hot. The
pattern of layer 0 does not depend on the tokens, so many texts run at once. Accuracy saturates
early, since the largest share wins by any lead; so the mean mass on the
follower is measured too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from model.arrays import Floats, Ints, finite, whole
from model.attention import softmax
from model.match_codes import random_codes
from model.previous_token import PreviousTokenHead


@dataclass(frozen=True, eq=False)
class Questions:
    """N texts of T tokens whose last token has one follower: `texts` (N, T), `followers` (N,).

    BOS stands first; it is the last token of the vocabulary, and `n_vocab` counts it.
    """

    n_vocab: int
    texts: Ints
    followers: Ints


def random_questions(n_texts: int, n_tokens: int, n_vocab: int, seed: int) -> Questions:
    """Random texts after BOS, kept if exactly one token followed the last one before.

    Raises ValueError unless n_tokens >= 3 and n_vocab >= 2.
    """
    wanted = whole("n_texts", n_texts, at_least=1)
    length = whole("n_tokens", n_tokens, at_least=3)
    size = whole("n_vocab", n_vocab, at_least=2)
    rng = np.random.default_rng(seed)
    texts, followers = np.empty((0, length), np.int64), np.empty(0, np.int64)
    while len(texts) < wanted:
        drawn = rng.integers(0, size - 1, size=(64 + wanted, length))  # (n, T)
        drawn[:, 0] = size - 1
        followed = drawn[:, :-1] == drawn[:, -1:]  # (n, T - 1)
        low = np.where(followed, drawn[:, 1:], size).min(axis=1)  # (n,)
        high = np.where(followed, drawn[:, 1:], -1).max(axis=1)  # (n,)
        texts = np.concatenate([texts, drawn[low == high]])
        followers = np.concatenate([followers, low[low == high]])
    return Questions(size, texts[:wanted], followers[:wanted])


@dataclass(frozen=True, eq=False)
class MatchQuality:
    """What codes achieve at B sharpnesses: `betas`, `accuracy`, `mass`, all of shape (B,).

    `accuracy` is the share of texts in which the follower gets the largest logit; `mass` is the
    mean share of attention that the follower gets, wherever it stands.
    """

    betas: Floats
    accuracy: Floats
    mass: Floats


def match_quality(
    codes: ArrayLike,
    questions: Questions,
    betas: Sequence[float] | Floats,
    alpha: float = 100.0,
    d_head: int = 32,
) -> MatchQuality:
    """Run the last row of both layers over all questions with `codes` (V, r) for the match.

    Layer 0 is sharp by default, so that only the match is in question: at alpha 10 its leak
    confuses random codes of rank 2 that lie close together (accuracy .86 in place of .99).
    Raises ValueError for another number of codes, or betas that are not a row of numbers.
    """
    rows = finite("codes", codes, n_axes=2)  # (V, r)
    if len(rows) != questions.n_vocab:
        raise ValueError(f"codes must have {questions.n_vocab} rows, got shape {rows.shape}")
    scales = finite("betas", betas, n_axes=1)  # (B,)
    texts = questions.texts  # (N, T)
    layer_0 = PreviousTokenHead(texts.shape[1], d_head, alpha).pattern  # (T, T)
    keys = layer_0 @ rows[texts]  # (N, T, r)
    scores = np.einsum("nr,ntr->nt", rows[texts[:, -1]], keys)  # (N, T) at beta 1
    patterns = softmax(scales[:, None, None] * scores)  # (B, N, T)
    copied = np.eye(questions.n_vocab)[texts]  # (N, T, V)
    logits = np.einsum("bnt,ntv->bnv", patterns, copied)  # (B, N, V)
    right = logits[:, np.arange(len(texts)), questions.followers]  # (B, N)
    return MatchQuality(
        betas=scales,
        accuracy=(logits.argmax(axis=-1) == questions.followers).mean(axis=1),
        mass=right.mean(axis=1),
    )


@dataclass(frozen=True, eq=False)
class RankCurve:
    """What random codes of `ranks` (R,) achieve on average: `accuracy` and `mass`, both (R,)."""

    ranks: Ints
    accuracy: Floats
    mass: Floats


def rank_curve(
    questions: Questions,
    ranks: Sequence[int],
    beta: float,
    n_draws: int = 1,
    seed: int = 0,
    alpha: float = 100.0,
) -> RankCurve:
    """Run all questions with `n_draws` draws of random codes at each rank, and take the mean.

    Raises ValueError for no rank, or one below 1.
    """
    if not ranks:
        raise ValueError("ranks must hold at least one rank, got none")
    draws = range(seed, seed + whole("n_draws", n_draws, at_least=1))
    measured = [
        [
            match_quality(random_codes(questions.n_vocab, rank, draw), questions, [beta], alpha)
            for draw in draws
        ]
        for rank in ranks
    ]
    return RankCurve(
        ranks=np.array(ranks, dtype=np.int64),
        accuracy=np.array([[m.accuracy[0] for m in row] for row in measured]).mean(axis=1),
        mass=np.array([[m.mass[0] for m in row] for row in measured]).mean(axis=1),
    )
