"""A transformer without embedding: blocks that add to one residual stream, and an unembedding.

Weights multiply rows, as in `model.transformer.block`. No bias, no norm, no position encoding:
tokens and positions are already in the stream that is given. Layers and heads count from 0.
Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, sections 4 to 7 and appendix A;
nostalgebraist, Interpreting GPT: The Logit Lens (2020).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Values, check_array, check_float, check_int, read_only
from clockhead.model.attention.pattern import softmax
from clockhead.model.transformer.block import BlockPass, TransformerBlock
from clockhead.model.units import Coordinates, Count, Doc, Place, Shares, Tokens


@dataclass(frozen=True, eq=False)
class Transformer:
    """The weights of a transformer: its `blocks`, and its `unembedding` (d_model, V).

    Raises ValueError for no block, blocks of different d_model, and an unembedding that does not
    fit them or has no column. The array is made read-only.
    """

    blocks: tuple[TransformerBlock, ...]
    unembedding: Floats

    def __post_init__(self) -> None:
        widths = [block.d_model for block in self.blocks]
        if not widths or len(set(widths)) > 1:
            raise ValueError(f"blocks must be at least 1, all of one d_model, got {widths}")
        shape = check_array("unembedding", self.unembedding, n_axes=2).shape
        if shape[0] != widths[0] or not shape[1]:
            raise ValueError(
                f"unembedding must have {widths[0]} rows and a column for each of at least 1 "
                f"token, got shape {shape}"
            )
        read_only(self.unembedding)

    @property
    def n_layers(self) -> Count:
        """Number of blocks."""
        return len(self.blocks)

    @property
    def d_model(self) -> Coordinates:
        """Width of the residual stream."""
        return len(self.unembedding)

    @property
    def n_vocab(self) -> Tokens:
        """Size of the vocabulary, one logit for each token."""
        return int(self.unembedding.shape[1])

    @property
    def n_parameters(self) -> Count:
        """Number of weights in all blocks and the unembedding."""
        return sum(block.n_parameters for block in self.blocks) + self.unembedding.size

    def ablate(self, heads: Mapping[int, Collection[int]]) -> Transformer:
        """The same model in which `heads[layer]` write nothing, as in `ablate({1: [0]})`.

        Raises ValueError for a layer or a head that the model does not have.
        """
        for layer in heads:
            if check_int("layer", layer, at_least=0) >= self.n_layers:
                raise ValueError(f"layer must be below {self.n_layers}, the layers, got {layer}")
        return replace(
            self,
            blocks=tuple(
                block.ablate(*heads[layer]) if layer in heads else block
                for layer, block in enumerate(self.blocks)
            ),
        )

    @cached_property
    def without_attention(self) -> Transformer:
        """The same model with W_O = 0 in every block: no head writes anything."""
        return self.ablate({layer: range(block.n_heads) for layer, block in enumerate(self.blocks)})

    def run(self, resid_pre: ArrayLike) -> TransformerPass:
        """Run the model on a residual stream (T, d_model).

        Raises ValueError for no position or another width.
        """
        x = check_array("resid_pre", resid_pre, n_axes=2).copy()  # (T, d_model)
        passes: list[BlockPass] = []
        resid, rows = x, [x[-1:]]
        for block in self.blocks:
            passes.append(block.run(resid))
            resid = passes[-1].resid_post
            rows += [passes[-1].resid_mid[-1:], resid[-1:]]
        logits = resid @ self.unembedding  # (T, V)
        last_resids = np.concatenate(rows)  # (2 L + 1, d_model)
        lens = last_resids @ self.unembedding
        return TransformerPass(
            transformer=self,
            resid_pre=x,
            block_passes=tuple(passes),
            resids=np.stack([x, *(found.resid_post for found in passes)]),
            resid_post=resid,
            logits=logits,
            last_logits=logits[-1],
            probabilities=softmax(logits[-1]),
            prediction=int(logits[-1].argmax()),
            last_resids=last_resids,
            lens=lens,
            lens_probabilities=softmax(lens),
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class TransformerPass(Values):
    """One forward pass of `transformer` on the residual stream `resid_pre` (T, d_model)."""

    transformer: Transformer
    resid_pre: Floats
    block_passes: Annotated[tuple[BlockPass, ...], Doc("the forward pass of each block, in order")]
    resids: Annotated[
        Floats,
        Doc("the residual stream before the first block and after each; (L + 1, T, d_model)"),
    ]
    resid_post: Annotated[Floats, Doc("the residual stream after the last block; (T, d_model)")]
    logits: Annotated[Floats, Doc("logits of the next token at each position; (T, V)")]
    last_logits: Annotated[Floats, Doc("logits of the last position; (V,)")]
    probabilities: Annotated[
        Shares, Doc("probabilities of the next token, softmax of the last position's logits; (V,)")
    ]
    prediction: Annotated[
        Place, Doc("token with the largest logit at the last position, the first if several tie")
    ]

    # Logit lens
    last_resids: Annotated[
        Floats,
        Doc(
            "residual stream of the last position at the start, after each attention and each MLP; "
            "(2 L + 1, d_model)"
        ),
    ]
    lens: Annotated[
        Floats,
        Doc(
            "logit lens: logits of the last position if the model stopped at each of these points; "
            "(2 L + 1, V)"
        ),
    ]
    lens_probabilities: Annotated[Floats, Doc("the softmax of each row of `lens`; (2 L + 1, V)")]


def layer_norm(x: ArrayLike, eps: float = 1e-5) -> Floats:
    """Layer normalization without a learned scale or shift; (T, d) to (T, d).

    Every row gets mean 0 and variance 1; `eps` is added to the variance before the division. Raises
    ValueError for no column or an eps that is not above 0.
    """
    rows = check_array("x", x, n_axes=2)  # (T, d)
    if rows.shape[1] == 0:
        raise ValueError(f"x must have at least 1 column, got shape {rows.shape}")
    centred = rows - rows.mean(axis=1, keepdims=True)  # (T, d)
    variance = (centred**2).mean(axis=1, keepdims=True)  # (T, 1)
    return np.asarray(centred / np.sqrt(variance + check_float("eps", eps, above=0)))


def random_transformer(
    n_layers: int, d_model: int, n_heads: int, d_ff: int, n_vocab: int, seed: int
) -> Transformer:
    """A model with normal weights of two decimals; their standard deviation is .5.

    The unembedding has .6. Weights are drawn in the order W_Q, W_K, W_V, W_O, W_1, W_2 of each
    block, then the unembedding. Raises ValueError for counts below 1, a d_model that is not
    divisible by the number of heads, or a seed below 0. Other releases of NumPy may draw other
    numbers.
    """
    width, inner = check_int("d_model", d_model, at_least=1), check_int("d_ff", d_ff, at_least=1)
    if width % check_int("n_heads", n_heads, at_least=1):
        raise ValueError(f"d_model must be a multiple of n_heads, {n_heads}, got {width}")
    n_tokens = check_int("n_vocab", n_vocab, at_least=1)
    rng = np.random.default_rng(check_int("seed", seed, at_least=0))

    def draw(rows: int, columns: int, spread: float = 0.5) -> Floats:
        weights = np.round(spread * rng.standard_normal((rows, columns)), 2)
        return np.asarray(weights + 0.0)  # -0.0 becomes 0

    def block() -> TransformerBlock:
        w_q, w_k, w_v, w_o = (draw(width, width) for _ in range(4))
        w_1, w_2 = draw(width, inner), draw(inner, width)
        return TransformerBlock(w_q, w_k, w_v, w_o, w_1, w_2, n_heads)

    blocks = tuple(block() for _ in range(check_int("n_layers", n_layers, at_least=1)))
    return Transformer(blocks, draw(width, n_tokens, spread=0.6))
