import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clockhead.model.films.ablation.head_effects import head_effects
from clockhead.model.films.ablation.looks import (
    busiest_heads,
    compare_heads,
    seen_heads,
)
from clockhead.model.primer.worked_block import worked_block

TEXT = ("the", "cat", "sat")
# Three models of two layers of two heads: agreement, none, agreement in the last layer alone.
LOOKS = [[[0.1, 0.2], [0.3, 0.4]], [[0.4, 0.3], [0.1, 0.2]], [[0.1, 0.9], [0.3, 0.4]]]
EFFECTS = [[[0.1, 0.2], [0.3, 0.4]], [[0.1, 0.2], [0.4, 0.3]], [[0.2, 0.1], [0.3, 0.4]]]
BY_HAND = compare_heads(np.array(LOOKS), np.array(EFFECTS))


def test_counts_by_hand():
    assert BY_HAND.agrees.tolist() == [True, False, False]
    assert (BY_HAND.n_models, BY_HAND.n_heads) == (3, 2)
    assert (BY_HAND.n_agree, BY_HAND.share) == (1, 1 / 3)


def test_chance_by_hand():
    assert (BY_HAND.chance, BY_HAND.n_by_chance) == (0.25, 0.75)
    assert BY_HAND.spreads_above_chance == pytest.approx(1 / 3)


@given(st.integers(0, 2**32 - 1))
def test_numbers_without_any_tie_between_them_agree_by_chance(seed):
    rng = np.random.default_rng(seed)
    found = compare_heads(rng.random((2000, 2, 4)), rng.random((2000, 2, 4)))
    assert abs(found.spreads_above_chance) < 6


def test_heads_that_change_as_they_look_always_agree():
    looks = np.random.default_rng(0).random((50, 2, 3))
    assert compare_heads(looks, looks**2).n_agree == 50


def test_models_are_counted_as_each_by_itself():
    models = [head_effects(worked_block(TEXT, seed=seed, n_heads=3)) for seed in range(12)]
    found = busiest_heads(TEXT, 3, 12)
    assert found.agrees.tolist() == [(model.busiest == model.strongest).all() for model in models]
    for place, model in enumerate(models):
        assert np.allclose(found.looks[place], model.looks, rtol=0, atol=1e-15)
        assert np.allclose(found.effects[place], model.effects, rtol=0, atol=1e-15)


def test_the_row_by_which_a_head_looks_busiest_becomes_even():
    found = seen_heads(worked_block(TEXT, seed=3, n_heads=2))
    layer, head = divmod(int(np.argmax(found.all_looks)), 2)
    assert (found.busy_row == found.patterns[layer, head, -1]).all()
    assert found.even_row.tolist() == [1 / 3] * 3
    moved = np.maximum(found.busy_row - found.even_row, 0.0)
    assert np.allclose(found.kept_row, found.busy_row - moved)
    assert found.busy_row_looks == pytest.approx(moved.sum())
    assert found.all_effects.tolist() == [x for layer in found.effects.tolist() for x in layer]
    assert (found.many.looks == busiest_heads(TEXT, 2).looks).all()
    agrees = found.many.agrees.tolist()
    assert found.agrees_in_columns.shape == (40, 75)
    assert found.agrees_in_columns.T.ravel().tolist() == agrees
    assert found.agrees_first.T.ravel().tolist() == sorted(agrees, reverse=True)


def test_over_the_primers_sizes_the_busiest_head_is_the_strongest_a_little_more_than_by_chance():
    found = busiest_heads(TEXT)
    assert (found.n_models, found.chance) == (3000, 0.25)
    assert 3 < found.spreads_above_chance < 8
    assert 0.25 < found.share < 0.35


def test_results_are_kept():
    assert busiest_heads(TEXT) is busiest_heads(TEXT)
