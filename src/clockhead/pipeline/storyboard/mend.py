"""Values that a validation error's author may have meant. Whoever offers one tries it out first."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from clockhead.pipeline.storyboard.expect import COMPARISON, meant
from clockhead.pipeline.storyboard.explain import Schema, choice_of, explain, part_of
from clockhead.pipeline.storyboard.patterns import fitting
from clockhead.pipeline.storyboard.scalars import plain_value, with_decimal_point
from clockhead.pipeline.storyboard.wording import nearest

RANGES = {"less_than", "less_than_equal", "greater_than", "greater_than_equal"}
"""Errors whose message says all that there is to say, if the nearest value will do."""
MOST_MENDED = 40
"""For as many errors of one model it is tried out what may have been meant: that takes long."""
Complaints = Callable[[Any], list[ErrorDetails]]
"""What a model says about values."""


@dataclass(frozen=True, slots=True)
class Mend:
    """A value to give instead, and what is still said of it, if anything."""

    value: Any
    refusal: str = ""


def mend(error: ErrorDetails, schema: Schema, values: Any, complaints: Complaints) -> Mend | None:
    """What to give instead of the value with this error: the first that the model takes.

    If it takes none, and the value is of the right type, the likeliest with what is wrong with it.
    """
    at, refused = error["loc"], None
    if error["type"] in ("missing", "extra_forbidden"):
        return None
    for value in candidates(error, choice_of(part_of(schema, at))):
        again = [e for e in complaints(put(values, at, value)) if e["loc"][: len(at)] == at]
        if not again:
            return Mend(value)
        if error["type"] in {*RANGES, "string_pattern_mismatch"}:
            refused = refused or Mend(value, explain(again[0], schema))
    return refused


def real_errors(error: ValidationError) -> list[ErrorDetails]:
    """Pydantic's errors, but not that a list is too short where only some of it is wrong."""
    return [
        one
        for one in error.errors(include_url=False)
        if one["type"] != "too_short" or len(one["input"]) < one["ctx"]["min_length"]
    ]


def put(values: Any, at: Sequence[str | int], value: Any) -> Any:
    """Maps and lists with another value at a path, the old ones left as they are."""
    if not at:
        return value
    inner = put(values[at[0]], at[1:], value)
    if isinstance(values, dict):
        return {**values, at[0]: inner}
    return [inner if index == at[0] else item for index, item in enumerate(values)]


def named_part(values: Any, at: Sequence[str | int]) -> tuple[str, Any]:
    """The last key on the way to a path, and what it holds."""
    last = max(index for index, step in enumerate(at) if isinstance(step, str))
    for step in at[: last + 1]:
        values = values[step]
    return str(at[last]), values


def candidates(error: ErrorDetails, part: Schema) -> Iterator[Any]:
    """What may have been meant where an error is, the likeliest first."""
    value = error["input"]
    match error["type"]:
        case "less_than" | "less_than_equal" if "maximum" in part:
            yield part["maximum"]
        case "greater_than" | "greater_than_equal" if "minimum" in part:
            yield part["minimum"]
        case "string_pattern_mismatch":
            yield from fitting(value, part["pattern"])
        case "value_error" if is_comparison(part):
            yield from filter(None, [meant(value)])
        case "literal_error" | "enum" if near := nearest(str(value), part.get("enum", ())):
            yield near
        case _ if value is None:
            yield from filter(None, [part.get("default")])
        case _:
            yield from _as_kind(value, part)


def is_comparison(part: Schema) -> bool:
    """Whether a JSON schema is that of what is expected of a fact."""
    return part.get("pattern") == f"^{COMPARISON.pattern}$"


def _as_kind(value: Any, part: Schema) -> Iterator[Any]:
    """A value of another type, turned into the one that is wanted."""
    match part.get("type"):
        case "string" if is_comparison(part):
            yield from filter(None, [meant(value)])
        case "string" if isinstance(value, dict) and all(v is None for v in value.values()):
            yield f"{{{', '.join(value)}}}"
        case "string" if isinstance(value, bool):
            yield str(value).lower()
        case "string" if isinstance(value, int | float):
            yield str(value)
        case "integer" if isinstance(value, float) and value.is_integer():
            yield int(value)
        case "integer" | "number" | "boolean" if isinstance(value, str):
            number = with_decimal_point(value)
            plain = plain_value(value.strip()) if number is None else number
            if isinstance(plain, int | float):
                yield plain
        case "array" if isinstance(value, str):
            yield [plain_value(word) for word in re.split(r"[,;\s]+", value.strip("()[] "))]
        case "array" if isinstance(value, int | float):
            yield [value]
