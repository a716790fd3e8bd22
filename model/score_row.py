"""One row of a previous-token head's scores, taken apart into clock hands.

Source: Chris Wendler's RoPE transformer, section 3. Between the query at m and the key at n, hand i
is D theta_i apart, with D = n - m + look_back; its height is the cosine, and the heights add up to
f(D), the score at alpha 1. Only at D = 0, the target, do all hands stand at twelve.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from model.arrays import Bools, Floats, Ints, sealed, sealed_ints, whole
from model.previous_token import PreviousTokenHead
from model.rope import hand_cosines, turns

STEADY = 0.99  # a hand that never falls below this height hardly tells positions apart


@dataclass(frozen=True)
class ScoreRow:
    """Row `m` of `head`: the query at m against the key at every n, in a text of `tokens`.

    Raises ValueError unless m is a position of the text with a target, look_back <= m < n_tokens,
    and there are as many tokens as the head has positions.
    """

    head: PreviousTokenHead
    m: int
    tokens: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.tokens) != self.head.n_tokens:
            raise ValueError(
                f"tokens must be {self.head.n_tokens}, one for each position, "
                f"got {len(self.tokens)}"
            )
        first, last = self.head.look_back, self.head.n_tokens - 1
        if last < first:
            raise ValueError(f"the text must have more than {first} tokens, got {last + 1}")
        if not first <= whole("m", self.m, at_least=0) <= last:
            raise ValueError(
                f"m must be a position with a token {first} before it, {first} to {last} in this "
                f"text, got {self.m}"
            )

    @property
    def target(self) -> int:
        """The position that the query looks for, m - look_back."""
        return self.m - self.head.look_back

    @property
    def asker(self) -> str:
        """The token at m."""
        return self.tokens[self.m]

    @property
    def answer(self) -> str:
        """The token at the target."""
        return self.tokens[self.target]

    @cached_property
    def offsets(self) -> Ints:
        """D = n - m + look_back for every n, 0 at the target; shape (T,)."""
        return sealed_ints(self.head.offsets[self.m])

    @cached_property
    def key_turns(self) -> Floats:
        """How far the hands of key n have turned, in radians, not reduced; (T, d_head/2)."""
        return sealed(turns(self.head.positions, self.head.theta))

    @cached_property
    def query_turns(self) -> Floats:
        """How far the hands of query m have turned, for every m; the same shape."""
        return sealed(turns(self.head.positions - self.head.look_back, self.head.theta))

    @cached_property
    def angles(self) -> Floats:
        """Key hand minus query hand in radians, D theta_i, not reduced; shape (T, d_head/2)."""
        return sealed(turns(self.offsets, self.head.theta))

    @cached_property
    def heights(self) -> Floats:
        """cos(D theta_i); shape (T, d_head/2)."""
        return sealed(hand_cosines(self.offsets, self.head.theta))

    @cached_property
    def sums(self) -> Floats:
        """f(D), the heights of all hands added up; shape (T,)."""
        return sealed(self.heights.sum(axis=1))

    @cached_property
    def steady(self) -> Bools:
        """Whether a hand stays above `STEADY` for every n of the text; shape (d_head/2,)."""
        return np.asarray(self.heights.min(axis=0) > STEADY)

    @property
    def runner_up(self) -> float:
        """The largest sum besides the target's; a text that has a row has at least two keys."""
        return float(np.delete(self.sums, self.target).max())

    @property
    def mismatch(self) -> float:
        """The largest difference between a coordinate of query m / alpha and of the target key."""
        query, key = self.head.queries[self.m], self.head.keys[self.target]
        return float(np.abs(query / self.head.alpha - key).max())
