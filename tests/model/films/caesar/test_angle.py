import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.caesar.cryptogram import cryptogram
from clockhead.model.films.caesar.angle import shadows

TEXT = "the shift hides every word but not how often each letter is needed to write it"
LETTERS = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=20)


def test_two_letters_are_the_plane_and_26_are_the_cryptogram():
    message = cryptogram(TEXT, 7)
    view = shadows(message, "h", "l")
    arrows = message.templates[:, [7, 11]]
    own = view.tips[:, 26, 0]
    assert_allclose(view.shadows[0] * own[0], arrows @ message.histogram[[7, 11]])
    assert_allclose(view.lengths[0], np.linalg.norm(arrows, axis=1))
    assert_allclose(view.shadows[-1] * own[-1], message.dot_products)
    assert_allclose(own[-1], np.linalg.norm(message.histogram))
    assert_array_equal(np.sort(view.order), np.arange(26))
    assert "".join("abcdefghijklmnopqrstuvwxyz"[k] for k in view.order) == view.joining
    assert_array_equal(view.pairs[:26], arrows)
    assert_array_equal(view.pairs[26], message.histogram[[7, 11]])
    assert_array_equal(view.swept, [arrows[(view.narrowest + k) % 26] for k in range(26)])


@given(st.text("ebxz", min_size=1, max_size=12).filter(lambda t: "e" in t or "b" in t))
def test_angles_in_the_plane_are_those_of_its_arrows(text):
    view = shadows(cryptogram(text, 0), "e", "b")
    arrows = view.cryptogram.templates[:, [4, 1]]
    directions = np.arctan2(arrows[:, 1], arrows[:, 0])
    assert_allclose(view.angles[0], np.abs(directions - view.slope), atol=1e-12)


def test_in_the_plane_a_long_arrow_can_win_by_length():
    view = shadows(cryptogram("bbe", 0), "e", "b")
    assert view.shadows[0, 0] > view.shadows[0, 3]
    assert view.angles[0, 0] > view.angles[0, 3]


@settings(max_examples=40)
@given(LETTERS, st.integers(0, 25))
def test_with_all_letters_the_angle_alone_decides(text, rotation):
    message = cryptogram(text, rotation)
    view = shadows(message)
    assert_allclose(view.lengths[-1], view.lengths[-1, 0])
    cosines = message.dot_products / (view.lengths[-1] * view.tips[-1, 26, 0])
    assert_allclose(np.cos(view.angles[-1]), cosines, atol=1e-9)
    assert view.angles[-1, message.found] == pytest.approx(view.angles[-1].min())


@settings(max_examples=40)
@given(LETTERS, st.integers(0, 25))
def test_the_rival_points_closer_and_reaches_less(text, rotation):
    view = shadows(cryptogram(text, rotation))
    if view.rival != view.longest:
        assert view.angles[0, view.rival] < view.angles[0, view.longest]
        assert view.shadows[0, view.rival] <= view.shadows[0, view.longest]
        assert view.lengths[0, view.rival] < view.lengths[0, view.longest]


def test_tips_are_all_arrows_and_last_the_ciphertexts():
    message = cryptogram(TEXT, 7)
    view = shadows(message)
    assert view.tips.shape == (25, 27, 2)
    slope = view.slope
    back = np.array([[np.cos(slope), -np.sin(slope)], [np.sin(slope), np.cos(slope)]])
    axes = view.order[:2]
    arrows = [*message.templates[:, axes], message.histogram[axes]]
    assert_allclose(view.tips[0] @ back.T, arrows, atol=1e-12)


@settings(max_examples=20)
@given(LETTERS, st.integers(0, 25))
def test_where_the_longest_shadow_misleads_the_rotation_found_is_the_rival(text, rotation):
    view = shadows(cryptogram(text, rotation))
    assert (view.plane.openness[0] > 0) <= view.misleads
    if view.misleads:
        assert view.rival == view.narrowest != view.longest


def test_without_a_rival_the_longest_stands_for_it():
    view = shadows(cryptogram(TEXT, 7), "k", "l")
    assert view.longest == view.rival == 7
    assert view.plane.clarity[0] == 0


def planes(message, names):
    """Along its first letter and one that comes early in `names`, both ways round."""
    x, y = message.ciphertext[0], next(c for c in names if c != message.ciphertext[0])
    return shadows(message, x, y), shadows(message, y, x)


def sides(view):
    return np.where(view.plane.crosses[0] >= 0, 1, -1)


def turned_rigidly(points, angle):
    """Complex multiplication: every point of a plane (N, 2) turned by the same angle."""
    z = (points[:, 0] + 1j * points[:, 1]) * np.exp(1j * angle)
    return np.stack([z.real, z.imag], axis=1)


@given(LETTERS, st.integers(0, 25), st.permutations("abcdefghijklmnopqrstuvwxyz"))
def test_the_plane_is_turned_as_a_whole(text, rotation, names):
    message = cryptogram(text, rotation)
    for view in planes(message, names):
        axes = view.order[:2]
        arrows = np.vstack([message.templates[:, axes], message.histogram[axes]])
        rigid = turned_rigidly(arrows, -view.slope)
        assert_allclose(view.tips[0], rigid, rtol=0, atol=1e-12)


@settings(max_examples=40)
@given(LETTERS, st.integers(0, 25), st.permutations("abcdefghijklmnopqrstuvwxyz"))
def test_every_arrow_keeps_its_length_its_angle_and_its_side(text, rotation, names):
    message = cryptogram(text, rotation)
    view = planes(message, names)[1]
    assert_allclose(np.linalg.norm(view.tips[:, :26], axis=-1), view.lengths, rtol=1e-12)
    x, y = np.moveaxis(view.tips[:, :26], -1, 0)
    assert (y * sides(view) >= 0).all()
    assert_allclose(np.arctan2(y, x), view.angles * sides(view))
    # The distance of the tips, all letters counted, is the root of the squared error
    gaps = view.tips[-1, :26] - view.tips[-1, 26]
    assert_allclose((gaps**2).sum(axis=1), message.squared_errors, rtol=0, atol=1e-14)
    ranked = view.angles[-1][message.ranking]
    assert (np.diff(ranked) > -1e-12).all()
    assert view.narrowest == message.ranking[0]


def test_sides_by_hand():
    # The ciphertext's arrow is (2, 1) / 3 along b and e; rotation 0 has (.015, .127), above it
    view = shadows(cryptogram("bbe", 0), "b", "e")
    assert view.slope == pytest.approx(math.atan2(1, 2))
    assert sides(view)[0] == 1
    # Rotation 23: b has e's .127 and e has h's .061, which is below it, for 2 * .061 < .127
    assert sides(view)[23] == -1
    expected = (2 * 0.061 - 0.127) / math.sqrt(5)
    assert view.tips[0, 23, 1] == pytest.approx(expected, rel=1e-13)
    mirrored = shadows(cryptogram("bbe", 0), "e", "b")
    assert_array_equal(sides(mirrored), -sides(view))


def test_on_the_line_nothing_is_lost():
    # d and u are .043 and .028: their arrow along d and u after rotation 0 is the ciphertext's
    text = 43 * "d" + 28 * "u"
    view = shadows(cryptogram(text, 0), "d", "u")
    assert view.angles[0, 0] == 0
    assert sides(view)[0] == 1
    assert view.tips[:, :26][0, 0, 1] == 0


@settings(max_examples=40)
@given(LETTERS, st.integers(0, 25), st.permutations("abcdefghijklmnopqrstuvwxyz"))
def test_heights_are_those_of_fractions(text, rotation, names):
    message = cryptogram(text, rotation)
    view = planes(message, names)[0]
    units = [[Fraction(round(v * 100_000)) for v in row] for row in message.templates[:2]]
    counted = [Fraction(int(n)) for n in message.counts]
    for r, row in enumerate(units):
        squares = product = own = Fraction(0)
        for k, letter in enumerate(view.order.tolist()):
            squares += row[letter] ** 2
            product += row[letter] * counted[letter]
            own += counted[letter] ** 2
            if k:
                height = math.sqrt(squares - product**2 / own) / 100_000
                assert abs(view.tips[k - 1, r, 1]) == pytest.approx(height, rel=1e-13, abs=0)


@settings(max_examples=40)
@given(LETTERS, st.integers(0, 25), st.permutations("abcdefghijklmnopqrstuvwxyz"))
def test_the_rival_is_narrower_in_whole_numbers(text, rotation, names):
    view = planes(cryptogram(text, rotation), names)[0]
    assert view.rules_differ == (view.rival != view.longest)
    if view.rules_differ:
        assert view.rival_angle < view.longest_angle
        x, y = (Fraction(int(n)) for n in view.cryptogram.counts[view.order[:2]])

        templates = view.cryptogram.templates[:, view.order[:2]]

        def tangent(rotation):
            a, b = (Fraction(f"{v:.5f}") for v in templates[rotation])
            return abs(x * b - y * a) / (x * a + y * b)

        assert tangent(view.rival) < tangent(view.longest)


def test_of_equally_long_shadows_the_one_at_the_smallest_angle_is_meant():
    view = shadows(cryptogram("et hthh th h", 4), "x", "i")
    assert view.shadows[0, 4] == pytest.approx(view.shadows[0, 19])
    assert view.angles[0, 19] < view.angles[0, 4]
    assert view.longest == 19
    assert view.shadows[0, view.rival] < view.shadows[0, 19]
    assert view.angles[0, view.rival] < view.angles[0, 19]
