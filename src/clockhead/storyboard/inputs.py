"""Inputs of each shot's stage: the film's, then the shot's own, then the command's.

If they do not work together, default inputs are adjusted to the ones given, and messages offer
inputs that work.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from clockhead.storyboard.models import ShotSpec
from clockhead.storyboard.problems import Place, Problem, StoryboardError, show, unknown_name
from clockhead.storyboard.scalars import Value, normalize_text, set_option, yaml_text
from clockhead.storyboard.validation import (
    MOST_SUGGESTIONS,
    RANGE_ERRORS,
    Schema,
    Suggestion,
    explain_error,
    merge_errors,
    named_part,
    replace_at,
    schema_at,
    suggest,
    without_null,
)
from clockhead.storyboard.yaml_reader import KeyPath, Tree, parse_value

if TYPE_CHECKING:
    from clockhead.scenes.stage import Stage, StageInputs

_SETTING = re.compile(r"(?:(?P<shot>[^.=]+)\.)?(?P<name>[^.=]+)=(?P<value>.*)", re.DOTALL)
_NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?![\w])")
_MOST_STEPS = 64
"""Steps to either side of a default that are tried when it is adjusted."""
_PATH = re.compile(r".*/[^/]+\.[a-z]+", re.DOTALL)
_LONGEST_NAME = 40
_HASH_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Given:
    """A value for an input, and where it was written: in the tree, or on the command line."""

    value: Value
    source: Tree | Place
    at: KeyPath = ()
    option: str = ""
    """Its name on the command line."""
    is_users: bool = False
    """Whether the user gave it here and now, and it may name any file that they can read."""

    def line(self, key: str, value: Any) -> str:
        """The text that gives another value in the same place."""
        return set_option(self.option, value) if self.option else f"{key}: {yaml_text(value)}"

    def place(self, inside: KeyPath = ()) -> Place:
        """Where the value, or a part of it, was written."""
        source = self.source
        return source if isinstance(source, Place) else source.place(self.at + inside)

    def covers(self, problem: Problem) -> bool:
        """Whether a problem is with this value, or with a part of it."""
        here = self.place()
        inside = problem.path == here.path or problem.path.startswith(f"{here.path}[")
        return problem.file == here.file and inside

    @property
    def key_place(self) -> Place:
        """Where the input was named."""
        return self.source if isinstance(self.source, Place) else self.source.key_place(self.at)


@dataclass(frozen=True, slots=True)
class Setting:
    """`--set input=value`, for every shot that has the input, or `--set shot.input=value`."""

    shot: str | None
    name: str
    given: Given


def read_settings(texts: Iterable[str]) -> tuple[list[Setting], list[Problem]]:
    """Parse `--set` options; also the problems with those that cannot be parsed."""
    settings: list[Setting] = []
    problems: list[Problem] = []
    for text in texts:
        place = Place(f"--set {text}"[:80])
        match = _SETTING.fullmatch(text)
        if match is None:
            problems.append(Problem.at(place, "write input=value, or shot.input=value"))
            continue
        try:
            value = parse_value(match["value"], place.file)
        except StoryboardError as error:
            problems.extend(error.problems)
        else:
            option = text.partition("=")[0].strip()
            given = Given(value, place, option=option, is_users=True)
            settings.append(Setting(match["shot"], match["name"].strip(), given))
    return settings, problems


def variant_name(film: str, settings: Iterable[Setting]) -> str:
    """`rope` with `d_head=64` is `rope-d_head-64`; one that is too long or odd ends in a hash.

    Of the path of a file, only its last part is shown.
    """
    parts, shown = [], [film]
    for one in settings:
        value = one.given.value
        text = value if isinstance(value, str) else json.dumps(value)
        short = text.rpartition("/")[2] if _PATH.fullmatch(text) else text
        parts.append("-".join(part for part in (one.shot, one.name, text) if part))
        shown.append("-".join(part for part in (one.shot, one.name, short) if part))
    whole = "-".join(shown)
    plain = re.sub(r"[^a-z0-9_]+", "-", whole.lower().replace(".", "_")).strip("-")
    if len(plain) <= _LONGEST_NAME and all(re.fullmatch(r"[a-z0-9_. -]*", part) for part in parts):
        return plain
    digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:_HASH_DIGITS]
    return f"{plain[: _LONGEST_NAME - _HASH_DIGITS - 1].rstrip('-')}-{digest}"


def inputs_in_file(
    tree: Tree, index: int, spec: ShotSpec, film_inputs: Mapping[str, Value], known: Collection[str]
) -> dict[str, Given]:
    """Inputs that the file gives the stage of shot `index`, whose inputs are `known`."""
    given = {
        name: Given(value, tree, ("inputs", name))
        for name, value in film_inputs.items()
        if name in known
    }
    for name, value in spec.inputs.items():
        given[name] = Given(value, tree, ("shots", index, "inputs", name))
    return {name: one for name, one in given.items() if not tree.is_broken(one.at)}


def apply_settings(
    given: dict[str, Given], settings: Iterable[Setting], shot: str, known: Collection[str]
) -> dict[str, Given]:
    """Inputs with the command's settings in place of the file's; those for one shot win."""
    fits = [s for s in settings if s.shot == shot or (s.shot is None and s.name in known)]
    fits.sort(key=lambda setting: setting.shot is not None)
    return given | {setting.name: setting.given for setting in fits}


@dataclass(frozen=True, slots=True)
class Adjustment:
    """An input that was adjusted to the others: its name, and its values before and after."""

    name: str
    before: Any
    value: Any


@dataclass(frozen=True, slots=True)
class Computation:
    """A stage's inputs and values, or why it refuses them."""

    inputs: StageInputs | None = None
    values: Any = None
    refusal: str = ""
    adjustments: tuple[Adjustment, ...] = ()
    errors: tuple[ErrorDetails, ...] = ()
    """Validation errors; the refusal is the first of them."""


def resolve_inputs(
    stage: type[Stage], given: Mapping[str, Given], shot: Place, file_inputs: Mapping[str, Value]
) -> tuple[Computation, list[Problem]]:
    """Validate the inputs given to a stage and compute its values; also all problems with them.

    Defaults are adjusted to the inputs given, and the storyboard's inputs to the command's. If
    there are problems, the computation is of what was probably meant. The stage accepts every value
    that a message offers. `file_inputs` are the storyboard's own, without the command's.
    """
    values = {name: normalize_text(one.value) for name, one in given.items()}
    firm = {name for name, one in given.items() if one.option} or set(values)
    first = _attempt(stage, values)
    errors = first.errors
    if not any(error["loc"] and error["loc"][0] in values for error in errors):
        computed = compute_adjusted(stage, values, firm, first)
        if not computed.refusal:
            return computed, []
    schema = stage.Inputs.model_json_schema()
    suggestions = {
        error["loc"]: made
        for error in errors[:MOST_SUGGESTIONS]
        if error["loc"][:1]
        and error["loc"][0] in values
        and (made := suggest(error, schema, values, lambda others: validate(stage, others)[1]))
    }
    sound = {at: made for at, made in suggestions.items() if not made.refusal}
    unsolved = {error["loc"][0] for error in errors if error["loc"] and error["loc"] not in sound}
    meant = reduce(lambda so_far, at: replace_at(so_far, at, sound[at].value), sound, values)
    computed = compute_adjusted(stage, meant) if len(sound) == len(errors) else Computation()
    problems = []
    for error in errors:
        name, *inside = error["loc"] or ("",)
        source = given.get(str(name))
        if source is None:
            advice = describe_remedy(find_remedy(stage, values, file_inputs), given, "works")
            problems.append(Problem.at(shot, explain_error(error, schema) + advice))
        elif error["type"] == "extra_forbidden" and not inside:
            message = unknown_name("input", str(name), list(stage.Inputs.model_fields))
            problems.append(Problem.at(source.key_place, message))
        else:
            made = suggestions.get(error["loc"])
            advice = _refusal_of(made, error, computed.refusal)
            if not advice and made and name not in unsolved and error["type"] not in RANGE_ERRORS:
                advice = f": write {source.line(*named_part(meant, error['loc']))}"
            message = explain_error(error, schema) + advice
            problems.append(Problem.at(source.place(tuple(inside)), message))
    words = re.findall(r"[\w.]+", computed.refusal.replace(",", ""))
    # A refusal that names an input with a suggestion, or the suggested value, was reported there.
    if computed.refusal and not any(
        at[0] in words or show(made.value) in words for at, made in suggestions.items()
    ):
        blamed = next((name for name in _words(computed.refusal) if name in given), None)
        place = shot if blamed is None else given[blamed].place()
        advice = describe_remedy(find_remedy(stage, meant, file_inputs), given, "works")
        problems.append(Problem.at(place, computed.refusal + advice))
    return computed, problems


def _refusal_of(made: Suggestion | None, error: ErrorDetails, refusal: str) -> str:
    """Why the suggestion is refused too, by itself or with all the others."""
    if made is None:
        return ""
    blamed = re.match(r"\W?(\w+)", refusal)
    of_all = refusal if blamed and blamed[1] == error["loc"][0] else ""
    reason = made.refusal or of_all
    return f"; nor would {show(made.value)} do: {reason}" if reason else ""


def compute_adjusted(
    stage: type[Stage],
    values: Mapping[str, Any],
    firm: Collection[str] | None = None,
    first: Computation | None = None,
) -> Computation:
    """Compute a stage; inputs that its refusal blames are adjusted to the others.

    Each gets the nearest value for which the stage computes, preferably one for which all its
    claims hold. Inputs named in `firm` stay as they are, by default all `values`. If nothing helps,
    the refusal is the first one. `first` is the first attempt, if it was made already.
    """
    first = first or _attempt(stage, values)
    if not first.refusal or not values:
        return first
    return _adjust(stage, values, values if firm is None else firm, first) or first


def _adjust(
    stage: type[Stage], values: Mapping[str, Any], firm: Collection[str], refused: Computation
) -> Computation | None:
    """Adjust the first blamed input for which that helps, and then others if need be."""
    schema = stage.Inputs.model_json_schema()
    for name in _adjustable(stage, firm, refused.refusal):
        before = values.get(name, stage.Inputs.model_fields[name].default)
        part = without_null(schema_at(schema, (name,)))
        computed, blames_others = None, None
        for value in _nearest(before, part, refused.refusal):
            tried = _attempt(stage, {**values, name: value})
            adjustment = Adjustment(name, before, value)
            if not tried.refusal:
                tried = replace(tried, adjustments=(adjustment,))
                if _claims_hold(stage, tried):
                    return tried
                computed = computed or tried
            elif (
                blames_others is None
                and name not in _words(tried.refusal)
                and _adjustable(stage, {*firm, name}, tried.refusal)
            ):
                blames_others = adjustment, tried
        if computed is not None:
            return computed
        if blames_others is not None:
            adjustment, tried = blames_others
            after = _adjust(stage, {**values, name: adjustment.value}, {*firm, name}, tried)
            if after is not None:
                return replace(after, adjustments=(adjustment, *after.adjustments))
    return None


def _attempt(stage: type[Stage], values: Mapping[str, Any]) -> Computation:
    """Validate inputs and compute."""
    inputs, errors = validate(stage, values)
    if inputs is None:
        message = explain_error(errors[0], stage.Inputs.model_json_schema())
        return Computation(refusal=message, errors=tuple(errors))
    try:
        return Computation(inputs, stage.compute(inputs))
    except ValueError as error:
        return Computation(refusal=str(error))


def validate(stage: type[Stage], values: Any) -> tuple[StageInputs | None, list[ErrorDetails]]:
    """The inputs of a stage with these values, or the validation errors."""
    try:
        # From JSON, so that lists may become tuples while nothing else is converted.
        return stage.Inputs.model_validate_json(json.dumps(values), strict=True), []
    except ValidationError as error:
        return None, merge_errors(error, values)


def _claims_hold(stage: type[Stage], computed: Computation) -> bool:
    return computed.inputs is not None and all(
        finding.holds for finding in stage.findings(computed.inputs, computed.values)
    )


def _words(message: str) -> list[str]:
    return re.findall(r"\w+", message)


def _adjustable(stage: type[Stage], firm: Collection[str], message: str) -> list[str]:
    """Inputs that a message names and that may be adjusted, in its order."""
    free = set(stage.Inputs.model_fields) - set(firm)
    return [name for name in dict.fromkeys(_words(message)) if name in free]


def _nearest(default: Any, part: Schema, message: str) -> Iterator[Any]:
    """Other values of an input, the nearest to its default first.

    Of numbers: those that the message names, the bounds, and a few steps to either side.
    """
    kind = {"integer": int, "number": float}.get(part.get("type", ""))
    if isinstance(default, bool):
        yield not default
    elif "enum" in part:
        yield from (value for value in part["enum"] if value != default)
    elif kind is not None:
        start = part.get("minimum", 0) if default is None else default
        named = [float(text.replace(",", "")) for text in _NUMBER.findall(message)]
        bounds = [part[key] for key in ("minimum", "maximum") if key in part]
        step = part.get("multipleOf", 1)
        around = [start + step * n for n in range(-_MOST_STEPS, _MOST_STEPS + 1)]
        found = {kind(value) for value in [*named, *bounds, *around] if kind(value) == value}
        yield from sorted(found - {default}, key=lambda value: (abs(value - start), value))


def find_remedy(
    stage: type[Stage],
    given: Mapping[str, Value],
    file_inputs: Mapping[str, Value],
    holds: Callable[[StageInputs, Any], bool] = lambda inputs, values: True,
) -> dict[str, Any]:
    """The fewest inputs to change, with new values for which the stage's claims hold.

    New values are the storyboard's, or else the stage's defaults. `holds` may demand more of the
    inputs and values. Empty if nothing helps.
    """

    def works(values: Mapping[str, Any]) -> bool:
        computed = compute_adjusted(stage, values)
        return (
            computed.inputs is not None
            and _claims_hold(stage, computed)
            and holds(computed.inputs, computed.values)
        )

    defaults = stage.Inputs().model_dump(mode="json")
    for instead in ({**defaults, **file_inputs}, defaults):
        change = {
            name: instead[name]
            for name, value in given.items()
            if name in defaults and value != instead[name]
        }
        if not change or not works({**given, **change}):
            continue
        # Texts are what a film is about, so they are the first to stay as they are.
        for name in sorted(change, key=lambda name: not isinstance(defaults[name], str)):
            fewer = {other: value for other, value in change.items() if other != name}
            if fewer and works({**given, **fewer}):
                change = fewer
        return change
    return {}


def describe_remedy(change: Mapping[str, Any], given: Mapping[str, Given], verb: str) -> str:
    """A remedy as the end of a message, each value as the user would write it in its place."""
    lines = [
        f"no {name}" if value is None and not given[name].option else given[name].line(name, value)
        for name, value in change.items()
    ]
    return f"; it {verb} with {' and '.join(lines)}" if lines else ""
