"""Inputs of each shot's stage: the film's, then the shot's own, then the command's.

If they do not work together, default inputs are adjusted to the ones given, and messages offer
inputs that work.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial, reduce
from itertools import count, islice
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


@dataclass(frozen=True, slots=True)
class Given:
    """A value for an input, and where it was written: in the tree, or on the command line."""

    value: Value
    source: Tree | Place
    at: KeyPath = ()
    option: str = ""
    """What it is called on the command line."""

    def line(self, key: str, value: Any) -> str:
        """How another value is given in the same place."""
        return set_option(self.option, value) if self.option else f"{key}: {yaml_text(value)}"

    def place(self, inside: KeyPath = ()) -> Place:
        """Where the value, or a part of it, was written."""
        return (
            self.source if isinstance(self.source, Place) else self.source.place(self.at + inside)
        )

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
    """`--set input=value`, for every shot that knows the name, or `--set shot.input=value`."""

    shot: str | None
    name: str
    given: Given


def read_settings(texts: Iterable[str]) -> tuple[list[Setting], list[Problem]]:
    """Understand `--set`, and say what is wrong with what cannot be understood."""
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
            settings.append(
                Setting(match["shot"], match["name"].strip(), Given(value, place, option=option))
            )
    return settings, problems


def inputs_in_file(
    tree: Tree, index: int, spec: ShotSpec, film_inputs: Mapping[str, Value], known: Collection[str]
) -> dict[str, Given]:
    """What the file gives the stage of shot `index`, which takes the inputs `known`."""
    shared = {name: Given(film_inputs[name], tree, ("inputs", name)) for name in film_inputs}
    own = {
        name: Given(value, tree, ("shots", index, "inputs", name))
        for name, value in spec.inputs.items()
    }
    given = {name: item for name, item in shared.items() if name in known} | own
    return {name: item for name, item in given.items() if not tree.is_broken(item.at)}


def apply_settings(
    given: dict[str, Given], settings: Iterable[Setting], shot: str, known: Collection[str]
) -> dict[str, Given]:
    """What the command gives in place of it. What is for one shot alone wins."""
    fits = [s for s in settings if s.shot == shot or (s.shot is None and s.name in known)]
    fits.sort(key=lambda setting: setting.shot is not None)
    return given | {setting.name: setting.given for setting in fits}


@dataclass(frozen=True, slots=True)
class ResolvedInputs:
    """What a stage made of what it was given: inputs and values, if there are any."""

    problems: list[Problem]
    """If there are any, inputs and values are of what was probably meant."""
    inputs: StageInputs | None = None
    values: Any = None
    adjustments: tuple[Adjustment, ...] = ()
    """Defaults, and inputs of the storyboard, that gave way to what was given."""


def resolve_inputs(
    stage: type[Stage],
    given: Mapping[str, Given],
    shot: Place,
    file_inputs: Mapping[str, Value],
) -> ResolvedInputs:
    """Have a stage take its inputs and compute its values, and say what is wrong with them.

    Inputs that were not given give way to those that were, and the storyboard's to what the command
    sets. What a message offers has been tried: the stage takes it and computes with it.
    `file_inputs` are the storyboard's own, without what the command sets.
    """
    values = {name: normalize_text(item.value) for name, item in given.items()}
    found = _complaints(stage.Inputs, values)
    firm = {name for name, item in given.items() if item.option} or set(values)
    if not any(error["loc"] and error["loc"][0] in values for error in found):
        settled = compute_adjusted(stage, values, firm)
        if not settled.refusal:
            return ResolvedInputs([], settled.inputs, settled.values, settled.adjustments)
    schema = stage.Inputs.model_json_schema()
    mends = {
        error["loc"]: made
        for error in found[:MOST_SUGGESTIONS]
        if error["loc"][:1]
        and error["loc"][0] in values
        and (made := suggest(error, schema, values, partial(_complaints, stage.Inputs)))
    }
    sound = {at: made for at, made in mends.items() if not made.refusal}
    unmended = {error["loc"][0] for error in found if error["loc"] and error["loc"] not in sound}
    mended = reduce(lambda so_far, at: replace_at(so_far, at, sound[at].value), sound, values)
    computed = compute_adjusted(stage, mended) if len(sound) == len(found) else Computation()
    problems = []
    for error in found:
        name, *inside = error["loc"] or ("",)
        source = given.get(str(name))
        if source is None:
            advice = describe_remedy(find_remedy(stage, values, [file_inputs]), given, "works")
            problems.append(Problem.at(shot, explain_error(error, schema) + advice))
        elif error["type"] == "extra_forbidden" and not inside:
            names = list(stage.Inputs.model_fields)
            problems.append(Problem.at(source.key_place, unknown_name("input", str(name), names)))
        else:
            made = mends.get(error["loc"])
            advice = _refusal(error, made, computed.refusal)
            if not advice and made and name not in unmended and error["type"] not in RANGE_ERRORS:
                advice = f": write {source.line(*named_part(mended, error['loc']))}"
            message = explain_error(error, schema) + advice
            problems.append(Problem.at(source.place(tuple(inside)), message))
    if computed.refusal and not _is_of_mended(computed.refusal, mends):
        place = blame(computed.refusal, given, shot)
        advice = describe_remedy(find_remedy(stage, mended, [file_inputs]), given, "works")
        problems.append(Problem.at(place, computed.refusal + advice))
    return ResolvedInputs(problems, computed.inputs, computed.values, computed.adjustments)


def describe_remedy(change: Mapping[str, Any], given: Mapping[str, Given], verb: str) -> str:
    """A remedy as the end of a message, each value as it is written where the other was."""
    lines = [
        f"no {name}" if value is None and not given[name].option else given[name].line(name, value)
        for name, value in change.items()
    ]
    return f"; it {verb} with {' and '.join(lines)}" if lines else ""


def _complaints(model: type[StageInputs], values: Any) -> list[ErrorDetails]:
    try:
        model.model_validate_json(json.dumps(values), strict=True)
    except ValidationError as error:
        return merge_errors(error, values)
    return []


def _is_of_mended(refusal: str, mends: Mapping[KeyPath, Suggestion | None]) -> bool:
    """Whether a refusal speaks of an input, or of a value, that was put in place of a wrong one."""
    words = re.findall(r"[\w.]+", refusal.replace(",", ""))
    return any(at[0] in words or (made and show(made.value) in words) for at, made in mends.items())


def _refusal(error: ErrorDetails, made: Suggestion | None, of_all: str) -> str:
    """Why what comes to mind first would not do either, by itself or with all the rest."""
    if made is None:
        return ""
    refusal = made.refusal or (of_all if _blamed(of_all) == error["loc"][0] else "")
    return f"; nor would {show(made.value)} do: {refusal}" if refusal else ""


def blame(message: str, given: Mapping[str, Given], shot: Place) -> Place:
    """Where the first input was written that a message of the model names."""
    named = (name for name in re.findall(r"\w+", message) if name in given)
    name = next(named, None)
    return shot if name is None else given[name].place()


def _blamed(message: str) -> str:
    """The name with which a message of the model starts."""
    first = re.match(r"\W?(\w+)", message)
    return first[1] if first else ""


_STEPS = 64
"""As many steps to either side of a default are tried."""
_NUMBER_IN_MESSAGE = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?![\w])")


@dataclass(frozen=True, slots=True)
class Adjustment:
    """An input that gave way: its name, its value before, and what was taken instead."""

    name: str
    default: Any
    value: Any


@dataclass(frozen=True, slots=True)
class Computation:
    """What a stage made of values for some of its inputs, or why it made nothing of them."""

    inputs: StageInputs | None = None
    values: Any = None
    refusal: str = ""
    adjustments: tuple[Adjustment, ...] = field(default=())


def compute_adjusted(
    stage: type[Stage], values: Mapping[str, Any], firm: Collection[str] | None = None
) -> Computation:
    """Have a stage take values and compute; inputs that a refusal blames give way to the others.

    Each takes the nearest value with which the stage computes, best one with which all that it says
    holds; those named in `firm` stay, by default all `values`. If nothing helps, the refusal is the
    first one.
    """
    first = _tried(stage, values)
    if not first.refusal or not values:
        return first
    return _give_way(stage, values, values if firm is None else firm, first) or first


def _give_way(
    stage: type[Stage], values: Mapping[str, Any], firm: Collection[str], refused: Computation
) -> Computation | None:
    """The first blamed input that can give way, followed by others if they have to."""
    schema = stage.Inputs.model_json_schema()
    for name in _adjustable(stage, firm, refused.refusal):
        before = values.get(name, stage.Inputs.model_fields[name].default)
        passed_on, computed = None, None
        for value in _nearest(before, without_null(schema_at(schema, (name,))), refused.refusal):
            tried = _tried(stage, {**values, name: value})
            way = Adjustment(name, before, value)
            if not tried.refusal:
                settled = Computation(tried.inputs, tried.values, adjustments=(way,))
                if _is_true(stage, settled):
                    return settled
                computed = computed or settled
                continue
            others = _adjustable(stage, {*firm, name}, tried.refusal)
            if passed_on is None and others and name not in _words_in(tried.refusal):
                passed_on = way, tried
        if computed is not None:
            return computed
        if passed_on is not None:
            way, tried = passed_on
            after = _give_way(stage, {**values, name: way.value}, {*firm, name}, tried)
            if after is not None:
                return Computation(
                    after.inputs, after.values, adjustments=(way, *after.adjustments)
                )
    return None


def _tried(stage: type[Stage], values: Mapping[str, Any]) -> Computation:
    try:
        # JSON, so that lists may become tuples while nothing else is converted.
        inputs = stage.Inputs.model_validate_json(json.dumps(dict(values)), strict=True)
        return Computation(inputs, stage.compute(inputs))
    except ValidationError as error:
        schema = stage.Inputs.model_json_schema()
        return Computation(refusal=explain_error(error.errors(include_url=False)[0], schema))
    except ValueError as error:
        return Computation(refusal=str(error))


def _is_true(stage: type[Stage], settled: Computation) -> bool:
    if settled.inputs is None:
        return False
    return all(finding.holds for finding in stage.findings(settled.inputs, settled.values))


def _words_in(message: str) -> list[str]:
    return re.findall(r"\w+", message)


def _adjustable(stage: type[Stage], firm: Collection[str], message: str) -> list[str]:
    """The inputs that a message names and that may give way, in its order."""
    open_names = set(stage.Inputs.model_fields) - set(firm)
    return [name for name in dict.fromkeys(_words_in(message)) if name in open_names]


def _nearest(default: Any, part: Schema, message: str) -> Iterator[Any]:
    """Other values of an input, the nearest to its default first."""
    if isinstance(default, bool):
        yield not default
    elif "enum" in part:
        yield from (value for value in part["enum"] if value != default)
    elif part.get("type") == "integer":
        yield from _numbers(default, part, message, int)
    elif part.get("type") == "number":
        yield from _numbers(default, part, message, float)


def _numbers(default: Any, part: Schema, message: str, kind: type) -> Iterator[int | float]:
    """Numbers that the message names, the bounds, and what is a few steps away."""
    start = part.get("minimum", 0) if default is None else default
    named = [float(text.replace(",", "")) for text in _NUMBER_IN_MESSAGE.findall(message)]
    bounds = [part[key] for key in ("minimum", "maximum") if key in part]
    step = part.get("multipleOf", 1)
    far = [start + side * step * n for n in islice(count(1), _STEPS) for side in (-1, 1)]
    found = {kind(value) for value in [*named, *bounds, *far] if kind(value) == value}
    if default is None:
        found.add(kind(start))
    yield from sorted(found - {default}, key=lambda value: (abs(value - start), value))


def find_remedy(
    stage: type[Stage],
    given: Mapping[str, Value],
    others: Iterable[Mapping[str, Value]],
    holds: Callable[[StageInputs, Any], bool] = lambda inputs, values: True,
) -> dict[str, Any]:
    """The fewest inputs to give another value, and these values: with them the stage computes, all
    its claims hold, and `holds` says yes.

    `others` are values to take instead, the ones to try first in front; what is not in them is
    taken from the stage's defaults. Nothing if none of them helps.
    """

    def works(values: Mapping[str, Any]) -> bool:
        settled = compute_adjusted(stage, values)
        if settled.refusal or settled.inputs is None:
            return False
        findings = stage.findings(settled.inputs, settled.values)
        return all(finding.holds for finding in findings) and holds(settled.inputs, settled.values)

    own = stage.Inputs().model_dump(mode="json")
    for instead in [*others, own]:
        change = {
            name: instead.get(name, own[name])
            for name in given
            if name in own and given[name] != instead.get(name, own[name])
        }
        if not change or not works({**given, **change}):
            continue
        # Texts are what a film is about: they are the first to stay as they are.
        for name in sorted(change, key=lambda name: not isinstance(own[name], str)):
            fewer = {other: value for other, value in change.items() if other != name}
            if fewer and works({**given, **fewer}):
                change = fewer
        return change
    return {}


LONGEST_NAME = 40
_DIGITS = 6
"""Of the hash that stands for what a name cannot hold."""


def variant_name(name: str, settings: Iterable[Setting]) -> str:
    """`rope` with `d_head=64` is `rope-d_head-64`; what is too long or odd ends in a hash."""
    parts = [_setting_in_name(set_option) for set_option in settings]
    whole = "-".join([name, *parts])
    plain = re.sub(r"[^a-z0-9_]+", "-", whole.lower().replace(".", "_")).strip("-")
    if len(plain) <= LONGEST_NAME and all(re.fullmatch(r"[a-z0-9_. -]*", part) for part in parts):
        return plain
    digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:_DIGITS]
    return f"{plain[: LONGEST_NAME - _DIGITS - 1].rstrip('-')}-{digest}"


def _setting_in_name(item: Setting) -> str:
    value = item.given.value
    text = value if isinstance(value, str) else json.dumps(value)
    return "-".join(part for part in (item.shot, item.name, text) if part)
