"""Stacks of slivers: their heights on the axis, what takes away, and how they grow."""

import numpy as np
import pytest

from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.stacks import Stacks
from clockhead.scenes.stage import Value
from clockhead.scenes.style.layout import Region
from tests.scenes.parts.pictures import at, done, wrong

AREA = Region(-3.0, -2.0, 3.0, 2.0)
SLIVERS = np.array([[-1.0, 0.5, 2.0], [1.0, 1.0, 2.0], [0.25, -0.75, 2.0]])
SUMS = np.array([1.5, 4.0, 1.5])


def stacks(slivers=SLIVERS, scale=None, **options) -> Stacks:
    slivers = np.asarray(slivers)
    chart = Chart(slots(len(slivers)), scale or Scale(0, 4, (0.0, 2.0, 4.0)))
    given = {
        "steady": [2],
        "plinth": Value("plinth", slivers[:, 2]),
        "totals": Value("sums", slivers.sum(axis=1)),
        "leading": [1],
    }
    part = Stacks(Value("slivers", slivers), chart, **(given | options))
    chart.place_area(AREA)
    return part


def boxes(path) -> np.ndarray:
    """Bottom and top of each rectangle of a path."""
    points = path.points.reshape(-1, 16, 3)[:, :, 1]
    return np.stack([points.min(axis=1), points.max(axis=1)], axis=1)


def numbers(part) -> list[str]:
    return [f.number.text for f in part._figures if f.number.get_fill_opacity() > 0]


def test_slivers_lie_on_each_other_and_negative_ones_press_the_top_down():
    part = stacks()
    assert np.allclose(boxes(part.foot), [[-2, 0]] * 3)
    assert np.allclose(boxes(part.tops), [[0, 0.5], [0, 1], [1, 2], [0, 0.25]])
    assert np.allclose(boxes(part.taken), [[-0.5, 0.5], [-0.5, 0.25]])
    assert not wrong(part)
    assert len(list(part.readings())) == 9 + 3 + 3 + 3


@pytest.mark.parametrize(
    "spoil",
    [
        lambda part: part.tops.stretch(1.1, 1),
        lambda part: part.tops.shift([2, 0, 0]),
        lambda part: part.tops.shift([0, 0.1, 0]),
        lambda part: part.foot.stretch(1.1, 1),
        lambda part: part.taken.shift([0, 0.1, 0]),
        lambda part: part.taken.stretch(0.9, 1),
        lambda part: part._figures[0].number.shift([2, 0, 0]),
        lambda part: part._figures[0].number.set_value(1.6),
        lambda part: part.chart.y.line.stretch(1.1, 1),
    ],
)
def test_spoiled_stacks_are_noticed(spoil):
    part = stacks()
    assert not wrong(part)
    spoil(part)
    assert wrong(part)


def test_below_an_axis_break_heights_are_still_read():
    slivers = np.array([[1.0, 2.0, 10.0], [-1.0, 0.5, 10.5]])
    part = stacks(slivers, Scale(0, 16, (0.0, 10.0, 12.0), broken=8))
    assert np.allclose(
        boxes(part.foot)[:, 1], [-2 + 0.35 + 2 * 3.65 / 8, -2 + 0.35 + 2.5 * 3.65 / 8]
    )
    assert not wrong(part)
    assert len(part.gaps.points) == 2 * 4 * 4
    part.foot.stretch(1.1, 1)
    assert wrong(part)


def test_a_sum_may_end_below_zero():
    part = stacks([[-2.0, -1.0, 1.0], [1.0, 1.0, 1.0]], Scale(-2, 4, (0.0, 4.0)))
    assert boxes(part.taken).min() == pytest.approx(-2)
    assert not wrong(part)


def test_what_hangs_below_zero_lets_the_stack_down_so_that_its_top_is_the_sum():
    part = stacks(scale=Scale(-2, 4), steady=(), plinth=None, hanging=True, grown=False)
    part.grow([0]).interpolate(1.0)
    zero = float(part.chart.y.at(0.0))
    unit = float(part.chart.y.at(1.0)) - zero
    assert np.allclose((boxes(part.taken) - zero) / unit, [[-1.0, 0.0]])
    assert np.allclose((boxes(part.tops) - zero) / unit, [[0.0, 0.5], [0.5, 2.5]])
    assert not numbers(part)
    sinking = part.sink(0)
    sinking.interpolate(0.5)
    assert not numbers(part)
    sinking.interpolate(1.0)
    assert np.allclose((boxes(part.tops) - zero) / unit, [[0.0, 0.0], [0.0, 1.5]])
    assert numbers(part) == ["1.5"]
    assert not wrong(part)
    part.tops.shift([0, 0.1, 0])
    assert wrong(part)


def test_where_more_hangs_than_stands_it_is_pushed_up_to_the_sum():
    slivers, sums = [[-3.0, 0.5, 0.5]], Value("sums", np.array([-2.0]))
    part = stacks(
        slivers, Scale(-4, 4), steady=(), plinth=None, totals=sums, leading=[0], hanging=True
    )
    zero = float(part.chart.y.at(0.0))
    unit = float(part.chart.y.at(1.0)) - zero
    assert np.allclose((boxes(part.taken) - zero) / unit, [[-2.0, 0.0]])
    assert not wrong(part)
    part.taken.stretch(0.9, 1)
    assert wrong(part)


def test_stacks_grow_one_key_after_another_with_no_number_before_they_stand():
    part = stacks(grown=False)
    growth = part.grow(lag=1.0, rate_func=lambda share: share)
    at(growth, 0.2)
    assert boxes(part.foot).shape == (1, 2)
    assert not numbers(part)
    growth.interpolate(0.5)
    assert numbers(part) == ["1.5"]
    assert not wrong(part)
    growth.interpolate(1.0)
    assert numbers(part) == ["1.5", "4.0", "1.5"]


def test_only_the_leading_totals_stand_where_columns_are_narrow():
    chart = Chart(slots(12), Scale(0, 4, (0.0, 4.0)))
    slivers = np.full((12, 2), 1.0)
    part = Stacks(
        Value("s", slivers), chart, totals=Value("sums", slivers.sum(axis=1)), leading=(4, 11)
    )
    chart.place_area(Region(0, 0, 3.6, 3))
    assert len(numbers(part)) == 2
    assert not wrong(part)


def test_stacks_without_a_chart_are_harmless():
    chart = Chart(slots(3), Scale(0, 4))
    part = Stacks(Value("s", SLIVERS), chart, totals=Value("sums", SUMS))
    done(part.fly(0, np.zeros((3, 3))))
    done(part.grow())
    done(part.lie_down([AREA] * 3, ["#000000"] * 3))
    assert not list(part.readings())


def test_totals_of_neighbours_that_would_meet_give_way_to_the_first_of_the_leading():
    chart = Chart(slots(12), Scale(0, 4, (0.0, 4.0)))
    slivers = np.full((12, 1), 3.9)
    slivers[5] = 4.0
    sums = Value("sums", slivers.sum(axis=1))
    part = Stacks(Value("s", slivers), chart, totals=sums, spec=".4f", leading=(5, 6, 9))
    chart.place_area(Region(0, 0, 4.8, 3))
    assert sorted(numbers(part)) == ["3.9000", "4.0000"]
    assert part._figures[6].number.get_fill_opacity() == 0
