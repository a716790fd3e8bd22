"""How parts move without being copied."""

import numpy as np
import pytest
from manim import Square

from scenes.style.motion import fly


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
