"""The previous-token head: a constant key, a query turned back one step, and softmax.

Source: Chris Wendler's RoPE transformer, section 3.
Key k_n = R_n c, query q_m = alpha R_(m-1) c, so the score is alpha f(n - m + 1), largest where
n = m - 1. Any other look-back works alike. Two things that the text leaves out: how large alpha
has to be (see `model.sharpness`), and what the first rows do, which have nothing to look back to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from model.aliases import Rival, best_rival
from model.arrays import Floats, Ints, even, finite, real, sealed, sealed_ints, whole
from model.attention import pattern_from_scores
from model.band import Band
from model.constant_key import constant_key, key_weights, query_weights, with_constant
from model.rope import BASE, frequencies, kernel, kernel_gap, rotate, rotation_matrix, speeds
from model.sharpness import ALPHA_LIMIT, alpha_estimate, alpha_needed, target_masses


@dataclass(frozen=True)
class PreviousTokenHead(Band):
    """A head of `n_tokens` positions in which row m attends to m - look_back.

    `d_head` is its width, two coordinates per clock hand; `alpha` scales the scores; `base` sets
    the schedule, unless `thetas` gives the d_head/2 speeds in radians per position outright.
    Raises ValueError for an odd d_head, alpha not above 0, n_tokens < 1, look_back < 0, base < 1,
    another number of thetas, and anything that is not a finite number.
    """

    n_tokens: int
    d_head: int = 32
    alpha: float = 10.0
    base: float = BASE
    look_back: int = 1
    causal: bool = True
    thetas: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        whole("n_tokens", self.n_tokens, at_least=1)
        even("d_head", self.d_head)
        real("alpha", self.alpha, above=0, at_most=ALPHA_LIMIT)
        real("base", self.base, at_least=1)
        whole("look_back", self.look_back, at_least=0)
        if self.thetas is not None and speeds(self.thetas).size != self.d_head // 2:
            raise ValueError(
                f"thetas must hold {self.d_head // 2} speeds, one per clock hand, "
                f"got {len(self.thetas)}"
            )

    @cached_property
    def theta(self) -> Floats:
        """Speed of every clock hand in radians per position; shape (d_head/2,)."""
        if self.thetas is None:
            return sealed(frequencies(self.d_head, self.base))
        return sealed(np.array(self.thetas))

    @cached_property
    def positions(self) -> Ints:
        """0 .. T - 1; shape (T,)."""
        return sealed_ints(np.arange(self.n_tokens))

    # Keys and queries

    @cached_property
    def key(self) -> Floats:
        """c = (1, 0, 1, 0, ...), the key of every token before it is turned; shape (d_head,)."""
        return sealed(constant_key(self.d_head))

    @cached_property
    def query(self) -> Floats:
        """alpha R_(-look_back) c, the query of every token before it is turned; (d_head,)."""
        return sealed(self.alpha * rotate(self.key, -self.look_back, self.theta))

    @cached_property
    def keys(self) -> Floats:
        """k_n = R_n c; shape (T, d_head)."""
        return sealed(rotate(self.key, self.positions, self.theta))

    @cached_property
    def queries(self) -> Floats:
        """q_m = R_m alpha R_(-look_back) c; shape (T, d_head)."""
        return sealed(rotate(self.query, self.positions, self.theta))

    def weights(self, d_model: int) -> tuple[Floats, Floats]:
        """W_k and W_q for residuals of d_model coordinates and a constant 1 after them.

        Both (d_head, d_model + 1), of rank 1; see `model.constant_key` for why the 1 is needed.
        """
        w_k = key_weights(self.d_head, d_model)  # (d_head, d_model + 1)
        return w_k, query_weights(w_k, self.alpha, self.theta, self.look_back)

    # Scores, three ways

    @cached_property
    def offsets(self) -> Ints:
        """D = n - m + look_back, 0 on the target; shape (T, T)."""
        return sealed_ints(self.positions - self.positions[:, None] + self.look_back)

    @cached_property
    def scores(self) -> Floats:
        """Closed form: alpha f(n - m + look_back), constant along diagonals; shape (T, T)."""
        reach = np.arange(1 - self.n_tokens, self.n_tokens)  # (2T - 1,), every n - m
        by_offset = self.alpha * kernel(reach + self.look_back, self.theta)  # (2T - 1,)
        return sealed(by_offset[self.offsets - self.look_back + self.n_tokens - 1])

    @cached_property
    def scores_from_vectors(self) -> Floats:
        """Dot products of the turned queries and keys; shape (T, T)."""
        return sealed(self.queries @ self.keys.T)

    def scores_from_matrices(self, residual: ArrayLike) -> Floats:
        """(R_m W_q x_m)^T (R_n W_k x_n) with every matrix written out; shape (T, T).

        `residual` (T, d_model) holds any token vectors: the constant 1 is added here, and the
        scores do not depend on the rest. Raises ValueError for another number of rows.
        """
        rows = finite("residual", residual, n_axes=2)  # (T, d_model)
        if len(rows) != self.n_tokens:
            raise ValueError(f"residual must have {self.n_tokens} rows, got shape {rows.shape}")
        w_k, w_q = self.weights(rows.shape[1])  # (d_head, d_model + 1) each
        turn = rotation_matrix(self.positions, self.theta)  # (T, d_head, d_head)
        x = with_constant(rows)[..., None]  # (T, d_model + 1, 1)
        keys = (turn @ w_k @ x)[..., 0]  # (T, d_head)
        queries = (turn @ w_q @ x)[..., 0]  # (T, d_head)
        return np.asarray(queries @ keys.T)

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
        """`pattern` with the query turned back by other numbers of steps: (S,) to (S, T, T).

        Halves count: at 1.5 the hands stand between two positions, and both get as much.
        """
        backs = finite("steps", steps, n_axes=1)  # (S,)
        offsets = self.positions - self.positions[:, None] + backs[:, None, None]  # (S, T, T)
        return pattern_from_scores(self.alpha * kernel(offsets, self.theta), self.causal)

    # Sharpness

    @property
    def gap(self) -> float:
        """f(0) - f(1): the lead of the target over its neighbours, in score at alpha 1."""
        return float(kernel_gap(1, self.theta))

    @property
    def alpha_99(self) -> float:
        """The smallest alpha at which every row has 99 % on its target; inf if none does."""
        return alpha_needed(self.theta, self.n_tokens, self.look_back, self.causal)

    @property
    def alpha_99_estimate(self) -> float:
        """ln 198 / gap, right where the two neighbours are the only rivals."""
        return alpha_estimate(self.theta)

    def masses_over(self, alphas: Sequence[float] | Floats) -> Floats:
        """`masses` of this head at other alphas: (A,) to (A, len(target_rows))."""
        return target_masses(self.theta, alphas, self.n_tokens, self.look_back, self.causal)

    @property
    def rival(self) -> Rival:
        """The strongest rival of the target at any distance in the text; ValueError for T = 1."""
        return best_rival(self.theta, self.n_tokens - 1)
