"""Facts, and the sentences that they are filled into.

A caption is a template over facts: `{name}` or `{head.worst_weight:.1%}`. A path follows declared
fields (`scenes.stage.paths`) and nothing else. A share is never rounded to certainty: 0.9996 with
one digit is "> 99.9%". In a formula, the name of a fact in braces is the fact; all other braces are
LaTeX.
"""

from __future__ import annotations

import math
import re
import string
from collections.abc import Container, Iterator, Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import lru_cache

from rapidfuzz import fuzz, process

from clockhead.model.characters import TokenName
from clockhead.scenes.language import isolated, language, translated_word
from clockhead.scenes.mathematics import DOLLAR, is_latex, pieces

_KINDS = {bool: "a truth value", int: "a whole number", float: "a number", str: "a text"}

Fact = bool | int | float | str

MAX_DIGITS = 20
_SPEC = re.compile(
    r"(?P<sign>[+ ]?)(?P<width>\d*)(?P<comma>,?)(?:\.(?P<precision>\d+))?"
    r"(?P<kind>[defgs%]?)(?P<round>[-+]?)"
)
_FIELD = re.compile(r"\{[^{}]*\}")
_BRACE = re.compile(r"\\([{}])")
_PATH = re.compile(r"[^\W\d_]\w*(\.[^\W\d_]\w*)*")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_IN_LATEX = re.compile(
    r"(?P<word>\\(?:text\w*|mbox|math(?:rm|sf)|operatorname)\s*)?(?<!\\)"
    r"\{(?P<name>[^\W\d_]\w*(?:\.[^\W\d_]\w*)*)(?P<spec>:(?!\s)[^{}]*)?\}"
)
"""Braces in LaTeX that may be a fact."""
_COMMA = re.compile(r"[−<>  ]*\d[\d.]*,\d.*")
_FEW = 24
"""Number of facts up to which an error lists all; beyond, it suggests the most similar one."""
SHARE = "share"
"""The unit of fractions of a whole, which are never rounded to 0 or 1."""
UNKNOWN = "unknown"
"""The unit if it is not known."""


class TemplateError(ValueError):
    """A template has a field that is not a fact, or a format that is not allowed."""


class UnknownFact(TemplateError):
    """A template has a fact that does not exist."""

    def __init__(self, name: str, facts: Mapping[str, Fact]) -> None:
        super().__init__(_unknown_message(name, facts))
        self.name = name


def fill(template: str, facts: Mapping[str, Fact]) -> str:
    """Fill facts into a template.

    Raises:
        TemplateError: for unknown facts and for anything but `{fact}` and `{fact:format}`.
    """
    return "".join(
        f"${fill_formula(piece.text, facts)}$" if piece.is_math else _fill_plain(piece.text, facts)
        for piece in pieces(template)
    )


def fill_formula(math: str, facts: Mapping[str, Fact], *, named: bool = False) -> str:
    """Fill facts into a formula of a template; with `named`, keep their fields instead.

    Raises:
        TemplateError: as for `fill`, and if braces may belong to a fact or to LaTeX.
    """
    if not is_latex(math, lambda inner: _may_be_fact(*inner.partition(":")[::2], facts)):
        return math if named else _fill_plain(_BRACE.sub(r"\1\1", math), facts, in_math=True)

    def value(match: re.Match[str]) -> str:
        name, spec = match["name"], (match["spec"] or "")[1:]
        if not _may_be_fact(name, spec, facts):
            return match[0]
        if not match["spec"] and (match["word"] or len(name) == 1):
            meant = "word" if match["word"] else "letter"
            raise TemplateError(
                f"{{{name}}} may be the fact or LaTeX's {meant}: "
                f"write {{{name}:}} for the fact or {{ {name} }} for the {meant}"
            )
        text = f"{{{name}{match['spec'] or ''}}}" if named else _field(name, spec, None, facts)
        inside = text if _NUMBER.fullmatch(text) else f'"{text}"'
        return f"{match['word'] or ''}{{{inside}}}"

    return _IN_LATEX.sub(value, math)


def _may_be_fact(name: str, spec: str, facts: Container[str]) -> bool:
    """Whether braces hold a fact, or a misspelt one."""
    return name in facts or bool(
        _PATH.fullmatch(name) and ("." in name or _SPEC.fullmatch(spec or "?"))
    )


def _fill_plain(text: str, facts: Mapping[str, Fact], *, in_math: bool = False) -> str:
    try:
        parts = list(string.Formatter().parse(text))
    except ValueError as error:
        raise TemplateError(
            f"{text!r} is not a template: {error}; write {{{{ or }}}} for a brace"
        ) from None
    filled = ""
    for literal, field, spec, conversion in parts:
        filled += literal
        if field is not None:
            fact = _field(field, spec or "", conversion, facts)
            # Typst would read the comma of a number as a separator.
            filled += f'"{fact}"' if in_math and _COMMA.fullmatch(fact) else fact
    return filled


def literal(text: str) -> str:
    """The template that becomes this text when it is filled."""
    return "".join(
        f"${piece.text if is_latex(piece.text) else _escape_braces(piece.text)}$"
        if piece.is_math
        else _escape_braces(piece.text)
        for piece in pieces(text)
    )


def _escape_braces(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def misfits(template: str, facts: Mapping[str, Fact]) -> list[TemplateError]:
    """All errors of a template, each field once; `fill` raises only the first."""
    flaws: dict[str, TemplateError] = {}
    for piece in pieces(template):
        whole = f"${piece.text}$" if piece.is_math else piece.text
        if error := _find_error(whole, facts):
            fields = _FIELD.findall(whole)
            if piece.is_math and is_latex(piece.text):
                fields = [rf"$\quad{field[0]}$" for field in _IN_LATEX.finditer(piece.text)]
            own = [found for field in fields if (found := _find_error(field, facts))]
            flaws |= {str(flaw): flaw for flaw in own or [error]}
    return list(flaws.values())


def facts_in(template: str, facts: Container[str]) -> Iterator[str]:
    """The names of the facts in a template, in order."""
    for piece in pieces(template):
        if piece.is_math:
            yield from (m["name"] for m in _IN_LATEX.finditer(piece.text) if m["name"] in facts)
        else:
            yield from (name for _, name, _, _ in string.Formatter().parse(piece.text) if name)


def without_fields(template: str) -> str:
    """A template with a 0 for every fact, to estimate a text before its facts are known."""
    return "".join(
        f"${re.sub(_IN_LATEX, _zero, p.text) if is_latex(p.text) else _FIELD.sub('0', p.text)}$"
        if p.is_math
        else _FIELD.sub("0", p.text)
        for p in pieces(template)
    )


def _zero(match: re.Match[str]) -> str:
    is_path = "." in match["name"] or match["spec"]
    return f"{match['word'] or ''}{{0}}" if is_path else match[0]


def _find_error(field: str, facts: Mapping[str, Fact]) -> TemplateError | None:
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
    """The unit of a fact; None if it has none, `UNKNOWN` if `facts` has no units."""
    tell = getattr(facts, "unit", None)
    return UNKNOWN if tell is None else tell(field)


def _unknown_message(field: str, facts: Mapping[str, Fact]) -> str:
    names = sorted(facts)
    near = process.extractOne(field, names, scorer=fuzz.ratio, score_cutoff=60)
    hint = f"; did you mean {{{near[0]}}}?" if near else ""
    listed = f" (facts: {', '.join(names) or 'none'})" if len(names) <= _FEW else ""
    return f"there is no fact {{{field}}}{hint}{listed}"


def format_share(share: float, spec: str = ".1%") -> str:
    """Format a share between 0 and 1, even if softmax has rounded it to 0 or 1."""
    least, most = math.nextafter(0.0, 1.0), math.nextafter(1.0, 0.0)
    return format_fact(min(most, max(least, share)), spec)


def format_fact(value: Fact, spec: str = "", unit: str | None = UNKNOWN) -> str:
    """Format a fact for readers: real minus signs, no exponents for small powers, no false 100 %.

    The formats are Python's. A `-` after `f` or `%` rounds down, for sentences that say "at least",
    and a `+` rounds up, for "at most": 0.9979 is 99.8% as `.1%`, and 99.7% as `.1%-`. A share (a
    fact with that unit, or anything formatted with `%`) is never rounded to 0 or 1. Decimal
    separators and quotation marks follow the current language.

    Two words separated by a bar are singular and plural: the first is used if the fact is 1. "{n}
    of 20 {n:draw gives|draws give}" agrees with every `n`.

    Raises:
        ValueError: for a format that does not suit the fact, or one of more than 20 digits.
    """
    value = (
        value.item() if hasattr(value, "item") else value
    )  # NumPy's scalars, without importing NumPy
    if "|" in spec:
        return _agree(value, spec)
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


def _agree(value: Fact, spec: str) -> str:
    """The form of a word that agrees with a number: singular, plural, or another form."""
    forms = spec.split("|")
    if isinstance(value, str | bool):
        raise ValueError(f"{_KINDS[type(value)]} has no singular and plural")
    form = language().form(value, forms)
    if form is None:
        raise ValueError(f"{spec!r} is not two forms: write the one for 1, a bar, the other")
    return form


def _format_word(value: str | bool, spec: str, kind: str) -> str:
    if kind not in ("", "s"):
        name = next(words for of, words in _KINDS.items() if isinstance(value, of))
        raise ValueError(f"{name} cannot be written as {spec!r}")
    if isinstance(value, TokenName):
        return _format_token(value)
    if isinstance(value, str):
        return isolated(value)
    return language().yes if value else language().no


def _format_token(name: TokenName) -> str:
    token = language().quoted(
        DOLLAR.sub(r"\\$", name.token)
    )  # escaped for a sentence, not for a formula
    if name.position is None:
        return token
    at = translated_word("{token} at {position}")
    return at.replace("{token}", token).replace("{position}", str(name.position))


def _format_number(value: float, spec: str, match: re.Match[str], unit: str | None) -> str:
    if match["kind"] == "s" or (match["kind"] == "d" and value != int(value)):
        raise ValueError(f"{value!r} cannot be written as {spec!r}")
    kind, places = match["kind"], int(match["precision"] or 6)
    if match["round"]:
        value, spec = _round_directed(value, kind, places, match["round"]), spec[:-1]
    if kind == "d":
        value = int(value)
    guarded = kind == "%" or unit == SHARE or (unit == UNKNOWN and kind == "f" and abs(value) < 1)
    text = format(value, spec) if spec else _format_plain(value)
    return _use_minus_sign(_without_false_certainty(value, text, kind) if guarded else text)


def _round_directed(value: float, kind: str, places: int, sign: str) -> float:
    if kind not in ("f", "%"):
        raise ValueError(f"only .1f, .1% and the like can be rounded up or down, not {kind!r}")
    step = Decimal(1).scaleb(-places - (2 if kind == "%" else 0))
    way = ROUND_FLOOR if sign == "-" else ROUND_CEILING
    return float(Decimal(repr(float(value))).quantize(step, way))


def _format_plain(value: float) -> str:
    """Four significant digits, or all digits of an integer."""
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value)}"
    if 1e4 <= abs(value) < 1e15:
        return f"{value:,.0f}"
    return f"{value:.4g}"


def _without_false_certainty(value: float, text: str, kind: str) -> str:
    """Write "> 99.9%" or "< 0.1%" if rounding has turned a share into 0 or 1."""
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


def _use_minus_sign(text: str) -> str:
    if "-" not in text:
        return text
    if re.fullmatch(r"-[0.,]*0[0.,]*%?", text):
        text = text[1:]
    return text.replace("-", "−")
