"""Missing and wrong translations of a stage's texts, with the file and line of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from clockhead.places import clockhead_command, display_path
from clockhead.scenes.catalogues import Entry, entries, has_catalogue, language_of
from clockhead.scenes.facts import misfits
from clockhead.scenes.language import (
    DEFAULT_LANGUAGE,
    Language,
    fields_of,
    listening,
    speaking,
    without_formats,
)
from clockhead.scenes.stage import flaws
from clockhead.scenes.stage.flaws import Flaw, Saying, place_of, sayings
from clockhead.scenes.stage.stage import NO_WORDS, Stage


def names_of(stage: type[Stage]) -> tuple[str, str]:
    """The folder of the film that a stage belongs to, and the stage's name there."""
    *_, film, name = ("", *stage.__module__.split("."))
    return film, name


def spoken_by(stage: type[Stage], code: str) -> Language:
    """A language with the translations for a stage.

    Raises:
        CatalogueError: if one of its files cannot be read.
    """
    return language_of(code, *names_of(stage))


def untranslated(
    stage: type[Stage],
    inputs: Any,
    values: Any,
    language: Language,
    given: Mapping[str, str] = NO_WORDS,
) -> list[Flaw]:
    """The texts of a stage for these values that have no translation.

    Texts `given` by a storyboard are in its author's language. Labels are not known here; they are
    collected when they are drawn (`missing_words`).
    """
    if language.code == DEFAULT_LANGUAGE:
        return []
    if not has_catalogue(language.code, names_of(stage)[0]):
        return [Flaw(*place_of(stage), stage.__name__, _no_catalogue(stage, language))]
    known = _known(stage, language)
    missing = [
        Flaw(*_place(known, saying), saying.what, _missing(saying.template, language))
        for saying in sayings(stage, values, given)
        if language.find(saying.template) is None
    ]
    left_out = [
        Flaw(entry.file, entry.line, saying.what, f"{{{name}}} of the English is left out")
        for saying, entry in _pairs(stage, values, language, given)
        for name in sorted(fields_of(saying.template) - fields_of(entry.text))
        if entry.text
    ]
    with listening() as heard, speaking(language):
        stage.lines_of(inputs, values, language, given)
        facts = stage.facts_of(inputs, values)
        for name in stage.derived:
            facts.get(name)
    return [*missing, *left_out, *missing_words(heard, language, stage)]


def in_text(stage: type[Stage], name: str, message: str, language: Language) -> Flaw:
    """An error in a title, question or caption, located in the file of its language."""
    template = without_formats(getattr(stage, name, ""))
    entry = _known(stage, language).get(template)
    if entry is None or not entry.text:
        return flaws.in_text(stage, name, message)
    return Flaw(entry.file, entry.line, name, message)


def missing_words(
    heard: Mapping[str, tuple[str, int]], language: Language, *stages: type[Stage]
) -> list[Flaw]:
    """The words without a translation, as `listening` has collected them from stages.

    Their location is the empty entry of a catalogue if there is one, or else where they are used.
    """
    found = []
    for text, (file, line) in heard.items():
        said_by = [(Path(file).parent.name, Path(file).stem), *map(names_of, stages)]
        known = (entries(language.code, *names).get(without_formats(text)) for names in said_by)
        entry = next(filter(None, known), None)
        place = (entry.file, entry.line) if entry else (display_path(file) if file else "", line)
        found.append(Flaw(*place, "words", _missing(text, language)))
    return found


def open_entries(stage: type[Stage], language: Language) -> dict[str, Entry]:
    """The entries of a stage's catalogue without a translation, by the English without formats."""
    return {key: entry for key, entry in _known(stage, language).items() if not entry.text}


def mistranslated(
    stage: type[Stage],
    inputs: Any,
    values: Any,
    language: Language,
    given: Mapping[str, str] = NO_WORDS,
) -> Iterator[Flaw]:
    """Translations that cannot be filled in, located in the catalogue."""
    facts = stage.facts_of(inputs, values)
    for saying, entry in _pairs(stage, values, language, given):
        with speaking(language):
            errors = misfits(language.find(saying.template) or "", facts)
        for error in errors:
            yield Flaw(entry.file, entry.line, saying.what, str(error))


def _pairs(
    stage: type[Stage], values: Any, language: Language, given: Mapping[str, str]
) -> Iterator[tuple[Saying, Entry]]:
    """The texts for these values that have been translated."""
    known = _known(stage, language)
    for saying in dict.fromkeys(sayings(stage, values, given)) if known else ():
        if entry := known.get(without_formats(saying.template)):
            yield saying, entry


def _known(stage: type[Stage], language: Language) -> dict[str, Entry]:
    if language.code == DEFAULT_LANGUAGE:
        return {}
    return entries(language.code, *names_of(stage))


def _place(known: Mapping[str, Entry], saying: Saying) -> tuple[str, int]:
    """Where a text is to be translated: its empty catalogue entry, or else the stage's own line."""
    entry = known.get(without_formats(saying.template))
    return (entry.file, entry.line) if entry else (saying.file, saying.line)


def _missing(text: str, language: Language) -> str:
    return f"no {language.name} for “{text}”; the English is shown"


def _no_catalogue(stage: type[Stage], language: Language) -> str:
    film, _ = names_of(stage)
    return (
        f"there is no {film}/{language.code}.toml; all that {film} says is shown as it is written; "
        f"`{clockhead_command('new', 'language', language.code)} --film FILM` begins it"
    )
