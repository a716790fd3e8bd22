"""Attention from sharp to even: an induction head whose scores are turned down.

Source: Chris Wendler's RoPE transformer, section 4, for the head. With scores of zero the softmax
gives every position the same, and what the head writes is the share of each token in the text: it
counts. Dan Wilhelm's transformer (LLM Foundations, chapter 1) counts letters in this way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.induction.circuit import Induction, induction
from clockhead.model.units import Difference, Doc

EVEN = 0.01
"""The scale to which scores are turned down."""
_STEPS = 40


@dataclass(frozen=True, kw_only=True, eq=False)
class EvenAttention(Values):
    """A head at S falling scales of layer 1, from its own to `EVEN`."""

    head: Annotated[Induction, Doc("both layers over the text")]
    betas: Annotated[Floats, Doc("the scales, evenly on a logarithmic axis; (S,)")]
    rows: Annotated[Floats, Doc("the attention of the last position at every scale; (S, T)")]
    outputs: Annotated[
        Floats, Doc("what it writes, as shares of the vocabulary's tokens, at every scale; (S, V)")
    ]
    text: Annotated[str, Doc("the words without BOS, a space between them")]
    words: Annotated[tuple[str, ...], Doc("the tokens that can be written; V of them")]
    counted: Annotated[Floats, Doc("the share of each token in the text; (V,)")]
    miscount: Annotated[
        Difference, Doc("the largest difference between those and what is written at last")
    ]


def even_attention(head: Induction) -> EvenAttention:
    """Turn the scores of `head` down; both ends of the scales are exact."""
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
