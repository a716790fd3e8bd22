"""Adjust defaults that conflict with the inputs that were given.

What the command sets comes first: the storyboard's own inputs are adjusted to it like defaults.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count, islice
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from clockhead.storyboard.explain import Schema, choice_of, explain, part_of

if TYPE_CHECKING:
    from clockhead.scenes.stage import Stage, StageInputs

_STEPS = 64
"""As many steps to either side of a default are tried."""
_NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?![\w])")


@dataclass(frozen=True, slots=True)
class Way:
    """An input that gave way: its name, its value before, and what was taken instead."""

    name: str
    default: Any
    value: Any


@dataclass(frozen=True, slots=True)
class Settled:
    """What a stage made of values for some of its inputs, or why it made nothing of them."""

    inputs: StageInputs | None = None
    values: Any = None
    refusal: str = ""
    ways: tuple[Way, ...] = field(default=())


def settle(
    stage: type[Stage], values: Mapping[str, Any], firm: Collection[str] | None = None
) -> Settled:
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
    stage: type[Stage], values: Mapping[str, Any], firm: Collection[str], refused: Settled
) -> Settled | None:
    """The first blamed input that can give way, followed by others if they have to."""
    schema = stage.Inputs.model_json_schema()
    for name in _blamed(stage, firm, refused.refusal):
        before = values.get(name, stage.Inputs.model_fields[name].default)
        passed_on, computed = None, None
        for value in _nearest(before, choice_of(part_of(schema, (name,))), refused.refusal):
            tried = _tried(stage, {**values, name: value})
            way = Way(name, before, value)
            if not tried.refusal:
                settled = Settled(tried.inputs, tried.values, ways=(way,))
                if _is_true(stage, settled):
                    return settled
                computed = computed or settled
                continue
            others = _blamed(stage, {*firm, name}, tried.refusal)
            if passed_on is None and others and name not in _words(tried.refusal):
                passed_on = way, tried
        if computed is not None:
            return computed
        if passed_on is not None:
            way, tried = passed_on
            after = _give_way(stage, {**values, name: way.value}, {*firm, name}, tried)
            if after is not None:
                return Settled(after.inputs, after.values, ways=(way, *after.ways))
    return None


def _tried(stage: type[Stage], values: Mapping[str, Any]) -> Settled:
    try:
        # JSON, so that lists may become tuples while nothing else is converted.
        inputs = stage.Inputs.model_validate_json(json.dumps(dict(values)), strict=True)
        return Settled(inputs, stage.compute(inputs))
    except ValidationError as error:
        schema = stage.Inputs.model_json_schema()
        return Settled(refusal=explain(error.errors(include_url=False)[0], schema))
    except ValueError as error:
        return Settled(refusal=str(error))


def _is_true(stage: type[Stage], settled: Settled) -> bool:
    if settled.inputs is None:
        return False
    return all(finding.holds for finding in stage.findings(settled.inputs, settled.values))


def _words(message: str) -> list[str]:
    return re.findall(r"\w+", message)


def _blamed(stage: type[Stage], firm: Collection[str], message: str) -> list[str]:
    """The inputs that a message names and that may give way, in its order."""
    open_names = set(stage.Inputs.model_fields) - set(firm)
    return [name for name in dict.fromkeys(_words(message)) if name in open_names]


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
    named = [float(text.replace(",", "")) for text in _NUMBER.findall(message)]
    bounds = [part[key] for key in ("minimum", "maximum") if key in part]
    step = part.get("multipleOf", 1)
    far = [start + side * step * n for n in islice(count(1), _STEPS) for side in (-1, 1)]
    found = {kind(value) for value in [*named, *bounds, *far] if kind(value) == value}
    if default is None:
        found.add(kind(start))
    yield from sorted(found - {default}, key=lambda value: (abs(value - start), value))
