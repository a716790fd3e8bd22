"""Legal inputs of a stage, drawn from the bounds that its `Inputs` state."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from pydantic import ValidationError

from clockhead.scenes.stage import Stage, StageInputs

_WORDS = ("a", "b", "the", "cat", "sat", "on", "mat", "and", "ran", "to", "be", "or", "not", "dog")
_LONG = ("abcdefg", "wonderful", "abcdefghij", "i")


def drawn_inputs(stage: type[Stage]) -> st.SearchStrategy[StageInputs | None]:
    """Inputs within their bounds; None where some do not go together and the stage says so.

    Each input is left at its default half of the time, so that few of them are strange at once.
    """
    schema = stage.Inputs.model_json_schema()
    fields = {
        name: st.one_of(st.just(part["default"]), _drawn(name, part))
        for name, part in schema["properties"].items()
    }
    return st.fixed_dictionaries(fields).map(lambda given: _made(stage, given))


def _made(stage: type[Stage], given: dict[str, Any]) -> StageInputs | None:
    """Inputs that make sense together, or None."""
    try:
        inputs = stage.Inputs(
            **{k: tuple(v) if isinstance(v, list) else v for k, v in given.items()}
        )
        stage.compute(inputs)
    except (ValidationError, ValueError):
        return None
    return inputs


def _drawn(name: str, schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    if "anyOf" in schema:
        return st.one_of([_drawn(name, choice) for choice in schema["anyOf"]])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema.get("type"):
        case "null":
            return st.none()
        case "boolean":
            return st.booleans()
        case "integer":
            step = schema.get("multipleOf", 1)
            low, high = schema.get("minimum", 0), schema.get("maximum", 100)
            small = st.integers(-(-low // step), min(high // step, low // step + 12))
            return st.one_of(small, st.integers(-(-low // step), high // step)).map(
                lambda number: number * step
            )
        case "number":
            return _number(schema)
        case "string":
            return _text(name, schema)
        case "array":
            return st.lists(
                _drawn(name, schema.get("items") or schema["prefixItems"][0]),
                min_size=schema.get("minItems", 1),
                max_size=schema.get("maxItems", 3),
            )
    raise TypeError(f"no way to draw {name}: {schema}")


def _number(schema: dict[str, Any]) -> st.SearchStrategy[float]:
    """Numbers between the bounds, even in their logarithm where the bounds are far apart."""
    low = schema.get("minimum", schema.get("exclusiveMinimum", 0.0))
    high = schema.get("maximum", schema.get("exclusiveMaximum", 100.0))
    even = st.floats(low, high, exclude_min="exclusiveMinimum" in schema)
    if low <= 0 or high / low < 100:
        return even
    decades = st.floats(0, 1).map(lambda share: min(max(low * (high / low) ** share, low), high))
    return st.one_of(decades, st.sampled_from([float(low), float(high), 1.0 if low <= 1 else low]))


def _text(name: str, schema: dict[str, Any]) -> st.SearchStrategy[str]:
    if schema.get("pattern") == "^[a-z]$":
        return st.sampled_from("abcdefghijklmnopqrstuvwxyz")
    words = st.sampled_from((*_WORDS, *_LONG))
    return st.lists(words, min_size=1, max_size=12).map(" ".join)
