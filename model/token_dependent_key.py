"""What if the key did depend on the token: the band of the previous-token head tears.

Source: Chris Wendler's RoPE transformer, section 3 ("What if W_k depended on the token?").
The key becomes R_n (c + strength e_n), with e_n the vector of the token at n. Its score is that of
the constant key plus a content term, which depends on the token and not on the offset alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from numpy.typing import ArrayLike

from model.arrays import Floats, finite, real, sealed
from model.attention import pattern_from_scores
from model.band import Band
from model.embedding import demo_embedding
from model.previous_token import PreviousTokenHead
from model.rope import rotate


@dataclass(frozen=True)
class TokenDependentKeyHead(Band):
    """`constant` with strength times the demo embedding of each token added to its key.

    `indices` names the token at every position, `strength` how much of it leaks into the key
    (0 gives the constant key back). With `in_query`, W_q = alpha R_(-look_back) W_k is taken at
    its word and the query carries its token too.
    Raises ValueError for another number of tokens, a negative index or a strength below 0.
    """

    constant: PreviousTokenHead
    indices: tuple[int, ...]
    strength: float = 1.0
    in_query: bool = False

    def __post_init__(self) -> None:
        if len(self.indices) != self.constant.n_tokens:
            raise ValueError(
                f"indices must name {self.constant.n_tokens} tokens, got {len(self.indices)}"
            )
        real("strength", self.strength, at_least=0, at_most=1e6)
        demo_embedding(self.indices, self.constant.d_head)

    @property
    def look_back(self) -> int:
        """That of the constant head."""
        return self.constant.look_back

    @cached_property
    def content(self) -> Floats:
        """What the token adds to the key before it is turned; shape (T, d_head)."""
        return sealed(self.strength * demo_embedding(self.indices, self.constant.d_head))

    @cached_property
    def keys(self) -> Floats:
        """k_n = R_n (c + content_n); shape (T, d_head)."""
        head = self.constant
        return sealed(rotate(head.key + self.content, head.positions, head.theta))

    @cached_property
    def queries(self) -> Floats:
        """q_m, those of the constant head unless `in_query`; shape (T, d_head)."""
        head = self.constant
        if not self.in_query:
            return head.queries
        before_rope = rotate(head.key + self.content, -head.look_back, head.theta)  # (T, d_head)
        return sealed(head.alpha * rotate(before_rope, head.positions, head.theta))

    @cached_property
    def scores(self) -> Floats:
        """Dot products of queries and keys, no longer constant along diagonals; shape (T, T)."""
        return sealed(self.queries @ self.keys.T)

    @cached_property
    def content_scores(self) -> Floats:
        """What the tokens add to the scores of the constant head; shape (T, T)."""
        return sealed(self.scores - self.constant.scores)

    @cached_property
    def pattern(self) -> Floats:
        """Softmax of the scores, masked like the constant head; shape (T, T)."""
        return sealed(pattern_from_scores(self.scores, self.constant.causal))

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
