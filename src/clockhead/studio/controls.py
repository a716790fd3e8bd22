"""The inputs of a shot as things to turn, made from the schema of its stage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import floor, log10
from typing import Any

from clockhead.scenes.stage import Stage, StageInputs
from clockhead.storyboard.inputs import Given
from clockhead.storyboard.scalars import yaml_text
from clockhead.storyboard.validation import Schema, describe, schema_at, without_null
from clockhead.studio.news import Control

_STEPS = 200
"""About as many steps has a slider over real numbers."""
_FINEST = 10_000
"""Into as many parts a range is divided to stand off a bound that is not allowed itself."""


def controls(
    stage: type[Stage], given: Mapping[str, Given], taken: StageInputs | None, place: int
) -> Iterator[Control]:
    """Every input of the stage, in its order.

    `taken` are the inputs as they were understood; without them, what was written is shown.
    """
    schema = stage.Inputs.model_json_schema()
    known = taken.model_dump(mode="json") if taken else {}
    for name in stage.Inputs.model_fields:
        part = without_null(schema_at(schema, (name,)))
        source = given.get(name)
        default = part.get("default")
        value = source.value if source else known.get(name, default)
        yield _control(name, part, value, source.at if source else (), place)


def _control(name: str, part: Schema, value: Any, at: tuple[str | int, ...], place: int) -> Control:
    kind = _kind(part)
    if kind == "list":
        value = "" if value is None else yaml_text(value)
    least, most = _bounds(part)
    return Control(
        name=name,
        about=str(part.get("description", "")),
        allowed=describe({key: said for key, said in part.items() if key != "anyOf"}),
        kind=kind,
        value=value,
        default=part.get("default"),
        at=at or ("shots", place, "inputs", name),
        given="" if not at else "shot" if at[0] == "shots" else "film",
        least=least,
        most=most,
        step=_step(part, least, most),
        whole=part.get("type") == "integer",
        choices=tuple(part.get("enum", ())),
    )


def _kind(part: Schema) -> Any:
    if "enum" in part:
        return "choice"
    kinds = {"integer": "number", "number": "number", "boolean": "switch", "string": "text"}
    return kinds.get(str(part.get("type")), "list")


def _bounds(part: Schema) -> tuple[float | None, float | None]:
    """The least and the most that a number may be; of open bounds, the nearest that is sensible."""
    low, high = part.get("minimum"), part.get("maximum")
    above, below = part.get("exclusiveMinimum"), part.get("exclusiveMaximum")
    whole = part.get("type") == "integer"
    ends = [end for end in (low, above, high, below) if end is not None]
    gap = 1.0 if whole else (max(ends) - min(ends) or 1.0) / _FINEST if ends else 0.0
    least = low if low is not None else None if above is None else above + gap
    most = high if high is not None else None if below is None else below - gap
    return (None if least is None else float(least), None if most is None else float(most))


def _step(part: Schema, least: float | None, most: float | None) -> float | None:
    """How far one step of a slider goes: 1, or a round part of all that there is."""
    if part.get("type") == "integer":
        return float(part.get("multipleOf", 1))
    if least is None or most is None or most <= least:
        return None
    return float(10.0 ** floor(log10((most - least) / _STEPS * 2)))
