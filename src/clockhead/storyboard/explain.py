"""Validation errors in sentences that say what to write instead.

Pydantic finds the errors; the bounds in the sentences are read from the JSON schema of the model,
so what a message promises is what the model accepts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic_core import ErrorDetails

from clockhead.storyboard.patterns import strangers
from clockhead.storyboard.scalars import with_decimal_point
from clockhead.storyboard.wording import count, key_name, kind, listed, show, unknown

Schema = Mapping[str, Any]

_FEW = 5
"""As many characters are named that do not belong somewhere."""


def explain(error: ErrorDetails, schema: Schema) -> str:
    """One error of a model with this JSON schema, in a sentence."""
    error_type, value, broken = error["type"], error["input"], error.get("ctx", {})
    name = _name(error["loc"])
    part = part_of(schema, error["loc"])
    must = f"{name} must be {describe(part)}"
    match error_type:
        case "missing":
            return f"{name} is missing"
        case "extra_forbidden":
            around = part_of(schema, error["loc"][:-1])
            return unknown("key", str(error["loc"][-1]), list(around.get("properties", ())))
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
            may = f"{name} is left out, or {describe(choice_of(part))}"
            return f"nothing is given; {may if 'default' in part else must}"
        case "string_too_short" | "string_too_long":
            return f"{_size(value, 'character', 'no text')} here; {must}"
        case "string_pattern_mismatch":
            return f"{_misfit(value, broken['pattern'])}; {must}"
        case "too_short" | "too_long":
            return f"{_size(value, 'thing', 'an empty list')} here; {must}"
    if part.get("type") in ("number", "integer") and isinstance(value, str):
        comma = "; decimals take a point" if with_decimal_point(value) is not None else ""
        return f"{must}, not {kind(value)}{comma}"
    return f"{must}, not {kind(value)}"


def describe(schema: Schema) -> str:
    """What a value of this JSON schema is: `an even number from 2 to 256`."""
    if "enum" in schema:
        return f"one of {listed(map(str, schema['enum']))}"
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


def part_of(schema: Schema, loc: Sequence[str | int]) -> Schema:
    """The schema of one value inside; an empty schema where it says nothing."""
    part = schema
    for step in loc:
        part = choice_of(_resolve(part, schema))
        if isinstance(step, int):
            fixed = part.get("prefixItems", ())
            part = fixed[step] if step < len(fixed) else part.get("items", {})
        else:
            part = part.get("properties", {}).get(step, part.get("additionalProperties") or {})
        if not isinstance(part, Mapping):
            return {}
    return _resolve(part, schema)


def choice_of(part: Schema) -> Schema:
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
    strange = strangers(text, pattern)
    if strange and len(strange) < len(text):
        return f"{listed(map(show, strange[:_FEW]))} cannot stand in {show(text)}"
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
