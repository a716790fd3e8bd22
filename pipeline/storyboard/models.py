"""The language of storyboards: which keys there are, and what they may hold."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, WithJsonSchema

from pipeline.storyboard.expect import COMPARISON, parse_expectation
from pipeline.storyboard.explain import explain
from pipeline.storyboard.problems import Problem
from pipeline.storyboard.tree import At, Tree, Value
from pipeline.storyboard.wording import kind, show

MAX_SHOTS = 64
MAX_TITLE = 80
MAX_CAPTION = 300
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
"""What films and shots are called, and with them files and folders."""


def _name(value: str) -> str:
    if not NAME.fullmatch(value):
        raise ValueError(
            f"{show(value)} will not do as the name of a file: up to 40 of a-z, 0-9, _ and -, "
            "a letter or a digit first"
        )
    return value


def _one_line(value: str) -> str:
    if not value.strip():
        raise ValueError("nothing but blanks; leave the key out, or write a text")
    return " ".join(value.split())


def _comparison(value: str) -> str:
    parse_expectation(value)
    return value


Name = Annotated[
    str,
    AfterValidator(_name),
    WithJsonSchema({"type": "string", "pattern": f"^{NAME.pattern}$"}),
]
Title = Annotated[str, Field(min_length=1, max_length=MAX_TITLE), AfterValidator(_one_line)]
Caption = Annotated[str, Field(min_length=1, max_length=MAX_CAPTION), AfterValidator(_one_line)]
Comparison = Annotated[
    str,
    AfterValidator(_comparison),
    WithJsonSchema({"type": "string", "pattern": f"^{COMPARISON.pattern}$"}),
]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class ShotSpec(_Part):
    """One shot: a stage, and what is special about it here."""

    stage: str = Field(
        max_length=80, description="what is shown, such as previous_token.sub_diagonal"
    )
    id: Name = Field(
        "", description="what the shot and its clip are called; the stage's name if left out"
    )
    title: Title = Field("", description="in place of the stage's own title; may hold {facts}")
    caption: Caption = Field("", description="in place of the stage's own caption; {facts}, $x^2$")
    inputs: dict[str, Any] = Field(default={}, description="inputs of this shot's stage")
    expect: dict[str, Comparison] = Field(
        default={},
        max_length=32,
        description='what must hold for the film to be rendered: {min_mass: ">= 0.99"}',
    )
    hold: float = Field(
        0, ge=0, le=60, allow_inf_nan=False, description="seconds of rest at the end of the shot"
    )


class Storyboard(_Part):
    """A film: its title, and its shots in order."""

    version: Literal[1] = Field(description="version of the storyboard language")
    title: Title = Field(description="what the film is called")
    credit: Caption = Field("", description="whose construction it shows")
    inputs: dict[str, Any] = Field(
        default={}, description="inputs for every shot that knows the name; a shot may override"
    )
    shots: list[ShotSpec] = Field(
        min_length=1, max_length=MAX_SHOTS, description="what is shown, in order"
    )


@dataclass(frozen=True, slots=True)
class Draft:
    """As much of a storyboard as could be understood; shots with their index in the file."""

    title: str
    credit: str
    inputs: Mapping[str, Any]
    shots: tuple[tuple[int, ShotSpec], ...]
    complete: bool
    """Whether every shot of the file is among them."""


def read_draft(tree: Tree) -> tuple[Draft, list[Problem]]:
    """Understand what can be understood, and say what is wrong with the rest."""
    value = tree.value
    if not isinstance(value, dict):
        what = "this file is empty" if value is None else f"this is {kind(value)}"
        message = f"{what}; a storyboard starts with `version: 1`, a title and shots"
        return Draft("", "", {}, (), complete=False), [
            *tree.problems,
            Problem.at(tree.place(()), message),
        ]
    wrong = _errors(value)
    problems = [
        Problem.at(tree.key_place(at) if unknown else tree.place(at), message)
        for at, (message, unknown) in wrong.items()
        if not tree.is_broken(at)
    ]
    return _draft(value, {at[:3] for at in wrong}), [*tree.problems, *problems]


def _errors(value: Value) -> dict[At, tuple[str, bool]]:
    """What is wrong where, and whether it is the key that is wrong."""
    try:
        Storyboard.model_validate(value)
    except ValidationError as error:
        schema = Storyboard.model_json_schema()
        return {
            found["loc"]: (explain(found, schema), found["type"] == "extra_forbidden")
            for found in error.errors(include_url=False)
        }
    return {}


def _draft(value: Mapping[str, Any], wrong: set[At]) -> Draft:
    """Everything but what is wrong."""
    sound = {key: part for key, part in value.items() if (key,) not in wrong}
    shots = value["shots"] if isinstance(value.get("shots"), list) else []
    sound_shots = [(index, _sound_shot(index, shot, wrong)) for index, shot in enumerate(shots)]
    specs = [(index, spec) for index, spec in sound_shots[:MAX_SHOTS] if spec is not None]
    return Draft(
        title=" ".join(sound.get("title", "").split()),
        credit=" ".join(sound.get("credit", "").split()),
        inputs=sound.get("inputs", {}),
        shots=tuple(specs),
        complete=len(specs) == len(shots) > 0,
    )


def _sound_shot(index: int, shot: Value, wrong: set[At]) -> ShotSpec | None:
    if not isinstance(shot, dict) or "stage" not in shot or ("shots", index, "stage") in wrong:
        return None
    return ShotSpec.model_validate(
        {key: part for key, part in shot.items() if ("shots", index, key) not in wrong}
    )
