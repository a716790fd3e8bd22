"""One layer of a transformer, attention and then an MLP, with all intermediate values.

Weights multiply rows, as in the primer: x W, with W (d_model, width). The columns of W_Q, W_K and
W_V and the rows of W_O are divided among the heads; each head is an `AttentionHead`, whose weights
are transposed. No bias, no norm, no position encoding. Heads count from 0.
Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, sections 4 to 7; Vaswani et al.,
Attention Is All You Need (2017).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Values, check_array, check_int, read_only
from clockhead.model.attention.head import AttentionHead, HeadPass, Mask
from clockhead.model.units import Coordinates, Count, Doc, Unit


@dataclass(frozen=True, eq=False)
class TransformerBlock:
    """Weights of one layer of `n_heads` heads and an MLP; all arrays are made read-only.

    `w_q`, `w_k`, `w_v` (d_model, h d_head), `w_o` (h d_head, d_model), `w_1` (d_model, d_ff) and
    `w_2` (d_ff, d_model); dot products are divided by sqrt(d_head). Raises ValueError for shapes
    that do not fit together, values that are not finite, a width that is not divisible by the
    number of heads, and an unknown mask.
    """

    w_q: Floats
    w_k: Floats
    w_v: Floats
    w_o: Floats
    w_1: Floats
    w_2: Floats
    n_heads: Annotated[Count, Doc("number of heads")]
    mask: Annotated[Mask, Doc("when keys after the query are masked")] = "before softmax"

    def __post_init__(self) -> None:
        n_heads = check_int("n_heads", self.n_heads, at_least=1)
        d_model, width = check_array("w_q", self.w_q, n_axes=2).shape
        if not d_model or not width or width % n_heads:
            raise ValueError(
                f"w_q must have at least 1 row and as many columns for each of the {n_heads} "
                f"heads, got shape {(d_model, width)}"
            )
        d_ff = check_array("w_1", self.w_1, n_axes=2).shape[1]
        shapes = {
            "w_k": (d_model, width),
            "w_v": (d_model, width),
            "w_o": (width, d_model),
            "w_1": (d_model, check_int("d_ff, the columns of w_1,", d_ff, at_least=1)),
            "w_2": (d_ff, d_model),
        }
        for name, shape in shapes.items():
            weights = check_array(name, getattr(self, name), n_axes=2)
            if weights.shape != shape:
                raise ValueError(f"{name} must have shape {shape}, got {weights.shape}")
        for array in (self.w_q, self.w_k, self.w_v, self.w_o, self.w_1, self.w_2):
            read_only(array)
        _ = self.heads

    @property
    def d_model(self) -> Coordinates:
        """Width of the residual stream."""
        return len(self.w_q)

    @property
    def d_head(self) -> Coordinates:
        """Width of one head's queries, keys and values."""
        return int(self.w_q.shape[1]) // self.n_heads

    @property
    def d_ff(self) -> Coordinates:
        """Width of the MLP between its two matrices."""
        return len(self.w_2)

    @property
    def n_parameters(self) -> Count:
        """Number of weights in the six matrices of the block."""
        matrices = (self.w_q, self.w_k, self.w_v, self.w_o, self.w_1, self.w_2)
        return sum(weights.size for weights in matrices)

    @cached_property
    def lanes(self) -> tuple[slice, ...]:
        """The slice of each head in the columns of W_Q, W_K, W_V and the rows of W_O."""
        return tuple(
            slice(head * self.d_head, (head + 1) * self.d_head) for head in range(self.n_heads)
        )

    @cached_property
    def heads(self) -> tuple[AttentionHead, ...]:
        """The heads one by one, each with its own rows of W_O."""
        return tuple(
            AttentionHead(
                w_q=self.w_q[:, lane].T,
                w_k=self.w_k[:, lane].T,
                w_v=self.w_v[:, lane].T,
                w_o=self.w_o[lane].T,
                scale=1 / math.sqrt(self.d_head),
                mask=self.mask,
            )
            for lane in self.lanes
        )

    def ablate(self, *heads: int) -> TransformerBlock:
        """The same block with the rows of W_O set to 0 for `heads`, so that they write nothing.

        Raises ValueError for a head that the block does not have.
        """
        for head in heads:
            if check_int("head", head, at_least=0) >= self.n_heads:
                raise ValueError(f"head must be below {self.n_heads}, the heads, got {head}")
        owner = np.arange(len(self.w_o)) // self.d_head  # (h d_head,), the head of each row
        return replace(self, w_o=np.where(np.isin(owner, heads)[:, None], 0.0, self.w_o))

    def run(self, resid_pre: ArrayLike) -> BlockPass:
        """Run the block on a residual stream (T, d_model).

        Raises ValueError for no position or another width.
        """
        x = check_array("resid_pre", resid_pre, n_axes=2).copy()
        passes = tuple(head.run(x) for head in self.heads)
        concat = np.hstack([found.z for found in passes])
        attn_out = concat @ self.w_o
        resid_mid = x + attn_out
        pre = resid_mid @ self.w_1
        act = np.maximum(pre, 0.0)
        mlp_out = act @ self.w_2
        return BlockPass(
            block=self,
            resid_pre=x,
            head_passes=passes,
            queries=x @ self.w_q,
            keys=x @ self.w_k,
            values=x @ self.w_v,
            scores=np.stack([found.scores for found in passes]),
            patterns=np.stack([found.pattern for found in passes]),
            z=np.stack([found.z for found in passes]),
            concat=concat,
            head_outs=np.stack([found.head_out for found in passes]),
            attn_out=attn_out,
            resid_mid=resid_mid,
            pre=pre,
            act=act,
            mlp_out=mlp_out,
            resid_post=resid_mid + mlp_out,
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class BlockPass(Values):
    """One forward pass of `block` on the residual stream `resid_pre` (T, d_model)."""

    block: TransformerBlock
    resid_pre: Floats
    head_passes: Annotated[tuple[HeadPass, ...], Doc("the forward pass of each head")]
    queries: Annotated[Floats, Doc("queries of all heads side by side, X W_Q; (T, h d_head)")]
    keys: Annotated[Floats, Doc("keys of all heads side by side, X W_K; (T, h d_head)")]
    values: Annotated[Floats, Doc("values of all heads side by side, X W_V; (T, h d_head)")]
    scores: Annotated[Floats, Doc("attention scores of each head, before any mask; (h, T, T)")]
    patterns: Annotated[
        Floats,
        Unit("attention weight"),
        Doc("attention weights of each head, with the block's mask; (h, T, T)"),
    ]
    z: Annotated[
        Floats, Doc("output of each head before W_O, a weighted mean of values; (h, T, d_head)")
    ]
    concat: Annotated[Floats, Doc("z of all heads side by side, the input of W_O; (T, h d_head)")]
    head_outs: Annotated[
        Floats, Doc("part of the attention output that each head writes; (h, T, d_model)")
    ]
    attn_out: Annotated[
        Floats, Doc("concat W_O, the attention output, which is added to the stream; (T, d_model)")
    ]
    resid_mid: Annotated[Floats, Doc("the residual stream between attention and MLP; (T, d_model)")]
    pre: Annotated[Floats, Doc("pre-activations of the MLP, resid_mid W_1; (T, d_ff)")]
    act: Annotated[Floats, Doc("activations of the MLP, after the ReLU; (T, d_ff)")]
    mlp_out: Annotated[
        Floats, Doc("output of the MLP, act W_2, which is added to the stream; (T, d_model)")
    ]
    resid_post: Annotated[Floats, Doc("the residual stream after the block; (T, d_model)")]
