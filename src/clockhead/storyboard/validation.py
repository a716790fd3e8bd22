"""Validation errors in sentences that say what to write instead.

Pydantic finds the errors; the bounds in the sentences are read from the JSON schema of the model,
so what a message promises is what the model accepts.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, cast

from pydantic import BaseModel, ValidationError
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
from clockhead.storyboard.scalars import is_number, parse_decimal_comma, plain_value
from clockhead.storyboard.yaml_reader import KeyPath

Schema = Mapping[str, Any]
Complaints = Callable[[Any], list[ErrorDetails]]
"""The validation errors of values."""

MOST_SUGGESTIONS = 40
"""Errors of one model for which suggestions are tried, since that takes long."""
RANGE_ERRORS = {"less_than", "less_than_equal", "greater_than", "greater_than_equal"}
"""Errors whose message names the nearest value already."""
_NO_KIND = "no_kind"
"""Our error type for a value that fits no branch of a union."""
_MOST_CHARACTERS = 5
"""Misfit characters that are named."""
_APOSTROPHES = "'\N{RIGHT SINGLE QUOTATION MARK}"
_CLASS = re.compile(r"\[([^\]]+)\]")
_SYNTAX = re.compile(r"\{[\d,]*\}|[\^$()*+?|]")


def complaints_of(model: type[BaseModel], values: Any) -> list[ErrorDetails]:
    """The validation errors of values, merged; none if the model accepts them."""
    try:
        model.model_validate(values)
    except ValidationError as error:
        return merge_errors(error, values)
    return []


def merge_errors(error: ValidationError, values: Any) -> list[ErrorDetails]:
    """Pydantic's errors, one for each place and type.

    Errors of the branches of a union become one. That a list is too short is left out if some of
    its items are wrong.
    """
    found: dict[tuple[Any, ...], ErrorDetails] = {}
    for one in error.errors(include_url=False):
        if one["type"] == "too_short" and len(one["input"]) >= one["ctx"]["min_length"]:
            continue
        at = one["loc"] if one["type"] == "missing" else _existing_path(one["loc"], values)
        if at == one["loc"]:
            found[(at, one["type"])] = one
        else:
            value = reduce(lambda part, step: part[step], at, values)
            no_kind = {"type": _NO_KIND, "loc": at, "msg": "", "input": value}
            found.setdefault((at, _NO_KIND), cast(ErrorDetails, no_kind))
    return list(found.values())


def _existing_path(at: Sequence[str | int], values: Any) -> tuple[str | int, ...]:
    """The steps of a path that lead to a value; the others name a branch of a union."""
    for n_steps, step in enumerate(at):
        inside = dict(enumerate(values)) if isinstance(values, list) else values
        if not isinstance(inside, dict) or step not in inside:
            return tuple(at[:n_steps])
        values = inside[step]
    return tuple(at)


def explain_error(error: ErrorDetails, schema: Schema) -> str:
    """One error of a model with this JSON schema, in a sentence."""
    error_type, value, context = error["type"], error["input"], error.get("ctx", {})
    name = _name(error["loc"])
    part = schema_at(schema, error["loc"])
    must = f"{name} must be {describe(part)}"
    match error_type:
        case "missing":
            return f"{name} is missing"
        case "extra_forbidden":
            around = _resolve(without_null(schema_at(schema, error["loc"][:-1])), schema)
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
            step = context["multiple_of"]
            not_even = "odd" if step == 2 else f"no multiple of {step:g}"
            return f"{show(value)} is {not_even}; {must}"
        case "finite_number":
            return f"{show(value)} is not finite; {must}"
        case _ if value is None:
            may = f"{name} is left out, or {describe(without_null(part))}"
            return f"nothing is given; {may if 'default' in part else must}"
        case "string_too_short" | "string_too_long":
            return f"{count(len(value), 'character') if value else 'no text'} here; {must}"
        case "string_pattern_mismatch":
            return f"{_misfit(value, context['pattern'])}; {must}"
        case "too_short" | "too_long":
            return f"{count(len(value), 'thing') if value else 'an empty list'} here; {must}"
    is_number = part.get("type") in ("number", "integer")
    has_comma = is_number and isinstance(value, str) and parse_decimal_comma(value) is not None
    return f"{must}, not {kind(value)}{'; decimals take a point' if has_comma else ''}"


def _name(loc: Sequence[str | int]) -> str:
    """The key, and the place in its list: `pairs[0][1]`."""
    last_key = max((i for i, step in enumerate(loc) if isinstance(step, str)), default=0)
    steps = (key_name(s, dots=True) if isinstance(s, str) else f"[{s}]" for s in loc[last_key:])
    return "".join(steps) or "this"


def _misfit(text: str, pattern: str) -> str:
    """Why a text does not match a pattern."""
    misfits = _misfit_characters(text, pattern)
    if misfits and len(misfits) < len(text):
        return f"{join_names(map(show, misfits[:_MOST_CHARACTERS]))} cannot stand in {show(text)}"
    if text != text.strip():
        return f"{show(text)} begins or ends with a space"
    if "  " in text:
        return f"{show(text)} has two spaces in a row"
    size = "" if misfits else f", with {count(len(text), 'character')},"
    return f"{show(text)}{size} does not fit"


def _misfit_characters(text: str, pattern: str) -> list[str]:
    """The characters of a text that no part of its pattern allows, each once."""
    classes = "".join(f"[{inside}]|" for inside in _CLASS.findall(pattern))
    literal = _SYNTAX.sub("", _CLASS.sub("", pattern))
    allowed = re.compile(classes + (f"[{re.escape(literal)}]" if literal else "(?!)"))
    return list(dict.fromkeys(letter for letter in text if not allowed.fullmatch(letter)))


def describe(schema: Schema) -> str:
    """The values that a JSON schema allows: `an even number from 2 to 256`."""
    if "enum" in schema:
        return f"one of {join_names(map(str, schema['enum']))}"
    if "const" in schema:
        return show(schema["const"])
    if "anyOf" in schema:
        choices = [describe(choice) for choice in schema["anyOf"] if choice.get("type") != "null"]
        may_be_null = len(choices) < len(schema["anyOf"])
        return " or ".join(choices) + (", or left out" if may_be_null else "")
    match schema.get("type"):
        case "integer":
            even = schema.get("multipleOf") == 2
            return f"{'an even' if even else 'a whole'} number{_range(schema)}"
        case "number":
            return f"a number{_range(schema)}"
        case "string" if "pattern" in schema and "description" in schema:
            return str(schema["description"])
        case "string":
            return f"text{_length(schema, 'Length', 'character')}"
        case "boolean":
            return "true or false"
        case "array":
            return _describe_list(schema)
        case "null":
            return "nothing"
    return "a map of keys"


def _range(schema: Schema) -> str:
    """` from 2 to 256`, ` above 0 and up to 10,000`."""
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        return f" from {_plain(low)} to {_plain(high)}"
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    bounds = {"of at least": low, "above": above, "up to": high, "below": below}
    words = [f"{word} {_plain(bound)}" for word, bound in bounds.items() if bound is not None]
    return f" {' and '.join(words)}" if words else ""


def _plain(number: float) -> str:
    return f"{int(number):,}" if number == int(number) else f"{number:g}"


def _length(schema: Schema, of: str, noun: str) -> str:
    """` of 2 to 5 characters`."""
    low, high = schema.get(f"min{of}", 0), schema.get(f"max{of}")
    if low and low == high:
        return f" of {count(low, noun)}"
    if high is None:
        return f" of at least {count(low, noun)}" if low else ""
    return f" of {low} to {count(high, noun)}" if low else f" of at most {count(high, noun)}"


def _describe_list(schema: Schema) -> str:
    fixed = [describe(item) for item in schema.get("prefixItems", ())]
    items = {*fixed, describe(schema["items"])} if schema.get("items") else set(fixed)
    if len(items) > 1:
        return f"a list of {' and '.join(fixed)}"
    return f"a list{_length(schema, 'Items', 'thing')}" + "".join(f", each {i}" for i in items)


def schema_at(schema: Schema, loc: Sequence[str | int]) -> Schema:
    """The schema of the value at a path; empty where nothing is declared."""
    part = schema
    for step in loc:
        part = _resolve(without_null(_resolve(part, schema)), schema)
        if isinstance(step, int):
            fixed = part.get("prefixItems", ())
            part = fixed[step] if step < len(fixed) else part.get("items", {})
        else:
            part = part.get("properties", {}).get(step, part.get("additionalProperties") or {})
        if not isinstance(part, Mapping):
            return {}
    return _resolve(part, schema)


def without_null(part: Schema) -> Schema:
    """The schema of an optional value if it is given; any other schema as it is."""
    choices = [choice for choice in part.get("anyOf", ()) if choice.get("type") != "null"]
    return {**part, **choices[0]} if len(choices) == 1 else part


def _resolve(part: Schema, schema: Schema) -> Schema:
    if "$ref" not in part:
        return part
    target: Schema = schema["$defs"][part["$ref"].rpartition("/")[2]]
    return {**target, **{key: value for key, value in part.items() if key != "$ref"}}


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A value to give instead, and what is wrong with it too, if anything."""

    value: Any
    refusal: str = ""


def suggest(
    error: ErrorDetails, schema: Schema, values: Any, complaints: Complaints
) -> Suggestion | None:
    """The likeliest value for the one with this error that the model accepts.

    If it accepts none, and the value is of the right type, the likeliest one with its refusal.
    """
    at, refused = error["loc"], None
    if error["type"] in ("missing", "extra_forbidden"):
        return None
    for value in _candidates(error, without_null(schema_at(schema, at))):
        again = [e for e in complaints(replace_at(values, at, value)) if e["loc"][: len(at)] == at]
        if not again:
            return Suggestion(value)
        if error["type"] in {*RANGE_ERRORS, "string_pattern_mismatch"}:
            refused = refused or Suggestion(value, explain_error(again[0], schema))
    return refused


def replace_at(values: Any, at: Sequence[str | int], value: Any) -> Any:
    """A copy of maps and lists with another value at a path."""
    if not at:
        return value
    inner = replace_at(values[at[0]], at[1:], value)
    if isinstance(values, dict):
        return {**values, at[0]: inner}
    return [inner if index == at[0] else item for index, item in enumerate(values)]


def remove_paths(values: Any, wrong: Collection[KeyPath], at: KeyPath = ()) -> Any:
    """A copy of maps in maps without some of their keys, given by their paths."""
    if not isinstance(values, dict):
        return values
    return {
        key: remove_paths(inner, wrong, (*at, key))
        for key, inner in values.items()
        if (*at, key) not in wrong
    }


def named_part(values: Any, at: Sequence[str | int]) -> tuple[str, Any]:
    """The last key on the way to a path, and its value."""
    last = max(index for index, step in enumerate(at) if isinstance(step, str))
    return str(at[last]), reduce(lambda part, step: part[step], at[: last + 1], values)


def _candidates(error: ErrorDetails, part: Schema) -> Iterator[Any]:
    """Values that were probably meant, the likeliest first."""
    value, is_comparison = error["input"], part.get("pattern") == f"^{COMPARISON.pattern}$"
    match error["type"]:
        case "less_than" | "less_than_equal" if "maximum" in part:
            yield part["maximum"]
        case "greater_than" | "greater_than_equal" if "minimum" in part:
            yield part["minimum"]
        case "string_pattern_mismatch":
            yield from _matching_texts(value, error["ctx"]["pattern"])
        case "literal_error" | "enum":
            yield from _nearest_choices(value, part.get("enum") or [part["const"]])
        case _ if value is None:
            yield from filter(None, [part.get("default")])
        case _ if is_comparison:
            yield from filter(None, [likely_comparison(value)])
        case _:
            yield from _conversions(value, part)


def _matching_texts(text: str, pattern: str) -> Iterator[str]:
    """A text changed to match a pattern: without some signs, or else in plain small letters."""
    small = unicodedata.normalize("NFKD", text).casefold()
    small = "".join(letter for letter in small if not unicodedata.combining(letter))
    for start in (text, small, small.lstrip("!")):
        misfits = _misfit_characters(start, pattern)
        if start is text and any(letter.isalpha() for letter in misfits):
            continue  # a letter is replaced, not left out
        blanks = {m: "" if m in _APOSTROPHES else " " for m in misfits}
        changed = " ".join("".join(blanks.get(letter, letter) for letter in start).split())
        if changed and changed != text and re.fullmatch(pattern, changed):
            yield changed
            return


def _nearest_choices(value: Any, choices: Sequence[Any]) -> Iterator[Any]:
    """Choices that equal a value, or are the nearest number or text."""
    plain: Any = plain_value(value.strip()) if isinstance(value, str) else value
    yield from (choice for choice in choices if choice == plain)
    numbers = [choice for choice in choices if isinstance(choice, int | float)]
    if is_number(plain) and math.isfinite(plain) and len(numbers) > 1:
        yield min(numbers, key=lambda number: abs(number - plain))
    texts = [choice for choice in choices if isinstance(choice, str)]
    if texts and (near := nearest_name(str(value), texts)):
        yield near


def _conversions(value: Any, part: Schema) -> Iterator[Any]:
    """A value of a wrong type, converted to the type that the schema wants."""
    match part.get("type"):
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
