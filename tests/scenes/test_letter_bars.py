"""Bars over letters: one scale, one row of columns, round and round."""

import itertools

import numpy as np
import pytest

from model.caesar import ENGLISH, templates
from scenes.parts.charts.letter_bars import LetterBars, rotation_names
from scenes.style.layout import PX, Region
from scenes.style.text import Label
from scenes.style.type import MIN_SIZE

WIDE = Region(-6, -1.5, 6, 1.5)
NARROW = Region(-3.45, -3, 3.45, 3)
HIGH = float(ENGLISH.max())


def spans(bars: LetterBars) -> list[tuple[float, float, float, float]]:
    """Left, bottom, right, top of every bar."""
    return [(*b.points[:, :2].min(axis=0), *b.points[:, :2].max(axis=0)) for b in bars.bars]


@pytest.mark.parametrize("region", [WIDE, NARROW])
@pytest.mark.parametrize("hanging", [False, True])
def test_a_chart_keeps_to_its_region_and_its_letters_are_legible(region: Region, hanging: bool):
    bars = LetterBars(ENGLISH, region, high=HIGH, hanging=hanging, room=0.4)
    points = np.concatenate([m.points for m in bars.family_members_with_points()])
    assert points[:, 0].min() >= region.left - 1e-6
    assert points[:, 0].max() <= region.right + 1e-6
    assert points[:, 1].min() >= region.bottom - 1e-6
    assert points[:, 1].max() <= region.top + 1e-6
    assert min(name.em for name in bars.names) >= MIN_SIZE * PX - 1e-9
    assert np.ptp([name.anchor[1] for name in bars.names]) < 1e-9
    boxes = sorted((n.get_left()[0], n.get_right()[0]) for n in bars.names)
    assert all(a[1] < b[0] for a, b in itertools.pairwise(boxes))


@pytest.mark.parametrize("hanging", [False, True])
def test_heights_are_to_one_scale(hanging: bool):
    bars = LetterBars(ENGLISH, WIDE, high=2 * HIGH, hanging=hanging)
    heights = np.array([top - bottom for _, bottom, _, top in spans(bars)])
    assert heights / bars.area.height == pytest.approx(ENGLISH / (2 * HIGH))


@pytest.mark.parametrize("by", [0, 1, 7, 25])
def test_turned_bars_look_like_the_template(by: int):
    turned = LetterBars(ENGLISH, WIDE, high=HIGH)
    turned.turn(by)
    still = LetterBars(templates()[by], WIDE, high=HIGH)
    assert np.array(sorted(spans(turned))) == pytest.approx(np.array(sorted(spans(still))))
    assert [n.text for n in turned.names] == [n.text for n in still.names]


@pytest.mark.parametrize("by", np.linspace(0.05, 26, 40))
def test_nothing_is_lost_on_the_way_round(by: float):
    bars = LetterBars(np.ones(26), WIDE, high=1.0)
    width = spans(bars)[0][2] - spans(bars)[0][0]
    bars.turn(by)
    covered = 0.0
    for bar in bars.bars:
        for piece in bar.get_subpaths():
            left, right = piece[:, 0].min(), piece[:, 0].max()
            assert WIDE.left - 1e-9 <= left
            assert right <= WIDE.right + 1e-9
            covered += right - left
    assert covered == pytest.approx(26 * width)


def test_letters_that_turn_keep_under_their_bars():
    bars = LetterBars(ENGLISH, WIDE, high=HIGH, names_turn=True)
    bars.turn(9)
    for k, name in enumerate(bars.names):
        assert name.get_center()[0] == pytest.approx(bars.tip(k)[0])
        assert name.get_fill_opacity() == pytest.approx(1)


def test_every_rotation_is_named_where_there_is_room_and_else_every_fifth():
    assert rotation_names(0.4) == [str(r) for r in range(26)]
    assert [name for name in rotation_names(0.2) if name != " "] == [
        "0",
        "5",
        "10",
        "15",
        "20",
        "25",
    ]


def test_a_number_at_the_edge_stays_inside():
    bars = LetterBars(ENGLISH, NARROW, high=HIGH, room=0.4)
    number = bars.number(25, ENGLISH[25], ".5f")
    assert isinstance(number, Label)
    assert number.get_right()[0] <= NARROW.right + 1e-9
