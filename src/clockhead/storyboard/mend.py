"""Values that a validation error's author may have meant. Whoever offers one tries it out first."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from clockhead.storyboard.expect import COMPARISON, meant
from clockhead.storyboard.explain import Schema, choice_of, explain, part_of
from clockhead.storyboard.patterns import fitting
from clockhead.storyboard.scalars import plain_value, with_decimal_point
from clockhead.storyboard.wording import nearest

RANGES = {"less_than", "less_than_equal", "greater_than", "greater_than_equal"}
"""Errors whose message says all that there is to say, if the nearest value will do."""
MOST_MENDED = 40
"""For as many errors of one model it is tried out what may have been meant: that takes long."""
_NO_KIND = "no_kind"
"""The type of an error of ours: a value is none of the kinds that it may be."""
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


def real_errors(error: ValidationError, values: Any) -> list[ErrorDetails]:
    """Pydantic's errors with values, but not that a list is too short where some of it is wrong.

    Of a value that is none of several kinds, it says what is wrong with each; here that is one.
    """
    found: dict[tuple[Any, ...], ErrorDetails] = {}
    for one in error.errors(include_url=False):
        if one["type"] == "too_short" and len(one["input"]) >= one["ctx"]["min_length"]:
            continue
        at = one["loc"] if one["type"] == "missing" else _existing(one["loc"], values)
        if at == one["loc"]:
            found[(at, one["type"])] = one
        else:
            value = reduce(lambda part, step: part[step], at, values)
            told = {"type": _NO_KIND, "loc": at, "msg": "", "input": value}
            found.setdefault((at, _NO_KIND), cast(ErrorDetails, told))
    return list(found.values())


def _existing(at: Sequence[str | int], values: Any) -> tuple[str | int, ...]:
    """The steps of a path that lead to something; the others name a kind."""
    for n_steps, step in enumerate(at):
        is_there = (
            step in values
            if isinstance(values, dict)
            else isinstance(values, list) and isinstance(step, int) and step < len(values)
        )
        if not is_there:
            return tuple(at[:n_steps])
        values = values[step]
    return tuple(at)


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
            yield from fitting(value, error["ctx"]["pattern"])
        case "value_error" if is_comparison(part):
            yield from filter(None, [meant(value)])
        case "literal_error" | "enum":
            yield from _choices(value, part.get("enum") or [part["const"]])
        case _ if value is None:
            yield from filter(None, [part.get("default")])
        case _:
            yield from _as_kind(value, part)


def is_comparison(part: Schema) -> bool:
    """Whether a JSON schema is that of what is expected of a fact."""
    return part.get("pattern") == f"^{COMPARISON.pattern}$"


def _choices(value: Any, choices: Sequence[Any]) -> Iterator[Any]:
    """The choices that are like a value: of the same worth, or as a text or a number nearest."""
    plain: Any = plain_value(value.strip()) if isinstance(value, str) else value
    yield from (one for one in choices if one == plain)
    numbers = [one for one in choices if isinstance(one, int | float)]
    is_number = isinstance(plain, int | float) and not isinstance(plain, bool)
    if is_number and math.isfinite(plain) and len(numbers) > 1:
        yield min(numbers, key=lambda number: abs(number - plain))
    texts = [one for one in choices if isinstance(one, str)]
    if texts and (near := nearest(str(value), texts)):
        yield near


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
