"""Every stage, whatever its name: its texts, its layout, and the numbers it shows."""

import pickle
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

import numpy as np
import pytest

from clockhead.model.characters import TokenName
from clockhead.scenes.parts.head_sheet import HeadSheet
from clockhead.scenes.stage import LONGEST, READING_SPEED, SHORTEST, Stage, find_stage, stage_names
from clockhead.scenes.stage.reading_speed import reading_speeds
from clockhead.scenes.style.theme import ThemeName
from tests.scenes.performing import LOOKS, on_each, performance
from tests.scenes.staging import known_numbers

STAGES = stage_names()


@on_each(STAGES)
def test_every_input_is_described_and_has_a_default(name: str):
    for field, info in find_stage(name).Inputs.model_fields.items():
        assert info.description, f"{name}: {field} has no description"
        assert not info.is_required(), f"{name}: {field} has no default"


@on_each(STAGES)
def test_defaults_keep_their_claims(name: str):
    stage = find_stage(name)
    inputs = stage.Inputs()
    findings = stage.findings(inputs, stage.compute(inputs))
    assert [finding for finding in findings if not finding.holds] == []


@on_each(STAGES)
def test_facts_and_arrays_are_finite_plain_values(name: str):
    stage = find_stage(name)
    inputs = stage.Inputs()
    values = stage.compute(inputs)
    for fact in stage.facts_of(inputs, values).values():
        assert type(fact) in (bool, int, float, str, TokenName)
        assert not isinstance(fact, float) or np.isfinite(fact)
    for key, array in stage.arrays(values).items():
        assert np.isfinite(array).all(), key


@on_each(STAGES)
def test_a_shot_can_be_sent_to_another_process(name: str):
    stage = find_stage(name)
    shot = stage.shot(stage.Inputs())
    arrived = pickle.loads(pickle.dumps(shot))
    assert arrived.sentences == shot.sentences
    sent = stage.arrays(shot.values)
    for key, array in stage.arrays(arrived.values).items():
        np.testing.assert_array_equal(array, sent[key])


@pytest.mark.parametrize("look", LOOKS)
@on_each(STAGES)
def test_layout_and_truth(name: str, look: tuple[ThemeName, str]):
    assert performance(name, look).crowded == []
    assert performance(name, look).wrong == []


@on_each(STAGES)
def test_everything_on_screen_says_what_it_stands_for_while_it_moves(name: str):
    """Every bar, hand, cell, arc, label and number: pictures measure themselves."""
    assert list(performance(name).wrong_on_the_way) == []


@on_each(STAGES)
def test_words_and_units_are_those_of_the_values_that_they_stand_at(name: str):
    """What a readout, an axis, a heading or a sign of a unit says is what the model says of it.

    No two of them on screen would pass if they were exchanged.
    """
    assert list(performance(name).misnamed) == []


@on_each(STAGES)
def test_words_are_in_the_order_of_what_they_name(name: str):
    """Those at the rows and columns of a matrix, and at bars."""
    assert list(performance(name).disordered) == []


@on_each(STAGES)
def test_no_number_is_typed_into_a_label(name: str):
    """A number inside words is a fact, written with as many digits as one can read there."""
    known = _known_numbers(find_stage(name))
    scene = performance(name).scene
    texts = [*performance(name).own_texts, *_words_of_texts(scene.values)]
    sheets = (part for part in vars(scene).values() if isinstance(part, HeadSheet))
    texts += [head.text for sheet in sheets for head in sheet.names]  # which are read back
    strangers = {
        f"{number} in {label!r}"
        for label in performance(name).labels
        if not any(label in text for text in texts)
        for number in re.findall(r"−?\d[\d,]*(?:\.\d+)?%?", label)
        if not _reads_as(number, known)
    }
    assert strangers == set()


@on_each(STAGES)
def test_a_stage_is_neither_too_short_nor_too_long_and_leaves_time_to_read_its_caption(name: str):
    scene, caption = performance(name).scene, performance(name).own_texts[2]
    assert SHORTEST <= performance(name).seconds <= LONGEST
    [said] = [line for line in scene.lines if line.text == caption]
    assert performance(name).seconds - said.frame / 15 >= len(caption) / READING_SPEED - 0.07


@on_each(STAGES)
def test_alone_a_stage_opens_with_a_picture(name: str):
    assert find_stage(name).opens
    least = 3 if find_stage(name).has_heading else 0  # a card opens with its title
    assert performance(name).first_pieces > least


@on_each(STAGES)
def test_every_note_is_said_once(name: str):
    scene = performance(name).scene
    said, caption = [line.text for line in scene.lines], performance(name).own_texts[2]
    assert sorted(said) == sorted([*scene.sentences(scene.inputs, scene.values), caption])


@on_each(STAGES)
def test_nothing_has_to_be_read_too_fast(name: str):
    """The title's question included, which is read before the first sentence goes."""
    played = performance(name)
    question, frames = played.own_texts[1], round(played.seconds * 15)
    speeds = reading_speeds(
        question, played.scene.lines, opened=played.scene.opened, frames=frames, fps=15
    )
    texts = [question, *(line.text for line in played.scene.lines)]
    too_fast = {
        text: speed
        for text, speed in zip(texts, speeds, strict=True)
        if speed > READING_SPEED + 0.2
    }
    assert too_fast == {}
    assert len({line.text for line in played.scene.lines} | {question}) == len(texts)


@on_each(STAGES)
def test_beats_tell_the_story_in_order(name: str):
    scene = performance(name).scene
    frames = [beat.frame for beat in scene.beats]
    assert len(frames) >= 2
    assert frames == sorted(set(frames))


def _words_of_texts(values: object) -> Iterator[str]:
    """Every token of the texts in these values: a digit may be one."""
    for field in fields(values) if is_dataclass(values) else ():
        value = getattr(values, field.name)
        if field.name == "tokens":
            yield from map(str, value)
        else:
            yield from _words_of_texts(value)


def _known_numbers(stage: type[Stage]) -> np.ndarray:
    inputs = stage.Inputs()
    return known_numbers(stage, inputs, stage.compute(inputs))


def _reads_as(number: str, known: np.ndarray) -> bool:
    digits = number.replace("−", "-").replace(",", "").rstrip("%")
    places = len(digits.partition(".")[2])
    scale = 100 if number.endswith("%") else 1
    return bool((np.abs(known * scale - float(digits)) <= 0.51 * 10.0**-places).any())
