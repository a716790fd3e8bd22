"""Heights of clock hands, and sums of them as stacks in the columns of a table."""

import numpy as np
import pytest

from clockhead.scenes.parts.dial import REACH, Dials
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.previous_token.heights import Heights
from clockhead.scenes.stage import Value
from clockhead.scenes.tour.clock_sum import broken_scale
from clockhead.scenes.tour.line import Line
from clockhead.scenes.tour.stacks import Stacks
from tests.scenes.staging import play

PHASES = np.array([[0.0, 0.0, 0.0], [np.pi / 3, np.pi, 0.0]])


@pytest.fixture
def heights() -> Heights:
    dials = Dials(3, labels=None)
    dials.place_at([[-2.0, 0.0], [0.0, 0.0], [2.0, 0.0]], 0.5)
    hands = Hands(Value("phases", PHASES)[1], dials, "key", angles=True)
    bars = Heights(Value("cosines", np.cos(PHASES)), hands, [2], grown=True)
    bars.redraw()
    return bars


def test_a_bar_reaches_from_the_middle_of_its_dial_to_the_height_of_the_hand(heights):
    grey, yellow, red = heights.bars
    assert yellow.get_top()[1] == pytest.approx(0.5 * REACH * 0.5)  # cos 60 degrees
    assert red.get_bottom()[1] == pytest.approx(-0.5 * REACH)
    assert grey.get_top()[1] == pytest.approx(0.5 * REACH)
    assert [r.says for r in heights.readings()] == pytest.approx([1.0, 0.5, -1.0])


@pytest.mark.parametrize("change", ["longer", "elsewhere", "wrong colour"])
def test_it_is_noticed_when_a_bar_is_not_the_height_of_its_hand(heights, change):
    _, yellow, red = heights.bars
    if change == "longer":
        yellow.stretch(1.1, 1, about_point=np.zeros(3))
    elif change == "elsewhere":
        yellow.shift([4.0, 0.0, 0.0])
    else:
        red.rotate(np.pi, about_point=np.zeros(3))
    assert any(
        isinstance(r.says, str) or abs(r.says - r.meant.content) > r.within
        for r in heights.readings()
    )


@pytest.mark.parametrize("aspect", ["16:9", "9:16", "1:1"])
def test_a_shot_leaves_its_dials_and_stacks_where_the_next_one_opens_with_them(aspect):
    first, second = (play(stage, aspect=aspect) for stage in (Stacks, Line))
    assert np.allclose(first.sum.faces.centers, second.sum.faces.centers, atol=0.01)
    assert first.sum.chart.area == second.sum.chart.area
    assert [label.anchor.tolist() for label in first.tiles.labels] == [
        label.anchor.tolist() for label in second.tiles.labels
    ]


def test_stacks_stand_in_the_columns_of_the_table():
    stage = play(Line)
    middles = [stage.grid.cell(0, n).center[0] for n in range(stage.grid.n_columns)]
    assert stage.sum.chart.x.at(np.arange(len(middles))) == pytest.approx(middles)


def test_the_knob_turns_from_one_to_alpha_and_never_shows_all_of_a_row():
    turn = Line.compute(Line.Inputs(alpha=1e4))
    assert turn.alphas[[0, -1]] == pytest.approx([1.0, 1e4])
    assert turn.weights.max() < 1
    assert turn.worst_weight < 1
    still = Line.compute(Line.Inputs(alpha=1.0))
    assert still.alphas[[0, 20, 40]] == pytest.approx([1.0, 2.0, 1.0])


def test_bars_that_all_reach_high_stand_on_a_broken_axis():
    high = broken_scale(11.7, 16.0, foot=9.98)
    assert (high.low, high.high, high.broken) == (0.0, 16.0, 9.0)
    assert high.ticks == (0.0, 10.0, 12.0, 14.0, 16.0)
    assert broken_scale(8.3, 16.0, foot=9.98).broken == 8.0


def test_an_axis_is_not_broken_where_that_saves_little():
    assert broken_scale(3.9, 16.0, foot=9.98).broken is None
    assert broken_scale(-1.2, 2.0, foot=0.0).low == -2.0
