import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from model.caesar_geometry import LetterPlane
from model.caesar_shadows import Shadows, telling_plane
from model.cryptogram import Cryptogram

TEXT = "the shift hides every word but not how often each letter is needed to write it"
LETTERS = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=20)


def test_two_letters_are_the_plane_and_26_are_the_cryptogram():
    cryptogram = Cryptogram(TEXT, 7)
    plane = LetterPlane(cryptogram, "h", "l")
    view = Shadows(plane)
    assert_allclose(view.dot_products[0], plane.dot_products)
    assert_allclose(view.angles[0], plane.angles, atol=1e-7)
    assert_allclose(view.lengths[0], np.linalg.norm(plane.arrows, axis=1))
    assert_allclose(view.dot_products[-1], cryptogram.dot_products)
    assert_allclose(view.own_lengths[-1], np.linalg.norm(cryptogram.histogram))
    assert_array_equal(np.sort(view.order), np.arange(26))


@given(LETTERS, st.integers(0, 25))
def test_with_all_letters_the_angle_alone_decides(text, rotation):
    cryptogram = Cryptogram(text, rotation)
    view = Shadows(telling_plane(cryptogram))
    assert_allclose(view.lengths[-1], view.lengths[-1, 0])
    cosines = view.dot_products[-1] / (view.lengths[-1] * view.own_lengths[-1])
    assert_allclose(np.cos(view.angles[-1]), cosines, atol=1e-9)
    assert view.angles[-1, cryptogram.found] == pytest.approx(view.angles[-1].min())


@given(LETTERS, st.integers(0, 25))
def test_the_rival_points_closer_and_reaches_less(text, rotation):
    view = Shadows(telling_plane(Cryptogram(text, rotation)))
    if view.rival != view.longest:
        assert view.angles[0, view.rival] < view.angles[0, view.longest]
        assert view.shadows[0, view.rival] <= view.shadows[0, view.longest]
        assert view.lengths[0, view.rival] < view.lengths[0, view.longest]


def test_letters_that_tell():
    view = Shadows(telling_plane(Cryptogram(TEXT, 7)))
    assert (view.plane.x, view.plane.y) == ("h", "l")
    assert (view.longest, view.rival) == (7, 23)
    assert_allclose(np.rad2deg(view.angles[0, [7, 23]]), [28.0854, 1.0982], atol=1e-4)


def test_without_a_rival_the_longest_stands_for_it():
    view = Shadows(LetterPlane(Cryptogram(TEXT, 7), "k", "l"))
    assert view.longest == view.rival == 7
    assert view.clarity == 0
