"""How often queries, keys and values are needed, counted again by hand."""

import pytest
from numpy.testing import assert_equal

from clockhead.model.films.kv_cache.once import token_uses

TEXT = ("the", "cat", "sat", "on", "the", "mat")


def test_a_query_is_needed_in_its_own_step_alone():
    uses = token_uses(TEXT)
    for step in range(uses.n_tokens):
        known = [1] * (step + 1) + [0] * (uses.n_tokens - step - 1)
        assert uses.uses_so_far[step + 1, 0].tolist() == known


def test_a_key_is_needed_in_its_own_step_and_in_every_later_one():
    uses = token_uses(TEXT)
    for step in range(uses.n_tokens):
        counts = [max(0, step - n + 1) for n in range(uses.n_tokens)]
        assert uses.uses_so_far[step + 1, 1].tolist() == counts
    assert not uses.uses_so_far[0].any()
    assert_equal(uses.uses_so_far[:, 1], uses.uses_so_far[:, 2])
    assert uses.uses_so_far[-1, 1].tolist() == [6, 5, 4, 3, 2, 1]
    assert uses.first_key_uses == 6
    assert uses.vectors == ("query", "key", "value")


def test_one_token_is_enough_and_none_is_not():
    assert token_uses(("a",)).uses_so_far.tolist() == [[[0], [0], [0]], [[1], [1], [1]]]
    with pytest.raises(ValueError, match="n_tokens must"):
        token_uses(())
