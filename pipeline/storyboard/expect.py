"""What a storyboard expects of a shot's facts: `">= 0.99"`, `"== 5"`, `"!= mat"`."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pipeline.storyboard.wording import show
from pipeline.storyboard.yaml_reader import plain_value
from scenes.facts import Fact

COMPARISON = re.compile(r"(<=|>=|==|!=|<|>)\s*(\S.*)")
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
        raise ValueError(f'{show(text)} is no comparison; write ">= 0.99", "< 1", "== 5" or "!= 0"')
    if match[1] in _ORDER and not _is_number(bound):
        raise ValueError(f"{show(bound)} is no number; {match[1]} compares numbers")
    return Expectation(match[1], bound)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _same(a: Any, b: Any) -> bool:
    return math.isclose(a, b, rel_tol=SAME, abs_tol=SAME)
