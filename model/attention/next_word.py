"""From logits to a word: softmax at a temperature, and the likeliest word.

Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, sections 4 and 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, Values, finite
from clockhead.model.attention.pattern import softmax
from clockhead.model.units import Count, Doc, Place, Share, Temperature

_ALMOST_ALL = float(np.nextafter(1.0, 0.0))
"""The largest number below 1."""


@dataclass(frozen=True, kw_only=True, eq=False)
class NextWord(Values):
    """What comes next: a logit for each of `words`, taken at a temperature."""

    words: Annotated[tuple[str, ...], Doc("the words there are; V of them")]
    logits: Annotated[Floats, Doc("a number for each word, of any size and sign; (V,)")]
    temperature: Annotated[Temperature, Doc("what the logits are divided by")]
    probabilities: Annotated[Floats, Doc("the softmax of the divided logits; (V,)")]
    order: Annotated[Ints, Doc("the words' places from the likeliest to the least likely; (V,)")]
    greedy: Annotated[Place, Doc("the place of the likeliest word, the first if several are")]
    greedy_word: Annotated[str, Doc("the likeliest word")]
    greedy_share: Annotated[Share, Doc("the probability of the likeliest word")]
    n_likeliest: Annotated[Count, Doc("how many words share the largest logit")]


def next_word(words: tuple[str, ...], logits: Floats, temperature: float = 1.0) -> NextWord:
    """What comes next. Raises ValueError unless there is a logit for each word."""
    if finite("logits", logits).shape != (len(words),):
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

    Of several words none has probability 1, however near it comes. Raises ValueError for a
    temperature that is not above 0.
    """
    scales = finite("temperatures", temperatures, n_axes=1)  # (S,)
    if (scales <= 0).any():
        raise ValueError(f"temperatures must be above 0, got {scales.min():g}")
    shares = softmax(finite("logits", logits, n_axes=1) / scales[:, None])  # (S, V)
    return np.minimum(shares, _ALMOST_ALL) if shares.shape[-1] > 1 else shares
