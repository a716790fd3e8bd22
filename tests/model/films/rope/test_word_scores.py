"""Words that score each other, with and without a place."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.rope.word_scores import TurnedWord, WordOrders, WordPair, WordScores
from clockhead.model.rope.rotation import rope_frequencies
from clockhead.model.tokens import Vocabulary
from tests.model import second_opinion

RATES = rope_frequencies(8)
TEXT = ("dog", "bites", "man")
STORY = WordScores.told(TEXT, 1, RATES)

# The drawn numbers of the default text. NumPy may change its normals: then this table says so.
QUERIES = [
    [-2.2, -2.3, 0.9, -1.1, 0.2, 0.1, -1.4, -0.6],
    [-0.4, -1.1, -1.4, -0.2, 0.2, 1.2, -0.6, -0.1],
    [-2.3, 0.1, -1.8, 2.0, 1.2, 1.7, 0.2, -1.0],
]
KEYS = [
    [1.6, -0.1, -1.5, -1.1, -1.4, 0.5, 0.0, 0.4],
    [0.2, -0.2, 0.0, 0.3, 1.3, 0.4, 1.2, -0.7],
    [0.4, -0.6, -1.0, -0.6, 0.0, -0.1, -0.4, -0.5],
]

stories = st.builds(
    WordScores.told,
    words=st.lists(st.text("abcde", min_size=1, max_size=3), min_size=3, max_size=5, unique=True),
    asks=st.just(1),
    frequencies=st.sampled_from([2, 4, 8, 16]).map(rope_frequencies),
    seed=st.integers(0, 10**6),
)


def test_the_made_up_vectors_are_these():
    assert_array_equal(STORY.queries, QUERIES)
    assert_array_equal(STORY.keys, KEYS)
    assert not np.signbit(STORY.keys[STORY.keys == 0]).any()
    assert_array_equal(STORY.query, QUERIES[1])
    assert_array_equal(STORY.word_keys, KEYS)


def test_words_and_pairs_are_counted_and_the_outer_words_named():
    assert (STORY.n_words, STORY.n_pairs) == (3, 4)
    assert (STORY.asks, STORY.others) == (1, (0, 2))
    assert (STORY.first, STORY.last) == STORY.outer_words == ("dog", "man")


def test_scores_without_position_do_not_know_the_order():
    assert_allclose(STORY.plain_scores[[0, 2]], [2.07, 2.19], atol=1e-12)
    assert_array_equal(STORY.swapped().plain_scores, STORY.plain_scores[::-1])
    assert STORY.largest_plain_change == 0


def test_scores_with_position_know_it():
    assert_allclose(STORY.scores[[0, 2]], [3.96, 1.32], atol=0.005)
    swapped = STORY.swapped()
    assert swapped.words == ("man", "bites", "dog")
    assert_allclose(swapped.scores[[2, 0]], [0.65, 2.59], atol=0.005)
    assert STORY.changes == pytest.approx([0.646033 - 3.958034, 0, 2.588717 - 1.316410], abs=1e-5)
    assert STORY.largest_change == pytest.approx(3.312, abs=1e-3)
    assert STORY.smallest_change == pytest.approx(1.272, abs=1e-3)
    assert WordOrders(STORY).swap_is_seen
    assert not WordOrders(replace(STORY, frequencies=(1e-6,) * 4)).swap_is_seen


def test_terms_of_a_score_are_the_products_of_its_pairs():
    near = replace(STORY, positions=(3, 5, 7))
    far = replace(STORY, positions=(98, 100, 102))
    assert_allclose(near.terms[0], [1.86, 2.52, 0.36, -0.04], atol=0.005)
    assert near.scores[0] == pytest.approx(4.69, abs=0.005)
    assert_allclose(far.terms, near.terms, atol=1e-12)
    product = WordPair(STORY, 5, 3).product
    assert product == STORY.with_word(0, 5, 3)
    assert product.rotated_once == pytest.approx(near.scores[0], abs=1e-12)


def test_a_word_turns_like_its_query():
    turned = TurnedWord(STORY, 5).turned
    assert (turned.token, turned.m) == ("bites", 5)
    assert_array_equal(turned.vector, STORY.query)
    assert_allclose(turned.rotated_pairs, STORY.query_pairs_at(5), atol=1e-12)


def test_hands_have_the_lengths_of_their_pairs():
    assert_allclose(STORY.query_lengths, [1.17, 1.41, 1.22, 0.61], atol=0.005)
    assert_allclose(STORY.key_lengths[0], [1.60, 1.86, 1.49, 0.40], atol=0.005)
    assert STORY.unit == pytest.approx(np.hypot(1.5, 1.1))


def test_the_score_runs_with_the_offset():
    found = [STORY.with_word(0, 20, 20 - offset).rotated_once for offset in range(1, 9)]
    assert_allclose(found, [3.96, 4.69, 3.69, 1.95, 1.12, 1.99, 3.76, 4.78], atol=0.005)


@given(stories)
def test_scores_in_plain_loops_agree(story):
    rates = list(story.frequencies)
    query = second_opinion.rotate(story.query.tolist(), 1, rates)
    keys = [
        second_opinion.rotate(key.tolist(), n, rates)
        for n, key in enumerate(story.keys[story.indices])
    ]
    assert_allclose(story.scores, [second_opinion.dot(query, key) for key in keys], atol=1e-12)


@given(stories, st.integers(0, 9000))
def test_order_counts_with_position_alone_and_a_shift_never(story, by):
    orders = WordOrders(story, by)
    assert orders.largest_plain_change == 0
    assert not np.signbit(story.keys[story.keys == 0]).any()
    assert orders.shifted_change < 1e-9
    assert orders.smallest_change <= orders.largest_change
    assert_array_equal(story.changes[1:-1], 0)
    assert story.swapped().swapped() == story
    assert_allclose(orders.swapped_and_shifted.scores, orders.swapped.scores, atol=1e-9)


@given(stories, st.floats(-50, 50))
def test_scores_at_any_positions_are_those_of_the_offsets(story, by):
    moved = story.scores_at(np.array(story.positions) + by)
    assert_allclose(moved, story.scores, atol=1e-9)
    assert_allclose(np.linalg.norm(story.query_pairs_at(by), axis=-1), story.query_lengths)


@settings(max_examples=20)
@given(stories)
def test_the_swap_runs_from_one_order_to_the_other(story):
    way = story.swap_positions(np.linspace(0, 1, 5))
    assert way.shape == (5, len(story.words))
    assert_array_equal(way[0], story.positions)
    scores = story.scores_at(way)
    assert_allclose(scores[0], story.scores, atol=1e-12)
    assert_allclose(scores[-1] - scores[0], story.changes, atol=1e-12)
    pairs = story.shown_pairs_at(way)
    assert_allclose(pairs[0, 1], story.rotated_query_pairs)
    assert_allclose(pairs[0, 0], story.rotated_key_pairs[0])
    assert (np.linalg.norm(pairs, axis=-1) <= story.unit + 1e-12).all()


def test_a_swap_keeps_every_vector():
    assert STORY.swapped().vocabulary == STORY.vocabulary == Vocabulary(TEXT)
    assert_array_equal(STORY.swapped().word_keys, STORY.word_keys[::-1])
    assert (STORY.asker, STORY.swapped().asker) == ("bites", "bites")


def test_a_story_can_be_sent_to_another_process():
    assert STORY.unit
    assert pickle.loads(pickle.dumps(STORY)) == STORY


@pytest.mark.parametrize(
    ("words", "asks", "message"),
    [
        (("dog", "bites"), 1, "words must be 3 or more, got 2"),
        (TEXT, 0, "asks must be a place strictly inside the text, 1 to 1, got 0"),
        (TEXT, 2, "asks must be a place strictly inside"),
        (("dog", "bites", "dog"), 1, "swapping 'dog' with 'dog' changes nothing"),
        (("dog", "dog", "man"), 1, "asks must be the place of a word other .* got 'dog'"),
    ],
)
def test_texts_without_a_story_are_refused(words, asks, message):
    with pytest.raises(ValueError, match=message):
        WordScores.told(words, asks, RATES)


def test_positions_must_be_as_many_as_words_and_from_0():
    with pytest.raises(ValueError, match="positions must be 3, one for each word, got 2"):
        replace(STORY, positions=(0, 1))
    with pytest.raises(ValueError, match="positions must be a whole number of at least 0, got -1"):
        STORY.shifted(-1)
    with pytest.raises(ValueError, match="positions must be a whole number"):
        WordOrders(STORY, -3)
    with pytest.raises(ValueError, match="positions must have a last axis of 3"):
        STORY.scores_at([0.0, 1.0])
    with pytest.raises(ValueError, match="n must be a place of the text, 0 to 2, got 3"):
        STORY.with_word(3, 0, 1)


@settings(max_examples=25, deadline=None)
@given(stories)
def test_angles_and_lengths_make_the_terms(story):
    lengths = story.query_lengths * story.key_lengths
    assert_allclose(lengths * np.cos(story.angles), story.terms, atol=1e-12)
    turned = story.shifted(7)
    alike = lengths > 0
    apart = np.exp(1j * turned.angles) - np.exp(1j * story.angles)
    assert_allclose(apart[alike], 0, atol=1e-9)
    phases = story.phases + WordOrders(story, 7).shift_phases
    assert_allclose(turned.phases, phases, rtol=1e-9)
    assert_allclose(turned.first_phases, np.add(story.positions, 7), rtol=1e-12)


@settings(max_examples=25, deadline=None)
@given(stories)
def test_the_way_to_the_other_order_begins_and_ends_at_the_orders(story):
    orders = WordOrders(story)
    back = [len(story.words) - 1, *range(1, len(story.words) - 1), 0]
    assert_array_equal(orders.swap_scores[0], story.scores)
    assert_allclose(orders.swap_scores[-1], orders.swapped.scores[back], atol=1e-12)
    keys = orders.swapped.rotated_key_pairs[back]
    assert_allclose(orders.swap_key_pairs[:, -1], keys, atol=1e-12)
    lengths = story.query_lengths * story.key_lengths
    scores = (lengths[:, None] * np.cos(orders.swap_angles)).sum(axis=-1).T
    assert_allclose(scores, orders.swap_scores, atol=1e-9)
    assert story.outer_words == orders.swapped.outer_words[::-1]
