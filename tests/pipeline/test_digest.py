"""The digest of what is visible tells pictures apart, and nothing else."""

import pytest
from manim import RIGHT, Dot, Square

from benchmarks.pictures import visible_digest
from clockhead.scenes.stage import Stage, find_stage
from tests.scenes.staging import play


@pytest.fixture(scope="module")
def stage() -> Stage:
    return play(find_stage("rope.clock_hands"))


CHANGES = {
    "moved": lambda shape: shape.shift(1e-3 * RIGHT),
    "another colour": lambda shape: shape.set_fill("#ff0000"),
    "fainter": lambda shape: shape.set_opacity(0.9),
    "below": lambda shape: shape.set_z_index(-1),
}


@pytest.mark.parametrize("change", CHANGES)
def test_different_pictures_have_different_digests(stage, change):
    shape = Square(fill_opacity=1.0)
    stage.add(shape)
    before = visible_digest(stage)
    CHANGES[change](shape)
    assert visible_digest(stage) != before
    stage.remove(shape)


def test_invisible_mobjects_and_rounding_errors_do_not_change_the_digest(stage):
    shape, unseen = Square(fill_opacity=1.0), Dot(fill_opacity=0, stroke_opacity=0)
    stage.add(shape)
    before = visible_digest(stage)
    shape.shift(1e-12 * RIGHT)
    stage.add(unseen)
    assert visible_digest(stage) == before
    stage.remove(shape, unseen)
