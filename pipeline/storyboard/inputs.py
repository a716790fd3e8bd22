"""What each shot's stage is given: the film's inputs, then the shot's own, then the command's."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import ValidationError

from pipeline.storyboard.explain import explain
from pipeline.storyboard.models import ShotSpec
from pipeline.storyboard.problems import Place, Problem, StoryboardError
from pipeline.storyboard.source import value_of
from pipeline.storyboard.tree import At, Tree, Value
from pipeline.storyboard.wording import unknown

if TYPE_CHECKING:
    from scenes.stage import StageInputs

_SETTING = re.compile(r"(?:(?P<shot>[^.=]+)\.)?(?P<name>[^.=]+)=(?P<value>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Given:
    """A value for an input, and where it was written: in the tree, or on the command line."""

    value: Value
    source: Tree | Place
    at: At = ()

    def place(self, inside: At = ()) -> Place:
        """Where the value, or a part of it, was written."""
        return (
            self.source if isinstance(self.source, Place) else self.source.place(self.at + inside)
        )

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
            settings.append(Setting(match["shot"], match["name"].strip(), Given(value, place)))
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


def validate(
    model: type[StageInputs],
    given: Mapping[str, Given],
    shot: Place,
    gone: Mapping[str, str],
) -> tuple[StageInputs | None, list[Problem]]:
    """The inputs as the stage takes them, or what is wrong with them.

    `gone` says what to write instead of inputs that older storyboards gave.
    """
    values = json.dumps({name: item.value for name, item in given.items()})
    try:
        # JSON, so that lists may become tuples while nothing else is converted.
        return model.model_validate_json(values, strict=True), []
    except ValidationError as error:
        schema = model.model_json_schema()
        found = error.errors(include_url=False)
    problems = []
    for item in found:
        name, *inside = item["loc"] or ("",)
        source = given.get(str(name))
        if source is None:
            problems.append(Problem.at(shot, explain(item, schema)))
        elif item["type"] == "extra_forbidden" and not inside:
            names = list(model.model_fields)
            problems.append(Problem.at(source.key_place, unknown("input", str(name), names, gone)))
        else:
            problems.append(Problem.at(source.place(tuple(inside)), explain(item, schema)))
    return None, problems


def blame(message: str, given: Mapping[str, Given], shot: Place) -> Place:
    """Where the input was written with whose name a message of the model starts."""
    first = re.match(r"\W?(\w+)", message)
    return given[first[1]].place() if first and first[1] in given else shot
