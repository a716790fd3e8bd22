"""Sentences as they are spoken: formulas, signs and numbers as words.

    $sqrt(d)$ -> the square root of D      > 99.9% -> more than 99.9 percent      x^2 -> X squared

A table has one column for each language. A language without one gets the sentence in plain signs,
which its voice reads as it can; numbers are left as digits, which every voice reads.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from clockhead.pipeline.plain import GREEK, STYLES, plain
from clockhead.scenes.facts import split_math


@dataclass(frozen=True)
class Table:
    """How a language says signs and formulas. `{}` stands for what a sign is applied to."""

    words: Mapping[str, str]
    """Words that a voice would read wrongly, and how it reads them well."""
    signs: Mapping[str, str]
    names: Mapping[str, str]
    """What Typst calls a sign in a formula, and how it is said."""
    functions: Mapping[str, str]
    call: str
    over: str
    length: str
    powers: Mapping[str, str]
    power: str
    letters: Mapping[str, str]
    """Letters whose name a voice would take for a word."""
    units: Mapping[str, str]
    fractions: Mapping[str, str]
    """Fractions that have a name; of others, the line is said."""


ENGLISH = Table(
    words={
        "RoPE": "rope",
        "ReLU": "ray loo",
        "LLaMA": "llama",
        "argmax": "arg max",
    },
    signs={
        "%": "percent",
        "=": "equals",
        "≠": "is not",
        "≈": "is about",
        "≤": "is at most",
        "≥": "is at least",
        "<": "less than",
        ">": "more than",
        "+": "plus",
        "−": "minus",
        "×": "times",
        "·": "times",
        "÷": "over",
        "±": "plus or minus",
        "→": "to",
        "∞": "infinity",
        "√": "the square root of",
        "∑": "the sum of",
        "∏": "the product of",
        "∈": "in",
        "°": "degrees",
        "π": "pie",
        "Δ": "delta",
    },
    names={
        "approx": "is about",
        "arrow": "to",
        "arrow.r": "to",
        "dot": "times",
        "dot.op": "times",
        "times": "times",
        "dots": "and so on",
        "dots.c": "and so on",
        "dots.h": "and so on",
        "in": "in",
        "infinity": "infinity",
        "oo": "infinity",
        "sum": "the sum of",
        "prod": "the product of",
        "quad": ",",
        "top": "transposed",
        "cos": "the cosine of",
        "sin": "the sine of",
        "exp": "e to the",
        "log": "the logarithm of",
        "max": "the maximum of",
        "min": "the minimum of",
        "<": "is less than",
        ">": "is more than",
    },
    functions={"sqrt": "the square root of {}", "abs": "the size of {}"},
    call="{} of {}",
    over="{} over {}",
    length="the length of {}",
    powers={"2": "squared", "3": "cubed", "-1": "to the minus 1", "top": "transposed"},
    power="to the power of {}",
    letters={"A": "eigh"},
    units={"GB": "gigabytes", "MB": "megabytes"},
    fractions={
        "1/2": "one half",
        "1/3": "one third",
        "1/4": "one quarter",
        "1/8": "one eighth",
        "1/16": "one sixteenth",
        "1/32": "one thirty-second",
    },
)

GERMAN = Table(
    words={"RoPE": "Roup", "ReLU": "Relu", "LLaMA": "Lama"},
    signs={
        "%": "Prozent",
        "=": "gleich",
        "≠": "ungleich",
        "≈": "etwa",
        "≤": "höchstens",
        "≥": "mindestens",
        "<": "weniger als",
        ">": "mehr als",
        "+": "plus",
        "−": "minus",
        "×": "mal",
        "·": "mal",
        "÷": "durch",
        "±": "plus oder minus",
        "→": "nach",
        "∞": "unendlich",
        "√": "Wurzel aus",
        "∑": "die Summe über",
        "∏": "das Produkt über",
        "∈": "in",
        "°": "Grad",
        "π": "pi",
        "Δ": "Delta",
    },
    names={
        "approx": "etwa",
        "arrow": "nach",
        "arrow.r": "nach",
        "dot": "mal",
        "dot.op": "mal",
        "times": "mal",
        "dots": "und so weiter",
        "dots.c": "und so weiter",
        "dots.h": "und so weiter",
        "in": "in",
        "infinity": "unendlich",
        "oo": "unendlich",
        "sum": "die Summe über",
        "prod": "das Produkt über",
        "quad": ",",
        "top": "transponiert",
        "cos": "Cosinus von",
        "sin": "Sinus von",
        "exp": "e hoch",
        "log": "Logarithmus von",
        "max": "Maximum von",
        "min": "Minimum von",
        "<": "kleiner als",
        ">": "größer als",
    },
    functions={"sqrt": "Wurzel aus {}", "abs": "Betrag von {}"},
    call="{} von {}",
    over="{} durch {}",
    length="Länge von {}",
    powers={"2": "Quadrat", "3": "hoch 3", "-1": "hoch minus 1", "top": "transponiert"},
    power="hoch {}",
    letters={},
    units={"GB": "Gigabyte", "MB": "Megabyte"},
    fractions={
        "1/2": "ein halb",
        "1/3": "ein Drittel",
        "1/4": "ein Viertel",
        "1/8": "ein Achtel",
        "1/16": "ein Sechzehntel",
        "1/32": "ein Zweiunddreißigstel",
    },
)

TABLES = {"en": ENGLISH, "de": GERMAN}

_RELATIONS = {"<=": "≤", ">=": "≥", "!=": "≠", "->": "→", "-": "−", "*": "·", "/": "÷"}
_MATH = re.compile(
    r'"[^"]*"|\d[\d,]*(?:\.\d+)?%?|[^\W\d_]+(?:\.[a-z]+)*|<=|>=|!=|->|\S', re.UNICODE
)
_LETTER = re.compile(r"(?<![\w'\u2019.-])[b-hj-z](?![\w'\u2019-])")
"""A letter by itself that is no word, such as a quantity's name."""
_NAMED = re.compile(r"[“„«\"]([A-Za-z])[”“»\"]")
"""A letter in quotation marks is called by its name."""
_FRACTION = re.compile(r"(?<![\w./])(\d+)/(\d+)(?!\w|[./]\d)")
_CALL = re.compile(r"\b([A-Za-z_]+)\(([^()]+)\)")
_RAISED = {"²": "2", "³": "3"}
_SAID = re.compile(r"(?<=\d)\s*(%)|([=≠≈≤≥<>+−×·÷±→∞√∑∏∈°])")


def spoken_form(text: str, language: str = "en") -> str:
    """A sentence as a voice is to read it: words, digits and stops alone.

    Raises:
        ValueError: when a `$` is opened and not closed.
    """
    table = TABLES.get(language)
    if table is None:
        return plain(text)
    runs = (
        f" {_Formula(run.text, table).words()} " if run.is_math else _prose(run.text, table)
        for run in split_math(text)
    )
    return _tidy("".join(runs))


def _prose(text: str, table: Table) -> str:
    text = _NAMED.sub(lambda match: _letter(match[1], table), text)
    text = _CALL.sub(lambda match: table.call.format(match[1].replace("_", " "), match[2]), text)
    text = re.sub(r"(?<=\w)_(?=\w)", " ", text)
    text = re.sub(r"(\d) ?(GB|MB)\b", lambda m: f"{m[1]} {table.units[m[2]]}", text)
    text = _FRACTION.sub(lambda match: _fraction(match, table), text)
    text = re.sub(r"-(?=\d)(?<![\w]-)", "−", text)
    text = re.sub(r"([+,]) *…(?= *[+,])", rf"\1 {table.names['dots']}", text)
    text = _LETTER.sub(lambda match: match[0].upper(), text)
    text = _SAID.sub(lambda match: f" {table.signs[match[1] or match[2]]} ", text)
    text = re.sub("[²³]", lambda match: f" {table.powers[_RAISED[match[0]]]}", text)
    text = "".join(p if len(p) > 1 else _greek(p, table) for p in _GREEK_WORD.findall(text))
    return re.sub(r"\b\w+\b", lambda match: table.words.get(match[0], match[0]), text)


def _letter(letter: str, table: Table) -> str:
    return table.letters.get(letter.upper(), letter.upper())


def _fraction(match: re.Match[str], table: Table) -> str:
    return table.fractions.get(match[0]) or table.over.format(match[1], match[2])


def _greek(sign: str, table: Table) -> str:
    if sign in table.signs:
        return f" {table.signs[sign]} "
    name = unicodedata.name(sign, "")
    called = (name or sign).split()[-1].lower().replace("lamda", "lambda")
    return f" {called} " if name.startswith("GREEK") else sign


def _tidy(text: str) -> str:
    """One space between words, no brackets or marks that are not heard, stops where they belong."""
    text = re.sub(r"\s*…", ",", text)
    text = re.sub(r"\((\d+)\)", r"\1", text)
    text = re.sub(r"(?<=[.!?])\s*\(", " ", text)
    text = re.sub(r"\s*\(", ", ", text.translate(_UNHEARD))
    text = re.sub(r"\)", ",", text)
    text = re.sub(r"\s+([,.;:!?])", r"\1", " ".join(text.split()))
    text = re.sub(r"(?:,\s*)+([.;:!?,])", r"\1", text)
    return text.strip(" ,")


_UNHEARD = str.maketrans(dict.fromkeys('“”„«»"[]{}|\u2068\u2069', " "))
_GREEK_WORD = re.compile("[\u0370-\u03ff\u1f00-\u1fff]{3,}|.", re.DOTALL)
"""A word of Greek letters, or a single sign; two Greek letters are a product such as Δθ."""


class _Formula:
    """Reads a formula in Typst's notation from left to right."""

    def __init__(self, markup: str, table: Table) -> None:
        self._tokens = _MATH.findall(markup)
        self._at = 0
        self._table = table

    def words(self) -> str:
        """All of it."""
        return self._row("")

    def _next(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._next()
        self._at += 1
        return token

    def _row(self, closing: str) -> str:
        """What stands side by side, up to a closing bracket, which is taken too."""
        said: list[str] = []
        while (token := self._next()) and token != closing:
            said.append(self._item())
        self._take()
        return " ".join(filter(None, said))

    def _item(self) -> str:
        """A sign or a name, with what is raised and lowered behind it."""
        said = [self._atom()]
        while self._next() in ("_", "^"):
            said.append(self._index() if self._take() == "_" else self._power())
        return " ".join(filter(None, said))

    def _index(self) -> str:
        return self._atom()

    def _power(self) -> str:
        if self._next() == "(" and self._peek(1) == "(":
            return self._atom()
        raw = self._raw()
        if raw in self._table.powers:
            return self._table.powers[raw]
        return self._table.power.format(_Formula(raw, self._table).words())

    def _peek(self, ahead: int) -> str:
        at = self._at + ahead
        return self._tokens[at] if at < len(self._tokens) else ""

    def _raw(self) -> str:
        """The next sign or bracket, as it is written."""
        if self._next() != "(":
            return self._take()
        depth, raw = 0, []
        while token := self._take():
            depth += (token == "(") - (token == ")")
            raw.append(token)
            if depth == 0:
                break
        return "".join(raw[1:-1])

    def _atom(self) -> str:
        token = self._take()
        if token == "(":
            return self._row(")")
        if token == "|":
            return self._table.length.format(self._row("|"))
        if token.startswith('"'):
            return token[1:-1]
        if token[0].isalpha() and self._next() == "(":
            return self._called(token)
        return self._name(token)

    def _called(self, name: str) -> str:
        """A function with what stands in its brackets."""
        self._take()
        if name in STYLES:
            return self._row(")")
        arguments = [self._argument()]
        while self._tokens[self._at - 1 : self._at] == [","]:
            arguments.append(self._argument())
        if name == "frac" and len(arguments) == 2:
            return self._table.over.format(*arguments)
        if name in self._table.functions:
            return self._table.functions[name].format(arguments[0])
        said = self._name(name)
        inside = ", ".join(arguments)
        if name in self._table.names:
            return f"{said} {inside}"
        return self._table.call.format(said, inside)

    def _argument(self) -> str:
        """Up to the next comma or the closing bracket, which is taken."""
        said: list[str] = []
        while (token := self._next()) and token not in (",", ")"):
            said.append(self._item())
        self._take()
        return " ".join(filter(None, said))

    def _name(self, token: str) -> str:
        if token in self._table.names:
            return self._table.names[token]
        sign = _RELATIONS.get(token, token)
        if sign in self._table.signs:
            return self._table.signs[sign]
        if letter := GREEK.get(token.lower().replace("lambda", "lamda")):
            return _greek(letter, self._table).strip()
        if token.endswith("%"):
            return f"{token[:-1]} {self._table.signs['%']}"
        if len(token) == 1 and token.isalpha():
            known = token.isascii()
            return _letter(token, self._table) if known else _greek(token, self._table)
        return "" if token in ("&", "\\", "#", "'") else self._table.words.get(token, token)
