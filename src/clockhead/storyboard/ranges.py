"""Lists of values and ranges in one text: `1,2,5`, `1:7`, `0:1:.25`, or `a, b`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from clockhead.storyboard.problems import Place, StoryboardError, show
from clockhead.storyboard.scalars import Value
from clockhead.storyboard.yaml_reader import parse_value

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)"
_COLON = re.compile(r"(?<=[\d.])\s*:\s*(?=[-+.\d])")
"""Between two numbers; with a blank behind it YAML has a meaning for it."""
_RANGE = re.compile(rf"\s*({_NUMBER})\s*:\s*({_NUMBER})\s*(?::\s*({_NUMBER})\s*)?")


def read_values(text: str, place: Place, *, form: str, most: int, limit: str) -> list[Value]:
    """The values of a YAML list without brackets, and of ranges in it, both ends included.

    `form` says how to write them. A range has at most `most` values, and `limit` says so.

    Raises:
        StoryboardError: if it cannot be read.
    """
    is_quoted = '"' in text or "'" in text
    values = parse_value(f"[{text if is_quoted else _COLON.sub(':', text)}]", place.file)
    assert isinstance(values, list)
    if is_quoted:
        return values

    def in_range(match: re.Match[str]) -> Iterator[Value]:
        first, last, step = Decimal(match[1]), Decimal(match[2]), Decimal(match[3] or 1)
        steps = (last - first) / step if step else Decimal(-1)
        written = show(match[0].strip())
        if steps < 0:
            way = "the step leads away from the end" if step else "a step of 0 leads nowhere"
            raise StoryboardError.at(place, f"{written}: {way}; {form}")
        if steps >= most:
            many = f"{int(steps) + 1:,} values are too many; {limit}"
            raise StoryboardError.at(place, f"{written}: {many}")
        for number in range(int(steps) + 1):
            value = first + number * step
            yield int(value) if value == int(value) else float(value)

    found: list[Value] = []
    for value in values:
        match = _RANGE.fullmatch(value) if isinstance(value, str) else None
        found.extend(in_range(match) if match else [value])
    return found
