import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.attention.head import AttentionHead
from clockhead.model.transformer.block import TransformerBlock
from clockhead.model.transformer.transformer import Transformer, layer_norm, random_transformer
from tests.model import plain_transformer

MATRICES = ("w_q", "w_k", "w_v", "w_o", "w_1", "w_2")
seeds = st.integers(0, 2**32 - 1)
texts = st.integers(1, 6)


either, one_to_three, several = st.booleans(), st.integers(1, 3), st.integers(2, 3)


@st.composite
def models(draw, causal=either, layers=one_to_three, heads=one_to_three):
    """Weights of any widths that fit together; heads need not be as wide as the stream."""
    d_model, d_ff, n_vocab, d_head = (draw(st.integers(1, 5)) for _ in range(4))
    n_heads, rng = draw(heads), np.random.default_rng(draw(seeds))
    width = n_heads * d_head
    shapes = [(d_model, width)] * 3 + [(width, d_model), (d_model, d_ff), (d_ff, d_model)]
    mask = "before softmax" if draw(causal) else "none"
    blocks = tuple(
        TransformerBlock(*(rng.normal(size=shape) for shape in shapes), n_heads, mask)
        for _ in range(draw(layers))
    )
    return Transformer(blocks, rng.normal(size=(d_model, n_vocab)))


def text(model, n_tokens, seed=0):
    return np.random.default_rng(seed).normal(size=(n_tokens, model.d_model))


def listed(block):
    return {name: getattr(block, name).tolist() for name in MATRICES}


def with_weights(block, **weights):
    own = {name: getattr(block, name) for name in MATRICES}
    return TransformerBlock(**{**own, **weights}, n_heads=block.n_heads, mask=block.mask)


# What a model computes


def test_a_block_by_hand():
    # W_Q = 0: every token takes the mean of those so far. The MLP has one unit, x_0 - x_1.
    nothing, same = np.zeros((2, 2)), np.eye(2)
    w_1, w_2 = np.array([[1.0], [-1.0]]), np.array([[1.0, 0.0]])
    block = TransformerBlock(nothing, nothing, same, same, w_1, w_2, n_heads=2)
    found = block.run([[2, 0], [0, 2]])
    assert_array_equal(found.patterns, [[[1, 0], [0.5, 0.5]]] * 2)
    assert_array_equal(found.z, [[[2], [1]], [[0], [1]]])
    assert_array_equal(found.concat, [[2, 0], [1, 1]])
    assert_array_equal(found.head_outs, [[[2, 0], [1, 0]], [[0, 0], [0, 1]]])
    assert_array_equal(found.resid_mid, [[4, 0], [1, 3]])
    assert_array_equal(found.pre, [[4], [-2]])
    assert_array_equal(found.act, [[4], [0]])
    assert_array_equal(found.resid_post, [[8, 0], [1, 3]])
    logits = Transformer((block,), np.array([[1.0, 0, 2], [0, 1, 0]])).run([[2, 0], [0, 2]])
    assert_array_equal(logits.logits, [[8, 0, 16], [1, 3, 2]])
    assert logits.prediction == 1
    assert_allclose(logits.probabilities, np.exp([1, 3, 2]) / np.exp([1, 3, 2]).sum())


def test_dot_products_are_divided_by_the_root_of_the_width_of_a_head():
    # Two heads of 4: query and key meet in 2 ln 3 of the first head and nowhere in the second.
    w = np.zeros((8, 8))
    w[0, 0] = math.sqrt(2 * math.log(3))
    rows = np.zeros((2, 8))
    rows[1, 0] = 1
    found = TransformerBlock(w, w, np.eye(8), np.eye(8), np.eye(8), np.eye(8), 2).run(rows)
    assert found.block.d_head == 4
    assert_allclose(found.scores[0, 1], [0, math.log(3)])
    assert_allclose(found.patterns[:, 1], [[0.25, 0.75], [0.5, 0.5]])


@given(models(), texts)
def test_any_model_written_in_plain_loops_agrees(model, n_tokens):
    x = text(model, n_tokens)
    first, causal = model.blocks[0], model.blocks[0].mask != "none"
    layers = [listed(block) for block in model.blocks]
    passes, logits, probabilities = plain_transformer.transformer(
        x.tolist(), layers, model.unembedding.tolist(), first.n_heads, causal
    )
    found = model.run(x)
    for plain, block in zip(passes, found.block_passes, strict=True):
        # Numbers grow from layer to layer, and errors with them
        largest = max(1, np.abs(block.resid_post).max()) ** 2
        for name, values in plain.items():
            assert_allclose(getattr(block, name), values, atol=1e-9 * largest, err_msg=name)
    assert_allclose(found.logits, logits, atol=1e-9 * largest)
    assert_allclose(found.probabilities, probabilities, atol=1e-7 * largest)
    assert_array_equal(found.resids[0], x)
    for now, block in zip(found.resids[1:], found.block_passes, strict=True):
        assert_array_equal(now, block.resid_post)
    assert_array_equal(found.resids[-1], found.resid_post)


@given(models(), texts)
def test_heads_are_lanes_of_one_product(model, n_tokens):
    found = model.blocks[0].run(text(model, n_tokens))
    for name in ("queries", "keys", "values"):
        side_by_side = np.hstack([getattr(head, name) for head in found.head_passes])
        assert_allclose(getattr(found, name), side_by_side, atol=1e-12)
    assert_allclose(found.attn_out, found.head_outs.sum(axis=0), atol=1e-11)
    block = found.block
    assert [type(head) for head in block.heads] == [AttentionHead] * block.n_heads
    assert {head.scale for head in block.heads} == {1 / math.sqrt(block.d_head)}
    assert_array_equal(np.vstack([head.w_k for head in block.heads]), block.w_k.T)
    assert_array_equal(np.hstack([head.w_o for head in block.heads]), block.w_o.T)
    assert [(lane.start, lane.stop) for lane in block.lanes] == [
        (i * block.d_head, (i + 1) * block.d_head) for i in range(block.n_heads)
    ]


@given(models(), texts)
def test_the_lens_reads_the_last_token_where_it_stands(model, n_tokens):
    found = model.run(text(model, n_tokens))
    assert found.lens.shape == (2 * model.n_layers + 1, model.n_vocab)
    assert_allclose(found.lens[0], found.resid_pre[-1] @ model.unembedding, atol=1e-12)
    assert_allclose(found.lens[-1], found.last_logits, rtol=1e-12, atol=1e-12)
    added = [part[-1] for b in found.block_passes for part in (b.attn_out, b.mlp_out)]
    largest = max(1, np.abs(found.lens).max())
    assert_allclose(np.diff(found.lens, axis=0), added @ model.unembedding, atol=1e-11 * largest)
    assert_allclose(found.lens_probabilities.sum(axis=1), 1)
    assert_allclose(found.lens_probabilities[-1], found.probabilities, atol=1e-9)
    assert found.lens[-1][found.prediction] == pytest.approx(found.lens[-1].max())


# Heads that are off


@given(models(heads=several), texts, st.data())
def test_a_zeroed_head_is_a_deleted_head(model, n_tokens, data):
    layer = data.draw(st.integers(0, model.n_layers - 1))
    block = model.blocks[layer]
    head = data.draw(st.integers(0, block.n_heads - 1))
    x = text(model, n_tokens)
    cut = plain_transformer.without_head(listed(block), head, block.n_heads)
    deleted = TransformerBlock(
        **{name: np.array(rows) for name, rows in cut.items()},
        n_heads=block.n_heads - 1,
        mask=block.mask,
    )
    blocks = (*model.blocks[:layer], deleted, *model.blocks[layer + 1 :])
    expected = Transformer(blocks, model.unembedding).run(x).logits
    largest = max(1, np.abs(expected).max()) ** 2
    silent = model.ablate({layer: [head]}).run(x)
    assert_allclose(silent.logits, expected, atol=1e-10 * largest)
    now, before = silent.block_passes[layer], model.run(x).block_passes[layer]
    assert not now.head_outs[head].any()
    assert_array_equal(now.patterns, before.patterns)
    others = [other for other in range(block.n_heads) if other != head]
    assert_array_equal(now.head_outs[others], before.head_outs[others])


@given(models(), st.integers(2, 6), st.data())
def test_without_attention_a_token_changes_no_other_row(model, n_tokens, data):
    x, off = text(model, n_tokens), model.without_attention
    place = data.draw(st.integers(0, n_tokens - 1))
    changed = x.copy()
    changed[place] += 1
    others = np.arange(n_tokens) != place
    before, after = off.run(x), off.run(changed)
    assert_array_equal(after.resids[:, others], before.resids[:, others])
    assert_array_equal(after.logits[others], before.logits[others])
    for row, alone in zip(before.logits, x, strict=True):
        assert_allclose(off.run([alone]).logits[0], row, rtol=1e-9, atol=1e-9)


@given(models(causal=st.just(True)), st.integers(2, 6), st.data())
def test_with_attention_a_token_changes_no_earlier_row(model, n_tokens, data):
    x = text(model, n_tokens)
    place = data.draw(st.integers(0, n_tokens - 1))
    changed = x.copy()
    changed[place] += 1
    before, after = model.run(x), model.run(changed)
    assert_array_equal(after.resids[:, :place], before.resids[:, :place])
    beginning = model.run(x[: place + 1])
    assert_allclose(beginning.resids, before.resids[:, : place + 1], rtol=1e-9, atol=1e-9)


def test_with_attention_a_token_changes_every_later_row():
    model = random_transformer(2, 6, 2, 8, 10, seed=1)
    x = text(model, 5)
    changed = x.copy()
    changed[1] += 1
    moved = np.abs(model.run(changed).resid_post - model.run(x).resid_post).max(axis=1)
    assert moved[0] == 0
    assert (moved[1:] > 1e-3).all()


@given(models(), texts)
def test_no_w_o_no_w_v_and_no_attention_are_the_same_mlps(model, n_tokens):
    x = text(model, n_tokens)
    expected = [x]
    for block in model.blocks:
        now = expected[-1]
        expected.append(now + np.where(now @ block.w_1 > 0, now @ block.w_1, 0) @ block.w_2)
    assert_array_equal(model.without_attention.run(x).resids, expected)
    for name in ("w_o", "w_v"):
        blocks = [with_weights(b, **{name: 0 * getattr(b, name)}) for b in model.blocks]
        assert_array_equal(Transformer(tuple(blocks), model.unembedding).run(x).resids, expected)


def test_some_heads_of_some_layers_can_be_off():
    model = random_transformer(2, 6, 3, 8, 4, seed=0)
    silent = model.ablate({1: [0, 2]})
    assert silent.blocks[0] is model.blocks[0]
    assert not silent.blocks[1].w_o[[0, 1, 4, 5]].any()
    assert_array_equal(silent.blocks[1].w_o[2:4], model.blocks[1].w_o[2:4])
    assert_array_equal(silent.blocks[1].w_1, model.blocks[1].w_1)
    assert model.blocks[1].w_o[[0, 1, 4, 5]].any()
    assert_array_equal(model.blocks[0].ablate().w_o, model.blocks[0].w_o)
    assert not any(block.w_o.any() for block in model.without_attention.blocks)


# The order of tokens


@given(models(layers=st.just(1)), st.integers(2, 6), st.data())
def test_one_layer_without_positions_does_not_see_the_order_before_the_last(model, n_tokens, data):
    x = text(model, n_tokens)
    order = [*data.draw(st.permutations(range(n_tokens - 1))), n_tokens - 1]
    found, moved = model.run(x), model.run(x[order])
    assert_allclose(moved.resid_post[-1], found.resid_post[-1], rtol=1e-9, atol=1e-9)


@given(models(causal=st.just(False)), texts, st.data())
def test_without_a_mask_rows_move_with_their_tokens(model, n_tokens, data):
    x = text(model, n_tokens)
    order = data.draw(st.permutations(range(n_tokens)))
    found, moved = model.run(x), model.run(x[order])
    largest = max(1, np.abs(found.resids).max()) ** 2
    assert_allclose(moved.resids, found.resids[:, order], atol=1e-10 * largest)


# An implementation by others: that of ONNX, whose operators are specified by plain reference code


def compute_onnx(operator, *inputs, **attributes):
    """Outputs of an ONNX operator in double precision, by its reference implementation."""
    onnx = pytest.importorskip("onnx")
    reference = pytest.importorskip("onnx.reference")
    names = [f"input_{number}" for number in range(len(inputs))]
    node = onnx.helper.make_node(operator, names, ["output"], **attributes)
    infos = [
        [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.DOUBLE, None) for name in side]
        for side in (names, ["output"])
    ]
    graph = onnx.helper.make_graph([node], operator, *infos)
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 23)])
    arrays = dict(zip(names, map(np.array, inputs), strict=True))
    return reference.ReferenceEvaluator(model).run(None, arrays)


def onnx_attention(queries, keys, values):
    """Means (heads, T, d_head) of the values by causal attention."""
    return compute_onnx(
        "Attention",
        *(lanes[None] for lanes in (queries, keys, values)),
        is_causal=1,
    )[0][0]


def lanes_of(product, n_heads):
    """A product (T, d_model) as (heads, T, d_head)."""
    return product.reshape(len(product), n_heads, -1).swapaxes(0, 1)


@pytest.mark.parametrize("seed", range(4))
def test_a_whole_model_of_onnx_operators_agrees(seed):
    model = random_transformer(3, 8, 2, 12, 7, seed)
    found = model.run(text(model, 5, seed))
    resid = np.array(found.resid_pre)
    for block in model.blocks:
        q, k, v, w_o, w_1, w_2 = (getattr(block, name) for name in MATRICES)
        lanes = [lanes_of(resid @ weights, block.n_heads) for weights in (q, k, v)]
        blends = onnx_attention(*lanes)
        resid = resid + blends.swapaxes(0, 1).reshape(resid.shape) @ w_o
        [hidden] = compute_onnx("Relu", resid @ w_1)
        resid = resid + hidden @ w_2
    logits = resid @ model.unembedding
    assert_allclose(found.logits, logits, rtol=1e-11, atol=1e-11)
    assert_allclose(found.probabilities, compute_onnx("Softmax", logits[-1])[0], atol=1e-11)
    [normed] = compute_onnx("LayerNormalization", resid, np.ones(8), epsilon=1e-3)
    assert_allclose(layer_norm(found.resid_post, 1e-3), normed, atol=1e-11)


# Layer norm


def test_layer_norm_by_hand():
    assert_allclose(layer_norm([[1, 3], [5, 5]], eps=1e-12), [[-1, 1], [0, 0]])
    assert_allclose(layer_norm([[1, 3]], eps=3), [[-0.5, 0.5]])
    assert_allclose(layer_norm([[0, 0, 3]], eps=2), [[-0.5, -0.5, 1]])


@given(seeds, st.integers(1, 6), st.floats(1e-6, 10), st.floats(0.1, 100), st.floats(-10, 10))
def test_layer_norm_keeps_the_direction_and_drops_the_length(seed, width, eps, factor, shift):
    x = np.random.default_rng(seed).normal(size=(3, width))
    found = layer_norm(x, eps)
    assert_allclose(found, [plain_transformer.normed(row, eps) for row in x.tolist()], atol=1e-12)
    assert_allclose(found.mean(axis=1), 0, atol=1e-12)
    assert (np.sum(found**2, axis=1) < width).all()
    assert_allclose(layer_norm(factor * x + shift, factor**2 * eps), found, atol=1e-8)


# Random models, and what is refused


def test_random_models_have_two_decimals_and_the_spread_of_the_recipe():
    model = random_transformer(2, 12, 3, 20, 50, seed=3)
    assert (model.n_layers, model.d_model, model.n_vocab) == (2, 12, 50)
    assert [(b.n_heads, b.d_head, b.d_ff) for b in model.blocks] == [(3, 4, 20)] * 2
    assert model.n_parameters == 2 * (4 * 144 + 2 * 240) + 600
    drawn = [getattr(b, name) for b in model.blocks for name in MATRICES]
    for weights in (*drawn, model.unembedding):
        assert_array_equal(weights, np.round(weights, 2))
        assert not np.signbit(weights[weights == 0]).any()
    assert np.hstack([weights.ravel() for weights in drawn]).std() == pytest.approx(0.5, abs=0.03)
    assert model.unembedding.std() == pytest.approx(0.6, abs=0.05)
    again, other = (random_transformer(2, 12, 3, 20, 50, seed) for seed in (3, 4))
    assert_array_equal(again.unembedding, model.unembedding)
    assert (other.unembedding != model.unembedding).mean() > 0.9


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_heads": 0}, "n_heads must be a whole number of at least 1, got 0"),
        ({"n_heads": 3}, r"w_q must have .* for each of the 3 heads, got shape \(3, 4\)"),
        ({"w_q": np.ones((3, 0))}, r"w_q must have at least 1 row .* got shape \(3, 0\)"),
        ({"w_q": np.ones((0, 4))}, r"w_q must have at least 1 row .* got shape \(0, 4\)"),
        ({"w_k": np.ones((4, 3))}, r"w_k must have shape \(3, 4\), got \(4, 3\)"),
        ({"w_v": np.ones((3, 2))}, r"w_v must have shape \(3, 4\), got \(3, 2\)"),
        ({"w_o": np.ones((3, 4))}, r"w_o must have shape \(4, 3\), got \(3, 4\)"),
        ({"w_1": np.ones((4, 5))}, r"w_1 must have shape \(3, 5\), got \(4, 5\)"),
        ({"w_1": np.ones((3, 0))}, "d_ff, the columns of w_1, must be a whole number of at least"),
        ({"w_2": np.ones((3, 5))}, r"w_2 must have shape \(5, 3\), got \(3, 5\)"),
        ({"w_2": np.full((5, 3), np.nan)}, "w_2 must be finite"),
        ({"mask": "late"}, "mask must be one of .* got 'late'"),
    ],
)
def test_bad_blocks_are_refused(options, message):
    shapes = {"w_q": (3, 4), "w_k": (3, 4), "w_v": (3, 4), "w_o": (4, 3), "w_1": (3, 5)}
    weights = {name: np.ones(shape) for name, shape in shapes.items()}
    with pytest.raises(ValueError, match=message):
        TransformerBlock(**{**weights, "w_2": np.ones((5, 3)), "n_heads": 2, **options})


MODEL = random_transformer(2, 4, 2, 5, 3, seed=0)
NARROW = random_transformer(1, 2, 1, 5, 3, seed=0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Transformer((), np.ones((4, 3))), "blocks must be at least 1, all of one d_model"),
        (
            lambda: Transformer((*MODEL.blocks, *NARROW.blocks), np.ones((4, 3))),
            r"blocks must be at least 1, all of one d_model, got \[4, 4, 2\]",
        ),
        (lambda: Transformer(MODEL.blocks, np.ones((3, 4))), "unembedding must have 4 rows"),
        (lambda: Transformer(MODEL.blocks, np.ones((4, 0))), "unembedding must have 4 rows"),
        (lambda: MODEL.ablate({2: [0]}), "layer must be below 2, the layers, got 2"),
        (lambda: MODEL.ablate({-1: [0]}), "layer must be a whole number of at least 0, got -1"),
        (lambda: MODEL.ablate({0: [2]}), "head must be below 2, the heads, got 2"),
        (lambda: MODEL.blocks[0].ablate(-1), "head must be a whole number of at least 0"),
        (lambda: MODEL.run(np.ones((2, 3))), "resid_pre must have a row .* 4 columns, got shape"),
        (lambda: MODEL.run(np.ones((0, 4))), r"resid_pre must have a row .* got shape \(0, 4\)"),
        (lambda: MODEL.blocks[0].run(np.ones(4)), "resid_pre must have 2 axes"),
        (lambda: random_transformer(1, 4, 3, 1, 1, 0), "d_model must be a multiple of n_heads, 3"),
        (lambda: random_transformer(0, 4, 2, 1, 1, 0), "n_layers must be a whole number of at lea"),
        (lambda: random_transformer(1, 4, 2, 0, 1, 0), "d_ff must be a whole number of at least 1"),
        (lambda: random_transformer(1, 4, 2, 1, 0, 0), "n_vocab must be a whole number of at leas"),
        (lambda: random_transformer(1, 4, 2, 1, 1, -1), "seed must be a whole number of at least"),
        (lambda: layer_norm([[1.0]], eps=0), "eps must be a finite number above 0, got 0"),
        (lambda: layer_norm(np.ones((2, 0))), "x must have at least 1 column"),
    ],
)
def test_bad_arguments_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
