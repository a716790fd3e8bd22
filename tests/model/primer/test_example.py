import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from clockhead.model.primer.example import PRIMER_ROWS, worked_head
from clockhead.model.primer.weights import LOGITS_5, VOCABULARY, W_K_5, W_Q_5, W_V_5

TEXT = ("the", "cat", "sat")
# The source, section 5, as its characters stand there.
AS_PRINTED = {
    "w_q": """1.0 0.0 0.0 0.5 0.0  0.0 1.0 0.0 0.0 0.5  0.0 0.0 1.0 0.0 0.0
              0.5 0.0 0.0 1.0 0.0  0.0 0.5 0.0 0.0 1.0""",
    "w_k": """0.8 0.2 0.0 0.0 0.0  0.2 0.8 0.0 0.0 0.0  0.0 0.0 0.9 0.1 0.0
              0.0 0.0 0.1 0.9 0.0  0.0 0.0 0.0 0.0 1.0""",
    "w_v": """0.5 0.5 0.0 0.0 0.0  0.5 -0.5 0.0 0.0 0.0  0.0 0.0 1.0 0.0 0.0
              0.0 0.0 0.0 1.0 0.0  0.0 0.0 0.0 0.0 1.0""",
    "embedding": "0.10 -0.20 0.05 0.40 0.15  0.30 0.50 -0.10 0.20 0.00  -0.40 0.10 0.60 -0.30 0.20",
}


def _numbers(printed):
    return np.array(printed.split(), dtype=float).reshape(-1, 5)


def test_the_literals_are_those_of_the_source():
    head = worked_head(TEXT)
    for name, printed in AS_PRINTED.items():
        assert_array_equal(getattr(head, name), _numbers(printed), err_msg=name)
    assert head.tokens == TEXT
    assert_array_equal([W_Q_5, W_K_5, W_V_5], [head.w_q, head.w_k, head.w_v])


def test_the_words_of_the_source_have_their_logits_and_three_their_rows():
    words = "the cat dog sat ran on mat floor big small red blue fast slow a and . is was .EOS"
    logits = """-0.8 -0.2 0.1 0.5 1.2 2.4 3.1 2.8 0.4 -0.1
                -0.3 0.0 -0.5 -0.4 0.6 0.2 1.0 -0.2 0.3 -1.5"""
    assert tuple(words.split()) == VOCABULARY
    assert_array_equal(LOGITS_5, np.array(logits.split(), dtype=float))
    assert [VOCABULARY.index(word) for word in PRIMER_ROWS] == [0, 1, 3]


def test_rows_follow_the_words_and_not_their_order_in_the_primer():
    head = worked_head(("sat", "the", "sat", "cat"))
    assert_array_equal(head.embedding, [PRIMER_ROWS[word] for word in ("sat", "the", "cat")])
    assert_array_equal(head.resid_pre[2], PRIMER_ROWS["sat"])


def test_what_is_given_is_taken_and_the_rest_is_the_primers():
    rows = [[0.1, 0.2, 0.3, 0.4, 0.5], [1, 2, 3, 4, 5]]
    head = worked_head(("to", "be", "to"), embedding=rows, w_v=np.eye(5))
    assert_array_equal(head.resid_pre, [rows[0], rows[1], rows[0]])
    assert_array_equal(head.w_v, np.eye(5))
    assert_array_equal(head.w_q, W_Q_5)
    assert not isinstance(rows, np.ndarray)


def test_what_was_given_is_copied():
    mine = np.eye(5)
    head = worked_head(TEXT, w_q=mine)
    mine[0, 0] = 9
    assert head.w_q[0, 0] == 1


@given(st.integers(0, 2**32 - 1), st.integers(2, 6))
def test_a_seed_draws_two_decimals_and_repeats_itself(seed, width):
    words = ("to", "be", "or", "not")
    rows = np.arange(4.0 * width).reshape(4, width)
    head, again = (worked_head(words, embedding=rows, seed=seed) for _ in range(2))
    assert_array_equal(head.embedding, rows)
    for name in ("w_q", "w_k", "w_v"):
        drawn = getattr(head, name)
        assert drawn.shape == (width, width)
        assert_array_equal(drawn, np.round(drawn, 2))
        assert not np.signbit(drawn[drawn == 0]).any()  # -0.00 would be written
        assert_array_equal(drawn, getattr(again, name))
    assert not np.array_equal(head.w_q, head.w_k)


def test_what_is_given_changes_nothing_else_that_is_drawn():
    free = worked_head(TEXT, seed=3)
    bound = worked_head(TEXT, np.ones((3, 5)), w_k=np.eye(5), seed=3)
    assert_array_equal(free.w_q, bound.w_q)
    assert_array_equal(free.w_v, bound.w_v)
    assert not np.array_equal(free.w_q, W_Q_5)
    assert not np.array_equal(free.w_q, worked_head(TEXT, seed=4).w_q)


def test_drawn_numbers_spread_by_a_half():
    drawn = np.concatenate([worked_head(TEXT, seed=k).w_q.ravel() for k in range(200)])
    assert abs(drawn.mean()) < 4 * 0.5 / np.sqrt(drawn.size)
    assert drawn.std() == pytest.approx(0.5, abs=4 * 0.5 / np.sqrt(2 * drawn.size))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"tokens": ("the", "dog")}, "“dog” has no row in the primer, which prints those of the,"),
        ({"tokens": ("The", "cat")}, "give the rows as embedding, or a seed that draws them"),
        ({"embedding": [[1, 2], [3, 4], [5, 6]]}, "w_q must be 2 x 2, got 5 x 5"),
        ({"embedding": [[1, 2]], "seed": 1}, "embedding must be 3 x 2, got 1 x 2"),
        ({"embedding": [[1, 2], [3]]}, "embedding must be an array of numbers, all rows equally"),
        ({"w_k": np.eye(4)}, "w_k must be 5 x 5, got 4 x 4"),
        ({"w_v": [1, 2, 3]}, "w_v must have 2 axes"),
        ({"w_q": [["a"]]}, "w_q must be an array of numbers"),
        ({"tokens": ()}, "tokens must hold at least one token"),
    ],
)
def test_what_does_not_fit_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        worked_head(**{"tokens": TEXT} | arguments)
