from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.ablation import head_effects as module
from clockhead.model.films.ablation.head_effects import (
    head_effects,
    row_busyness,
    total_variation,
)
from clockhead.model.primer.weights import RESID_6, primer_transformer
from clockhead.model.primer.worked_block import compute_block, worked_block
from clockhead.model.transformer.transformer import Transformer, random_transformer
from tests.model import plain_transformer

TEXT = ("the", "cat", "sat")
PRIMER = head_effects(worked_block(TEXT))
MATRICES = ("w_q", "w_k", "w_v", "w_o", "w_1", "w_2")


@st.composite
def effects(draw):
    """The heads of a transformer over 2 to 4 words, two of which may be one."""
    tokens = draw(st.lists(st.sampled_from("abc"), min_size=2, max_size=4))
    seed, n_heads = draw(st.integers(0, 2**32 - 1)), draw(st.sampled_from([2, 3]))
    return head_effects(worked_block(tokens, seed=seed, n_heads=n_heads))


def drawn(n_layers=2, n_heads=2, width=6, n_tokens=3, seed=0):
    model = random_transformer(n_layers, width, n_heads, 8, 10, seed)
    rows = np.random.default_rng(seed).standard_normal((n_tokens, width))
    return head_effects(compute_block("abcdef"[:n_tokens], model, rows, tuple("abcdefghij")))


# The primer's heads: CONSTRUCTIONS.md 2b


def test_no_head_alone_changes_the_primers_word_and_all_together_do():
    assert (PRIMER.n_words_changed, PRIMER.predicted) == (0, "dog")
    assert PRIMER.vocabulary[PRIMER.off.prediction] == "ran"
    assert PRIMER.n_layers == 2


def test_the_primers_busiest_head_is_not_its_strongest():
    # From the patterns that the primer prints, to two decimals: row 1, then row 2, each against
    # 1/2 and against 1/3.
    assert PRIMER.looks[0, 0] == pytest.approx((0.0080 + 0.0091) / 2, abs=1e-4)
    assert PRIMER.looks[0, 1] == pytest.approx((0.0490 + 0.0293) / 2, abs=1e-4)
    assert_allclose(PRIMER.looks[1], [0.0600, 0.0789], rtol=0, atol=5e-5)
    assert_array_equal(PRIMER.busiest, [1, 1])
    assert_array_equal(PRIMER.strongest, [1, 0])


def test_a_drawn_model_has_a_pair_that_misleads_by_far():
    model = head_effects(worked_block(("the", "cat", "sat", "on"), seed=749, n_heads=3))
    pair = model.misleading_pair
    assert (pair.busy.tolist(), pair.dull.tolist()) == ([1, 1], [1, 2])
    assert_allclose(model.looks[1, 1:], [0.460, 0.079], rtol=0, atol=5e-4)
    assert (pair.busy_effect, pair.dull_effect) == pytest.approx((0.062, 0.731), abs=5e-4)
    assert model.n_words_changed == 2


# Measures


def test_total_variation_is_the_share_that_has_to_move():
    assert total_variation(np.array([0.5, 0.5, 0]), np.array([0.25, 0.25, 0.5])) == 0.5
    assert_array_equal(total_variation(np.eye(2), np.array([1, 0])), [0, 1])


def test_a_row_is_busy_by_its_distance_from_an_even_one():
    even = [[1, 0, 0], [1 / 2, 1 / 2, 0], [1 / 3, 1 / 3, 1 / 3]]
    first = [[1, 0, 0], [1, 0, 0], [1, 0, 0]]
    between = [[1, 0, 0], [1 / 4, 3 / 4, 0], [1 / 2, 1 / 2, 0]]
    found = row_busyness(np.array([even, first, between]))
    assert_allclose(found, [[0, 0, 0], [0, 1 / 2, 2 / 3], [0, 1 / 4, 1 / 3]], atol=1e-12)


def test_looks_mislead_where_the_busier_head_changes_less():
    looks, changes = np.array([[0.1, 0.2, 0.2, 0.5]]), np.array([[0.6, 0.3, 0.4, 0.4]])
    pair = module._misleading_pair(looks, changes)  # also heads 1 and 2, by less, look busier
    assert (pair.busy[1], pair.dull[1]) == (3, 0)


@pytest.mark.parametrize(
    ("looks", "changes"), [([[0.1, 0.1009]], [[0.2, 0.1]]), ([[0.1, 0.2]], [[0.2009, 0.2]])]
)
def test_gaps_that_do_not_show_mislead_nobody(looks, changes):
    assert module._misleading_pair(np.array(looks), np.array(changes)) is None


# Any heads


def plain_effects(found):
    """Looks, probabilities and distances with each head cut out, and none, in plain loops."""
    layers = [
        {name: getattr(block, name).tolist() for name in MATRICES}
        for block in found.transformer.blocks
    ]
    rows, unembedding = found.resid_pre.tolist(), found.unembedding.tolist()

    def run(cut, n_heads):
        stream = rows
        for layer, heads in zip(cut, n_heads, strict=True):
            stream = plain_transformer.block(stream, layer, heads)["resid_post"]
        return plain_transformer.shares(plain_transformer.row_times(stream[-1], unembedding))

    sizes = [found.n_heads] * 2
    passes, _, base = plain_transformer.transformer(rows, layers, unembedding, found.n_heads)
    looks, shares, distances = [], [], []
    for place, layer in enumerate(layers):
        for head, pattern in enumerate(passes[place]["patterns"]):
            choices = [
                sum(max(0.0, share - 1 / (m + 1)) for share in row[: m + 1])
                for m, row in enumerate(pattern)
            ]
            looks.append(sum(choices[1:]) / (len(rows) - 1))
            cut, heads = list(layers), list(sizes)
            cut[place] = plain_transformer.without_head(layer, head, found.n_heads)
            heads[place] -= 1
            shares.append(run(cut, heads))
            distances.append(sum(max(0.0, a - b) for a, b in zip(shares[-1], base, strict=True)))
    return looks, shares, distances


@given(effects())
def test_looks_and_effects_agree_with_plain_loops_that_cut_heads_out(found):
    looks, shares, distances = plain_effects(found)
    assert_allclose(found.looks.ravel(), looks, atol=1e-9)
    assert_allclose(found.silenced_probabilities.reshape(len(shares), -1), shares, atol=1e-9)
    assert_allclose(found.effects.ravel(), distances, atol=1e-9)
    assert found.deletion_error < 1e-9


@given(effects())
def test_what_stays_is_all_but_what_moves(found):
    for kept, after, moved in (
        (found.kept_probabilities, found.silenced_probabilities, found.effects),
        (found.kept_off, found.off.probabilities, found.off_effect),
    ):
        assert (kept <= np.minimum(found.run.probabilities, after) + 1e-12).all()
        assert_allclose(kept.sum(axis=-1), 1 - np.asarray(moved), atol=1e-9)


@given(effects())
def test_looks_lie_between_even_and_one_key(found):
    sizes = range(2, found.n_tokens + 1)
    most = sum(1 - 1 / size for size in sizes) / len(sizes)
    assert (found.looks >= 0).all()
    assert (found.looks <= most + 1e-12).all()
    assert_array_equal(found.row_looks[..., 0], 0)


def test_a_head_is_cut_out_with_its_columns_and_rows(monkeypatch):
    block = primer_transformer().blocks[0]
    rest = module._delete_head(block, 0)
    assert (rest.n_heads, rest.d_head) == (1, 3)
    assert_array_equal(rest.w_q, block.w_q[:, 3:])
    assert_array_equal(rest.w_v, block.w_v[:, 3:])
    assert_array_equal(rest.w_o, block.w_o[3:])
    assert PRIMER.deletion_error < 1e-12
    monkeypatch.setattr(module, "_delete_head", lambda block, head: block)
    assert head_effects(worked_block(TEXT)).deletion_error > 0.1


def test_four_heads_and_six_tokens_have_their_effects():
    found = drawn(n_heads=4, width=12, n_tokens=6)
    assert found.effects.shape == found.looks.shape == (2, 4)
    assert_allclose(found.effects.ravel(), plain_effects(found)[2], atol=1e-9)


# What is refused


def test_a_text_of_one_token_is_refused():
    with pytest.raises(ValueError, match="tokens must be at least 2, got 1"):
        drawn(n_tokens=1)


def test_layers_of_one_head_or_of_different_heads_are_refused():
    with pytest.raises(ValueError, match=r"n_heads must be at least 2, .* got \[1, 1\]"):
        drawn(n_heads=1)
    first, second = primer_transformer().blocks
    model = Transformer((first, replace(second, n_heads=3)), primer_transformer().unembedding)
    with pytest.raises(ValueError, match=r"the same in all layers, got \[2, 3\]"):
        head_effects(compute_block(TEXT, model, RESID_6, PRIMER.vocabulary))


def test_heads_that_see_later_tokens_are_refused():
    blocks = tuple(replace(block, mask="none") for block in primer_transformer().blocks)
    model = Transformer(blocks, primer_transformer().unembedding)
    with pytest.raises(ValueError, match="mask must be 'before softmax' in all layers"):
        head_effects(compute_block(TEXT, model, RESID_6, PRIMER.vocabulary))


# Where the heads look while one is silent


@given(effects())
def test_a_silent_head_changes_no_pattern_of_its_layer_or_of_those_before(heads):
    for layer, head in np.ndindex(heads.silenced_patterns.shape[:2]):
        found = heads.silenced_patterns[layer, head]
        assert_array_equal(found[: layer + 1], heads.patterns[: layer + 1])
        assert_array_equal(found[1], heads.silenced[layer][head].block_passes[1].patterns)
    assert_array_equal(heads.off_patterns[0], heads.patterns[0])
    assert_array_equal(heads.off_patterns[1], heads.off.block_passes[1].patterns)


def test_the_primers_second_layer_looks_elsewhere_without_a_head_of_the_first():
    assert np.abs(PRIMER.silenced_patterns[0, 0, 1] - PRIMER.patterns[1]).max() > 1e-3
    assert np.abs(PRIMER.off_patterns[1] - PRIMER.patterns[1]).max() > 1e-3
