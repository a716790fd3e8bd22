"""What is read off the accuracy curves is what the model says there."""

import pytest
from numpy.testing import assert_array_equal

from clockhead.model.caesar.accuracy import accuracy_by_length
from clockhead.model.caesar.cryptogram import Cryptogram, cryptogram
from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.model.caesar.scores import METHODS as ALL_METHODS
from clockhead.model.films.caesar.how_much_text import LENGTHS, NEARLY_ALL, text_needed

SHORT = cryptogram("a bay", 3)


def test_curves_are_those_of_the_sample_text():
    needed = text_needed(SHORT, 16)
    measured = accuracy_by_length(SAMPLE_ENGLISH, [4, 64])
    ends = [LENGTHS.index(4), LENGTHS.index(64)]
    curves = {
        "dot product": needed.dot_shares,
        "log-likelihood": needed.log_shares,
        "commonest is e": needed.commonest_shares,
    }
    for method, curve in curves.items():
        assert_array_equal(curve[ends], measured[ALL_METHODS.index(method)])
    at = LENGTHS.index(needed.mark)
    marked = [needed.dot, needed.log_likelihood, needed.commonest]
    assert marked == [curve[at] for curve in curves.values()]
    # Above at all lengths until both read everything
    unlike = needed.dot_shares < 1
    assert (needed.log_shares >= needed.dot_shares).all()
    assert (needed.log_shares[unlike] > needed.dot_shares[unlike]).all()
    assert (needed.dot_shares > 1.5 * needed.commonest_shares).all()


def test_enough_is_the_first_length_that_reads_nearly_all():
    needed = text_needed(SHORT, 16)
    assert needed.enough == 32
    assert needed.enough_share >= NEARLY_ALL
    assert (needed.dot_shares[: LENGTHS.index(needed.enough)] < NEARLY_ALL).all()


def test_the_opening_stretch_by_stretch():
    needed = text_needed(SHORT, 8)
    assert needed.n_words == 502
    assert needed.opening == "the harbour was quiet when the last boat came"
    assert needed.opening_ciphertext == "wkh kduerxu zdv txlhw zkhq wkh odvw erdw fdph"
    stretches = [needed.opening[k : k + needed.stretch] for k in range(38)]
    assert stretches[0] == "the harb"
    found = [cryptogram(stretch, 0) for stretch in stretches]
    shares = [1 / one.n_leaders if one.place == 1 else 0 for one in found]
    assert_array_equal(needed.opening_right, shares)
    assert set(needed.opening_right) == {0, 1}  # A mark is right or wrong
    assert needed.stretch_share == text_needed(SHORT, needed.stretch).dot


@pytest.mark.parametrize(
    ("message", "steps"),
    [
        (SHORT, ("e fec", "d edb", "c dca", "b cbz", "a bay")),
        (cryptogram("e", 3), ("e",)),
        (cryptogram("an", 0), ("an",)),
    ],
)
def test_what_was_read_is_turned_on_to_what_it_was(message: Cryptogram, steps: tuple[str, ...]):
    assert text_needed(message, 16).corrections == steps


def test_of_several_that_score_the_same_none_is_read():
    tied = next(
        m for text in ("hu", "m w", "no on", "acjmv", "aim w") if (m := cryptogram(text, 2)).is_tied
    )
    steps = text_needed(tied, 16).corrections
    assert steps[0] == tied.ciphertext
    assert steps[-1] == tied.text
    assert len(steps) == 3
