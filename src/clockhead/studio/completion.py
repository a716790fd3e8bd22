"""Completion in a storyboard's text: stages, inputs, facts, keys and values.

While it is typed, a storyboard is rarely valid YAML. So the path of the caret is found from the
lines before it: from their indentation, and from braces and brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

from rapidfuzz import fuzz, process

from clockhead.scenes.catalogues import languages
from clockhead.storyboard.models import QuizSpec, ShotSpec, Storyboard
from clockhead.storyboard.scalars import yaml_text
from clockhead.studio.messages import (
    HelpEntry,
    InputControl,
    ShotReport,
    StageHelp,
    StoryboardReport,
)

_LINE = re.compile(r"""( *)((?:- +|-$)*)(?:([\w.\[\]-]+|"[^"]*"|'[^']*') *:(?= |$))?""")
_STAGE = re.compile(r"""\bstage: *["']?([\w.]+)""")
_FACT = re.compile(r"\{([\w.\[\]-]*)$")
_BLOCK_TEXT = re.compile(r"[|>][-+\d]*\s*(#.*)?$")
_MAX_CHOICES = 60
_MIN_SIMILARITY = 60
"""Least similarity, of 100, of a name that does not contain what was typed."""
Step = str | int
OpenBracket = tuple[str, Step | None]
"""A bracket that is not closed, and the key or the index that is being written in it."""


@dataclass(frozen=True, slots=True)
class Completion:
    """Choices for the text that was `typed`; `after` follows the choice, a colon for keys."""

    typed: str
    choices: tuple[HelpEntry, ...]
    after: str = ""


@dataclass(frozen=True, slots=True)
class _CaretPlace:
    """The place of the caret; `path` leads to the map of a key, or to a value."""

    kind: Literal["key", "value", "fact"]
    path: tuple[Step, ...]
    typed: str
    stage: str = ""
    """The stage of the shot, if it is named before the caret."""


def complete(
    text: str, at: int, report: StoryboardReport | None, stages: Sequence[StageHelp]
) -> Completion | None:
    """Choices for character `at` of a text; None if there are none, or anything is allowed.

    `report` is the latest one, perhaps of an earlier text.
    """
    lines = text[:at].split("\n")
    place = _caret_place(lines)
    if place.path[:1] == ("shots",):
        place = replace(place, stage=_find_stage_before(lines))
    words = _matches(place.typed, _choices(place, report, stages))
    if not words or (len(words) == 1 and words[0].name == place.typed):
        return None
    return Completion(place.typed, words, ": " if place.kind == "key" else "")


def _choices(
    place: _CaretPlace, report: StoryboardReport | None, stages: Sequence[StageHelp]
) -> Iterable[HelpEntry]:
    shots = report.shots if report else ()
    match place.kind, place.path:
        case "key", ():
            return _key_entries(Storyboard)
        case "key", ("shots", int()):
            return _key_entries(ShotSpec)
        case "key", ("inputs",):
            return (_input_entry(control) for shot in shots for control in shot.controls)
        case "key", ("shots", int(number), "inputs" | "handles"):
            shot = _shot(shots, number, place.stage)
            known = (one for one in stages if one.name == place.stage)
            return (
                map(_input_entry, shot.controls)
                if shot
                else (w for one in known for w in one.inputs)
            )
        case "key", ("shots", int(), "quiz", str()):
            return _key_entries(QuizSpec)
        case "key", ("shots", int(), "beats" | "asks" | "notes" | "quiz"):
            return (beat for one in stages if one.name == place.stage for beat in one.beats)
        case ("fact", ("shots", int(number), *_)) | ("key", ("shots", int(number), "expect")):
            shot = _shot(shots, number, place.stage)
            return shot.facts if shot else ()
        case "value", ("shots", int(), "stage"):
            return [HelpEntry(stage.name, stage.about) for stage in stages]
        case "value", (*_, "inputs", str(name)):
            controls = (c for shot in shots for c in shot.controls if c.name == name)
            return [HelpEntry(yaml_text(choice), "") for c in controls for choice in c.choices]
        case "value", ("shots", int(number), "handles", str(name)):
            shot = _shot(shots, number, place.stage)
            found = (c for c in shot.controls if c.name == name) if shot else ()
            return [HelpEntry(yaml_text(c.offered), "") for c in found if c.offered]
        case "value", (str(name),):
            return [HelpEntry(choice, "") for choice in _values_of(name)]
    return ()


def _shot(shots: Sequence[ShotReport], number: int, stage: str) -> ShotReport | None:
    """A shot of this stage, or else the one at this place: the report may be of an earlier text."""
    alike = [shot for shot in shots if shot.stage == stage]
    here = [shot for shot in shots if shot.place == number and not stage]
    return next(iter(alike or here), None)


def _key_entries(part: type[Storyboard | ShotSpec | QuizSpec]) -> Iterator[HelpEntry]:
    for name, field in part.model_fields.items():
        yield HelpEntry(name, field.description or "")


def _input_entry(control: InputControl) -> HelpEntry:
    return HelpEntry(control.name, control.about)


@cache
def _values_of(key: str) -> tuple[str, ...]:
    """The values that a key of the storyboard may have, if they are a list in the schema."""
    if key == "language":
        return tuple(languages())
    schema = Storyboard.model_json_schema()
    part = schema["properties"].get(key, {})

    def find_values(part: dict[str, Any]) -> Iterator[str]:
        if "$ref" in part:
            yield from find_values(schema["$defs"][part["$ref"].rpartition("/")[2]])
        yield from part.get("enum", ())
        for choice in part.get("anyOf", ()):
            yield from find_values(choice)

    return tuple(find_values(part))


def _matches(typed: str, words: Iterable[HelpEntry]) -> tuple[HelpEntry, ...]:
    """Names that begin with what was typed, then those that contain it, or else similar ones."""
    every = {word.name: word for word in words}
    begun = [name for name in every if name.startswith(typed)]
    parts = [name for name in every if f".{typed}" in f".{name}" and name not in begun]
    names = begun + parts + [n for n in every if typed in n and n not in (*begun, *parts)]
    if not names:
        alike = process.extract(
            typed, list(every), scorer=fuzz.WRatio, score_cutoff=_MIN_SIMILARITY, limit=8
        )
        names = [name for name, *_ in alike]
    return tuple(every[name] for name in names[:_MAX_CHOICES])


def _find_stage_before(lines: Sequence[str]) -> str:
    """The last stage that is named in the list item of the caret."""
    for line in reversed(lines):
        if found := _STAGE.findall(line):
            return str(found[-1])
        if line.lstrip().startswith("- "):
            break
    return ""


def _caret_place(lines: Sequence[str]) -> _CaretPlace:
    """The place at the end of the last line."""
    around: list[tuple[int, Step]] = []
    text_in: int | None = None  # column of a key whose text is in the lines below
    goes_on = False  # whether the last key has a value on its own line
    for number, line in enumerate(lines):
        last = number == len(lines) - 1
        indent = len(line) - len(line.lstrip(" "))
        if text_in is not None and (indent > text_in or not line.strip()):
            if last:
                return _in_text(_path(around), line)
            continue
        if not last and (not line.strip() or line.lstrip().startswith("#")):
            continue
        text_in = None
        found = _LINE.match(line)
        assert found is not None
        spaces, dashes, key = found.groups()
        if not dashes and key is None and goes_on and around and indent > around[-1][0]:
            if last:
                return _in_text(_path(around), line)
            continue
        column = _enter_items(around, len(spaces), dashes)
        rest = line[found.end() :]
        while around and around[-1][0] >= column:  # the line is outside of these
            around.pop()
        goes_on = False
        if key is not None:
            around.append((column, key.strip("\"'")))
            value = rest.strip()
            goes_on = bool(value) and not value.startswith("#")
            text_in = column if _BLOCK_TEXT.fullmatch(value) else None
        if last:
            return _in_value(_path(around), rest, is_key=key is None)
    return _CaretPlace("key", (), "")


def _enter_items(around: list[tuple[int, Step]], column: int, dashes: str) -> int:
    """Enter the list items that a line begins; returns the column of their content."""
    for dash in re.finditer(r"- *", dashes):
        at = column + dash.start()
        while around and around[-1][0] > at:
            around.pop()
        is_next = around and around[-1][0] == at and isinstance(around[-1][1], int)
        before = around.pop()[1] if is_next else -1
        around.append((at, int(before) + 1))
    return column + len(dashes)


def _path(around: Sequence[tuple[int, Step]]) -> tuple[Step, ...]:
    return tuple(step for _, step in around)


def _in_text(path: tuple[Step, ...], text: str) -> _CaretPlace:
    """The place within a text, where facts are in braces."""
    found = _FACT.search(text)
    return _CaretPlace("fact", path, found[1]) if found else _CaretPlace("value", (), "")


def _in_value(path: tuple[Step, ...], text: str, *, is_key: bool) -> _CaretPlace:
    """The place after a key and the beginning of its value, or in a line without a key."""
    if re.search(r"(^|\s)#", text) or (not is_key and not text):
        return _CaretPlace("value", (), "")
    opened: list[OpenBracket] = []
    quote, token = "", ""
    for sign in text:
        if quote:
            quote, token = ("" if sign == quote else quote), token + sign
        elif sign in "\"'" and not token.strip():
            quote, token = sign, sign
        elif sign in "{[" and not token.strip():
            opened.append((sign, None if sign == "{" else 0))
            token = ""
        elif sign in "}]" and opened:
            opened.pop()
            token = " " + sign  # closed: no bracket opens after it
        elif sign == "," and opened:
            bracket, step = opened.pop()
            opened.append((bracket, step + 1 if isinstance(step, int) else None))
            token = ""
        elif sign == ":" and opened and opened[-1] == ("{", None):
            opened[-1] = ("{", token.strip().strip("\"'"))
            token = ""
        else:
            token += sign
    path = (*path, *(step for _, step in opened if step is not None))
    in_map = bool(opened) and opened[-1] == ("{", None)
    if quote or (not is_key and not opened and "{" in token):
        return _in_text(path, token)
    return _CaretPlace("key" if in_map or (is_key and not opened) else "value", path, token.strip())
