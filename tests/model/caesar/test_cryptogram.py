from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.attention.pattern import softmax
from clockhead.model.caesar.cryptogram import cryptogram
from clockhead.model.caesar.scores import METHODS, scores
from tests.model import plain_caesar

PANGRAM = "the quick brown fox jumps over the lazy dog"
SENTENCE = "it is a curious thing that people who live beside the sea seldom speak of it"
DEFAULT = "the shift hides every word but not how often each letter is needed to write it"
some_letters = st.text(plain_caesar.ALPHABET + " ", min_size=1, max_size=50).filter(str.strip)
few_letters = st.text(plain_caesar.ALPHABET + " ", min_size=1, max_size=6).filter(str.strip)
PRINTED = zip(plain_caesar.ALPHABET, plain_caesar.PERCENT.split(), strict=True)
EXACT = {c: Fraction(p) / 100 for c, p in PRINTED}


def found_by(method, text, rotation=0):
    return int(scores(cryptogram(text, rotation).histogram, method).argmax())


def exact_dot_products(ciphertext):
    """Of every rotation, as fractions."""
    backs = [plain_caesar.back(ciphertext, r) for r in range(26)]
    return [sum(EXACT.get(c, Fraction(0)) for c in text) / len(ciphertext) for text in backs]


def test_four_letters_are_too_few():
    found = cryptogram("a bay", 3)
    assert found.ciphertext == "d edb"
    assert (found.found, found.decoded) == (25, "e fec")
    assert_array_equal(found.ranking[:2], [25, 10])
    assert (found.place, found.shares_place, found.runner_up) == (9, 0, 10)
    assert_allclose(found.dot_products[[25, 10, 3]], [0.06080, 0.05400, 0.03980], atol=1e-12)
    assert found.best == found.dot_products[25]
    assert found.true_score == found.dot_products[3]
    assert found.lead == pytest.approx(0.0068, abs=1e-16)
    assert not found.is_read
    assert found_by("log-likelihood", "a bay", 3) == 10


@pytest.mark.parametrize("rotation", range(26))
@pytest.mark.parametrize("text", [PANGRAM, SENTENCE])
def test_sentences_come_out_at_every_rotation(text, rotation):
    found = cryptogram(text, rotation)
    assert found.is_read
    assert found.decoded == text
    assert found.place == 1


def test_the_square_multiplied_out_is_the_squared_error():
    found = cryptogram(SENTENCE, 11)
    expanded = found.own_square + found.length_squared - 2 * found.dot_products
    assert_allclose(found.squared_errors, expanded, atol=1e-15)
    assert_allclose((found.templates**2).sum(axis=1), found.length_squared, rtol=1e-12)


def test_dot_products_are_scores_and_not_confidences():
    found = cryptogram(PANGRAM, 0)
    assert softmax(found.dot_products).max() == pytest.approx(0.03880, abs=5e-6)
    likelihoods = scores(found.counts, "log-likelihood")
    assert softmax(likelihoods).max() == pytest.approx(0.98575, abs=5e-6)


@given(some_letters, st.integers(0, 25))
def test_bars_are_built_from_products(text, rotation):
    found = cryptogram(text, rotation)
    plainly = [plain_caesar.dot_product(found.ciphertext, r) for r in range(26)]
    assert_allclose(found.dot_products, plainly, atol=1e-15)
    assert_allclose(found.products[3], found.histogram * found.templates[3])
    errors = [plain_caesar.squared_error(found.ciphertext, r) for r in range(26)]
    assert_allclose(found.squared_errors, errors, atol=1e-14)
    assert found.least_error == pytest.approx(min(errors), abs=1e-14)


def test_all_methods_solve_a_long_sentence_but_the_commonest_letter_need_not():
    solved = {m for m in METHODS if found_by(m, SENTENCE, 11) == 11}
    assert solved >= set(METHODS) - {"commonest is e"}
    assert found_by("commonest is e", "a cat sat", 4) == 0


# Equals are equal


@given(few_letters | some_letters, st.integers(0, 25))
@example("er", 0)
@example("an", 3)
@example(plain_caesar.ALPHABET, 4)
@example("qqq", 25)
def test_who_leads_is_what_fractions_say(text, rotation):
    found = cryptogram(text, rotation)
    exact = exact_dot_products(plain_caesar.turned(text, rotation))
    best, true = max(exact), exact[rotation]
    assert found.leaders.tolist() == [r for r in range(26) if exact[r] == best]
    assert (found.found, found.n_leaders) == (exact.index(best), exact.count(best))
    assert found.is_tied == (exact.count(best) > 1)
    assert found.place == 1 + sum(score > true for score in exact)
    assert found.shares_place == exact.count(true) - 1
    assert found.ranking.tolist() == sorted(range(26), key=lambda r: (-exact[r], r))
    first, second = sorted(exact)[:-3:-1]
    assert found.lead == pytest.approx(float(first - second), rel=1e-14, abs=0)
    assert found.is_read == (true == first > second)
    scale = 100_000 * len(text)
    assert [Fraction(int(score), scale) for score in found.exact_scores] == exact


@given(few_letters | some_letters, st.integers(0, 25))
def test_turning_the_text_turns_the_answer(text, rotation):
    still, turned = cryptogram(text, 0), cryptogram(text, rotation)
    assert_array_equal(turned.exact_scores, np.roll(still.exact_scores, rotation))
    assert_allclose(turned.dot_products, np.roll(still.dot_products, rotation), atol=1e-15)
    assert set(turned.leaders.tolist()) == {(r + rotation) % 26 for r in still.leaders.tolist()}
    alike = ("place", "shares_place", "n_leaders", "lead", "is_read", "is_tied", "n_letters")
    for name in alike:
        assert getattr(turned, name) == getattr(still, name), name
    if not still.is_tied:
        assert (turned.found - still.found) % 26 == rotation
        assert (turned.hero - still.hero) % 26 == rotation
        assert turned.decoded == still.decoded


@pytest.mark.parametrize(
    ("text", "rotation", "leaders", "place", "shares_place"),
    [
        (DEFAULT, 7, [7], 1, 0),
        ("a bay", 3, [25], 9, 0),
        ("c", 0, [24], 12, 1),
        # Letters half an alphabet apart tie with themselves the other way round
        ("er", 3, [3, 16], 1, 1),
        ("an", 0, [9, 22], 3, 1),
        (plain_caesar.ALPHABET, 5, list(range(26)), 1, 25),
    ],
)
def test_who_leads_and_where_the_true_one_is(text, rotation, leaders, place, shares_place):
    found = cryptogram(text, rotation)
    assert found.leaders.tolist() == leaders
    assert (found.place, found.shares_place) == (place, shares_place)


def test_the_default_is_read_at_every_rotation():
    for rotation in range(26):
        found = cryptogram(DEFAULT, rotation)
        assert found.is_read
        assert found.lead == pytest.approx(0.017291, abs=5e-7)


def test_letters_by_name():
    assert "".join(cryptogram("a", 0).alphabet) == "abcdefghijklmnopqrstuvwxyz"
    found = cryptogram(DEFAULT, 7)
    assert (found.hero, found.hero_letter) == (11, "l")
    assert (found.english_commonest, found.english_rarest) == ("e", "z")
    assert found.english_commonest_share == 0.127
    assert found.n_tokens - found.n_letters == DEFAULT.count(" ")


@given(some_letters, st.integers(0, 25))
def test_twice_the_product_and_the_error_reach_one_level(text, rotation):
    found = cryptogram(text, rotation)
    assert_allclose(found.twice + found.squared_errors, found.level, rtol=0, atol=1e-14)
    doubled = [2 * plain_caesar.dot_product(found.ciphertext, r) for r in range(26)]
    assert_allclose(found.twice, doubled, atol=1e-14)
    assert found.length_squared == pytest.approx(
        float(sum(p**2 for p in EXACT.values())), rel=1e-14
    )


@given(some_letters, st.integers(0, 25))
def test_turned_back_step_by_step(text, rotation):
    found = cryptogram(text, rotation)
    expected = [plain_caesar.back(found.ciphertext, r) for r in range(found.found + 1)]
    assert list(found.turned_back) == expected
    assert found.turned_back[-1] == found.decoded
    assert found.turns.tolist() == list(range(rotation + 1))
    assert (found.corrections[0], found.corrections[-1]) == (found.decoded, text)
    assert len(found.corrections) == (rotation - found.found) % 26 + 1


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
        cryptogram(text, rotation)


@given(some_letters, st.integers(0, 25))
def test_a_histogram_is_counted_token_by_token(text, rotation):
    found = cryptogram(text, rotation)
    for n in (0, len(text) // 2, len(text)):
        counts = Counter(found.ciphertext[:n])
        shares = [counts[letter] / len(text) for letter in plain_caesar.ALPHABET]
        assert_allclose(found.histograms[n], shares, atol=1e-12)
    assert_array_equal(found.histograms[-1], found.histogram)
