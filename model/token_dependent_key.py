"""What if the key did depend on the token: the band of the previous-token head tears.

Source: Chris Wendler's RoPE transformer, section 3 ("What if W_k depended on the token?").
The key becomes R_n (c + strength e_n), with e_n the vector of the token at n. Its score is that of
the constant key plus a content term, which depends on the token and not on the offset alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from model.arrays import Floats, Ints, real, sealed, sealed_ints
from model.attention import attend, pattern_from_scores
from model.embedding import demo_embedding
from model.previous_token import PreviousTokenHead
from model.rope import rotate


@dataclass(frozen=True)
class TokenDependentKeyHead:
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
    def looks_at(self) -> Ints:
        """The position that gets most of each row; shape (T,)."""
        return sealed_ints(self.pattern.argmax(axis=1))

    def output(self, values: ArrayLike) -> Floats:
        """What each position receives of the values (T, d); shape (T, d)."""
        return attend(self.pattern, values)

    @cached_property
    def masses(self) -> Floats:
        """Attention on the target for every row of `constant.target_rows`; the same shape."""
        rows = self.constant.target_rows  # (T - look_back,)
        return sealed(self.pattern[rows, rows - self.constant.look_back])

    @cached_property
    def losses(self) -> Floats:
        """Mass that each row with a target lost to the tokens (negative: gained); as `masses`."""
        return sealed(self.constant.masses - self.masses)

    @cached_property
    def torn_rows(self) -> Ints:
        """The rows that have a target and now look elsewhere; shape (0 to T - look_back,)."""
        rows = self.constant.target_rows  # (T - look_back,)
        return sealed_ints(rows[self.looks_at[rows] != rows - self.constant.look_back])

    @property
    def worst_mass(self) -> float:
        """The smallest mass on a target; ValueError if no row has a target."""
        self._require_target()
        return float(np.min(self.masses))

    @property
    def worst_row(self) -> int:
        """The row of the smallest mass (the first of equals); ValueError without a target."""
        self._require_target()
        return int(self.constant.target_rows[np.argmin(self.masses)])

    @property
    def mean_mass(self) -> float:
        """The mean mass on a target; ValueError if no row has a target."""
        self._require_target()
        return float(self.masses.mean())

    def _require_target(self) -> None:
        if not self.masses.size:
            raise ValueError(
                f"n_tokens must be above look_back so that some row has a target, got "
                f"{self.constant.n_tokens} tokens and look_back {self.constant.look_back}"
            )


def worst_mass_by_strength(
    head: PreviousTokenHead, indices: tuple[int, ...], strengths: ArrayLike
) -> Floats:
    """Worst mass of the band as more of the token leaks into the key: (S,) to (S,).

    The content term is linear in the strength, so one head gives the scores of all of them.
    """
    steps = np.asarray(strengths, dtype=np.float64)  # (S,)
    leak = TokenDependentKeyHead(head, indices).content_scores  # (T, T), at strength 1
    patterns = pattern_from_scores(head.scores + steps[:, None, None] * leak, head.causal)
    rows = head.target_rows  # (T - look_back,)
    return np.asarray(patterns[:, rows, rows - head.look_back].min(axis=1))  # (S,)
