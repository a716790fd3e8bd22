"""One layer of a transformer, attention and then an MLP, with everything it computes on the way.

Weights are given as the primer writes them, for rows: x W, with W (d_model, width). The heads lie
side by side in the columns of W_Q, W_K and W_V and in the rows of W_O; each is an `AttentionHead`,
which has its weights transposed. No bias, no norm, no positions of its own. Heads count from 0.
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

from clockhead.model.arrays import Floats, Values, finite, sealed, whole
from clockhead.model.attention.head import AttentionHead, HeadPass, Mask
from clockhead.model.units import Coordinates, Count, Doc


@dataclass(frozen=True, eq=False)
class TransformerBlock:
    """Weights of one layer of `n_heads` heads and an MLP; all arrays are made read-only.

    `w_q`, `w_k`, `w_v` (d_model, h d_head), `w_o` (h d_head, d_model), `w_1` (d_model, d_ff) and
    `w_2` (d_ff, d_model); dot products are divided by sqrt(d_head). Raises ValueError for shapes
    that do not fit together, values that are not finite, a width that the heads cannot share
    evenly, and an unknown mask.
    """

    w_q: Floats
    w_k: Floats
    w_v: Floats
    w_o: Floats
    w_1: Floats
    w_2: Floats
    n_heads: Annotated[Count, Doc("how many heads share the attention")]
    mask: Annotated[Mask, Doc("where keys after the query are removed")] = "before softmax"

    def __post_init__(self) -> None:
        n_heads = whole("n_heads", self.n_heads, at_least=1)
        d_model, width = finite("w_q", self.w_q, n_axes=2).shape
        if not d_model or not width or width % n_heads:
            raise ValueError(
                f"w_q must have at least 1 row and as many columns for each of the {n_heads} "
                f"heads, got shape {(d_model, width)}"
            )
        d_ff = finite("w_1", self.w_1, n_axes=2).shape[1]
        shapes = {
            "w_k": (d_model, width),
            "w_v": (d_model, width),
            "w_o": (width, d_model),
            "w_1": (d_model, whole("d_ff, the columns of w_1,", d_ff, at_least=1)),
            "w_2": (d_ff, d_model),
        }
        for name, shape in shapes.items():
            weights = finite(name, getattr(self, name), n_axes=2)
            if weights.shape != shape:
                raise ValueError(f"{name} must have shape {shape}, got {weights.shape}")
        for array in (self.w_q, self.w_k, self.w_v, self.w_o, self.w_1, self.w_2):
            sealed(array)
        _ = self.heads

    @property
    def d_model(self) -> Coordinates:
        """Width of the residual stream."""
        return len(self.w_q)

    @property
    def d_head(self) -> Coordinates:
        """The width of one head's queries, keys and values."""
        return int(self.w_q.shape[1]) // self.n_heads

    @property
    def d_ff(self) -> Coordinates:
        """Width of the MLP between its two matrices."""
        return len(self.w_2)

    @property
    def n_parameters(self) -> Count:
        """How many numbers the six matrices of the block hold."""
        matrices = (self.w_q, self.w_k, self.w_v, self.w_o, self.w_1, self.w_2)
        return sum(weights.size for weights in matrices)

    @cached_property
    def lanes(self) -> tuple[slice, ...]:
        """The columns of W_Q, W_K and W_V, and the rows of W_O, that each head has."""
        return tuple(
            slice(head * self.d_head, (head + 1) * self.d_head) for head in range(self.n_heads)
        )

    @cached_property
    def heads(self) -> tuple[AttentionHead, ...]:
        """The heads one by one, each writing to the stream with its own rows of W_O."""
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

    def silenced(self, *heads: int) -> TransformerBlock:
        """The same block with the rows of W_O of `heads` set to 0, so that they write nothing.

        Raises ValueError for a head that the block does not have.
        """
        for head in heads:
            if whole("head", head, at_least=0) >= self.n_heads:
                raise ValueError(f"head must be below {self.n_heads}, the heads, got {head}")
        owner = np.arange(len(self.w_o)) // self.d_head  # (h d_head,), the head of each row
        return replace(self, w_o=np.where(np.isin(owner, heads)[:, None], 0.0, self.w_o))

    def on(self, resid_pre: ArrayLike) -> BlockPass:
        """The block at work on a residual stream (T, d_model).

        Raises ValueError for no position or another width.
        """
        x = finite("resid_pre", resid_pre, n_axes=2).copy()
        passes = tuple(head.on(x) for head in self.heads)
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
    """What `block` computes from the residual stream `resid_pre` (T, d_model)."""

    block: TransformerBlock
    resid_pre: Floats
    head_passes: Annotated[tuple[HeadPass, ...], Doc("what each head computes")]
    queries: Annotated[Floats, Doc("X W_Q, the queries of all heads side by side; (T, h d_head)")]
    keys: Annotated[Floats, Doc("X W_K, the keys of all heads side by side; (T, h d_head)")]
    values: Annotated[Floats, Doc("X W_V, the values of all heads side by side; (T, h d_head)")]
    scores: Annotated[
        Floats, Doc("dot products over sqrt(d_head) in each head, before any mask; (h, T, T)")
    ]
    patterns: Annotated[
        Floats, Doc("softmax of each head's scores, masked as the block says; (h, T, T)")
    ]
    z: Annotated[Floats, Doc("each head's mean of the values by its pattern; (h, T, d_head)")]
    concat: Annotated[Floats, Doc("z of all heads side by side, which W_O reads; (T, h d_head)")]
    head_outs: Annotated[Floats, Doc("what each head adds to the stream; (h, T, d_model)")]
    attn_out: Annotated[Floats, Doc("concat W_O, what attention adds to the stream; (T, d_model)")]
    resid_mid: Annotated[Floats, Doc("the stream between attention and MLP; (T, d_model)")]
    pre: Annotated[Floats, Doc("the stream times W_1, before the ReLU of the MLP; (T, d_ff)")]
    act: Annotated[
        Floats, Doc("the same after the ReLU, which makes negative numbers 0; (T, d_ff)")
    ]
    mlp_out: Annotated[
        Floats, Doc("the activations times W_2, what the MLP adds to the stream; (T, d_model)")
    ]
    resid_post: Annotated[Floats, Doc("the residual stream after the block; (T, d_model)")]
