"""Points of a plane, their names, arrows, and the shadows on them; seen from above and aside."""

import numpy as np
import pytest

from clockhead.scenes.parts.plane import Arrow, Names, Plane, Shadows
from clockhead.scenes.stage import Value
from clockhead.scenes.stage.shown import Passing
from clockhead.scenes.style.layout import Region
from tests.scenes.parts.pictures import assert_inside, at, done, exchange, says, wrong

ROOM = Region(-3.0, -2.5, 3.0, 2.5)
ANGLES = np.linspace(0, 2 * np.pi, 8, endpoint=False)
FLAT = np.column_stack([np.sin(ANGLES), np.cos(ANGLES), np.zeros(8)])
LIFTED = FLAT + np.array([0.0, 0.0, 1.0])
WORDS = ("cat", "mat")


@pytest.fixture
def plane() -> Plane:
    part = Plane(Value("points", FLAT), WORDS, (1, 5))
    part.place(ROOM)
    return part


@pytest.fixture
def names(plane: Plane) -> Names:
    return Names(Value("words", WORDS), plane, (1, 5), bold=True)


def an_arrow(plane: Plane, way=(0.6, -0.8, 0.0)) -> Arrow:
    return Arrow(Value("map", np.array(way)), plane, "key", "map")


def shadows_on(arrow: Arrow, points=FLAT) -> Shadows:
    lengths = points @ arrow.state / np.linalg.norm(arrow.state)
    return Shadows(Value("readings", lengths), arrow, range(len(points)))


def test_points_are_read_where_they_stand(plane: Plane):
    assert len(list(plane.readings())) == 16
    assert not wrong(plane)
    assert plane.width == pytest.approx(2 * plane.radius, abs=0.2)
    plane.dots.shift([0.0, 0.02, 0.0])
    assert len(wrong(plane)) == 8


def test_points_of_two_numbers_need_no_height():
    part = Plane(Value("points", FLAT[:, :2]))
    part.place(ROOM)
    done(part.tip_over())
    assert len(list(part.readings())) == 16
    assert not wrong(part)


def test_heights_show_once_the_plane_is_tilted(plane: Plane):
    done(plane.to(Value("lifted", LIFTED)))
    assert len(list(plane.readings())) == 16
    done(plane.tip_over(), 0.1, 0.5)
    assert len(list(plane.readings())) == 24
    assert not wrong(plane)
    plane.dots.shift([0.0, 0.02, 0.0])
    assert len(wrong(plane)) == 8


def test_a_plane_on_its_way_says_what_lies_between(plane: Plane):
    done(plane.tip_over())
    at(plane.to(Value("lifted", LIFTED)), 0.4)
    assert isinstance(plane.shown, Passing)
    assert not wrong(plane)


@pytest.mark.parametrize("size", [(6.0, 5.0), (4.0, 5.0), (6.0, 3.0)])
def test_a_plane_and_its_names_keep_to_their_region(size: tuple[float, float]):
    region = Region(0.0, 0.0, *size)
    words = ("a name", "another")
    part = Plane(Value("points", FLAT), words, (2, 6))
    part.place(region)
    names = Names(Value("words", words), part, (2, 6), bold=True)
    assert_inside(region, part, *names.labels)


def test_names_stand_outside_the_circle_and_follow_it(plane: Plane, names: Names):
    away = [np.linalg.norm(label.middle - plane.middle) for label in names.labels]
    assert min(away) > plane.radius
    plane.stand(np.array([0.5, 0.25, 0.0]))
    done(plane.tip_over(), 0.5)
    done(plane.to(Value("lifted", LIFTED)), 0.5)
    assert says(names) == list(WORDS)
    assert not wrong(names)


def test_exchanged_names_are_noticed(names: Names):
    exchange(*names.labels)
    assert len(wrong(names)) == 2


def test_of_names_that_would_lie_on_each_other_the_first_stays(plane: Plane):
    words = ("cat", "mat", "cat")
    names = Names(Value("words", words), plane, (1, 5, 1))
    flight = names.fly_from(np.zeros((3, 3)))
    at(flight, 0.5)
    assert list(names.readings()) == []
    flight.interpolate(1)
    assert [label.get_fill_opacity() for label in names.labels] == [1, 1, 0]
    assert says(names) == ["cat", "mat"]
    assert not wrong(names)


def test_an_arrow_is_read_from_above_and_from_the_side(plane: Plane):
    arrow = an_arrow(plane)
    assert len(list(arrow.readings())) == 2
    assert not wrong(arrow)
    done(plane.tip_over(), 0.5)
    assert not wrong(arrow)
    done(arrow.to(Value("height", np.array([0.0, 0.0, 1.0]))), 0.3)
    assert not wrong(arrow)
    arrow.head.shift([0.0, -0.1, 0.0])
    assert wrong(arrow)


def test_an_arrow_may_have_two_numbers(plane: Plane):
    arrow = an_arrow(plane, (0.3, 0.4))
    done(arrow.to(Value("other", np.array([-1.0, 0.2]))), 0.5)
    assert len(list(arrow.readings())) == 2
    assert not wrong(arrow)


def test_shadows_fall_where_the_arrow_reads(plane: Plane):
    arrow = an_arrow(plane, (1.2, -1.6, 0.0))
    shadows = shadows_on(arrow)
    assert len(list(shadows.readings())) == 8
    assert not wrong(shadows)
    falling = shadows.fall()
    at(falling, 0.5)
    assert list(shadows.readings()) == []
    falling.interpolate(1)
    assert not wrong(shadows)
    shadows.feet.shift([0.02, 0.0, 0.0])
    assert len(wrong(shadows)) == 8


def test_all_shadows_meet_on_the_height(plane: Plane):
    done(plane.to(Value("lifted", LIFTED)))
    done(plane.tip_over())
    shadows = shadows_on(an_arrow(plane, (0.0, 0.0, 1.0)), LIFTED)
    assert says(shadows) == pytest.approx([1.0] * 8)
    assert not wrong(shadows)


def test_a_plane_can_be_larger_where_there_is_room():
    part = Plane(Value("points", FLAT), most=2.2)
    part.place(Region(-9, -9, 9, 9))
    assert part.radius == pytest.approx(2.2)
    assert not wrong(part)
