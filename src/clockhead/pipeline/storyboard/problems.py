"""What is wrong with a storyboard, said where it is wrong, all of it at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clockhead.scenes.stage.flaws import Flaw


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
        super().__init__("\n".join(map(str, self.problems)))


class StoryboardError(Problems):
    """The storyboard, or the command about it, is wrong: nothing is computed or written."""


class FilmError(Problems):
    """The storyboard is well-formed, and what its film says does not hold for these inputs."""

    exit_code = 1
