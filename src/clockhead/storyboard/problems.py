"""What is wrong with a storyboard, said where it is wrong, all of it at once.

Text from a stranger's file is made harmless when it becomes a problem: on one line, without control
characters, and cut to a bounded length.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from clockhead.scenes.catalogues import CatalogueError
    from clockhead.scenes.stage import UnknownStage
    from clockhead.scenes.stage.flaws import Flaw

_LONGEST_VALUE = 40
_BEGINNING = 3
"""Characters from which on a word may stand for a name that begins with it."""
LONGEST_REASON = 2000
"""Characters that are shown of what went wrong with a shot."""
_FEW_NAMES = 24
"""As many names are listed; beyond that, only the nearest is."""


def sanitize(text: str, longest: int) -> str:
    """Text on one line, without control characters, cut to `longest` characters."""
    line = "".join(map(_escape, text[: longest + 1]))
    return shorten(line, longest)


def shorten(text: str, longest: int = _LONGEST_VALUE) -> str:
    """Text, cut to so many characters."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def key_name(key: str, *, dots: bool = False) -> str:
    """A key as it is written, if it is a plain word, or one with dots in it; others in quotes."""
    plain = re.fullmatch(r"[\w.-]{1,80}" if dots else r"[\w-]{1,40}", key)
    return key if plain else show(key)


def show(value: object) -> str:
    """A value as its author would write it, on one line."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case str():
            text = shorten(value)
            if not text.isprintable() or ("'" in text and '"' in text):
                return repr(text)
            mark = '"' if "'" in text else "'"  # as Python quotes, but with single backslashes
            return f"{mark}{text}{mark}"
        case list() | tuple():
            return f"a list of {count(len(value), 'thing')}"
        case dict():
            return "a map of keys"
        case _:
            return shorten(repr(value))


def kind(value: object) -> str:
    """A value with its type: `the text '32'`, `the number 31`, `true`."""
    match value:
        case bool() | None | list() | tuple() | dict():
            return show(value)
        case str():
            return f"the text {show(value)}" if value else "an empty text"
        case _:
            return f"the number {show(value)}"


def count(number: int, noun: str) -> str:
    """`1 shot`, `2 shots`, `1,000 shots`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def join_names(names: Iterable[str]) -> str:
    """`a, b, c`, or `none`."""
    return ", ".join(names) or "none"


def unknown_name(noun: str, name: str, allowed: Collection[str]) -> str:
    """Say that there is no such name, with the nearest one, and the list when it is short."""
    few = f" ({noun}s: {join_names(allowed)})" if len(allowed) <= _FEW_NAMES else ""
    return f"there is no {noun} {show(name)}{did_you_mean(nearest_name(name, allowed))}{few}"


def did_you_mean(name: str | Path | None) -> str:
    """The end of a message that offers a name, if there is one."""
    return f"; did you mean {name}?" if name else ""


def nearest_name(name: str, allowed: Collection[str]) -> str | None:
    """The allowed name that was probably meant: one that begins with `name`, or is most alike."""
    from rapidfuzz import fuzz, process

    wanted = name.lower()
    begun = [one for one in allowed if one.startswith(wanted)] if len(wanted) >= _BEGINNING else []
    if begun:
        return min(begun, key=len)
    match = process.extractOne(wanted, list(allowed), scorer=fuzz.ratio, score_cutoff=60)
    return None if match is None else str(match[0])


def _escape(character: str) -> str:
    """A blank for a line end or a tab, an escape for an invisible character."""
    if character in "\t\n\r\u2028\u2029":
        return " "
    hidden = unicodedata.category(character).startswith("C")
    return character.encode("unicode_escape").decode() if hidden else character


LONGEST_MESSAGE = 500
"""Characters of one message."""
MOST_PROBLEMS = 20
"""As many problems are listed; of the rest, their number is."""
_FEW_SHOTS = 8
"""As many shots are listed for which one remedy helps; of more, their number is."""
_LONGEST_PATH = 160
_LONGEST_FILE = 400
_OFFER = ": write "


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A position: a file or a command-line option, and a path in its data.

    Lines and columns count from 1, in characters; 0 stands for "the whole of it".
    """

    file: str
    line: int = 0
    column: int = 0
    path: str = ""

    def __str__(self) -> str:
        file = self.file if self.file.isprintable() else repr(self.file)
        if len(file) > _LONGEST_FILE:
            file = f"…{file[1 - _LONGEST_FILE :]}"
        position = f":{self.line}:{self.column}" if self.line else ""
        return f"{file}{position}: " + (f"{self.path}: " if self.path else "")


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One problem. Reads `file:line:column: path: message`."""

    file: str
    line: int
    column: int
    path: str
    message: str
    remedy: str = field(default="", compare=False)
    """Inputs to give another value, as the message offers them; empty if it offers none."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", sanitize(self.path, _LONGEST_PATH))
        message = self.message
        if len(message) > LONGEST_MESSAGE:  # a line that it offers is kept whole or left out
            message = message.partition(_OFFER)[0]
        object.__setattr__(self, "message", sanitize(message, LONGEST_MESSAGE))

    @classmethod
    def at(cls, place: Place, message: str, remedy: str = "") -> Problem:
        """The problem at `place`; `remedy` names inputs that would solve it."""
        return cls(place.file, place.line, place.column, place.path, message + remedy, remedy)

    @classmethod
    def of(cls, flaw: Flaw) -> Problem:
        """The problem that a flaw of a stage is, at the stage's source."""
        return cls(flaw.file, flaw.line, 1, flaw.what, flaw.message)

    @property
    def place(self) -> Place:
        """Where it is."""
        return Place(self.file, self.line, self.column, self.path)

    def __str__(self) -> str:
        return f"{self.place}{self.message}"


class Problems(Exception):
    """All problems, in the order of the file, each once."""

    exit_code = 2

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__("\n".join(problem_lines(self.problems)))

    @classmethod
    def at(cls, place: Place | Path | str, message: str) -> Self:
        """The error of a single problem: at a place, or with a whole file or option."""
        return cls([Problem.at(place if isinstance(place, Place) else Place(str(place)), message)])


class StoryboardError(Problems):
    """The storyboard, or the command about it, is wrong: nothing is computed or written."""


class FilmError(Problems):
    """The storyboard is well-formed, and what its film says does not hold for these inputs."""

    exit_code = 1


def problem_lines(problems: Iterable[Problem]) -> Iterator[str]:
    """Problems for people: a line for each, or for all of a film that have one remedy.

    The first lines are listed; of the rest, their number is.
    """
    groups: dict[object, list[Problem]] = {}
    for number, problem in enumerate(problems):
        cause = (problem.file, problem.remedy) if problem.remedy else number
        groups.setdefault(cause, []).append(problem)
    for first, *others in islice(groups.values(), MOST_PROBLEMS):
        yield f"{first}{_and_others(others)}"
    more = sum(len(group) for group in islice(groups.values(), MOST_PROBLEMS, None))
    if more:
        yield f"and {more:,} more"


def _and_others(others: Sequence[Problem]) -> str:
    """How many others have the same remedy, and in which shots."""
    if not others:
        return ""
    shots = [*dict.fromkeys(problem.path.partition(".")[0] for problem in others)]
    verb = "does" if len(others) == 1 else "do"
    where = join_names(shots) if len(shots) <= _FEW_SHOTS else count(len(shots), "shot")
    return f" (and so {verb} {len(others):,} more, in {where})"


def catalogue_problem(error: CatalogueError) -> Problem:
    """The problem with a catalogue of translations, at its line."""
    return Problem.at(Place(error.file, error.line, 1), str(error))


def unknown_stage(error: UnknownStage) -> str:
    """Say that there is no stage of this name, with the nearest one."""
    nearest = next(iter(error.suggestions), None)
    return f"there is no stage {show(error.name)}{did_you_mean(nearest)}"
