"""The language of storyboards: which keys there are, what they may hold, and its JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    WithJsonSchema,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from clockhead.look import LOOK_FIELDS, MAX_FONTS, PIPER_FILE, QUICKEST, SLOWEST, Aspect
from clockhead.scenes.style.looks import FONT_FILES, Captions, ThemeName
from clockhead.storyboard.expect import COMPARISON, parse_expectation
from clockhead.storyboard.find import NAME
from clockhead.storyboard.problems import Problem, count, join_names, key_name, kind, show
from clockhead.storyboard.scalars import Value, normalize_text, yaml_text
from clockhead.storyboard.validation import (
    MOST_SUGGESTIONS,
    RANGE_ERRORS,
    Schema,
    explain_error,
    merge_errors,
    named_part,
    replace_at,
    suggest,
)
from clockhead.storyboard.yaml_reader import KeyPath, Tree

VERSION = 1
"""Of the storyboard language; docs/versions.md says what needs another."""
MAX_SHOTS = 64
MAX_TITLE = 80
MAX_CAPTION = 300
_FONT_PATTERN = r"\.[tToO][tT][fFcC]$"
NO_FILE_NAME = (
    "will not do as the name of a file: up to 40 of a-z, 0-9, _ and -, a letter or a digit first"
)


def _name(value: str) -> str:
    if not NAME.fullmatch(value):
        raise ValueError(f"{show(value)} {NO_FILE_NAME}")
    return value


def _one_line(value: str) -> str:
    if not value.strip():
        raise ValueError("nothing but blanks; leave the key out, or write a text")
    return " ".join(value.split())


def _voice(value: Any) -> Any:
    if isinstance(value, str) and len(value) > MAX_CAPTION:
        size = count(len(value), "character")
        raise ValueError(f"{size} here; the name of a voice's file has at most {MAX_CAPTION}")
    if isinstance(value, bool) or (isinstance(value, str) and value.endswith(PIPER_FILE)):
        return value
    raise ValueError(
        f"{show(value)} is no voice; true is the one that comes, and a file for Piper ends in .onnx"
    )


def _whole(value: Any) -> Any:
    """A number as it is written: to Python `true` and 1.0 equal 1."""
    if isinstance(value, bool | float):
        raise PydanticCustomError("literal_error", "another kind of number")
    return value


def _font_files(value: Any) -> Any:
    files = value if isinstance(value, list) else [value]
    if not 1 <= len(files) <= MAX_FONTS:
        raise ValueError(f"{count(len(files), 'file')}; a film has 1 to {MAX_FONTS} fonts")
    for file in files:
        if not isinstance(file, str) or not re.search(_FONT_PATTERN, file):
            raise ValueError(
                f"{show(file)} is no font file: such a file ends in {', '.join(FONT_FILES)}"
            )
        if len(file) > MAX_CAPTION:
            size = count(len(file), "character")
            raise ValueError(f"{size} here; the name of a font file has at most {MAX_CAPTION}")
    return tuple(files)


def _comparison(value: str) -> str:
    parse_expectation(value)
    return value


Name = Annotated[
    str,
    AfterValidator(_name),
    WithJsonSchema({"type": "string", "pattern": f"^{NAME.pattern}$"}),
]
_COMPOSED = BeforeValidator(normalize_text)
Title = Annotated[
    str, Field(min_length=1, max_length=MAX_TITLE), AfterValidator(_one_line), _COMPOSED
]
Caption = Annotated[
    str, Field(min_length=1, max_length=MAX_CAPTION), AfterValidator(_one_line), _COMPOSED
]
VoiceName = Annotated[
    Any,
    AfterValidator(_voice),
    WithJsonSchema({"anyOf": [{"type": "boolean"}, {"type": "string", "pattern": r"\.onnx$"}]}),
]
FontNames = Annotated[
    Any,
    AfterValidator(_font_files),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "pattern": _FONT_PATTERN},
                {
                    "type": "array",
                    "items": {"type": "string", "pattern": _FONT_PATTERN},
                    "minItems": 1,
                    "maxItems": MAX_FONTS,
                },
            ]
        }
    ),
]
Comparison = Annotated[
    str,
    AfterValidator(_comparison),
    _COMPOSED,
    WithJsonSchema(
        {
            "type": "string",
            "pattern": f"^{COMPARISON.pattern}$",
            "description": 'a comparison in quotes, such as ">= 0.99" or "== mat"',
        }
    ),
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
    say: dict[str, Caption] = Field(
        default={},
        max_length=64,
        description="what a voice says instead: {1: ..., question: ..., caption: ...}",
    )
    expect: dict[str, Comparison] = Field(
        default={},
        max_length=32,
        description='what must hold for the film to be rendered: {min_mass: ">= 0.99"}',
    )
    hold: float = Field(
        0, ge=0, le=60, allow_inf_nan=False, description="seconds of rest at the end of the shot"
    )


_MAPS = ("inputs", "expect", "say")
"""Keys whose value is a map of the author's own keys."""


class Storyboard(_Part):
    """A film: its title, and its shots in order."""

    version: Annotated[Literal[1], BeforeValidator(_whole)] = Field(
        description="version of the storyboard language"
    )
    title: Title = Field(description="what the film is called")
    credit: Caption = Field("", description="whose construction it shows")
    theme: ThemeName | None = Field(None, description="the colours; `--theme` overrides")
    aspect: Aspect | None = Field(None, description="the shape; `--aspect` overrides")
    captions: Captions | None = Field(
        None, description="sentences in the picture, off, or in a track; `--captions` overrides"
    )
    pace: float | None = Field(
        None,
        ge=SLOWEST,
        le=QUICKEST,
        allow_inf_nan=False,
        description="quicker than 1, or slower; `--pace` overrides",
    )
    language: str | None = Field(
        None,
        max_length=MAX_TITLE,
        description="what the stages are told in, such as de; `--lang` overrides",
    )
    voice: VoiceName = Field(
        None, description="true if a voice says the sentences, or a file for Piper; or `--voice`"
    )
    font: FontNames = Field(
        None,
        description="a font file, or several, for letters that the text face lacks; or `--font`",
    )
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
    look: Mapping[str, Any]
    """What it tells of the film's look."""
    inputs: Mapping[str, Any]
    shots: tuple[tuple[int, ShotSpec], ...]
    complete: bool
    """Whether every shot of the file is among them."""


def read_draft(tree: Tree) -> tuple[Draft, list[Problem]]:
    """Understand what can be understood, and say what is wrong with the rest."""
    value = tree.value
    nothing = Draft("", "", {}, {}, (), complete=False)
    if not isinstance(value, dict):
        what = "this file is empty" if value is None else f"this is {kind(value)}"
        message = f"{what}; a storyboard starts with `version: {VERSION}`, a title and shots"
        return nothing, [*tree.problems, Problem.at(tree.place(()), message)]
    version = value.get("version")
    if type(version) is int and version > VERSION:
        message = f"this needs a newer Clockhead; this one reads version {VERSION}"
        return nothing, [Problem.at(tree.place(("version",)), message)]
    # A storyboard of an older version is brought up to this one here, before it is validated.
    wrong = _errors(value)
    problems = [
        Problem.at(tree.key_place(at) if unknown else tree.place(at), message)
        for at, (message, unknown) in wrong.items()
        if message and not tree.is_broken(at)
    ]
    return _draft(value, set(wrong)), [*tree.problems, *problems]


def _errors(value: Value) -> dict[KeyPath, tuple[str, bool]]:
    """What is wrong where, and whether it is the key; "" where another message says it."""
    errors = {}
    complaints = _complaints(value)
    dedented = _dedented(value, complaints)
    for number, found in enumerate(complaints):
        at = found["loc"]
        if keys := dedented.get(at):
            names = join_names(map(key_name, keys))
            errors[at] = (f"nothing is indented below it: indent {names} further", False)
            continue
        if any(at[:-1] == above[:-1] and at[-1] in dedented[above] for above in dedented):
            errors[at] = ("", True)
            continue
        advice = _advice(found, _schema(), value) if number < MOST_SUGGESTIONS else ""
        said = explain_error(found, _schema()) + advice
        errors[found["loc"]] = (said, found["type"] == "extra_forbidden")
    return errors


def _dedented(value: Value, complaints: Sequence[ErrorDetails]) -> dict[KeyPath, list[str]]:
    """Maps without keys, such as `inputs:`, and the unknown keys below that belong to them."""
    unknown = {found["loc"] for found in complaints if found["type"] == "extra_forbidden"}
    found: dict[KeyPath, list[str]] = {}
    for around in {at[:-1] for at in unknown}:
        part: Any = value
        for step in around:
            part = part[step]
        above = None
        for key, inner in part.items():
            if key in _MAPS and inner is None:
                above = key
            elif above and (*around, key) in unknown:
                found.setdefault((*around, above), []).append(key)
            else:
                above = None
    return found


@cache
def _schema() -> Schema:
    """What the language takes; put together only when something is to be said of it."""
    return Storyboard.model_json_schema()


def _complaints(value: Value) -> list[ErrorDetails]:
    try:
        Storyboard.model_validate(value)
    except ValidationError as error:
        # Of a list that is too long, pydantic looks at nothing more.
        return [*merge_errors(error, value), *_complaints_of_first_shots(value)]
    return []


def _complaints_of_first_shots(value: Value) -> list[ErrorDetails]:
    """What is wrong with as many shots as there may be, if there are more."""
    shots = value.get("shots") if isinstance(value, dict) else None
    if not isinstance(shots, list) or len(shots) <= MAX_SHOTS:
        return []
    first = {**value, "shots": shots[:MAX_SHOTS]}  # type: ignore[dict-item]
    return [error for error in _complaints(first) if error["loc"][0] == "shots"]


def _advice(found: ErrorDetails, schema: Schema, value: Value) -> str:
    """What to write, if anything comes to mind that is taken."""
    made = suggest(found, schema, value, _complaints)
    if made is None or made.refusal or found["type"] in RANGE_ERRORS or found["loc"][-1] == "stage":
        return ""
    key, part = named_part(replace_at(value, found["loc"], made.value), found["loc"])
    return f": write {yaml_text(key)}: {yaml_text(part)}"


def _draft(value: Mapping[str, Any], wrong: set[KeyPath]) -> Draft:
    """Everything but what is wrong."""
    sound = {key: part for key, part in value.items() if (key,) not in wrong}
    shots = value["shots"] if isinstance(value.get("shots"), list) else []
    first = enumerate(shots[:MAX_SHOTS])
    sound_shots = [(index, _sound_shot(index, shot, wrong)) for index, shot in first]
    specs = [(index, spec) for index, spec in sound_shots if spec is not None]
    return Draft(
        title=" ".join(normalize_text(sound.get("title", "")).split()),
        credit=" ".join(normalize_text(sound.get("credit", "")).split()),
        look={name: sound[name] for name in LOOK_FIELDS if name in sound} | _fonts_told(sound),
        inputs=sound.get("inputs", {}),
        shots=tuple(specs),
        complete=len(specs) == len(shots) > 0,
    )


def _fonts_told(sound: Mapping[str, Any]) -> dict[str, Any]:
    """The font files as a tuple, of a storyboard that names any."""
    return {"font": _font_files(sound["font"])} if sound.get("font") is not None else {}


def _sound_shot(index: int, shot: Value, wrong: set[KeyPath]) -> ShotSpec | None:
    if not isinstance(shot, dict) or "stage" not in shot or ("shots", index, "stage") in wrong:
        return None
    return ShotSpec.model_validate(_without(wrong, shot, ("shots", index)))


def _without(wrong: set[KeyPath], part: Value, at: KeyPath) -> Value:
    """A part of the file without all within it that is wrong."""
    if not isinstance(part, dict):
        return part
    return {
        key: _without(wrong, inner, (*at, key))
        for key, inner in part.items()
        if (*at, key) not in wrong
    }


def storyboard_schema() -> dict[str, Any]:
    """The storyboard language with every stage's inputs in it."""
    from clockhead.scenes.stage import stage_names  # and Manim

    inputs = {name: inputs_schema(name) for name in stage_names()}
    schema = Storyboard.model_json_schema()
    shot = schema["$defs"]["ShotSpec"]
    shot["properties"]["stage"]["enum"] = list(inputs)
    shot["allOf"] = [_inputs_of(name) for name in inputs]
    schema["properties"]["inputs"] = _shared_inputs(schema["properties"]["inputs"], inputs)
    for part in (schema, shot):
        _drop_empty_defaults(part)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "$defs": {**schema["$defs"], **inputs},
    }


def inputs_schema(stage: str) -> dict[str, Any]:
    """What a stage takes: types, bounds, defaults and descriptions."""
    from clockhead.scenes.stage import find_stage  # and Manim

    refs = f"#/$defs/{stage}/$defs/{{model}}"
    return find_stage(stage).Inputs.model_json_schema(ref_template=refs)


def _inputs_of(stage: str) -> dict[str, Any]:
    return {
        "if": {"properties": {"stage": {"const": stage}}},
        "then": {"properties": {"inputs": {"$ref": f"#/$defs/{stage}"}}},
    }


def _shared_inputs(part: dict[str, Any], inputs: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Inputs for all shots: a value is good if one of the stages that know the name takes it."""
    takers: dict[str, list[dict[str, Any]]] = {}
    for stage, schema in inputs.items():
        for name in schema["properties"]:
            takers.setdefault(name, []).append({"$ref": f"#/$defs/{stage}/properties/{name}"})
    properties = {name: {"anyOf": references} for name, references in takers.items()}
    return {**part, "properties": properties, "additionalProperties": False}


def _drop_empty_defaults(schema: dict[str, Any]) -> None:
    """An empty text stands for a key that was left out; nobody should write one."""
    for part in schema["properties"].values():
        if part.get("default") == "":
            del part["default"]
