"""German is complete for two films: every sentence that their stages can say, and every label."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from hypothesis import settings

from clockhead.clips.clip import ClipJob
from clockhead.clips.examine import examine_shot
from clockhead.libraries import BUILT_IN
from clockhead.look import QUALITIES, Aspect, Wish
from clockhead.scenes.catalogues import STORYBOARDS, WORDS, entries, storyboard_texts
from clockhead.scenes.language import fields_of, without_formats
from clockhead.scenes.stage import StageInputs, find_stage, stage_names
from clockhead.scenes.stage.flaws import sayings
from clockhead.scenes.stage.translations import mistranslated, spoken_by, untranslated
from clockhead.storyboard.models import MAX_CAPTION, MAX_TITLE
from clockhead.storyboard.resolved import link_shots
from tests.scenes import truths_previous_token, truths_rope
from tests.scenes.legal import drawn_inputs
from tests.scenes.naming import misunited_facts
from tests.shipped import shipped

FILMS = ("rope", "previous_token")
STAGES = [name for film in FILMS for name in stage_names() if name.startswith(f"{film}.")]
_ENGLISH = re.compile(r"\b(the|of|and|is|are|its|each|no|one|two|three|hands?|steps?)\b")
"""Words of sentences that no German sentence has; tokens are in quotes."""
_QUOTED = re.compile("„[^“]*“|“[^”]*”")


def examples(name: str) -> Iterator[StageInputs]:
    """Inputs with which a stage says all that it can."""
    if name.startswith("rope."):
        for given in truths_rope.EXTREMES[name]:
            yield find_stage(name).Inputs(**given)
    else:
        yield from truths_previous_token.FILM.examples(name)
        if name == "previous_token.second_look":
            yield find_stage(name).Inputs(text="a a a")


def drawn(name: str) -> hypothesis.strategies.SearchStrategy[StageInputs | None]:
    return truths_rope.drawn(name) if name.startswith("rope.") else drawn_inputs(find_stage(name))


def met(name: str, inputs: StageInputs) -> set[str]:
    """What is said of these inputs, without formats; all of it has a German that fits."""
    stage, german = find_stage(name), spoken_by(find_stage(name), "de")
    try:
        values = stage.compute(inputs)
    except ValueError:
        return set()
    assert untranslated(stage, inputs, values, german) == []
    assert list(mistranslated(stage, inputs, values, german)) == []
    said = [saying.template for saying in sayings(stage, values)]
    for template in said:
        told = german.find(template) or ""
        assert fields_of(told) == fields_of(template)
        assert list(misunited_facts(told, stage.facts_of(inputs, values))) == []
    shot = stage.shot(inputs, values, language=german)
    for text in (shot.title, shot.question, *shot.sentences, shot.caption):
        assert not _ENGLISH.search(_QUOTED.sub("", text)), text
        assert not re.search(r"\d\.\d(?!\d\d)", _QUOTED.sub("", text)), text
        assert "“ at " not in text
        assert len(text) <= MAX_CAPTION
    assert max(len(shot.title), len(shot.question)) <= MAX_TITLE
    return {without_formats(template) for template in said}


@pytest.mark.parametrize("name", STAGES)
def test_whatever_a_stage_can_say_it_can_say_in_german_and_nothing_is_left_over(name: str):
    film, _, stage = name.partition(".")
    reached = set[str]()
    for inputs in examples(name):
        reached |= met(name, inputs)

    @settings(max_examples=40, deadline=None, derandomize=True, database=None)
    @hypothesis.given(drawn(name))
    def hold(inputs: StageInputs | None) -> None:
        if inputs is not None:
            reached.update(met(name, inputs))

    hold()
    own = {key for key, entry in entries("de", film, stage).items() if entry.english}
    shared = set(entries("de", film, "none"))
    labels = {without_formats(text) for text in literals(BUILT_IN.stages / film)}
    assert sorted(own - shared - reached - labels) == []


def test_the_words_of_several_stages_are_all_said_somewhere():
    for film in FILMS:
        shared = set(entries("de", film, "none")) - set(entries("de", "", ""))
        labels = {without_formats(text) for text in literals(BUILT_IN.stages / film)}
        assert sorted(shared - labels) == [], f"[{WORDS}] of {film}"


def literals(folder: Path) -> Iterator[str]:
    """Every text in the source of a film; pieces of a text that stand side by side are one."""
    for file in folder.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


@pytest.mark.parametrize("film", FILMS)
def test_title_and_credit_of_the_storyboard_are_german(film: str):
    told, english = shipped(film, Wish(language="de")), shipped(film)
    table = storyboard_texts("de", [film])
    assert table == {english.title: told.title, english.credit: told.credit}, f"[{STORYBOARDS}]"
    assert told.credit.startswith("Nach einer Konstruktion von Chris Wendler")
    assert told.warnings == ()


@pytest.mark.parametrize("aspect", ["16:9", "9:16"])
@pytest.mark.parametrize("name", STAGES)
def test_every_label_is_german_and_all_of_it_fits(name: str, aspect: Aspect):
    film, _, stage = name.partition(".")
    wish = Wish(QUALITIES["l"], aspect=aspect, language="de")
    told = shipped(film, wish)
    [shot] = link_shots([shot for shot in told.shots if shot.id == stage])
    assert examine_shot(ClipJob(shot.stage, shot.shot, told.look)) == ((), (), ())
