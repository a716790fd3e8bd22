"""The memory that a KV cache takes, and the dot products of query and key that it saves.

Source: primer on attention, sections 3 and 4. The cache of T tokens holds 2 L T h d_k numbers: a
key and a value in every head of every layer. Groups of heads (GQA, Ainslie et al., 2023) or all
heads (MQA, Shazeer, 2019) may share keys and values, or each layer may keep one compressed vector
per token (MLA, DeepSeek-V2, 2024). A compressed vector cannot be rotated by RoPE, so DeepSeek's
models keep a decoupled, rotated key beside it, which all heads share.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, TypeAlias

import numpy as np

from clockhead.model.arrays import Bools, Ints, Values, check_float, check_int, read_only_ints
from clockhead.model.attention.pattern import causal_mask
from clockhead.model.units import Coordinates, Count, Doc, Factor, Tokens, Unit

Bytes: TypeAlias = Annotated[int, Unit("bytes")]
Megabytes: TypeAlias = Annotated[float, Unit("MB, 1e6 bytes")]
Gigabytes: TypeAlias = Annotated[float, Unit("GB, 1e9 bytes")]

MOST_TOKENS = 1_000_000
"""Longest text; sums of T^3/6 then fit in 64 bits."""
MOST_TOKENS_IN_A_GRID = 128
"""Longest text for grids of all steps, which have T^3 cells."""


_GIVEN = ("n_layers", "n_heads", "n_kv_heads", "d_head", "context", "bytes_per_number", "name",
          "latent_width", "rope_width", "memory_gb")  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class CacheSizes:
    """Sizes of a model and of its key-value cache."""

    n_layers: Annotated[Count, Doc("number of layers, L")]
    n_heads: Annotated[Count, Doc("number of heads in a layer, each with its own queries, h")]
    n_kv_heads: Annotated[
        Count, Doc("number of different keys of a token in a layer, and of values, h_kv")
    ]
    d_head: Annotated[Coordinates, Doc("width of queries, keys and values, d_k")]
    context: Annotated[Tokens, Doc("number of tokens in the cache, T")]
    bytes_per_number: Annotated[Bytes, Doc("size of one number, b; 2 for fp16")]
    name: Annotated[str, Doc("name of the model")]
    latent_width: Annotated[
        int | None,
        Unit("coordinates"),
        Doc("width of the compressed vector of a token in a layer, if there is one"),
    ]
    rope_width: Annotated[Coordinates, Doc("width of the rotated key beside the compressed vector")]
    memory_gb: Annotated[Gigabytes, Doc("memory of the machine")]

    heads_per_key: Annotated[Count, Doc("number of heads that share a key and a value")]
    numbers_per_layer: Annotated[
        Count, Doc("cached numbers of a token in one layer, 2 h_kv d_k or the widths if compressed")
    ]
    total_numbers: Annotated[Count, Doc("numbers in the cache, 2 L T h_kv d_k if not compressed")]
    bytes_per_token: Annotated[Bytes, Doc("memory that the cache takes per token, in bytes")]
    mb_per_token: Annotated[Megabytes, Doc("memory that the cache takes per token, in MB")]
    total_bytes: Annotated[Bytes, Doc("size of the cache, 2 L T h_kv d_k b if not compressed")]
    gb: Annotated[Gigabytes, Doc("size of the whole cache in GB")]
    factor_saved: Annotated[
        Factor, Doc("how many times smaller the cache is than with a key and a value in every head")
    ]

    def resize(self, **sizes: Any) -> CacheSizes:
        """The same model with other arguments of `cache_sizes`."""
        return cache_sizes(**{name: getattr(self, name) for name in _GIVEN} | sizes)

    def group(self, n_kv_heads: int) -> CacheSizes:
        """The same model with `n_kv_heads` keys and values in a layer, shared by groups (GQA).

        With one, all heads share it (MQA).
        """
        return self.resize(n_kv_heads=n_kv_heads, latent_width=None, rope_width=0)

    def compress(self, latent_width: int, rope_width: int = 0) -> CacheSizes:
        """The same model with a compressed vector per token and layer, and a rotated key (MLA)."""
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

    `n_kv_heads` must divide `n_heads`. With a `latent_width`, a compressed vector of this width and
    a rotated key of `rope_width` are kept instead of keys and values, together at most 2 h d_k
    numbers. Raises ValueError for sizes below 1 and for those that break these rules.
    """
    check_int("n_layers", n_layers, at_least=1)
    check_int("n_heads", n_heads, at_least=1)
    check_int("n_kv_heads", n_kv_heads, at_least=1)
    check_int("d_head", d_head, at_least=1)
    check_int("context", context, at_least=1)
    check_int("bytes_per_number", bytes_per_number, at_least=1)
    check_float("memory_gb", memory_gb, above=0)
    if n_heads % n_kv_heads:
        raise ValueError(f"n_kv_heads must divide n_heads = {n_heads}, got {n_kv_heads}")
    widest = 2 * n_heads * d_head
    per_layer = 2 * n_kv_heads * d_head
    if latent_width is not None:
        check_int("latent_width", latent_width, at_least=1)
        check_int("rope_width", rope_width, at_least=0)
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
    """Numbers of dot products of query and key in one head, while a text is generated.

    Masked scores are not counted.
    """

    n_tokens: Annotated[Tokens, Doc("final length of the text, T")]
    prompt: Annotated[Tokens, Doc("tokens of the prompt, which are the first step")]
    n_steps: Annotated[Count, Doc("number of steps, the prompt included")]
    lengths: Annotated[Ints, Doc("length of the text after every step; (steps,)")]
    recomputed_per_step: Annotated[
        Ints, Doc("scores of every step without a cache, t(t + 1)/2 for t tokens; (steps,)")
    ]
    cached_per_step: Annotated[
        Ints, Doc("scores of every step with a cache, t for the row of token t; (steps,)")
    ]
    both_so_far: Annotated[
        Ints, Doc("cumulative scores after every step, without a cache and with one; (steps, 2)")
    ]
    recomputed: Annotated[Count, Doc("total number of dot products without a cache")]
    cached: Annotated[Count, Doc("total number of dot products with a cache")]
    ratio: Annotated[Factor, Doc("dot products without a cache over those with one")]

    # A text twice as long
    both_to_doubled: Annotated[
        Ints,
        Doc(
            "cumulative scores without a cache and with one, as the text grows from T to 2 T; "
            "(T + 1, 2)"
        ),
    ]
    recomputed_doubled: Annotated[
        Count, Doc("total number of scores without a cache, for a text twice as long")
    ]
    recomputed_growth: Annotated[
        Factor, Doc("growth of the total for a text twice as long, without a cache")
    ]
    cached_growth: Annotated[
        Factor, Doc("growth of the total for a text twice as long, with a cache")
    ]
    long_recomputed_growth: Annotated[
        Count,
        Doc("limit of this growth for long texts without a cache, whose scores grow like T^3"),
    ]
    long_cached_growth: Annotated[
        Count, Doc("limit of this growth for long texts with a cache, whose scores grow like T^2")
    ]

    # Lazy, because these grids have T^3 cells; ValueError for more than 128 tokens

    @cached_property
    def keys_used(self) -> Bools:
        """True for tokens whose keys and values a step needs, all so far; shape (steps, T)."""
        if self.n_tokens > MOST_TOKENS_IN_A_GRID:
            raise ValueError(
                f"n_tokens must be at most {MOST_TOKENS_IN_A_GRID} for a grid, got {self.n_tokens}"
            )
        return np.arange(self.n_tokens) < self.lengths[:, None]

    @cached_property
    def queries_used(self) -> Bools:
        """True for tokens whose queries a step needs, only the new ones; shape (steps, T)."""
        keys = self.keys_used.astype(np.int64)
        return np.diff(keys, axis=0, prepend=0) > 0

    @cached_property
    def times_recomputed(self) -> Ints:
        """Times that score (m, n) was computed so far, without a cache; shape (steps, T, T)."""
        return self._times(self.keys_used)

    @cached_property
    def times_cached(self) -> Ints:
        """Times that score (m, n) was computed so far, with a cache; shape (steps, T, T)."""
        return self._times(self.queries_used)

    def _times(self, rows: Bools) -> Ints:
        """Times that score (m, n) was computed so far, if each step computes `rows` (steps, T)."""
        cells = rows[:, :, None] & causal_mask(self.n_tokens)  # (steps, T, T)
        return read_only_ints(cells.cumsum(axis=0, dtype=np.int64))


def score_counts(n_tokens: int, n_prompt: int = 1) -> ScoreCounts:
    """Count the scores of a text; the first step is the prompt, every other step one token.

    Without a cache, a step computes all scores of the text so far; with one, only the rows of new
    tokens. Raises ValueError for a prompt that is empty or longer than the text, and for more than
    1,000,000 tokens.
    """
    check_int("n_tokens", n_tokens, at_least=1)
    check_int("n_prompt", n_prompt, at_least=1)
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
