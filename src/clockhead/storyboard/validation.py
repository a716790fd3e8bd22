"""Validation errors in sentences that say what to write instead.

Pydantic finds the errors; the bounds in the sentences are read from the JSON schema of the model,
so what a message promises is what the model accepts.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from clockhead.storyboard.expect import COMPARISON, likely_comparison
from clockhead.storyboard.problems import (
    count,
    join_names,
    key_name,
    kind,
    nearest_name,
    show,
    unknown_name,
)
from clockhead.storyboard.scalars import parse_decimal_comma, plain_value

_CLASS = re.compile(r"\[([^\]]+)\]")
_APOSTROPHES = "'\N{RIGHT SINGLE QUOTATION MARK}"
_SYNTAX = re.compile(r"\{[\d,]*\}|[\^$()*+?|]")


def misfit_characters(text: str, pattern: str) -> list[str]:
    """The characters of a text that its pattern has in no place, each once."""
    classes = "".join(f"[{inside}]|" for inside in _CLASS.findall(pattern))
    literal = _SYNTAX.sub("", _CLASS.sub("", pattern))
    allowed = re.compile(classes + (f"[{re.escape(literal)}]" if literal else "(?!)"))
    return list(dict.fromkeys(one for one in text if not allowed.fullmatch(one)))


def fit_pattern(text: str, pattern: str) -> Iterator[str]:
    """A text as its pattern wants it: as it is but for some signs, or else in plain letters."""
    small = unicodedata.normalize("NFKD", text).casefold()
    small = "".join(one for one in small if not unicodedata.combining(one))
    for kept in (text, small, small.lstrip("!")):
        marks = misfit_characters(kept, pattern)
        if kept is text and any(mark.isalpha() for mark in marks):
            continue  # a letter is written otherwise, not left out
        spaced = "".join(
            one if one not in marks else "" if one in _APOSTROPHES else " " for one in kept
        )
        one = " ".join(spaced.split())
        if one and one != text and re.fullmatch(pattern, one):
            yield one
            return


Schema = Mapping[str, Any]

_FEW_CHARACTERS = 5
"""As many characters are named that do not belong somewhere."""


def explain_error(error: ErrorDetails, schema: Schema) -> str:
    """One error of a model with this JSON schema, in a sentence."""
    error_type, value, broken = error["type"], error["input"], error.get("ctx", {})
    name = _name(error["loc"])
    part = schema_at(schema, error["loc"])
    must = f"{name} must be {describe(part)}"
    match error_type:
        case "missing":
            return f"{name} is missing"
        case "extra_forbidden":
            around = schema_at(schema, error["loc"][:-1])
            return unknown_name("key", str(error["loc"][-1]), list(around.get("properties", ())))
        case "value_error" | "assertion_error":
            return error["msg"].split(", ", 1)[1]
        case "literal_error" | "enum" if isinstance(value, str):
            return f"{must}, not {show(value)}"
        case "greater_than" | "greater_than_equal":
            return f"{show(value)} is too small; {must}"
        case "less_than" | "less_than_equal":
            return f"{show(value)} is too large; {must}"
        case "multiple_of":
            return f"{_no_multiple(value, broken['multiple_of'])}; {must}"
        case "finite_number":
            return f"{show(value)} is not finite; {must}"
        case _ if value is None:
            may = f"{name} is left out, or {describe(without_null(part))}"
            return f"nothing is given; {may if 'default' in part else must}"
        case "string_too_short" | "string_too_long":
            return f"{_size(value, 'character', 'no text')} here; {must}"
        case "string_pattern_mismatch":
            return f"{_misfit(value, broken['pattern'])}; {must}"
        case "too_short" | "too_long":
            return f"{_size(value, 'thing', 'an empty list')} here; {must}"
    if part.get("type") in ("number", "integer") and isinstance(value, str):
        comma = "; decimals take a point" if parse_decimal_comma(value) is not None else ""
        return f"{must}, not {kind(value)}{comma}"
    return f"{must}, not {kind(value)}"


def describe(schema: Schema) -> str:
    """What a value of this JSON schema is: `an even number from 2 to 256`."""
    if "enum" in schema:
        return f"one of {join_names(map(str, schema['enum']))}"
    if "const" in schema:
        return show(schema["const"])
    if "anyOf" in schema:
        choices = [describe(choice) for choice in schema["anyOf"] if choice.get("type") != "null"]
        return " or ".join(choices) + (
            ", or left out" if len(choices) < len(schema["anyOf"]) else ""
        )
    match schema.get("type"):
        case "integer":
            even = schema.get("multipleOf") == 2
            return f"{'an even' if even else 'a whole'} number{_range(schema)}"
        case "number":
            return f"a number{_range(schema)}"
        case "string" if "pattern" in schema and "description" in schema:
            return str(schema["description"])
        case "string":
            return f"text{_length(schema, 'minLength', 'maxLength', 'character')}"
        case "boolean":
            return "true or false"
        case "array":
            return _describe_list(schema)
        case "null":
            return "nothing"
    return "a map of keys"


def schema_at(schema: Schema, loc: Sequence[str | int]) -> Schema:
    """The schema of one value inside; an empty schema where it says nothing."""
    part = schema
    for step in loc:
        part = without_null(_resolve(part, schema))
        if isinstance(step, int):
            fixed = part.get("prefixItems", ())
            part = fixed[step] if step < len(fixed) else part.get("items", {})
        else:
            part = part.get("properties", {}).get(step, part.get("additionalProperties") or {})
        if not isinstance(part, Mapping):
            return {}
    return _resolve(part, schema)


def without_null(part: Schema) -> Schema:
    """What a value is that may be left out; any other schema as it is."""
    choices = [choice for choice in part.get("anyOf", ()) if choice.get("type") != "null"]
    return {**part, **choices[0]} if len(choices) == 1 else part


def _resolve(part: Schema, schema: Schema) -> Schema:
    if "$ref" not in part:
        return part
    target: Schema = schema["$defs"][part["$ref"].rpartition("/")[2]]
    return {**target, **{key: value for key, value in part.items() if key != "$ref"}}


def _name(loc: Sequence[str | int]) -> str:
    """The key, and the place in its list: `pairs[0][1]`."""
    named = max((i for i, step in enumerate(loc) if isinstance(step, str)), default=0)
    steps = (key_name(s, dots=True) if isinstance(s, str) else f"[{s}]" for s in loc[named:])
    return "".join(steps) or "this"


def _size(value: Any, noun: str, nothing: str) -> str:
    return count(len(value), noun) if value else nothing


def _no_multiple(value: Any, step: float) -> str:
    return f"{show(value)} is odd" if step == 2 else f"{show(value)} is no multiple of {step:g}"


def _misfit(text: str, pattern: str) -> str:
    """What is wrong with a text that does not fit."""
    strange = misfit_characters(text, pattern)
    if strange and len(strange) < len(text):
        return f"{join_names(map(show, strange[:_FEW_CHARACTERS]))} cannot stand in {show(text)}"
    if text != text.strip():
        return f"{show(text)} begins or ends with a space"
    if "  " in text:
        return f"{show(text)} has two spaces in a row"
    size = "" if strange else f", with {count(len(text), 'character')},"
    return f"{show(text)}{size} does not fit"


def _range(schema: Schema) -> str:
    """` from 2 to 256`, ` above 0 and up to 10,000`."""
    low, high = schema.get("minimum"), schema.get("maximum")
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    if low is not None and high is not None:
        return f" from {_plain(low)} to {_plain(high)}"
    bounds = {"of at least": low, "above": above, "up to": high, "below": below}
    words = [f"{word} {_plain(bound)}" for word, bound in bounds.items() if bound is not None]
    return f" {' and '.join(words)}" if words else ""


def _length(schema: Schema, least: str, most: str, noun: str) -> str:
    low, high = schema.get(least, 0), schema.get(most)
    if low and low == high:
        return f" of {count(low, noun)}"
    if high is None:
        return f" of at least {count(low, noun)}" if low else ""
    return f" of {low} to {count(high, noun)}" if low else f" of at most {count(high, noun)}"


def _describe_list(schema: Schema) -> str:
    size = _length(schema, "minItems", "maxItems", "thing")
    fixed = [describe(item) for item in schema.get("prefixItems", ())]
    items = {*fixed, describe(schema["items"])} if schema.get("items") else set(fixed)
    if len(items) > 1:
        return f"a list of {' and '.join(fixed)}"
    return f"a list{size}" + "".join(f", each {item}" for item in items)


def _plain(number: float) -> str:
    return f"{int(number):,}" if number == int(number) else f"{number:g}"


RANGE_ERRORS = {"less_than", "less_than_equal", "greater_than", "greater_than_equal"}
"""Errors whose message says all that there is to say, if the nearest value will do."""
MOST_SUGGESTIONS = 40
"""For as many errors of one model it is tried out what may have been meant: that takes long."""
_NO_KIND = "no_kind"
"""The type of an error of ours: a value is none of the kinds that it may be."""
Complaints = Callable[[Any], list[ErrorDetails]]
"""What a model says about values."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A value to give instead, and what is still said of it, if anything."""

    value: Any
    refusal: str = ""


def suggest(
    error: ErrorDetails, schema: Schema, values: Any, complaints: Complaints
) -> Suggestion | None:
    """What to give instead of the value with this error: the first that the model takes.

    If it takes none, and the value is of the right type, the likeliest with what is wrong with it.
    """
    at, refused = error["loc"], None
    if error["type"] in ("missing", "extra_forbidden"):
        return None
    for value in candidates(error, without_null(schema_at(schema, at))):
        again = [e for e in complaints(replace_at(values, at, value)) if e["loc"][: len(at)] == at]
        if not again:
            return Suggestion(value)
        if error["type"] in {*RANGE_ERRORS, "string_pattern_mismatch"}:
            refused = refused or Suggestion(value, explain_error(again[0], schema))
    return refused


def merge_errors(error: ValidationError, values: Any) -> list[ErrorDetails]:
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


def replace_at(values: Any, at: Sequence[str | int], value: Any) -> Any:
    """Maps and lists with another value at a path, the old ones left as they are."""
    if not at:
        return value
    inner = replace_at(values[at[0]], at[1:], value)
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
            yield from fit_pattern(value, error["ctx"]["pattern"])
        case "value_error" if is_comparison(part):
            yield from filter(None, [likely_comparison(value)])
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
    if texts and (near := nearest_name(str(value), texts)):
        yield near


def _as_kind(value: Any, part: Schema) -> Iterator[Any]:
    """A value of another type, turned into the one that is wanted."""
    match part.get("type"):
        case "string" if is_comparison(part):
            yield from filter(None, [likely_comparison(value)])
        case "string" if isinstance(value, dict) and all(v is None for v in value.values()):
            yield f"{{{', '.join(value)}}}"
        case "string" if isinstance(value, bool):
            yield str(value).lower()
        case "string" if isinstance(value, int | float):
            yield str(value)
        case "integer" if isinstance(value, float) and value.is_integer():
            yield int(value)
        case "integer" | "number" | "boolean" if isinstance(value, str):
            number = parse_decimal_comma(value)
            plain = plain_value(value.strip()) if number is None else number
            if isinstance(plain, int | float):
                yield plain
        case "array" if isinstance(value, str):
            yield [plain_value(word) for word in re.split(r"[,;\s]+", value.strip("()[] "))]
        case "array" if isinstance(value, int | float):
            yield [value]
