"""All pairs of letters at once, against one pair at a time in plain arithmetic."""

import math
from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from clockhead.model.caesar.cipher import ENGLISH_UNITS
from clockhead.model.caesar.cryptogram import cryptogram
from clockhead.model.caesar.letter_planes import clearest_letters, letter_planes

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
TEXTS = st.text(ALPHABET, min_size=1, max_size=12)


def shown(ciphertext, found, x, y):
    """How well letters x and y show that the longest shadow misleads, and that it may."""
    across, up = ciphertext.count(x), ciphertext.count(y)
    arrows = [
        [int(ENGLISH_UNITS[(ALPHABET.index(letter) - turn) % 26]) for letter in (x, y)]
        for turn in range(26)
    ]
    scores = [across * a + up * b for a, b in arrows]
    crosses = [abs(across * b - up * a) for a, b in arrows]
    angles = [math.atan2(cross, score) for cross, score in zip(crosses, scores, strict=True)]
    longest = min(range(26), key=lambda turn: (-scores[turn], crosses[turn]))
    gaps = [
        (angles[longest] - angles[turn]) * math.hypot(*arrows[turn]) / 100_000
        if crosses[turn] * scores[longest] < crosses[longest] * scores[turn]
        else 0.0
        for turn in range(26)
    ]
    slope = math.atan2(up, across)
    room = min(angles[found], slope, math.pi / 2 - slope) * math.hypot(*arrows[found]) / 100_000
    return (min(room, gaps[found]) if gaps[found] else 0.0), max(gaps)


@settings(max_examples=15)
@given(TEXTS, st.integers(0, 25))
def test_no_pair_of_letters_tells_more_than_the_one_that_is_taken(text, rotation):
    message = cryptogram(text, rotation)
    pairs = [pair for pair in combinations(ALPHABET, 2) if set(pair) & set(message.ciphertext)]
    plain = [shown(message.ciphertext, int(message.ranking[0]), *pair) for pair in pairs]
    axes = np.array([[ALPHABET.index(letter) for letter in pair] for pair in pairs])
    planes = letter_planes(message, axes)
    assert_allclose(np.stack([planes.openness, planes.clarity], axis=1), plain, atol=1e-12)
    open_, clear = plain[pairs.index(clearest_letters(message))]
    assert open_ >= max(most for most, _ in plain) - 1e-12
    assert clear >= max(most for other, most in plain if other > open_ - 1e-12) - 1e-12
