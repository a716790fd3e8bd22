import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.ablation.isolation import exchange_word
from clockhead.model.primer.worked_block import worked_block
from tests.model import plain_transformer

BLOCK = worked_block(("the", "cat", "sat"))
PRIMER = exchange_word(BLOCK)
MATRICES = ("w_q", "w_k", "w_v", "w_o", "w_1", "w_2")


@st.composite
def exchanges(draw):
    """A word of 3 or 4 exchanged, in a drawn model."""
    n_tokens, seed = draw(st.integers(3, 4)), draw(st.integers(0, 2**32 - 1))
    block = worked_block(tuple("abcd"[:n_tokens]), seed=seed, n_heads=draw(st.sampled_from([2, 3])))
    return exchange_word(block, draw(st.integers(0, n_tokens - 1)), "other", seed=seed)


def test_cat_becomes_dog_and_the_rows_from_there_on_move():
    assert (PRIMER.word, PRIMER.after.tokens) == ("dog", ("the", "dog", "sat"))
    assert_array_equal(PRIMER.reached, [1, 2])
    assert (PRIMER.n_reached, PRIMER.n_reached_alone) == (2, 1)
    assert PRIMER.largest_move_alone == 0


@given(exchanges())
def test_without_attention_no_other_row_moves_by_a_digit(found):
    others = np.arange(found.before.n_tokens) != found.place
    assert_array_equal(found.moves_alone[:, others], 0)
    assert found.largest_move_alone == 0
    assert found.n_reached_alone == 1


@given(exchanges())
def test_with_attention_rows_before_stay_and_rows_after_move(found):
    assert_array_equal(found.moves[:, : found.place], 0)
    assert_array_equal(found.reached, np.arange(found.place, found.before.n_tokens))
    assert_array_equal(found.moves[0] > 0, np.arange(found.before.n_tokens) == found.place)


@given(exchanges())
def test_moves_agree_with_plain_loops(found):
    layers = [
        {name: getattr(block, name).tolist() for name in MATRICES}
        for block in found.before.transformer.blocks
    ]
    silent = [{**layer, "w_o": [[0.0] * 6 for _ in range(6)]} for layer in layers]
    olds, news = found.before.resid_pre.tolist(), found.before.resid_pre.tolist()
    news[found.place] = found.row.tolist()
    unembedding, n_heads = found.before.unembedding.tolist(), found.before.n_heads
    for cut, moves in ((layers, found.moves), (silent, found.moves_alone)):
        old, *_ = plain_transformer.transformer(olds, cut, unembedding, n_heads)
        new, *_ = plain_transformer.transformer(news, cut, unembedding, n_heads)
        for level in (0, 1):
            plain = [
                math.dist(a, b)
                for a, b in zip(old[level]["resid_post"], new[level]["resid_post"], strict=True)
            ]
            assert_allclose(moves[level + 1], plain, atol=1e-9)


def test_the_new_row_is_drawn_as_spread_as_the_others():
    assert_array_equal(PRIMER.after.resid_pre[[0, 2]], BLOCK.resid_pre[[0, 2]])
    rows = np.stack([exchange_word(BLOCK, seed=seed).row for seed in range(200)])
    assert rows.std() == pytest.approx(BLOCK.resid_pre.std(), rel=0.1)
    assert_array_equal(np.round(PRIMER.row, 2), PRIMER.row)
    assert not np.array_equal(PRIMER.row, exchange_word(BLOCK, seed=1).row)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"place": 3}, "place must be below 3, the tokens, got 3"),
        ({"place": -1}, "place must be a whole number of at least 0"),
        ({"word": "cat"}, "word must be another than 'cat', which stands there"),
        ({"seed": -1}, "seed must be a whole number of at least 0"),
    ],
)
def test_what_is_no_exchange_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        exchange_word(BLOCK, **options)


def test_a_text_with_the_whole_vocabulary_needs_a_word():
    block = replace(BLOCK, vocabulary=(*BLOCK.tokens, *BLOCK.tokens, *BLOCK.tokens, "cat"))
    with pytest.raises(ValueError, match="word must be given where the text has all of"):
        exchange_word(block)
