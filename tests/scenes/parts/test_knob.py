"""The knob: where the pointer stands and what it says."""

import numpy as np
import pytest

from clockhead.scenes.parts.knob import Knob
from clockhead.scenes.stage import Value
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.type import MIN_SIZE
from tests.scenes.parts.pictures import assert_inside, done, wrong


def knob(alpha=10.0, **options) -> Knob:
    part = Knob(Value("alpha", alpha), 0.01, 1e4, **options)
    part.stand(np.array([1.0, 2.0, 0.0]), 0.8)
    return part


@pytest.mark.parametrize(
    ("alpha", "way"),
    [(10.0, (0, 1)), (0.1, (-1, 0)), (1000.0, (1, 0)), (0.01, (-1, -1)), (1e4, (1, -1))],
)
def test_the_pointer_turns_clockwise_by_decades(alpha, way):
    part = knob(alpha)
    tip = part.pointer.points[-1] - [1, 2, 0]
    assert np.allclose(tip[:2] / 0.8, np.array(way) / np.linalg.norm(way))
    assert not wrong(part)
    assert next(iter(part.readings())).says == pytest.approx(alpha)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda part: part.pointer.rotate(0.05, about_point=part.middle),
        lambda part: part.pointer.flip([0, 1, 0], about_point=part.middle),
        lambda part: part.ticks[2].shift([0, 0.1, 0]),
        lambda part: part.arc.rotate(0.05, about_point=part.middle),
        lambda part: part.face.shift([0.1, 0, 0]),
    ],
)
def test_a_spoiled_knob_is_noticed(spoil):
    part = knob(3.0)
    assert not wrong(part)
    spoil(part)
    assert wrong(part)


def test_a_knob_without_a_place_is_harmless():
    part = Knob(Value("alpha", 1.0), 0.01, 1e4, spec=".3g")
    done(part.to(Value("alpha", 2.0)))
    assert not list(part.readings())


@pytest.mark.parametrize("scale", [(1.0, 1.0), (1.5, 1.3)])
def test_it_stays_inside_its_region(scale):
    part = Knob(Value("alpha", 1.0), 0.01, 1e4, spec=".3g")
    width, height = part.least.width * scale[0], part.least.height * scale[1]
    part.place(Region(0, 0, width, height))
    assert_inside(Region(0, 0, width, height), part, slack=0.02)
    assert min(tick.em for tick in part.ticks) >= MIN_SIZE * PX - 1e-6
    assert part.radius >= 0.55 - 1e-9
    assert not wrong(part)


def test_the_value_stands_clear_of_the_numbers_around_a_small_dial():
    part = Knob(Value("alpha", 1e4), 0.01, 1e4, spec="")
    part.stand(np.zeros(3), 0.55)
    lowest = min(tick.get_bottom()[1] for tick in part.ticks)
    assert part.figure is not None
    assert part.figure.number.get_top()[1] < lowest
