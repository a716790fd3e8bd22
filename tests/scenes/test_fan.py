"""Arrows, their shadows, and the picture that is made of both."""

import numpy as np
import pytest

from model.caesar_geometry import LetterPlane
from model.caesar_shadows import Shadows, telling_plane
from model.cryptogram import Cryptogram
from scenes.parts.charts.fan import Arrow, Coordinates, Fan, PlaneAxes, Shade
from scenes.parts.charts.shadow_picture import ShadowPicture
from scenes.style.layout import Region
from scenes.style.text import Label, Number, Tick

TEXT = "the shift hides every word but not how often each letter is needed to write it"
REGION = Region(-4.0, -2.5, 2.0, 2.5)
ORIGIN = np.array([-1.0, 0.5, 0.0])


def test_an_arrow_runs_from_start_to_end_and_its_head_ends_there():
    arrow, end = Arrow("#FFFFFF"), ORIGIN + np.array([3.0, 4.0, 0.0])
    arrow.point(ORIGIN, end)
    np.testing.assert_allclose(arrow.shaft.points[0], ORIGIN)
    assert np.linalg.norm(arrow.head.points - end, axis=1).min() == pytest.approx(0)


def test_an_arrow_that_is_cut_is_dashed_over_the_same_way():
    arrow, end = Arrow("#FFFFFF"), ORIGIN + np.array([2.0, 0.0, 0.0])
    arrow.point(ORIGIN, end)
    whole = arrow.shaft.points
    arrow.point(ORIGIN, end, is_cut=True)
    pieces = arrow.shaft.points.reshape(-1, 4, 3)
    assert len(pieces) > 1
    np.testing.assert_allclose([pieces[0, 0], pieces[-1, -1]], whole[[0, -1]])
    drawn = np.linalg.norm(pieces[:, -1] - pieces[:, 0], axis=1).sum()
    assert drawn < np.linalg.norm(whole[-1] - whole[0])


def test_shadows_are_as_long_as_the_arrows_reach():
    tips = np.array([[2.0, 1.0], [0.5, 2.0], [1.0, 0.0]])
    fan = Fan(tips, ORIGIN, followed=(1, 0))
    angles = np.arctan2(tips[:, 1], tips[:, 0])
    shade = Shade(fan, angles)
    for r in (0, 1):
        assert shade.bar(r).get_left()[0] == pytest.approx(ORIGIN[0])
        assert shade.bar(r).width == pytest.approx(tips[r, 0])
    said = [m.value for m in shade.turns.get_family() if isinstance(m, Number)]
    np.testing.assert_allclose(said, np.rad2deg(angles[[1, 0]]))


@pytest.mark.parametrize("unit", [4.0, 12.0, 40.0])
def test_ticks_stand_where_their_values_are(unit: float):
    axes = PlaneAxes(ORIGIN, 3.0, unit, ("a", "b"))
    ticks = [m for m in axes if isinstance(m, Tick)]
    assert ticks
    below = [tick for tick in ticks if tick.align == "center"]
    for tick in below:
        assert tick.anchor[0] - ORIGIN[0] == pytest.approx(tick.value * unit)


def test_coordinates_say_the_shares_row_by_row():
    shares = [[0.1, 0.2], [0.3, 0.4]]
    table = Coordinates(("e", "b"), [Label("one"), Label("two")], shares, ORIGIN)
    said = [m.value for m in table if isinstance(m, Number)]
    np.testing.assert_allclose(np.reshape(said, (2, 2)), shares)


def test_with_all_letters_the_arrows_end_on_the_rim_at_their_angles():
    values = Shadows(telling_plane(Cryptogram(TEXT, 7)))
    picture = ShadowPicture(values, REGION, followed=(values.longest, values.rival))
    picture.cast()
    picture.show(24)
    lengths = np.linalg.norm(picture.fan.tips, axis=1)
    np.testing.assert_allclose(lengths, picture.radius)
    angles = np.arctan2(picture.fan.tips[:, 1], picture.fan.tips[:, 0])
    np.testing.assert_allclose(angles, values.angles[-1])


@pytest.mark.parametrize(
    ("message", "is_cut"), [(Cryptogram(TEXT, 7), False), (Cryptogram("a bay", 3), True)]
)
def test_only_an_arrow_that_has_no_room_is_cut(message: Cryptogram, is_cut: bool):
    picture = ShadowPicture(Shadows(telling_plane(message)), REGION, followed=(0,))
    picture.aim().interpolate_mobject(1.0)
    assert (len(picture.own.shaft.points) > 4) == is_cut
    end = picture.own.head.points.max(axis=0)
    assert end[0] <= REGION.right
    assert end[1] <= REGION.top


def test_lying_down_keeps_lengths_and_gives_angles():
    values = Shadows(LetterPlane(Cryptogram(TEXT, 23), "e", "b"))
    picture = ShadowPicture(values, REGION, followed=(23, 10))
    picture.spread().interpolate_mobject(1.0)
    before = np.linalg.norm(picture.fan.tips, axis=1)
    picture.lie_down().interpolate_mobject(1.0)
    tips = picture.fan.tips
    np.testing.assert_allclose(np.linalg.norm(tips, axis=1), before)
    np.testing.assert_allclose(np.arctan2(tips[:, 1], tips[:, 0]), values.angles[0], atol=1e-12)
