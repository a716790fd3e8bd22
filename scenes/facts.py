"""Facts and the sentences they fill.

A caption is a template over facts and nothing else: `{name}` or `{name:.1%}`. It cannot reach into
objects, and it cannot say a rounded certainty: 0.9996 shown with one digit reads "> 99.9%".
"""

from __future__ import annotations

import math
import re
import string
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal

from rapidfuzz import fuzz, process

_KINDS = {bool: "a truth value", int: "a whole number", float: "a number", str: "a text"}

Fact = bool | int | float | str

MAX_DIGITS = 20
_SPEC = re.compile(
    r"(?P<sign>[+ ]?)(?P<width>\d*)(?P<comma>,?)(?:\.(?P<precision>\d+))?"
    r"(?P<kind>[defgs%]?)(?P<down>-?)"
)


@dataclass(frozen=True, slots=True)
class Claim:
    """Something a stage says about its values, whether it holds, and what was found instead."""

    says: str
    holds: bool
    found: str


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of a sentence: plain words, or mathematics for Typst."""

    text: str
    is_math: bool


class TemplateError(ValueError):
    """A template asks for something that is not a fact, or in a way that is not allowed."""


def fill(template: str, facts: Mapping[str, Fact]) -> str:
    """Put facts into a template.

    Raises:
        TemplateError: for unknown facts and for anything but `{fact}` and `{fact:format}`.
    """
    try:
        pieces = list(string.Formatter().parse(template))
    except ValueError as error:
        raise TemplateError(
            f"{template!r} is not a template: {error}; write {{{{ or }}}} for a brace"
        ) from None
    return "".join(
        literal + ("" if field is None else _field(field, spec or "", conversion, facts))
        for literal, field, spec, conversion in pieces
    )


def _field(field: str, spec: str, conversion: str | None, facts: Mapping[str, Fact]) -> str:
    if conversion:
        raise TemplateError(f"{{{field}!{conversion}}}: write {{{field}}}; conversions are refused")
    if not field.isidentifier():
        raise TemplateError(
            f"{{{field}}} is not the name of a fact; attributes, indices and sums are refused"
        )
    if field not in facts:
        raise TemplateError(_unknown(field, facts))
    try:
        return format_fact(facts[field], spec)
    except ValueError as error:
        raise TemplateError(f"{{{field}:{spec}}}: {error}") from None


def _unknown(field: str, facts: Mapping[str, Fact]) -> str:
    near = process.extractOne(field, list(facts), scorer=fuzz.ratio, score_cutoff=60)
    hint = f"; did you mean {{{near[0]}}}?" if near else ""
    return f"there is no fact {{{field}}}{hint} (facts: {', '.join(sorted(facts)) or 'none'})"


def format_fact(value: Fact, spec: str = "") -> str:
    """Write a fact for a reader: real minus signs, no exponent for small powers, no false 100 %.

    The formats are Python's. A `-` after `f` or `%` rounds down, for sentences that say "at least":
    0.9979 is 99.8% as `.1%`, and 99.7% as `.1%-`.

    Raises:
        ValueError: for a format that does not suit the fact, or one longer than 20 digits.
    """
    match = _SPEC.fullmatch(spec)
    if match is None:
        raise ValueError(f"the format {spec!r} is not one of .2f, .3g, .1%, d, +.2f and the like")
    if max(int(match["width"] or 0), int(match["precision"] or 0)) > MAX_DIGITS:
        raise ValueError(f"the format {spec!r} is wider than {MAX_DIGITS} characters")
    if isinstance(value, str | bool):
        return _format_word(value, spec, match["kind"])
    if not math.isfinite(value):
        return {math.inf: "∞", -math.inf: "−∞"}.get(value, "undefined")
    return _format_number(value, spec, match)


def _format_word(value: str | bool, spec: str, kind: str) -> str:
    if kind not in ("", "s"):
        raise ValueError(f"{_KINDS[type(value)]} cannot be written as {spec!r}")
    return value if isinstance(value, str) else ("yes" if value else "no")


def _format_number(value: float, spec: str, match: re.Match[str]) -> str:
    if match["kind"] == "s" or (match["kind"] == "d" and value != int(value)):
        raise ValueError(f"{value!r} cannot be written as {spec!r}")
    kind, places = match["kind"], int(match["precision"] or 6)
    if match["down"]:
        value, spec = _rounded_down(value, kind, places), spec.removesuffix("-")
    if kind == "d":
        value = int(value)
    if kind == "%":
        return _format_share(value, spec, places)
    if kind == "f" and 0 < abs(value) < 1:
        return _format_fraction(value, spec, places)
    return _minus(format(value, spec) if spec else _plain(value))


def _rounded_down(value: float, kind: str, places: int) -> float:
    if kind not in ("f", "%"):
        raise ValueError(f"only .1f, .1% and the like can be rounded down, not {kind or 'this'!r}")
    step = Decimal(1).scaleb(-places - (2 if kind == "%" else 0))
    return float(Decimal(repr(value)).quantize(step, ROUND_FLOOR))


def _plain(value: float) -> str:
    """Four significant digits, every digit of whole numbers."""
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value)}"
    if 1e4 <= abs(value) < 1e15:
        return f"{value:,.0f}"
    return f"{value:.4g}"


def _format_fraction(value: float, spec: str, precision: int) -> str:
    text, step = format(value, spec), 10.0**-precision
    if float(text) >= 1:
        return f"> {1 - step:.{precision}f}"
    if float(text) <= -1:
        return f"< −{1 - step:.{precision}f}"
    return f"< {step:.{precision}f}" if value > 0 and float(text) == 0 else _minus(text)


def _format_share(value: float, spec: str, precision: int) -> str:
    text = format(value, spec)
    step = 10.0**-precision
    if value < 1 and float(text.rstrip("%").replace(",", "")) >= 100:
        return f"> {100 - step:.{precision}f}%"
    if value > 0 and float(text.rstrip("%").replace(",", "")) <= 0:
        return f"< {step:.{precision}f}%"
    return _minus(text)


def _minus(text: str) -> str:
    if re.fullmatch(r"-[0.,]*0[0.,]*%?", text):
        text = text[1:]
    return text.replace("-", "−")


def split_math(text: str) -> list[Run]:
    r"""Cut a sentence at its `$...$`. A dollar sign is written `\$`.

    Raises:
        ValueError: when a `$` is not closed.
    """
    pieces = re.split(r"(?<!\\)\$", text)
    if len(pieces) % 2 == 0:
        raise ValueError("a $ is opened and not closed; write \\$ for a dollar sign")
    return [
        Run(piece if index % 2 else piece.replace("\\$", "$"), bool(index % 2))
        for index, piece in enumerate(pieces)
        if piece
    ]
