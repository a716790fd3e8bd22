"""Shares of attention as logits: softmax at gamma 1, and the gamma that makes it sure."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from clockhead.model.films.induction.probabilities import share_example, share_logits
from clockhead.model.induction.circuit import induction
from tests.model.plain_induction import induction_logits
from tests.model.riddles import USUAL, riddles

CAT = share_example(USUAL, 10.0, 10.0)


def plain_softmax(logits):
    """By powers of e, one after another."""
    powers = [math.e ** (logit - max(logits)) for logit in logits]
    return [power / math.fsum(powers) for power in powers]


@pytest.mark.parametrize(("k", "n"), [(2, 8), (3, 6), (5, 12)])
def test_tokens_that_tie_reach_it_together_and_stay_equal(k, n):
    found = share_logits(np.repeat([1 / k, 0.0], [k, n - k]))
    assert found.leaders.tolist() == list(range(k))
    assert (found.n_leaders, found.lead) == (k, pytest.approx(1))
    exact = k * math.log(99 * (n - k) / k)
    assert found.gamma == pytest.approx(math.ceil(10 * exact) / 10)
    assert found.likeliest == pytest.approx(found.sharp[:k].sum() / k)
    assert found.likeliest < 1 / k


def test_tokens_that_all_tie_reach_it_at_once():
    assert share_logits(np.full(4, 0.25)).gamma == 0.1


share = st.one_of(st.just(0.0), st.floats(1e-9, 1))
shares = st.lists(share, min_size=2, max_size=12).filter(lambda row: sum(row) > 0)


@given(shares, st.floats(0.1, 100))
def test_probabilities_are_the_softmax_of_shares_times_gamma(row, gamma):
    found = share_logits(np.array(row))
    assert_allclose(found.at(gamma), plain_softmax([gamma * x for x in row]), atol=1e-12)
    assert_allclose(found.flat, plain_softmax(row), atol=1e-12)
    assert found.flat.max() <= (math.e + 1e-12) * found.flat.min()


@given(shares)
def test_it_is_the_least_gamma_in_tenths(row):
    found = share_logits(np.array(row))
    tenths = round(10 * found.gamma)
    assert found.gamma == tenths / 10
    assert found.sharp[found.leaders].sum() >= 0.99
    assert tenths == 1 or found.at((tenths - 1) / 10)[found.leaders].sum() < 0.99


@given(shares, st.floats(0.1, 50))
def test_order_stays_and_logarithms_as_logits_give_shares_back(row, gamma):
    found = share_logits(np.array(row))
    order = np.argsort(row, kind="stable")
    assert (np.diff(found.at(gamma)[order]) >= -1e-15).all()
    positive = [x for x in row if x > 0]
    assert_allclose(plain_softmax([math.log(x) for x in positive]), np.array(positive) / sum(row))


# The cat


def test_logits_are_those_of_the_head_with_that_gamma():
    head = induction(CAT.main.tokens, CAT.texts.vocabulary, gamma=CAT.sure.gamma)
    assert_allclose(head.forward.logits[-1], CAT.sure.gamma * CAT.sure.shares, rtol=1e-12)
    plain = induction_logits(CAT.main.text.indices.tolist(), 8, 10.0, 10.0, CAT.sure.gamma)
    assert_allclose(CAT.sure.sharp, plain_softmax(plain[-1]), atol=1e-9)


@given(riddles())
@settings(max_examples=15)
def test_every_text(text):
    found = share_example(text, 10.0, 10.0)
    assert found.worst_error == found.main.match_error < 0.01
    assert found.sure.flat_lead < found.sure.lead
    assert_allclose(found.blocks / found.blocks.sum(), found.sure.flat, rtol=1e-12)
    assert found.leading[0] == pytest.approx(found.sure.flat_lead)
    assert found.leading[-1] >= 0.99


@given(riddles())
@settings(max_examples=8)
def test_on_the_way_gamma_grows_to_the_digit(text):
    found = share_example(text, 10.0, 10.0)
    gammas, rows, end = found.gammas, found.probabilities, found.sure.gamma
    assert (gammas[0], gammas[-1]) == (1.0, end)
    assert (np.diff(gammas) >= -1e-12).all()
    assert_allclose(rows[[0, -1]], [found.sure.at(1.0), found.sure.at(end)], rtol=1e-12)
