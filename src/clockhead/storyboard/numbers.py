"""All numbers of a film, at full precision."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from clockhead.storyboard.films import Film
from clockhead.storyboard.resolved import ResolvedShot


def shot_numbers(shot: ResolvedShot) -> dict[str, Any]:
    """One shot's inputs, caption, facts and arrays."""
    return {
        "id": shot.id,
        "stage": shot.stage,
        "inputs": shot.shot.inputs.model_dump(mode="json"),
        "question": shot.shot.question,
        "sentences": list(shot.shot.sentences),
        "caption": shot.shot.caption,
        "facts": dict(shot.facts),
        "about": {
            name: {"description": about.description, "unit": about.unit}
            for name, about in shot.facts.about.items()
        },
        "arrays": {name: array.tolist() for name, array in shot.arrays().items()},
    }


def describe_fact(name: str, facts: Mapping[str, Any]) -> str:
    """The unit and description of a fact, to be printed behind its value; of others, nothing."""
    about = getattr(facts, "about", {}).get(name)
    if about is None:
        return ""
    return f" {about.unit}   {about.description}" if about.unit else f"   {about.description}"


def to_json(value: Any) -> str:
    """JSON with every digit. NaN and infinities, which JSON lacks, are strings."""
    return json.dumps(_jsonable(value), ensure_ascii=False, allow_nan=False)


def numbers_as_text(film: Film) -> Iterator[str]:
    """The same in readable lines."""
    for shot in film.shots:
        yield f"{shot.number}. {shot.id} ({shot.stage})"
        yield f"   {shot.shot.caption}"
        yield "   sentences:"
        for number, note in enumerate(shot.shot.sentences, 1):
            yield f"     {number}. {note}"
        yield from _table("inputs", shot.shot.inputs.model_dump(mode="json"))
        yield from _table("facts", shot.facts)
        for name, array in shot.arrays().items():
            yield f"   {name}, {' x '.join(map(str, array.shape)) or 'one number'}:"
            yield "     " + np.array2string(
                array,
                threshold=sys.maxsize,
                max_line_width=100,
                prefix="     ",
                formatter={"float_kind": lambda number: repr(float(number))},
            )
        yield ""


def _table(heading: str, values: Mapping[str, Any]) -> Iterator[str]:
    yield f"   {heading}:"
    width = max(map(len, values), default=0)
    for name, value in values.items():
        yield f"     {name:{width}}  {value}{describe_fact(name, values)}"


def _jsonable(value: Any) -> Any:
    match value:
        case dict():
            return {str(key): _jsonable(item) for key, item in value.items()}
        case list() | tuple():
            return [_jsonable(item) for item in value]
        case complex():
            return {"re": _jsonable(value.real), "im": _jsonable(value.imag)}
        case float() if math.isnan(value):
            return "NaN"
        case float() if math.isinf(value):
            return "Infinity" if value > 0 else "-Infinity"
    return value
