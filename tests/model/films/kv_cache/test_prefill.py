from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.kv_cache.prefill import D_MODEL, N_HEADS, cache_trial


@given(st.integers(1, 12), st.data(), st.integers(0, 2**32 - 1))
def test_a_cache_changes_nothing_but_rounding(n_tokens: int, data: st.DataObject, seed: int):
    trial = cache_trial(n_tokens, data.draw(st.integers(1, n_tokens)), seed)
    assert trial.run.relative_difference < 1e-9
    assert_allclose(trial.cached_pattern, trial.full_pattern, atol=1e-9)
    assert trial.n_single == n_tokens - trial.run.prefill


def test_what_a_trial_consists_of():
    trial = cache_trial(24, 6, 1)
    assert trial.n_single == 18
    assert trial.cached_pattern.shape == trial.full_pattern.shape == (24, 24)
    assert trial.keys.shape == trial.values.shape == (24, D_MODEL // N_HEADS)
    full = trial.run.full.block_passes[-1]
    assert_allclose(trial.keys, full.head_passes[-1].keys, atol=1e-12)
    assert_allclose(trial.values, full.head_passes[-1].values, atol=1e-12)


def test_without_a_mask_old_rows_change_with_every_token():
    trial = cache_trial(7, 3, 1)
    patterns = trial.unmasked_patterns
    assert trial.unmasked_change == max(
        np.abs(patterns[t] - patterns[t - 1])[:t, :t].max() for t in range(1, 7)
    )
    assert cache_trial(1, 1, 1).unmasked_change == 0
    for t, (before, after) in enumerate(pairwise(patterns), start=1):
        assert_allclose(before.sum(axis=1), np.arange(7) < t)
        assert not np.triu(before, t)[t:].any()
        assert (np.abs(after[:t] - before[:t]).max(axis=1) > 1e-6).all()


def test_without_a_mask_the_first_key_goes_wrong():
    trial = cache_trial(7, 3, 1)
    anew, kept = trial.unmasked_numbers, trial.kept_number
    assert kept in trial.keys[0]
    assert anew[0] == pytest.approx(kept, abs=1e-12)
    assert (np.abs(np.diff(anew)) > 1e-6).all()
    assert trial.kept_error == abs(anew[-1] - kept)
    assert cache_trial(1, 1, 1).kept_error < 1e-12


def test_the_same_seed_draws_the_same():
    one, other = (cache_trial(5, p, 3) for p in (1, 4))
    assert_array_equal(one.run.resid_pre, other.run.resid_pre)
    assert_array_equal(one.run.full.logits, other.run.full.logits)


@pytest.mark.parametrize(("n", "prompt", "seed"), [(0, 1, 0), (3, 4, 0), (3, 0, 0), (3, 1, -1)])
def test_trials_that_cannot_be_drawn(n: int, prompt: int, seed: int):
    with pytest.raises(ValueError, match="must be"):
        cache_trial(n, prompt, seed)
