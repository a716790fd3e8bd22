"""A worked head over a text, and over the same with its first two tokens exchanged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.attention.worked_head import WorkedHead, compute_head
from clockhead.model.tokens import Vocabulary
from clockhead.model.units import Doc, Factor


@dataclass(frozen=True, kw_only=True, eq=False)
class ReorderedHead(WorkedHead):
    """A worked head, beside the same head over another order."""

    reordered: Annotated[WorkedHead, Doc("the head over the text with its first two exchanged")]
    order_difference: Annotated[
        Factor, Doc("the most by which a number of the last row changes with that order")
    ]


def reordered_head(head: WorkedHead) -> ReorderedHead:
    """Both orders. Raises ValueError for fewer than three tokens: the last one has to stay."""
    if head.n_tokens < 3:
        raise ValueError(f"tokens must be at least 3 for another order, got {head.n_tokens}")
    first, second, *rest = head.tokens
    tokens = (second, first, *rest)
    rows = head.vocabulary.encode(Vocabulary.of(tokens).tokens)
    other = compute_head(tokens, head.embedding[rows], head.w_q, head.w_k, head.w_v)
    change = np.abs(other.resid_post[head.last] - head.resid_post[head.last])
    return ReorderedHead(**vars(head), reordered=other, order_difference=float(change.max()))
