"""A duplicate-token head, which attends to the query's own token and so predicts it again.

A single layer compares current tokens and copies the ones it attends to. With attention by content
alone, it can only repeat the query token. To predict what followed that token takes two layers, as
in `model.induction.circuit`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.attention.head import HeadPass, ResidualStream
from clockhead.model.induction.weights import match_head
from clockhead.model.tokens import Vocabulary, one_hot
from clockhead.model.units import Doc, Share


@dataclass(frozen=True, kw_only=True, eq=False)
class Echo(Values):
    """One pass of the head on a text; the last token makes the query."""

    tokens: Annotated[tuple[str, ...], Doc("the text; T tokens")]
    vocabulary: Annotated[Vocabulary, Doc("all tokens of the model; V of them")]
    head: Annotated[
        HeadPass, Doc("one pass of the head: query and key read cur, values go to out, causal")
    ]
    row: Annotated[Floats, Doc("attention weights of the last row; (T,)")]
    own_places: Annotated[
        Ints, Doc("all positions of the last token, including the last; (1 to T,)")
    ]
    own_share: Annotated[
        Share, Doc("attention weight of the last row on all positions of its own token")
    ]
    output: Annotated[
        Floats,
        Doc("output in the subspace out at the last position, a distribution of tokens; (V,)"),
    ]
    prediction: Annotated[str, Doc("token with the largest output, the first if several tie")]


def echo(tokens: tuple[str, ...], vocabulary: Vocabulary, beta: float = 10.0) -> Echo:
    """Run the head on `tokens`, all from `vocabulary`; the residual stream is [cur | out].

    Raises ValueError for no token, one outside the vocabulary, or a beta that is not above 0.
    """
    if not tokens:
        raise ValueError("tokens must hold at least one token, such as ('a',), got none")
    n_vocab, indices = len(vocabulary), vocabulary.encode(tokens)  # (T,)
    stream = ResidualStream.of(cur=n_vocab, out=n_vocab)
    head = match_head(stream, "cur", "cur", stream.copy_matrix("cur", "out"), beta).run(
        np.pad(one_hot(indices, n_vocab), ((0, 0), (0, n_vocab)))
    )
    own_places = np.flatnonzero(indices == indices[-1])
    output = head.resid_post[-1, stream.subspace("out")]  # (V,)
    return Echo(
        tokens=tokens,
        vocabulary=vocabulary,
        head=head,
        row=head.pattern[-1],
        own_places=own_places,
        own_share=float(head.pattern[-1, own_places].sum()),
        output=output,
        prediction=vocabulary.tokens[int(output.argmax())],
    )
