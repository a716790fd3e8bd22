"""The language in which a stage is told: its words, and how it writes numbers and names.

English is what stages are written in. Another language is a table from English texts to its own,
read from files beside the stages (`clockhead.scenes.catalogues`); a text that it does not have
stays English, and `listening` finds out which, and where they are written.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final

from clockhead.libraries import libraries

DEFAULT_LANGUAGE: Final = "en"

_FIELD = re.compile(r"\{(?P<name>[^{}:]*)(?::(?P<format>[^{}]*))?\}")
_WORD = re.compile(r"[^\W\d_]{2}")
_FROM_THE_RIGHT = (
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_BACKWARDS = re.compile(rf"{_FROM_THE_RIGHT}(?:[ \u200c\u200d-]*{_FROM_THE_RIGHT})*")
"""Words of the scripts that are read from right to left, as Unicode has them side by side."""


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
    yes: str = "yes"
    no: str = "no"
    texts: Mapping[str, str] = field(default_factory=dict)

    def find(self, text: str) -> str | None:
        """What it says in place of an English text or template; None if nobody has written it.

        What has no word in it, such as a template of nothing but facts, is the same everywhere.

        Where a translation leaves the format of a fact out, it is the one of the English text.
        """
        if self.code == DEFAULT_LANGUAGE:
            return text
        found = self.texts.get(without_formats(text))
        if found is not None:
            return _with_formats(found, text)
        return None if _WORD.search(_FIELD.sub("", text)) else text

    def number(self, text: str) -> str:
        """A number that is written as in English, as this language writes it."""
        return text.translate(_signs(self.decimal, self.thousands, self.percent))

    def value(self, text: str) -> float:
        """The number that a text in this language says."""
        return float(text.replace(self.thousands, "").replace(self.decimal, ".").replace("−", "-"))

    def quoted(self, word: str) -> str:
        """A word in its quotation marks."""
        return f"{self.quotes[0]}{isolated(word)}{self.quotes[1]}"


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
    formats = {match["name"]: match["format"] for match in _FIELD.finditer(english)}

    def formatted(match: re.Match[str]) -> str:
        spec = match["format"] if match["format"] is not None else formats.get(match["name"])
        return f"{{{match['name']}:{spec}}}" if spec else f"{{{match['name']}}}"

    return _FIELD.sub(formatted, template)


def _where() -> tuple[str, int]:
    """File and line of the stage that is speaking."""
    places, frame = libraries(), sys._getframe(2)
    while frame is not None:
        file = Path(frame.f_code.co_filename)
        if any(library.holds(file) for library in places):
            return str(file), frame.f_lineno
        if frame.f_back is None:
            break
        frame = frame.f_back
    return "", 0
