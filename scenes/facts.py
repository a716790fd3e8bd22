"""Facts and the sentences they fill.

A caption is a template over facts and nothing else: `{name}` or `{head.worst_weight:.1%}`. A path
leads over what is declared (`scenes.stage.paths`) and nowhere else, and no sentence says a rounded
certainty: a share of 0.9996 with one digit reads "> 99.9%". In a formula the name of a fact in
braces is the fact; all other braces are LaTeX's.
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
"""What may be a fact among LaTeX's braces."""
_COMMA = re.compile(r"[−<>  ]*\d[\d.]*,\d.*")
_FEW = 24
"""As many facts are listed in an error; beyond that, only the nearest is."""
SHARE = "share"
"""The unit of what lies between nothing and all; such a fact never reads as a rounded certainty."""
UNKNOWN = "unknown"
"""The unit of facts that do not tell theirs."""


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
    return "".join(
        f"${fill_formula(piece.text, facts)}$" if piece.is_math else _filled(piece.text, facts)
        for piece in pieces(template)
    )


def fill_formula(math: str, facts: Mapping[str, Fact], *, named: bool = False) -> str:
    """A formula of a template with its facts; or, if `named`, as long as these are only names.

    Raises:
        TemplateError: as `fill`, and where braces may be a fact's or LaTeX's.
    """
    if not is_latex(math, lambda inner: _may_be_fact(*inner.partition(":")[::2], facts)):
        return math if named else _filled(_BRACE.sub(r"\1\1", math), facts, in_math=True)

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
    """Whether braces hold a fact, or one that is misspelt."""
    return name in facts or bool(
        _PATH.fullmatch(name) and ("." in name or _SPEC.fullmatch(spec or "?"))
    )


def _filled(text: str, facts: Mapping[str, Fact], *, in_math: bool = False) -> str:
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
            # Typst would take the comma of a number for one between two things.
            filled += f'"{fact}"' if in_math and _COMMA.fullmatch(fact) else fact
    return filled


def literal(text: str) -> str:
    """The template of which this text is the filled form."""
    return "".join(
        f"${piece.text if is_latex(piece.text) else _braced(piece.text)}$"
        if piece.is_math
        else _braced(piece.text)
        for piece in pieces(text)
    )


def _braced(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def misfits(template: str, facts: Mapping[str, Fact]) -> list[TemplateError]:
    """All that is wrong with a template, each field once; `fill` raises no more than the first."""
    flaws: dict[str, TemplateError] = {}
    for piece in pieces(template):
        whole = f"${piece.text}$" if piece.is_math else piece.text
        if error := _misfit(whole, facts):
            fields = _FIELD.findall(whole)
            if piece.is_math and is_latex(piece.text):
                fields = [rf"$\quad{field[0]}$" for field in _IN_LATEX.finditer(piece.text)]
            own = [found for field in fields if (found := _misfit(field, facts))]
            flaws |= {str(flaw): flaw for flaw in own or [error]}
    return list(flaws.values())


def facts_in(template: str, facts: Container[str]) -> Iterator[str]:
    """The names of the facts that a template names, in its order."""
    for piece in pieces(template):
        if piece.is_math:
            yield from (m["name"] for m in _IN_LATEX.finditer(piece.text) if m["name"] in facts)
        else:
            yield from (name for _, name, _, _ in string.Formatter().parse(piece.text) if name)


def without_fields(template: str) -> str:
    """A template with a number in place of every fact, for what is to be known before them."""
    return "".join(
        f"${re.sub(_IN_LATEX, _zero, p.text) if is_latex(p.text) else _FIELD.sub('0', p.text)}$"
        if p.is_math
        else _FIELD.sub("0", p.text)
        for p in pieces(template)
    )


def _zero(match: re.Match[str]) -> str:
    is_path = "." in match["name"] or match["spec"]
    return f"{match['word'] or ''}{{0}}" if is_path else match[0]


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


def format_share(share: float, spec: str = ".1%") -> str:
    """Write a share between 0 and 1 that softmax may have rounded to one of them."""
    least, most = math.nextafter(0.0, 1.0), math.nextafter(1.0, 0.0)
    return format_fact(min(most, max(least, share)), spec)


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
    """The form of a word that goes with a number: singular or plural, or one of more forms."""
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
        return _named(value)
    if isinstance(value, str):
        return isolated(value)
    return language().yes if value else language().no


def _named(name: TokenName) -> str:
    token = language().quoted(DOLLAR.sub(r"\\$", name.token))  # of a sentence, not of a formula
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
