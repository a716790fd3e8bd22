"""Texts at random whose last token had one follower, so that induction has one answer."""

import itertools
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Questions:
    """N texts of T tokens, (N, T), and what followed the last token of each before, (N,).

    BOS stands first; it is the last token of the vocabulary, and `n_vocab` counts it.
    """

    texts: np.ndarray
    followers: np.ndarray


def random_questions(n_texts: int, n_tokens: int, n_vocab: int, seed: int) -> Questions:
    """Random texts after BOS, kept if exactly one token followed the last one before."""
    rng = np.random.default_rng(seed)
    texts, followers = [], []
    while len(texts) < n_texts:
        text = [n_vocab - 1, *rng.integers(0, n_vocab - 1, size=n_tokens - 1).tolist()]
        after = {b for a, b in itertools.pairwise(text) if a == text[-1]}
        if len(after) == 1:
            texts.append(text)
            followers.extend(after)
    return Questions(np.array(texts), np.array(followers))
