"""Outputs of a previous-token head whose values are one-hot vectors of the tokens.

Source: Chris Wendler's RoPE transformer, section 3: every position receives the token before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.previous_token.head import PreviousTokenHead
from clockhead.model.tokens import Vocabulary, one_hot
from clockhead.model.units import Doc, Share


@dataclass(frozen=True, kw_only=True, eq=False)
class CopiedValues(Values):
    """The output of `head` at every token of a text, as a distribution over the vocabulary."""

    head: PreviousTokenHead
    tokens: Annotated[tuple[str, ...], Doc("the text; T tokens")]
    vocabulary: Vocabulary
    indices: Annotated[Ints, Doc("index of every token in the vocabulary; (T,)")]
    received: Annotated[
        Floats, Doc("output of each position: its attention weight on every token; (T, V)")
    ]
    sources: Annotated[
        Ints,
        Doc("position whose token should be copied: the target, or itself if there is none; (T,)"),
    ]
    wanted: Annotated[tuple[str, ...], Doc("token that each position should copy; T of them")]
    shares: Annotated[
        Floats, Doc("attention weight of each position on the token it should copy; (T,)")
    ]
    worst_share: Annotated[
        Share, Doc("smallest attention weight on the token to copy, in a row with a target")
    ]


def copied_values(head: PreviousTokenHead, tokens: tuple[str, ...]) -> CopiedValues:
    """The outputs of `head` on a text. Raises ValueError unless each position has a token."""
    if len(tokens) != head.n_tokens:
        raise ValueError(
            f"tokens must be {head.n_tokens}, one for each position, got {len(tokens)}"
        )
    vocabulary = Vocabulary.of(tokens)
    indices = vocabulary.encode(tokens)  # (T,)
    received = head.pattern @ one_hot(indices, len(vocabulary))  # (T, V)
    back = head.positions - head.offset  # (T,)
    sources = np.where(back < 0, head.positions, back)  # (T,)
    shares = received[head.positions, indices[sources]]  # (T,)
    return CopiedValues(
        head=head,
        tokens=tokens,
        vocabulary=vocabulary,
        indices=indices,
        received=received,
        sources=sources,
        wanted=tuple(tokens[n] for n in sources.tolist()),
        shares=shares,
        worst_share=float(shares[head.target_rows].min()),
    )
