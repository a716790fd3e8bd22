"""Distances, dot products and cosines of ratings, by hand, with SciPy and for drawn ratings."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.spatial import distance

from clockhead.model.films.vectors.ratings import LEAST_PART, Ratings, ratings

RATERS = ("Ann", "Ben", "Cleo", "Dan")
FILMS = ("comedy", "thriller", "western")
GIVEN = ((2, 1, 1), (4, 2, 2), (1, 2, 3), (5, 5, 5))
ANN, BEN, CLEO, DAN = range(4)
SHOWN = ratings(RATERS, FILMS, GIVEN)

_rows = st.tuples(*[st.tuples(*[st.integers(-5, 5)] * 3)] * 4)


def ratings_of(rows: tuple[tuple[int, ...], ...]) -> Ratings:
    assume(all(any(row[:2]) for row in rows))
    return ratings(RATERS, FILMS, rows)


def test_numbers_by_hand():
    assert_allclose(SHOWN.distances, [0, math.sqrt(5), math.sqrt(2), 5])
    assert SHOWN.dots.tolist() == [5, 10, 4, 15]
    assert_allclose(SHOWN.cosines, [1, 1, 0.8, 15 / math.sqrt(250)])
    assert_allclose(SHOWN.lengths, [math.sqrt(5), math.sqrt(20), math.sqrt(5), math.sqrt(50)])
    assert_allclose(SHOWN.loud_angle, 45 - math.degrees(math.atan(0.5)))


def test_pythagoras_once_and_twice():
    assert SHOWN.far == DAN
    assert SHOWN.legs.tolist() == [[2, 1, 1], [5, 1, 1], [5, 5, 1]]
    assert SHOWN.rise.tolist() == [[2, 1, 1], [5, 5, 1], [5, 5, 5], [2, 1, 1]]


def test_the_detour():
    assert SHOWN.via == BEN
    on_the_way = SHOWN.slid.points[len(SHOWN.slid.points) // 2]
    assert_allclose(on_the_way[BEN], [3.2, 2.6, 2])  # (2, 1) + .4 (3, 4)
    assert SHOWN.slid_ways[-1].tolist() == SHOWN.detour_path.tolist()


def test_the_one_who_turns_passes_a_right_angle():
    assert SHOWN.turner == CLEO
    assert not SHOWN.starts_wide
    turned, right, beyond = SHOWN.turned, slice(31, 62), slice(93, 124)
    assert set(turned.dots[right, CLEO]) == set(turned.shadows[right]) == {0}
    assert_allclose(turned.points[right, CLEO, :2] - [-1, 2], 0, atol=1e-12)
    assert_allclose(turned.distances[right, CLEO], math.sqrt(10))
    assert_allclose(turned.dots[beyond, CLEO], 5 * math.cos(math.radians(125)))
    assert_allclose(turned.angles[[0, 40, 100]], [SHOWN.turner_angle, 90, 125])
    assert turned.dots[-1, CLEO] == 4
    assert turned.points[-1].tolist() == [list(map(float, row)) for row in GIVEN]


def test_one_swings_round_to_the_opposite():
    swung = SHOWN.swung
    cosines = [swung.cosines[k, CLEO] for k in (0, 40, 100, 160, -1)]
    assert_allclose(cosines, [0.8, 1, 0, -1, 0.8], atol=1e-12)
    assert_allclose(swung.dots, swung.cosines, atol=1e-12)
    assert_allclose(swung.distances**2, 2 - 2 * swung.cosines, atol=1e-11)


def test_an_arrow_shrinks():
    assert_allclose(SHOWN.shrunk.points[-1, DAN], [1, 1, 5])
    assert_allclose(SHOWN.shrunk.dots[-1], [5, 10, 4, 15 * LEAST_PART])
    assert SHOWN.shrunk.points[0].tolist() == SHOWN.points.tolist()
    assert SHOWN.quiet_dot == SHOWN.shrunk.dots[-1, DAN]
    assert_allclose(SHOWN.shrunk.distances[-1, DAN], 1)
    assert_allclose(SHOWN.shrunk.cosines, np.tile(SHOWN.cosines, (31, 1)))


def test_all_become_equally_long():
    assert_allclose(SHOWN.normed.dots[-1], SHOWN.cosines)
    assert_allclose(SHOWN.normed.cosines, np.tile(SHOWN.cosines, (31, 1)))
    assert SHOWN.normed.points[0].tolist() == SHOWN.points.tolist()
    assert_allclose(SHOWN.normed.distances[0], SHOWN.distances)
    assert_allclose(np.hypot(*SHOWN.circle[:, :2].T), 1)
    assert_allclose(
        SHOWN.circle[[0, 24, 48, 96], :2], [[1, 0], [0, 1], [-1, 0], [1, 0]], atol=1e-12
    )


@given(_rows)
def test_against_scipy(rows):
    people = ratings_of(rows)
    two = np.array(rows, dtype=float)[:, :2]
    assert_allclose(people.distances, [distance.euclidean(two[0], row) for row in two])
    assert_allclose(people.cosines, [1 - distance.cosine(two[0], row) for row in two], atol=1e-12)
    assert_allclose(people.shadows * people.own_length, people.dots, atol=1e-12)


@given(_rows)
def test_turning_keeps_lengths_and_moves_one_arrow(rows):
    people = ratings_of(rows)
    for moved, start in ((people.turned, people.points), (people.swung, people.units)):
        others = np.delete(moved.points, people.turner, axis=1)
        xy, lengths = moved.points[..., :2], np.linalg.norm(start[:, :2], axis=1)
        assert_allclose(np.linalg.norm(xy, axis=2), lengths[None].repeat(len(xy), axis=0))
        assert_allclose(moved.dots, xy @ start[0, :2], atol=1e-9)
        assert len(np.unique(others, axis=0)) == 1
        assert moved.points[0].tolist() == moved.points[-1].tolist() == start.tolist()


@given(_rows)
def test_what_is_measured_of_moving_arrows_is_so_at_every_step(rows):
    people = ratings_of(rows)
    for moved in (people.turned, people.slid, people.shrunk, people.normed, people.swung):
        for step in range(0, len(moved.points), 13):
            first, *_ = two = moved.points[step, :, :2]
            assert_allclose(
                moved.distances[step], [math.dist(first, row) for row in two], atol=1e-9
            )
            assert_allclose(moved.dots[step], [float(first @ row) for row in two], atol=1e-9)
            both = [math.hypot(*first) * math.hypot(*row) for row in two]
            assert_allclose(moved.cosines[step] * both, moved.dots[step], atol=1e-9)


@given(_rows)
def test_everything_is_in_the_room(rows):
    people = ratings_of(rows)
    low, high = people.room.min(axis=0) - 1e-9, people.room.max(axis=0) + 1e-9
    for points in (people.points, people.legs, people.rise, people.detour_path):
        assert (points >= low).all()
        assert (points <= high).all()


def test_what_has_no_direction_is_refused():
    with pytest.raises(ValueError, match="Ben's are"):
        ratings(RATERS, FILMS, (GIVEN[0], (0, 0, 4), *GIVEN[2:]))
    with pytest.raises(ValueError, match="different names"):
        ratings(("Ann", "Ben", "Ann", "Dan"), FILMS, GIVEN)
