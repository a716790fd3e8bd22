import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.onehot.printed import printed_slides
from clockhead.model.films.onehot.tables import printed_table
from clockhead.model.induction.onehot_layers import (
    SLIDE_LETTERS,
    SLIDE_TEXT,
    onehot_blocks,
    onehot_layers,
    onehot_vocabulary,
)
from clockhead.model.induction.prompts import letter_prompt
from clockhead.model.tokens import Vocabulary
from tests.model import plain_induction
from tests.model.questions import random_questions

texts = st.text("abcdef ", min_size=1, max_size=24)


def slides(**settings):
    return onehot_layers(letter_prompt(SLIDE_TEXT), SLIDE_LETTERS, **settings)


def head(text, bos=True, **settings):
    tokens = letter_prompt(text)[0 if bos else 1 :]
    return onehot_layers(tokens, onehot_vocabulary(tokens), **settings)


# Table: wrong cells under the causal and under the literal reading
WRONG = {
    "scores_1": (0, 0),
    "pattern_1": (0, 1),
    "resid_mid": (1, 1),
    "scores_2": (1, 1),
    "pattern_2": (10, 2),
    "resid_post": (12, 2),
}


@pytest.mark.parametrize("table", WRONG)
def test_how_many_printed_cells_are_wrong(table):
    found = printed_table(table), printed_table(table, "literal")
    assert tuple(t.n_wrong for t in found) == WRONG[table]
    assert found[0].printed.shape == ((6, 12) if table in ("resid_mid", "resid_post") else (6, 6))


def test_which_printed_cells_are_wrong():
    assert np.argwhere(printed_table("resid_mid").wrong).tolist() == [[0, 6]]
    assert np.argwhere(printed_table("scores_2").wrong).tolist() == [[0, 0]]
    assert np.argwhere(printed_table("pattern_2", "literal").wrong).tolist() == [[0, 0], [3, 2]]
    rows = np.argwhere(printed_table("pattern_2").wrong)[:, 0]
    assert_array_equal(np.bincount(rows), [0, 2, 3, 0, 5])


def test_all_six_tables_of_the_slides():
    slides = printed_slides()
    assert [table.number for table in slides.tables] == [4, 5, 6, 9, 10, 11]
    assert (slides.n_numbers, slides.n_wrong, slides.n_right) == (288, 24, 264)
    assert (slides.forgotten, slides.unmatched) == ((0, 6), (0, 0))
    assert (slides.forgetful, slides.full_score) == ("BOS", 100)
    assert slides.column_names[slides.forgotten[1]] == slides.forgetful
    assert (slides.printed_answer, slides.true_answer) == (1, pytest.approx(100))
    assert slides.prediction == "a"


def test_the_true_values_of_the_wrong_cells():
    causal, literal = slides(), slides(reading="literal")
    assert causal.resid_mid[0, 6] == 1
    assert causal.scores_1[0, 0] == 100
    assert literal.resid_mid[0, 6] == pytest.approx(1 / 6)
    assert literal.scores_1[0, 0] == pytest.approx(100 / 6)
    assert literal.pattern_1[0, 0] == pytest.approx(6.4e-37, rel=0.02)
    assert literal.pattern_1[3, 2] == pytest.approx(0.5)
    assert causal.resid_post[5, 1] == pytest.approx(100)


def test_rows_without_a_match_give_the_shares_of_the_prefix():
    shares = slides().shares
    assert_allclose(shares[0], [1, 0, 0, 0, 0, 0], atol=1e-12)
    assert_allclose(shares[1], [1 / 2, 1 / 2, 0, 0, 0, 0], atol=1e-12)
    assert_allclose(shares[2], [1 / 3, 1 / 3, 1 / 3, 0, 0, 0], atol=1e-12)
    assert_allclose(shares[4], [0.2, 0.4, 0.2, 0.2, 0, 0], atol=1e-12)
    assert slides().prediction == "a"


@pytest.mark.parametrize(("sharpness", "share"), [(5, 0.9739), (10, 0.9998), (20, 1)])
def test_100_is_sharper_than_need_be(sharpness, share):
    assert slides(sharpness=sharpness).shares[-1, 1] == pytest.approx(share, abs=5e-5)


@pytest.mark.parametrize("reading", ["causal", "literal"])
@settings(max_examples=40)
@given(text=texts, bos=st.booleans(), sharpness=st.floats(1, 120))
def test_the_head_written_in_plain_loops_agrees(reading, text, bos, sharpness):
    found = head(text, bos, reading=reading, sharpness=sharpness)
    shares = plain_induction.onehot_shares(
        found.text.indices.tolist(), len(found.vocabulary), sharpness, reading
    )
    assert_allclose(found.shares, shares, atol=1e-10)


@given(texts)
def test_with_bos_the_last_row_is_what_the_text_says(text):
    found = head(text)
    assert_allclose(found.shares[-1], found.text.expected, atol=1e-12)
    assert_allclose(found.pattern_1.sum(axis=1), 1)


@given(texts)
def test_both_readings_agree_in_the_last_row(text):
    causal, literal = head(text), head(text, reading="literal")
    if causal.text.case != "none":
        assert_allclose(literal.shares[-1], causal.shares[-1], atol=1e-12)
        assert literal.predictions[-1] == causal.predictions[-1]
    assert literal.pattern_1.sum(axis=1)[-1] == pytest.approx(1)


@given(texts)
def test_the_literal_reading_leaks_where_the_future_holds_a_match(text):
    found = head(text, reading="literal")
    indices = found.text.indices
    for m, now in enumerate(indices):
        places = np.flatnonzero(indices[:-1] == now) + 1
        if places.size:
            assert found.pattern_1.sum(axis=1)[m] == pytest.approx((places <= m).mean(), abs=1e-9)


def test_on_random_text_the_literal_reading_loses_nearly_half():
    rng = np.random.default_rng(0)
    sums = []
    for indices in rng.integers(6, size=(200, 16)):
        found = onehot_layers(
            tuple(SLIDE_LETTERS.tokens[k] for k in indices), SLIDE_LETTERS, "literal"
        )
        matched = [m for m, now in enumerate(indices) if now in indices[:m]]
        sums.extend(found.pattern_1.sum(axis=1)[matched])
    assert np.mean(np.array(sums) < 0.99) == pytest.approx(2543 / 2819, abs=0.02)
    assert np.mean(sums) == pytest.approx(0.549, abs=0.02)


@pytest.mark.parametrize(("n_vocab", "n_tokens"), [(6, 6), (6, 16), (27, 8), (27, 32), (27, 64)])
def test_random_letters_after_bos_are_always_continued(n_vocab, n_tokens):
    vocabulary = Vocabulary((*"abcdefghijklmnopqrstuvwxyz"[: n_vocab - 1], "!"))
    questions = random_questions(40, n_tokens, n_vocab, seed=n_tokens)
    for text, answer in zip(questions.texts, questions.followers, strict=True):
        found = onehot_layers(tuple(vocabulary.tokens[k] for k in text), vocabulary)
        assert found.predictions[-1] == answer


def test_without_bos_the_literal_reading_happens_to_be_right():
    assert_allclose(head("abca", bos=False).shares[-1][:4], [0, 0.5, 0.5, 0], atol=1e-12)
    assert head("abca", bos=False, reading="literal").prediction == "b"


def test_the_six_matrices_by_hand():
    w = onehot_blocks(2, sharpness=3, gain=5)
    assert_array_equal(w.w_qk_0, [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, -3, -3], [0, 0, 3, -3]])
    assert_array_equal(w.w_qk_1, [[0, 0, 3, 0], [0, 0, 0, 3], [0, 0, 0, 0], [0, 0, 0, 0]])
    assert_array_equal(w.w_ov_0, [[0, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0]])
    assert_array_equal(w.w_skip_0, np.diag([1, 1, 0, 0]))
    assert_array_equal(w.w_ov_1, np.diag([5, 5, 0, 0]))
    assert_array_equal(w.w_skip_1, np.zeros((4, 4)))


def test_the_embedding_of_the_slides():
    embedded = slides().resid_pre
    assert_array_equal(embedded[:, :6].argmax(axis=1), [0, 1, 2, 1, 3, 2])
    assert_array_equal(embedded[:, 6:], np.eye(6))
    assert_array_equal(embedded.sum(axis=1), 2)


def test_halves_hold_whichever_is_more_tokens_or_positions():
    assert slides().weights.half == 6
    assert head("abcabcabc").weights.half == 10
    assert onehot_vocabulary(letter_prompt("ab")) is SLIDE_LETTERS
    assert onehot_vocabulary(letter_prompt("xa x")).tokens == ("BOS", "a", "x", "␣")


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"sharpness": 0}, "sharpness must be"),
        ({"gain": np.inf}, "gain must be"),
    ],
)
def test_bad_settings_are_refused(setting, message):
    with pytest.raises(ValueError, match=message):
        slides(**setting)


def test_other_tokens_and_tables_are_refused():
    with pytest.raises(ValueError, match="got 'z' at position 0"):
        onehot_layers(("z",), SLIDE_LETTERS)
    with pytest.raises(ValueError, match="got 'Z' at position 1"):
        onehot_vocabulary(("a", "Z"))


@pytest.mark.parametrize(
    ("text", "bos", "case", "stored", "answers", "leaders"),
    [
        ("abacb", True, "unique", "BOS BOS a b a c", [3], "a"),
        ("abaca", True, "several", "BOS BOS a b a c", [2, 4], "b c"),
        ("abc", True, "none", "BOS BOS a b", [], "BOS a b c"),
        ("abca", False, "unique", "a a b c", [0, 1], "a b"),
        ("a", False, "none", "a", [0], "a"),
    ],
)
def test_what_a_text_asks_and_who_answers(text, bos, case, stored, answers, leaders):
    found = head(text, bos)
    assert (found.case, " ".join(found.stored)) == (case, stored)
    assert found.matches.tolist() == answers
    assert " ".join(found.leaders) == leaders
