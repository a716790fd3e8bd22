"""What a text itself says about its next token, counted without any head.

Induction continues A B ... A with B. Source: Chris Wendler's RoPE transformer, section 4, which
leaves open what several different followers give (their shares) and none (the shares of all tokens
so far, where the text speaks of unigram statistics).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values, whole
from clockhead.model.tokens import Vocabulary
from clockhead.model.units import Count, Doc, Position

Case = Literal["unique", "several", "none"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Continuation(Values):
    """The last token of a text, where it stood before, and what followed it."""

    tokens: Annotated[tuple[str, ...], Doc("the text; T tokens")]
    vocabulary: Annotated[Vocabulary, Doc("the tokens there are; V of them")]
    indices: Annotated[Ints, Doc("the place of every token in the vocabulary; (T,)")]
    query_token: Annotated[str, Doc("the last token, whose continuation is asked for")]
    earlier: Annotated[
        Ints, Doc("the positions before the last with the same token; (0 to T - 1,)")
    ]
    n_earlier: Annotated[Count, Doc("how often the query stood before")]
    followers: Annotated[Ints, Doc("the positions `offset` after those; (0 to T - 1,)")]
    n_followers: Annotated[Count, Doc("how often a token followed the query before")]
    followed_by: Annotated[
        tuple[str, ...], Doc("the different tokens there, in order of first appearance")
    ]
    n_followed_by: Annotated[Count, Doc("how many different tokens followed the query before")]
    case: Annotated[
        Case, Doc("whether one token, several different ones or none followed the query before")
    ]
    says_more_than_copying: Annotated[
        bool, Doc("whether a token other than the query followed it before")
    ]
    expected: Annotated[
        Floats, Doc("shares of the followers, or of all tokens so far if there is none; (V,)")
    ]
    best: Annotated[
        tuple[str, ...], Doc("the tokens of the largest expected share: one, or several that tie")
    ]

    @property
    def other_follower(self) -> Position:
        """The first position after the query that holds another token.

        Raises ValueError if there is none: to continue the text is then to repeat its last token.
        """
        if not self.says_more_than_copying:
            raise ValueError(
                f"tokens must hold another token after an earlier {self.query_token!r}, "
                f"got {self.tokens}"
            )
        places = self.followers[self.indices[self.followers] != self.indices[-1]]  # (1 to T - 2,)
        return int(places[0])


def continuation(tokens: tuple[str, ...], vocabulary: Vocabulary, offset: int = 1) -> Continuation:
    """What a text itself says; an `offset` of 2 takes the token two after each occurrence.

    Raises ValueError for no token, one outside the vocabulary, or an offset below 1.
    """
    if not tokens:
        raise ValueError("tokens must hold at least one token, got none")
    n, indices = len(tokens), vocabulary.encode(tokens)  # (T,)
    earlier = np.flatnonzero(indices[:-1] == indices[-1])
    followers = earlier + whole("offset", offset, at_least=1)
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
