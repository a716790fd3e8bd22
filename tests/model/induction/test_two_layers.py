import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from clockhead.model.attention.head import AttentionHead
from clockhead.model.induction.two_layers import TwoLayerWeights, two_layers
from clockhead.model.rope.rotation import rope_frequencies
from tests.model.plain_induction import mixed
from tests.model.second_opinion import dot, hands, head_pattern, rotate


def random_weights(seed, n_vocab=4, d_model=5, d_head=6, rank=3):
    rng = np.random.default_rng(seed)
    return TwoLayerWeights(
        embedding=rng.normal(size=(n_vocab, d_model)),
        head_0=AttentionHead(
            w_q=rng.normal(size=(d_head, d_model)),
            w_k=rng.normal(size=(d_head, d_model)),
            w_v=rng.normal(size=(d_model, d_model)),
            frequencies=rope_frequencies(d_head),
        ),
        head_1=AttentionHead(
            w_q=rng.normal(size=(rank, d_model)),
            w_k=rng.normal(size=(rank, d_model)),
            w_v=rng.normal(size=(d_model, d_model)),
        ),
        w_out=rng.normal(size=(n_vocab, d_model)),
    )


def times(matrix, vector):
    return [dot(row, vector) for row in matrix.tolist()]


def layer(stream, head, turn):
    queries = [turn(times(head.w_q, x), m) for m, x in enumerate(stream)]
    keys = [turn(times(head.w_k, x), n) for n, x in enumerate(stream)]
    pattern = head_pattern([[dot(q, k) for k in keys] for q in queries], causal=True)
    moved = [times(head.w_ov, x) for x in stream]
    added = [mixed(row, moved) for row in pattern]
    return [[a + b for a, b in zip(x, y, strict=True)] for x, y in zip(stream, added, strict=True)]


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.lists(st.integers(0, 3), min_size=1, max_size=8))
def test_any_weights_written_in_plain_loops_agree(seed, indices):
    w = random_weights(seed)
    frequencies = hands(6)
    stream = [w.embedding[index].tolist() for index in indices]
    stream = layer(stream, w.head_0, lambda x, m: rotate(x, m, frequencies))
    found = two_layers(w, indices)
    assert_allclose(found.resid_mid, stream, atol=1e-8)
    stream = layer(stream, w.head_1, lambda x, _: x)
    assert_allclose(found.resid_post, stream, atol=1e-7)
    assert_allclose(found.logits, [times(w.w_out, x) for x in stream], atol=1e-7)


@given(st.integers(0, 2**32 - 1), st.lists(st.integers(0, 3), min_size=2, max_size=8))
def test_the_past_does_not_see_the_future(seed, indices):
    w = random_weights(seed)
    whole, part = two_layers(w, indices), two_layers(w, indices[:-1])
    assert_allclose(whole.logits[:-1], part.logits, atol=1e-10)


def test_a_layer_that_is_off_leaves_the_stream_alone():
    w = random_weights(0)
    off = two_layers(w, [0, 1, 2], layer_0=False, layer_1=False)
    assert_allclose(off.resid_post, w.embedding[:3])
    assert_allclose(off.head_0.pattern.sum(axis=1), 1)


@pytest.mark.parametrize("indices", [[], [4], [-1], [0.5]])
def test_indices_must_name_tokens(indices):
    with pytest.raises(ValueError, match="indices must be"):
        two_layers(random_weights(0), indices)
