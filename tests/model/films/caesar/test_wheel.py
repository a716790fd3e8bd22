import numpy as np
import pytest
from numpy.testing import assert_array_equal

from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.films.caesar.wheel import CipherWheel
from tests.model import plain_caesar


@pytest.mark.parametrize("rotation", [0, 3, 25])
def test_every_letter_meets_the_one_it_becomes(rotation):
    wheel = CipherWheel(Cryptogram("one two three", 7), Cryptogram("a bay", rotation))
    met = "".join(plain_caesar.ALPHABET[k] for k in wheel.meets)
    assert met == plain_caesar.turned(plain_caesar.ALPHABET, rotation)
    assert_array_equal(np.sort(wheel.meets), np.arange(26))
    assert (wheel.n_rotations, wheel.n_spaces) == (26, 2)
    assert wheel.keys.tolist() == [*range(26), 26]
    example = wheel.example
    for plain, cipher in zip(example.text, example.ciphertext, strict=True):
        if plain != " ":
            assert met[plain_caesar.ALPHABET.index(plain)] == cipher
