import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from clockhead.model.transformer.cache_sizes import (
    cache_sizes,
    score_counts,
)

PRIMER = cache_sizes()

small = st.integers(1, 4)


# Memory


def test_the_primer_s_row_for_7b():
    assert PRIMER.numbers_per_layer == 8_192
    assert PRIMER.total_numbers == 8_589_934_592
    assert PRIMER.bytes_per_token == 524_288 == 512 * 2**10
    assert PRIMER.mb_per_token == 0.524288
    assert PRIMER.total_bytes == 17_179_869_184 == 16 * 2**30
    assert PRIMER.gb == 17.179869184
    assert (PRIMER.factor_saved, PRIMER.heads_per_key) == (1.0, 1)


@pytest.mark.parametrize(
    ("changed", "numbers", "gib", "factor", "heads_per_key"),
    [
        (PRIMER.group(8), 2_048, 4.0, 4.0, 4),
        (PRIMER.group(1), 256, 0.5, 32.0, 32),
        (PRIMER.compress(512), 512, 1.0, 16.0, 1),
        (PRIMER.compress(512, 64), 576, 1.125, 8192 / 576, 1),
        (PRIMER.group(8).compress(512), 512, 1.0, 16.0, 1),
        (PRIMER.compress(512, 64).group(8), 2_048, 4.0, 4.0, 4),
        (PRIMER.resize(bytes_per_number=4), 8_192, 32.0, 1.0, 1),
    ],
)
def test_what_if_heads_share_or_compress(changed, numbers, gib, factor, heads_per_key):
    assert changed.numbers_per_layer == numbers
    assert changed.total_bytes == gib * 2**30
    assert changed.factor_saved == factor
    assert changed.heads_per_key == heads_per_key
    assert changed.name == "7B"


@given(small, small, small, small, small, small)
def test_the_cache_is_as_large_as_an_array_of_all_it_holds(layers, kv, group, d, tokens, size):
    sizes = cache_sizes(layers, kv * group, kv, d, tokens, size, "any")
    cache = np.zeros((2, layers, tokens, kv, d), dtype=np.dtype((np.void, size)))
    assert sizes.total_numbers == cache.size
    assert sizes.total_bytes == cache.nbytes
    assert sizes.bytes_per_token == cache[:, :, 0].nbytes
    assert sizes.factor_saved == group
    latent = np.zeros((layers, tokens, d), dtype=cache.dtype)
    assert sizes.compress(d).total_bytes == latent.nbytes


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_layers": 0}, "n_layers must be a whole number of at least 1, got 0"),
        ({"d_head": 1.5}, "d_head must be a whole number of at least 1, got 1.5"),
        ({"context": 0}, "context must be a whole number"),
        ({"bytes_per_number": 0}, "bytes_per_number must be a whole number"),
        ({"n_heads": True}, "n_heads must be a whole number"),
        ({"n_kv_heads": 12}, "n_kv_heads must divide n_heads = 32, got 12"),
        ({"n_kv_heads": 64}, "n_kv_heads must divide n_heads = 32, got 64"),
        ({"latent_width": 8_193}, "latent_width .* must be at most 2 h d_k = 8192 .* 8193"),
        ({"latent_width": 8_129, "rope_width": 64}, "rope_width must be at most .* 8192 together"),
        ({"latent_width": 0}, "latent_width must be a whole number of at least 1, got 0"),
        ({"memory_gb": 0}, "memory_gb must be a finite number above 0, got 0"),
    ],
)
def test_bad_sizes_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        cache_sizes(**options)


# Scores


def plain_counts(n_tokens, prompt):
    """Every score of every step, one by one: times (m, n) was computed, and how many a step."""
    sizes = range(n_tokens)
    anew, kept = ([[0 for _ in sizes] for _ in sizes] for _ in range(2))
    per_step = []
    known = 0
    for length in range(prompt, n_tokens + 1):
        step = [0, 0]
        for m in range(length):
            for n in range(m + 1):
                anew[m][n] += 1
                step[0] += 1
                if m >= known:
                    kept[m][n] += 1
                    step[1] += 1
        per_step.append(step)
        known = length
    return anew, kept, per_step


def test_three_tokens_by_hand():
    counts = score_counts(3)
    assert_array_equal(counts.lengths, [1, 2, 3])
    assert_array_equal(counts.recomputed_per_step, [1, 3, 6])
    assert_array_equal(counts.cached_per_step, [1, 2, 3])
    assert_array_equal(counts.both_so_far, [[1, 1], [4, 3], [10, 6]])
    assert (counts.recomputed, counts.cached, counts.ratio) == (10, 6, 10 / 6)
    assert_array_equal(counts.times_recomputed[1], [[2, 0, 0], [1, 1, 0], [0, 0, 0]])
    assert_array_equal(counts.times_recomputed[2], [[3, 0, 0], [2, 2, 0], [1, 1, 1]])
    assert_array_equal(counts.times_cached[1], [[1, 0, 0], [1, 1, 0], [0, 0, 0]])
    assert_array_equal(counts.times_cached[2], np.tri(3))


def test_a_prompt_of_three_and_two_more_by_hand():
    counts = score_counts(5, n_prompt=3)
    assert counts.n_steps == 3
    assert_array_equal(counts.recomputed_per_step, [6, 10, 15])
    assert_array_equal(counts.cached_per_step, [6, 4, 5])
    assert (counts.recomputed, counts.cached) == (31, 15)
    assert_array_equal(counts.queries_used, [[1, 1, 1, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1]])
    assert_array_equal(counts.keys_used, [[1, 1, 1, 0, 0], [1, 1, 1, 1, 0], [1, 1, 1, 1, 1]])


@given(st.integers(1, 12), st.data())
def test_counting_them_one_by_one_agrees(n_tokens, data):
    prompt = data.draw(st.integers(1, n_tokens))
    counts = score_counts(n_tokens, prompt)
    anew, kept, per_step = plain_counts(n_tokens, prompt)
    assert_array_equal(counts.times_recomputed[-1], anew)
    assert_array_equal(counts.times_cached[-1], kept)
    assert_array_equal(counts.recomputed_per_step, [step[0] for step in per_step])
    assert_array_equal(counts.cached_per_step, [step[1] for step in per_step])
    assert_array_equal(counts.times_recomputed.sum(axis=(1, 2)), counts.both_so_far[:, 0])
    assert_array_equal(counts.times_cached.sum(axis=(1, 2)), counts.both_so_far[:, 1])
    assert counts.recomputed == sum(map(sum, anew)) == counts.both_so_far[-1, 0]
    assert counts.cached == sum(map(sum, kept)) == counts.both_so_far[-1, 1]
    assert counts.n_steps == len(per_step)


@given(st.integers(1, 40))
def test_from_one_token_on_every_step_has_one_query_and_all_keys_so_far(n_tokens):
    counts = score_counts(n_tokens)
    assert_array_equal(counts.queries_used, np.eye(n_tokens))
    assert_array_equal(counts.keys_used, np.tri(n_tokens))
    assert counts.ratio == pytest.approx((n_tokens + 2) / 3)


@given(st.integers(1, 12), st.data())
def test_a_text_twice_as_long(n_tokens, data):
    prompt = data.draw(st.integers(1, n_tokens))
    _, _, per_step = plain_counts(2 * n_tokens, prompt)
    counts = score_counts(n_tokens, prompt)
    so_far = np.cumsum(per_step, axis=0)
    assert_array_equal(counts.both_to_doubled, so_far[-1 - n_tokens :])
    assert_array_equal(counts.both_to_doubled[0], counts.both_so_far[-1])
    assert counts.recomputed_doubled == so_far[-1, 0]
    growth = np.array([counts.recomputed_growth, counts.cached_growth])
    assert growth * counts.both_so_far[-1] == pytest.approx(so_far[-1])


def test_a_long_text_takes_eight_and_four_times_as_many_if_it_is_twice_as_long():
    assert score_counts(24).both_to_doubled[-1].tolist() == [19_600, 1_176]
    long = score_counts(300_000, 31)
    assert (long.recomputed_growth, long.cached_growth) == pytest.approx((8, 4), rel=1e-4)


def test_a_long_text_is_counted_but_has_no_grid():
    counts = score_counts(1_000_000)
    assert counts.both_so_far[-1, 0] == counts.recomputed == 166_667_166_667_000_000
    for name in ("times_recomputed", "times_cached", "queries_used", "keys_used"):
        with pytest.raises(ValueError, match="n_tokens must be at most 128 for a grid"):
            getattr(counts, name)
    assert score_counts(128).times_recomputed.max() == 128


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_tokens": 0}, "n_tokens must be a whole number of at least 1, got 0"),
        ({"n_tokens": 1_000_001}, "n_tokens must be at most 1000000, got 1000001"),
        ({"n_prompt": 0}, "n_prompt must be a whole number of at least 1, got 0"),
        ({"n_prompt": 25}, "n_prompt must be at most n_tokens = 24, got 25"),
    ],
)
def test_bad_texts_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        score_counts(**{"n_tokens": 24} | options)
