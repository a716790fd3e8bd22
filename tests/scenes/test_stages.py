"""Every stage, whatever its name: its texts, its layout, and the numbers it shows."""

import re

import numpy as np
import pytest
from manim import Mobject

from scenes.parts.text import Label, Number, Tick
from scenes.stage import READING_SPEED, Shot, Stage, StageInputs, find_stage, stage_names
from scenes.style.layout_check import LayoutChecker
from scenes.style.theme import THEMES
from tests.scenes.staging import FRAMES, play

STAGES = stage_names()


def test_the_films_have_their_stages():
    films = {name.partition(".")[0] for name in STAGES}
    assert {"rope", "previous_token"} <= films


@pytest.mark.parametrize("name", STAGES)
def test_every_input_is_described_and_has_a_default(name: str):
    for field, info in find_stage(name).Inputs.model_fields.items():
        assert info.description, f"{name}: {field} has no description"
        assert not info.is_required(), f"{name}: {field} has no default"


@pytest.mark.parametrize("name", STAGES)
def test_defaults_keep_their_claims(name: str):
    stage = find_stage(name)
    values = stage.compute(stage.Inputs())
    assert [claim for claim in stage.claims(values) if not claim.holds] == []


@pytest.mark.parametrize("name", STAGES)
def test_facts_and_arrays_are_finite_plain_values(name: str):
    stage = find_stage(name)
    values = stage.compute(stage.Inputs())
    for fact in stage.facts(values).values():
        assert type(fact) in (bool, int, float, str)
        assert not isinstance(fact, float) or np.isfinite(fact)
    for key, array in stage.arrays(values).items():
        assert np.isfinite(array).all(), key


@pytest.mark.parametrize("aspect", FRAMES)
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", STAGES)
def test_layout(name: str, theme: str, aspect: str):
    stage, checker = find_stage(name), LayoutChecker()
    play(stage, stage.shot(stage.Inputs(), theme=theme), aspect=aspect, on_play=checker)
    assert checker.problems == []


@pytest.mark.parametrize("name", STAGES)
def test_the_numbers_on_screen_are_the_models(name: str):
    stage = find_stage(name)
    shot = stage.shot(stage.Inputs())
    known = _known_numbers(stage, shot.inputs)
    strangers: set[str] = set()

    def look(scene: Stage) -> None:
        for mobject in _shown(scene):
            if isinstance(mobject, Number) and not isinstance(mobject, Tick):
                near = known[np.abs(known - mobject.value).argmin()]
                if not np.isclose(near, mobject.value, rtol=1e-9, atol=1e-12):
                    strangers.add(f"{mobject.text} ({mobject.value!r})")

    play(stage, shot, on_play=look)
    assert strangers == set()


@pytest.mark.parametrize("name", STAGES)
def test_no_number_is_typed_into_a_label(name: str):
    """A number inside words is a fact, written with as many digits as one can read there."""
    stage = find_stage(name)
    shot = stage.shot(stage.Inputs())
    known = _known_numbers(stage, shot.inputs)
    texts = _own_texts(shot)
    strangers: set[str] = set()

    def look(scene: Stage) -> None:
        for mobject in _shown(scene):
            if isinstance(mobject, Number) or not isinstance(mobject, Label):
                continue
            if any(mobject.text in text for text in texts):
                continue
            strangers.update(
                f"{number} in {mobject.text!r}"
                for number in re.findall(r"−?\d[\d,]*(?:\.\d+)?%?", mobject.text)
                if not _reads_as(number, known)
            )

    play(stage, shot, on_play=look)
    assert strangers == set()


@pytest.mark.parametrize("name", STAGES)
def test_a_stage_takes_8_to_25_seconds_and_leaves_time_to_read(name: str):
    stage = find_stage(name)
    shot = stage.shot(stage.Inputs())
    scene = play(stage, shot)
    assert 8 <= scene.renderer.time <= 25 + len(shot.caption) / READING_SPEED
    assert scene.caption_frame is not None
    assert scene.frame - scene.caption_frame >= len(shot.caption) / READING_SPEED * 15


@pytest.mark.parametrize("name", STAGES)
def test_beats_tell_the_story_in_order(name: str):
    scene = play(find_stage(name))
    frames = [beat.frame for beat in scene.beats]
    assert len(frames) >= 2
    assert frames == sorted(set(frames))


def _known_numbers(stage: type[Stage], inputs: StageInputs) -> np.ndarray:
    values = stage.compute(inputs)
    numbers = [fact for fact in stage.facts(values).values() if not isinstance(fact, str)]
    arrays = [np.ravel(array) for array in stage.arrays(values).values()]
    given = [np.ravel(v) for v in inputs.model_dump().values() if not isinstance(v, str)]
    return np.concatenate([np.array(numbers, dtype=float), *arrays, *given]).astype(float)


def _own_texts(shot: Shot) -> tuple[str, ...]:
    return shot.title, shot.subtitle, shot.caption


def _reads_as(number: str, known: np.ndarray) -> bool:
    digits = number.replace("−", "-").replace(",", "").rstrip("%")
    places = len(digits.partition(".")[2])
    scale = 100 if number.endswith("%") else 1
    return bool((np.abs(known * scale - float(digits)) <= 0.51 * 10.0**-places).any())


def _shown(scene: Stage) -> list[Mobject]:
    family = [m for mobject in scene.mobjects for m in mobject.get_family()]
    return [m for m in family if isinstance(m, Label) and m.get_fill_opacity() > 0.05]
