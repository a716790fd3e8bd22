"""The language of storyboards: which keys there are, what they may hold, and its JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    WithJsonSchema,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from clockhead.look import LOOK_FIELDS, MAX_FONTS, PIPER_FILE, QUICKEST, SLOWEST, Aspect
from clockhead.scenes.style.looks import FONT_FILES, Captions, ThemeName
from clockhead.storyboard.expect import COMPARISON, parse_expectation
from clockhead.storyboard.find import NAME, NO_FILE_NAME
from clockhead.storyboard.problems import Problem, count, join_names, key_name, kind, show
from clockhead.storyboard.scalars import Value, is_number, normalize_text, yaml_text
from clockhead.storyboard.validation import (
    MOST_SUGGESTIONS,
    RANGE_ERRORS,
    Schema,
    complaints_of,
    explain_error,
    named_part,
    remove_paths,
    replace_at,
    suggest,
)
from clockhead.storyboard.yaml_reader import KeyPath, Tree

VERSION = 1
"""Of the storyboard language; docs/versions.md says what needs another."""
MAX_SHOTS = 64
MAX_TITLE = 80
MAX_CAPTION = 300
MAX_NOTES = 2000
MAX_BEATS = 64
MAX_ANSWERS = 6
MAX_ANSWER = 120
MAX_HANDLES = 4
"""Handles of one shot."""
MAX_STOPS = 60
"""Values at which a handle stops."""
STOPS_FORM = 'write "1:20" for 1 to 20, "1,2,5", or a list of values'
_FONT_PATTERN = r"\.[tToO][tT][fFcC]$"


def _name(value: str) -> str:
    if not NAME.fullmatch(value):
        raise ValueError(f"{show(value)} {NO_FILE_NAME}")
    return value


def one_line(value: str) -> str:
    """The text with single spaces; ValueError if it is blank."""
    if not value.strip():
        raise ValueError("nothing but blanks; leave the key out, or write a text")
    return " ".join(value.split())


def _refuse_long(value: object, what: str, advice: str = "") -> None:
    if isinstance(value, str) and len(value) > MAX_CAPTION:
        size = count(len(value), "character")
        raise ValueError(f"{size} here; {what} has at most {MAX_CAPTION}{advice}")


def _voice(value: Any) -> Any:
    _refuse_long(value, "the name of a voice's file")
    if isinstance(value, bool) or (isinstance(value, str) and value.endswith(PIPER_FILE)):
        return value
    raise ValueError(
        f"{show(value)} is no voice; true is the built-in one, and a file for Piper ends in .onnx"
    )


def whole_number(value: Any) -> Any:
    """The value, unless it is `true` or 1.0, which equal 1 in Python."""
    if isinstance(value, bool | float):
        raise PydanticCustomError("literal_error", "a number of another kind than expected")
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
        _refuse_long(file, "the name of a font file")
    return tuple(files)


def _notes(value: Any) -> dict[str, str]:
    """Notes by beat, those of the whole shot under an empty name."""
    texts = value if isinstance(value, dict) else {"": value}
    if len(texts) > MAX_BEATS:
        raise ValueError(f"{count(len(texts), 'beat')} here; at most {MAX_BEATS} have notes")
    for name, text in texts.items():
        of = f"notes of {key_name(name)}: " if name else ""
        if not isinstance(text, str) or not text.strip():
            raise ValueError(f"{of}{kind(text)} here; notes are a text, or a text for each beat")
        if len(text) > MAX_NOTES:
            raise ValueError(f"{of}{count(len(text), 'character')} here; at most {MAX_NOTES:,} fit")
    return {name: text.strip() for name, text in texts.items()}


def _stops(value: Any) -> Any:
    if not isinstance(value, str | list) and not is_number(value):
        what = "no value here" if value is None else f"{show(value)} is no list of values"
        raise ValueError(f"{what}; {STOPS_FORM}")
    _refuse_long(value, "a text of values", ": write a list")
    if isinstance(value, list) and not 1 <= len(value) <= MAX_STOPS:
        raise ValueError(f"{count(len(value), 'value')}; a handle stops at 1 to {MAX_STOPS} values")
    return value


def _few_handles(value: dict[str, Any] | None) -> dict[str, Any]:
    if value is None:
        raise ValueError("nothing here; name inputs and their stops, or write {} for no handles")
    if len(value) > MAX_HANDLES:
        raise ValueError(f"{count(len(value), 'handle')}; a shot has at most {MAX_HANDLES}")
    return value


def _comparison(value: str) -> str:
    parse_expectation(value)
    return value


Name = Annotated[
    str, AfterValidator(_name), WithJsonSchema({"type": "string", "pattern": f"^{NAME.pattern}$"})
]
Normalize = BeforeValidator(normalize_text)
OneLine = AfterValidator(one_line)
Title = Annotated[str, Field(min_length=1, max_length=MAX_TITLE), OneLine, Normalize]
Caption = Annotated[str, Field(min_length=1, max_length=MAX_CAPTION), OneLine, Normalize]
Answer = Annotated[str, Field(min_length=1, max_length=MAX_ANSWER), OneLine, Normalize]
VoiceName = Annotated[
    Any,
    AfterValidator(_voice),
    WithJsonSchema({"anyOf": [{"type": "boolean"}, {"type": "string", "pattern": r"\.onnx$"}]}),
]
_FONT = {"type": "string", "pattern": _FONT_PATTERN}
_FONTS = {"type": "array", "items": _FONT, "minItems": 1, "maxItems": MAX_FONTS}
FontNames = Annotated[Any, AfterValidator(_font_files), WithJsonSchema({"anyOf": [_FONT, _FONTS]})]
_NOTES = {"type": "string", "minLength": 1, "maxLength": MAX_NOTES}
_BEAT_NOTES = {"type": "object", "additionalProperties": _NOTES, "maxProperties": MAX_BEATS}
Notes = Annotated[
    Any,
    AfterValidator(_notes),
    Normalize,
    WithJsonSchema({"anyOf": [_NOTES, _BEAT_NOTES]}),
]
_STOPS = {
    "anyOf": [
        {"type": "string", "maxLength": MAX_CAPTION},
        {"type": "number"},
        {"type": "array", "minItems": 1, "maxItems": MAX_STOPS},
    ],
    "description": 'values at which the handle stops: "1:20", "1,2,5", or a list',
}
_HANDLES = {"type": "object", "additionalProperties": _STOPS, "maxProperties": MAX_HANDLES}
Stops = Annotated[Any, AfterValidator(_stops), WithJsonSchema(_STOPS)]
Comparison = Annotated[
    str,
    AfterValidator(_comparison),
    Normalize,
    WithJsonSchema(
        {
            "type": "string",
            "pattern": f"^{COMPARISON.pattern}$",
            "description": 'a comparison in quotes, such as ">= 0.99" or "== mat"',
        }
    ),
]


class StrictModel(BaseModel):
    """Refuses unknown keys, and converts nothing."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class QuizSpec(StrictModel):
    """The answers to a question before a beat, of which the viewer of a page chooses one."""

    answers: list[Answer] = Field(
        min_length=2, max_length=MAX_ANSWERS, description="what there is to choose; {facts}, $x^2$"
    )
    right: int = Field(ge=1, le=MAX_ANSWERS, description="which one is right, counted from 1")


class ShotSpec(StrictModel):
    """One shot: a stage, with inputs and texts of its own."""

    stage: str = Field(
        max_length=80, description="name of the stage, such as previous_token.sub_diagonal"
    )
    id: Name = Field(
        "", description="name of the shot and of its clip; the stage's name if left out"
    )
    title: Title = Field("", description="in place of the stage's own title; may hold {facts}")
    question: Title = Field("", description="in place of the question under the title")
    caption: Caption = Field("", description="in place of the stage's own caption; {facts}, $x^2$")
    beats: dict[str, Caption] = Field(
        default={},
        max_length=MAX_BEATS,
        description="in place of the sentences of beats, whatever the values: {softmax: ...}",
    )
    asks: dict[str, Caption] = Field(
        default={},
        max_length=MAX_BEATS,
        description="questions before beats, in place of the stage's own: {softmax: ...}",
    )
    quiz: dict[str, QuizSpec] = Field(
        default={},
        max_length=MAX_BEATS,
        description="a quiz at the questions before beats: "
        "{softmax: {answers: [Yes, No], right: 2}}",
    )
    notes: Notes = Field(
        default={},
        description="what the speaker of slides sees: a text, or one for each beat; {facts}",
    )
    inputs: dict[str, Any] = Field(default={}, description="inputs of this shot's stage")
    say: dict[str, Caption] = Field(
        default={},
        max_length=64,
        description="spoken instead of sentences: {1: ..., question: ..., caption: ...}",
    )
    expect: dict[str, Comparison] = Field(
        default={},
        max_length=32,
        description='what must hold for the film to be rendered: {min_mass: ">= 0.99"}',
    )
    handles: Annotated[
        dict[str, Stops] | None,
        AfterValidator(_few_handles),
        WithJsonSchema(_HANDLES),
    ] = Field(
        None,
        description="inputs that readers of a page can turn, in place of the stage's own: "
        '{alpha: "1:20"}; {} for none',
    )
    hold: float = Field(
        0, ge=0, le=60, allow_inf_nan=False, description="seconds of rest at the end of the shot"
    )

    @property
    def shot_id(self) -> str:
        """Its id, or else the name of its stage without the film's."""
        return self.id or self.stage.rpartition(".")[2]

    @property
    def words(self) -> dict[str, str]:
        """Its texts in place of the stage's, by `title`, `question`, `caption`, `beats.NAME` ..."""
        texts = {"title": self.title, "question": self.question, "caption": self.caption}
        texts |= {f"beats.{name}": text for name, text in self.beats.items()}
        texts |= {f"asks.{name}": text for name, text in self.asks.items()}
        return {name: text for name, text in texts.items() if text}


_MAPS = ("inputs", "expect", "say", "beats", "asks", "notes", "handles", "quiz")
"""Keys of a shot or a film whose value is a map."""


class Storyboard(StrictModel):
    """A film: its title, and its shots in order."""

    version: Annotated[Literal[1], BeforeValidator(whole_number)] = Field(
        description="version of the storyboard language"
    )
    title: Title = Field(description="title of the film")
    credit: Caption = Field("", description="whose construction the film shows")
    theme: ThemeName | None = Field(None, description="the colours; `--theme` overrides")
    aspect: Aspect | None = Field(None, description="the shape; `--aspect` overrides")
    captions: Captions | None = Field(
        None,
        description="sentences in the picture, in a subtitle track, or off; `--captions` overrides",
    )
    pace: float | None = Field(
        None,
        ge=SLOWEST,
        le=QUICKEST,
        allow_inf_nan=False,
        description="speed of the film, usually 1; `--pace` overrides",
    )
    language: str | None = Field(
        None,
        max_length=MAX_TITLE,
        description="language of the stages' texts, such as de; `--lang` overrides",
    )
    voice: VoiceName = Field(
        None, description="true for the built-in voice, or a file for Piper; `--voice` overrides"
    )
    font: FontNames = Field(
        None, description="font files for letters that the text font lacks; `--font` overrides"
    )
    inputs: dict[str, Any] = Field(
        default={}, description="inputs for every shot that has them; a shot may override"
    )
    shots: list[ShotSpec] = Field(
        min_length=1, max_length=MAX_SHOTS, description="the shots, in order"
    )


@dataclass(frozen=True, slots=True)
class Draft:
    """The valid parts of a storyboard; shots with their index in the file."""

    title: str
    credit: str
    look: Mapping[str, Any]
    """Keys of the film's look."""
    inputs: Mapping[str, Any]
    shots: tuple[tuple[int, ShotSpec], ...]
    complete: bool
    """Whether every shot of the file is valid."""

    @property
    def folders(self) -> list[str]:
        """The folders of its stages, in order."""
        return list(dict.fromkeys(spec.stage.partition(".")[0] for _, spec in self.shots))

    @property
    def words(self) -> list[str]:
        """Its own texts: title and credit, and those in place of the stages'."""
        own = (text for _, spec in self.shots for text in spec.words.values())
        return list(dict.fromkeys(filter(None, [self.title, self.credit, *own])))


def read_draft(tree: Tree) -> tuple[Draft, list[Problem]]:
    """The valid parts of a storyboard, and the problems with the rest."""
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
    """Messages by path, and whether each is about the key; "" where another message covers it."""
    errors = {}
    complaints = _complaints(value)
    dedented = _dedented_keys(value, complaints)
    for number, error in enumerate(complaints):
        at, is_about_key = error["loc"], error["type"] == "extra_forbidden"
        if keys := dedented.get(at):
            names = join_names(map(key_name, keys))
            errors[at] = (f"nothing is indented below it: indent {names} further", False)
        elif any(at[:-1] == above[:-1] and at[-1] in dedented[above] for above in dedented):
            errors[at] = ("", True)
        else:
            advice = _advice(error, value) if number < MOST_SUGGESTIONS else ""
            errors[at] = (explain_error(error, _schema()) + advice, is_about_key)
    return errors


def _dedented_keys(value: Value, complaints: Sequence[ErrorDetails]) -> dict[KeyPath, list[str]]:
    """Empty maps, such as `inputs:`, and the unknown keys below that probably belong to them."""
    unknown = {error["loc"] for error in complaints if error["type"] == "extra_forbidden"}
    found: dict[KeyPath, list[str]] = {}
    for around in {at[:-1] for at in unknown}:
        part: Any = reduce(lambda inside, step: inside[step], around, value)
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
    """The JSON schema of the language, built with the first error."""
    return Storyboard.model_json_schema()


def _complaints(value: Value) -> list[ErrorDetails]:
    """Validation errors; of too many shots, also those of the first ones, which pydantic skips."""
    errors = complaints_of(Storyboard, value)
    shots = value.get("shots") if isinstance(value, dict) else None
    if isinstance(shots, list) and len(shots) > MAX_SHOTS:
        inside = _complaints({**value, "shots": shots[:MAX_SHOTS]})  # type: ignore[dict-item]
        errors += [error for error in inside if error["loc"][0] == "shots"]
    return errors


def _advice(error: ErrorDetails, value: Value) -> str:
    """The line to write instead, if there is a value that the language accepts."""
    made = suggest(error, _schema(), value, _complaints)
    if made is None or made.refusal or error["type"] in RANGE_ERRORS or error["loc"][-1] == "stage":
        return ""
    key, part = named_part(replace_at(value, error["loc"], made.value), error["loc"])
    return f": write {yaml_text(key)}: {yaml_text(part)}"


def _draft(value: Mapping[str, Any], wrong: set[KeyPath]) -> Draft:
    """The storyboard without the paths that are wrong; of a wrong quiz, nothing is left."""
    wrong = wrong | {at[:4] for at in wrong if at[2:3] == ("quiz",)}
    sound = {key: part for key, part in value.items() if (key,) not in wrong}
    shots = value["shots"] if isinstance(value.get("shots"), list) else []
    specs = tuple(
        (index, ShotSpec.model_validate(remove_paths(shot, wrong, ("shots", index))))
        for index, shot in enumerate(shots[:MAX_SHOTS])
        if isinstance(shot, dict) and "stage" in shot and ("shots", index, "stage") not in wrong
    )
    look = {name: sound[name] for name in LOOK_FIELDS if name in sound}
    if sound.get("font") is not None:
        look["font"] = _font_files(sound["font"])
    return Draft(
        title=" ".join(normalize_text(sound.get("title", "")).split()),
        credit=" ".join(normalize_text(sound.get("credit", "")).split()),
        look=look,
        inputs=sound.get("inputs", {}),
        shots=specs,
        complete=len(specs) == len(shots) > 0,
    )


def storyboard_schema() -> dict[str, Any]:
    """The JSON Schema of storyboards with every stage's inputs, for editors."""
    from clockhead.scenes.stage import find_stage, stage_names  # and Manim
    from clockhead.scenes.stage.beats import beats_of

    inputs = {name: inputs_schema(name) for name in stage_names()}
    schema = Storyboard.model_json_schema()
    shot = schema["$defs"]["ShotSpec"]
    shot["properties"]["stage"]["enum"] = list(inputs)
    shot["allOf"] = [
        {
            "if": {"properties": {"stage": {"const": name}}},
            "then": {
                "properties": {
                    "inputs": {"$ref": f"#/$defs/{name}"},
                    "beats": {"propertyNames": {"enum": beats}},
                    "asks": {"propertyNames": {"enum": beats}},
                    "quiz": {"propertyNames": {"enum": beats}},
                }
            },
        }
        for name in inputs
        for beats in [[spec.key for spec in beats_of(find_stage(name))]]
    ]
    schema["properties"]["inputs"] |= _shared_inputs(inputs)
    for part in (*schema["properties"].values(), *shot["properties"].values()):
        if part.get("default") == "":  # stands for a key that was left out
            del part["default"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "$defs": {**schema["$defs"], **inputs},
    }


def inputs_schema(stage: str) -> dict[str, Any]:
    """The JSON Schema of a stage's inputs: types, bounds, defaults and descriptions."""
    from clockhead.scenes.stage import find_stage  # and Manim

    refs = f"#/$defs/{stage}/$defs/{{model}}"
    return find_stage(stage).Inputs.model_json_schema(ref_template=refs)


def _shared_inputs(inputs: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The schema of the film's inputs: a value is valid if it is for one of the stages with it."""
    choices: dict[str, list[dict[str, str]]] = {}
    for stage, schema in inputs.items():
        for name in schema["properties"]:
            choices.setdefault(name, []).append({"$ref": f"#/$defs/{stage}/properties/{name}"})
    properties = {name: {"anyOf": references} for name, references in choices.items()}
    return {"properties": properties, "additionalProperties": False}
