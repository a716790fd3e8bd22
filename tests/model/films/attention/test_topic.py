"""The head that finds out which mouse is meant, against a second one in plain loops."""

from __future__ import annotations

import math
from itertools import product
from typing import get_args

import numpy as np
import pytest
from numpy.testing import assert_allclose

from clockhead.model.films.attention.topic import (
    FEATURES,
    NEXT_WORDS,
    W_K,
    W_Q,
    W_V,
    WORDS,
    Article,
    Natural,
    Technical,
    two_topics,
)

PAIRS = list(product(get_args(Natural), get_args(Technical)))


def times(row, matrix):
    """A row times a matrix, in plain loops."""
    return [
        sum(x * line[j] for x, line in zip(row, matrix, strict=True)) for j in range(len(matrix[0]))
    ]


def shares(numbers):
    raised = [math.exp(x) for x in numbers]
    return [x / sum(raised) for x in raised]


@pytest.mark.parametrize("strength", [0.6, 1.0, 1.4])
@pytest.mark.parametrize(("topic", "other"), PAIRS)
def test_the_head_worked_in_plain_loops_agrees(topic, other, strength):
    both = two_topics("the", topic, other, strength)
    for head, word in ((both.first, topic), (both.other, other)):
        rows = [WORDS[token] for token in ("the", word, "mouse")]
        query = [strength * x for x in times(rows[-1], W_Q)]
        keys, values = ([times(row, matrix) for row in rows] for matrix in (W_K, W_V))
        scores = [sum(a * b for a, b in zip(query, key, strict=True)) for key in keys]
        weights = shares(scores)
        place = [
            rows[-1][k] + sum(p * v[k] for p, v in zip(weights, values, strict=True))
            for k in range(2)
        ]
        logits = [place[0] * a + place[1] * b for a, b in NEXT_WORDS.values()]
        for name, due in (("query", query), ("keys", keys), ("values", values)):
            assert_allclose(getattr(head, name), due, atol=1e-12)
        assert_allclose(head.scores, scores, atol=1e-12)
        assert_allclose(head.weights, weights, atol=1e-12)
        assert_allclose(head.after, place, atol=1e-12)
        assert_allclose(head.next.probabilities, shares(logits), atol=1e-12)


@pytest.mark.parametrize("strength", [0.6, 1.0, 1.4])
@pytest.mark.parametrize(("topic", "other"), PAIRS)
def test_another_topic_changes_one_value_and_the_next_word_and_nothing_else(topic, other, strength):
    both = two_topics("a", topic, other, strength)
    assert both.key_change < 1e-12
    assert_allclose(both.other.query, both.first.query, atol=0)
    assert_allclose(both.other.weights, both.first.weights, atol=1e-12)
    assert_allclose(both.other.values[[0, 2]], both.first.values[[0, 2]], atol=0)
    assert both.value_change > 0.5
    assert both.first.next.greedy_word in ("squeaks", "eats")
    assert both.other.next.greedy_word in ("clicks", "scrolls")


def test_without_attention_every_next_word_is_as_likely():
    both = two_topics("the", "field", "computer", 1.0)
    assert_allclose(both.alone.probabilities, 0.25, atol=1e-12)


def test_arrows_are_laid_tip_to_tail_from_the_last_word_to_where_it_goes():
    head = two_topics("my", "barn", "office", 0.8).first
    start = head.words[-1, 1]
    laid = head.chain[np.argsort(-head.weights)]
    assert_allclose(laid[0, 0], start, atol=1e-12)
    assert_allclose(laid[1:, 0], laid[:-1, 1], atol=1e-12)
    assert_allclose(laid[-1, 1], head.after, atol=1e-12)
    assert_allclose(head.chain[:, 1] - head.chain[:, 0], head.scaled[:, 1], atol=1e-12)


def test_every_word_has_every_feature_and_topics_have_one_key():
    assert {len(row) for row in WORDS.values()} == {len(FEATURES)} == {4}
    topics = [WORDS[word] for word in (*get_args(Natural), *get_args(Technical))]
    assert all(math.isclose(nature + technology, 1) for nature, technology, *_ in topics)
    assert all(WORDS[word] == (0, 0, 0, 1) for word in get_args(Article))


def test_a_query_needs_a_length():
    with pytest.raises(ValueError, match="strength must be a finite number above 0, got 0"):
        two_topics("the", "field", "computer", 0.0)
