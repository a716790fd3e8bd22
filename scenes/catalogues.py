"""Catalogues: translations of texts, in files beside the stages.

`de.toml` beside the films defines how German writes numbers, and words that any film may need;
`rope/de.toml` has the texts of `rope`, in a table for each stage. The keys are the English texts of
the stages, before facts are filled in. Users can translate Clockhead's films in files of their own:
of two files with a text, the one in the first library is used.
"""

from __future__ import annotations

import json
import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, Final

from rapidfuzz import process

from clockhead.libraries import libraries
from clockhead.places import display_path
from clockhead.scenes.language import (
    DEFAULT_LANGUAGE,
    ENGLISH,
    PLURALS,
    Language,
    without_formats,
)

LANGUAGE_CODE: Final = re.compile(r"[a-z]{2,3}")
"""The names of language files: two or three letters of ISO 639."""
LANGUAGE: Final = "language"
"""The table that defines how a language writes numbers and quotes."""
WORDS: Final = "words"
"""The table of texts that several stages use."""
STORYBOARDS: Final = "storyboards"
"""The table of texts of the storyboards of the stages: titles, captions and credits."""
_SETTINGS = [part.name for part in fields(Language) if part.name not in ("code", "texts")]


@dataclass(frozen=True, slots=True)
class Entry:
    """A text and its translation, and where it is written."""

    english: str
    text: str
    _file: Path
    _table: str

    @property
    def file(self) -> str:
        """The path of the catalogue for messages."""
        return display_path(self._file)

    @property
    def line(self) -> int:
        """The line of the entry in the catalogue."""
        return _line(self._file, self._table, self.english)


class CatalogueError(ValueError):
    """A catalogue cannot be read, or has an entry that no stage can use."""

    def __init__(self, file: Path, line: int, message: str) -> None:
        super().__init__(message)
        self.file, self.line = display_path(file), line


def languages() -> dict[str, str]:
    """The names of the available languages, by code."""
    found = {DEFAULT_LANGUAGE: ENGLISH.name}
    for library in libraries():
        # other files, such as a pyproject.toml, are not ours
        files = [f for f in library.stages.glob("*.toml") if LANGUAGE_CODE.fullmatch(f.stem)]
        for file in sorted(files):
            settings = _tables(file).get(LANGUAGE)
            if settings is not None:
                found.setdefault(file.stem, str(settings.get("name", file.stem)))
    return found


def language_of(code: str, film: str = "", stage: str = "") -> Language:
    """A language with the translations for a stage of a film; without one, only general words.

    Raises:
        CatalogueError: if one of its files cannot be read.
    """
    if code == DEFAULT_LANGUAGE:
        return ENGLISH
    settings: dict[str, str] = {}
    for file in reversed(_files(code)):
        settings |= _settings(file)
    texts = {key: entry.text for key, entry in entries(code, film, stage).items() if entry.text}
    return Language(code, **settings, texts=texts)


def entries(code: str, film: str, stage: str) -> dict[str, Entry]:
    """The catalogue entries of a stage in a language, by the English without formats.

    The text of an entry is empty if it is not translated yet.
    """
    found: dict[str, Entry] = {}
    for table in (stage, WORDS) if film else ():
        for file in _files(code, film):
            _add(found, file, table)
    for file in _files(code):
        _add(found, file, WORDS)
    return found


def storyboard_texts(code: str, films: Iterable[str]) -> dict[str, str]:
    """The translations of the texts of storyboards, by the English."""
    found = storyboard_entries(code, films)
    return {key: entry.text for key, entry in found.items() if entry.text}


def storyboard_entries(code: str, films: Iterable[str]) -> dict[str, Entry]:
    """The entries of the texts of storyboards, also of those that are not translated yet."""
    found: dict[str, Entry] = {}
    for film in dict.fromkeys(films):
        for file in _files(code, film):
            _add(found, file, STORYBOARDS)
    return found


def has_catalogue(code: str, film: str) -> bool:
    """Whether there is a catalogue of a film in a language."""
    return bool(_files(code, film))


def _add(found: dict[str, Entry], file: Path, table: str) -> None:
    for english, text in _tables(file).get(table, {}).items():
        key = without_formats(english)
        if key not in found or (text and not found[key].text):
            found[key] = Entry(english, text, file, table)


def _files(code: str, film: str = "") -> list[Path]:
    """The existing catalogues of a film, or those for all films; the user's own come first."""
    files = (library.stages / film / f"{code}.toml" for library in libraries())
    return [file for file in files if file.is_file()]


def _settings(file: Path) -> dict[str, str]:
    told = _tables(file).get(LANGUAGE, {})
    for name in told:
        if name not in _SETTINGS:
            near = process.extractOne(name, _SETTINGS, score_cutoff=60)
            hint = f"; did you mean {near[0]}?" if near else ""
            message = f"a language has no {name!r}{hint} (it has {', '.join(_SETTINGS)})"
            raise CatalogueError(file, _line(file, LANGUAGE, name), message)
    if len(told.get("quotes", ENGLISH.quotes)) not in (2, 4):
        line = _line(file, LANGUAGE, "quotes")
        message = "quotes: two signs, the opening and the closing one, or four, with their spaces"
        raise CatalogueError(file, line, message)
    if told.get("plural", ENGLISH.plural) not in PLURALS:
        message = f"plural: the forms of a language of {', '.join(PLURALS)}"
        raise CatalogueError(file, _line(file, LANGUAGE, "plural"), message)
    return {name: text for name, text in told.items() if text or name not in ("yes", "no")}


def _tables(file: Path) -> dict[str, dict[str, str]]:
    """The tables of a catalogue in its current version: texts by texts."""
    return _read(file, file.stat().st_mtime_ns)


@cache
def _read(file: Path, _: int) -> dict[str, dict[str, str]]:
    try:
        tables: dict[str, Any] = tomllib.loads(
            unicodedata.normalize("NFC", file.read_text(encoding="utf-8"))
        )
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        at = re.search(r"line (\d+)", str(error))
        raise CatalogueError(file, int(at[1]) if at else 1, f"no TOML: {error}") from None
    for name, table in tables.items():
        if not isinstance(table, dict):
            message = f"{name!r} is in no table; write it below [{WORDS}], or the name of a stage"
            raise CatalogueError(file, _line(file, "", name), message)
        for english, text in table.items():
            if not isinstance(text, str):
                message = f"{english!r} is to be a text in quotes, and is {text!r}"
                raise CatalogueError(file, _line(file, name, english), message)
    _check_names(file, tables)
    return tables


def _check_names(file: Path, tables: Iterable[str]) -> None:
    known = [*_stages_beside(file), WORDS, STORYBOARDS, LANGUAGE]
    for name in tables:
        if name not in known:
            near = process.extractOne(name, known, score_cutoff=60)
            hint = f"; did you mean [{near[0]}]?" if near else ""
            message = f"[{name}] is no stage of this film{hint}"
            raise CatalogueError(file, _line(file, name), message)


def _stages_beside(file: Path) -> Iterator[str]:
    """The names of the stages of the catalogue's film, in all libraries."""
    for library in libraries():
        yield from library.modules(file.parent.name)


def _line(file: Path, table: str, key: str = "") -> int:
    """The line of a table, or of a key in it; 1 if it is not found."""
    inside = not table
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith("["):
            inside = line.strip().startswith(f"[{table}]")
            if inside and not key:
                return number
        elif inside and key and line.lstrip().startswith(_spellings(key)):
            return number
    return 1


def _spellings(key: str) -> tuple[str, ...]:
    return json.dumps(key, ensure_ascii=False), f"'{key}'", f"{key} ", f"{key}="
