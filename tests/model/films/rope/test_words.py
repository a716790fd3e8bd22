"""Words that score each other, with and without a place."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.rope.who_bites import word_orders
from clockhead.model.films.rope.word_order import swapped_words
from clockhead.model.films.rope.words import score_words, shift_words, swap_outer_words, word_scores
from clockhead.model.rope.rotation import rope_frequencies
from tests.model import second_opinion

RATES = rope_frequencies(8)
TEXT = ("dog", "bites", "man")
STORY = word_scores(TEXT, 1, RATES)

# The drawn numbers of the default text. NumPy may change its normals: then this table says so.
QUERY = [-0.4, -1.1, -1.4, -0.2, 0.2, 1.2, -0.6, -0.1]
KEYS = [
    [1.6, -0.1, -1.5, -1.1, -1.4, 0.5, 0.0, 0.4],
    [0.2, -0.2, 0.0, 0.3, 1.3, 0.4, 1.2, -0.7],
    [0.4, -0.6, -1.0, -0.6, 0.0, -0.1, -0.4, -0.5],
]

stories = st.builds(
    word_scores,
    words=st.lists(st.text("abcde", min_size=1, max_size=3), min_size=3, max_size=5, unique=True),
    asks=st.just(1),
    frequencies=st.sampled_from([2, 4, 8, 16]).map(rope_frequencies),
    seed=st.integers(0, 10**6),
)


def test_the_made_up_vectors_are_these():
    assert_array_equal(STORY.query, QUERY)
    assert_array_equal(STORY.keys, KEYS)
    assert not np.signbit(STORY.keys[STORY.keys == 0]).any()


def test_words_and_pairs_are_counted():
    assert (STORY.n_words, STORY.n_pairs) == (3, 4)
    assert (STORY.asks, STORY.asker, STORY.others) == (1, "bites", (0, 2))
    assert (STORY.first, STORY.last) == ("dog", "man")
    assert STORY.unit == pytest.approx(np.hypot(1.5, 1.1))


def test_scores_without_position_do_not_know_the_order():
    assert_allclose(STORY.plain_scores[[0, 2]], [2.07, 2.19], atol=1e-12)
    assert_array_equal(swap_outer_words(STORY).plain_scores, STORY.plain_scores[::-1])


def test_scores_with_position_know_it():
    assert_allclose(STORY.scores[[0, 2]], [3.96, 1.32], atol=0.005)
    other = swap_outer_words(STORY)
    assert other.words == ("man", "bites", "dog")
    assert other.asker == "bites"
    assert_array_equal(other.keys, STORY.keys[::-1])
    assert_allclose(other.scores[[2, 0]], [0.65, 2.59], atol=0.005)
    orders = word_orders(STORY, 95)
    assert orders.smallest_change == pytest.approx(2.588717 - 1.316410, abs=1e-5)
    assert orders.swap_is_seen
    assert not word_orders(word_scores(TEXT, 1, (1e-6,) * 4), 95).swap_is_seen


@given(stories)
def test_scores_in_plain_loops_agree(story):
    rates = story.frequencies.tolist()
    query = second_opinion.rotate(story.query.tolist(), 1, rates)
    keys = [second_opinion.rotate(key.tolist(), n, rates) for n, key in enumerate(story.keys)]
    assert_allclose(story.scores, [second_opinion.dot(query, key) for key in keys], atol=1e-12)


@given(stories, st.integers(0, 9000))
def test_order_counts_with_position_alone_and_a_shift_never(story, by):
    orders = word_orders(story, by)
    assert swapped_words(story).largest_plain_change == 0
    assert not np.signbit(story.keys[story.keys == 0]).any()
    assert orders.shifted_change < 1e-9
    assert_array_equal(orders.swapped.scores[1:-1], story.scores[1:-1])
    assert swap_outer_words(swap_outer_words(story)).words == story.words
    assert_allclose(orders.swapped_and_shifted.scores, orders.swapped.scores, atol=1e-9)


@given(stories, st.floats(0, 50))
def test_scores_at_any_positions_are_those_of_the_offsets(story, by):
    assert_allclose(score_words(story, story.positions + by), story.scores, atol=1e-9)
    assert (np.linalg.norm(story.key_pairs, axis=-1) <= story.unit + 1e-12).all()


@settings(max_examples=25, deadline=None)
@given(stories)
def test_angles_and_lengths_make_the_scores(story):
    lengths = np.linalg.norm(story.query_pairs, axis=-1) * np.linalg.norm(story.key_pairs, axis=-1)
    assert_allclose((lengths * np.cos(story.angles)).sum(axis=-1), story.scores, atol=1e-12)
    apart = np.exp(1j * shift_words(story, 7).angles) - np.exp(1j * story.angles)
    assert_allclose(apart[lengths > 0], 0, atol=1e-9)


@settings(max_examples=25, deadline=None)
@given(stories)
def test_the_way_to_the_other_order_begins_and_ends_at_the_orders(story):
    orders = word_orders(story, 1)
    back = [len(story.words) - 1, *range(1, len(story.words) - 1), 0]
    assert_allclose(orders.swap_scores[0], story.scores, atol=1e-12)
    assert_allclose(orders.swap_scores[-1], orders.swapped.scores[back], atol=1e-12)


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
        word_scores(words, asks, RATES)
