"""`clockhead new language`: catalogues of a language, with all texts that can be translated.

What stages say is found in two ways. Sentences are collected for many inputs, because a stage may
choose between several. Words in pictures are heard while the stages are played without drawing.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from clockhead import atomic
from clockhead.clips.clip import ClipJob, Failure, Report
from clockhead.clips.jobs import make_ready, run_all
from clockhead.clips.scratch import scratch_directory
from clockhead.libraries import BUILT_IN, library_of, project_folder, use_project
from clockhead.look import FilmLook, Wish
from clockhead.new import own_folder, refusal
from clockhead.places import PACKAGE, relative_path
from clockhead.scenes.catalogues import (
    LANGUAGE,
    LANGUAGE_CODE,
    STORYBOARDS,
    WORDS,
    entries,
    languages,
    storyboard_entries,
)
from clockhead.scenes.language import (
    DEFAULT_LANGUAGE,
    PLURALS,
    Language,
    listening,
    speaking,
    without_formats,
)
from clockhead.scenes.stage import BrokenStage, Shot, Stage, find_stage, stage_names
from clockhead.scenes.stage.translations import names_of
from clockhead.storyboard.films import load_films
from clockhead.storyboard.find import find_film
from clockhead.storyboard.models import inputs_schema, read_draft
from clockhead.storyboard.yaml_reader import parse_file
from clockhead.trust import trust

_OTHER_TEXTS = ("to be or not to be", "a a", "a b")
"""Inputs of stages that take a text, for which they may say something else."""
_ABOUT_NUMBERS = "# In tables of numbers, which exports show:"
_GERMAN = "de"
"""The language that has all words that any film may need."""
_FORMAT = re.compile(r"(?<=\w):[^{}|]*\}")
"""The format of a fact, but for forms of the plural."""
_NOBODY = Language("xx")
"""A language that has no word yet, so that all words are heard."""
Tables = dict[str, dict[str, bool]]
"""English texts by the table of a catalogue in which they belong, and whether each describes a
number, which only exports show."""


def begin_language(code: str, films: Sequence[str]) -> list[Path]:
    """Write or complete the catalogues of a language; returns the files.

    There is one for all films, and one for each folder of stages of these films; without films,
    for each folder of the user's own stages. Lines that are there stay.

    Raises:
        StoryboardError: if there can be no such language, or there is something wrong with a film.
    """
    if not LANGUAGE_CODE.fullmatch(code) or code == DEFAULT_LANGUAGE:
        message = "a language has two or three letters of ISO 639, such as fr; English is there"
        raise refusal(code, message)
    is_new, folder = project_folder() is None, own_folder()
    make_ready([])
    texts = _texts_of_films(films) if films else _texts_of_own_stages()
    use_project(folder)
    files: dict[Path, str] = {}
    if code not in languages():
        files[folder / f"stages/{code}.toml"] = _general(code)
    for film, tables in texts.items():
        file = folder / f"stages/{film}/{code}.toml"
        old = file.read_text(encoding="utf-8") if file.is_file() else _heading(film)
        if new := _without_known(tables, code, film):
            files[file] = _add(old, new)
    for file, text in files.items():
        atomic.write(file, text)
    if is_new:
        with suppress(OSError):
            trust(folder)
    return [relative_path(file) for file in files]


# The texts


def _texts_of_films(films: Sequence[str]) -> dict[str, Tables]:
    """All texts of films: of their stages and storyboards, by the folders of the stages."""
    loaded = load_films(films, wish=Wish(language=DEFAULT_LANGUAGE))
    found = _texts_of([(shot.stage, shot.shot) for film in loaded for shot in film.shots])
    for name in films:
        draft, _ = read_draft(parse_file(find_film(name)))
        folder = draft.shots[0][1].stage.partition(".")[0]
        tables = found.setdefault(folder, {})
        texts = dict.fromkeys(draft.words, False)
        found[folder] = {STORYBOARDS: tables.pop(STORYBOARDS, {}) | texts, **tables}
    return found


def _texts_of_own_stages() -> dict[str, Tables]:
    shots = []
    for name in stage_names():
        try:
            stage = find_stage(name)
        except BrokenStage as error:
            raise refusal(name, str(error)) from None
        if library_of(stage.__module__) != BUILT_IN:
            shots.append((name, stage.shot(stage.Inputs())))
    return _texts_of(shots)


def _texts_of(shots: Sequence[tuple[str, Shot]]) -> dict[str, Tables]:
    """All texts of stages, by folder; those of several stages of a folder are its words."""
    jobs = {
        str(number): ClipJob(stage, shot, FilmLook()) for number, (stage, shot) in enumerate(shots)
    }
    heard = run_all(words_in_pictures, jobs)
    found: dict[str, dict[str, dict[str, tuple[str, bool]]]] = {}
    for number, (name, shot) in enumerate(shots):
        stage, words = find_stage(name), heard[str(number)]
        if isinstance(words, Failure):
            raise refusal(name, words.reason)
        folder, own = names_of(stage)
        table = found.setdefault(folder, {}).setdefault(own, {})
        descriptions = list(_descriptions(stage, shot))
        for text in (*_sentences(stage, shot), *words, *descriptions):
            if _NOBODY.find(text) is None:  # it has words
                table.setdefault(without_formats(text), (text, text in descriptions))
    return {folder: _share(tables) for folder, tables in found.items()}


def _share(tables: Mapping[str, Mapping[str, tuple[str, bool]]]) -> Tables:
    """The texts of the stages of a folder, with those of several stages in a table of their own."""
    uses = Counter(key for texts in tables.values() for key in texts)
    every = {key: text for texts in tables.values() for key, text in texts.items()}
    shared = dict(text for key, text in every.items() if uses[key] > 1)
    own = {
        name: dict(text for key, text in texts.items() if uses[key] == 1)
        for name, texts in tables.items()
    }
    return {name: texts for name, texts in {WORDS: shared, **own}.items() if texts}


def _sentences(stage: type[Stage], shot: Shot) -> Iterator[str]:
    """What a stage says: for a shot, for other inputs, and what other languages translate."""
    yield from (stage.title, stage.question)
    for values in (shot.values or stage.compute(shot.inputs), *_other_values(stage)):
        for lines in stage.templates_of(values):
            yield from lines
    yield stage.caption
    for code in languages():
        if code != DEFAULT_LANGUAGE:
            folder, name = names_of(stage)
            with_film = entries(code, folder, name)
            general = entries(code, "", "")
            yield from (text for text in with_film if text not in general)


def _other_values(stage: type[Stage]) -> Iterator[Any]:
    """Values of a stage for one input at a time at its bounds and between, as far as it goes."""
    for name, part in inputs_schema(".".join(names_of(stage)))["properties"].items():
        for value in _trials(part):
            with suppress(ValueError):  # pydantic's too
                yield stage.compute(stage.Inputs(**{name: value}))


def _trials(part: Mapping[str, Any]) -> Iterator[Any]:
    for choice in part.get("anyOf", [part]):
        yield from choice.get("enum", ())
        match choice.get("type"):
            case "boolean":
                yield from (True, False)
            case "string":
                yield from _OTHER_TEXTS
            case "integer" | "number" as kind:
                ends = [choice[end] for end in ("minimum", "maximum") if end in choice]
                for value in {*ends, sum(ends) / len(ends)} if ends else ():
                    yield int(value) if kind == "integer" else float(value)


def _descriptions(stage: type[Stage], shot: Shot) -> Iterator[str]:
    """What the tables of exports say of facts and inputs."""
    facts = stage.facts_of(shot.inputs, shot.values or stage.compute(shot.inputs))
    yield from (about.description for about in facts.about.values())
    yield from (field.description or "" for field in stage.Inputs.model_fields.values())


def words_in_pictures(job: ClipJob, _: Report) -> list[str]:
    """The words that a shot says and draws, besides its sentences, for one in a worker process."""
    from clockhead.clips.drawing import manim_settings
    from clockhead.scenes.stage.carry import BlindRenderer

    stage = find_stage(job.stage)
    shot = replace(job.shot, language=_NOBODY, after=None)
    with listening() as heard, scratch_directory() as media:
        with speaking(_NOBODY):
            facts = stage.facts_of(shot.inputs, shot.values or stage.compute(shot.inputs))
            for name in stage.derived:
                facts.get(name)
            stage.lines_of(shot.inputs, shot.values or stage.compute(shot.inputs), _NOBODY)
        with manim_settings(job.look, media, dry_run=True):
            stage(shot, renderer=BlindRenderer()).render()
    return list(heard)


# The files


def _general(code: str) -> str:
    """The catalogue of a language for all films: how it writes, and words of any film."""
    known = tomllib.loads((PACKAGE / "templates/languages.toml").read_text("utf-8"))
    default = Language()
    usual = ["", "und", default.decimal, default.thousands, default.percent, default.quotes, "en"]
    name, track, decimal, thousands, percent, quotes, plural = known.get(code, usual)
    about = {
        "name": (name or code, "in English"),
        "track": (track, "three letters of ISO 639-2, by which players know subtitles"),
        "decimal": (decimal, "99.9 in English"),
        "thousands": (thousands, "2,600 in English"),
        "percent": (percent, "what follows the digits, with its space; \\u00A0 does not break"),
        "quotes": (quotes, "the opening and the closing one; four signs if they have spaces"),
        "plural": (plural, f"forms: {PLURALS[plural].about}"),
        "yes": ("", "how truth values read"),
        "no": ("", ""),
    }
    lines = [
        f"{key} = {json.dumps(text, ensure_ascii=False)}  # {what}".rstrip("# ")
        for key, (text, what) in about.items()
    ]
    rules = [f"#   {name}: {rule.about}" for name, rule in PLURALS.items()]
    words = [entry.english for entry in entries(_GERMAN, "", "").values()]
    return (
        f"# {name or code}: how it writes numbers, and the words that any film may need.\n"
        "# Translate the text on the left of each line on the right. Empty ones stay English, and\n"
        f"# `check FILM --lang {code}` lists them.\n"
        "#\n"
        "# In {n:row|rows}, the number n chooses a form: as many as `plural` has, in this order.\n"
        f"{_lines(rules)}"
        '# Where none fits, write around it: "rows: {n}".\n'
        f"\n[{LANGUAGE}]\n{_lines(lines)}\n[{WORDS}]\n{_lines(map(_open, words))}"
    ).replace("\u00a0", "\\u00A0")


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _heading(film: str) -> str:
    return (
        f"# What the stages of {film} say. Translate the text on the left of each line on\n"
        "# the right, where it is empty. Facts stay in braces, in any order; {n} is written\n"
        "# as in the English. {n:row|rows} is a form that goes with the number n: write the forms\n"
        "# of your language, as `plural` in its own file says.\n"
    )


def _without_known(tables: Tables, code: str, film: str) -> Tables:
    """The texts that the catalogues of a language do not have, not even open."""
    general = entries(code if code in languages() else _GERMAN, "", "")
    boards = storyboard_entries(code, [film])
    found = {}
    for name, texts in tables.items():
        known = boards if name == STORYBOARDS else entries(code, film, name)
        new = {
            text: describes
            for text, describes in texts.items()
            if without_formats(text) not in {**general, **known}
        }
        if new:
            found[name] = new
    return found


def _add(text: str, tables: Tables) -> str:
    """A catalogue with open lines for these texts at the end of their tables."""
    for name, texts in tables.items():
        said = [_open(text) for text, describes in texts.items() if not describes]
        described = [_open(text) for text, describes in texts.items() if describes]
        new = "\n".join([*said, *([_ABOUT_NUMBERS, *described] if described else [])])
        table = re.search(rf"^\[{name}\][^\n]*\n(?:(?!\[).*\n?)*", text, re.MULTILINE)
        if table is None:
            text = f"{text.rstrip()}\n\n[{name}]\n{new}\n"
        else:
            text = f"{text[: table.start()]}{table[0].rstrip()}\n{new}\n\n{text[table.end() :]}"
    return f"{text.rstrip()}\n"


def _open(english: str) -> str:
    """An open line for a text; of its formats, those stay that a translation needs of its own."""
    return f'{json.dumps(_FORMAT.sub("}", english), ensure_ascii=False)} = ""'
