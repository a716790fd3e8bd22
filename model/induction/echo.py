"""A head that looks for its own token, finds it, and so says it again.

One layer compares current tokens with each other and copies what it attends to. Attention by
content alone repeats the query; what followed it takes the second layer of
`model.induction.circuit`.
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
    """The head at work on a text; the last token asks."""

    tokens: Annotated[tuple[str, ...], Doc("the text; T tokens")]
    vocabulary: Annotated[Vocabulary, Doc("the tokens there are; V of them")]
    head: Annotated[HeadPass, Doc("the head at work: cur against cur, out <- cur, causal")]
    row: Annotated[Floats, Doc("the attention of the last position, sums to 1; (T,)")]
    own_places: Annotated[Ints, Doc("the positions of the last token, its own too; (1 to T,)")]
    own_share: Annotated[
        Share, Doc("what the last position gives its own token, wherever it stands, itself too")
    ]
    output: Annotated[
        Floats, Doc("what the head writes into out at the last position, shares of tokens; (V,)")
    ]
    prediction: Annotated[str, Doc("the token with the largest share, the first of equals")]


def echo(tokens: tuple[str, ...], vocabulary: Vocabulary, beta: float = 10.0) -> Echo:
    """Run the head on `tokens`, all from `vocabulary`; the residual stream is [cur | out].

    Raises ValueError for no token, one outside the vocabulary, or a beta that is not above 0.
    """
    if not tokens:
        raise ValueError("tokens must hold at least one token, such as ('a',), got none")
    n_vocab, indices = len(vocabulary), vocabulary.encode(tokens)  # (T,)
    stream = ResidualStream.of(cur=n_vocab, out=n_vocab)
    head = match_head(stream, "cur", "cur", stream.moves("cur", "out"), beta).on(
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
