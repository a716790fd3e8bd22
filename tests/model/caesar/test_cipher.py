from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.caesar.cipher import (
    ENGLISH,
    ENGLISH_UNITS,
    counts,
    decode,
    decrypt,
    encode,
    encrypt,
    plaintext,
    printed_templates,
    rotate,
    templates,
    truncated_templates,
    unit_templates,
)
from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from tests.model import plain_caesar

texts = st.text(plain_caesar.ALPHABET + " ", min_size=1, max_size=60)
rotations = st.integers(0, 25)


@pytest.mark.parametrize(
    ("text", "rotation", "cipher"),
    [
        ("a bay", 3, "d edb"),
        (
            "the quick brown fox jumps over the lazy dog",
            5,
            "ymj vznhp gwtbs ktc ozrux tajw ymj qfed itl",
        ),
        ("etainos", 1, "fubjopt"),
    ],
)
def test_the_printed_examples(text, rotation, cipher):
    assert encrypt(text, rotation) == cipher
    assert decrypt(cipher, rotation) == text


def test_tokens_of_the_printed_example():
    assert_array_equal(encode("d edb"), [3, 26, 4, 3, 1])


@given(texts, rotations)
def test_a_translation_table_agrees_and_can_be_undone(text, rotation):
    assert encrypt(text, rotation) == plain_caesar.turned(text, rotation)
    assert decrypt(encrypt(text, rotation), rotation) == text
    assert encrypt(text, rotation - 26) == encrypt(text, rotation)


@given(texts, rotations)
def test_rotating_the_text_rolls_the_counts(text, rotation):
    found, turned = counts(encode(text)), counts(encode(encrypt(text, rotation)))
    assert_array_equal(turned[:26], np.roll(found[:26], rotation))
    assert turned[26] == found[26] == text.count(" ")
    assert found[:26].tolist() == [text.count(c) for c in plain_caesar.ALPHABET]


def test_counts_of_many_texts_at_once():
    rows = np.array([[[0, 0, 26], [1, 2, 3]]])
    assert counts(rows).shape == (1, 2, 27)
    assert_array_equal(counts(rows)[0, 0, [0, 26]], [2, 1])
    assert_array_equal(rotate(rows, [[[1], [25]]])[0], [[1, 1, 26], [0, 1, 2]])


def test_templates_are_rolls_of_one_length():
    assert_array_equal(templates(), [np.roll(ENGLISH, r) for r in range(26)])
    assert_allclose(np.linalg.norm(templates(), axis=1), 0.2561997, atol=5e-8)
    assert ENGLISH.sum() == pytest.approx(1.00119, abs=1e-12)
    assert_allclose(ENGLISH, list(plain_caesar.ENGLISH.values()), rtol=1e-15)


def test_units_are_the_printed_frequencies_and_nothing_is_lost():
    printed = [Fraction(p) / 100 for p in plain_caesar.PERCENT.split()]
    assert [Fraction(int(n), 100_000) for n in ENGLISH_UNITS] == printed
    assert ENGLISH.tolist() == [float(share) for share in printed]
    assert unit_templates().dtype == np.int64
    assert_array_equal(unit_templates(), [np.roll(ENGLISH_UNITS, r) for r in range(26)])
    assert_array_equal(unit_templates() / 100_000, templates())


def test_the_printed_templates_do_not_rotate():
    rows = printed_templates()
    assert [len(row) for row in rows] == [52] + [26] * 25
    assert rows[2][:3] == (0.020, 0.00074, 0.028)
    assert_array_equal(rows[2][2:], ENGLISH[2:])
    with pytest.raises(ValueError, match="inhomogeneous"):
        np.array(rows)


def test_cut_to_26_the_printed_templates_differ_in_length():
    cut = truncated_templates()
    lengths = np.linalg.norm(cut, axis=1)
    assert_allclose(lengths[:6], [0.256, 0.243, 0.243, 0.241, 0.239, 0.202], atol=5e-4)
    assert_array_equal(cut[0], ENGLISH)
    assert (cut[1:] != templates()[1:]).any(axis=1).all()


def test_the_sample_is_502_words():
    assert len(SAMPLE_ENGLISH.split()) == 502
    assert len(plaintext(SAMPLE_ENGLISH)) == 2479


@given(st.text(max_size=40))
def test_plain_text_can_be_encrypted(text):
    if not any(c in plain_caesar.ALPHABET for c in text.lower()):
        with pytest.raises(ValueError, match="at least one of the letters"):
            plaintext(text)
    else:
        assert plaintext(plaintext(text)) == plaintext(text)
        assert encrypt(plaintext(text), 0) == plaintext(text)


def test_plain_text_by_hand():
    assert plaintext("  It's\n 5 o'clock,\tTea! ") == "its oclock tea"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: encrypt("A", 1), "got 'A' at position 0"),
        (lambda: encrypt("", 1), "at least one character"),
        (lambda: encrypt("a", 1.5), "rotations must be whole numbers"),
        (lambda: decrypt("a", 1.5), "rotations must be whole numbers"),
        (lambda: decode([27]), "indices must be from 0 to 26"),
        (lambda: decode([0.0]), "indices must be a row of whole numbers"),
        (lambda: rotate([0.5], 1), "indices must be whole numbers"),
        (lambda: counts([-1]), "tokens must be from 0 to 26"),
        (lambda: counts(3), "tokens must be rows"),
        (lambda: templates([1, 2]), "frequencies must be 26"),
    ],
)
def test_bad_arguments_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
