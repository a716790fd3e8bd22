"""From logits to the next word: softmax with a temperature, and the likeliest word.

Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, sections 4 and 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, Values, check_array
from clockhead.model.attention.pattern import softmax
from clockhead.model.units import Count, Doc, Place, Share, Shares, Temperature

_ALMOST_ALL = float(np.nextafter(1.0, 0.0))
"""Largest float below 1."""


@dataclass(frozen=True, kw_only=True, eq=False)
class NextWord(Values):
    """The distribution of the next word: logits of `words`, and their softmax at a temperature."""

    words: Annotated[tuple[str, ...], Doc("all words of the vocabulary; V of them")]
    logits: Annotated[Floats, Doc("logit of each word; (V,)")]
    temperature: Annotated[Temperature, Doc("divisor of the logits before softmax")]
    probabilities: Annotated[Shares, Doc("the softmax of the divided logits; (V,)")]
    order: Annotated[Ints, Doc("indices of the words from the likeliest to the least likely; (V,)")]
    greedy: Annotated[Place, Doc("index of the likeliest word, the first if several tie")]
    greedy_word: Annotated[str, Doc("the likeliest word")]
    greedy_share: Annotated[Share, Doc("the probability of the likeliest word")]
    n_likeliest: Annotated[Count, Doc("number of words with the largest logit")]


def next_word(words: tuple[str, ...], logits: Floats, temperature: float = 1.0) -> NextWord:
    """The distribution of the next word. Raises ValueError unless each word has a logit."""
    if check_array("logits", logits).shape != (len(words),):
        raise ValueError(
            f"logits must be {len(words)} numbers, one for each word, got shape {np.shape(logits)}"
        )
    probabilities = probabilities_at(logits, [temperature])[0]  # (V,)
    order = np.argsort(-logits, kind="stable")  # (V,)
    greedy = int(order[0])
    return NextWord(
        words=words,
        logits=logits,
        temperature=temperature,
        probabilities=probabilities,
        order=order,
        greedy=greedy,
        greedy_word=words[greedy],
        greedy_share=float(probabilities[greedy]),
        n_likeliest=int((logits == logits.max()).sum()),
    )


def probabilities_at(logits: ArrayLike, temperatures: Sequence[float] | Floats) -> Floats:
    """The softmax of `logits` (V,) at every temperature (S,); shape (S, V).

    Rounding never makes the probability of one of several words 1. Raises ValueError for a
    temperature that is not above 0.
    """
    scales = check_array("temperatures", temperatures, n_axes=1)  # (S,)
    if (scales <= 0).any():
        raise ValueError(f"temperatures must be above 0, got {scales.min():g}")
    shares = softmax(check_array("logits", logits, n_axes=1) / scales[:, None])  # (S, V)
    return np.minimum(shares, _ALMOST_ALL) if shares.shape[-1] > 1 else shares
