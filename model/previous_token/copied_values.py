"""What a previous-token head hands on when the value of a token is its one-hot vector.

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
    """The tokens of a text, each with what `head` brings it of the others."""

    head: PreviousTokenHead
    tokens: Annotated[tuple[str, ...], Doc("the text; T tokens")]
    vocabulary: Vocabulary
    indices: Annotated[Ints, Doc("the place of every token in the vocabulary; (T,)")]
    received: Annotated[Floats, Doc("how much of every token each position gets; (T, V)")]
    sources: Annotated[Ints, Doc("the position whose token is wanted, the target or its own; (T,)")]
    wanted: Annotated[tuple[str, ...], Doc("the token that each position is to get; T of them")]
    shares: Annotated[Floats, Doc("how much of what each gets is the wanted token; (T,)")]
    worst_share: Annotated[Share, Doc("the smallest of these in a row with a target")]


def copied_values(head: PreviousTokenHead, tokens: tuple[str, ...]) -> CopiedValues:
    """What `head` brings to a text. Raises ValueError unless there is a token a position."""
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
