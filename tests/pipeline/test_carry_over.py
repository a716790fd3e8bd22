"""A film whose shots go on from each other: what stood there stands there still, and then moves."""

import av
import numpy as np
import pytest

from tests.pipeline.footage import shown
from tests.pipeline.project import Project

pytestmark = pytest.mark.xdist_group("carry")

PLACES = {"one": 20, "two": 80, "three": 50}
SHOTS = {name: f"stage: tiny.told\nid: {name}\ninputs: {{x: {x}}}" for name, x in PLACES.items()}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project.make(tmp_path_factory.mktemp("carried"))
    project.write("film", *SHOTS.values())
    done = project.run("render", "film", "-ql")
    assert (done.returncode, done.stderr) == (0, "film: 3 of 3 shots rendered now\n")
    return project


def frames(project: Project, clip: str) -> list[np.ndarray]:
    with av.open(str(project.folder("film") / "clips" / clip)) as container:
        return [frame.to_ndarray(format="gray") for frame in shown(container)]


def dot_of(frame: np.ndarray) -> float:
    """Where the dot stands, as a share of the width."""
    row = frame[frame.shape[0] // 2].astype(float)
    bright = np.flatnonzero(row > 90)
    return float(bright.mean() / len(row))


def test_a_shot_begins_with_the_last_picture_of_the_shot_before(project: Project):
    for before, after in (("01-one.mp4", "02-two.mp4"), ("02-two.mp4", "03-three.mp4")):
        last, first = frames(project, before)[-1], frames(project, after)[0]
        assert np.abs(last.astype(int) - first.astype(int)).mean() < 0.5


def test_what_is_carried_moves_and_is_never_gone(project: Project):
    places = [dot_of(frame) for frame in frames(project, "02-two.mp4")[:18]]
    assert places[0] == pytest.approx(0.235, abs=0.05)
    assert places[-1] == pytest.approx(0.5, abs=0.02)
    assert (np.diff(places) > -0.005).all()


def test_chapters_and_captions_are_exact_to_the_frame(project: Project):
    manifest = project.manifest("film")
    lengths = [len(frames(project, f"{k + 1:02}-{name}.mp4")) for k, name in enumerate(PLACES)]
    assert [timing["frames"] for timing in manifest["timing"]] == lengths
    assert [t["start"] for t in manifest["timing"]] == [0, lengths[0], sum(lengths[:2])]
    assert [t["lines"][0]["frame"] for t in manifest["timing"]] == [15, 33, 33]
    with av.open(str(project.folder("film") / "film.mp4")) as film:
        starts = [round(c["start"] * c["time_base"] * 15) for c in film.chapters()]
        assert starts == [t["start"] for t in manifest["timing"]]
        assert sum(1 for _ in shown(film)) == sum(lengths)


def test_the_film_ends_with_its_credit_in_place_of_the_last_sentence(project: Project):
    band = slice(410, 470)
    last, other = frames(project, "03-three.mp4"), frames(project, "02-two.mp4")
    assert last[-60][band].max() > 200  # the caption, in ink
    assert 100 < last[-1][band].max() < 180  # the credit, muted
    assert other[-1][band].max() > 200


def test_one_changed_shot_renders_two_at_most(project: Project):
    for changed, rendered in (("one", 2), ("two", 2), ("three", 1)):
        shots = {**SHOTS, changed: SHOTS[changed] + "\ncaption: another one, for a change"}
        project.write("film", *shots.values())
        done = project.run("render", "film", "-ql")
        assert done.stderr == f"film: {rendered} of 3 shots rendered now\n"
    project.write("film", *SHOTS.values())
    assert project.run("render", "film", "-ql").stderr == "film: 0 of 3 shots rendered now\n"


def test_a_shot_that_is_asked_for_alone_opens_with_its_own_picture(project: Project):
    done = project.run("render", "film", "-ql", "--shot", "two")
    assert (done.returncode, done.stderr) == (0, "film: 1 of 1 shot rendered now\n")
    assert dot_of(frames(project, "../shots/02-two.mp4")[0]) == pytest.approx(0.5, abs=0.02)
