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

from clockhead.model.arrays import Floats, Ints, finite, real, sealed, sealed_ints
from clockhead.model.attention.constant_key import query_weights, with_constant
from clockhead.model.attention.embedding import demo_embedding
from clockhead.model.attention.head import HeadPass
from clockhead.model.attention.pattern import causal_mask, pattern_from_scores
from clockhead.model.previous_token.head import PreviousTokenHead
from clockhead.model.previous_token.look_back import LookBackHead
from clockhead.model.rope.rotation import rotate
from clockhead.model.units import Doc, Pair, Position, Positions, Rows, Score, Share, Strength

_ROUNDING = 1e-12
"""A gain below this share of the largest content score is rounding."""


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
    strength: Annotated[Strength, Doc("how much of the token's vector leaks into its key")] = 1.0
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

    # The strength at which a row loses its target

    @cached_property
    def unit_content_scores(self) -> Floats:
        """What the tokens add to the scores at strength 1; shape (T, T).

        Raises ValueError with `in_query`, where it does not grow evenly with the strength.
        """
        if self.in_query:
            raise ValueError(
                "in_query must be False: a query with its token does not grow evenly with strength"
            )
        keys = rotate(self._token_vectors, self.constant.positions, self.constant.frequencies)
        return sealed(self.constant.queries @ keys.T)

    @cached_property
    def loses_target_at(self) -> Floats:
        """The strength above which a row gives another key most, inf if none; shape (R,).

        The lead over key n falls evenly with the strength, so the first key to draw level is the
        minimum of lead / loss over all that gain on the target. It does not depend on alpha.
        """
        return sealed(self._crossings.min(axis=1))

    @cached_property
    def loses_target_to(self) -> Ints:
        """The key that first draws level with a row's target, -1 if none does; shape (R,)."""
        best = self._crossings.argmin(axis=1)  # (R,)
        return sealed_ints(np.where(np.isinf(self.loses_target_at), -1, best))

    @property
    def can_lose(self) -> bool:
        """Whether some row loses its target at any strength."""
        return bool(np.isfinite(self.loses_target_at).any())

    @property
    def first_loss_at(self) -> Strength:
        """The strength above which the first row loses its target, inf if none ever does."""
        self._require_target()
        return float(self.loses_target_at.min())

    @property
    def first_loss_row(self) -> Position:
        """The row that loses its target at the lowest strength. ValueError if none ever does."""
        return int(self.target_rows[self._first_loss])

    @property
    def first_loss_target(self) -> Position:
        """The target of the row that loses it first. ValueError if none ever does."""
        return int(self.targets[self._first_loss])

    @property
    def first_loss_rival(self) -> Position:
        """The position to which that row turns instead. ValueError if none ever does."""
        return int(self.loses_target_to[self._first_loss])

    @property
    def rival_is_itself(self) -> bool:
        """Whether the row that loses its target first turns to its own position."""
        return self.first_loss_rival == self.first_loss_row

    @property
    def position_lead(self) -> Score:
        """Lead of that row's target over the rival by position. ValueError if none ever loses."""
        row, scores = self.first_loss_row, self.constant.scores
        return float(scores[row, self.first_loss_target] - scores[row, self.first_loss_rival])

    @property
    def token_lead(self) -> Score:
        """Lead of that rival over the target by tokens, at `strength`. ValueError without one."""
        row, scores = self.first_loss_row, self.unit_content_scores
        gain = scores[row, self.first_loss_rival] - scores[row, self.first_loss_target]
        return float(self.strength * gain)

    @property
    def n_kept(self) -> Rows:
        """How many rows still give no position more than their target."""
        return self.n_targets - self.n_missed

    # On the way to a strength

    def patterns_over(self, strengths: ArrayLike) -> Floats:
        """`pattern` at other strengths: (S,) to (S, T, T). ValueError with `in_query`."""
        steps = finite("strengths", strengths, n_axes=1)[:, None, None]  # (S, 1, 1)
        scores = self.constant.scores + steps * self.unit_content_scores  # (S, T, T)
        return pattern_from_scores(scores, self.causal)

    def key_pairs_over(self, strengths: ArrayLike) -> Floats:
        """Every key's pairs before the rotation: strengths (S,) to (S, T, d_head/2, 2)."""
        steps = finite("strengths", strengths, n_axes=1)[:, None, None]  # (S, 1, 1)
        keys = self.constant.key + steps * self._token_vectors  # (S, T, d_head)
        return np.asarray(keys.reshape(*keys.shape[:2], -1, 2))

    @property
    def most_bent_pair(self) -> Pair:
        """The pair of the key that a token of the text moves furthest, at any strength."""
        moved = self._token_vectors.reshape(len(self.indices), -1, 2)  # (T, d_head/2, 2)
        return int(np.linalg.norm(moved, axis=-1).max(axis=0).argmax())

    @property
    def most_gaining_pair(self) -> Pair:
        """The pair by which the rival gains most on the target in the row that is lost first.

        Raises ValueError if none ever is.
        """
        target, rival = self.first_loss_target, self.first_loss_rival
        asking = (target - np.array([rival, target]))[:, None] * self.constant.frequencies
        bends = self._token_vectors[[rival, target]].reshape(2, -1, 2)  # (2, d_head/2, 2)
        reach = bends[..., 0] * np.cos(asking) + bends[..., 1] * np.sin(asking)  # (2, d_head/2)
        return int((reach[0] - reach[1]).argmax())

    @cached_property
    def _token_vectors(self) -> Floats:
        """The demo embedding of every token; shape (T, d_head)."""
        return sealed(demo_embedding(self.indices, self.constant.d_head))

    @cached_property
    def _crossings(self) -> Floats:
        """The strength at which key n draws level with the row's target, or inf; shape (R, T)."""
        rows, own = self.target_rows, self.targets[:, None]  # (R,), (R, 1)
        gains = self._over_target(self.unit_content_scores)  # (R, T)
        leads = -self._over_target(self.constant.scores)  # (R, T)
        rounding = _ROUNDING * np.abs(self.unit_content_scores).max()
        gaining = (gains > rounding) & (np.arange(len(self.indices)) != own)  # (R, T)
        if self.causal:
            gaining &= causal_mask(len(self.indices))[rows]
        ratios = np.maximum(leads, 0.0) / np.where(gaining, gains, 1.0)  # (R, T)
        return np.where(gaining, ratios, np.inf)

    def _over_target(self, scores: Floats) -> Floats:
        """The scores of `target_rows` minus that of the row's target; (T, T) to (R, T)."""
        rows = self.target_rows  # (R,)
        return np.asarray(scores[rows] - scores[rows, self.targets][:, None])

    @property
    def _first_loss(self) -> int:
        """Where in `target_rows` the first loss is. ValueError if there is none."""
        if not self.can_lose:
            raise ValueError("indices must be tokens for which a row loses its target, none does")
        return int(self.loses_target_at.argmin())
