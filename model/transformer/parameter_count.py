"""How many numbers a transformer learns, counted matrix by matrix, beside the rule 12 L d_model^2.

The rule holds where the heads together are as wide as the stream and the MLP has two matrices of
d_ff = 4 d_model: 4 d_model^2 in attention and 8 d_model^2 in the MLP of a layer. It leaves out
embeddings, biases and norms.
Source: Kaplan et al., Scaling Laws for Neural Language Models (2020), for the rule; Radford et al.
(2019) for the sizes of GPT-2 and Touvron et al., LLaMA (2023), for those of a model of 7B; Luca
Erzegovesi, Transformers and QKV Attention: A Primer, section 4, for both rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias, get_args

from clockhead.model.arrays import whole
from clockhead.model.units import Coordinates, Count, Doc, Factor, Positions, Tokens

Norm: TypeAlias = Literal["none", "scale", "scale and shift"]
"""What a norm learns: RMSNorm has a scale for each coordinate, LayerNorm a shift as well."""
_VECTORS: dict[Norm, int] = {"none": 0, "scale": 1, "scale and shift": 2}


@dataclass(frozen=True, kw_only=True)
class ParameterCount:
    """The sizes of a model and what they come to."""

    n_layers: Annotated[Count, Doc("how many layers, L")]
    d_model: Annotated[Coordinates, Doc("width of the residual stream")]
    d_ff: Annotated[Coordinates, Doc("width of the MLP between its matrices")]
    n_vocab: Annotated[Tokens, Doc("how many tokens have a vector, V")]
    n_mlp_matrices: Annotated[Count, Doc("matrices of an MLP, 3 if it is gated (SwiGLU)")]
    n_positions: Annotated[Positions, Doc("how many positions have a learned vector")]
    tied: Annotated[bool, Doc("whether the unembedding is the embedding")]
    by_rule: Annotated[Count, Doc("the rule, 12 L d_model^2")]
    in_attention: Annotated[Count, Doc("what W_Q, W_K, W_V and W_O of one layer hold")]
    in_mlp: Annotated[Count, Doc("what the matrices of the MLP of one layer hold")]
    in_layers: Annotated[
        Count, Doc("what the matrices of all layers hold, the number that the rule is for")
    ]
    by_rule_over_true: Annotated[
        Factor, Doc("the rule over what the matrices of the layers really hold")
    ]
    in_embeddings: Annotated[
        Count, Doc("what the vectors of tokens and positions hold, twice for tokens if not tied")
    ]
    in_biases: Annotated[Count, Doc("what the biases of all layers hold")]
    in_norms: Annotated[Count, Doc("what two norms in each layer and one at the end hold")]
    total: Annotated[Count, Doc("how many numbers the whole model learns")]


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
    """Count what a model of these sizes learns.

    `d_heads` is the width of all heads of a layer together, d_model if None; `d_keys` that of all
    different keys, and of all values, d_heads if None. `n_positions` have a learned vector, each
    matrix of a layer has a bias if `biases`, and the unembedding is the embedding if `tied`. Raises
    ValueError for sizes below 1 (positions below 0), other than 2 or 3 matrices in the MLP, and an
    unknown norm.
    """
    heads = d_model if d_heads is None else whole("d_heads", d_heads, at_least=1)
    keys = heads if d_keys is None else whole("d_keys", d_keys, at_least=1)
    whole("n_layers", n_layers, at_least=1)
    whole("d_model", d_model, at_least=1)
    whole("d_ff", d_ff, at_least=1)
    whole("n_vocab", n_vocab, at_least=1)
    whole("n_positions", n_positions, at_least=0)
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
"""The 7B row of the primer with its two MLP matrices; not a model there is."""
LLAMA_7B = parameter_count(
    n_layers=32,
    d_model=4096,
    d_ff=11_008,
    n_vocab=32_000,
    n_mlp_matrices=3,
    tied=False,
    norm="scale",
)
"""The same sizes with the third matrix of a gated MLP, as the model of 7B has it."""
LLAMA_CONTEXT = 2048
"""Tokens of the texts that LLaMA 7B was trained on, at most."""
