"""Handles: the inputs of a shot that readers of a page can turn, and where they stop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clockhead.scenes.stage import Stage
from clockhead.storyboard.inputs import Given, validate
from clockhead.storyboard.models import MAX_STOPS, STOPS_FORM, ShotSpec
from clockhead.storyboard.problems import (
    Place,
    Problem,
    StoryboardError,
    count,
    show,
    unknown_name,
)
from clockhead.storyboard.ranges import read_values
from clockhead.storyboard.resolved import ResolvedHandle
from clockhead.storyboard.scalars import is_number
from clockhead.storyboard.validation import explain_error
from clockhead.storyboard.yaml_reader import KeyPath, Tree


def wanted_handles(
    stage: type[Stage], spec: ShotSpec, given: Mapping[str, Given]
) -> dict[str, Any]:
    """The handles of a shot, as they are written: the storyboard's, or else those of the stage.

    The stops of a stage are for what it shows by itself, so with a data file there are none.
    """
    if spec.handles is not None:
        return dict(spec.handles)
    if any(given[name].value for name in stage.data_files if name in given):
        return {}
    return {handle.input: handle.stops for handle in stage.handles}


def read_stops(stops: Any, place: Place) -> list[Any]:
    """The values at which a handle stops: of a text such as "1:20", or of a list.

    Raises:
        StoryboardError: if the text cannot be read.
    """
    if isinstance(stops, str):
        limit = f"a handle stops at no more than {MAX_STOPS}"
        return list(read_values(stops, place, form=STOPS_FORM, most=MAX_STOPS, limit=limit))
    return list(stops) if isinstance(stops, list | tuple) else [stops]


def resolve_handles(
    stage: type[Stage],
    spec: ShotSpec,
    given: Mapping[str, Given],
    inputs: Mapping[str, Any],
    tree: Tree,
    index: int,
) -> tuple[tuple[ResolvedHandle, ...], list[Problem]]:
    """The handles of the shot at an index of the file, and all problems with them.

    `inputs` are its values as JSON has them.
    """
    found: list[ResolvedHandle] = []
    problems: list[Problem] = []
    for name, written in wanted_handles(stage, spec, given).items():
        at: KeyPath = ("shots", index, "handles", name)
        if name not in inputs:
            message = unknown_name("input", name, list(inputs))
            problems.append(Problem.at(tree.key_place(at), message))
            continue
        is_own = spec.handles is None  # those of the stage have no place in the file
        place = tree.place(("shots", index, "stage") if is_own else at)
        try:
            stops = read_stops(written, place)
        except StoryboardError as error:
            problems += (Problem.at(place, one.message) for one in error.problems)
            continue
        valid: list[Any] = []
        for number, stop in enumerate(stops):
            value, wrong = _validate_stop(stage, inputs, name, stop)
            if not wrong:
                valid.append(value)
            elif is_own:
                problems.append(Problem.at(place, f"the stage's handle {name}: {wrong}"))
            else:
                item = (*at, number)
                there = tree.place(item if item in tree.values_at else at)
                problems.append(Problem.at(there, wrong))
        every = _in_order([inputs[name], *valid])
        if len(valid) == len(stops) and len(every) > MAX_STOPS + 1:
            message = f"{count(len(every), 'value')}; a handle stops at 1 to {MAX_STOPS}"
            problems.append(Problem.at(place, message))
        about = stage.Inputs.model_fields[name].description or name
        beats = next((handle.beats for handle in stage.handles if handle.input == name), ())
        found.append(ResolvedHandle(name, about, every, every.index(inputs[name]), beats))
    return tuple(found), problems


def _validate_stop(
    stage: type[Stage], inputs: Mapping[str, Any], name: str, stop: Any
) -> tuple[Any, str]:
    """A stop as JSON has it, and what is wrong with it; "" if nothing is."""
    chosen, errors = validate(stage, {**inputs, name: stop})
    for error in errors:
        if error["loc"][:1] == (name,):
            schema = stage.Inputs.model_json_schema()
            return stop, f"{show(stop)}: {explain_error(error, schema)}"
    return (chosen.model_dump(mode="json")[name] if chosen else stop), ""


def _in_order(values: list[Any]) -> tuple[Any, ...]:
    """Each value once, numbers in ascending order."""
    if all(map(is_number, values)):
        return tuple(sorted({*values}))
    return tuple(value for n, value in enumerate(values) if value not in values[:n])
