"""Axes and the marks over them: where values stand, and what can be read off the drawing."""

import numpy as np
import pytest

from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Dots, Rule, Trace
from clockhead.scenes.parts.scale import Scale, decades, round_ticks, slots
from clockhead.scenes.stage import Value
from clockhead.scenes.stage.shown import Passing
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.text import Tick
from clockhead.scenes.style.type import MIN_SIZE
from tests.scenes.parts.pictures import assert_inside, at, done, exchange, says, wrong

AREA = Region(-3.0, -2.0, 3.0, 2.0)


def bars(values=(1.0, 4.0, 2.0), **options) -> tuple[Chart, Bars]:
    names = Value("names", ("cat", "sat", "mat"))
    chart = Chart(slots(names), Scale(0, 4, (0.0, 2.0, 4.0)))
    part = Bars(Value("v", np.array(values)), chart, **options)
    chart.place_area(AREA)
    return chart, part


def test_values_stand_where_they_should():
    chart, _ = bars()
    assert np.allclose(chart.at([0, 1, 2], [0, 2, 4]), [[-2, -2, 0], [0, 0, 0], [2, 2, 0]])
    assert np.allclose(chart.y.read([-2.0, 0.0, 2.0]), [0, 2, 4])


def test_a_log_scale_steps_evenly_by_tens():
    chart = Chart(Scale(0.1, 100, decades(0.1, 100), log=True), Scale(0, 1))
    chart.place_area(AREA)
    assert np.allclose(chart.x.at([0.1, 1, 10, 100]), [-3, -1, 1, 3])
    assert np.allclose(chart.x.read([-3.0, -1.0, 1.0, 3.0]), [0.1, 1, 10, 100])
    assert not wrong(chart.x)


def test_an_axis_break_presses_together_what_is_below():
    chart = Chart(slots(2), Scale(0, 16, (0.0, 10.0, 12.0, 16.0), broken=8))
    chart.place_area(AREA)
    assert np.allclose(chart.y.at([0, 4, 8, 12, 16]), [-2, -1.825, -1.65, 0.175, 2])
    assert np.allclose(chart.y.read([-2, -1.825, -1.65, 0.175]), [0, 4, 8, 12])
    assert not wrong(chart.y)
    assert chart.y.break_at == pytest.approx(-1.825)


def test_the_tops_of_bars_are_on_the_axis():
    _, part = bars()
    tops = part.paths[0].points.reshape(3, 16, 3)[:, :, 1].max(axis=1)
    assert np.allclose(tops, [-1, 2, 0])
    assert says(part) == pytest.approx([1, 4, 2])


@pytest.mark.parametrize(
    "spoil",
    [
        lambda chart, part: part.paths[0].stretch(1.1, 1),
        lambda chart, part: part.paths[0].shift([2.0, 0, 0]),
        lambda chart, part: part.paths[0].shift([0, -0.01, 0]),
        lambda chart, part: part.numbers[0].shift([2.0, 0, 0]),
        lambda chart, part: part.numbers[0].number.set_value(3.0),
    ],
)
def test_spoiled_bars_are_noticed(spoil):
    chart, part = bars(spec=".1f")
    assert not wrong(part, chart.x, chart.y)
    spoil(chart, part)
    assert wrong(part)


def test_two_exchanged_numbers_are_noticed():
    _, part = bars(spec=".0f")
    a, b = part.numbers[0].number, part.numbers[1].number
    here, there = a.anchor, b.anchor
    a.put(there)
    b.put(here)
    assert len(wrong(part)) == 2


def test_exchanged_names_and_shifted_ticks_are_noticed():
    chart, _ = bars()
    exchange(*chart.x.labels[:2])
    assert len(wrong(chart.x)) == 2
    chart.y.ticks[1].shift([0, 0.1, 0])
    assert len(wrong(chart.y)) == 1


def test_an_axis_drawn_to_another_length_is_noticed():
    chart, part = bars()
    chart.y.line.stretch(1.1, 1)
    assert wrong(chart.y)
    assert wrong(part)


def test_lying_bars_are_read_along_the_x_axis():
    names = Value("names", ("position", "words"))
    chart = Chart(Scale(0, 20, (0.0, 10.0, 20.0)), slots(names, down=True))
    part = Bars(Value("lead", np.array([5.0, 20.0])), chart, "key", spec=".1f")
    chart.place_area(AREA)
    boxes = part.paths[0].points.reshape(2, 16, 3)
    assert np.allclose(boxes[:, :, 0].max(axis=1), [-1.5, 3])
    assert boxes[0, :, 1].mean() > boxes[1, :, 1].mean()
    assert not wrong(part, chart.x, chart.y)
    part.paths[0].stretch(1.1, 0)
    assert wrong(part)


def test_negative_bars_hang_from_the_zero_line():
    chart = Chart(slots(2), Scale(-2, 2, (-2.0, 0.0, 2.0)))
    part = Bars(Value("v", np.array([-1.0, 2.0])), chart)
    chart.place_area(AREA)
    boxes = part.paths[0].points.reshape(2, 16, 3)
    assert boxes[0, :, 1].min() == pytest.approx(-1)
    assert chart.x.line.points[0, 1] == pytest.approx(0)
    assert not wrong(part)
    part.paths[0].flip([1, 0, 0])
    assert wrong(part)


def test_bars_of_a_long_text_share_one_path_and_one_of_them_can_be_red():
    chart = Chart(Scale(63.5, -0.5, (0.0, 32.0)), Scale(0, 1))
    part = Bars(Value("v", np.linspace(0, 1, 64)), chart)
    chart.place_area(Region(-6.3, 0, 6.3, 1.7))
    assert len(part.paths) == 1
    assert part.tip(0)[0] > part.tip(63)[0]
    done(part.recolor(44, "wrong"), 0.5)
    assert [len(p.points) // 16 for p in part.paths] == [63, 1]
    assert not wrong(part)


def test_growing_bars_say_nothing_before_they_stand():
    _, part = bars(grown=False, spec=".1f")
    assert not list(part.readings())
    growth = part.grow([1])
    at(growth, 0.4)
    assert not list(part.readings())
    growth.interpolate(1.0)
    assert says(part) == pytest.approx([4, 4])


def test_bars_say_where_they_are_on_their_way():
    _, part = bars()
    way = part.to(Value("w", np.array([2.0, 2.0, 2.0])))
    run_to = way.rate_func(0.3)
    at(way, 0.3)
    assert isinstance(part.shown, Passing)
    first = next(iter(part.readings()))
    assert first.says == pytest.approx(1 + run_to)
    assert not wrong(part)
    way.interpolate(1.0)
    assert says(part) == pytest.approx([2, 2, 2])


def test_a_chart_that_has_not_been_placed_says_nothing_and_can_be_animated():
    chart = Chart(slots(3), Scale(0, 4, (0.0,)))
    part = Bars(Value("v", np.array([1.0, 2.0, 3.0])), chart)
    trace = Trace(Value("t", np.array([1.0, 2.0])), chart, x=[0, 1])
    done(part.to(Value("w", np.zeros(3))))
    done(part.grow())
    done(trace.draw_to(0.5))
    assert not [r for p in (part, trace, chart.x, chart.y) for r in p.readings()]


def test_a_chart_can_be_rescaled_under_its_bars():
    chart = Chart(Scale(3.5, -0.5, (0.0, 3.0)), Scale(0, 4))
    part = Bars(Value("v", np.array([1.0, 2.0, 3.0, 4.0])), chart)
    chart.place_area(AREA)
    change = chart.rescale(x=Scale(7.5, -0.5, (0.0, 7.0)), y=Scale(0, 8, (8.0,)))
    at(change, 0.5)
    assert not wrong(part, chart.x, chart.y)
    change.interpolate(1.0)
    assert not wrong(part, chart.x, chart.y)
    assert part.tip(3) == pytest.approx([float(chart.x.at(3.0)), 0, 0])
    assert [t.value for t in chart.x.standing] == [0, 7]


def test_a_trace_is_drawn_as_far_as_it_has_come():
    chart = Chart(Scale(0, 6), Scale(0, 4))
    heights = np.array([0.0, 1.0, 3.0, 4.0, 4.0])
    x = Value("x", np.array([0.0, 1.0, 2.0, 4.0, 6.0]))
    trace = Trace(Value("y", heights), chart, x=x, drawn=0.0)
    chart.place_area(AREA)
    assert not list(trace.readings())

    done(trace.draw_to(0.625))
    assert np.allclose(trace.path.points[-1], [0, 1.5, 0])
    assert says(trace) == pytest.approx([0, 1, 3])
    trace.path.stretch(0.9, 1)
    assert wrong(trace)


def test_dots_and_rules_are_read_on_their_axes():
    chart = Chart(Scale(0.1, 10, decades(0.1, 10), log=True), Scale(0, 1, (0.0, 1.0)))
    dots = Dots(Value("y", np.array([0.25, 0.75])), chart, x=[0.1, 10], spec=".0%")
    rule, marker = Rule(Value("a", 0.5), chart, "half"), Rule(Value("b", 1.0), chart, upright=True)
    chart.place_area(AREA)
    assert np.allclose(dots.path.get_corner([1, 1, 0]), [3.08, 1.08, 0])
    assert rule.line.points[0, 1] == pytest.approx(0)
    assert marker.line.points[0, 0] == pytest.approx(0)
    assert not wrong(dots, rule, marker)
    dots.path.shift([0, 0.1, 0])
    rule.line.shift([0, 0.1, 0])
    marker.line.shift([0.1, 0, 0])
    assert len(wrong(dots)) == 2
    assert wrong(rule)
    assert wrong(marker)


def test_only_standing_dots_are_seen():
    chart = Chart(Scale(0, 2), Scale(0, 1))
    dots = Dots(Value("y", np.array([0.2, 0.8])), chart, x=[0, 2], spec=".0%", standing=())
    chart.place_area(AREA)
    assert not list(dots.readings())
    done(dots.appear(1))
    assert says(dots) == pytest.approx([0.8])


@pytest.mark.parametrize("size", [(6.0, 3.0), (3.0, 6.0)])
def test_a_chart_with_its_words_stays_inside_its_region(size):
    names = Value("names", ("cat", "sat", "mat"))
    chart = Chart(slots(names, name="word"), Scale(0, 4, (0.0, 2.0, 4.0), name="how much"))
    part = Bars(Value("v", np.array([1.0, 4.0, 2.0])), chart, spec=".1f")
    least = chart.least
    assert least.width <= size[0]
    assert least.height <= size[1]
    for width, height in (size, (least.width, least.height)):
        region = Region(-width / 2, -height / 2, width / 2, height / 2)
        chart.place(region)
        assert_inside(region, chart, part)
    labels = [*chart.x.labels, *chart.y.ticks, *chart.x.heading, *chart.y.heading]
    assert min(label.em for label in labels) >= MIN_SIZE * PX - 1e-6


def test_round_ticks_are_round_and_few():
    assert round_ticks(0, 16) == (0, 5, 10, 15)
    assert round_ticks(0, 1) == (0, 0.2, 0.4, 0.6, 0.8, 1)
    assert len(round_ticks(-0.3, 2.9)) <= 6


@pytest.mark.parametrize("bad", [(1, 1, None, False), (-1, 1, None, True), (0, 4, 5, False)])
def test_impossible_scales_are_refused(bad):
    low, high, broken, log = bad
    with pytest.raises(ValueError, match="scale"):
        Scale(low, high, broken=broken, log=log)


def test_numbers_are_written_at_some_bars_and_fade_and_bars_sink():
    _, part = bars(gap=0.3)
    done(part.write([0, 2], ".1f"))
    written = part.numbers.submobjects
    assert [figure.number.text for figure in written] == ["1.0", "2.0"]
    tops = part.paths[0].points.reshape(3, 16, 3)[:, :, 1].max(axis=1)
    assert [f.number.anchor[1] for f in written] == pytest.approx(tops[[0, 2]] + 0.3)
    assert len(list(part.readings())) == 5
    assert not wrong(part)
    done(part.unwrite())
    assert len(list(part.readings())) == 3
    done(part.sink())
    assert not list(part.readings())


@pytest.mark.parametrize("lying", [False, True])
def test_hollow_dots_stand_at_their_values(lying):
    names, scale = slots(Value("names", ("cat", "sat", "mat")), down=lying), Scale(0, 4)
    chart = Chart(scale, names) if lying else Chart(names, scale)
    value = Value("v", np.array([1.0, 4.0, 2.0]))
    dots = Dots(value, chart, x=np.arange(3), role=None, standing=(0, 2))
    chart.place_area(AREA)
    assert says(dots) == pytest.approx([1, 2])
    assert not wrong(dots)
    dots.path.shift([0.1, 0.1, 0])
    assert wrong(dots)


@pytest.mark.parametrize(
    ("value", "spec", "text"),
    [(3000.0, "d", "3,000"), (1e4, "", "10,000"), (2500.0, "g", "2,500"), (0.001, "", "0.001")],
)
def test_numbers_on_scales_have_commas_as_in_sentences(value: float, spec: str, text: str) -> None:
    assert Tick(value, spec, unit=None).text == text
