"""A head that looks for its own token, finds it, and so says it again.

One layer compares current tokens with each other and copies what it attends to. Attention by
content alone repeats the query; what followed it takes the second layer of
`model.induction.circuit`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, sealed, sealed_ints
from clockhead.model.attention.head import HeadPass, ResidualStream
from clockhead.model.induction.weights import match_head
from clockhead.model.tokens import Vocabulary, one_hot
from clockhead.model.units import Doc, ScoreScale, Share


@dataclass(frozen=True)
class Echo:
    """The head on `tokens`, all from `vocabulary`; the last token asks.

    The residual stream is [cur | out], cur one-hot. Raises ValueError for no token, one outside
    the vocabulary, or a beta that is not above 0.
    """

    tokens: Annotated[tuple[str, ...], Doc("the text; T tokens")]
    vocabulary: Annotated[Vocabulary, Doc("the tokens there are; V of them")]
    beta: Annotated[ScoreScale, Doc("scale of the scores")] = 10.0

    def __post_init__(self) -> None:
        if not self.tokens:
            raise ValueError("tokens must hold at least one token, such as ('a',), got none")
        _ = self.head

    @cached_property
    def indices(self) -> Ints:
        """The place of every token in the vocabulary; shape (T,)."""
        return sealed_ints(self.vocabulary.encode(self.tokens))

    @cached_property
    def stream(self) -> ResidualStream:
        """The subspaces cur and out, V coordinates each."""
        return ResidualStream.of(cur=len(self.vocabulary), out=len(self.vocabulary))

    @cached_property
    def head(self) -> HeadPass:
        """The head at work: cur against cur, out <- cur, causal."""
        stream, n_vocab = self.stream, len(self.vocabulary)
        head = match_head(stream, "cur", "cur", stream.moves("cur", "out"), self.beta)
        return head.on(np.pad(one_hot(self.indices, n_vocab), ((0, 0), (0, n_vocab))))

    @property
    def row(self) -> Floats:
        """The attention of the last position, which sums to 1; shape (T,)."""
        return np.asarray(self.head.pattern[-1])

    @cached_property
    def own_places(self) -> Ints:
        """The positions of the last token, its own too; shape (1 to T,)."""
        return sealed_ints(np.flatnonzero(self.indices == self.indices[-1]))

    @property
    def own_share(self) -> Share:
        """What the last position gives its own token, wherever that stands, itself too."""
        return float(self.row[self.own_places].sum())

    @cached_property
    def output(self) -> Floats:
        """What the head writes into out at the last position, shares of tokens; shape (V,)."""
        return sealed(self.head.resid_post[-1, self.stream.subspace("out")].copy())

    @property
    def prediction(self) -> str:
        """The token with the largest share, the first of equals."""
        return self.vocabulary.tokens[int(self.output.argmax())]

    @property
    def says_itself(self) -> bool:
        """Whether that is the last token again."""
        return self.prediction == self.tokens[-1]
