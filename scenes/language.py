"""The language of a stage: its texts, and its format of numbers and names.

Stages are written in English. Another language is a table from English texts to translations, read
from files beside the stages (`clockhead.scenes.catalogues`). Texts without a translation stay
English; `listening` reports them, with their location.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final

from clockhead.libraries import libraries

DEFAULT_LANGUAGE: Final = "en"

_FIELD = re.compile(r"\{(?P<name>[^{}:]*)(?::(?P<format>[^{}]*))?\}")
_FORMULA = re.compile(r"(?<!\\)\$[^$]*\$")
_WORD = re.compile(r"[^\W\d_]{2}")
_FROM_THE_RIGHT = (
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_BACKWARDS = re.compile(rf"{_FROM_THE_RIGHT}(?:[ \u200c\u200d-]*{_FROM_THE_RIGHT})*")
"""Consecutive words of scripts that are written from right to left."""


@dataclass(frozen=True, slots=True)
class Plural:
    """A rule for the plural forms of some languages."""

    about: str
    """The numbers of each form, for authors of catalogues."""
    whole: Callable[[int], int]
    """The index of the form for a natural number."""

    @property
    def n_forms(self) -> int:
        """Number of forms."""
        return self.about.count("|") + 1

    def choose(self, number: float) -> int:
        """The index of the form for a number; fractions have the last one."""
        return self.whole(abs(int(number))) if number == int(number) else self.n_forms - 1


def _slavic(n: int) -> int:
    return 1 if n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14) else 2


PLURALS: Final = {
    "en": Plural("1 | others", lambda n: int(n != 1)),
    "fr": Plural("0 and 1 | others", lambda n: int(n > 1)),
    "is": Plural("1, 21, 31 ... | others", lambda n: int(n % 10 != 1 or n % 100 == 11)),
    "cs": Plural("1 | 2 to 4 | others", lambda n: 0 if n == 1 else 1 if 2 <= n <= 4 else 2),
    "pl": Plural("1 | 2 to 4, 22 to 24 ... | others", lambda n: 0 if n == 1 else _slavic(n)),
    "ru": Plural(
        "1, 21 ... | 2 to 4, 22 to 24 ... | others",
        lambda n: 0 if n % 10 == 1 and n % 100 != 11 else _slavic(n),
    ),
    "lt": Plural(
        "1, 21 ... | 2 to 9, 22 to 29 ... | others",
        lambda n: 2 if n % 10 == 0 or 11 <= n % 100 <= 19 else int(n % 10 != 1),
    ),
    "lv": Plural(
        "0, 10 to 20, 30 ... | 1, 21 ... | others",
        lambda n: 0 if n % 10 == 0 or 11 <= n % 100 <= 19 else 1 if n % 10 == 1 else 2,
    ),
    "ro": Plural(
        "1 | 0, 2 to 19, 101 to 119 ... | others",
        lambda n: 0 if n == 1 else 1 if n == 0 or 1 <= n % 100 <= 19 else 2,
    ),
    "sl": Plural(
        "1, 101 ... | 2, 102 ... | 3, 4, 103 ... | others",
        lambda n: n % 100 - 1 if n % 100 in (1, 2) else 2 if n % 100 in (3, 4) else 3,
    ),
    "ar": Plural(
        "0 | 1 | 2 | 3 to 10 | 11 to 99 | others",
        lambda n: n if n < 3 else 5 if n % 100 < 3 else 3 if n % 100 <= 10 else 4,
    ),
}
"""Rules by language code, from Unicode CLDR, for natural numbers."""


@dataclass(frozen=True)
class Language:
    """A language and its translations of English texts; the keys have no formats."""

    code: str = DEFAULT_LANGUAGE
    name: str = "English"
    """Its English name."""
    track: str = "eng"
    """Its three-letter code in ISO 639-2, which media players use for tracks."""
    decimal: str = "."
    thousands: str = ","
    percent: str = "%"
    """The percent sign, including a space before it if there is one."""
    quotes: str = "“”"
    """The opening and the closing one; each half may include a space."""
    plural: str = DEFAULT_LANGUAGE
    """The key in `PLURALS` with the same plural forms."""
    yes: str = "yes"
    no: str = "no"
    texts: Mapping[str, str] = field(default_factory=dict)

    def find(self, text: str) -> str | None:
        """The translation of an English text or template; None if there is none.

        A text without words, such as facts or formulas alone, is the same in all languages. If a
        translation omits the format of a fact, the English text's is used.
        """
        if self.code == DEFAULT_LANGUAGE:
            return text
        found = self.texts.get(without_formats(text))
        if found is not None:
            return _with_formats(found, text)
        return None if _WORD.search(_FORMULA.sub("", _FIELD.sub("", text))) else text

    def number(self, text: str) -> str:
        """A number in English notation converted to this language's."""
        return text.translate(_signs(self.decimal, self.thousands, self.percent))

    def value(self, text: str) -> float:
        """The number that a text in this language represents."""
        return float(text.replace(self.thousands, "").replace(self.decimal, ".").replace("−", "-"))

    def quoted(self, word: str) -> str:
        """A word in quotation marks."""
        half = len(self.quotes) // 2
        return f"{self.quotes[:half]}{isolated(word)}{self.quotes[half:]}"

    def form(self, number: float, forms: Sequence[str]) -> str | None:
        """The form of a word for a number; None if the number of forms is wrong.

        Two forms are always accepted: they are the English ones of a text without a translation.
        """
        for rule in (PLURALS[self.plural], PLURALS[DEFAULT_LANGUAGE]):
            if len(forms) == rule.n_forms:
                return forms[rule.choose(number)]
        return None


@lru_cache(maxsize=16)
def _signs(decimal: str, thousands: str, percent: str) -> dict[int, str]:
    return str.maketrans({".": decimal, ",": thousands, "%": percent})


ENGLISH: Final = Language()

_current: ContextVar[Language] = ContextVar("language", default=ENGLISH)
_missing: ContextVar[dict[str, tuple[str, int]] | None] = ContextVar("missing", default=None)


def language() -> Language:
    """The current language, for writing and drawing."""
    return _current.get()


def use_language(spoken: Language) -> Language:
    """Set the current language."""
    _current.set(spoken)
    return spoken


@contextmanager
def speaking(spoken: Language) -> Iterator[None]:
    """Set the current language within a block."""
    token = _current.set(spoken)
    try:
        yield
    finally:
        _current.reset(token)


@contextmanager
def listening() -> Iterator[dict[str, tuple[str, int]]]:
    """Collect words without a translation, each with the file and line that uses it."""
    missing: dict[str, tuple[str, int]] = {}
    token = _missing.set(missing)
    try:
        yield missing
    finally:
        _missing.reset(token)


def translated(text: str) -> str:
    """The translation of a text or template of a stage, or the text itself."""
    found = language().find(text)
    return text if found is None else found


def translated_word(text: str) -> str:
    """The same for words outside of sentences; `listening` collects them if it is missing."""
    found = language().find(text)
    if found is not None:
        return found
    missing = _missing.get()
    if missing is not None and text not in missing:
        missing[text] = _caller_location()
    return text


def isolated(text: str) -> str:
    """A text with its right-to-left words isolated, for use in a sentence.

    Without Unicode's isolates, two of them in a list would swap places, and a number after one
    would appear before it. A text with isolates is returned as it is.
    """
    if text.isascii() or "\u2068" in text:
        return text
    return _BACKWARDS.sub("\u2068\\g<0>\u2069", text)


def without_formats(template: str) -> str:
    """A template without the formats of its facts, which is the key of its translation."""
    return _FIELD.sub(r"{\g<name>}", template)


def fields_of(template: str) -> set[str]:
    """The names of the facts in a template."""
    return {match["name"] for match in _FIELD.finditer(template)}


def _with_formats(template: str, english: str) -> str:
    # Plural forms are English words, so a fact without a format is a number in a translation too.
    formats = {
        match["name"]: match["format"]
        for match in _FIELD.finditer(english)
        if "|" not in (match["format"] or "")
    }

    def formatted(match: re.Match[str]) -> str:
        spec = match["format"] if match["format"] is not None else formats.get(match["name"])
        return f"{{{match['name']}:{spec}}}" if spec else f"{{{match['name']}}}"

    return _FIELD.sub(formatted, template)


def _caller_location() -> tuple[str, int]:
    """File and line of the stage that is calling."""
    places, frame = libraries(), sys._getframe(2)
    while frame is not None:
        file = Path(frame.f_code.co_filename).resolve()
        if any(library.holds(file) for library in places):
            return str(file), frame.f_lineno
        if frame.f_back is None:
            break
        frame = frame.f_back
    return "", 0
