import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy.ndimage import maximum_filter
from scipy.signal import convolve2d, correlate2d

from clockhead.model.films.convolution.content import TwoReaches, append_query, reach, rotate_words
from clockhead.model.films.convolution.shifted import copy_reader, moved_picture, shift_picture
from clockhead.model.networks.filters import (
    HORIZONTAL,
    STROKE,
    VERTICAL,
    filter_net,
    filter_pass,
    windows,
)
from clockhead.model.tokens import words

digits = st.integers(0, 9).map(float)
pictures = array_shapes(min_dims=2, max_dims=2, min_side=5, max_side=9).flatmap(
    lambda shape: arrays(float, shape, elements=digits)
)
weights = arrays(float, (3, 3), elements=st.floats(-9, 9))
TEXT = words("the cat sat on the mat and the cat")
OTHER = words("on the mat the cat sat and the cat")


# The stroke of the primer, worked by hand


def test_the_stroke_gives_what_the_primer_prints():
    found = filter_pass(np.array(STROKE), np.array(VERTICAL))
    assert found.n_stops == 9
    assert_array_equal(found.feature_map, [[-3, 6, -3]] * 3)
    assert_array_equal(found.rectified, [[0, 6, 0]] * 3)
    assert_array_equal(found.pooled, [[6, 6], [6, 6]])
    assert (found.evidence, found.largest, found.n_negative) == (24, 6, 6)
    assert not found.is_silent


def test_the_horizontal_filter_is_silent_on_it():
    found = filter_pass(np.array(STROKE), np.array(HORIZONTAL))
    assert found.is_flat
    assert found.is_silent
    assert_array_equal(found.pooled, np.zeros((2, 2)))


def test_the_net_answers_24_to_0():
    net = filter_net(STROKE)
    assert_array_equal(net.logits, [24, 0])
    assert (net.winner, net.answer, net.score, net.other_score) == (0, "vertical", 24, 0)
    assert net.odds == pytest.approx(26_489_122_129.84, rel=1e-12)
    assert 1 - net.share == pytest.approx(3.775e-11, rel=1e-3)


def test_moved_the_stroke_gives_less_than_the_primer_says():
    found = moved_picture(filter_net(STROKE))
    assert_array_equal(found.places, [-2, -1, 0, 1, 2])
    assert_array_equal(found.evidence, [0, 12, 24, 12, 0])
    assert_allclose(found.shares, [0.5, 0.999994, 1, 0.999994, 0.5], atol=5e-7)
    assert_array_equal(found.pooled[3], [[0, 6], [0, 6]])
    assert_array_equal(found.pooled[1], [[6, 0], [6, 0]])
    assert (found.right_score, found.n_led) == (12, 3)
    assert (found.inner_uses, found.rim_uses) == (4, 2)
    assert_array_equal(found.sums[4], [[0, 0, -3]] * 3)


def test_a_copy_loses_the_stroke_after_one_pixel():
    copy = copy_reader(np.array(STROKE))
    assert (copy.score, copy.moved_score, copy.is_lost) == (5, 0, True)
    assert_array_equal(copy.moved, [[0, 0, 0, 1, 0]] * 5)
    lying = copy_reader(np.array(STROKE).T)
    assert (lying.score, lying.moved_score, lying.is_lost) == (5, 4, False)


# Held against SciPy


@settings(max_examples=80)
@given(pictures, weights)
def test_sums_and_patches_are_scipy_s(image, one):
    found = filter_pass(image, one)
    assert_allclose(found.feature_map, correlate2d(image, one, mode="valid"), atol=1e-9)
    turned = convolve2d(image, one[::-1, ::-1], mode="valid")
    assert_allclose(found.feature_map, turned, atol=1e-9)
    largest = maximum_filter(found.rectified, size=2, origin=-1)[:-1, :-1]
    assert_array_equal(found.pooled, largest)
    assert found.evidence == pytest.approx(largest.sum())
    assert found.is_silent == (found.largest <= 0)


@given(pictures, st.integers(-12, 12))
def test_moving_loses_what_leaves_the_page(image, step):
    width = image.shape[1]
    wide = np.pad(image, ((0, 0), (12, 12)))
    assert_array_equal(shift_picture(image, step), wide[:, 12 - step : 12 - step + width])


def test_two_classes_that_score_the_same_are_a_tie():
    net = filter_net(np.ones((5, 5)))
    assert net.is_tie
    assert (net.answer, net.share, net.odds) == ("vertical", 0.5, 1.0)


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="4 x 4"):
        filter_pass(np.ones((3, 5)), np.array(VERTICAL))
    with pytest.raises(ValueError, match="3 x 3"):
        filter_pass(np.ones((5, 5)), np.ones((2, 3)))
    with pytest.raises(ValueError, match="hold a window"):
        windows(np.ones((1, 5)), 2)
    with pytest.raises(ValueError, match="ink"):
        copy_reader(np.zeros((5, 5)))


# Words


def test_a_window_of_words_is_one_band_and_attention_follows_the_words():
    found = TwoReaches(reach(TEXT), reach(OTHER), np.array(STROKE))
    assert_array_equal(found.text.window, found.other.window)
    assert_array_equal(found.text.window, np.tri(9) - np.tri(9, k=-3))
    assert (found.text.found, found.text.looks_at, found.text.back) == ("sat", 2, 6)
    assert (found.other.found, found.other.looks_at, found.other.back) == ("sat", 5, 3)
    assert found.text.is_answer
    assert found.other.is_answer
    assert not reach(words("cat sat on a mat cat")).is_answer  # shared with the first word itself
    assert not reach(words("a cat sat")).is_answer
    assert found.text.is_beyond
    assert found.other.is_beyond
    for one in (found.text, found.other):
        assert one.share > 0.99
        assert_allclose(one.pattern.sum(axis=1), 1)
        assert_array_equal(np.triu(one.pattern, k=1), 0)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("the cat sat on the mat and the cat", ""),
        ("we saw a very old dog", "saw"),
        ("a b c d e a", "b"),  # the first word notes itself
        ("a b c d b d", "c"),  # "b" is too near
        ("x x x x x x", ""),
    ],
)
def test_a_text_asks_for_what_is_far_back(text: str, asks: str):
    assert append_query(words(text)) == words(f"{text} {asks}".strip())


def test_words_move_on_until_the_answer_is_elsewhere():
    assert rotate_words(words("a b c d e f a b")) == words("a a b c d e f b")
    assert rotate_words(words("a b c d e")) == words("d a b c e")
