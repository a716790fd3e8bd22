import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from model.attention import softmax
from model.caesar_scores import METHODS
from model.cryptogram import Cryptogram
from tests.model import plain_caesar

PANGRAM = "the quick brown fox jumps over the lazy dog"
SENTENCE = "it is a curious thing that people who live beside the sea seldom speak of it"
some_letters = st.text(plain_caesar.ALPHABET + " ", min_size=1, max_size=50).filter(str.strip)


def test_four_letters_are_too_few():
    found = Cryptogram("a bay", 3)
    assert found.ciphertext == "d edb"
    assert (found.found, found.decoded) == (25, "e fec")
    assert_array_equal(found.ranking[:2], [25, 10])
    assert found.place == 9
    assert_allclose(found.dot_products[[25, 10, 3]], [0.06080, 0.05400, 0.03980], atol=1e-12)
    assert found.lead == pytest.approx(0.0068)
    assert not found.is_solved
    assert found.found_by("log-likelihood") == 10
    assert np.argsort(-found.posterior)[9] == 3


@pytest.mark.parametrize("rotation", range(26))
@pytest.mark.parametrize("text", [PANGRAM, SENTENCE])
def test_sentences_come_out_at_every_rotation(text, rotation):
    found = Cryptogram(text, rotation)
    assert found.is_solved
    assert found.decoded == text
    assert found.place == 1


def test_the_square_multiplied_out_is_the_squared_error():
    found = Cryptogram(SENTENCE, 11)
    expanded = found.own_square + found.template_squares - 2 * found.dot_products
    assert_allclose(found.squared_errors, expanded, atol=1e-15)
    assert_allclose(found.template_squares, found.template_squares[0], rtol=1e-12)


def test_dot_products_are_scores_and_not_confidences():
    found = Cryptogram(PANGRAM, 0)
    assert softmax(found.dot_products).max() == pytest.approx(0.03880, abs=5e-6)
    assert found.posterior.max() == pytest.approx(0.98575, abs=5e-6)


@given(some_letters, st.integers(0, 25))
def test_turning_the_text_turns_the_answer(text, rotation):
    still, turned = Cryptogram(text, 0), Cryptogram(text, rotation)
    assert_allclose(turned.dot_products, np.roll(still.dot_products, rotation), atol=1e-15)
    assert_allclose(turned.posterior, np.roll(still.posterior, rotation), atol=1e-12)
    if still.lead > 1e-12:
        assert (turned.found - still.found) % 26 == rotation
        assert turned.decoded == still.decoded


@given(some_letters, st.integers(0, 25))
def test_bars_are_built_from_products(text, rotation):
    found = Cryptogram(text, rotation)
    plainly = [plain_caesar.dot_product(found.ciphertext, r) for r in range(26)]
    assert_allclose(found.dot_products, plainly, atol=1e-15)
    assert_allclose(found.products[3], found.histogram * found.templates[3])
    errors = [plain_caesar.squared_error(found.ciphertext, r) for r in range(26)]
    assert_allclose(found.squared_errors, errors, atol=1e-14)
    if found.lead > 1e-12:
        assert found.found == found.found_by("squared error") == found.found_by("dot product")


def test_all_methods_solve_a_long_sentence_but_the_commonest_letter_need_not():
    solved = {m for m in METHODS if Cryptogram(SENTENCE, 11).found_by(m) == 11}
    assert solved >= set(METHODS) - {"commonest is e"}
    assert Cryptogram("a cat sat", 4).found_by("commonest is e") == 0


@pytest.mark.parametrize(
    ("text", "rotation", "message"),
    [
        ("  ", 1, "at least one letter"),
        ("", 1, "at least one character"),
        ("Hello", 1, "got 'H' at position 0"),
        ("a", 26, "rotation must be from 0 to 25, got 26"),
        ("a", -1, "rotation must be"),
        ("a", 1.0, "rotation must be"),
    ],
)
def test_bad_cryptograms_are_refused(text, rotation, message):
    with pytest.raises(ValueError, match=message):
        Cryptogram(text, rotation)
