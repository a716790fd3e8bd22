"""Attention from sharp to even: an induction head whose scores are turned down.

Source: Chris Wendler's RoPE transformer, section 4, for the head. With scores of zero the softmax
gives every position the same, and what the head writes is the share of each token in the text: it
counts. Dan Wilhelm's transformer (LLM Foundations, chapter 1) counts letters in this way.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, sealed
from clockhead.model.induction.circuit import Induction
from clockhead.model.units import Difference, Doc

EVEN = 0.01
"""The scale to which scores are turned down."""
_STEPS = 40


@dataclass(frozen=True, eq=False)
class EvenAttention:
    """The `head` at falling scales of layer 1, from its own to `EVEN`."""

    head: Annotated[Induction, Doc("both layers over the text")]

    @cached_property
    def betas(self) -> Floats:
        """The scales, evenly on a logarithmic axis, both ends exactly; shape (S,)."""
        scales = np.geomspace(self.head.beta, EVEN, _STEPS + 1)
        scales[[0, -1]] = self.head.beta, EVEN
        return sealed(scales)

    @cached_property
    def rows(self) -> Floats:
        """The attention of the last position at every scale; shape (S, T)."""
        return sealed(np.array([head.row for head in self._heads]))

    @cached_property
    def outputs(self) -> Floats:
        """What it writes, as shares of the vocabulary's tokens, at every scale; shape (S, V)."""
        return sealed(np.array([head.output for head in self._heads]))

    @property
    def text(self) -> str:
        """The words without BOS, a space between them."""
        return " ".join(self.head.tokens[1:])

    @property
    def words(self) -> tuple[str, ...]:
        """The tokens that can be written, V of them."""
        return self.head.vocabulary.tokens

    @cached_property
    def counted(self) -> Floats:
        """The share of each token in the text; shape (V,)."""
        counts = np.bincount(self.head.text.indices, minlength=len(self.words))  # (V,)
        return sealed(counts / self.head.n_tokens)

    @property
    def miscount(self) -> Difference:
        """The largest difference between those and what is written at the lowest scale."""
        return float(np.abs(self.outputs[-1] - self.counted).max())

    @cached_property
    def _heads(self) -> tuple[Induction, ...]:
        return tuple(replace(self.head, beta=float(beta)) for beta in self.betas)
