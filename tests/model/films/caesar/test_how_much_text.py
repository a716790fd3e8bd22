"""What is read off the accuracy curves is what the model says there."""

import pytest
from numpy.testing import assert_array_equal

from clockhead.model.caesar.cryptogram import Cryptogram, cryptogram
from clockhead.model.films.caesar.how_much_text import text_needed

SHORT = cryptogram("a bay", 3)


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
