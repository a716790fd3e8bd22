import math
from importlib.resources import files
from typing import get_args

import numpy as np
import pytest
from numpy.testing import assert_allclose

from clockhead.model.heads.head_scores import head_scores
from clockhead.model.trained.texts import TOKENS, texts_said_twice, with_start
from clockhead.model.trained.transformer import (
    D_HEAD,
    N_HEADS,
    N_LAYERS,
    SHAPES,
    TINY,
    TrainedWeights,
    letter_losses,
    moments,
    rms_norm,
    run,
    trained_patterns,
)
from clockhead.scenes.trained.inputs import Late, Moment
from tests.model.second_opinion import dot, hands, head_pattern, rotate

LAST = moments().weights[-1]


def tokens(text):
    return with_start(TOKENS.encode(list(text)))


def times(vector, matrix):
    return [dot(vector, column) for column in matrix.T.tolist()]


def logits_in_plain_loops(weights, text, without=()):
    """The transformer once more, on lists: no array operation but reading the weights."""
    theta = hands(D_HEAD)
    stream = [weights.embedding[token].tolist() for token in text]

    def norm(x):
        return [each / math.sqrt(math.fsum(v * v for v in x) / len(x) + TINY) for each in x]

    for layer in range(N_LAYERS):
        read = [norm(x) for x in stream]
        for head in range(N_HEADS):
            if (layer, head) in without:
                continue
            w_q, w_k, w_v, w_o = (
                getattr(weights, name)[layer, head] for name in ("w_q", "w_k", "w_v", "w_o")
            )
            queries = [rotate(times(x, w_q), m, theta) for m, x in enumerate(read)]
            keys = [rotate(times(x, w_k), n, theta) for n, x in enumerate(read)]
            scores = [[dot(q, k) / math.sqrt(D_HEAD) for k in keys] for q in queries]
            values = [times(x, w_v) for x in read]
            for m, row in enumerate(head_pattern(scores, causal=True)):
                taken = [dot(row, column) for column in zip(*values, strict=True)]
                stream[m] = [a + b for a, b in zip(stream[m], times(taken, w_o), strict=True)]
    return [times(norm(x), weights.unembedding) for x in stream]


@pytest.mark.parametrize("without", [(), ((0, 1),), ((1, 0), (1, 3))])
def test_plain_loops_find_the_same_logits(without):
    text = tokens("abracad")
    expected = logits_in_plain_loops(LAST, text, without)
    assert_allclose(run(LAST, text, without).logits, expected, atol=1e-9)


def test_each_head_is_an_attention_head_as_all_others():
    text = tokens("hogwarts hogwa")
    found = run(LAST, text)
    for layer in range(N_LAYERS):
        for head in range(N_HEADS):
            alone = LAST.head(layer, head).run(rms_norm(found.streams[layer]))
            assert_allclose(found.patterns[layer, head], alone.pattern, atol=1e-12)
            assert_allclose(found.scores[layer, head], alone.scores, atol=1e-11)
            assert_allclose(found.added[layer, head], alone.head_out, atol=1e-12)


def test_many_texts_at_once_are_as_each_by_itself():
    texts = texts_said_twice(2, 3, 8)
    together = run(LAST, texts)
    for row, text in enumerate(texts):
        alone = run(LAST, text)
        assert_allclose(together.logits[row], alone.logits, atol=1e-10)
        assert_allclose(together.patterns[:, row], alone.patterns, atol=1e-12)


def test_the_stream_is_what_the_heads_have_added():
    found = run(LAST, tokens("zorp zo"))
    assert_allclose(found.streams[2] - found.streams[0], found.added.sum(axis=(0, 1)), atol=1e-12)
    assert_allclose(found.lens[0], rms_norm(found.streams[0]) @ LAST.unembedding, atol=1e-12)


def test_a_head_that_is_taken_away_adds_nothing():
    found = run(LAST, tokens("zorp zo"), without=[(0, 2)])
    assert not found.added[0, 2].any()
    assert found.added[0, 1].any()
    assert_allclose(found.patterns[0, 2], run(LAST, tokens("zorp zo")).patterns[0, 2])


def test_surprise_is_minus_the_logarithm_of_the_probability():
    logits = np.zeros((3, 27))
    logits[1, 5] = math.log(4)  # 4 to 26 for the letter f
    assert_allclose(letter_losses(logits, np.array([27, 3, 5])), [math.log(27), -math.log(4 / 30)])


@pytest.mark.parametrize("texts", [[], [28], [-1], [1.5], [0] * 65, 3])
def test_a_text_that_is_none_is_refused(texts):
    with pytest.raises(ValueError, match="1 to 64 whole numbers from 0 to 27"):
        run(LAST, np.array(texts))


@pytest.mark.parametrize("head", [(2, 0), (0, 4), (-1, 0), (0, True)])
def test_a_head_that_there_is_not_is_refused(head):
    with pytest.raises(ValueError, match=r"layer|head"):
        run(LAST, tokens("a"), without=[head])


def test_weights_of_another_shape_are_refused():
    arrays = {name: np.zeros(shape) for name, shape in SHAPES.items()}
    with pytest.raises(ValueError, match=r"w_k must have shape \(2, 4, 64, 16\)"):
        TrainedWeights(**{**arrays, "w_k": np.zeros((4, 64, 16))})


def test_a_moment_that_was_not_kept_is_refused():
    assert moments().at(int(moments().steps[3])) is moments().weights[3]
    with pytest.raises(ValueError, match="moment must be one of 0, "):
        moments().at(7)


# What was learned


def test_the_file_of_the_weights_is_small():
    assert len((files("clockhead.model.trained") / "moments.npz").read_bytes()) < 1e6


def test_the_losses_that_were_kept_are_those_of_the_weights():
    kept, said = moments(), texts_said_twice(9, 64, 24)
    for step, weights in zip(kept.steps, kept.weights, strict=True):
        each = letter_losses(run(weights, said).logits, said)
        place = int(np.flatnonzero(kept.seen == step)[0])
        # The weights were rounded to half precision, the losses were not.
        assert each[:, 1:24].mean() == pytest.approx(kept.new[place], abs=0.01)
        assert each[:, 25:].mean() == pytest.approx(kept.repeated[place], abs=0.02)


def test_the_loss_falls_stands_and_falls_again_only_for_what_is_repeated():
    kept = moments()
    losses = dict(zip(kept.seen.tolist(), kept.repeated.tolist(), strict=True))
    assert losses[0] > 3
    assert 2.1 < losses[150] < losses[80] < 2.4
    assert losses[kept.steps[-1]] < 0.6
    assert kept.new[-1] > 2.3


@pytest.mark.parametrize("text", ["hogwarts hogwa", "zorpanik zorpa", "clockhead clo"])
def test_it_goes_on_with_words_that_nobody_has_used(text):
    name, _, begun = text.partition(" ")
    early, late = (
        TOKENS.tokens[run(moments().at(step), tokens(text)).logits[-1].argmax()]
        for step in (150, 2000)
    )
    assert late == name[len(begun)]
    assert early != late


def test_patterns_are_those_of_the_moment():
    found = trained_patterns("zorp zo", 400)
    plain = run(moments().at(400), tokens("zorp zo"))
    assert found.tokens == ("^", *"zorp zo")
    assert_allclose(found.patterns, plain.patterns, atol=1e-12)
    assert_allclose(found.logits, plain.logits)
    assert found.vocabulary[int(found.logits[-1].argmax())] in TOKENS.tokens


def test_one_head_looks_one_back_and_others_look_where_the_letter_stood():
    scores = head_scores(trained_patterns("zorpanik zorpa", 2000))
    assert scores.best("previous") == (0, 1)
    assert scores.best("induction")[0] == 1
    assert scores.on_target[0, 1, 0] > 0.6
    before = head_scores(trained_patterns("zorpanik zorpa", 150))
    assert before.on_target[..., :2].max() < 0.2


@pytest.mark.parametrize("text", ["", "Zorp", "zörp", "z" * 64])
def test_a_text_that_it_cannot_read_is_refused(text):
    with pytest.raises(ValueError, match="text must"):
        trained_patterns(text, 2000)


def test_the_stages_take_the_moments_that_were_kept():
    assert list(get_args(Moment)) == moments().steps.tolist()
    assert set(get_args(Late)) < set(get_args(Moment))
