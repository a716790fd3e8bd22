"""The previous-token head: a constant key, a query rotated back one step, and softmax.

Source: Chris Wendler's RoPE transformer, section 3. Key k_n = R_n c, query q_m = alpha R_(m-1) c,
so the score is alpha f(n - m + 1), largest where n = m - 1. Any other look-back works alike. Two
things that the text leaves out: how large alpha has to be (see `model.attention.sharpness`), and
what the first rows do, which have nothing to look back to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, even, finite, real, sealed, sealed_ints, whole
from clockhead.model.attention.constant_key import constant_key, with_constant
from clockhead.model.attention.head import AttentionHead, HeadPass, Mask, look_back_head
from clockhead.model.attention.pattern import pattern_from_scores
from clockhead.model.attention.sharpness import (
    ALPHA_LIMIT,
    alpha_estimate,
    alpha_needed,
    lost_masses,
    target_masses,
)
from clockhead.model.previous_token.look_back import LookBackHead
from clockhead.model.rope.aliases import Rival, best_rival
from clockhead.model.rope.rotation import (
    BASE,
    checked_frequencies,
    kernel,
    kernel_gap,
    rope_frequencies,
    rotate,
)
from clockhead.model.units import (
    Coordinates,
    Count,
    Doc,
    Positions,
    ScorePerAlpha,
    ScoreScale,
    Tokens,
)


@dataclass(frozen=True)
class PreviousTokenHead(LookBackHead):
    """A head of `n_tokens` positions in which row m attends to m - look_back.

    `d_head` is its width, two coordinates per frequency; `alpha` scales the scores; `base` sets
    the frequencies, unless `schedule` gives all d_head/2 of them in radians per position.
    Raises ValueError for an odd d_head, alpha not above 0, n_tokens < 1, look_back < 0, base < 1,
    another number of frequencies, and anything that is not a finite number.
    """

    n_tokens: Annotated[Tokens, Doc("length of the text")]
    d_head: Annotated[Coordinates, Doc("width of queries and keys")] = 32
    alpha: Annotated[ScoreScale, Doc("scale of the scores, which makes the softmax sharp")] = 10.0
    base: Annotated[float, Doc("base of the schedule; 1 makes all frequencies equal")] = BASE
    look_back: Annotated[Positions, Doc("how many positions back the target lies")] = 1
    causal: Annotated[bool, Doc("whether keys after the query are masked")] = True
    schedule: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        whole("n_tokens", self.n_tokens, at_least=1)
        even("d_head", self.d_head)
        real("alpha", self.alpha, above=0, at_most=ALPHA_LIMIT)
        real("base", self.base, at_least=1)
        whole("look_back", self.look_back, at_least=0)
        if self.schedule is not None and checked_frequencies(self.schedule).size != self.n_pairs:
            raise ValueError(
                f"schedule must hold {self.n_pairs} frequencies, two coordinates each, "
                f"got {len(self.schedule)}"
            )

    @property
    def n_pairs(self) -> Count:
        """How many pairs of coordinates, clock hands, a key has: one for every frequency."""
        return self.d_head // 2

    @cached_property
    def frequencies(self) -> Floats:
        """Rotation of every pair from one position to the next, in radians; shape (d_head/2,)."""
        if self.schedule is None:
            return sealed(rope_frequencies(self.d_head, self.base))
        return sealed(checked_frequencies(self.schedule).copy())

    @cached_property
    def positions(self) -> Ints:
        """0 .. T - 1; shape (T,)."""
        return sealed_ints(np.arange(self.n_tokens))

    # Keys and queries

    @cached_property
    def key(self) -> Floats:
        """c = (1, 0, 1, 0, ...), the key of every token before its rotation; shape (d_head,)."""
        return sealed(constant_key(self.d_head))

    @cached_property
    def query(self) -> Floats:
        """alpha R_(-look_back) c, the query of every token before its rotation; (d_head,)."""
        return sealed(self.alpha * rotate(self.key, -self.look_back, self.frequencies))

    def attention_head(self, d_model: int, w_ov: ArrayLike | None = None) -> AttentionHead:
        """The weights for a residual stream of d_model coordinates, the last of them 1.

        W_q and W_k have rank 1; `model.attention.constant_key` says why the 1 is needed. `w_ov` is
        the identity if None.
        """
        mask: Mask = "before softmax" if self.causal else "none"
        return look_back_head(
            d_model, self.frequencies, self.alpha, self.look_back, w_ov=w_ov, mask=mask
        )

    @cached_property
    def head_pass(self) -> HeadPass:
        """The head at work on vectors that hold the constant 1 and nothing else."""
        return self.attention_head(1).on(np.ones((self.n_tokens, 1)))

    @property
    def keys(self) -> Floats:
        """k_n = R_n c; shape (T, d_head)."""
        return self.head_pass.keys

    @property
    def queries(self) -> Floats:
        """q_m = R_m alpha R_(-look_back) c; shape (T, d_head)."""
        return self.head_pass.queries

    # Scores, three ways

    @cached_property
    def offsets(self) -> Ints:
        """D = n - m + look_back, 0 on the target; shape (T, T)."""
        return sealed_ints(self.positions - self.positions[:, None] + self.look_back)

    @cached_property
    def scores(self) -> Floats:
        """Closed form: alpha f(n - m + look_back), constant along diagonals; shape (T, T)."""
        apart = np.arange(1 - self.n_tokens, self.n_tokens)  # (2T - 1,), every n - m
        by_offset = self.alpha * kernel(apart + self.look_back, self.frequencies)  # (2T - 1,)
        return sealed(by_offset[self.offsets - self.look_back + self.n_tokens - 1])

    @property
    def scores_from_vectors(self) -> Floats:
        """Dot products of the rotated queries and keys; shape (T, T)."""
        return self.head_pass.scores

    def scores_from_matrices(self, residual: ArrayLike) -> Floats:
        """(R_m W_q x_m)^T (R_n W_k x_n) with every matrix written out; shape (T, T).

        `residual` (T, d_model) holds any token vectors: the constant 1 is added here, and the
        scores do not depend on the rest. Raises ValueError for another number of rows.
        """
        rows = finite("residual", residual, n_axes=2)  # (T, d_model)
        if len(rows) != self.n_tokens:
            raise ValueError(f"residual must have {self.n_tokens} rows, got shape {rows.shape}")
        resid_pre = with_constant(rows)  # (T, d_model + 1)
        return self.attention_head(resid_pre.shape[1]).on(resid_pre).scores_from_matrices

    # Pattern and output

    @cached_property
    def pattern(self) -> Floats:
        """Softmax of the scores, masked if causal: row m takes pattern[m, n] of n; (T, T)."""
        return sealed(pattern_from_scores(self.scores, self.causal))

    def patterns_over(self, alphas: Sequence[float] | Floats) -> Floats:
        """`pattern` of this head at other alphas: (A,) to (A, T, T)."""
        scales = finite("alphas", alphas, n_axes=1)  # (A,)
        at_alpha_1 = self.scores / self.alpha  # (T, T)
        return pattern_from_scores(scales[:, None, None] * at_alpha_1, self.causal)

    def patterns_looking_back(self, steps: Sequence[float] | Floats) -> Floats:
        """`pattern` with the query rotated back by other numbers of steps: (S,) to (S, T, T).

        Steps may be fractional: at 1.5 the two positions next to it get equally much.
        """
        backs = finite("steps", steps, n_axes=1)  # (S,)
        offsets = self.positions - self.positions[:, None] + backs[:, None, None]  # (S, T, T)
        return pattern_from_scores(self.alpha * kernel(offsets, self.frequencies), self.causal)

    # Sharpness

    @cached_property
    def lost(self) -> Floats:
        """Attention on all other positions, for every row of `target_rows`; shape (R,).

        From the gaps f(0) - f(D) of the rivals, without a difference of scores.
        """
        if not self.target_rows.size:
            return sealed(np.zeros(0))
        lost = lost_masses(
            self.frequencies, [self.alpha], self.n_tokens, self.look_back, self.causal
        )
        return sealed(lost[0])

    @property
    def gap(self) -> ScorePerAlpha:
        """Lead of the target over its neighbours, f(0) - f(1)."""
        return float(kernel_gap(1, self.frequencies))

    @cached_property
    def alpha_99(self) -> ScoreScale:
        """The smallest alpha at which every row has 99 % on its target, inf if none does."""
        return alpha_needed(self.frequencies, self.n_tokens, self.look_back, self.causal)

    @property
    def alpha_99_estimate(self) -> ScoreScale:
        """The alpha that 99 % takes if the two neighbours are the only rivals, ln 198 / gap."""
        return alpha_estimate(self.frequencies)

    def masses_over(self, alphas: Sequence[float] | Floats) -> Floats:
        """`masses` of this head at other alphas: (A,) to (A, len(target_rows))."""
        return target_masses(self.frequencies, alphas, self.n_tokens, self.look_back, self.causal)

    @property
    def rival(self) -> Rival:
        """The strongest rival of the target at any distance in the text; ValueError for T = 1."""
        return best_rival(self.frequencies, self.n_tokens - 1)
