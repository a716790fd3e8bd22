"""Attention from sharp to uniform: an induction head whose scores are scaled down.

Source: Chris Wendler's RoPE transformer, section 4, for the head. If all scores are zero, all
attention weights are equal, and the output is the frequency of each token in the text: the head
counts. Dan Wilhelm's transformer (LLM Foundations, chapter 1) counts letters in this way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.induction.circuit import Induction, induction
from clockhead.model.units import Difference, Doc, Shares

EVEN = 0.01
"""Smallest scale of the scores, at which attention is nearly uniform."""
_STEPS = 40


@dataclass(frozen=True, kw_only=True, eq=False)
class EvenAttention(Values):
    """An induction circuit at S decreasing scales of layer 1, from its own to `EVEN`."""

    head: Annotated[Induction, Doc("the induction circuit on the text")]
    betas: Annotated[Floats, Doc("scales of layer 1, evenly spaced on a logarithmic axis; (S,)")]
    rows: Annotated[Shares, Doc("attention weights of the last row at every scale; (S, T)")]
    outputs: Annotated[
        Shares, Doc("output at every scale, a distribution over the vocabulary; (S, V)")
    ]
    text: Annotated[str, Doc("the text without BOS, with spaces between words")]
    words: Annotated[tuple[str, ...], Doc("tokens of the vocabulary; V of them")]
    counted: Annotated[Floats, Doc("frequency of each token in the text; (V,)")]
    miscount: Annotated[
        Difference, Doc("largest difference between these frequencies and the last output")
    ]


def even_attention(head: Induction) -> EvenAttention:
    """Scale the scores of `head` down; both ends of the scales are exact."""
    betas = np.geomspace(head.beta, EVEN, _STEPS + 1)
    betas[[0, -1]] = head.beta, EVEN
    heads = [
        induction(head.tokens, head.vocabulary, alpha=head.alpha, beta=float(beta))
        for beta in betas
    ]
    outputs = np.array([turned.output for turned in heads])  # (S, V)
    counts = np.bincount(head.text.indices, minlength=head.n_vocab)  # (V,)
    return EvenAttention(
        head=head,
        betas=betas,
        rows=np.array([turned.row for turned in heads]),
        outputs=outputs,
        text=" ".join(head.tokens[1:]),
        words=head.vocabulary.tokens,
        counted=counts / head.n_tokens,
        miscount=float(np.abs(outputs[-1] - counts / head.n_tokens).max()),
    )
