"""Facts and the sentences they fill.

A caption is a template over facts and nothing else: `{name}` or `{head.worst_mass:.1%}`. A path
leads over what is declared (`scenes.stage.paths`) and nowhere else, and no sentence says a rounded
certainty: a share of 0.9996 with one digit reads "> 99.9%".
"""

from __future__ import annotations

import math
import re
import string
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import lru_cache

from rapidfuzz import fuzz, process

from clockhead.model.token_name import TokenName
from clockhead.scenes.language import isolated, language, translated_word

_KINDS = {bool: "a truth value", int: "a whole number", float: "a number", str: "a text"}

Fact = bool | int | float | str

MAX_DIGITS = 20
_SPEC = re.compile(
    r"(?P<sign>[+ ]?)(?P<width>\d*)(?P<comma>,?)(?:\.(?P<precision>\d+))?"
    r"(?P<kind>[defgs%]?)(?P<round>[-+]?)"
)
_FIELD = re.compile(r"\{[^{}]*\}")
_PATH = re.compile(r"[^\W\d_]\w*(\.[^\W\d_]\w*)*")
_DOLLAR = re.compile(r"(?<!\\)\$")
_COMMA = re.compile(r"[−<>  ]*\d[\d.]*,\d.*")
_FEW = 24
"""As many facts are listed in an error; beyond that, only the nearest is."""
SHARE = "share"
"""The unit of what lies between nothing and all; such a fact never reads as a rounded certainty."""
UNKNOWN = "unknown"
"""The unit of facts that do not tell theirs."""


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of a sentence: plain words, or mathematics for Typst."""

    text: str
    is_math: bool


class TemplateError(ValueError):
    """A template asks for something that is not a fact, or in a way that is not allowed."""


class UnknownFact(TemplateError):
    """A template asks for a fact that there is not."""

    def __init__(self, name: str, facts: Mapping[str, Fact]) -> None:
        super().__init__(_unknown(name, facts))
        self.name = name


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
    text = ""
    for literal, field, spec, conversion in pieces:
        text += literal
        if field is not None:
            fact = _field(field, spec or "", conversion, facts)
            text += _in_math(fact) if _is_open(text) else fact
    return text


def _is_open(text: str) -> bool:
    """Whether a text has opened a formula and not closed it."""
    return len(_DOLLAR.findall(text)) % 2 == 1


def _in_math(number: str) -> str:
    """A number in a formula: Typst would take its comma for one between two things."""
    return f'"{number}"' if _COMMA.fullmatch(number) else number


def misfits(template: str, facts: Mapping[str, Fact]) -> list[TemplateError]:
    """All that is wrong with a template, each field once; `fill` raises no more than the first."""
    try:
        fill(template, facts)
    except TemplateError as error:
        parts = dict.fromkeys(_FIELD.findall(template))
        return [flaw for part in parts if (flaw := _misfit(part, facts))] or [error]
    return []


def without_fields(template: str) -> str:
    """A template with a number in place of every fact, for what is to be known before them."""
    return _FIELD.sub("0", template)


def _misfit(field: str, facts: Mapping[str, Fact]) -> TemplateError | None:
    try:
        fill(field, facts)
    except TemplateError as error:
        return error
    return None


def _field(field: str, spec: str, conversion: str | None, facts: Mapping[str, Fact]) -> str:
    if conversion:
        raise TemplateError(f"{{{field}!{conversion}}}: write {{{field}}}; conversions are refused")
    if not _PATH.fullmatch(field):
        raise TemplateError(
            f"{{{field}}} is not the name of a fact; private names, indices and sums are refused"
        )
    try:
        fact = facts[field]
    except KeyError:
        raise UnknownFact(field, facts) from None
    try:
        return format_fact(fact, spec, unit_of(field, facts))
    except ValueError as error:
        raise TemplateError(f"{{{field}:{spec}}}: {error}") from None


def unit_of(field: str, facts: Mapping[str, Fact]) -> str | None:
    """The unit of a fact, None if it has none, `UNKNOWN` where the facts do not tell."""
    tell = getattr(facts, "unit", None)
    return UNKNOWN if tell is None else tell(field)


def _unknown(field: str, facts: Mapping[str, Fact]) -> str:
    names = sorted(facts)
    near = process.extractOne(field, names, scorer=fuzz.ratio, score_cutoff=60)
    hint = f"; did you mean {{{near[0]}}}?" if near else ""
    listed = f" (facts: {', '.join(names) or 'none'})" if len(names) <= _FEW else ""
    return f"there is no fact {{{field}}}{hint}{listed}"


def format_fact(value: Fact, spec: str = "", unit: str | None = UNKNOWN) -> str:
    """Write a fact for a reader: real minus signs, no exponent for small powers, no false 100 %.

    The formats are Python's. A `-` after `f` or `%` rounds down, for sentences that say "at least",
    and a `+` rounds up, for "at most": 0.9979 is 99.8% as `.1%`, and 99.7% as `.1%-`. A share
    (a fact of that unit, or anything written with `%`) is never rounded to all or nothing.
    Commas, points and the names of tokens are as the language that is spoken writes them.

    Two words with a bar between them are no number's format: the first stands if the fact is 1,
    else the second. "{n} of 20 {n:draw gives|draws give}" agrees with every `n`.

    Raises:
        ValueError: for a format that does not suit the fact, or one longer than 20 digits.
    """
    value = value.item() if hasattr(value, "item") else value  # NumPy's numbers, without NumPy
    if "|" in spec:
        return _agreeing(value, spec)
    match = _read(spec)
    if isinstance(value, str | bool):
        return _format_word(value, spec, match["kind"])
    if not math.isfinite(value):
        return {math.inf: "∞", -math.inf: "−∞"}.get(value) or translated_word("undefined")
    return language().number(_format_number(value, spec, match, unit))


@lru_cache(maxsize=256)
def _read(spec: str) -> re.Match[str]:
    match = _SPEC.fullmatch(spec)
    if match is None:
        raise ValueError(f"the format {spec!r} is not one of .2f, .3g, .1%, d, +.2f and the like")
    if max(int(match["width"] or 0), int(match["precision"] or 0)) > MAX_DIGITS:
        raise ValueError(f"the format {spec!r} is wider than {MAX_DIGITS} characters")
    return match


def _agreeing(value: Fact, spec: str) -> str:
    """The singular or the plural that goes with a number."""
    forms = spec.split("|")
    if isinstance(value, str | bool):
        raise ValueError(f"{_KINDS[type(value)]} has no singular and plural")
    if len(forms) != 2:
        raise ValueError(f"{spec!r} is not two forms: write the one for 1, a bar, the other")
    return forms[0] if value == 1 else forms[1]


def _format_word(value: str | bool, spec: str, kind: str) -> str:
    if kind not in ("", "s"):
        name = next(words for of, words in _KINDS.items() if isinstance(value, of))
        raise ValueError(f"{name} cannot be written as {spec!r}")
    if isinstance(value, TokenName):
        return _named(value)
    if isinstance(value, str):
        return isolated(value)
    return language().yes if value else language().no


def _named(name: TokenName) -> str:
    token = language().quoted(name.token)
    if name.position is None:
        return token
    at = translated_word("{token} at {position}")
    return at.replace("{token}", token).replace("{position}", str(name.position))


def _format_number(value: float, spec: str, match: re.Match[str], unit: str | None) -> str:
    if match["kind"] == "s" or (match["kind"] == "d" and value != int(value)):
        raise ValueError(f"{value!r} cannot be written as {spec!r}")
    kind, places = match["kind"], int(match["precision"] or 6)
    if match["round"]:
        value, spec = _rounded(value, kind, places, match["round"]), spec[:-1]
    if kind == "d":
        value = int(value)
    guarded = kind == "%" or unit == SHARE or (unit == UNKNOWN and kind == "f" and abs(value) < 1)
    text = format(value, spec) if spec else _plain(value)
    return _minus(_without_false_certainty(value, text, kind) if guarded else text)


def _rounded(value: float, kind: str, places: int, sign: str) -> float:
    if kind not in ("f", "%"):
        raise ValueError(f"only .1f, .1% and the like can be rounded up or down, not {kind!r}")
    step = Decimal(1).scaleb(-places - (2 if kind == "%" else 0))
    way = ROUND_FLOOR if sign == "-" else ROUND_CEILING
    return float(Decimal(repr(float(value))).quantize(step, way))


def _plain(value: float) -> str:
    """Four significant digits, every digit of whole numbers."""
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value)}"
    if 1e4 <= abs(value) < 1e15:
        return f"{value:,.0f}"
    return f"{value:.4g}"


def _without_false_certainty(value: float, text: str, kind: str) -> str:
    """Say "> 99.9%" and "< 0.1%" where rounding has made a share all or nothing."""
    whole = 100.0 if kind == "%" else 1.0
    shown = float(text.rstrip("%").replace(",", ""))
    places = len(text.rstrip("%").partition(".")[2]) or (0 if kind in ("%", "f") else 3)
    step, sign = 10.0**-places, "%" if kind == "%" else ""
    if abs(value) < 1 and abs(shown) >= whole:
        most = f"{whole - step:.{places}f}{sign}"
        return f"> {most}" if value > 0 else f"< -{most}"
    if value > 0 and shown <= 0:
        return f"< {step:.{places}f}{sign}"
    return text


def _minus(text: str) -> str:
    if "-" not in text:
        return text
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
        raise ValueError("a $ is opened and not closed")
    return [
        Run(piece if index % 2 else piece.replace("\\$", "$"), bool(index % 2))
        for index, piece in enumerate(pieces)
        if piece
    ]
