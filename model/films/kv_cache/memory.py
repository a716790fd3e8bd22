"""A KV cache in the memory of a machine: beside the model's weights, and with its heads sharing.

Sizes are those of `model.transformer.cache_sizes`; the weights are counted by
`model.transformer.parameter_count`, as large a number for each as in the cache. What sharing does
to the weights themselves is left out. Source: primer on attention, sections 3 and 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.transformer.cache_sizes import CacheSizes, Gigabytes
from clockhead.model.transformer.parameter_count import ParameterCount
from clockhead.model.units import Count, Doc

MOST_SHOWN = 40
"""As many caches beside the weights can be told apart."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CacheMemory(Values):
    """A cache, the model that keeps it, and the memory that both have to share."""

    sizes: Annotated[CacheSizes, Doc("the sizes of the cache")]
    parameters: Annotated[ParameterCount, Doc("the sizes of the model")]
    factors: Annotated[
        Ints, Doc("what the size in bytes is the product of: d_k, 2, h_kv, L, b and T; (6,)")
    ]
    factor_names: Annotated[
        tuple[str, ...],
        Doc("what these factors count, each after the first with the sign before it; (6,)"),
    ]
    products: Annotated[
        Floats, Doc("the product of the first factor, of the first two, and so on to all; (6,)")
    ]
    key_and_value: Annotated[
        Count, Doc("how many numbers a key and a value of one head hold, 2 d_k")
    ]
    weights_gb: Annotated[Gigabytes, Doc("size of the weights of the model in GB")]
    n_beside: Annotated[Count, Doc("how many such caches fit into the memory beside the weights")]
    slivers: Annotated[
        Floats,
        Doc(
            "in GB: a cache; the weights; the weights with all caches that fit beside them, up to "
            "40; (3, n + 1), weights first, where n is 1 at least"
        ),
    ]
    sums: Annotated[Floats, Doc("what each of these three comes to, in GB; (3,)")]


def cache_memory(sizes: CacheSizes, parameters: ParameterCount) -> CacheMemory:
    """The cache beside the weights, of which nothing is left out even if they do not fit.

    Raises ValueError for a cache that is compressed, which is no product of these factors.
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
    """The cache of a model whose h heads share nothing, and three that are smaller."""

    own: Annotated[CacheSizes, Doc("the sizes where every head has its own keys and values")]
    is_grouped: Annotated[bool, Doc("whether the heads can be cut into equal groups")]
    grouped: Annotated[
        CacheSizes,
        Doc("the sizes where groups of heads share keys and values (GQA), or every head is one"),
    ]
    shared: Annotated[
        CacheSizes, Doc("the sizes where all heads share one key and one value (MQA)")
    ]
    latent: Annotated[
        CacheSizes,
        Doc(
            "the sizes where one vector is kept, of which each head makes its own anew, and a "
            "rotated key beside it (MLA)"
        ),
    ]
    gbs: Annotated[
        Floats,
        Doc("size of the cache in GB: own, grouped if it can be, shared, latent; (4,) or (3,)"),
    ]
    latent_over_pair: Annotated[
        Floats, Doc("the one vector and the rotated key, in keys and values of one head; (2,)")
    ]
    own_places: Annotated[
        Floats, Doc("where the key and the value of each head stand, its own under each; (h,)")
    ]
    grouped_places: Annotated[
        Floats, Doc("where those of its group stand, in the middle of the group; (h,)")
    ]
    shared_places: Annotated[
        Floats, Doc("where those of all heads stand, in the middle of them; (h,)")
    ]


def shared_caches(
    own: CacheSizes, n_groups: int = 8, latent_width: int = 512, rope_width: int = 64
) -> SharedCaches:
    """Let the heads of `own` share in groups, or all, or keep one vector of `latent_width` numbers.

    If the heads cannot be cut into equal groups, because their number is prime, every head is a
    group. Raises ValueError for heads that share already, for groups of one head or of all, and for
    a number of groups or a width that does not suit.
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
