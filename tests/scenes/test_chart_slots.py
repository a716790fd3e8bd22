"""Slots under the bars of a chart, and a frame round one: what can be read off the drawing."""

import numpy as np
import pytest

from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.scale import Scale
from clockhead.scenes.rope.chart_slots import SlotFrame, Slots
from clockhead.scenes.stage import Value
from tests.scenes.parts.test_chart import AREA, wrong


@pytest.fixture
def chart() -> Chart:
    """Six places, the first on the right."""
    return Chart(Scale(5.5, -0.5), Scale(0, 1))


@pytest.mark.parametrize("number", [1.0, 2.5, 6.0])
def test_there_are_as_many_slots_as_the_value_says(chart, number):
    part = Slots(Value("words", number), chart)
    chart.place_area(AREA)
    assert not wrong(part)
    assert len(part.path.points) == 16 * np.ceil(number)
    assert part.path.get_right()[0] < AREA.right
    assert part.path.get_top()[1] == AREA.bottom
    part.path.stretch(0.9, 1)
    assert wrong(part)


def test_a_frame_stands_round_its_place(chart):
    part = SlotFrame(Value("place", 2.0), chart, "key")
    chart.place_area(AREA)
    assert not wrong(part)
    assert part.path.width == pytest.approx(chart.x.pitch)
    part.path.shift([chart.x.pitch, 0, 0])
    assert wrong(part)
