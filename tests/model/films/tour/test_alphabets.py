"""How few characters of a cryptogram are too few, held against cryptograms of just these."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from clockhead.model.caesar.cryptogram import cryptogram
from clockhead.model.films.tour.alphabets import growing_cryptogram

_TEXTS = st.lists(st.text("abcez", min_size=1, max_size=4), min_size=1, max_size=4).map(" ".join)


def test_two_letters_of_the_tour_mislead() -> None:
    """The first three characters are two letters and a space."""
    growing = growing_cryptogram("on the mat the cat sat and the cat", 7)
    assert (growing.n_too_few, growing.letters_too_few) == (3, 2)
    assert growing.misled_to == cryptogram("on", 7).found == 17


@pytest.mark.parametrize("rotation", [0, 7, 25])
def test_one_letter_is_taken_for_the_commonest(rotation: int) -> None:
    """The h of `here` is taken for e, three letters on; an e is right at once."""
    growing = growing_cryptogram("here the cat sees me and then the cat", rotation)
    assert (growing.letters_too_few, growing.misled_to) == (1, (rotation + 3) % 26)
    assert growing_cryptogram("eee eat", rotation).n_too_few == 0


@given(_TEXTS, st.integers(0, 25))
def test_all_is_as_in_cryptograms_of_the_first_characters(text: str, rotation: int) -> None:
    growing = growing_cryptogram(text, rotation)
    parts = [cryptogram(text[:k], rotation) for k in range(1, len(text) + 1)]
    assert_allclose(growing.running_scores[1:], [part.dot_products for part in parts], atol=1e-12)
    assert not growing.running_scores[0].any()
    misled = [k for k, part in enumerate(parts, 1) if not part.is_read]
    assert growing.n_too_few == max(misled, default=0)
    if misled:
        part = parts[misled[-1] - 1]
        rivals = [r for r in part.leaders if r != rotation]
        assert growing.misled_to == rivals[0]
        assert growing.letters_too_few == part.n_letters
