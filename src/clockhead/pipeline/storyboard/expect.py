"""What a storyboard expects of a shot's facts: `">= 0.99"`, `"== 5"`, `"!= mat"`."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from clockhead.pipeline.storyboard.scalars import plain_value, written
from clockhead.pipeline.storyboard.wording import show
from clockhead.scenes.facts import Fact

COMPARISON = re.compile(r"(<=|>=|==|!=|<|>)\s*(\S.*)")
_SIGNS = {"=": "==", "=>": ">=", "=<": "<=", "≥": ">=", "≤": "<=", "≠": "!=", "~": "=="}
_ALMOST = re.compile(rf"({'|'.join(sorted(_SIGNS, key=len, reverse=True))}|)\s*([^\s<>=!].*)")
_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
SAME = 1e-9
"""Numbers closer than this, relative to their size, count as equal."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """A comparison that a fact has to pass."""

    sign: str
    bound: Fact

    def holds(self, fact: Fact) -> bool:
        """Whether `fact` passes. A number that is none passes nothing.

        Raises:
            ValueError: when the two cannot be compared.
        """
        numbers = _is_number(fact) and _is_number(self.bound)
        if not numbers and (self.sign in _ORDER or type(fact) is not type(self.bound)):
            raise ValueError(f"{show(fact)} cannot be compared by {self}")
        if numbers and math.isnan(fact):  # type: ignore[arg-type]
            return False
        if self.sign in _ORDER:
            return _ORDER[self.sign](fact, self.bound)
        return (_same(fact, self.bound) if numbers else fact == self.bound) == (self.sign == "==")

    def __str__(self) -> str:
        bound = self.bound if isinstance(self.bound, str) else show(self.bound)
        return f"{self.sign} {bound}"


def parse_expectation(text: str) -> Expectation:
    """Read a comparison.

    Raises:
        ValueError: when it is none.
    """
    match = COMPARISON.fullmatch(text.strip())
    bound = plain_value(match[2].strip()) if match else None
    if match is None or not isinstance(bound, bool | int | float | str) or bound != bound:
        such_as = "" if meant(text) else '; write ">= 0.99", "< 1", "== 5" or "!= 0"'
        raise ValueError(f"{show(text)} is no comparison{such_as}")
    if match[1] in _ORDER and not _is_number(bound):
        raise ValueError(f"{show(bound)} is no number; {match[1]} compares numbers")
    return Expectation(match[1], bound)


def meant(value: object) -> str | None:
    """The comparison for which a bare value, or one behind another sign, probably stands."""
    if isinstance(value, str):
        match = _ALMOST.fullmatch(value.strip())
        sign, value = (match[1], plain_value(match[2])) if match else ("", None)
        if sign:
            return f"{_SIGNS[sign]} {written(value)}" if _is_number(value) else None
    if isinstance(value, bool) or (isinstance(value, int | float) and value == value):
        return f"{'>=' if isinstance(value, float) else '=='} {written(value)}"
    return None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _same(a: Any, b: Any) -> bool:
    return math.isclose(a, b, rel_tol=SAME, abs_tol=SAME)
