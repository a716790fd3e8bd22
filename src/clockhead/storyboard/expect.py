"""Expectations of a shot's facts: `">= 0.99"`, `"!= mat"`, `"> {runner_up}"`."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clockhead.scenes.facts import SHARE, Fact, format_fact
from clockhead.scenes.language import translated
from clockhead.storyboard.problems import show
from clockhead.storyboard.scalars import is_number, parse_decimal_comma, plain_value, yaml_text

if TYPE_CHECKING:
    from clockhead.scenes.stage.paths import Facts

COMPARISON = re.compile(r"([=!]=(?![<>=!])|[<>]=?(?![<>=!]))\s*(\S.*)")
_SIGNS = {"=": "==", "=>": ">=", "=<": "<=", "≥": ">=", "≤": "<=", "≠": "!=", "~": "=="}
_SIGNS |= {"<>": "!=", "===": "==", "!==": "!=", "=!": "!=", "≈": "=="}
_EXAMPLES = {">=": '">= 0.99"', "<": '"< 1"', "==": '"== 5"', "!=": '"!= 0"'}
_EXAMPLES |= {">": '"> 0"', "<=": '"<= 1"'}
_SIGN = r"[<>=!≥≤≠≈~]+"
_ANOTHER = re.compile(r"\{(?P<fact>[^{}]+)\}")
_NUMBER = re.compile(r"(?P<digits>-?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?)\s*(?P<percent>%?)")
_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_NEEDED = {
    ">=": "The film needs at least {}.",
    "<=": "The film needs at most {}.",
    ">": "The film needs more than {}.",
    "<": "The film needs less than {}.",
    "==": "The film needs {}.",
    "!=": "The film needs something else.",
}
"""Comparisons as readers of a page are told of them."""
SAME = 1e-9
"""Numbers closer than this, relative to their size, count as equal."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """A comparison of a fact with a value, or with another fact of the shot."""

    sign: str
    bound: Fact
    other: str = ""
    """Path of the fact to compare with, instead of `bound`."""

    def holds(self, fact: Fact, facts: Mapping[str, Fact]) -> bool:
        """Whether `fact` passes; NaN never does.

        Raises:
            ValueError: if the two cannot be compared.
        """
        bound = facts[self.other] if self.other else self.bound
        if is_number(fact) and is_number(bound):
            if math.isnan(fact) or math.isnan(bound):
                return False
            if self.sign in _ORDER:
                return _ORDER[self.sign](fact, bound)
            equal = math.isclose(fact, bound, rel_tol=SAME, abs_tol=SAME)
        elif self.sign in _ORDER or type(fact) is not type(bound):
            raise ValueError(f"{show(fact)} cannot be compared by {self}")
        else:
            equal = fact == bound
        return equal == (self.sign == "==")

    def describe(self, facts: Mapping[str, Fact]) -> str:
        """The comparison, with the value of the other fact in brackets."""
        return f"{self} ({show(facts[self.other])})" if self.other in facts else str(self)

    def explain_to_readers(self, path: str, facts: Facts) -> str:
        """What is found and not as expected, in the language that is spoken.

        `Attention weight on the word before: 65.8%. The film needs at least 90%.`
        """
        about = facts.about[path]
        what = translated(about.description) or path
        what = what[:1].upper() + what[1:]
        if path not in facts or (self.other and self.other not in facts):
            return what

        def write(fact: Fact) -> str:
            is_share = about.unit == SHARE and is_number(fact)
            digits = 0 if is_share and round(float(fact) * 100, 6).is_integer() else 1
            return format_fact(fact, f".{digits}%" if is_share else "", about.unit)

        needed = write(facts[self.other] if self.other else self.bound)
        return f"{what}: {write(facts[path])}. {translated(_NEEDED[self.sign]).format(needed)}"

    def __str__(self) -> str:
        bound = self.bound if isinstance(self.bound, str) else show(self.bound)
        return f"{self.sign} {f'{{{self.other}}}' if self.other else bound}"


def parse_expectation(text: str) -> Expectation:
    """Parse a comparison.

    Raises:
        ValueError: if it is not one.
    """
    match = COMPARISON.fullmatch(text.strip())
    if match and (another := _ANOTHER.fullmatch(match[2].strip())):
        return Expectation(match[1], "", another["fact"].strip())
    bound = plain_value(match[2].strip()) if match else None
    if match is None or not isinstance(bound, bool | int | float | str) or bound != bound:
        raise ValueError(f"{show(text)} is no comparison{_explain(text.strip())}")
    if match[1] in _ORDER and not is_number(bound):
        if re.search(_SIGN, match[2]):
            raise ValueError(f"{show(text)} is no comparison{_explain(text.strip())}")
        comma = parse_decimal_comma(str(bound).removesuffix("%")) is not None
        hint = "decimals take a point" if comma else f"{match[1]} compares numbers"
        raise ValueError(f"{show(bound)} is no number; {hint}")
    return Expectation(match[1], bound)


def likely_comparison(value: object) -> str | None:
    """The comparison that was probably meant by a bare value or an unusual sign."""
    if isinstance(value, str):
        sign, bound = _parts(value.strip())
        sign, value = _SIGNS.get(sign, sign), _number(bound)
        if sign:
            return f"{sign} {yaml_text(value)}" if sign in _EXAMPLES and value is not None else None
    if isinstance(value, bool) or (isinstance(value, int | float) and math.isfinite(value)):
        return f"{'>=' if isinstance(value, float) else '=='} {yaml_text(value)}"
    return None


def _parts(text: str) -> tuple[str, str]:
    """The sign at the beginning of a text, valid or not, and the rest."""
    sign = re.match(_SIGN, text)
    return (sign[0], text[sign.end() :].strip()) if sign else ("", text)


def _number(text: str) -> bool | int | float | None:
    """The number in a text, which may have a percent sign or commas between thousands."""
    value = plain_value(text.strip())
    if isinstance(value, bool | int | float):
        return value if math.isfinite(value) else None
    decimal = parse_decimal_comma(text.strip().removesuffix("%").rstrip())
    match = _NUMBER.fullmatch(text.strip() if decimal is None else text.replace(",", ".").strip())
    if match is None:
        return None
    number = plain_value(match["digits"].replace(",", ""))
    if match["percent"] and isinstance(number, int | float):
        return float(f"{number / 100:.15g}")
    return number if isinstance(number, int | float) else None


def _explain(text: str) -> str:
    """Why a text is not a comparison, and what to write."""
    if likely_comparison(text):  # which is offered as a whole line
        return ""
    sign, bound = _parts(text)
    such_as = _examples(">=", "<", "==", "!=")
    known, n_signs = _SIGNS.get(sign, sign), len(re.findall(_SIGN, text))
    if n_signs > 1:
        return f", for it has more than one sign; {such_as}"
    if not sign:
        lacks = "its sign comes last" if n_signs else "it lacks a sign"
        return f", for {lacks if text else 'it is empty'}; {such_as}"
    if known not in _EXAMPLES:
        return f", for {sign} is no sign; {such_as}"
    if not bound:
        return f", for it lacks what to compare with; {_examples(known)}"
    if known != sign:
        return f"; {sign} is written {known}; {_examples(known)}"
    return f", for {show(bound)} is nothing to compare with; {such_as}"


def _examples(*signs: str) -> str:
    *others, last = (_EXAMPLES[sign] for sign in signs)
    return f"write {', '.join(others)} or {last}" if others else f"write such as {last}"
