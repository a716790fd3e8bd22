"""One attention head over named subspaces of the residual stream, and its forward pass.

A head has two circuits: W_QK decides which positions attend to which, W_OV what is moved between
them. Weights multiply from the left: the key of x is W_k x, and x writes W_OV x. W_QK has two
factors, W_q and W_k, because a rotary head rotates query and key between them. W_OV may have two
factors, W_o and W_v, with a narrower space between them, as in trained heads.
Source: Elhage et al., A Mathematical Framework for Transformer Circuits (2021), for (W_QK, W_OV);
Lindner et al., Tracr (2023), for named subspaces; Su et al., RoFormer (2021), for the rotation.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import (
    Floats,
    Ints,
    Values,
    check_array,
    check_float,
    check_int,
    read_only,
)
from clockhead.model.attention.pattern import attend, causal_mask, pattern_from_scores
from clockhead.model.rope.rotation import check_frequencies, rotate
from clockhead.model.units import Coordinates, Doc, ScoreScale

Mask: TypeAlias = Literal["before softmax", "after softmax", "none"]
"""When keys after the query are masked; after the softmax, rows no longer sum to 1."""


@dataclass(frozen=True)
class ResidualStream:
    """Names and widths of the subspaces of a residual vector, in order.

    Raises ValueError for no subspace, a repeated name, or a width below 1.
    """

    widths: tuple[tuple[str, int], ...]

    def __post_init__(self) -> None:
        names = [name for name, _ in self.widths]
        if not names or len(set(names)) < len(names):
            raise ValueError(f"widths must hold different names, at least one, got {names}")
        for name, width in self.widths:
            check_int(f"width of {name}", width, at_least=1)

    @classmethod
    def of(cls, **widths: int) -> ResidualStream:
        """A stream with these subspaces, in order: `ResidualStream.of(token=4, position=6)`."""
        return cls(tuple(widths.items()))

    @property
    def d_model(self) -> Coordinates:
        """Width of the residual stream."""
        return sum(width for _, width in self.widths)

    @property
    def subspaces(self) -> dict[str, slice]:
        """The slice of a residual vector for each subspace, by name."""
        ends = np.cumsum([width for _, width in self.widths]).tolist()
        return {
            name: slice(end - width, end)
            for (name, width), end in zip(self.widths, ends, strict=True)
        }

    def subspace(self, name: str) -> slice:
        """The slice for the subspace `name`; ValueError for a name that is not in the stream."""
        if name not in self.subspaces:
            raise ValueError(f"name must be one of {list(self.subspaces)}, got {name!r}")
        return self.subspaces[name]

    def projection(self, name: str) -> Floats:
        """The matrix that projects a vector onto the subspace `name`; shape (width, d_model)."""
        return np.eye(self.d_model)[self.subspace(name)]  # (width, d_model)

    def copy_matrix(self, source: str, target: str) -> Floats:
        """The W_OV that copies the subspace `source` to `target`; shape (d_model, d_model).

        Raises ValueError for unknown names and for subspaces of different widths.
        """
        taken, put = self.projection(source), self.projection(target)  # (width, d_model) each
        if len(taken) != len(put):
            raise ValueError(
                f"target must be as wide as {source}, {len(taken)}, got {target} of {len(put)}"
            )
        return np.asarray(put.T @ taken)


@dataclass(frozen=True, eq=False)
class AttentionHead:
    """Weights of one head: `w_q`, `w_k` (d_head, d_model), `w_v` (d_value, d_model), and `w_o`.

    `w_o` (d_model, d_value) writes the head output to the stream; without it, `w_v` is W_OV itself.
    `scale` multiplies the dot products; it is 1/sqrt(d_head) in trained heads. With `frequencies`
    (d_head/2,) in radians per position, queries and keys are rotated by position (RoPE). The arrays
    are made read-only. Raises ValueError for shapes that do not fit together, values that are not
    finite, a scale that is not above 0, and an unknown mask.
    """

    w_q: Floats
    w_k: Floats
    w_v: Floats
    w_o: Floats | None = None
    scale: Annotated[ScoreScale, Doc("factor on the dot products of query and key")] = 1.0
    frequencies: Floats | None = None
    mask: Annotated[Mask, Doc("when keys after the query are masked")] = "before softmax"

    def __post_init__(self) -> None:
        if self.mask not in get_args(Mask):
            raise ValueError(f"mask must be one of {get_args(Mask)}, got {self.mask!r}")
        d_head, d_model = check_array("w_q", self.w_q, n_axes=2).shape
        d_value = d_model if self.w_o is None else len(check_array("w_v", self.w_v, n_axes=2))
        shapes = {"w_k": (d_head, d_model), "w_v": (d_value, d_model), "w_o": (d_model, d_value)}
        for name, shape in shapes.items():
            weights = getattr(self, name)
            if weights is not None and check_array(name, weights, n_axes=2).shape != shape:
                raise ValueError(f"{name} must have shape {shape}, got {np.shape(weights)}")
        check_float("scale", self.scale, above=0)
        if self.frequencies is not None:
            count = len(check_frequencies(self.frequencies))
            if 2 * count != d_head:
                raise ValueError(
                    f"frequencies must be {d_head // 2}, one for two rows of w_q, got {count}"
                )
            read_only(self.frequencies)
        for array in (self.w_q, self.w_k, self.w_v, self.w_o):
            if array is not None:
                read_only(array)

    @classmethod
    def from_qk(
        cls, w_qk: ArrayLike, w_ov: ArrayLike, mask: Mask = "before softmax"
    ) -> AttentionHead:
        """A head without rotation for a given W_QK (d_model, d_model), whose keys are the stream.

        W_q is W_QK^T and W_k the identity.
        """
        square = check_array("w_qk", w_qk, n_axes=2)  # (d_model, d_model)
        return cls(
            square.T, np.eye(square.shape[1]), check_array("w_ov", w_ov, n_axes=2), mask=mask
        )

    @property
    def d_head(self) -> Coordinates:
        """Width of queries and keys."""
        return len(self.w_q)

    @property
    def d_model(self) -> Coordinates:
        """Width of the residual stream that the head reads and writes."""
        return int(self.w_q.shape[1])

    @cached_property
    def w_ov(self) -> Floats:
        """W_o W_v, the OV circuit; shape (d_model, d_model)."""
        return self.w_v if self.w_o is None else read_only(self.w_o @ self.w_v)

    @property
    def causal(self) -> bool:
        """Whether no position attends to a later one."""
        return self.mask != "none"

    @cached_property
    def w_qk(self) -> Floats:
        """W_q^T W_k, the QK circuit if query and key are not rotated; (d_model, d_model)."""
        return read_only(self.w_q.T @ self.w_k)

    def run(self, resid_pre: ArrayLike) -> HeadPass:
        """Run the head on a residual stream (T, d_model).

        Raises ValueError for no position or another width.
        """
        x = check_array("resid_pre", resid_pre, n_axes=2)  # (T, d_model)
        if len(x) == 0 or x.shape[1] != self.d_model:
            raise ValueError(
                f"resid_pre must have a row for each of at least 1 position and "
                f"{self.d_model} columns, got shape {x.shape}"
            )
        positions = np.arange(len(x))  # (T,)
        queries, keys = x @ self.w_q.T, x @ self.w_k.T  # (T, d_head) each
        if self.frequencies is not None:
            queries = rotate(queries, positions, self.frequencies)
            keys = rotate(keys, positions, self.frequencies)
        dots = queries @ keys.T  # (T, T)
        scores = self.scale * dots
        pattern = masked_pattern(scores, self.mask)  # (T, T)
        values = x @ self.w_v.T  # (T, d_value)
        z = attend(pattern, values)  # (T, d_value)
        head_out = z if self.w_o is None else z @ self.w_o.T  # (T, d_model)
        return HeadPass(
            head=self,
            resid_pre=x,
            positions=positions,
            queries=queries,
            keys=keys,
            dots=dots,
            scores=scores,
            pattern=pattern,
            values=values,
            z=z,
            head_out=head_out,
            resid_post=x + head_out,
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadPass(Values):
    """One forward pass of `head` on a residual stream of T positions."""

    head: AttentionHead
    resid_pre: Annotated[Floats, Doc("the residual stream before the head; (T, d_model)")]
    positions: Annotated[Ints, Doc("0 .. T - 1; (T,)")]
    queries: Annotated[Floats, Doc("R_m W_q x_m, or W_q x_m without a rotation; (T, d_head)")]
    keys: Annotated[Floats, Doc("R_n W_k x_n, or W_k x_n without a rotation; (T, d_head)")]
    dots: Annotated[Floats, Doc("dot product of query m and key n; (T, T)")]
    scores: Annotated[
        Floats,
        Doc("attention scores: dot products times the head's scale, before any mask; (T, T)"),
    ]
    pattern: Annotated[
        Floats, Doc("attention weights: softmax of the scores, with the head's mask; (T, T)")
    ]
    values: Annotated[Floats, Doc("values W_v x_n; (T, d_value)")]
    z: Annotated[Floats, Doc("head output before W_o, pattern @ values; (T, d_value)")]
    head_out: Annotated[Floats, Doc("W_o z, which the head adds to the stream; (T, d_model)")]
    resid_post: Annotated[Floats, Doc("the residual stream after the head; (T, d_model)")]


def masked_pattern(scores: ArrayLike, mask: Mask = "before softmax") -> Floats:
    """The attention pattern of `scores` (T, T) under `mask`; shape (T, T).

    "after softmax" takes the softmax over all positions and then sets the weights of later ones to
    0, so that a row sums to at most 1. Raises ValueError for an unknown mask.
    """
    if mask not in get_args(Mask):
        raise ValueError(f"mask must be one of {get_args(Mask)}, got {mask!r}")
    if mask != "after softmax":
        return pattern_from_scores(scores, causal=mask == "before softmax")
    pattern = pattern_from_scores(scores, causal=False)  # (T, T)
    return np.where(causal_mask(len(pattern)), pattern, 0.0)
