import warnings

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.attention.worked_head import compute_head
from clockhead.model.films.attention.softmax import worked_softmax
from clockhead.model.primer.example import worked_head
from tests.model.attention.test_worked_head import heads

PRIMER = worked_softmax(worked_head(("the", "cat", "sat")))


def loud(factor):
    """The primer's rows made so large that no one could write e to their scores."""
    head = worked_head(("the", "cat", "sat"))
    rows = factor * head.embedding
    return worked_softmax(compute_head(head.tokens, rows, head.w_q, head.w_k, head.w_v))


def test_the_primers_last_row_is_raised_as_it_is():
    assert not PRIMER.is_lowered
    assert PRIMER.taken_off == 0
    assert_allclose(PRIMER.powers, [-0.0643987578, -0.0992814182, 0.2799557108])
    assert_allclose(PRIMER.raised, [0.937631, 0.905488, 1.323071], rtol=1e-6)
    assert np.isclose(PRIMER.total, 3.166190, rtol=1e-6)
    assert_array_equal(PRIMER.raised, np.exp(PRIMER.scores[2]))


def test_the_primers_sat_looks_most_at_itself_and_least_at_cat():
    assert PRIMER.most_looked_at.tolist() == [2]
    assert PRIMER.least_looked_at.tolist() == [1]
    assert PRIMER.n_most == 1


@given(heads())
def test_raised_divided_by_their_total_are_the_shares(head):
    steps = worked_softmax(head)
    assert_allclose(steps.raised / steps.total, steps.last_weights, atol=1e-12)


@given(st.integers(20, 4000))
def test_large_scores_are_lowered_and_never_overflow(factor):
    steps = loud(factor)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert steps.is_lowered
        assert steps.raised.max() == 1
        assert 1 <= steps.total <= 3
    assert_allclose(steps.raised / steps.total, steps.last_weights, atol=1e-12)


def test_equal_words_tie():
    steps = worked_softmax(worked_head(("a", "a", "a"), seed=1))
    assert steps.most_looked_at.tolist() == steps.least_looked_at.tolist() == [0, 1, 2]
    assert steps.n_most == 3


def test_of_shares_too_small_to_tell_apart_the_least_is_known():
    rows = np.array([[-9.0, 1.0], [-5.0, 2.0], [9.99, 3.0]])
    head = worked_head(tuple("abc"), rows, *[np.eye(2)] * 3)
    assert worked_softmax(head).least_looked_at.tolist() == [0]


def test_a_word_that_stands_twice_is_looked_at_alike():
    steps = worked_softmax(worked_head(("sat", "the", "sat")))
    assert steps.most_looked_at.tolist() == [0, 2]
    assert steps.least_looked_at.tolist() == [1]
