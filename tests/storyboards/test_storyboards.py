"""The films that ship: they load, keep their promises, and show every stage there is."""

import json
from pathlib import Path

import pytest

from pipeline.library import installed_storyboards
from pipeline.storyboard.films import load_films
from pipeline.storyboard.schema import storyboard_schema
from scenes.stage import stage_names

STORYBOARDS = sorted(installed_storyboards().glob("*.yaml"))
FILMS = [path.stem for path in STORYBOARDS]


def load(path: Path):
    (film,) = load_films([str(path)])
    return film


def test_both_films_ship():
    assert {"rope", "previous_token"} <= set(FILMS)


@pytest.mark.parametrize("path", STORYBOARDS, ids=FILMS)
def test_a_film_keeps_its_promises(path: Path):
    film = load(path)
    assert film.failures == ()
    assert film.credit


@pytest.mark.parametrize("path", STORYBOARDS, ids=FILMS)
def test_a_film_shows_every_stage_of_its_name_in_one_order(path: Path):
    shown = [shot.stage for shot in load(path).shots]
    assert sorted(shown) == sorted(n for n in stage_names() if n.startswith(f"{path.stem}."))


@pytest.mark.parametrize("path", STORYBOARDS, ids=FILMS)
def test_every_shot_expects_something(path: Path):
    """A film for next year refuses to be made when its point is gone."""
    for shot in load(path).shots:
        assert f"stage: {shot.stage}\n" in path.read_text()
    assert path.read_text().count("expect:") == len(load(path).shots)


def test_the_schema_for_editors_is_fresh():
    """`clockhead schema > storyboards/storyboard.schema.json` makes it anew."""
    kept = json.loads((installed_storyboards() / "storyboard.schema.json").read_text())
    assert kept == json.loads(json.dumps(storyboard_schema()))


@pytest.mark.parametrize("path", STORYBOARDS, ids=FILMS)
def test_editors_are_told_of_the_schema(path: Path):
    assert path.read_text().startswith("# yaml-language-server: $schema=storyboard.schema.json\n")


def test_true_values_of_the_previous_token_film():
    """What is derived by hand for width 32, as the film itself says it."""
    film = load(installed_storyboards() / "previous_token.yaml")
    facts = {shot.id: shot.facts for shot in film.shots}
    assert facts["sharpness"]["alpha_99"] == pytest.approx(7.705, abs=5e-4)
    assert facts["score_as_clock_sum"]["best"] == 16
    arrays = {shot.id: shot.arrays() for shot in film.shots}
    kernel = {round(v, 4) for v in map(float, arrays["score_as_clock_sum"]["sums"])}
    assert {16.0, 15.3136, 13.7301, 12.2724, 11.6615} <= kernel


def test_true_values_of_the_rope_film():
    film = load(installed_storyboards() / "rope.yaml")
    facts = {shot.id: shot.facts for shot in film.shots}
    assert facts["aliasing"]["alias"] == 44
    assert facts["aliasing"]["alias_cosine"] == pytest.approx(0.99984, abs=5e-6)
    assert facts["aliasing"]["mass_short"] == pytest.approx(0.709, abs=5e-4)
    assert facts["aliasing"]["mass_long"] == pytest.approx(0.419, abs=5e-4)
    assert facts["relative_offset"]["score"] == pytest.approx(13.7301, abs=5e-5)
    assert facts["embedding"]["rank"] == 2
