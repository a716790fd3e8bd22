"""What every stage points at, names, colours and sends, held against a table that people have read.

The table (`sights/<film>.txt`) says it in paths and words, a line each: which words stand at which
value, around which cells a frame goes, from where to where words fly, in which order rows open. It
lists, beat by beat, what has not been there in the beat before. Where one of these was meant to
change, accept the new lines and read the difference:

    python -m tests.scenes.test_sights --accept rope caesar     # all films if none is named
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import manim
import pytest

from clockhead.clips.drawing import manim_options, manim_settings
from clockhead.look import Wish
from clockhead.scenes.stage import find_stage, stage_names
from clockhead.storyboard.films import load_films
from tests.scenes import other_shots
from tests.scenes.performing import on_each
from tests.scenes.sights import carried, watch_sights

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).with_name("sights")
STAGES = stage_names()
FILMS = sorted(file.stem for file in (ROOT / "storyboards").glob("*.yaml"))
OTHERS = [case for case in other_shots.CASES if case[1] == {"text": "no a no "}]
"""Shots whose frames stand elsewhere than in the film: around several matches."""


def new_lines(sights: dict[str, set[str]]) -> dict[str, list[str]]:
    """What is seen in each beat, and was not in the one before."""
    before, found = set[str](), dict[str, list[str]]()
    for beat, seen in sights.items():
        found[beat] = sorted(seen - before)
        before = seen
    return found


def read_table(film: str) -> dict[str, dict[str, list[str]]]:
    """The lines of the table by stage and beat."""
    found: dict[str, dict[str, list[str]]] = {}
    stage = beat = ""
    file = FOLDER / f"{film}.txt"
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        if line.startswith("# "):
            stage = line[2:]
            found[stage] = {}
        elif line.startswith("## "):
            beat = line[3:]
            found[stage][beat] = []
        elif line:
            found[stage][beat].append(line)
    return found


@on_each(STAGES)
def test_words_frames_colours_and_flights_are_those_of_the_table(name: str):
    film, _, stage = name.partition(".")
    assert new_lines(watch_sights(name)) == read_table(film)[stage]


@pytest.mark.parametrize(("name", "given"), OTHERS, ids=str)
def test_with_other_inputs_they_are_those_of_the_table_too(name: str, given: dict[str, Any]):
    table = read_table(f"{name.partition('.')[0]}_others")
    assert new_lines(watch_sights(name, **given)) == table[other_shots.named(name, given)]


@pytest.mark.parametrize("film", FILMS)
def test_what_a_shot_takes_over_shows_what_the_shot_before_left(film: str):
    """But for what the table says is to become something else."""
    assert changes(film) == read_table("carried").get(film, {})


def changes(film: str) -> dict[str, list[str]]:
    """By shot, what is carried over to it and shows something else from there on."""
    wish = Wish(aspect="16:9", theme="chalk")
    [loaded] = load_films([str(ROOT / "storyboards" / f"{film}.yaml")], wish=wish)
    found: dict[str, list[str]] = {}
    for shot in loaded.shots:
        if shot.shot.after is None:
            continue
        with (
            tempfile.TemporaryDirectory() as media,
            manim_settings(loaded.look, Path(media), dry_run=True),
        ):
            lines = sorted(carried(find_stage(shot.stage), shot.shot))
        if lines:
            found[shot.id] = lines
    return found


def accept(films: list[str]) -> None:
    """Write the tables of these films anew."""
    FOLDER.mkdir(exist_ok=True)
    for film in films:
        _accept(film, [(name, {}) for name in STAGES if name.startswith(f"{film}.")])
        others = [case for case in OTHERS if case[0].startswith(f"{film}.")]
        _accept(f"{film}_others", others)
    known = read_table("carried") | {film: changes(film) for film in films if film in FILMS}
    text = ""
    for film in FILMS:
        text += f"# {film}\n"
        for shot, lines in known.get(film, {}).items():
            text += "\n".join([f"## {shot}", *lines, ""])
    (FOLDER / "carried.txt").write_text(text, encoding="utf-8")


def _accept(table: str, shots: list[tuple[str, dict[str, Any]]]) -> None:
    text = ""
    for name, given in shots:
        text += f"# {other_shots.named(name, given)}\n"
        for beat, lines in new_lines(watch_sights(name, **given)).items():
            text += "\n".join([f"## {beat}", *lines, ""])
    if text:
        (FOLDER / f"{table}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] != ["--accept"]:
        sys.exit(__doc__)
    manim.logger.setLevel("ERROR")
    with tempfile.TemporaryDirectory() as media:
        options = {"media_dir": media, "disable_caching": True, "progress_bar": "none"}
        with manim_options(**options, verbosity="ERROR"):
            accept(
                sys.argv[2:]
                or sorted({name.partition(".")[0] for name in STAGES} - {"mathematics"})
            )
