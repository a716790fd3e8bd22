"""Arcs with scores: they stand on their tiles, follow them, and each number has its own arc."""

import numpy as np
import pytest
from manim import Square, VGroup, bezier

from clockhead.scenes.parts.glance import Glance
from clockhead.scenes.rope.score_arcs import ScoreArcs
from clockhead.scenes.stage import Value
from clockhead.scenes.style.layout import Region
from tests.scenes.parts.pictures import at, done, exchange, says, wrong

SCORES = Value("plain_scores", np.array([2.07, 9.99, 2.19]))
HIGH = Region(-6, -3, 6, 2.6)


class Row:
    """Squares in a row, as a strip has them."""

    def __init__(self, n=3, step=3.2):
        self.tiles = [Square(0.8).move_to([(k - (n - 1) / 2) * step, -0.5, 0]) for k in range(n)]

    def top(self, k):
        return np.array(self.tiles[k].get_top())


def arcs(scores=SCORES, row=None, region=HIGH, asks=1, **options):
    picture = ScoreArcs(scores, row or Row(), asks, **options)
    picture.place(region)
    return picture


def said(picture):
    return {reading.meant.name: reading.says for reading in picture.readings()}


def test_every_other_tile_has_an_arc_and_its_score_at_the_crown():
    picture = arcs()
    assert said(picture) == {"plain_scores[0]": 2.07, "plain_scores[2]": 2.19}
    first = picture.arcs[0]
    assert np.allclose(first.points[0][:2], [0, -0.1 + 0.08])
    assert np.allclose(first.points[-1][:2], [-3.2, -0.1 + 0.08])
    # _LOW + _RISE * 3.2 = 1.694 over its ends
    assert bezier(first.points)(0.5)[1] == pytest.approx(-0.02 + 0.35 + 0.42 * 3.2, abs=1e-3)
    assert picture.numbers[0].number.text == "2.07"
    assert np.allclose(picture.numbers[0].number.middle[:2], [-1.6, 1.674], atol=1e-3)


def test_nothing_is_said_before_it_is_placed_nor_while_it_is_hidden():
    picture = ScoreArcs(SCORES, Row(), 1)
    assert said(picture) == {}
    done(picture.draw())
    assert not picture.get_all_points().size
    assert said(arcs().hide()) == {}


def test_an_arc_to_another_tile_is_noticed():
    picture = arcs(Value("s", np.array([2.07, 9.99, 2.19, 1.0])), Row(4))
    assert not wrong(picture)
    arc = picture.arcs[1]
    points = arc.points.copy()
    points[-1] += [3.2, 0, 0]
    arc.set_points(points)
    assert wrong(picture)


def test_an_arc_from_another_tile_is_noticed():
    picture = arcs()
    picture.arcs[0].points[0] += np.array([3.2, 0, 0])
    assert says(picture)[1] == "a score with token 2"


def test_two_numbers_exchanged_are_noticed():
    picture = arcs()
    exchange(*(figure.number for figure in picture.numbers))
    assert len(wrong(picture)) == 2


def test_a_number_of_another_value_is_noticed():
    picture = arcs()
    picture.numbers[0].number.set_value(2.5)
    assert wrong(picture)


def test_arcs_follow_tiles_that_change_places_and_no_number_moves_to_another_tile():
    row = Row()
    picture = arcs(row=row)
    animation, middle = picture.follow_motion(), np.array([0.0, -0.5, 0.0])
    animation.begin()
    for angle in np.linspace(0.1, np.pi, 9):
        way = 3.2 * np.array([np.cos(angle), np.sin(angle), 0])
        row.tiles[0].move_to(middle - way)
        row.tiles[2].move_to(middle + way)
        animation.interpolate(0.5)
        assert said(picture) == {"plain_scores[0]": 2.07, "plain_scores[2]": 2.19}
    row.tiles[0], row.tiles[2] = row.tiles[2], row.tiles[0]
    animation.finish()
    assert np.allclose(picture.arcs[0].points[-1][:2], [3.2, -0.02])
    assert picture.numbers[0].number.middle[0] == pytest.approx(1.6, abs=1e-6)
    assert not wrong(picture)


@pytest.mark.parametrize(("step", "top"), [(3.2, 2.6), (2.3, 4.0), (1.4, 4.0)])
def test_nested_arcs_leave_room_for_every_number_and_stay_in_the_region(step, top):
    scores = Value("s", np.array([2.07, 9.99, 2.19, 1.0, -3.41]))
    picture = arcs(scores, Row(5, step), Region(-6, -3, 6, top))
    boxes = [
        np.concatenate([n.number.get_corner([-1, -1, 0]), n.number.get_corner([1, 1, 0])])
        for n in picture.numbers
    ]
    for j, a in enumerate(boxes):
        for b in boxes[:j]:
            assert a[0] > b[3] or b[0] > a[3] or a[1] > b[4] or b[1] > a[4]
    assert VGroup(*picture.numbers).get_top()[1] <= top
    assert not wrong(picture)


def test_the_least_size_holds_an_arc_and_its_number():
    row = Row()
    picture = ScoreArcs(SCORES, row, 1)
    top = row.top(0)[1]
    picture.place(Region(-6, top, 6, top + picture.least.height))
    numbers = VGroup(*picture.numbers)
    assert numbers.get_top()[1] <= top + picture.least.height
    assert numbers.get_bottom()[1] > top


def test_an_eye_that_is_not_watched_still_meets_all_its_tiles():
    met = []
    sweep = Glance(Row(4), 3).sweep([2, 1, 0], meet=met.append)
    done(sweep)
    assert met == [2, 1, 0]


def test_an_eye_blinks_over_to_another_line():
    row = Row()
    row.tiles[0].shift([0, 2, 0])
    eye = Glance(row, 2, highest=0.0)
    sweep = eye.sweep([0, 1], pause=0.0)
    at(sweep, 0.2)
    assert np.allclose(eye.lids.get_center()[:2], [3.2, 0.24])
    assert eye.lids.height < 0.31
    sweep.finish()
    assert np.allclose(eye.lids.get_center()[:2], [0, 0.24])
    assert eye.lids.height == pytest.approx(0.31, abs=1e-6)
