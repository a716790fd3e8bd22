import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.caesar.geometry import LetterPlane, TwoRules
from clockhead.model.caesar.projections import Compared, Shadows, telling_plane

TEXT = "the shift hides every word but not how often each letter is needed to write it"
LETTERS = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=20)


def test_two_letters_are_the_plane_and_26_are_the_cryptogram():
    cryptogram = Cryptogram(TEXT, 7)
    plane = LetterPlane(cryptogram, "h", "l")
    view = Shadows(plane)
    assert_allclose(view.dot_products[0], plane.arrows @ plane.arrow)
    assert_allclose(view.lengths[0], np.linalg.norm(plane.arrows, axis=1))
    assert_allclose(view.dot_products[-1], cryptogram.dot_products)
    assert_allclose(view.own_lengths[-1], np.linalg.norm(cryptogram.histogram))
    assert_array_equal(np.sort(view.order), np.arange(26))


@given(st.text("ebxz", min_size=1, max_size=12).filter(lambda t: "e" in t or "b" in t))
def test_angles_in_the_plane_are_those_of_its_arrows(text):
    view = Shadows(LetterPlane(Cryptogram(text, 0), "e", "b"))
    directions = np.arctan2(view.plane.arrows[:, 1], view.plane.arrows[:, 0])
    assert_allclose(view.angles[0], np.abs(directions - view.slope), atol=1e-12)


def test_in_the_plane_a_long_arrow_can_win_by_length():
    view = Shadows(LetterPlane(Cryptogram("bbe", 0), "e", "b"))
    assert view.shadows[0, 0] > view.shadows[0, 3]
    assert view.angles[0, 0] > view.angles[0, 3]


@settings(max_examples=40)
@given(LETTERS, st.integers(0, 25))
def test_with_all_letters_the_angle_alone_decides(text, rotation):
    cryptogram = Cryptogram(text, rotation)
    view = Shadows(telling_plane(cryptogram))
    assert_allclose(view.lengths[-1], view.lengths[-1, 0])
    cosines = view.dot_products[-1] / (view.lengths[-1] * view.own_lengths[-1])
    assert_allclose(np.cos(view.angles[-1]), cosines, atol=1e-9)
    assert view.angles[-1, cryptogram.found] == pytest.approx(view.angles[-1].min())


@settings(max_examples=40)
@given(LETTERS, st.integers(0, 25))
def test_the_rival_points_closer_and_reaches_less(text, rotation):
    view = Shadows(telling_plane(Cryptogram(text, rotation)))
    if view.rival != view.longest:
        assert view.angles[0, view.rival] < view.angles[0, view.longest]
        assert view.shadows[0, view.rival] <= view.shadows[0, view.longest]
        assert view.lengths[0, view.rival] < view.lengths[0, view.longest]


def test_tips_are_all_arrows_and_last_the_ciphertexts():
    cryptogram = Cryptogram(TEXT, 7)
    view = Shadows(telling_plane(cryptogram))
    assert view.tips.shape == (25, 27, 2)
    slope = view.slope
    back = np.array([[np.cos(slope), -np.sin(slope)], [np.sin(slope), np.cos(slope)]])
    assert_allclose(view.tips[0] @ back.T, view.plane.tips, atol=1e-12)
    assert_allclose(Compared.of(cryptogram).tips, view.tips[-1])


def test_letters_that_tell():
    view = Shadows(telling_plane(Cryptogram(TEXT, 7)))
    assert (view.plane.x, view.plane.y) == ("o", "u")
    assert view.misleads
    assert (view.longest, view.rival) == (10, 7)
    assert_allclose(np.rad2deg(view.angles[0, [10, 7]]), [27.4942, 16.7200], atol=1e-4)
    assert view.openness == pytest.approx(np.radians(27.494165 - 16.720019) * view.lengths[0, 7])


@settings(max_examples=20)
@given(LETTERS, st.integers(0, 25))
def test_where_the_longest_shadow_misleads_the_rotation_found_is_the_rival(text, rotation):
    view = Shadows(telling_plane(Cryptogram(text, rotation)))
    assert (view.openness > 0) <= view.misleads
    if view.misleads:
        assert view.rival == view.narrowest != view.longest


def test_without_a_rival_the_longest_stands_for_it():
    view = Shadows(LetterPlane(Cryptogram(TEXT, 7), "k", "l"))
    assert view.longest == view.rival == 7
    assert view.clarity == 0


def planes(cryptogram, names):
    """Along its first letter and one that comes early in `names`, both ways round."""
    x, y = cryptogram.ciphertext[0], next(c for c in names if c != cryptogram.ciphertext[0])
    return LetterPlane(cryptogram, x, y), LetterPlane(cryptogram, y, x)


def turned_rigidly(points, angle):
    """Complex multiplication: every point of a plane (N, 2) turned by the same angle."""
    z = (points[:, 0] + 1j * points[:, 1]) * np.exp(1j * angle)
    return np.stack([z.real, z.imag], axis=1)


@given(LETTERS, st.integers(0, 25), st.permutations("abcdefghijklmnopqrstuvwxyz"))
def test_the_plane_is_turned_as_a_whole(text, rotation, names):
    for plane in planes(Cryptogram(text, rotation), names):
        view = Shadows(plane)
        rigid = turned_rigidly(plane.arrows, -view.slope)
        assert_allclose(view.beside[0], rigid, rtol=0, atol=1e-12)
        own = turned_rigidly(plane.arrow[None], -view.slope)
        assert_allclose(view.own[0], own[0], rtol=0, atol=1e-12)


@settings(max_examples=40)
@given(LETTERS, st.integers(0, 25), st.permutations("abcdefghijklmnopqrstuvwxyz"))
def test_every_arrow_keeps_its_length_its_angle_and_its_side(text, rotation, names):
    cryptogram = Cryptogram(text, rotation)
    view = Shadows(planes(cryptogram, names)[1])
    assert_allclose(np.linalg.norm(view.beside, axis=-1), view.lengths, rtol=1e-12)
    assert (view.beside[..., 1] * view.sides >= 0).all()
    assert_allclose(np.arctan2(view.beside[..., 1], view.beside[..., 0]), view.angles * view.sides)
    # The distance of the tips, all letters counted, is the root of the squared error
    gaps = view.beside[-1] - view.own[-1]
    assert_allclose((gaps**2).sum(axis=1), cryptogram.squared_errors, rtol=0, atol=1e-14)
    ranked = view.angles[-1][cryptogram.ranking]
    assert (np.diff(ranked) > -1e-12).all()
    assert (view.narrowest, view.next_narrowest) == tuple(cryptogram.ranking[:2])
    assert view.found_angle == pytest.approx(math.degrees(view.angles[-1].min()), abs=1e-9)
    assert view.next_angle == pytest.approx(math.degrees(np.sort(view.angles[-1])[1]), abs=1e-9)


def test_sides_by_hand():
    # The ciphertext's arrow is (2, 1) / 3 along b and e; rotation 0 has (.015, .127), above it
    view = Shadows(LetterPlane(Cryptogram("bbe", 0), "b", "e"))
    assert view.slope == pytest.approx(math.atan2(1, 2))
    assert view.sides[0] == 1
    # Rotation 23: b has e's .127 and e has h's .061, which is below it, for 2 * .061 < .127
    assert view.sides[23] == -1
    expected = (2 * 0.061 - 0.127) / math.sqrt(5)
    assert view.beside[0, 23, 1] == pytest.approx(expected, rel=1e-13)
    mirrored = Shadows(LetterPlane(Cryptogram("bbe", 0), "e", "b"))
    assert_array_equal(mirrored.sides, -view.sides)


def test_on_the_line_nothing_is_lost():
    # d and u are .043 and .028: their arrow along d and u after rotation 0 is the ciphertext's
    text = 43 * "d" + 28 * "u"
    view = Shadows(LetterPlane(Cryptogram(text, 0), "d", "u"))
    assert view.heights[0, 0] == view.angles[0, 0] == 0
    assert view.sides[0] == 1
    assert view.beside[0, 0, 1] == 0


@settings(max_examples=40)
@given(LETTERS, st.integers(0, 25), st.permutations("abcdefghijklmnopqrstuvwxyz"))
def test_heights_are_those_of_fractions(text, rotation, names):
    cryptogram = Cryptogram(text, rotation)
    view = Shadows(planes(cryptogram, names)[0])
    units = [[Fraction(round(v * 100_000)) for v in row] for row in cryptogram.templates[:2]]
    counted = [Fraction(int(n)) for n in cryptogram.counts]
    for r, row in enumerate(units):
        squares = product = own = Fraction(0)
        for k, letter in enumerate(view.order.tolist()):
            squares += row[letter] ** 2
            product += row[letter] * counted[letter]
            own += counted[letter] ** 2
            if k:
                height = math.sqrt(squares - product**2 / own) / 100_000
                assert view.heights[k - 1, r] == pytest.approx(height, rel=1e-13, abs=0)


@settings(max_examples=40)
@given(LETTERS, st.integers(0, 25), st.permutations("abcdefghijklmnopqrstuvwxyz"))
def test_the_rival_is_narrower_in_whole_numbers(text, rotation, names):
    view = Shadows(planes(Cryptogram(text, rotation), names)[0])
    assert view.rules_differ == (view.rival != view.longest)
    if view.rules_differ:
        assert view.rival_angle < view.longest_angle
        x, y = (Fraction(int(n)) for n in view.plane.cryptogram.counts[list(view.plane.axes)])

        def tangent(rotation):
            a, b = (Fraction(f"{v:.5f}") for v in view.plane.arrows[rotation])
            return abs(x * b - y * a) / (x * a + y * b)

        assert tangent(view.rival) < tangent(view.longest)


def test_the_numbers_of_the_default():
    view = Shadows(telling_plane(Cryptogram(TEXT, 7)))
    assert view.found_angle == pytest.approx(24.3155, abs=1e-4)
    assert view.next_angle == pytest.approx(49.8805, abs=1e-4)
    assert (view.narrowest, view.next_narrowest) == (7, 22)
    assert (view.longest_angle, view.rival_angle) == pytest.approx((27.4942, 16.7200), abs=1e-4)
    assert view.zoom * view.lengths[0].max() == pytest.approx(0.9 * view.lengths[-1, 5])


def test_compared_has_the_tips_of_the_last_row():
    cryptogram = Cryptogram(TEXT, 7)
    found = Compared.of(cryptogram)
    assert_array_equal(found.beside, Shadows(telling_plane(cryptogram)).beside[-1])
    assert_allclose(found.own, [np.linalg.norm(cryptogram.histogram), 0])
    assert found.nearest == int(cryptogram.squared_errors.argmin()) == 7
    assert not found.unequal.agree
    with pytest.raises(ValueError, match=r"beside must have shape \(26, 2\), got \(25, 2\)"):
        Compared(cryptogram, found.beside[1:], TwoRules())


def test_of_equally_long_shadows_the_one_at_the_smallest_angle_is_meant():
    view = Shadows(LetterPlane(Cryptogram("et hthh th h", 4), "x", "i"))
    assert view.dot_products[0, 4] == pytest.approx(view.dot_products[0, 19])
    assert view.angles[0, 19] < view.angles[0, 4]
    assert view.longest == 19
    assert view.dot_products[0, view.rival] < view.dot_products[0, 19]
    assert view.angles[0, view.rival] < view.angles[0, 19]
