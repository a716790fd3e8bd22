"""What if the key did depend on the token: some rows of the previous-token head miss their target.

Source: Chris Wendler's RoPE transformer, section 3 ("What if W_k depended on the token?").
The key becomes R_n (c + strength e_n), with e_n the vector of the token at n. Its score is that of
the constant key plus a content term, which depends on the token and not on the offset alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from model.arrays import Floats, finite, real, sealed
from model.attention import pattern_from_scores
from model.constant_key import query_weights, with_constant
from model.embedding import demo_embedding
from model.head import HeadPass
from model.look_back import LookBackHead
from model.previous_token import PreviousTokenHead
from model.units import Doc, Positions, Share


@dataclass(frozen=True)
class TokenDependentKeyHead(LookBackHead):
    """`constant` with strength times the demo embedding of each token added to its key.

    `indices` names the token at every position, `strength` how much of it leaks into the key
    (0 gives the constant key back). With `in_query`, W_q = alpha R_(-look_back) W_k is taken at
    its word and the query carries its token too.
    Raises ValueError for another number of tokens, a negative index or a strength below 0.
    """

    constant: PreviousTokenHead
    indices: tuple[int, ...]
    strength: Annotated[float, Doc("how much of the token's vector leaks into its key")] = 1.0
    in_query: Annotated[bool, Doc("whether the query carries its token too")] = False

    def __post_init__(self) -> None:
        if len(self.indices) != self.constant.n_tokens:
            raise ValueError(
                f"indices must name {self.constant.n_tokens} tokens, got {len(self.indices)}"
            )
        real("strength", self.strength, at_least=0, at_most=1e6)
        demo_embedding(self.indices, self.constant.d_head)

    @property
    def look_back(self) -> Positions:
        """How many positions before its row the target lies, as in the constant head."""
        return self.constant.look_back

    @property
    def causal(self) -> bool:
        """Whether keys after the query are masked, as in the constant head."""
        return self.constant.causal

    @property
    def largest_loss(self) -> Share:
        """The most mass that a row lost to the tokens. ValueError if no row has a target."""
        self._require_target()
        return float(self.losses.max())

    @cached_property
    def content(self) -> Floats:
        """What the token adds to the key before its rotation; shape (T, d_head)."""
        return sealed(self.strength * demo_embedding(self.indices, self.constant.d_head))

    @cached_property
    def head_pass(self) -> HeadPass:
        """The head at work on the demo embedding of every token with a constant 1 after it.

        W_k = [strength I | c]; W_q reads the constant alone, or is alpha R_(-look_back) W_k.
        """
        head = self.constant
        plain = head.attention_head(head.d_head + 1)
        leak = np.pad(self.strength * np.eye(head.d_head), ((0, 0), (0, 1)))
        w_k = plain.w_k + leak  # (d_head, d_head + 1)
        w_q = plain.w_q  # (d_head, d_head + 1)
        if self.in_query:
            w_q = query_weights(w_k, head.alpha, head.frequencies, head.look_back)
        tokens = demo_embedding(self.indices, head.d_head)  # (T, d_head)
        return replace(plain, w_q=w_q, w_k=w_k).on(with_constant(tokens))

    @property
    def keys(self) -> Floats:
        """k_n = R_n (c + content_n); shape (T, d_head)."""
        return self.head_pass.keys

    @property
    def queries(self) -> Floats:
        """q_m, those of the constant head unless `in_query`; shape (T, d_head)."""
        return self.head_pass.queries

    @property
    def scores(self) -> Floats:
        """Dot products of queries and keys, no longer constant along diagonals; shape (T, T)."""
        return self.head_pass.scores

    @cached_property
    def content_scores(self) -> Floats:
        """What the tokens add to the scores of the constant head; shape (T, T)."""
        return sealed(self.scores - self.constant.scores)

    @property
    def pattern(self) -> Floats:
        """Softmax of the scores, masked like the constant head; shape (T, T)."""
        return self.head_pass.pattern

    @cached_property
    def losses(self) -> Floats:
        """Mass that each row with a target lost to the tokens (negative: gained); as `masses`."""
        return sealed(self.constant.masses - self.masses)


def patterns_by_strength(
    head: PreviousTokenHead, indices: tuple[int, ...], strengths: ArrayLike
) -> Floats:
    """The pattern as more of the token leaks into the key: strengths (S,) to (S, T, T).

    The content term is linear in the strength, so one head gives the scores of all of them.
    """
    steps = finite("strengths", strengths, n_axes=1)  # (S,)
    leak = TokenDependentKeyHead(head, indices).content_scores  # (T, T), at strength 1
    return pattern_from_scores(head.scores + steps[:, None, None] * leak, head.causal)


def masses_by_strength(
    head: PreviousTokenHead, indices: tuple[int, ...], strengths: ArrayLike
) -> Floats:
    """Mass on the target, row by row of `head.target_rows`: (S,) to (S, T - look_back)."""
    rows = head.target_rows  # (T - look_back,)
    return patterns_by_strength(head, indices, strengths)[:, rows, rows - head.look_back]
