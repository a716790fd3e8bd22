import pytest
from numpy.testing import assert_allclose

from clockhead.model.caesar.cryptogram import cryptogram
from clockhead.model.films.caesar.angle import shadows
from clockhead.model.films.caesar.theorem import equal_lengths

TEXT = "the shift hides every word but not how often each letter is needed to write it"


def test_with_all_letters_lengths_are_equal():
    message = cryptogram(TEXT, 7)
    found = equal_lengths(message)
    assert_allclose(found.tips, shadows(message).tips[-1])
    assert found.nearest == int(message.squared_errors.argmin()) == 7


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: shadows(cryptogram("zzz", 0), "e", "b"),
            "letter of the ciphertext 'zzz', got 'e'",
        ),
        (lambda: shadows(cryptogram("e", 0), "e", "e"), "different letters, got 'e' twice"),
        (lambda: shadows(cryptogram("e", 0), "e", "B"), "got 'B' at position 1"),
    ],
)
def test_bad_arguments_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
