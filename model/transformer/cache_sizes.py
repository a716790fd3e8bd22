"""What a KV cache costs in memory, and what it saves in dot products of query and key.

Source: primer on attention, sections 3 and 4. The cache of T tokens holds 2 L T h d_k numbers: a
key and a value in every head of every layer. Heads may share keys and values: in groups (GQA,
Ainslie et al., 2023), all of them (MQA, Shazeer, 2019), or as one compressed vector for a token in
each layer (MLA, DeepSeek-V2, 2024). A compressed vector cannot be rotated by RoPE, so DeepSeek's
models keep a rotated key beside it, the decoupled one, which all heads share.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, TypeAlias

import numpy as np

from clockhead.model.arrays import Bools, Ints, Values, real, sealed_ints, whole
from clockhead.model.attention.pattern import causal_mask
from clockhead.model.units import Coordinates, Count, Doc, Factor, Tokens, Unit

Bytes: TypeAlias = Annotated[int, Unit("bytes")]
Megabytes: TypeAlias = Annotated[float, Unit("MB, 1e6 bytes")]
Gigabytes: TypeAlias = Annotated[float, Unit("GB, 1e9 bytes")]

MOST_TOKENS = 1_000_000
"""Sums of T^3/6 stay well inside 64 bits."""
MOST_TOKENS_IN_A_GRID = 128
"""Grids of every step have T^3 cells."""


_GIVEN = ("n_layers", "n_heads", "n_kv_heads", "d_head", "context", "bytes_per_number", "name",
          "latent_width", "rope_width", "memory_gb")  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class CacheSizes:
    """Sizes of a model and of the cache it keeps."""

    n_layers: Annotated[Count, Doc("layers, L")]
    n_heads: Annotated[Count, Doc("heads in a layer, each with queries of its own, h")]
    n_kv_heads: Annotated[Count, Doc("different keys and values of a token in a layer, h_kv")]
    d_head: Annotated[Coordinates, Doc("width of a query, a key and a value, d_k")]
    context: Annotated[Tokens, Doc("tokens in the cache, T")]
    bytes_per_number: Annotated[Bytes, Doc("size of one number, b; 2 at fp16")]
    name: Annotated[str, Doc("what the model is called")]
    latent_width: Annotated[
        int | None, Unit("coordinates"), Doc("numbers kept of a token and layer if compressed")
    ]
    rope_width: Annotated[Coordinates, Doc("numbers of the rotated key kept beside them")]
    memory_gb: Annotated[Gigabytes, Doc("memory of the machine")]

    heads_per_key: Annotated[Count, Doc("the number of heads that share a key and a value")]
    numbers_per_layer: Annotated[
        Count, Doc("numbers of a token in one layer, 2 h_kv d_k or the widths if compressed")
    ]
    total_numbers: Annotated[Count, Doc("numbers in the cache, 2 L T h_kv d_k if not compressed")]
    bytes_per_token: Annotated[Bytes, Doc("the cache that one token needs, in bytes")]
    mb_per_token: Annotated[Megabytes, Doc("the cache that one token needs")]
    total_bytes: Annotated[Bytes, Doc("size of the cache, 2 L T h_kv d_k b if not compressed")]
    gb: Annotated[Gigabytes, Doc("size of the whole cache in GB")]
    factor_saved: Annotated[Factor, Doc("how many times smaller the cache is")]

    def resize(self, **sizes: Any) -> CacheSizes:
        """The same model but for these arguments of `cache_sizes`."""
        return cache_sizes(**{name: getattr(self, name) for name in _GIVEN} | sizes)

    def group(self, n_kv_heads: int) -> CacheSizes:
        """The same model with `n_kv_heads` keys and values in a layer, for groups of heads (GQA).

        With one, all heads share it (MQA).
        """
        return self.resize(n_kv_heads=n_kv_heads, latent_width=None, rope_width=0)

    def compress(self, latent_width: int, rope_width: int = 0) -> CacheSizes:
        """The same model with one vector for a token in a layer, and a rotated key (MLA)."""
        return self.resize(
            n_kv_heads=self.n_heads, latent_width=latent_width, rope_width=rope_width
        )


def cache_sizes(
    n_layers: int = 32,
    n_heads: int = 32,
    n_kv_heads: int = 32,
    d_head: int = 128,
    context: int = 32_768,
    bytes_per_number: int = 2,
    name: str = "7B",
    latent_width: int | None = None,
    rope_width: int = 0,
    memory_gb: float = 80.0,
) -> CacheSizes:
    """The cache of a model; the defaults are the primer's row for 7B, fp16.

    `n_kv_heads` divides `n_heads`: as many keys and values as queries, fewer, or one for all. With
    a `latent_width`, that many numbers are kept instead of keys and values, and `rope_width` beside
    them, together at most 2 h d_k. Raises ValueError for sizes below 1, and for others than these.
    """
    whole("n_layers", n_layers, at_least=1)
    whole("n_heads", n_heads, at_least=1)
    whole("n_kv_heads", n_kv_heads, at_least=1)
    whole("d_head", d_head, at_least=1)
    whole("context", context, at_least=1)
    whole("bytes_per_number", bytes_per_number, at_least=1)
    real("memory_gb", memory_gb, above=0)
    if n_heads % n_kv_heads:
        raise ValueError(f"n_kv_heads must divide n_heads = {n_heads}, got {n_kv_heads}")
    widest = 2 * n_heads * d_head
    per_layer = 2 * n_kv_heads * d_head
    if latent_width is not None:
        whole("latent_width", latent_width, at_least=1)
        whole("rope_width", rope_width, at_least=0)
        per_layer = latent_width + rope_width
        if per_layer > widest:
            raise ValueError(
                f"latent_width and rope_width must be at most 2 h d_k = {widest} together, "
                f"got {latent_width} and {rope_width}"
            )
    bytes_per_token = n_layers * per_layer * bytes_per_number
    return CacheSizes(
        n_layers=n_layers,
        n_heads=n_heads,
        n_kv_heads=n_kv_heads,
        d_head=d_head,
        context=context,
        bytes_per_number=bytes_per_number,
        name=name,
        latent_width=latent_width,
        rope_width=rope_width,
        memory_gb=memory_gb,
        heads_per_key=n_heads // n_kv_heads,
        numbers_per_layer=per_layer,
        total_numbers=context * n_layers * per_layer,
        bytes_per_token=bytes_per_token,
        mb_per_token=bytes_per_token / 10**6,
        total_bytes=context * bytes_per_token,
        gb=context * bytes_per_token / 10**9,
        factor_saved=widest / per_layer,
    )


@dataclass(frozen=True, kw_only=True)
class ScoreCounts(Values):
    """Dot products of query and key in one head, while a text is written token by token.

    Masked scores are not counted.
    """

    n_tokens: Annotated[Tokens, Doc("length of the text in the end, T")]
    prompt: Annotated[Tokens, Doc("tokens that the first step takes at once")]
    n_steps: Annotated[Count, Doc("how many steps there are, the prompt's included")]
    lengths: Annotated[Ints, Doc("tokens of the text after every step; (steps,)")]
    recomputed_per_step: Annotated[
        Ints, Doc("scores of every step without a cache, t(t + 1)/2 for t tokens; (steps,)")
    ]
    cached_per_step: Annotated[
        Ints, Doc("scores of every step with a cache, t for the one row of token t; (steps,)")
    ]
    both_so_far: Annotated[
        Ints, Doc("scores up to every step without a cache, and with one; (steps, 2)")
    ]
    recomputed: Annotated[Count, Doc("the dot products in all without a cache")]
    cached: Annotated[Count, Doc("the dot products in all with a cache")]
    ratio: Annotated[Factor, Doc("how many times as many dot products without a cache")]

    # A text twice as long
    both_to_doubled: Annotated[
        Ints,
        Doc(
            "scores in all, without a cache and with one, as a text grows from T to 2 T tokens; "
            "(T + 1, 2)"
        ),
    ]
    recomputed_doubled: Annotated[
        Count, Doc("scores in all without a cache, of a text twice as long")
    ]
    recomputed_growth: Annotated[Factor, Doc("the growth for twice the words, without a cache")]
    cached_growth: Annotated[Factor, Doc("the growth for twice the words, with a cache")]
    long_recomputed_growth: Annotated[
        Count, Doc("what this is without a cache for long texts, whose scores grow like T^3")
    ]
    long_cached_growth: Annotated[
        Count, Doc("what it is with a cache for long texts, whose scores grow like T^2")
    ]

    # Lazy: grids of T^3 cells, of at most 128 tokens; ValueError for more

    @cached_property
    def keys_used(self) -> Bools:
        """Which tokens' keys, and values, every step needs: all so far; shape (steps, T)."""
        if self.n_tokens > MOST_TOKENS_IN_A_GRID:
            raise ValueError(
                f"n_tokens must be at most {MOST_TOKENS_IN_A_GRID} for a grid, got {self.n_tokens}"
            )
        return np.arange(self.n_tokens) < self.lengths[:, None]

    @cached_property
    def queries_used(self) -> Bools:
        """Which tokens' queries every step needs: the new ones alone; shape (steps, T)."""
        keys = self.keys_used.astype(np.int64)
        return np.diff(keys, axis=0, prepend=0) > 0

    @cached_property
    def times_recomputed(self) -> Ints:
        """How often (m, n) was computed without a cache after every step; shape (steps, T, T)."""
        return self._times(self.keys_used)

    @cached_property
    def times_cached(self) -> Ints:
        """How often (m, n) was computed with a cache after every step; shape (steps, T, T)."""
        return self._times(self.queries_used)

    def _times(self, rows: Bools) -> Ints:
        """How often (m, n) was computed after every step, whose rows are these (steps, T)."""
        cells = rows[:, :, None] & causal_mask(self.n_tokens)  # (steps, T, T)
        return sealed_ints(cells.cumsum(axis=0, dtype=np.int64))


def score_counts(n_tokens: int, n_prompt: int = 1) -> ScoreCounts:
    """Scores of a text: the first step takes the prompt at once, every other step one token more.

    Without a cache a step computes every score of the text so far; with one, only the rows of the
    tokens that are new. Raises ValueError for a prompt that is empty or longer than the text, and
    for more than 1,000,000 tokens.
    """
    whole("n_tokens", n_tokens, at_least=1)
    whole("n_prompt", n_prompt, at_least=1)
    if n_tokens > MOST_TOKENS:
        raise ValueError(f"n_tokens must be at most {MOST_TOKENS}, got {n_tokens}")
    if n_prompt > n_tokens:
        raise ValueError(f"n_prompt must be at most n_tokens = {n_tokens}, got {n_prompt}")
    lengths = np.arange(n_prompt, 2 * n_tokens + 1)  # to a text twice as long
    recomputed_per_step = lengths * (lengths + 1) // 2
    cached_per_step = np.diff(recomputed_per_step, prepend=0)
    so_far = np.stack([recomputed_per_step.cumsum(), cached_per_step.cumsum()], axis=1)
    n_steps = n_tokens - n_prompt + 1
    (recomputed, cached), doubled = so_far[n_steps - 1].tolist(), so_far[-1].tolist()
    return ScoreCounts(
        n_tokens=n_tokens,
        prompt=n_prompt,
        n_steps=n_steps,
        lengths=lengths[:n_steps],
        recomputed_per_step=recomputed_per_step[:n_steps],
        cached_per_step=cached_per_step[:n_steps],
        both_so_far=so_far[:n_steps],
        recomputed=recomputed,
        cached=cached,
        ratio=recomputed / cached,
        both_to_doubled=so_far[n_steps - 1 :],
        recomputed_doubled=doubled[0],
        recomputed_growth=doubled[0] / recomputed,
        cached_growth=doubled[1] / cached,
        long_recomputed_growth=2**3,
        long_cached_growth=2**2,
    )
