import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.transformer_block.patterns import patterned_block
from clockhead.model.primer.weights import RESID_6, primer_transformer
from clockhead.model.primer.worked_block import compute_block, worked_block
from clockhead.model.transformer.transformer import random_transformer

TEXT = ("the", "cat", "sat")
BLOCK = worked_block(TEXT)
# CONSTRUCTIONS.md 2b: section 6 of the primer at full precision.
PATTERNS = [
    [[1, 0, 0], [0.4920151, 0.5079849, 0], [0.3418458, 0.3339552, 0.3241990]],
    [[1, 0, 0], [0.4510321, 0.5489679, 0], [0.3626657, 0.3167970, 0.3205373]],
]


@st.composite
def blocks(draw):
    """A transformer over 3 or 4 words, two of which may be one, cut into 1 to 3 heads."""
    tokens = draw(st.lists(st.sampled_from("abc"), min_size=3, max_size=4))
    n_heads, d_ff = draw(st.sampled_from([1, 2, 3])), draw(st.integers(4, 8))
    return worked_block(tokens, seed=draw(st.integers(0, 2**32 - 1)), n_heads=n_heads, d_ff=d_ff)


# The example of the primer


def test_the_example_is_the_primers():
    assert_array_equal(BLOCK.resid_pre, RESID_6)
    assert_allclose(BLOCK.first.patterns, PATTERNS, rtol=0, atol=6e-8)
    assert (BLOCK.n_tokens, BLOCK.d_model, BLOCK.n_heads, BLOCK.d_head) == (3, 6, 2, 3)
    assert (BLOCK.d_ff, BLOCK.n_vocab, BLOCK.last) == (8, 10, 2)
    assert (BLOCK.predicted, BLOCK.prediction) == ("dog", 2)
    assert BLOCK.predicted_share == pytest.approx(0.4194352, abs=5e-8)


def test_the_heads_of_the_example_differ_by_four_hundredths_in_its_second_row():
    found = patterned_block(BLOCK)
    assert_array_equal(found.differ_most_at, [1, 0])
    assert (found.most_there, found.least_there) == pytest.approx((0.4920151, 0.4510321), abs=6e-8)
    assert_allclose(found.shares_there, [0.4920151, 0.4510321], rtol=0, atol=6e-8)
    assert_array_equal(BLOCK.survivors, [2, 4, 3])


# Any of them


@given(blocks())
def test_lanes_and_slabs_are_cuts_of_what_all_heads_have(block):
    first = block.first
    for name in ("queries", "keys", "values"):
        lanes = getattr(block, f"lane_{name}")
        assert lanes.shape == (block.n_heads, block.n_tokens, block.d_head)
        assert_array_equal(np.hstack(list(lanes)), getattr(first, name))
    assert_array_equal(np.vstack(list(block.slabs)), first.block.w_o)
    for blend, slab, out in zip(first.z, block.slabs, first.head_outs, strict=True):
        assert_allclose(blend @ slab, out, atol=1e-12)


@given(blocks())
def test_the_largest_difference_is_that_of_two_heads_at_its_place(plain):
    block = patterned_block(plain)
    patterns, (m, n) = block.first.patterns, block.differ_most_at
    gaps = [np.abs(a - b).max() for a in patterns for b in patterns]
    assert max(gaps) == np.ptp(patterns[:, m, n]) == block.most_there - block.least_there
    assert_array_equal(block.shares_there, patterns[:, m, n])


@given(blocks())
def test_what_survives_is_what_the_mlp_goes_on_with(block):
    assert_array_equal(block.survivors, (block.first.act > 0).sum(axis=1))
    assert block.predicted_share == block.run.probabilities.max()
    assert block.predicted == block.vocabulary[int(block.run.last_logits.argmax())]
    assert_array_equal(block.unembedding, block.transformer.unembedding)


def test_a_row_that_is_drawn_is_that_of_its_word_and_of_its_place():
    ab, ba = (worked_block(text, seed=4).resid_pre for text in (("a", "b", "a"), ("b", "a", "b")))
    assert_allclose(ab[0] - ab[2], ba[0] - ba[2], atol=1e-12)  # the places differ alike
    assert np.abs(ab[0] - ab[2]).max() > 0
    assert_array_equal(np.round(ab, 2), ab)


def test_words_that_are_all_at_one_place_are_looked_at_alike():
    block = patterned_block(worked_block(TEXT, resid_pre=np.ones((3, 6))))
    assert_allclose(block.first.patterns, [np.tri(3) / np.arange(1, 4)[:, None]] * 2, atol=1e-12)
    assert block.most_there == pytest.approx(block.least_there, abs=1e-12)


# What is refused


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tokens": (*TEXT, "on")}, "rows for 3 words, the text has 4; give the rows"),
        ({"d_ff": 6}, "d_ff is 8 in the primer, got 6; a seed"),
        ({"n_heads": 4}, "for each of the 4 heads"),
        ({"resid_pre": np.ones((2, 6))}, "resid_pre must be 3 x 6, a row for each token, got 2 x"),
        ({"resid_pre": np.ones((3, 5))}, "resid_pre must be 3 x 6, a row for each token, got 3 x"),
        ({"resid_pre": np.full((3, 6), np.nan)}, "resid_pre must be finite"),
    ],
)
def test_what_does_not_fit_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        worked_block(**{"tokens": TEXT, **options})


def test_two_layers_and_a_name_for_each_logit_are_needed():
    one = random_transformer(1, 6, 2, 8, 10, seed=0)
    with pytest.raises(ValueError, match="must have 2 layers, got 1"):
        compute_block(TEXT, one, RESID_6, BLOCK.vocabulary)
    with pytest.raises(ValueError, match="vocabulary must hold 10 tokens"):
        compute_block(TEXT, primer_transformer(), RESID_6, TEXT)
