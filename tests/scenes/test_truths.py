"""All that the films say is so, for legal inputs of all kinds, and what is not so is noticed."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from clockhead.scenes.stage import find_stage
from tests.scenes import truths_vectors
from tests.scenes.telling import FilmTruths, Truths, Variant

MODULES = [file.stem for file in Path(__file__).parent.glob("truths_*.py")]
FILMS: dict[str, FilmTruths] = {
    film.name: film
    for module in sorted(MODULES)
    if (film := getattr(import_module(f"tests.scenes.{module}"), "FILM", None))
}
NAMES = [name for film in FILMS.values() for name in film.names]


def film_of(name: str) -> FilmTruths:
    return FILMS[name.partition(".")[0]]


@pytest.mark.parametrize("film", FILMS)
def test_every_stage_of_a_film_has_its_truths(film: str) -> None:
    assert FILMS[film].knows_every_stage()


@pytest.mark.parametrize("name", NAMES)
def test_all_that_a_stage_says_is_so(name: str) -> None:
    film = film_of(name)
    assert film.confused(name, film.examine(name)) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_claim_refuses_few_of_the_inputs(name: str) -> None:
    stage, holds = find_stage(name), list[bool]()
    for inputs in film_of(name).examples(name):
        try:
            findings = stage.findings(inputs, stage.compute(inputs))
        except ValueError:
            continue
        holds.append(all(finding.holds for finding in findings))
    assert sum(holds) > 0.6 * len(holds)


@pytest.mark.parametrize("film", FILMS)
def test_every_formula_is_of_a_path_that_words_name(film: str) -> None:
    truths = FILMS[film]
    folder = Path(inspect.getfile(find_stage(truths.names[0]))).parents[1]
    words = "".join(file.read_text(encoding="utf-8") for file in folder.glob("*/*.py"))
    paths = {*truths.facts}.union(*(stage.facts for stage in truths.stages.values()))
    named = {path: rf'{{{path}[:}}]|"{path.rpartition(".")[2]}"' for path in paths}
    assert [path for path in sorted(paths) if not re.search(named[path], words)] == []


# What is not so is noticed

DOT, DISTANCE = "vectors.dot", "vectors.distance"
FALSE: list[tuple[str, dict[str, Any], str]] = [
    (DOT, {"facts": {"own_dot": lambda p: 6}}, "{own_dot} is 5.0, and should be 6"),
    (DOT, {"facts": {"turner_name": lambda p: "Dan"}}, "'Cleo', and should be 'Dan'"),
    (DOT, {"facts": {"own_dot": lambda p: lambda fact: fact >= 1}}, "{own_dot} may be"),
    (DISTANCE, {"facts": {"doubt": lambda p: Variant(False, "Ben")}}, "should hold ['Ben']"),
    (DOT, {"claims": {"highest": lambda p: p.most > 100}}, "highest: "),
    (DOT, {"choices": {"cast": lambda p: p.most > 0}}, "should come before"),
    (DOT, {"choices": {"cast": lambda p: -truths_vectors.sign(p.most)}}, "should come before"),
    (DOT, {"claims": {"end": lambda p: True}}, "end is no beat"),
    (DISTANCE, {"needs": {0: lambda p: True}}, "claims that hold: [False], and should: [True]"),
]


@pytest.mark.parametrize(("name", "changes", "message"), FALSE)
def test_what_is_not_so_is_noticed(name: str, changes: dict[str, Any], message: str) -> None:
    film, stage = film_of(name), name.partition(".")[2]
    truths = film.stages[stage]
    given: dict[str, Any] = {of: {**getattr(truths, of), **changes[of]} for of in changes}
    new = replace(truths, **given)
    false = replace(film, stages={**film.stages, stage: new})
    try:
        found = "\n".join(false.confused(name, false.examine(name)))
    except AssertionError as error:
        found = str(error)
    assert message in found


def test_a_fact_without_a_formula_and_a_choice_that_nothing_explains_are_noticed() -> None:
    film = FILMS["vectors"]
    false = replace(film, facts={}, stages={**film.stages, "dot": Truths()})
    found = false.problems(DOT, next(iter(film.examples(DOT))))
    assert "{own_dot} has no formula; it is 5.0" in found
    assert "turn: nothing says which sentence is chosen" in found


if __name__ == "__main__":
    for stage in NAMES:
        unmet = film_of(stage).examine(stage).unmet()
        print(f"\n{stage}", *film_of(stage).unchecked(stage), *unmet, sep="\n    ")
