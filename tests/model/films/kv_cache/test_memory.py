import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.kv_cache.memory import (
    MOST_SHOWN,
    cache_memory,
    shared_caches,
)
from clockhead.model.transformer.cache_sizes import CacheSizes, cache_sizes
from clockhead.model.transformer.parameter_count import LLAMA_7B, parameter_count

PRIMER = cache_memory(cache_sizes(), LLAMA_7B)
SHARED = shared_caches(cache_sizes())
TINY = parameter_count(n_layers=1, d_model=1, d_ff=1, n_vocab=1)

sizes = st.builds(
    cache_sizes,
    n_layers=st.integers(1, 9),
    n_heads=st.just(4),
    n_kv_heads=st.sampled_from([1, 2, 4]),
    d_head=st.integers(1, 9),
    context=st.integers(1, 99),
    bytes_per_number=st.integers(1, 8),
    memory_gb=st.floats(1e-7, 1e-3),
)


def test_the_primer_s_cache_beside_the_weights_of_llama():
    assert_array_equal(PRIMER.factors, [128, 2, 32, 32, 2, 32_768])
    assert len(PRIMER.factor_names) == len(PRIMER.factors)
    products = [128, 256, 8_192, 262_144, 524_288, 17_179_869_184]
    assert_array_equal(PRIMER.products, products)
    assert PRIMER.key_and_value == 256
    cache, weights = 17.179869184, 13.476831232
    assert PRIMER.n_beside == 3
    assert_allclose(
        PRIMER.slivers, [[0, cache, 0, 0], [weights, 0, 0, 0], [weights, cache, cache, cache]]
    )
    assert_allclose(PRIMER.sums, [cache, weights, weights + 3 * cache])


@given(sizes)
def test_the_product_of_the_factors_is_the_size(cache: CacheSizes):
    memory = cache_memory(cache, TINY)
    assert memory.products[-1] == memory.factors.prod() == cache.total_bytes
    filled = round(1e9 * memory.weights_gb) + memory.n_beside * cache.total_bytes
    assert memory.n_beside == 0 or filled <= cache.memory_gb * 1e9
    assert filled + cache.total_bytes > cache.memory_gb * 1e9
    assert np.count_nonzero(memory.slivers[2]) == min(memory.n_beside, MOST_SHOWN) + 1


def test_a_compressed_cache_has_no_such_factors():
    with pytest.raises(ValueError, match="must not be compressed, got 512"):
        _ = cache_memory(cache_sizes().compress(512), LLAMA_7B)


def test_the_primer_s_heads_share():
    assert_allclose(SHARED.gbs, [17.179869184, 4.294967296, 0.536870912, 1.207959552])
    assert_array_equal(SHARED.latent_over_pair, [2.0, 0.25])
    assert_array_equal(SHARED.own_places, np.arange(32))
    assert_array_equal(SHARED.grouped_places[:5], [1.5, 1.5, 1.5, 1.5, 5.5])
    assert_array_equal(SHARED.shared_places, np.full(32, 15.5))


@pytest.mark.parametrize(
    ("own", "options", "message"),
    [
        (cache_sizes(n_kv_heads=8), {}, "keys and values for every head"),
        (cache_sizes().compress(512), {}, "keys and values for every head"),
        (cache_sizes(), {"n_groups": 1}, "must divide the 32 heads, got 1; 2 does"),
        (cache_sizes(), {"n_groups": 32}, "must divide the 32 heads, got 32; 16 does"),
        (cache_sizes(), {"n_groups": 5}, "must divide the 32 heads, got 5; 4 does"),
        (cache_sizes(), {"n_groups": 7}, "must divide the 32 heads, got 7; 8 does"),
        (cache_sizes(), {"latent_width": 8129}, "= 8192 together, got 8129 and 64"),
    ],
)
def test_ways_of_sharing_that_do_not_suit(own: CacheSizes, options: dict[str, int], message: str):
    with pytest.raises(ValueError, match=message):
        shared_caches(own, **options)


def test_a_prime_number_of_heads_has_no_groups():
    shared = shared_caches(cache_sizes(n_heads=31, n_kv_heads=31))
    assert not shared.is_grouped
    assert_allclose(shared.gbs / shared.own.gb, [1, 1 / 31, 576 / (2 * 31 * 128)])
