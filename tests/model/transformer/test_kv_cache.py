import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.transformer.block import TransformerBlock
from clockhead.model.transformer.cache_sizes import cache_sizes
from clockhead.model.transformer.kv_cache import (
    LayerCache,
    cached_block_pass,
    cached_pass,
)
from clockhead.model.transformer.transformer import Transformer, random_transformer

seeds = st.integers(0, 2**32 - 1)
MODEL = random_transformer(n_layers=2, d_model=6, n_heads=2, d_ff=8, n_vocab=10, seed=7)


def random_text(n_tokens, d_model=6, seed=0):
    return np.random.default_rng(seed).normal(size=(n_tokens, d_model))


def small_model(layers, heads, d_head, seed):
    """Weights of spread .7/sqrt(rows): the stream stays small, and so does what is rounded."""
    rng = np.random.default_rng(seed)
    d = heads * d_head
    shapes = [(d, d)] * 4 + [(d, 2 * d), (2 * d, d)]

    def drawn(shape):
        return 0.7 * rng.normal(size=shape) / math.sqrt(shape[0])

    blocks = (TransformerBlock(*map(drawn, shapes), n_heads=heads) for _ in range(layers))
    return Transformer(tuple(blocks), drawn((d, 5)))


# Equal to the full pass


@settings(max_examples=60)
@given(
    seeds, st.integers(1, 3), st.integers(1, 3), st.integers(1, 3), st.integers(1, 24), st.data()
)
def test_any_split_gives_what_the_full_pass_gives(seed, layers, heads, width, n_tokens, data):
    prefill = data.draw(st.integers(1, n_tokens))
    model = small_model(layers, heads, width, seed)
    found = cached_pass(model, random_text(n_tokens, heads * width, seed), prefill)
    full = model.run(found.resid_pre)
    assert_allclose(found.resids, full.resids, rtol=0, atol=1e-12)
    assert_allclose(found.logits, full.logits, rtol=0, atol=1e-12)
    patterns = [one.patterns for one in full.block_passes]
    assert_allclose(found.patterns, patterns, rtol=0, atol=1e-12)
    for name in ("keys", "values"):
        rows = [getattr(one, name) for one in full.block_passes]  # (T, h d_head) each
        beside = [np.hstack(list(layer)) for layer in getattr(found, name)]
        assert_allclose(beside, rows, rtol=0, atol=1e-12)
    gaps = [
        np.abs(found.resids - full.resids).max(),
        np.abs(found.patterns - patterns).max(),
        np.abs(found.logits - full.logits).max(),
    ]
    assert found.largest_difference == max(gaps)


def test_of_large_numbers_the_difference_is_small_beside_them():
    model = random_transformer(n_layers=4, d_model=12, n_heads=4, d_ff=48, n_vocab=20, seed=1)
    found = cached_pass(model, random_text(48, 12, seed=1))
    largest = max(np.abs(found.full.resids).max(), np.abs(found.full.logits).max())
    assert largest > 1e4
    assert found.relative_difference == found.largest_difference / largest
    assert found.relative_difference < 1e-13


# What a step computes and keeps


@pytest.mark.parametrize("prefill", [1, 3, 12, 24])
def test_twenty_four_tokens_through_two_layers_of_two_heads(prefill):
    found = cached_pass(MODEL, random_text(24), prefill)
    assert found.largest_difference < 1e-12
    sizes = cache_sizes(n_layers=2, n_heads=2, n_kv_heads=2, d_head=3, context=24)
    assert found.keys.size + found.values.size == sizes.total_numbers == 576
    lengths = [[one.cache_after.keys.shape[1] for one in passes] for passes in found.steps]
    assert lengths == [[n, n] for n in range(prefill, 25)]
    computed = [np.isfinite(passes[0].scores[0]).sum() for passes in found.steps]
    assert_array_equal(computed, found.counts.cached_per_step)
    assert sum(computed) == 300
    new = [[len(one.resid_pre) for one in passes] for passes in found.steps]
    assert new == [[prefill] * 2] + [[1] * 2] * (24 - prefill)


def test_a_step_needs_the_new_rows_and_the_cache_alone():
    found = cached_pass(MODEL, random_text(6), n_prompt=4)
    before, after = found.steps[0][1].cache_after, found.steps[1][1]
    again = cached_block_pass(MODEL.blocks[1], found.resids[1][[4]], before)
    assert_allclose(again.resid_post, found.resids[2][[4]], atol=1e-14)
    assert again.queries.shape == (2, 1, 3)
    assert after.cache is before
    assert_array_equal(after.cache_after.keys[:, :4], before.keys)
    assert before.keys.shape == before.values.shape == (2, 4, 3)


def test_a_step_reads_what_the_cache_says():
    found = cached_pass(MODEL, random_text(6), n_prompt=5)
    block, cache = MODEL.blocks[0], found.steps[0][0].cache_after
    row = found.resid_pre[[5]]
    other_value = LayerCache(cache.keys, cache.values + np.eye(5)[:, [2]])
    other_key = LayerCache(cache.keys + np.eye(5)[:, [2]], cache.values)
    right = cached_block_pass(block, row, cache)
    told = cached_block_pass(block, row, other_value)
    assert_array_equal(told.patterns, right.patterns)
    assert np.abs(told.resid_post - right.resid_post).max() > 1e-3
    moved = cached_block_pass(block, row, other_key).patterns / right.patterns  # (h, 1, 6)
    others = moved[..., [0, 1, 3, 4, 5]]
    assert_allclose(others / others[..., :1], 1)
    assert np.all(np.abs(moved[..., 2] / others[..., 0] - 1) > 1e-3)


@given(seeds, st.integers(0, 4))
def test_what_is_kept_does_not_depend_on_what_comes_later(seed, place):
    text = random_text(6, seed=seed)
    other = text.copy()
    other[place + 1 :] += 1
    found, told = cached_pass(MODEL, text, 2), cached_pass(MODEL, other, 2)
    seen = slice(place + 1)
    assert_allclose(found.keys[:, :, seen], told.keys[:, :, seen], rtol=0, atol=1e-12)
    assert_allclose(found.logits[seen], told.logits[seen], rtol=0, atol=1e-12)
    assert np.abs(found.logits[place + 1 :] - told.logits[place + 1 :]).max() > 1e-3


# Refusals, units


def with_blocks(change):
    return Transformer((MODEL.blocks[0], change(MODEL.blocks[1])), MODEL.unembedding)


@pytest.mark.parametrize(
    ("model", "shape", "prefill", "message"),
    [
        (MODEL, (4, 6), 0, "n_prompt must be a whole number of at least 1, got 0"),
        (MODEL, (4, 6), 5, "n_prompt must be at most n_tokens = 4, got 5"),
        (MODEL, (4, 5), 1, "resid_pre must have a row .* 6 columns"),
        (MODEL, (0, 6), 1, "resid_pre must have a row"),
        (MODEL, (6,), 1, "resid_pre must have 2 axes"),
        (
            with_blocks(lambda block: replace(block, n_heads=3)),
            (4, 6),
            1,
            r"blocks must all have the same n_heads and d_head, got \[\(2, 3\), \(3, 2\)\]",
        ),
        (
            with_blocks(lambda block: replace(block, mask="none")),
            (4, 6),
            1,
            r"blocks must mask 'before softmax' for a cache, got \['none'\]",
        ),
        (
            with_blocks(lambda block: replace(block, mask="after softmax")),
            (4, 6),
            1,
            r"got \['after softmax'\]",
        ),
    ],
)
def test_what_cannot_be_cached_is_refused(model, shape, prefill, message):
    with pytest.raises(ValueError, match=message):
        cached_pass(model, np.ones(shape), prefill)
