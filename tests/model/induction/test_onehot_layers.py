"""The one-hot head with layers counted from 0 and BOS in front."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.onehot.skip import skipping_layers
from clockhead.model.induction.onehot_layers import (
    SLIDE_LETTERS,
    SLIDE_TEXT,
    onehot_blocks,
    onehot_layers,
    onehot_vocabulary,
)
from clockhead.model.induction.prompts import letter_prompt
from tests.model import plain_induction

texts = st.text("abcdef ", min_size=1, max_size=9)


def head(text, **settings):
    tokens = letter_prompt(text)
    return onehot_layers(tokens, onehot_vocabulary(tokens), **settings)


SLIDES = head(SLIDE_TEXT)


def test_the_slides_by_hand():
    assert SLIDES.tokens == ("BOS", *"abacb")
    assert SLIDES.vocabulary is SLIDE_LETTERS
    assert (SLIDES.n_tokens, SLIDES.n_vocab, SLIDES.weights.half, SLIDES.weights.d_model) == (
        6,
        6,
        6,
        12,
    )
    assert SLIDES.stored == ("BOS", "BOS", *"abac")
    assert (SLIDES.matches.tolist(), SLIDES.n_matches, SLIDES.last) == ([3], 1, 5)
    assert (SLIDES.hero, SLIDES.hero_named) == (3, "“a” at 3")
    assert (SLIDES.absent, SLIDES.n_absent) == (("d", "e"), 2)
    assert (SLIDES.repeated, SLIDES.has_repeated) == ((2, 5), True)
    assert SLIDES.positions.tolist() == [0, 1, 2, 3, 4, 5]
    assert_array_equal(SLIDES.resid_tokens[:, :6], SLIDES.resid_pre[:, :6])
    assert not SLIDES.resid_tokens[:, 6:].any()
    assert (SLIDES.case, SLIDES.prediction, SLIDES.leaders) == ("unique", "a", ("a",))
    assert SLIDES.worst_weight == 1


@pytest.mark.parametrize(
    ("text", "case", "hero", "repeated", "absent", "leaders"),
    [
        ("abaca", "several", 2, (1, 5), "de", ("b", "c")),
        ("abc", "none", 3, (3, 3), "de", ("BOS", "a", "b", "c")),
        ("a", "none", 1, (1, 1), "bcde", ("BOS", "a")),
        ("bb", "unique", 2, (1, 2), "acde", ("b",)),
        ("aab", "none", 3, (1, 2), "cde", ("a",)),
        ("x x ", "unique", 3, (2, 4), "", ("x",)),
    ],
)
def test_what_a_text_asks_and_who_is_followed(text, case, hero, repeated, absent, leaders):
    found = head(text)
    assert (found.case, found.hero, found.repeated) == (case, hero, repeated)
    assert found.has_repeated == (repeated[0] < repeated[1])
    assert "".join(found.absent) == absent
    assert (found.leaders, found.n_leaders) == (leaders, len(leaders))


@settings(max_examples=60)
@given(texts)
def test_every_score_share_and_row_is_what_the_sentences_say(text):
    found = head(text)
    tokens, count = found.tokens, found.n_tokens
    before = np.arange(count)[:, None] - 1 == np.arange(count)
    assert_array_equal(found.scores_0, np.where(before, 100, -100))
    back = np.maximum(np.arange(count) - 1, 0)
    assert_array_equal(found.pattern_0[np.arange(count), back], 1)
    assert_allclose(found.pattern_0, np.eye(count)[back], atol=1e-80)
    assert found.worst_weight == 1
    half, names = found.weights.half, found.vocabulary.encode(tokens)
    assert_array_equal(found.resid_mid[:, :half], found.resid_pre[:, :half])
    assert_array_equal(found.resid_mid[:, half:].round(80), np.eye(half)[names[back]])
    assert found.stored == (tokens[0], *tokens[:-1])
    same = np.array([[key == query for key in found.stored] for query in tokens])
    assert_allclose(found.scores_1, np.where(same, 100, 0), atol=1e-80)
    assert 0 not in found.matches
    assert_array_equal(found.matches, found.text.followers)


@settings(max_examples=60)
@given(texts)
def test_the_last_row_is_what_the_text_says_but_for_rounding(text):
    found = head(text)
    assert np.abs(found.output - found.text.expected).max() <= 4e-16
    assert set(found.leaders) == set(found.text.best)
    seen = found.matches if found.matches.size else np.arange(found.n_tokens)
    even = np.isin(np.arange(found.n_tokens), seen) / len(seen)
    assert_allclose(found.pattern_1[-1], even, atol=1e-16)
    assert_allclose(found.pattern_1.sum(axis=1), 1)


@settings(max_examples=30)
@given(text=texts, sharpness=st.floats(1, 120), reading=st.sampled_from(["causal", "literal"]))
def test_the_head_written_in_plain_loops_agrees(text, sharpness, reading):
    found = head(text, sharpness=sharpness, reading=reading)
    shares = plain_induction.onehot_shares(
        found.text.indices.tolist(), found.n_vocab, sharpness, reading
    )
    assert_allclose(found.shares, shares, atol=1e-10)


def test_five_of_the_six_blocks_by_hand():
    w = onehot_blocks(2, sharpness=3, gain=5)
    assert w.n_blocks == 5
    assert_array_equal(w.w_qk_0, [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, -3, -3], [0, 0, 3, -3]])
    assert_array_equal(w.w_qk_1, [[0, 0, 3, 0], [0, 0, 0, 3], [0, 0, 0, 0], [0, 0, 0, 0]])
    assert_array_equal(w.w_ov_0, [[0, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0]])
    assert_array_equal(w.w_skip_0, np.diag([1, 1, 0, 0]))
    assert_array_equal(w.w_ov_1, np.diag([5, 5, 0, 0]))
    assert_array_equal(w.w_skip_1, np.zeros((4, 4)))


def test_halves_hold_tokens_and_positions():
    assert head("abcabcabc").weights.half == 10
    assert head("a").weights.half == 6
    assert onehot_vocabulary(letter_prompt("xa x")).tokens == ("BOS", "a", "x", "␣")
    assert onehot_vocabulary(letter_prompt("ab")) is SLIDE_LETTERS
    with pytest.raises(ValueError, match="got '!' at position 0"):
        onehot_vocabulary(("!", "a"))
    with pytest.raises(ValueError, match="got 'z' at position 0"):
        onehot_layers(("z",), SLIDE_LETTERS)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"sharpness": 0}, "sharpness must be"),
        ({"gain": np.inf}, "gain must be"),
    ],
)
def test_bad_settings_are_refused(setting, message):
    with pytest.raises(ValueError, match=message):
        head("ab", **setting)
    with pytest.raises(ValueError, match="half must be"):
        onehot_blocks(0)


def test_two_back_by_hand():
    w = onehot_blocks(4, sharpness=3, offset=2)
    assert_array_equal(
        w.w_qk_0[4:, 4:], [[-3, -3, -3, -3], [3, -3, -3, -3], [3, -3, -3, -3], [-3, 3, -3, -3]]
    )
    slides = head(SLIDE_TEXT, offset=2)
    assert slides.stored == ("BOS", "BOS", "BOS", *"aba")
    assert slides.sources.tolist() == [0, 0, 0, 1, 2, 3]
    assert (slides.matches.tolist(), slides.copied, slides.prediction) == ([4], ("c",), "c")
    assert slides.worst_weight == pytest.approx(1)
    skipping = skipping_layers(slides.tokens, slides.vocabulary, offset=2)
    assert (skipping.prediction, skipping.one_back.prediction) == ("c", "a")


@given(texts, st.integers(1, 4))
def test_so_many_back_copies_so_many_ahead(text, back):
    found = head(text, offset=back)
    tokens = found.tokens
    due = [k for k in range(back, len(tokens)) if tokens[k - back] == tokens[-1]]
    assert found.matches.tolist() == due
    assert found.worst_weight == pytest.approx(1)
    kinds = list(found.vocabulary.tokens)
    copied = [tokens[k] for k in due] or list(tokens)
    assert_allclose(found.output, [copied.count(kind) / len(copied) for kind in kinds], atol=1e-12)
    assert set(found.copied) == {tokens[k] for k in due}


def test_looking_nowhere_back_is_refused():
    with pytest.raises(ValueError, match="offset must be"):
        head("abc", offset=0)
