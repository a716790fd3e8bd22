"""A KV cache in the memory of a machine, next to the model's weights, and with shared heads.

Sizes are those of `model.transformer.cache_sizes`; the weights are counted by
`model.transformer.parameter_count`, with as many bytes each as numbers in the cache. The effect of
sharing on the weights is left out. Source: primer on attention, sections 3 and 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.transformer.cache_sizes import CacheSizes, Gigabytes
from clockhead.model.transformer.parameter_count import ParameterCount
from clockhead.model.units import Count, Doc, Unit

MOST_SHOWN = 40
"""Largest number of caches drawn one by one; more would blur."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CacheMemory(Values):
    """A cache, its model, and the memory that holds both."""

    sizes: Annotated[CacheSizes, Doc("sizes of the cache")]
    parameters: Annotated[ParameterCount, Doc("sizes of the model and its numbers of parameters")]
    factors: Annotated[Ints, Doc("factors of the size in bytes: d_k, 2, h_kv, L, b and T; (6,)")]
    factor_names: Annotated[
        tuple[str, ...],
        Doc("labels of these factors, with a multiplication sign from the second on; (6,)"),
    ]
    products: Annotated[Floats, Doc("cumulative products of the factors; (6,)")]
    key_and_value: Annotated[Count, Doc("numbers in a key and a value of one head, 2 d_k")]
    weights_gb: Annotated[Gigabytes, Doc("size of the weights of the model in GB")]
    n_beside: Annotated[
        Count, Doc("number of such caches that fit into the memory next to the weights")
    ]
    slivers: Annotated[
        Floats,
        Unit("GB, 1e9 bytes"),
        Doc(
            "parts of three bars in GB, weights first: a cache; the weights; the weights and all "
            "caches that fit, up to 40; (3, n + 1), where n is at least 1"
        ),
    ]
    sums: Annotated[Floats, Unit("GB, 1e9 bytes"), Doc("lengths of these three bars, in GB; (3,)")]


def cache_memory(sizes: CacheSizes, parameters: ParameterCount) -> CacheMemory:
    """A cache next to the model's weights, which are shown whole even if they do not fit.

    Raises ValueError for a compressed cache, whose size is not the product of these factors.
    """
    if sizes.latent_width is not None:
        raise ValueError(f"sizes must not be compressed, got {sizes.latent_width} coordinates")
    per_token = (sizes.d_head, 2, sizes.n_kv_heads, sizes.n_layers, sizes.bytes_per_number)
    factors = np.array([*per_token, sizes.context])  # (6,)
    heads = "× heads" if sizes.heads_per_key == 1 else "× groups"
    weights_bytes = parameters.total * sizes.bytes_per_number
    free = sizes.memory_gb * 10**9 - weights_bytes
    n_beside = max(0, int(free // sizes.total_bytes))
    n_shown = min(n_beside, MOST_SHOWN)
    slivers = np.zeros((3, 1 + max(1, n_shown)))
    slivers[1:, 0] = weights_bytes / 10**9
    slivers[0, 1] = sizes.gb
    slivers[2, 1 : 1 + n_shown] = sizes.gb
    return CacheMemory(
        sizes=sizes,
        parameters=parameters,
        factors=factors,
        factor_names=("numbers", "× key, value", heads, "× layers", "× bytes", "× tokens"),
        products=factors.astype(float).cumprod(),
        key_and_value=2 * sizes.d_head,
        weights_gb=weights_bytes / 10**9,
        n_beside=n_beside,
        slivers=slivers,
        sums=slivers.sum(axis=1),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class SharedCaches(Values):
    """The cache of a model whose h heads share nothing, and three smaller ones."""

    own: Annotated[CacheSizes, Doc("sizes if every head has its own keys and values")]
    is_grouped: Annotated[bool, Doc("whether the heads can be divided into equal groups")]
    grouped: Annotated[
        CacheSizes,
        Doc(
            "sizes if groups of heads share keys and values (GQA); `own` if they cannot be divided"
        ),
    ]
    shared: Annotated[CacheSizes, Doc("sizes if all heads share one key and one value (MQA)")]
    latent: Annotated[
        CacheSizes,
        Doc(
            "sizes if one compressed vector is cached, from which keys and values are recomputed, "
            "and a rotated key (MLA)"
        ),
    ]
    gbs: Annotated[
        Floats,
        Unit("GB, 1e9 bytes"),
        Doc("size of the cache in GB: own, grouped if it can be, shared, latent; (4,) or (3,)"),
    ]
    latent_over_pair: Annotated[
        Floats,
        Doc(
            "widths of compressed vector and rotated key over that of a head's key and value; (2,)"
        ),
    ]
    own_places: Annotated[Floats, Doc("place of each head's key and value without sharing; (h,)")]
    grouped_places: Annotated[
        Floats, Doc("place of each head's key and value in groups, the middle of its group; (h,)")
    ]
    shared_places: Annotated[
        Floats, Doc("place of the key and value that all heads share, the middle of all; (h,)")
    ]


def shared_caches(
    own: CacheSizes, n_groups: int = 8, latent_width: int = 512, rope_width: int = 64
) -> SharedCaches:
    """Share keys and values of `own` in groups, among all heads, or compress them.

    If the heads cannot be divided into equal groups, because their number is prime, every head is a
    group. Raises ValueError for heads that already share, for groups of one head or of all, and for
    a number of groups or a width that does not fit.
    """
    n_heads = own.n_heads
    if own.numbers_per_layer != 2 * n_heads * own.d_head:
        raise ValueError("own must have keys and values for every head")
    latent = own.compress(latent_width, rope_width)
    divisors = [k for k in range(2, n_heads) if n_heads % k == 0]
    if divisors and n_groups not in divisors:
        near = min(divisors, key=lambda k: abs(np.log(k / n_groups)))
        raise ValueError(f"n_groups must divide the {n_heads} heads, got {n_groups}; {near} does")
    grouped, shared = own.group(n_groups) if divisors else own, own.group(1)
    ways = (own, grouped, shared, latent) if divisors else (own, shared, latent)
    places, size = np.arange(n_heads, dtype=float), grouped.heads_per_key
    return SharedCaches(
        own=own,
        is_grouped=bool(divisors),
        grouped=grouped,
        shared=shared,
        latent=latent,
        gbs=np.array([sizes.gb for sizes in ways]),
        latent_over_pair=np.array([latent_width, rope_width]) / (2 * own.d_head),
        own_places=places,
        grouped_places=places // size * size + (size - 1) / 2,
        shared_places=np.full(n_heads, (n_heads - 1) / 2),
    )
