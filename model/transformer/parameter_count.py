"""Number of parameters of a transformer, and the rule of thumb 12 L d_model^2.

The rule assumes that the heads of a layer together are as wide as the stream and that the MLP has
two matrices with d_ff = 4 d_model: 4 d_model^2 parameters in attention and 8 d_model^2 in the MLP
of each layer. It leaves out embeddings, biases and norms.
Source: Kaplan et al., Scaling Laws for Neural Language Models (2020), for the rule; Radford et al.
(2019) for the sizes of GPT-2 and Touvron et al., LLaMA (2023), for those of a model of 7B; Luca
Erzegovesi, Transformers and QKV Attention: A Primer, section 4, for both rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias, get_args

from clockhead.model.arrays import check_int
from clockhead.model.units import Coordinates, Count, Doc, Factor, Positions, Tokens

Norm: TypeAlias = Literal["none", "scale", "scale and shift"]
"""Parameters of a norm: RMSNorm has a scale per coordinate, LayerNorm a shift as well."""
_VECTORS: dict[Norm, int] = {"none": 0, "scale": 1, "scale and shift": 2}


@dataclass(frozen=True, kw_only=True)
class ParameterCount:
    """Sizes of a model and its numbers of parameters."""

    n_layers: Annotated[Count, Doc("number of layers, L")]
    d_model: Annotated[Coordinates, Doc("width of the residual stream")]
    d_ff: Annotated[Coordinates, Doc("width of the MLP between its matrices")]
    n_vocab: Annotated[Tokens, Doc("size of the vocabulary, V")]
    n_mlp_matrices: Annotated[Count, Doc("number of matrices in an MLP, 3 if it is gated (SwiGLU)")]
    n_positions: Annotated[Positions, Doc("number of positions with a learned embedding")]
    tied: Annotated[bool, Doc("whether the unembedding is the embedding, transposed")]
    by_rule: Annotated[Count, Doc("parameters by the rule, 12 L d_model^2")]
    in_attention: Annotated[Count, Doc("parameters of W_Q, W_K, W_V and W_O in one layer")]
    in_mlp: Annotated[Count, Doc("parameters of the MLP's matrices in one layer")]
    in_layers: Annotated[
        Count, Doc("parameters of the matrices in all layers, which the rule estimates")
    ]
    by_rule_over_true: Annotated[
        Factor, Doc("the rule over the true number of parameters in all layers' matrices")
    ]
    in_embeddings: Annotated[
        Count, Doc("parameters of token and position embeddings, and of an untied unembedding")
    ]
    in_biases: Annotated[Count, Doc("parameters of the biases in all layers")]
    in_norms: Annotated[Count, Doc("parameters of two norms in each layer and one at the end")]
    total: Annotated[Count, Doc("parameters of the whole model")]


def parameter_count(
    n_layers: int,
    d_model: int,
    d_ff: int,
    n_vocab: int,
    *,
    d_heads: int | None = None,
    d_keys: int | None = None,
    n_mlp_matrices: int = 2,
    n_positions: int = 0,
    tied: bool = True,
    biases: bool = False,
    norm: Norm = "none",
) -> ParameterCount:
    """Count the parameters of a model of these sizes.

    `d_heads` is the width of all heads of a layer together, d_model if None. `d_keys` is the width
    of all different keys, and of all values, d_heads if None. With `biases`, each matrix of a layer
    has a bias. Raises ValueError for sizes below 1 (positions below 0), for an MLP of other than 2
    or 3 matrices, and for an unknown norm.
    """
    heads = d_model if d_heads is None else check_int("d_heads", d_heads, at_least=1)
    keys = heads if d_keys is None else check_int("d_keys", d_keys, at_least=1)
    check_int("n_layers", n_layers, at_least=1)
    check_int("d_model", d_model, at_least=1)
    check_int("d_ff", d_ff, at_least=1)
    check_int("n_vocab", n_vocab, at_least=1)
    check_int("n_positions", n_positions, at_least=0)
    if n_mlp_matrices not in (2, 3):
        raise ValueError(f"n_mlp_matrices must be 2 or 3, got {n_mlp_matrices!r}")
    if norm not in get_args(Norm):
        raise ValueError(f"norm must be one of {get_args(Norm)}, got {norm!r}")
    by_rule = 12 * n_layers * d_model**2
    in_attention = 2 * d_model * (heads + keys)
    in_mlp = n_mlp_matrices * d_model * d_ff
    in_layers = n_layers * (in_attention + in_mlp)
    in_embeddings = (n_vocab * (1 if tied else 2) + n_positions) * d_model
    bias = (heads + 2 * keys + d_model) + (n_mlp_matrices - 1) * d_ff + d_model
    in_biases = n_layers * bias if biases else 0
    in_norms = (2 * n_layers + 1) * _VECTORS[norm] * d_model
    return ParameterCount(
        n_layers=n_layers,
        d_model=d_model,
        d_ff=d_ff,
        n_vocab=n_vocab,
        n_mlp_matrices=n_mlp_matrices,
        n_positions=n_positions,
        tied=tied,
        by_rule=by_rule,
        in_attention=in_attention,
        in_mlp=in_mlp,
        in_layers=in_layers,
        by_rule_over_true=by_rule / in_layers,
        in_embeddings=in_embeddings,
        in_biases=in_biases,
        in_norms=in_norms,
        total=in_layers + in_embeddings + in_biases + in_norms,
    )


GPT_2 = parameter_count(
    n_layers=12,
    d_model=768,
    d_ff=3072,
    n_vocab=50_257,
    n_positions=1024,
    biases=True,
    norm="scale and shift",
)
"""The smallest GPT-2."""
PRIMER_7B = parameter_count(n_layers=32, d_model=4096, d_ff=11_008, n_vocab=32_000, tied=False)
"""The 7B row of the primer, with two MLP matrices; no such model exists."""
LLAMA_7B = parameter_count(
    n_layers=32,
    d_model=4096,
    d_ff=11_008,
    n_vocab=32_000,
    n_mlp_matrices=3,
    tied=False,
    norm="scale",
)
"""LLaMA 7B: the same sizes, with the third matrix of a gated MLP."""
LLAMA_CONTEXT = 2048
"""Longest context that LLaMA 7B was trained on, in tokens."""
