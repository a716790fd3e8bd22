"""How parts change without being copied: straight to their ends, in turn, along a series."""

import numpy as np
import pytest
from manim import Line, Square, VGroup

from clockhead.scenes.style.motion import Drive, along, fly, in_turn, recolor
from clockhead.scenes.style.text import Number
from clockhead.scenes.style.theme import theme


def test_what_flies_arrives_in_its_new_size_by_the_straight_way():
    part = Square(2.0).shift([1, 0, 0])
    flight = fly(part, [3, 2, 0], scale=0.5)
    flight.begin()
    flight.interpolate(0.5)
    assert part.get_center() == pytest.approx([2, 1, 0])
    assert part.width == pytest.approx(1.5)
    flight.finish()
    assert part.get_center() == pytest.approx(np.array([3, 2, 0]))
    assert part.width == pytest.approx(1.0)


def test_a_drive_ends_on_the_very_number():
    number = Number(0.0, ".3f")
    drive = Drive(number, lambda x: number.set_value(float(x)), 0.0, 0.1)
    drive.begin()
    drive.interpolate(0.5)
    assert 0 < number.value < 0.1
    drive.finish()
    assert number.value == 0.1


def test_recolouring_keeps_what_is_not_filled_unfilled():
    hand = VGroup(Line())
    drive = recolor(hand, theme().muted)
    drive.begin()
    drive.finish()
    assert hand[0].get_stroke_color().to_hex().upper() == theme().muted
    assert hand[0].get_fill_opacity() == 0


def test_a_series_is_exact_at_whole_places_and_straight_between_them():
    series = np.array([[0.1, 0.2], [0.3, 0.6]])
    assert (along(series, 1.0) == series[1]).all()
    assert along(series, 0.25) == pytest.approx([0.15, 0.3])


@pytest.mark.parametrize("n", [1, 2, 30])
def test_those_that_go_in_turn_all_arrive_and_never_turn_back(n: int):
    shares = np.array([in_turn(t, n, 0.2) for t in np.linspace(0, 1, 101)])
    assert not shares[0].any()
    assert (shares[-1] == 1).all()
    assert (np.diff(shares, axis=0) >= 0).all()
    assert (np.diff(shares, axis=1) <= 0).all()
