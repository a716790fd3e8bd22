"""What a KV cache costs in memory, and what it saves in dot products of query and key.

Source: primer on attention, sections 3 and 4. The cache of T tokens holds 2 L T h d_k numbers: a
key and a value in every head of every layer. Heads may share keys and values: in groups (GQA,
Ainslie et al., 2023), all of them (MQA, Shazeer, 2019), or as one compressed vector for a token in
each layer (MLA, DeepSeek-V2, 2024). A compressed vector cannot be rotated by RoPE, so DeepSeek's
models keep a rotated key beside it, the decoupled one, which all heads share.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, TypeAlias

import numpy as np

from clockhead.model.arrays import Bools, Ints, real, sealed_ints, whole
from clockhead.model.attention.pattern import causal_mask
from clockhead.model.units import Coordinates, Count, Doc, Factor, Tokens, Unit

Bytes: TypeAlias = Annotated[int, Unit("bytes")]
Megabytes: TypeAlias = Annotated[float, Unit("MB, 1e6 bytes")]
Gigabytes: TypeAlias = Annotated[float, Unit("GB, 1e9 bytes")]

MOST_TOKENS = 1_000_000
"""Sums of T^3/6 stay well inside 64 bits."""
MOST_TOKENS_IN_A_GRID = 128
"""Grids of every step have T^3 cells."""


@dataclass(frozen=True)
class CacheSizes:
    """Sizes of a model and of the cache it keeps; the defaults are the primer's row for 7B, fp16.

    `n_kv_heads` divides `n_heads`: as many keys and values as queries, fewer, or one for all. With
    a `latent_width`, that many numbers are kept instead of keys and values, and `rope_width` beside
    them, together at most 2 h d_k. Raises ValueError for sizes below 1, and for others than these.
    """

    n_layers: Annotated[Count, Doc("layers, L")] = 32
    n_heads: Annotated[Count, Doc("heads in a layer, each with queries of its own, h")] = 32
    n_kv_heads: Annotated[Count, Doc("different keys and values of a token in a layer")] = 32
    d_head: Annotated[Coordinates, Doc("width of a query, a key and a value, d_k")] = 128
    context: Annotated[Tokens, Doc("tokens in the cache, T")] = 32_768
    bytes_per_number: Annotated[Bytes, Doc("size of one number, 2 at fp16")] = 2
    name: Annotated[str, Doc("what the model is called")] = "7B"
    latent_width: Annotated[
        int | None, Unit("coordinates"), Doc("numbers kept of a token and layer if compressed")
    ] = None
    rope_width: Annotated[Coordinates, Doc("numbers of the rotated key kept beside them")] = 0
    memory_gb: Annotated[Gigabytes, Doc("memory of the machine")] = 80.0

    def __post_init__(self) -> None:
        sizes = ("n_layers", "n_heads", "n_kv_heads", "d_head", "context", "bytes_per_number")
        for name in sizes:
            whole(name, getattr(self, name), at_least=1)
        if self.n_heads % self.n_kv_heads:
            raise ValueError(
                f"n_kv_heads must divide n_heads = {self.n_heads}, got {self.n_kv_heads}"
            )
        if self.latent_width is not None:
            widest = 2 * self.n_heads * self.d_head
            whole("latent_width", self.latent_width, at_least=1)
            whole("rope_width", self.rope_width, at_least=0)
            if self.numbers_per_layer > widest:
                raise ValueError(
                    f"latent_width and rope_width must be at most 2 h d_k = {widest} together, "
                    f"got {self.latent_width} and {self.rope_width}"
                )
        real("memory_gb", self.memory_gb, above=0)

    def grouped(self, n_kv_heads: int) -> CacheSizes:
        """The same model with `n_kv_heads` keys and values in a layer, shared in groups (GQA)."""
        return replace(self, n_kv_heads=n_kv_heads, latent_width=None, rope_width=0)

    def one_shared(self) -> CacheSizes:
        """The same model with one key and one value in a layer for all its heads (MQA)."""
        return self.grouped(1)

    def compressed(self, latent_width: int, rope_width: int = 0) -> CacheSizes:
        """The same model with one vector for a token in a layer, and a rotated key (MLA)."""
        own = replace(self, n_kv_heads=self.n_heads)
        return replace(own, latent_width=latent_width, rope_width=rope_width)

    @property
    def heads_per_key(self) -> Count:
        """How many heads share a key and a value."""
        return self.n_heads // self.n_kv_heads

    @property
    def numbers_per_layer(self) -> Count:
        """Numbers that a token leaves in one layer, 2 h_kv d_k or the widths if compressed."""
        if self.latent_width is not None:
            return self.latent_width + self.rope_width
        return 2 * self.n_kv_heads * self.d_head

    @property
    def numbers_per_token(self) -> Count:
        """Numbers that a token leaves in all layers, 2 L h_kv d_k if not compressed."""
        return self.n_layers * self.numbers_per_layer

    @property
    def total_numbers(self) -> Count:
        """Numbers in the whole cache, 2 L T h_kv d_k if not compressed."""
        return self.context * self.numbers_per_token

    @property
    def bytes_per_token(self) -> Bytes:
        """What a token leaves in all layers."""
        return self.numbers_per_token * self.bytes_per_number

    @property
    def mb_per_token(self) -> Megabytes:
        """What a token leaves in all layers, in MB."""
        return self.bytes_per_token / 10**6

    @property
    def total_bytes(self) -> Bytes:
        """Size of the whole cache, 2 L T h_kv d_k b if not compressed."""
        return self.total_numbers * self.bytes_per_number

    @property
    def gb(self) -> Gigabytes:
        """Size of the whole cache in GB."""
        return self.total_bytes / 10**9

    @property
    def factor_saved(self) -> Factor:
        """How many times larger the cache would be with keys and values for every head."""
        return 2 * self.n_heads * self.d_head / self.numbers_per_layer


@dataclass(frozen=True)
class ScoreCounts:
    """Dot products of query and key in one head, while a text is written token by token.

    The first step takes the `prompt` at once, every other step one token more, up to `n_tokens`.
    Without a cache a step computes every score of the text so far; with one, only the rows of the
    tokens that are new. Masked scores are not counted. Raises ValueError for a prompt that is empty
    or longer than the text, and for more than 1,000,000 tokens.
    """

    n_tokens: Annotated[Tokens, Doc("length of the text in the end, T")] = 24
    prompt: Annotated[Tokens, Doc("tokens that the first step takes at once")] = 1

    def __post_init__(self) -> None:
        whole("n_tokens", self.n_tokens, at_least=1)
        whole("prompt", self.prompt, at_least=1)
        if self.n_tokens > MOST_TOKENS:
            raise ValueError(f"n_tokens must be at most {MOST_TOKENS}, got {self.n_tokens}")
        if self.prompt > self.n_tokens:
            raise ValueError(
                f"prompt must be at most n_tokens = {self.n_tokens}, got {self.prompt}"
            )

    @property
    def n_steps(self) -> Count:
        """How many steps there are, the prompt's included."""
        return self.n_tokens - self.prompt + 1

    @cached_property
    def lengths(self) -> Ints:
        """Tokens of the text after every step; shape (steps,)."""
        return sealed_ints(np.arange(self.prompt, self.n_tokens + 1))

    @cached_property
    def recomputed_per_step(self) -> Ints:
        """Scores of every step without a cache, t(t + 1)/2 for t tokens; shape (steps,)."""
        return sealed_ints(self.lengths * (self.lengths + 1) // 2)

    @cached_property
    def cached_per_step(self) -> Ints:
        """Scores of every step with a cache, t for the one row of token t; shape (steps,)."""
        return sealed_ints(np.diff(self.recomputed_per_step, prepend=0))

    @cached_property
    def recomputed_so_far(self) -> Ints:
        """Scores up to every step without a cache; shape (steps,)."""
        return sealed_ints(self.recomputed_per_step.cumsum())

    @cached_property
    def cached_so_far(self) -> Ints:
        """Scores up to every step with a cache; shape (steps,)."""
        return sealed_ints(self.cached_per_step.cumsum())

    @cached_property
    def both_so_far(self) -> Ints:
        """Scores up to every step without a cache, and with one; shape (steps, 2)."""
        return sealed_ints(np.stack([self.recomputed_so_far, self.cached_so_far], axis=1))

    @cached_property
    def both_to_doubled(self) -> Ints:
        """Scores in all, without a cache and with one, as a text grows from T to 2 T tokens.

        The shape is (T + 1, 2).
        """
        doubled = replace(self, n_tokens=2 * self.n_tokens)
        return sealed_ints(doubled.both_so_far[-1 - self.n_tokens :])

    @property
    def recomputed_doubled(self) -> Count:
        """Scores in all without a cache, of a text twice as long."""
        return int(self.both_to_doubled[-1, 0])

    @property
    def cached_doubled(self) -> Count:
        """Scores in all with a cache, of a text twice as long."""
        return int(self.both_to_doubled[-1, 1])

    @property
    def recomputed_growth(self) -> Factor:
        """How many times as many these are without a cache, towards 8 for long texts."""
        return self.recomputed_doubled / self.recomputed

    @property
    def cached_growth(self) -> Factor:
        """How many times as many these are with a cache, towards 4 for long texts."""
        return self.cached_doubled / self.cached

    @property
    def long_recomputed_growth(self) -> Count:
        """What this is without a cache for long texts, whose scores grow like T^3."""
        return 2**3

    @property
    def long_cached_growth(self) -> Count:
        """What it is with a cache for long texts, whose scores grow like T^2."""
        return 2**2

    @property
    def recomputed(self) -> Count:
        """Scores in all without a cache, T(T + 1)(T + 2)/6 where the prompt is one token."""
        t, p = self.n_tokens, self.prompt
        return (t * (t + 1) * (t + 2) - (p - 1) * p * (p + 1)) // 6

    @property
    def cached(self) -> Count:
        """Scores in all with a cache, T(T + 1)/2."""
        return self.n_tokens * (self.n_tokens + 1) // 2

    @property
    def ratio(self) -> Factor:
        """How many times as many scores without a cache, (T + 2)/3 for a prompt of one token."""
        return self.recomputed / self.cached

    # Grids of at most 128 tokens; ValueError for more

    @property
    def cells_recomputed(self) -> Bools:
        """Which scores (m, n) every step computes without a cache; shape (steps, T, T)."""
        rows = self.keys_used  # (steps, T)
        return rows[:, :, None] & causal_mask(self.n_tokens)

    @property
    def cells_cached(self) -> Bools:
        """Which scores (m, n) every step computes with a cache; shape (steps, T, T)."""
        rows = self.queries_used  # (steps, T)
        return rows[:, :, None] & causal_mask(self.n_tokens)

    @cached_property
    def times_recomputed(self) -> Ints:
        """How often (m, n) was computed without a cache after every step; shape (steps, T, T)."""
        return sealed_ints(self.cells_recomputed.cumsum(axis=0, dtype=np.int64))

    @cached_property
    def times_cached(self) -> Ints:
        """How often (m, n) was computed with a cache after every step; shape (steps, T, T)."""
        return sealed_ints(self.cells_cached.cumsum(axis=0, dtype=np.int64))

    @property
    def keys_used(self) -> Bools:
        """Which tokens' keys, and values, every step needs: all so far; shape (steps, T)."""
        return self._tokens_in_grid < self.lengths[:, None]

    @property
    def queries_used(self) -> Bools:
        """Which tokens' queries every step needs: the new ones alone; shape (steps, T)."""
        known = np.concatenate([[0], self.lengths[:-1]])  # (steps,)
        return self.keys_used & (self._tokens_in_grid >= known[:, None])

    @property
    def _tokens_in_grid(self) -> Ints:
        if self.n_tokens > MOST_TOKENS_IN_A_GRID:
            raise ValueError(
                f"n_tokens must be at most {MOST_TOKENS_IN_A_GRID} for a grid, got {self.n_tokens}"
            )
        return np.arange(self.n_tokens)  # (T,)
