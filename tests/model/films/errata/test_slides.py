import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.errata.mask import mask_orders
from clockhead.model.films.errata.missing_one import printed_slides
from clockhead.model.films.errata.slides import compare_slides, slide_layers
from clockhead.model.induction.onehot_layers import (
    SLIDE_LETTERS,
    SLIDE_TEXT,
    onehot_layers,
    onehot_vocabulary,
)
from clockhead.model.induction.prompts import letter_prompt

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
    found = [compare_slides(slide_layers(reading))[table] for reading in ("causal", "literal")]
    assert tuple(t.n_wrong for t in found) == WRONG[table]
    wide = table in ("resid_mid", "resid_post")
    assert found[0].printed.rows.shape == ((6, 12) if wide else (6, 6))


def test_which_printed_cells_are_wrong():
    tables = compare_slides(slide_layers())
    assert np.argwhere(tables["resid_mid"].wrong).tolist() == [[0, 6]]
    assert np.argwhere(tables["scores_2"].wrong).tolist() == [[0, 0]]
    rows = np.argwhere(tables["pattern_2"].wrong)[:, 0]
    assert_array_equal(np.bincount(rows), [0, 2, 3, 0, 5])


def test_with_the_mask_last_two_halves_differ_whichever_scores_it_is_given():
    orders, literal = mask_orders(), compare_slides(slide_layers("literal"))["pattern_2"]
    assert np.argwhere(orders.last.wrong).tolist() == [[0, 0], [3, 2]]
    assert np.argwhere(literal.wrong).tolist() == [[0, 0], [3, 2]]
    assert orders.last.true[0, 0] == orders.last.true[3, 2] == 0.5
    assert orders.zero_rows.tolist() == [1, 2, 4]
    assert_array_equal(orders.scores[0], [100, 100, 0, 0, 0, 0])
    assert_allclose(orders.last_sums, [0.5, 0, 0, 0.5, 0, 1])
    assert_allclose(orders.first_sums, 1)
    assert orders.first_layer_last == pytest.approx(1 / 6)


def test_all_six_tables_of_the_slides():
    slides = printed_slides()
    assert len(slides.tables) == 6
    assert slides.forgotten == (0, 6)
    assert slides.column_names[slides.forgotten[1]] == slides.forgetful


def test_the_true_values_of_the_wrong_cells():
    causal, literal = slides(), slides(reading="literal")
    assert causal.resid_mid[0, 6] == 1
    assert causal.scores_1[0, 0] == 100
    assert literal.resid_mid[0, 6] == pytest.approx(1 / 6)
    assert literal.scores_1[0, 0] == pytest.approx(100 / 6)
    assert literal.pattern_1[0, 0] == pytest.approx(6.4e-37, rel=0.02)
    assert literal.pattern_1[3, 2] == pytest.approx(0.5)
    assert causal.resid_post[5, 1] == pytest.approx(100)


@pytest.mark.parametrize(("sharpness", "share"), [(5, 0.9739), (10, 0.9998), (20, 1)])
def test_100_is_sharper_than_need_be(sharpness, share):
    assert slides(sharpness=sharpness).shares[-1, 1] == pytest.approx(share, abs=5e-5)


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


def test_without_bos_the_literal_reading_happens_to_be_right():
    assert_allclose(head("abca", bos=False).shares[-1][:4], [0, 0.5, 0.5, 0], atol=1e-12)
    assert head("abca", bos=False, reading="literal").prediction == "b"


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
