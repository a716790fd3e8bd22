"""What each shot's stage is given: the film's inputs, then the shot's own, then the command's."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import partial, reduce
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from clockhead.storyboard.explain import explain
from clockhead.storyboard.giving_way import Settled, Way, settle
from clockhead.storyboard.mend import (
    MOST_MENDED,
    RANGES,
    Mend,
    mend,
    named_part,
    put,
    real_errors,
)
from clockhead.storyboard.models import ShotSpec
from clockhead.storyboard.problems import Place, Problem, StoryboardError
from clockhead.storyboard.remedy import remedy
from clockhead.storyboard.scalars import Value, composed, setting, written
from clockhead.storyboard.source import value_of
from clockhead.storyboard.tree import At, Tree
from clockhead.storyboard.wording import show, unknown

if TYPE_CHECKING:
    from clockhead.scenes.stage import Stage, StageInputs

_SETTING = re.compile(r"(?:(?P<shot>[^.=]+)\.)?(?P<name>[^.=]+)=(?P<value>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Given:
    """A value for an input, and where it was written: in the tree, or on the command line."""

    value: Value
    source: Tree | Place
    at: At = ()
    option: str = ""
    """What it is called on the command line."""

    def line(self, key: str, value: Any) -> str:
        """How another value is given in the same place."""
        return setting(self.option, value) if self.option else f"{key}: {written(value)}"

    def place(self, inside: At = ()) -> Place:
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
            value = value_of(match["value"], place.file)
        except StoryboardError as error:
            problems.extend(error.problems)
        else:
            option = text.partition("=")[0].strip()
            settings.append(
                Setting(match["shot"], match["name"].strip(), Given(value, place, option=option))
            )
    return settings, problems


def gather(
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


def override(
    given: dict[str, Given], settings: Iterable[Setting], shot: str, known: Collection[str]
) -> dict[str, Given]:
    """What the command gives in place of it. What is for one shot alone wins."""
    fits = [s for s in settings if s.shot == shot or (s.shot is None and s.name in known)]
    fits.sort(key=lambda setting: setting.shot is not None)
    return given | {setting.name: setting.given for setting in fits}


@dataclass(frozen=True, slots=True)
class Taken:
    """What a stage made of what it was given: inputs and values, if there are any."""

    problems: list[Problem]
    """If there are any, inputs and values are of what was probably meant."""
    inputs: StageInputs | None = None
    values: Any = None
    ways: tuple[Way, ...] = ()
    """Defaults, and inputs of the storyboard, that gave way to what was given."""


def take(
    stage: type[Stage],
    given: Mapping[str, Given],
    shot: Place,
    file_inputs: Mapping[str, Value],
) -> Taken:
    """Have a stage take its inputs and compute its values, and say what is wrong with them.

    Inputs that were not given give way to those that were, and the storyboard's to what the command
    sets. What a message offers has been tried: the stage takes it and computes with it.
    `file_inputs` are the storyboard's own, without what the command sets.
    """
    values = {name: composed(item.value) for name, item in given.items()}
    found = _complaints(stage.Inputs, values)
    firm = {name for name, item in given.items() if item.option} or set(values)
    if not any(error["loc"] and error["loc"][0] in values for error in found):
        settled = settle(stage, values, firm)
        if not settled.refusal:
            return Taken([], settled.inputs, settled.values, settled.ways)
    schema = stage.Inputs.model_json_schema()
    mends = {
        error["loc"]: made
        for error in found[:MOST_MENDED]
        if error["loc"][:1]
        and error["loc"][0] in values
        and (made := mend(error, schema, values, partial(_complaints, stage.Inputs)))
    }
    sound = {at: made for at, made in mends.items() if not made.refusal}
    unmended = {error["loc"][0] for error in found if error["loc"] and error["loc"] not in sound}
    mended = reduce(lambda so_far, at: put(so_far, at, sound[at].value), sound, values)
    computed = settle(stage, mended) if len(sound) == len(found) else Settled()
    problems = []
    for error in found:
        name, *inside = error["loc"] or ("",)
        source = given.get(str(name))
        if source is None:
            advice = remedy_advice(remedy(stage, values, [file_inputs]), given, "works")
            problems.append(Problem.at(shot, explain(error, schema) + advice))
        elif error["type"] == "extra_forbidden" and not inside:
            names = list(stage.Inputs.model_fields)
            problems.append(Problem.at(source.key_place, unknown("input", str(name), names)))
        else:
            made = mends.get(error["loc"])
            advice = _refusal(error, made, computed.refusal)
            if not advice and made and name not in unmended and error["type"] not in RANGES:
                advice = f": write {source.line(*named_part(mended, error['loc']))}"
            message = explain(error, schema) + advice
            problems.append(Problem.at(source.place(tuple(inside)), message))
    if computed.refusal and not _is_of_mended(computed.refusal, mends):
        place = blame(computed.refusal, given, shot)
        advice = remedy_advice(remedy(stage, mended, [file_inputs]), given, "works")
        problems.append(Problem.at(place, computed.refusal + advice))
    return Taken(problems, computed.inputs, computed.values, computed.ways)


def remedy_advice(change: Mapping[str, Any], given: Mapping[str, Given], verb: str) -> str:
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
        return real_errors(error, values)
    return []


def _is_of_mended(refusal: str, mends: Mapping[At, Mend | None]) -> bool:
    """Whether a refusal speaks of an input, or of a value, that was put in place of a wrong one."""
    words = re.findall(r"[\w.]+", refusal.replace(",", ""))
    return any(at[0] in words or (made and show(made.value) in words) for at, made in mends.items())


def _refusal(error: ErrorDetails, made: Mend | None, of_all: str) -> str:
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
