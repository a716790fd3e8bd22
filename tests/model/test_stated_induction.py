import numpy as np
import pytest
from numpy.testing import assert_allclose

from model.match_quality import random_questions
from model.stated_induction import StatedInduction, stated_choices
from model.tokens import LETTERS, LETTERS_AND_SPACE, letters


@pytest.mark.parametrize(("text", "follower"), [("abcab", "c"), ("the cat sat on the c", "a")])
@pytest.mark.parametrize("vocabulary", [LETTERS, LETTERS_AND_SPACE])
def test_all_16_choices_miss_the_follower(text, follower, vocabulary):
    if " " in text and vocabulary is LETTERS:
        with pytest.raises(ValueError, match="got ' '"):
            stated_choices(letters(text), vocabulary)
        return
    choices = stated_choices(letters(text), vocabulary)
    assert len({(c.direction, c.beta, c.readout) for c in choices}) == 16
    assert follower not in {choice.prediction for choice in choices}


def test_random_letters_come_out_hardly_better_than_by_chance():
    questions = random_questions(25, 17, 27, seed=0)
    right = [
        choice.prediction == LETTERS.tokens[answer]
        for text, answer in zip(questions.texts, questions.followers, strict=True)
        for choice in stated_choices(tuple(LETTERS.tokens[k] for k in text[1:]), LETTERS)
    ]
    assert np.mean(right) < 0.15


def test_ab_and_ba_end_in_the_same_vector():
    ab, ba = (StatedInduction(tuple(text), LETTERS).forward.resid_mid[1] for text in ("ab", "ba"))
    assert_allclose(ab, ba)


def test_space_is_the_letter_a():
    a, space = (
        StatedInduction(tuple(text), LETTERS_AND_SPACE).forward.head_1.scores
        for text in ("cab", "c b")
    )
    assert_allclose(a, space, atol=1e-9)


def test_layer_1_has_rank_one_and_scores_are_those_of_the_rank_one_head():
    stated = StatedInduction(tuple("ab"), LETTERS, beta=-3, direction="first component")
    assert np.linalg.matrix_rank(stated.weights.head_1.w_qk) == 1
    assert_allclose(
        stated.embedding @ stated.weights.head_1.w_qk[:-1, :-1] @ stated.embedding.T,
        stated.head.scores,
    )
    assert np.linalg.norm(stated.v) == pytest.approx(1)


def test_the_first_component_spreads_the_letters_most():
    stated = StatedInduction(("a",), LETTERS, direction="first component")
    others = np.random.default_rng(0).normal(size=(200, 32))
    others /= np.linalg.norm(others, axis=1, keepdims=True)
    assert (stated.embedding @ stated.v).std() >= (stated.embedding @ others.T).std(axis=0).max()


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"direction": "twos"}, "direction must be one of"),
        ({"readout": "none"}, "readout must be one of"),
        ({"alpha": -1}, "alpha must be"),
        ({"d_head": 5}, "d_head must be even"),
        ({"beta": np.nan}, "beta must be"),
    ],
)
def test_bad_settings_are_refused(setting, message):
    with pytest.raises(ValueError, match=message):
        StatedInduction(("a",), LETTERS, **setting)
