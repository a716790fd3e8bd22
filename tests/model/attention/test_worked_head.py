from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.attention.worked_head import compute_head
from clockhead.model.primer.example import PRIMER_ROWS, worked_head
from clockhead.model.primer.weights import W_K_5, W_Q_5, W_V_5
from tests.model import second_opinion
from tests.model.test_primer import TRUE_5

TEXT = ("the", "cat", "sat")
HEAD = worked_head(TEXT)
POST = [[0.05, -0.05, 0.10, 0.80, 0.30]]
POST += [[0.4915602264, 0.5157998742, -0.1305200755, 0.4926398994, 0.0694799245]]


@st.composite
def heads(draw, least_tokens=1):
    """A head over 1 to 5 words, two of which may be one, with rows of 2 to 6 numbers."""
    tokens = draw(st.lists(st.sampled_from("abcde"), min_size=least_tokens, max_size=5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    width, spread = draw(st.integers(2, 6)), draw(st.sampled_from([0.1, 0.5, 2.0]))
    rows = rng.normal(scale=spread, size=(len(set(tokens)), width))
    return compute_head(tuple(tokens), rows, *rng.normal(scale=spread, size=(3, width, width)))


# The example of the primer


def test_the_example_has_its_true_tables():
    names = "queries", "keys", "values", "dots", "scores", "pattern", "z"
    for name, table in zip(names, TRUE_5.values(), strict=False):
        assert_allclose(getattr(HEAD, name), table, rtol=0, atol=6e-11, err_msg=name)
    assert_allclose(HEAD.resid_post, [*POST, *TRUE_5["h_last"]], rtol=0, atol=6e-11)


def test_one_entry_and_the_blend_are_built_up_from_their_terms():
    assert HEAD.entry_column == 0
    assert HEAD.queries[2, 0] == pytest.approx(-0.40 - 0.15)
    assert HEAD.divisor == pytest.approx(2.2360679775)
    assert HEAD.last == 2
    assert_allclose(HEAD.weighted_values.sum(axis=0), TRUE_5["attention_output"][2], atol=1e-10)


# Any head


@given(heads())
def test_a_head_worked_in_plain_loops_agrees(head):
    rows = _rows(head)
    x = [rows[token] for token in head.tokens]
    weights = [matrix.tolist() for matrix in (head.w_q, head.w_k, head.w_v)]
    names = ["queries", "keys", "values", "dots", "scores", "pattern", "z", "resid_post"]
    for name, table in zip(names, second_opinion.head_on_rows(x, *weights), strict=True):
        assert_allclose(getattr(head, name), table, rtol=1e-9, atol=1e-9, err_msg=name)


@given(heads())
def test_the_steps_in_between_lead_to_their_results(head):
    last = head.last
    assert head.n_tokens == last + 1 == len(head.pattern)
    assert_allclose(head.scores * head.divisor, head.dots, rtol=1e-12)
    assert_array_equal(head.last_weights, head.pattern[last])
    assert_allclose(head.weighted_values.sum(axis=0), head.z[last], atol=1e-9)
    assert_allclose(head.resid_post, head.resid_pre + head.z, atol=1e-12)


@given(heads(least_tokens=3))
def test_without_positions_the_last_row_is_the_same_in_either_order(head):
    exchanged = [1, 0, *range(2, head.n_tokens)]
    tokens = tuple(head.tokens[k] for k in exchanged)
    rows = np.array(
        [head.resid_pre[exchanged[tokens.index(token)]] for token in dict.fromkeys(tokens)]
    )
    other = compute_head(tokens, rows, head.w_q, head.w_k, head.w_v)
    assert_allclose(other.last_weights, head.last_weights[exchanged], atol=1e-12)
    size = max(1.0, float(np.abs(head.resid_post).max()))
    assert_allclose(other.resid_post[2:], head.resid_post[2:], atol=1e-12 * size)


@given(heads(least_tokens=2), st.data())
def test_no_row_knows_what_comes_after_it(head, data):
    """A text cut short has the same rows as far as it goes."""
    n = data.draw(st.integers(1, head.n_tokens))
    rows = head.embedding[: len(set(head.tokens[:n]))]
    short = compute_head(head.tokens[:n], rows.copy(), head.w_q, head.w_k, head.w_v)
    assert_allclose(short.resid_post, head.resid_post[:n], atol=1e-11)


def test_a_word_that_comes_twice_has_one_row():
    head = worked_head(("cat", "the", "cat", "sat"))
    assert head.vocabulary.tokens == ("cat", "the", "sat")
    assert_array_equal(head.places, [0, 1, 0, 2])
    assert_array_equal(head.resid_pre[0], head.resid_pre[2])
    assert head.last_weights[0] == head.last_weights[2]


def test_words_that_are_all_one_are_attended_to_alike():
    head = worked_head(("the",) * 4)
    assert_allclose(head.pattern, np.tri(4) / np.arange(1, 5)[:, None], atol=1e-15)


def test_what_fits_or_leads_alike_is_told_from_what_is_nearly_so():
    rows = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    one, none = np.eye(2), np.zeros((2, 2))
    head = compute_head(("a", "b", "c", "a"), rows, one, one, none)
    assert head.best_keys.tolist() == [0, 1, 3]
    nearly = compute_head(("a", "b", "a"), rows[:2] + np.array([[0, 0], [1e-9, 0]]), one, one, none)
    assert nearly.best_keys.tolist() == [1]


@given(heads())
def test_dot_products_are_no_further_off_than_rounding_may_move_them(head):
    def exact(matrix):
        return [[Fraction(x) for x in row] for row in np.asarray(matrix).tolist()]

    def dot(a, b):
        return sum(one * other for one, other in zip(a, b, strict=True))

    rows, w_q, w_k = exact(head.resid_pre), exact(head.w_q.T), exact(head.w_k.T)
    query = [dot(rows[-1], column) for column in w_q]
    for n, row in enumerate(rows):
        true = dot(query, [dot(row, column) for column in w_k])
        assert abs(Fraction(float(head.dots[-1, n])) - true) <= head.rounding[n]


# What is refused


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"embedding": np.ones((2, 5))}, "embedding must be 3 x 5, got 2 x 5"),
        ({"w_q": np.ones((5, 4))}, "w_q must be 5 x 5, got 5 x 4"),
        ({"w_k": np.ones((4, 4))}, "w_k must be 5 x 5, got 4 x 4"),
        ({"w_v": np.ones(5)}, r"w_v must have 2 axes, got shape \(5,\)"),
        ({"w_v": np.full((5, 5), np.inf)}, "w_v must be finite"),
        ({"embedding": np.ones(5)}, "embedding must have 2 axes"),
        ({"tokens": ()}, "tokens must hold at least one token"),
    ],
)
def test_what_does_not_fit_is_refused(options, message):
    parts = {"tokens": TEXT, "embedding": np.array(list(PRIMER_ROWS.values()))}
    parts |= {"w_q": np.array(W_Q_5), "w_k": np.array(W_K_5), "w_v": np.array(W_V_5)}
    with pytest.raises(ValueError, match=message):
        compute_head(**{**parts, **options})


def _rows(head):
    """The row of each word as a list, told from the text by its first appearance."""
    first_seen = list(dict.fromkeys(head.tokens))
    return dict(zip(first_seen, head.embedding.tolist(), strict=True))
