"""What is wrong with a storyboard, said where it is wrong, all of it at once.

Whatever is said of a stranger's file is made harmless here, where it becomes a problem: on one
line, without anything that commands a terminal, and neither too long nor too much of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clockhead.storyboard.wording import harmless, show

if TYPE_CHECKING:
    from clockhead.scenes.stage import UnknownStage
    from clockhead.scenes.stage.flaws import Flaw

LONGEST = 500
"""Characters of one message."""
MOST = 20
"""As many problems are listed; of the rest, their number is."""
_LONGEST_PATH = 160
_LONGEST_FILE = 400
_OFFER = ": write "


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where something was written: a file or a command-line option, and a path in its data.

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
    """One thing that is wrong. Reads `file:line:column: path: message`."""

    file: str
    line: int
    column: int
    path: str
    message: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", harmless(self.path, _LONGEST_PATH))
        object.__setattr__(self, "message", _fitted(self.message))

    @classmethod
    def at(cls, place: Place, message: str) -> Problem:
        """What is wrong at `place`."""
        return cls(place.file, place.line, place.column, place.path, message)

    @classmethod
    def of(cls, flaw: Flaw) -> Problem:
        """What is wrong with a stage, where the stage is written."""
        return cls(flaw.file, flaw.line, 1, flaw.what, flaw.message)

    def __str__(self) -> str:
        return f"{Place(self.file, self.line, self.column, self.path)}{self.message}"


class Problems(Exception):
    """Everything that is wrong, in the order of the file, each thing said once."""

    exit_code = 2

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__("\n".join(told(self.problems)))


class StoryboardError(Problems):
    """The storyboard, or the command about it, is wrong: nothing is computed or written."""


class FilmError(Problems):
    """The storyboard is well-formed, and what its film says does not hold for these inputs."""

    exit_code = 1


def told(problems: Iterable[Problem]) -> Iterator[str]:
    """Problems for people, a line each: the first of them, and how many more there are."""
    every = list(problems)
    yield from map(str, every[:MOST])
    if len(every) > MOST:
        yield f"and {len(every) - MOST:,} more"


def unknown_stage(error: UnknownStage) -> str:
    """Say that there is no stage of this name, with the nearest one."""
    nearest = error.suggestions
    near = f"; did you mean {nearest[0]}?" if nearest else ""
    return f"there is no stage {show(error.name)}{near}"


def _fitted(message: str) -> str:
    """A message that is not too long. An offer goes as a whole: half a line helps nobody."""
    if len(message) > LONGEST:
        message = message.partition(_OFFER)[0]
    return harmless(message, LONGEST)
