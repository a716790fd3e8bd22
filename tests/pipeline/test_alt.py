"""Alternative texts and speakers' notes describe what a picture shows."""

from itertools import pairwise

import numpy as np
import pytest

from clockhead.clips.clip import ClipJob
from clockhead.clips.stills import Paper, Sight, Still, draw_stills
from clockhead.export.alt import describe_values
from tests.shipped import shipped


def still(*sights: Sight) -> Still:
    return Still("beat", "A sentence.", 0, 1, sights, b"")


@pytest.mark.parametrize(
    ("unit", "value", "words"),
    [
        ("share", np.array([0.1, 0.7, 0.2]), "the rows: 10%, 70%, 20%"),
        ("score", 15.3136, "the rows: 15.3"),
        ("count", 3, "the rows: 3"),
        ("position, from 0", 4, "the rows: 4"),
        ("tokens", 4, "the rows: 4 tokens"),
        ("positions, signed", 1, "the rows: 1 position"),
        (None, np.array([[1, 2], [3, -4]]), "the rows: 2 rows of 2 numbers, from −4 to 3"),
        (None, np.full((2, 3), 6), "the rows: 2 rows of 3 numbers, all 6"),
        (None, np.array([1e-17, 1.0, 12_345.6] * 3), "the rows: 9 numbers, from 0 to 12,346"),
        (None, ("the", "cat"), "the rows: the cat"),
    ],
)
def test_values_are_described_by_their_kind(unit, value, words):
    assert describe_values(still(Sight("head.rows", "The rows", unit, value))) == [words]


def test_values_without_a_description_are_left_out_and_symbols_keep_their_capitals():
    sights = Sight("flat", "", None, 3), Sight("w_q", "W_Q, by which a row is turned", None, 5)
    assert describe_values(still(*sights)) == ["W_Q, by which a row is turned: 5"]


def test_the_new_values_of_a_beat_come_first():
    film = shipped("vectors")
    [distance] = [shot for shot in film.shots if shot.id == "distance"]
    stills = draw_stills(ClipJob(distance.stage, distance.shot, film.look))[Paper()]
    for before, after in pairwise(stills):
        old = {sight.path for sight in before.shows}
        are_old = [sight.path in old for sight in after.shows]
        assert are_old == sorted(are_old)
    new = {sight.path for still in stills[1:] for sight in still.shows} - {
        sight.path for sight in stills[0].shows
    }
    assert new  # or the order above could not be wrong


def test_arrays_are_described_without_their_shape():
    film = shipped("rope")
    [shot] = [shot for shot in film.shots if shot.id == "aliasing"]
    stills = draw_stills(ClipJob(shot.stage, shot.shot, film.look))[Paper()]
    sights = [sight for still in stills for sight in still.shows]
    arrays = [sight for sight in sights if isinstance(sight.value, np.ndarray)]
    assert arrays
    assert all(sight.description and "shape" not in sight.description for sight in arrays)
