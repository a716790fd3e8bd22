"""The line of positions: numbers at their ticks, and marks and brackets where they belong."""

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from manim import RIGHT

from clockhead.scenes.rope.ruler import Mark, Ruler
from clockhead.scenes.stage import Value
from clockhead.scenes.stage.shown import _judge, is_visible
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.type import MIN_SIZE

TRUTH = {"window": np.array([0.0, 12.0]), "period": 6.2832, "n": 8, "m": 11, "offset": -3}


def ruler_of(window=(0, 12), left=-6.0, right=6.0) -> Ruler:
    return Ruler(window).place_on(left, right, -2.0)


def faults(ruler: Ruler) -> list[str]:
    pictures = [m for m in ruler.get_family() if hasattr(m, "readings")]
    stage = {path: SimpleNamespace(content=content) for path, content in TRUTH.items()}
    readings = [reading for picture in pictures for reading in picture.readings()]
    assert readings
    return [fault for r in readings if (fault := _judge(r, stage, "Ruler"))]


def written(ruler: Ruler) -> dict[str, float]:
    seen = [n for n in ruler.numbers.values() if is_visible(n)]
    return {n.text: float(n.get_center()[0]) for n in sorted(seen, key=lambda n: n.value)}


def play(animation, until: float = 1.0) -> None:
    animation.begin()
    animation.interpolate(until)
    if until == 1:
        animation.finish()


def test_every_position_has_its_tick_and_number():
    ruler = ruler_of()
    assert ruler.x(5) == pytest.approx([-1, -2, 0])
    assert ruler.position_at(2.5) == pytest.approx(8.5)
    assert ruler.pitch == pytest.approx(1.0)
    assert list(written(ruler)) == [str(k) for k in range(13)]
    assert list(written(ruler).values()) == pytest.approx(np.arange(-6.0, 7), abs=0.01)
    assert ruler.ticks.points[::4, 0] == pytest.approx(np.arange(-6.0, 7))
    assert faults(ruler) == []


@pytest.mark.parametrize("window", [(0, 12), (93, 105), (0, 46), (0, 600), (9990, 10003), (2, 7)])
@pytest.mark.parametrize("half", [6.0, 3.2])
def test_numbers_do_not_touch(window, half):
    ruler = ruler_of(window, -half, half)
    numbers = sorted((n for n in ruler.numbers.values()), key=lambda n: n.value)
    assert len(numbers) >= 2
    for a, b in pairwise(numbers):
        assert b.get_left()[0] - a.get_right()[0] > 0.1
    assert all(n.em >= MIN_SIZE * PX - 1e-6 for n in numbers)
    steps = np.diff([n.value for n in numbers])
    assert np.ptp(steps) == 0
    assert all(window[0] <= n.value <= window[1] for n in numbers)
    assert faults(ruler) == []


def test_wrong_numbers_ticks_and_ends_are_noticed():
    ruler = ruler_of()
    ruler.numbers[4].shift(RIGHT)
    assert len(faults(ruler)) >= 1
    ruler = ruler_of()
    ruler.numbers[4].shift(RIGHT)
    ruler.numbers[5].shift(-RIGHT)
    assert len(faults(ruler)) >= 2
    ruler = ruler_of()
    ruler.ticks.stretch(1.1, 0)
    assert faults(ruler)
    ruler = Ruler(Value("window", np.array([0.0, 13.0]))).place_on(-6, 6, 0)
    assert len(faults(ruler)) == 1
    ruler = Ruler(Value("window", TRUTH["window"])).place_on(-6, 6, 0)
    assert faults(ruler) == []


def test_it_scrolls_and_zooms_with_its_ends_in_place():
    ruler = ruler_of()
    scroll = ruler.scroll_by(95)
    assert list(ruler.window) == [0, 12]
    play(scroll, until=0.43)
    assert faults(ruler) == []
    scroll.finish()
    assert ruler.x(95) == pytest.approx([-6, -2, 0])
    assert list(written(ruler)) == [str(k) for k in range(95, 108)]
    play(ruler.scroll_by(-95))
    play(ruler.zoom((0, 46)), until=0.6)
    assert faults(ruler) == []
    play(ruler.zoom((0, 46)))
    assert ruler.x(46) == pytest.approx([6, -2, 0])
    assert list(written(ruler)) == [str(k) for k in range(0, 46, 5)]
    play(ruler.to(Value("window", TRUTH["window"])))
    assert faults(ruler) == []
    assert len(ruler.numbers) + len(ruler._spare) < 60


def test_marks_and_brackets_move_with_the_line():
    ruler = ruler_of()
    mark = ruler.mark(Value("period", 6.2832), ".2f")
    bracket = ruler.bracket(Value("n", 8), Value("m", 11), Value("offset", -3), "+d")
    assert list(mark.readings()) == []
    play(mark.appear())
    play(bracket.appear())
    assert mark.path.get_center()[0] == pytest.approx(0.2832)
    assert mark.figure.number.text == "6.28"
    assert faults(ruler) == []
    play(ruler.zoom((5, 15)))
    assert bracket.path.get_left()[0] == pytest.approx(-6 + 3 * 1.2)
    assert faults(ruler) == []
    play(mark.to(Value("n", 8)), until=0.5)
    assert faults(ruler) == []
    mark.path.shift(0.1 * RIGHT)
    assert len(faults(ruler)) == 1
    bracket.path.stretch(1.1, 0)
    assert len(faults(ruler)) == 3


def test_it_can_be_moved_as_a_whole():
    ruler = ruler_of()
    ruler.shift(RIGHT)
    assert ruler.x(0)[0] == pytest.approx(-5)
    play(ruler.scroll_by(3))
    assert ruler.x(3)[0] == pytest.approx(-5)
    assert faults(ruler) == []


def test_it_keeps_to_its_region_and_is_harmless_before():
    ruler = Ruler((0, 12), head=0.8)
    play(ruler.scroll_by(2))
    assert list(ruler.readings()) == []
    region = Region(-3.6, -3, 3.6, -3 + ruler.least.height)
    ruler.place(region)
    box = [ruler.get_left()[0], ruler.get_bottom()[1], ruler.get_right()[0], ruler.get_top()[1]]
    assert box[0] >= region.left - 1e-6
    assert box[1] >= region.bottom - 0.01
    assert box[2] <= region.right + 1e-6
    assert region.top - ruler.x(2)[1] == pytest.approx(0.8)


def test_a_bracket_may_end_at_a_mark_that_moves():
    ruler = ruler_of()
    mark = Mark(ruler, Value("m", 11), "")
    bracket = ruler.bracket(Value("n", 8), mark).reveal()
    assert faults(ruler) == []
    play(mark.to(Value("n", 8)))
    bracket.show(bracket.state)
    assert bracket.path.width == pytest.approx(0)
    assert faults(ruler) == []


def test_a_margin_stays_free_at_both_ends():
    rulers = Ruler([0, 9]), Ruler([0, 9], margin=0.5)
    for ruler in rulers:
        ruler.place(Region(-5.0, -1.0, 5.0, 1.0))
    plain, inset = rulers
    assert inset.x(0)[0] - plain.x(0)[0] == pytest.approx(0.5)
    assert plain.x(9)[0] - inset.x(9)[0] == pytest.approx(0.5)
