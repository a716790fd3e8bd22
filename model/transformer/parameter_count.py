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


@dataclass(frozen=True)
class ParameterCount:
    """The sizes of a model and what they come to.

    `d_heads` is the width of all heads of a layer together, d_model if None; `d_keys` that of all
    different keys, and of all values, d_heads if None. Raises ValueError for sizes below 1
    (positions below 0), other than 2 or 3 matrices in the MLP, and an unknown norm.
    """

    n_layers: Annotated[Count, Doc("how many layers, L")]
    d_model: Annotated[Coordinates, Doc("width of the residual stream")]
    d_ff: Annotated[Coordinates, Doc("width of the MLP between its matrices")]
    n_vocab: Annotated[Tokens, Doc("how many tokens have a vector, V")]
    d_heads: Annotated[Coordinates | None, Doc("width of all heads of a layer together")] = None
    n_mlp_matrices: Annotated[Count, Doc("matrices of an MLP, 3 if it is gated (SwiGLU)")] = 2
    n_positions: Annotated[Positions, Doc("how many positions have a learned vector")] = 0
    tied: Annotated[bool, Doc("whether the unembedding is the embedding")] = True
    biases: Annotated[bool, Doc("whether each matrix of a layer has a bias")] = False
    norm: Annotated[Norm, Doc("what each norm learns")] = "none"
    d_keys: Annotated[Coordinates | None, Doc("width of all keys of a layer together")] = None

    def __post_init__(self) -> None:
        for name in ("n_layers", "d_model", "d_ff", "n_vocab"):
            whole(name, getattr(self, name), at_least=1)
        whole("n_positions", self.n_positions, at_least=0)
        for name in ("d_heads", "d_keys"):
            if getattr(self, name) is not None:
                whole(name, getattr(self, name), at_least=1)
        if self.n_mlp_matrices not in (2, 3):
            raise ValueError(f"n_mlp_matrices must be 2 or 3, got {self.n_mlp_matrices!r}")
        if self.norm not in get_args(Norm):
            raise ValueError(f"norm must be one of {get_args(Norm)}, got {self.norm!r}")

    @property
    def by_rule(self) -> Count:
        """The rule, 12 L d_model^2."""
        return 12 * self.n_layers * self.d_model**2

    @property
    def in_attention(self) -> Count:
        """What W_Q, W_K, W_V and W_O of one layer hold."""
        return 2 * self.d_model * (self._d_heads + self._d_keys)

    @property
    def in_mlp(self) -> Count:
        """What the matrices of the MLP of one layer hold."""
        return self.n_mlp_matrices * self.d_model * self.d_ff

    @property
    def in_layers(self) -> Count:
        """What the matrices of all layers hold, the number that the rule is for."""
        return self.n_layers * (self.in_attention + self.in_mlp)

    @property
    def by_rule_over_true(self) -> Factor:
        """The rule over what the matrices of the layers really hold."""
        return self.by_rule / self.in_layers

    @property
    def in_embeddings(self) -> Count:
        """What the vectors of tokens and positions hold, twice for tokens if not tied."""
        n_vectors = self.n_vocab * (1 if self.tied else 2) + self.n_positions
        return n_vectors * self.d_model

    @property
    def in_biases(self) -> Count:
        """What the biases of all layers hold."""
        if not self.biases:
            return 0
        attention = self._d_heads + 2 * self._d_keys + self.d_model
        mlp = (self.n_mlp_matrices - 1) * self.d_ff + self.d_model
        return self.n_layers * (attention + mlp)

    @property
    def in_norms(self) -> Count:
        """What two norms in each layer and one at the end hold."""
        return (2 * self.n_layers + 1) * _VECTORS[self.norm] * self.d_model

    @property
    def total(self) -> Count:
        """How many numbers the whole model learns."""
        return self.in_layers + self.in_embeddings + self.in_biases + self.in_norms

    @property
    def _d_heads(self) -> int:
        return self.d_model if self.d_heads is None else self.d_heads

    @property
    def _d_keys(self) -> int:
        return self._d_heads if self.d_keys is None else self.d_keys


GPT_2 = ParameterCount(
    n_layers=12,
    d_model=768,
    d_ff=3072,
    n_vocab=50_257,
    n_positions=1024,
    biases=True,
    norm="scale and shift",
)
"""The smallest GPT-2."""
PRIMER_7B = ParameterCount(n_layers=32, d_model=4096, d_ff=11_008, n_vocab=32_000, tied=False)
"""The 7B row of the primer with its two MLP matrices; not a model there is."""
LLAMA_7B = ParameterCount(
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
