"""The language in which a stage is told: its words, and how it writes numbers and names.

English is what stages are written in. Another language is a table from English texts to its own,
read from files beside the stages (`clockhead.scenes.catalogues`); a text that it does not have
stays English, and `listening` finds out which, and where they are written.
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
"""Words of the scripts that are read from right to left, as Unicode has them side by side."""


@dataclass(frozen=True, slots=True)
class Plural:
    """The forms of the plural in some languages."""

    about: str
    """The numbers of each form, for authors of catalogues."""
    whole: Callable[[int], int]
    """The form of a whole number, from 0."""

    @property
    def n_forms(self) -> int:
        """How many forms there are."""
        return self.about.count("|") + 1

    def choose(self, number: float) -> int:
        """The form that goes with a number. A fraction has the last one."""
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
"""By a language that has them. Rules of Unicode CLDR for whole numbers."""


@dataclass(frozen=True)
class Language:
    """A language, and what it says in place of English texts; the keys are without formats."""

    code: str = DEFAULT_LANGUAGE
    name: str = "English"
    """What it is called in English."""
    track: str = "eng"
    """Its three letters in ISO 639-2, by which players know tracks."""
    decimal: str = "."
    thousands: str = ","
    percent: str = "%"
    """What follows the digits of a percentage, with the space before it if there is one."""
    quotes: str = "“”"
    """The opening and the closing one; the second half closes, so that each may have a space."""
    plural: str = DEFAULT_LANGUAGE
    """The language, of `PLURALS`, that has the same forms of the plural."""
    yes: str = "yes"
    no: str = "no"
    texts: Mapping[str, str] = field(default_factory=dict)

    def find(self, text: str) -> str | None:
        """What it says in place of an English text or template; None if nobody has written it.

        What has no word in it, such as facts or formulas alone, is the same everywhere.

        Where a translation leaves the format of a fact out, it is the one of the English text.
        """
        if self.code == DEFAULT_LANGUAGE:
            return text
        found = self.texts.get(without_formats(text))
        if found is not None:
            return _with_formats(found, text)
        return None if _WORD.search(_FORMULA.sub("", _FIELD.sub("", text))) else text

    def number(self, text: str) -> str:
        """A number that is written as in English, as this language writes it."""
        return text.translate(_signs(self.decimal, self.thousands, self.percent))

    def value(self, text: str) -> float:
        """The number that a text in this language says."""
        return float(text.replace(self.thousands, "").replace(self.decimal, ".").replace("−", "-"))

    def quoted(self, word: str) -> str:
        """A word in its quotation marks."""
        half = len(self.quotes) // 2
        return f"{self.quotes[:half]}{isolated(word)}{self.quotes[half:]}"

    def form(self, number: float, forms: Sequence[str]) -> str | None:
        """The form of a word that goes with a number; None if there must be more or fewer of them.

        Two forms are always understood: where a text is not translated, they are the English ones.
        """
        for rule in (PLURALS[self.plural], PLURALS[DEFAULT_LANGUAGE]):
            if len(forms) == rule.n_forms:
                return forms[rule.choose(number)]
        return None


@lru_cache(maxsize=16)
def _signs(decimal: str, thousands: str, percent: str) -> dict[int, str]:
    return str.maketrans({".": decimal, ",": thousands, "%": percent})


ENGLISH: Final = Language()

_spoken: ContextVar[Language] = ContextVar("language", default=ENGLISH)
_missing: ContextVar[dict[str, tuple[str, int]] | None] = ContextVar("missing", default=None)


def language() -> Language:
    """The language of what is being written or drawn."""
    return _spoken.get()


def use_language(spoken: Language) -> Language:
    """Draw in a language from here on."""
    _spoken.set(spoken)
    return spoken


@contextmanager
def speaking(spoken: Language) -> Iterator[None]:
    """Write in a language for a while."""
    token = _spoken.set(spoken)
    try:
        yield
    finally:
        _spoken.reset(token)


@contextmanager
def listening() -> Iterator[dict[str, tuple[str, int]]]:
    """Collect the words that have no translation, each with the file and line that says it."""
    missing: dict[str, tuple[str, int]] = {}
    token = _missing.set(missing)
    try:
        yield missing
    finally:
        _missing.reset(token)


def translated(text: str) -> str:
    """A text or template of a stage in the language that is spoken, or else as it is."""
    found = language().find(text)
    return text if found is None else found


def translated_word(text: str) -> str:
    """The same of words that are no sentence of a beat; `listening` hears if they are missing."""
    found = language().find(text)
    if found is not None:
        return found
    missing = _missing.get()
    if missing is not None and text not in missing:
        missing[text] = _where()
    return text


def isolated(text: str) -> str:
    """A text to stand in a sentence, its words that are read from right to left isolated.

    Without Unicode's isolates two of them in a list would change places, and a number behind one
    would stand before it. What is isolated already stays as it is.
    """
    if text.isascii() or "\u2068" in text:
        return text
    return _BACKWARDS.sub("\u2068\\g<0>\u2069", text)


def without_formats(template: str) -> str:
    """A template by which its translation is found: what its facts are, and not how they read."""
    return _FIELD.sub(r"{\g<name>}", template)


def fields_of(template: str) -> set[str]:
    """The facts that a template names."""
    return {match["name"] for match in _FIELD.finditer(template)}


def _with_formats(template: str, english: str) -> str:
    # Forms of the plural are English words: a fact without a format is a number there, too.
    formats = {
        match["name"]: match["format"]
        for match in _FIELD.finditer(english)
        if "|" not in (match["format"] or "")
    }

    def formatted(match: re.Match[str]) -> str:
        spec = match["format"] if match["format"] is not None else formats.get(match["name"])
        return f"{{{match['name']}:{spec}}}" if spec else f"{{{match['name']}}}"

    return _FIELD.sub(formatted, template)


def _where() -> tuple[str, int]:
    """File and line of the stage that is speaking."""
    places, frame = libraries(), sys._getframe(2)
    while frame is not None:
        file = Path(frame.f_code.co_filename).resolve()
        if any(library.holds(file) for library in places):
            return str(file), frame.f_lineno
        if frame.f_back is None:
            break
        frame = frame.f_back
    return "", 0
