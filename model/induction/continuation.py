"""The next token by the induction rule, counted in the text without any head.

Induction continues A B ... A with B. Source: Chris Wendler's RoPE transformer, section 4, which
leaves two cases open. Here, several different followers give their distribution, and no follower
gives the distribution of all tokens so far (unigram statistics).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values, check_int
from clockhead.model.tokens import Vocabulary
from clockhead.model.units import Count, Doc, Position

Case = Literal["unique", "several", "none"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Continuation(Values):
    """The last token of a text, its earlier positions, and the tokens that followed it there."""

    tokens: Annotated[tuple[str, ...], Doc("the text; T tokens")]
    vocabulary: Annotated[Vocabulary, Doc("all tokens of the model; V of them")]
    indices: Annotated[Ints, Doc("index of every token in the vocabulary; (T,)")]
    query_token: Annotated[str, Doc("the last token, the query")]
    earlier: Annotated[Ints, Doc("earlier positions of the query token; (0 to T - 1,)")]
    n_earlier: Annotated[Count, Doc("number of earlier positions of the query token")]
    followers: Annotated[Ints, Doc("positions `offset` after those; (0 to T - 1,)")]
    n_followers: Annotated[Count, Doc("number of positions that follow an earlier query token")]
    followed_by: Annotated[
        tuple[str, ...], Doc("different tokens at these positions, in order of first appearance")
    ]
    n_followed_by: Annotated[
        Count, Doc("number of different tokens that followed the query token before")
    ]
    case: Annotated[
        Case,
        Doc("whether one token, several different ones or none followed the query token before"),
    ]
    says_more_than_copying: Annotated[
        bool, Doc("whether a token other than the query token followed it before")
    ]
    expected: Annotated[
        Floats, Doc("distribution of the followers, or of all tokens if there is none; (V,)")
    ]
    best: Annotated[
        tuple[str, ...], Doc("tokens of the largest expected probability: one, or several that tie")
    ]

    @property
    def other_follower(self) -> Position:
        """The first position after an earlier query token that holds another token.

        Raises ValueError if there is none: then induction only repeats the last token.
        """
        if not self.says_more_than_copying:
            raise ValueError(
                f"tokens must hold another token after an earlier {self.query_token!r}, "
                f"got {self.tokens}"
            )
        places = self.followers[self.indices[self.followers] != self.indices[-1]]  # (1 to T - 2,)
        return int(places[0])


def continuation(tokens: tuple[str, ...], vocabulary: Vocabulary, offset: int = 1) -> Continuation:
    """The next token by the induction rule; `offset` 2 takes the token two after each occurrence.

    Raises ValueError for no token, one outside the vocabulary, or an offset below 1.
    """
    if not tokens:
        raise ValueError("tokens must hold at least one token, got none")
    n, indices = len(tokens), vocabulary.encode(tokens)  # (T,)
    earlier = np.flatnonzero(indices[:-1] == indices[-1])
    followers = earlier + check_int("offset", offset, at_least=1)
    followers = followers[followers < n]
    followed_by = tuple(dict.fromkeys(tokens[place] for place in followers))
    counted = indices[followers if followers.size else np.arange(n)]
    expected = np.bincount(counted, minlength=len(vocabulary)) / len(counted)  # (V,)
    some: Case = "unique" if len(followed_by) == 1 else "several"
    return Continuation(
        tokens=tokens,
        vocabulary=vocabulary,
        indices=indices,
        query_token=tokens[-1],
        earlier=earlier,
        n_earlier=len(earlier),
        followers=followers,
        n_followers=len(followers),
        followed_by=followed_by,
        n_followed_by=len(followed_by),
        case=some if followed_by else "none",
        says_more_than_copying=any(token != tokens[-1] for token in followed_by),
        expected=expected,
        best=tuple(vocabulary.tokens[k] for k in np.flatnonzero(expected == expected.max())),
    )
