import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.attention.constant_key import constant_key
from clockhead.model.films.previous_token.second_look import second_look
from clockhead.model.induction.circuit import TIE, induction
from clockhead.model.induction.continuation import continuation
from clockhead.model.induction.prompts import LETTER_TOKENS, letter_prompt, letter_vocabulary
from clockhead.model.induction.token_codes import circle_codes
from clockhead.model.induction.two_layers import two_layers
from clockhead.model.induction.weights import (
    induction_stream,
    induction_weights,
    one_subspace_weights,
)
from clockhead.model.previous_token.head import previous_token_head
from clockhead.model.rope.rotation import rope_frequencies
from clockhead.model.tokens import Vocabulary
from tests.model import plain_induction
from tests.model.questions import random_questions
from tests.model.riddles import USUAL, begun, riddles

texts = st.text("abcdefgh ", min_size=1, max_size=40)
SHARP = {"alpha": 1000, "beta": 1000}


def head(text, bos=True, **settings):
    tokens = letter_prompt(text)[0 if bos else 1 :]
    return induction(tokens, letter_vocabulary(tokens), **settings)


@given(texts)
def test_with_bos_a_sharp_head_says_what_the_text_says(text):
    found = head(text, **SHARP)
    assert_allclose(found.output, found.text.expected, atol=1e-12)
    assert found.error < 1e-12


@given(texts)
def test_at_alpha_10_and_beta_20_the_prediction_is_the_unique_follower(text):
    found = head(text, beta=20)
    if found.text.case == "unique":
        assert found.is_right
        assert found.row[found.text.followers].sum() > 0.98


@given(texts)
def test_several_followers_share_as_they_came(text):
    found = head(text, beta=20)
    if found.text.case == "several":
        assert found.error < 0.015
        assert found.prediction in plain_induction.followers(found.tokens)


@given(texts)
def test_without_a_repeat_the_prefix_shares_come_out(text):
    found = head(text)
    if found.text.case == "none":
        assert found.error < 0.02
        assert found.row[found.text.followers].sum() == 0


@settings(max_examples=30)
@given(texts, st.floats(0.1, 30), st.floats(0.1, 50), st.integers(1, 3))
def test_the_head_written_in_plain_loops_agrees(text, alpha, beta, offset):
    found = head(text, alpha=alpha, beta=beta, gamma=3, offset=offset)
    logits = plain_induction.induction_logits(
        found.text.indices.tolist(), len(found.vocabulary), alpha, beta, 3, offset
    )
    assert_allclose(found.forward.logits, logits, atol=1e-9)


@given(texts, st.booleans())
def test_outputs_are_distributions_and_layer_0_is_the_previous_token_head(text, bos):
    found = head(text, bos)
    assert_allclose(found.output.sum(), 1)
    assert (np.triu(found.forward.head_1.pattern, 1) == 0).all()
    if len(found.tokens) > 1:
        back = previous_token_head(len(found.tokens))
        assert_allclose(found.forward.head_0.scores, back.scores, atol=1e-11)
        assert_allclose(found.forward.head_0.pattern, back.pattern, atol=1e-11)


@given(texts)
def test_every_prefix_is_predicted_on_the_way(text):
    found = head(text)
    for end in range(1, len(found.tokens) + 1):
        shorter = induction(found.tokens[:end], found.vocabulary)
        assert_allclose(shorter.output, found.forward.logits[end - 1], atol=1e-12)


@pytest.mark.parametrize(("alpha", "beta"), [(10, 50), (10, 20), (10, 10), (4, 20), (100, 1000)])
def test_random_letters_are_always_continued(alpha, beta):
    weights = induction_weights(27, alpha=alpha, beta=beta)
    for n_tokens in (8, 16, 32, 64):
        questions = random_questions(40, n_tokens, 27, seed=n_tokens)
        for text, answer in zip(questions.texts, questions.followers, strict=True):
            assert two_layers(weights, text).predictions[-1] == answer


@pytest.mark.parametrize(("n_letters", "accuracy"), [(8, 0.848), (16, 0.944), (32, 0.978)])
def test_a_layer_0_that_is_not_sharp_loses_texts_that_repeat_at_once(n_letters, accuracy):
    weights = induction_weights(27, alpha=1, beta=50)
    questions = random_questions(300, n_letters + 1, 27, seed=1)
    found = np.array([two_layers(weights, text).predictions[-1] for text in questions.texts])
    wrong = found != questions.followers
    assert 1 - wrong.mean() == pytest.approx(accuracy, abs=0.03)
    lost = questions.texts[wrong]
    assert_array_equal(lost[:, -3], lost[:, -1])


def test_without_bos_the_first_token_is_its_own_predecessor():
    split = head("abca", bos=False, **SHARP)
    assert_allclose(split.output, [0.5, 0.5, 0])
    assert_allclose(split.text.expected, [0, 1, 0])
    at_10 = head("abca", bos=False)
    assert_allclose(at_10.output, [0.5026, 0.4974, 0], atol=5e-5)
    assert not at_10.is_right
    assert head("abca").output[2] > 0.999


@pytest.mark.parametrize(
    ("text", "bos", "layer_1", "leaders"),
    [("abcab", False, True, ["c"]), ("abaca", True, True, ["b", "c"]), ("ab", False, False, [])],
)
def test_tokens_that_tie_lead_together(text, bos, layer_1, leaders):
    found = head(text, bos, layer_1=layer_1)
    assert [found.vocabulary.tokens[k] for k in found.leaders] == leaders


def test_follower_weight_at_32_letters_is_the_formula():
    text = "".join("abcdefghijklmnopqrstuvwxyz"[i % 26] for i in range(26)) + "    gg"
    tokens = letter_prompt(text[:-6] + "     g")
    found = induction(tokens, LETTER_TOKENS)
    assert len(tokens) == 33
    assert found.row[found.text.followers].sum() == pytest.approx(
        1 / (1 + 32 * np.exp(-10)), abs=2e-4
    )
    assert found.prediction == "h"


def test_switching_layers_off():
    blind = head("abcab", layer_0=False)
    assert_allclose(blind.output, np.array([1, 2, 2, 1]) / 6)
    assert_array_equal(blind.forward.resid_mid, blind.forward.resid_pre)
    silent = head("abcab", layer_1=False)
    assert_array_equal(silent.output, np.zeros(4))
    assert silent.row[silent.text.followers].sum() > 0.999


def accuracy(weights, questions, **layers):
    passes = (two_layers(weights, text, **layers) for text in questions.texts)
    return np.mean([p.predictions[-1] for p in passes] == questions.followers)


def test_what_random_letters_keep_of_induction_without_layer_0():
    questions = random_questions(400, 33, 27, seed=2)
    assert accuracy(induction_weights(27), questions, layer_0=False) == pytest.approx(
        0.11, abs=0.02
    )
    assert accuracy(induction_weights(27), questions) == 1


@pytest.mark.parametrize(("gain", "right"), [(0.9, 0.03), (1, 0.5), (1.01, 1)])
def test_random_letters_with_the_current_token_in_the_readout(gain, right):
    w = induction_weights(27, **SHARP, gamma=gain, keep_current=1)
    assert accuracy(w, random_questions(300, 33, 27, seed=2)) == pytest.approx(right, abs=0.05)


def test_without_bos_only_texts_that_end_as_they_begin_are_lost():
    w, vocabulary = induction_weights(26, beta=20), Vocabulary(tuple("abcdefghijklmnopqrstuvwxyz"))
    for indices in np.random.default_rng(0).integers(26, size=(400, 16)):
        text = continuation(tuple(vocabulary.tokens[k] for k in indices), vocabulary)
        found = vocabulary.tokens[two_layers(w, indices).predictions[-1]]
        if text.case == "unique" and indices[0] != indices[-1]:
            assert found in text.best


@given(st.text("abcdefgh", min_size=3, max_size=30))
def test_looking_back_two_predicts_two_ahead(text):
    found = head(text, alpha=20, beta=30, offset=2)
    if found.text.case == "unique":
        place = text.index(text[-1]) + 2
        assert found.prediction == text[place]


@given(texts)
def test_a_constant_or_ones_over_one_hot_subspaces_give_the_same_scores(text):
    found = head(text)
    w, width = found.weights, len(found.vocabulary)
    ones = np.concatenate([np.ones(width), np.zeros(2 * width + 1)])
    w_k0 = np.outer(constant_key(32), ones)
    w_q0 = np.outer(w.head_0.w_q[:, -1], ones)
    head_0 = dataclasses.replace(w.head_0, w_k=w_k0, w_q=w_q0)
    other = two_layers(dataclasses.replace(w, head_0=head_0), found.text.indices)
    assert_array_equal(other.logits, found.forward.logits)


def test_the_subspaces_by_hand():
    assert induction_stream(2).subspaces == {
        "cur": slice(0, 2),
        "prev": slice(2, 4),
        "out": slice(4, 6),
        "one": slice(6, 7),
    }
    found = head("ab", **SHARP)
    assert_allclose(found.forward.resid_pre[1], [0, 1, 0, 0, 0, 0, 0, 0, 0, 1])
    assert_allclose(found.forward.resid_mid[1], [0, 1, 0, 1, 0, 0, 0, 0, 0, 1], atol=1e-15)
    assert_allclose(
        found.forward.resid_post[1][found.subspaces["out"]], [1 / 2, 1 / 2, 0], atol=1e-15
    )


def test_the_block_matrices_by_hand():
    w = induction_weights(2, d_head=2, alpha=3, beta=4, gamma=5)
    i, o = np.eye(2), np.zeros((2, 2))
    z = np.zeros((2, 1))
    assert_array_equal(w.head_1.w_q, np.hstack([2 * i, o, o, z]))
    assert_array_equal(w.head_1.w_k, np.hstack([o, 2 * i, o, z]))
    assert_array_equal(w.w_out, np.hstack([o, o, 5 * i, z]))
    assert_array_equal(w.head_0.w_ov[2:4], np.hstack([i, o, o, z]))
    assert_array_equal(w.head_1.w_ov[4:6], np.hstack([i, o, o, z]))
    assert w.head_0.w_ov.sum() == w.head_1.w_ov.sum() == 2
    assert_array_equal(w.head_0.w_k[:, -1], [1, 0])
    assert_allclose(w.head_0.w_q[:, -1], [3 * np.cos(1), -3 * np.sin(1)])
    assert np.linalg.matrix_rank(w.head_1.w_qk) == 2
    assert (w.n_vocab, w.d_model) == (2, 7)


def test_added_into_one_lane_ab_and_ba_are_the_same():
    w = one_subspace_weights(2, alpha=1000)
    ab, ba = (two_layers(w, text).resid_mid[1] for text in ((0, 1), (1, 0)))
    assert_allclose(ab, ba)
    assert_allclose(ab, [1, 1, 1])
    subspaces_apart = [head(text, **SHARP).forward.resid_mid[2] for text in ("ab", "ba")]
    assert np.abs(subspaces_apart[0] - subspaces_apart[1]).max() > 0.9


def test_a_full_rank_match_in_one_subspace_is_no_induction():
    questions = random_questions(300, 17, 27, seed=0)
    w = one_subspace_weights(27, alpha=100, beta=10)
    assert accuracy(w, questions) < 0.15


@pytest.mark.parametrize(("gain", "wins"), [(0.9, False), (1.1, True)])
def test_follower_against_current_token_in_one_block(gain, wins):
    text = (2, 0, 1, 0)
    w = induction_weights(3, **SHARP, gamma=gain, keep_current=1)
    assert two_layers(w, text).predictions[-1] == (1 if wins else 0)
    even = two_layers(induction_weights(3, **SHARP, gamma=1, keep_current=1), text)
    assert even.logits[-1, 0] == pytest.approx(even.logits[-1, 1])


def test_seven_dimensions_do_it_for_26_letters_and_bos():
    w = induction_weights(circle_codes(27), alpha=10, beta=300)
    assert w.d_model == 7
    for n_tokens in (8, 32, 64):
        questions = random_questions(60, n_tokens, 27, seed=n_tokens)
        found = [two_layers(w, text).predictions[-1] for text in questions.texts]
        assert_array_equal(found, questions.followers)


def test_seven_dimensions_blur_different_followers_into_a_third_letter():
    letters = Vocabulary(tuple("abcdefghijklmnopqrstuvwxyz!"))
    blurred = induction(tuple("!zbzhz"), letters, alpha=1000, beta=1e5, codes=circle_codes(27))
    assert blurred.text.best == ("b", "h")
    assert blurred.prediction == "e"
    exact = induction(tuple("!zbzhz"), letters, **SHARP)
    assert exact.prediction in exact.text.best


def test_with_several_followers_seven_dimensions_hit_one_of_them_by_chance():
    circle = induction_weights(circle_codes(27), alpha=100, beta=1000)
    hits = {"circle": [], "one-hot": []}
    for letters in np.random.default_rng(0).integers(26, size=(400, 32)):
        text = [26, *letters.tolist()]
        followers = set(plain_induction.followers(text))
        if len(followers) > 1:
            hits["circle"].append(two_layers(circle, text).predictions[-1] in followers)
            exact = two_layers(induction_weights(27), text)
            hits["one-hot"].append(exact.predictions[-1] in followers)
    assert np.mean(hits["circle"]) == pytest.approx(0.183, abs=0.06)
    assert np.mean(hits["one-hot"]) == 1


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"alpha": 0}, "alpha must be"),
        ({"beta": 0}, "beta must be a finite number above 0"),
        ({"gamma": -1}, "gamma must be"),
        ({"d_head": 3}, "d_head must be even"),
        ({"offset": 0}, "offset must be"),
        ({"codes": np.eye(3)}, "codes must have a row for each of the 4 tokens"),
        ({"codes": [[np.nan]] * 4}, "codes must be finite"),
    ],
)
def test_bad_settings_are_refused(setting, message):
    with pytest.raises(ValueError, match=message):
        head("abcab", **setting)


def test_tokens_and_shapes_are_checked():
    with pytest.raises(ValueError, match="got 'd' at position 0"):
        induction(("d",), Vocabulary(("a",)))
    with pytest.raises(ValueError, match="at least one token"):
        induction((), Vocabulary(("a",)))
    with pytest.raises(ValueError, match="codes must hold a row"):
        induction_weights(np.empty((3, 0)))
    with pytest.raises(ValueError, match="from 0 to 1"):
        two_layers(induction_weights(2), [2])
    good = induction_weights(2)
    with pytest.raises(ValueError, match=r"w_k must have shape \(2, 7\), got \(3, 7\)"):
        dataclasses.replace(good.head_1, w_k=np.zeros((3, 7)))
    with pytest.raises(ValueError, match="head_1 must have d_model 7, got 10"):
        dataclasses.replace(good, head_1=induction_weights(3).head_1)


@given(texts, st.booleans(), st.integers(1, 3))
def test_a_sharp_head_says_what_the_positions_that_noted_the_query_hold(text, bos, offset):
    found = head(text, bos, offset=offset, alpha=1e4, beta=1e4)
    assert_allclose(found.output, found.matched_shares, atol=1e-6)
    assert found.match_error == np.abs(found.output - found.matched_shares).max()
    if found.matches.size:
        assert found.match_weight > 1 - 1e-6
    if bos:
        assert_array_equal(found.matches, found.text.followers)


def test_without_bos_the_first_position_answers_too():
    found = head("abca", bos=False)
    assert found.sources.tolist() == [0, 0, 1, 2]
    assert found.matches.tolist() == [0, 1]
    assert found.matched_shares.tolist() == [0.5, 0.5, 0.0]
    assert head("abca", bos=False, offset=2).matches.tolist() == [0, 1, 2]


@given(texts, st.booleans(), st.sampled_from([0.1, 1.0, 10.0]))
def test_the_subspace_prev_holds_as_much_of_what_is_noted_as_attention_brings(text, bos, alpha):
    found = head(text, bos, alpha=alpha)
    prev = found.forward.resid_mid[:, found.subspaces["prev"]]
    assert_allclose(found.stored_weights, prev[found.forward.positions, found.stored], atol=1e-12)


# Texts of words with BOS in front


def riddle(words, **settings):
    return induction(*begun(words), **settings)


def test_the_cat_again_by_hand():
    found = riddle(USUAL)
    assert (found.n_tokens, found.n_vocab, found.d_model) == (10, 7, 22)
    assert (found.prediction, found.says, found.answer_named) == ("sat", ("sat",), "“sat”")
    assert (found.matches.tolist(), found.n_matches) == ([3], 1)
    assert found.stored_tokens == ("BOS", "BOS", *USUAL[:-1])
    assert (found.match_score, found.other_score) == pytest.approx((9.98, 0.01), abs=0.005)
    assert found.match_weight == found.row[3] == pytest.approx(0.9996, abs=5e-5)
    assert found.least_stored == pytest.approx(0.9979, abs=5e-5)
    assert found.match_error < 0.001


@settings(max_examples=60)
@given(riddles(), st.floats(0.01, 100), st.floats(0.01, 100), st.integers(1, 2))
def test_scores_lie_as_close_to_beta_as_the_notes_are_good(words, alpha, beta, offset):
    found = riddle(words, alpha=alpha, beta=beta, offset=offset)
    rounding = 1e-12 * beta
    assert beta * found.least_stored - rounding <= found.match_score <= beta + rounding
    assert found.other_score <= beta * (1 - found.least_stored) + rounding
    others = [n for n in range(found.n_tokens) if found.stored_tokens[n] != words[-1]]
    assert found.scores[others].max() == found.other_score
    assert found.scores[found.matches].min() == found.match_score
    assert_allclose(found.row.sum(), 1)


def test_without_a_match_or_with_nothing_else_there_is_no_such_score():
    new = riddle(("a", "b"))
    assert (new.n_matches, new.match_score) == (0, 0)
    assert new.other_score == new.scores.max() > 0
    with pytest.raises(ValueError, match="tokens must hold a match"):
        _ = new.answer_named
    alone = head("aa", bos=False)
    assert (alone.n_matches, alone.other_score) == (2, 0)
    assert alone.match_score == pytest.approx(10)


@settings(max_examples=80)
@given(riddles())
def test_at_alpha_10_and_beta_10_all_that_is_claimed_of_a_text_holds(words):
    found = riddle(words)
    assert found.text.case in ("unique", "several")
    assert found.least_stored > 0.997
    assert found.match_weight > 0.999
    assert found.match_error < 0.005
    assert_array_equal(found.matches, found.text.followers)
    assert set(found.says) == set(found.text.best)


@settings(max_examples=80)
@given(riddles("abcd"), st.floats(4, 30), st.floats(4, 30))
def test_an_error_below_half_a_tie_leaves_the_best_tokens_in_the_lead(words, alpha, beta):
    found = riddle(words, alpha=alpha, beta=beta)
    if found.match_error < TIE / 2:
        assert set(found.says) == set(found.text.best)


@settings(max_examples=40)
@given(riddles(), st.floats(0.1, 100), st.floats(0.1, 100))
def test_each_layer_writes_into_a_place_of_its_own_and_overwrites_nothing(words, alpha, beta):
    found = riddle(words, alpha=alpha, beta=beta)
    pre, mid, post = found.forward.resid_pre, found.forward.resid_mid, found.forward.resid_post
    place = found.subspaces
    for name in ("cur", "one"):
        assert_array_equal(mid[:, place[name]], pre[:, place[name]])
        assert_array_equal(post[:, place[name]], pre[:, place[name]])
    assert not pre[:, place["prev"]].any()
    assert not mid[:, place["out"]].any()
    assert_array_equal(post[:, place["prev"]], mid[:, place["prev"]])
    assert_array_equal(pre[:, place["cur"]], np.eye(found.n_vocab)[found.text.indices])
    assert (pre[:, place["one"]] == 1).all()
    assert_allclose(post[-1, place["out"]], found.output, atol=1e-15)


def test_clocks_are_those_of_a_second_look():
    found, look = riddle(USUAL), second_look(("BOS", *USUAL[:-1]))
    assert_array_equal(found.key_phases, look.key_phases)
    assert_array_equal(found.query_phases, look.query_phases)
    two_back = riddle(USUAL, offset=2)
    assert_allclose(
        two_back.query_phases, np.outer(np.arange(10) - 2, rope_frequencies(32)), atol=1e-12
    )
