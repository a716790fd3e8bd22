"""Tokens on a line, on the way to a circle, and on a fuller one."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.attention.head import ResidualStream
from clockhead.model.films.induction.rank import crowd as crowd_of
from clockhead.model.induction.bent_line import CURVE_STEPS, bent_line
from clockhead.model.induction.token_codes import circle_codes
from clockhead.model.induction.weights import match_head
from tests.model import second_opinion
from tests.model.riddles import USUAL

SIZES = range(3, 12)


def line(n_vocab, **settings):
    return bent_line("abcdefghijklmnopqrstuvwxyz"[:n_vocab], **settings)


def test_seven_tokens_by_hand():
    found = bent_line(("BOS", *USUAL))
    assert found.names == ("BOS", "the", "cat", "sat", "on", "mat", "and")
    assert (found.asker, found.asker_name, found.n_vocab) == (2, "cat", 7)
    step = 2 * math.pi / 7
    assert_allclose(found.places, [k * step for k in (-3.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5)])
    assert (found.n_found_on_line, found.n_found[-1]) == (2, 7)
    assert found.end == 0
    assert found.own == pytest.approx(0.9557, abs=5e-5)
    assert found.line_shares[2, 2] < 1e-6
    assert line(11).own == pytest.approx(0.7069, abs=5e-5)


@pytest.mark.parametrize(
    ("text", "asker"), [("abcab", "b"), ("abcda", "b"), ("abcdbd", "b"), ("abcdadc", "c")]
)
def test_the_query_asks_unless_it_stands_at_an_end(text, asker):
    found = bent_line(tuple(text))
    assert found.asker_name == asker
    assert found.asker not in (0, found.n_vocab - 1)


@pytest.mark.parametrize("n_vocab", SIZES)
def test_the_line_keeps_its_length_and_ends_as_a_circle(n_vocab):
    found = line(n_vocab)
    assert (np.abs(found.places) > 0.1).all()
    assert found.places[0] < 0 < found.places[-1]
    assert_array_equal(found.codes[0], np.stack([found.places, np.zeros(n_vocab)], axis=-1))
    assert_allclose(np.linalg.norm(found.codes[-1], axis=-1), 1)
    x, b = found.places, found.bends[1:, None]
    plain = np.stack([np.sin(b * x) / b, (1 - np.cos(b * x)) / b - b], axis=-1)
    assert_allclose(found.codes[1:], plain, atol=1e-12)
    # radius 1/b around (0, 1/b - b), and the same length of arc from token to token
    centre = np.stack([np.zeros_like(b[:, 0]), (1 / b - b)[:, 0]], axis=-1)[:, None]
    radii = np.linalg.norm(found.codes[1:] - centre, axis=-1)
    assert_allclose(radii * b, 1)
    chords = np.linalg.norm(np.diff(found.codes[1:], axis=1), axis=-1)
    arcs = 2 / b * np.arcsin(np.minimum(chords * b / 2, 1))
    assert_allclose(arcs, 2 * math.pi / n_vocab, rtol=1e-6)


@pytest.mark.parametrize("n_vocab", SIZES)
def test_bent_all_the_way_the_codes_are_circle_codes_up_to_a_rotation(n_vocab):
    codes, plain = line(n_vocab).codes[-1], circle_codes(n_vocab)
    assert_allclose(codes @ codes.T, plain @ plain.T, atol=1e-12)
    turn = codes.T @ plain * 2 / n_vocab
    assert np.linalg.det(turn) == pytest.approx(1)
    assert_allclose(codes @ turn, plain, atol=1e-12)


@settings(max_examples=30)
@given(st.integers(3, 11), st.floats(0.01, 1e4))
def test_on_the_line_the_scores_are_those_of_a_rank_1_head(n_vocab, beta):
    found = line(n_vocab, beta=beta, n_steps=2)
    scores = beta * np.outer(found.places, found.places)
    assert_allclose(found.scores[0], scores, rtol=1e-12, atol=1e-12 * beta)
    assert_allclose(found.line_shares, second_opinion.head_pattern(scores, False), atol=1e-9)
    assert_array_equal(found.looks_at[0], scores.argmax(axis=1))
    assert_array_equal(np.flatnonzero(found.found[0]), [0, n_vocab - 1])
    assert found.end in (0, n_vocab - 1)


def test_on_every_bend_the_scores_are_those_of_a_match_head():
    found, stream = line(5, beta=3.0, n_steps=9), ResidualStream.of(code=2)
    head = match_head(stream, "code", "code", np.eye(2), 3.0)
    for codes, scores in zip(found.codes, found.scores, strict=True):
        assert_allclose(head.run(codes).scores, scores, atol=1e-12)


@settings(max_examples=30)
@given(st.integers(3, 26), st.floats(0.01, 1e5))
def test_on_the_circle_every_token_is_found_at_any_beta(n_vocab, beta):
    found = line(n_vocab, beta=beta, n_steps=2)
    assert found.found[-1].all()
    assert_array_equal(found.looks_at[-1], np.arange(found.n_vocab))
    own, rival = found.scores[-1, 0, :2]
    assert own == pytest.approx(beta)
    assert rival == pytest.approx(beta * math.cos(2 * math.pi / found.n_vocab), abs=1e-12 * beta)
    assert_allclose(np.diagonal(found.circle_shares), found.own)


@pytest.mark.parametrize("n_vocab", SIZES)
def test_bending_never_loses_a_token(n_vocab):
    found = line(n_vocab).n_found
    assert (found[0], found[-1]) == (2, n_vocab)
    assert (np.diff(found) >= 0).all()


def test_when_seven_are_found():
    found = line(7)
    assert [found.n_found[round(80 * bend)] for bend in (0.5, 0.7, 0.8125)] == [2, 4, 7]


@pytest.mark.parametrize(
    ("n_large", "own", "beta", "one_hot"),
    [(28, 0.2794, 210.9, 7.9), (100, 0.0782, 2680, 9.2), (400, 0.0196, 42866, 10.6)],
)
def test_a_fuller_circle_takes_a_larger_beta_and_one_hot_codes_far_less(
    n_large, own, beta, one_hot
):
    found = crowd_of(7, n_large, 10.0)
    assert found.own_large == pytest.approx(own, abs=5e-5)
    assert found.beta_large == pytest.approx(beta, rel=5e-4)
    assert found.beta_one_hot == pytest.approx(one_hot, abs=0.05)
    assert found.beta_large == pytest.approx(
        second_opinion.beta_for(1 - math.cos(2 * math.pi / n_large)), rel=1e-3
    )
    assert found.beta_one_hot == pytest.approx(second_opinion.beta_for(1, n_large - 1), rel=1e-6)
    assert not found.is_sharp


@pytest.mark.parametrize("beta", [10.0, 1e5])
def test_a_circle_is_sharp_if_its_tokens_give_themselves_99_percent(beta):
    assert crowd_of(7, 28, beta).is_sharp == (beta > 100)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: bent_line(("a", "b", "a")), "tokens must be 3 or more different"),
        (lambda: bent_line(()), "tokens must be 3 or more different"),
        (lambda: line(3, beta=0), "beta must be a finite number above 0"),
        (lambda: line(3, n_steps=1), "n_steps must be a whole number of at least 2"),
        (lambda: crowd_of(12, 10, 10.0), "n_large must be at least n_vocab, 12, got 10"),
        (lambda: crowd_of(12, 28, -1), "beta must be"),
    ],
)
def test_bad_settings_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize("n_vocab", SIZES)
def test_the_tokens_stand_on_the_line_which_closes(n_vocab):
    found = line(n_vocab)
    on_it = found.curve[:, CURVE_STEPS // 2 :: CURVE_STEPS]
    assert_allclose(on_it, found.codes, atol=1e-12)
    assert_allclose(found.curve[-1, 0], found.curve[-1, -1], atol=1e-12)
    assert_allclose(np.ptp(found.curve[0, :, 0]), 2 * math.pi)


@pytest.mark.parametrize("n_large", [28, 31, 100])
@pytest.mark.parametrize("beta", [0.01, 10.0, 1e4])
def test_the_circle_fills_from_the_far_side(n_large, beta):
    crowd = crowd_of(7, n_large, beta)
    assert crowd.steps[:5].tolist() == [0, 1, -1, 2, -2]
    assert len(set(crowd.steps % n_large)) == n_large
    assert_allclose(crowd.filling_shares.sum(axis=1), 1)
    for size, shares in zip(crowd.sizes, crowd.filling_shares, strict=True):
        assert_allclose(shares[size:], 0)
        codes = circle_codes(int(size))
        scores = beta * codes @ codes[0]
        expected = np.exp(scores - scores.max())
        assert_allclose(shares[:size], (expected / expected.sum())[crowd.steps[:size]], atol=1e-12)
    assert crowd.filling_own[-1] == pytest.approx(crowd.own_large)


def test_a_match_scores_beta_where_the_content_is_the_same():
    stream = ResidualStream.of(token=3, prev=3, one=1)
    head = match_head(stream, "token", "prev", stream.copy_matrix("token", "token"), beta=9)
    resid_pre = np.hstack([np.eye(3), np.eye(3)[[2, 0, 1]], np.ones((3, 1))])
    assert_allclose(head.run(resid_pre).scores, 9 * np.eye(3)[[1, 2, 0]])
    with pytest.raises(ValueError, match="beta must be a finite number above 0"):
        match_head(stream, "token", "prev", np.eye(7), beta=0)
