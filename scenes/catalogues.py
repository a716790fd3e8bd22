"""Catalogues: what is said in other languages, in files beside the stages.

`de.toml` beside the films says how German writes numbers, and the words that any film may need;
`rope/de.toml` what the stages of `rope` say, in a table for each stage. The keys are the English
texts of the stages, as they are before facts are filled in. A file of one's own can translate a
film that comes with Clockhead: of two files that have a text, the first library counts.
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
"""A language in the names of files: two or three letters of ISO 639."""
LANGUAGE: Final = "language"
"""The table of a language that says how it writes."""
WORDS: Final = "words"
"""The table of what several stages say."""
STORYBOARDS: Final = "storyboards"
"""The table of what the storyboards that come with the stages say: titles, captions and credits."""
_MANNERS = [part.name for part in fields(Language) if part.name not in ("code", "texts")]


@dataclass(frozen=True, slots=True)
class Entry:
    """A text and its translation, and where it is written."""

    english: str
    text: str
    _file: Path
    _table: str

    @property
    def file(self) -> str:
        """The catalogue, as messages name it."""
        return display_path(self._file)

    @property
    def line(self) -> int:
        """The line of the catalogue in which it stands."""
        return _line(self._file, self._table, self.english)


class CatalogueError(ValueError):
    """A catalogue cannot be read, or holds what no stage can use."""

    def __init__(self, file: Path, line: int, message: str) -> None:
        super().__init__(message)
        self.file, self.line = display_path(file), line


def languages() -> dict[str, str]:
    """The names of the languages there are, by their codes."""
    found = {DEFAULT_LANGUAGE: ENGLISH.name}
    for library in libraries():
        # Others, such as a pyproject.toml, are somebody else's.
        files = [f for f in library.stages.glob("*.toml") if LANGUAGE_CODE.fullmatch(f.stem)]
        for file in sorted(files):
            manners = _tables(file).get(LANGUAGE)
            if manners is not None:
                found.setdefault(file.stem, str(manners.get("name", file.stem)))
    return found


def language_of(code: str, film: str = "", stage: str = "") -> Language:
    """A language with the words of a stage of a film; without them, those that any film may need.

    Raises:
        CatalogueError: when one of its files cannot be read.
    """
    if code == DEFAULT_LANGUAGE:
        return ENGLISH
    manners: dict[str, str] = {}
    for file in reversed(_files(code)):
        manners |= _manners(file)
    texts = {key: entry.text for key, entry in entries(code, film, stage).items() if entry.text}
    return Language(code, **manners, texts=texts)


def entries(code: str, film: str, stage: str) -> dict[str, Entry]:
    """What a stage has in a language, by the English without formats.

    The text of an entry is empty if nobody has translated it yet.
    """
    found: dict[str, Entry] = {}
    for table in (stage, WORDS) if film else ():
        for file in _files(code, film):
            _add(found, file, table)
    for file in _files(code):
        _add(found, file, WORDS)
    return found


def storyboard_texts(code: str, films: Iterable[str]) -> dict[str, str]:
    """What the storyboards of films say, from English into a language."""
    found = storyboard_entries(code, films)
    return {key: entry.text for key, entry in found.items() if entry.text}


def storyboard_entries(code: str, films: Iterable[str]) -> dict[str, Entry]:
    """The same with the places of these texts, and those that are not translated yet."""
    found: dict[str, Entry] = {}
    for film in dict.fromkeys(films):
        for file in _files(code, film):
            _add(found, file, STORYBOARDS)
    return found


def has_catalogue(code: str, film: str) -> bool:
    """Whether anything of a film is translated into a language."""
    return bool(_files(code, film))


def _add(found: dict[str, Entry], file: Path, table: str) -> None:
    for english, text in _tables(file).get(table, {}).items():
        key = without_formats(english)
        if key not in found or (text and not found[key].text):
            found[key] = Entry(english, text, file, table)


def _files(code: str, film: str = "") -> list[Path]:
    """The catalogues of a film, or of all films, that there are; one's own come first."""
    files = (library.stages / film / f"{code}.toml" for library in libraries())
    return [file for file in files if file.is_file()]


def _manners(file: Path) -> dict[str, str]:
    told = _tables(file).get(LANGUAGE, {})
    for name in told:
        if name not in _MANNERS:
            near = process.extractOne(name, _MANNERS, score_cutoff=60)
            hint = f"; did you mean {near[0]}?" if near else ""
            message = f"a language has no {name!r}{hint} (it has {', '.join(_MANNERS)})"
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
    """The tables of a catalogue, as it is now: texts by texts."""
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
    """The modules of the film that a catalogue is about, in whichever library they are."""
    for library in libraries():
        yield from library.modules(file.parent.name)


def _line(file: Path, table: str, key: str = "") -> int:
    """The line in which a table begins, or a key of it stands; 1 where it cannot be told."""
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
