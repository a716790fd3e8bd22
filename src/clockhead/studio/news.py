"""What goes between the server and its warm processes: questions one way, news the other.

Plain data.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from clockhead.look import Wish
from clockhead.storyboard.problems import MOST_PROBLEMS

Kind = Literal["error", "claim", "note"]
"""Something cannot be understood; what is said does not hold; or something is only odd."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A storyboard to be read, and drawn where it is new."""

    number: int
    """Later questions have higher ones."""
    file: Path
    data: bytes
    """What the file holds, or is yet to hold."""
    wish: Wish
    first: int | None = None
    """The place in the file, from 0, of the shot that is to be drawn first."""
    drawn: frozenset[str] = frozenset()
    """The keys of shots whose stills there are."""


@dataclass(frozen=True, slots=True)
class Make:
    """A storyboard to be rendered: the film, or clips of some of its shots."""

    number: int
    """Later questions have higher ones."""
    file: Path
    data: bytes
    """What the file holds, or is yet to hold."""
    wish: Wish
    media: Path
    shots: frozenset[int] | None = None
    """The places in the file, from 0, of the shots whose clips are wanted; None is the film."""


@dataclass(frozen=True, slots=True)
class CallOff:
    """What was to be made, up to this number, is not wanted any more."""

    number: float


@dataclass(frozen=True, slots=True)
class Remark:
    """Something to be said beside a line; line 0 is the whole of the file."""

    line: int
    column: int
    message: str
    kind: Kind
    shot: int | None
    """The place of the shot it is about."""
    where: str
    """What a terminal says in front of the message: `file:line:column: path: `."""


def first_of(remarks: Iterable[Remark]) -> tuple[Remark, ...]:
    """As many remarks as somebody will read, and how many more there are."""
    every = tuple(remarks)
    more = Remark(0, 0, f"and {len(every) - MOST_PROBLEMS:,} more", "note", None, "")
    return (*every[:MOST_PROBLEMS], more) if len(every) > MOST_PROBLEMS else every


@dataclass(frozen=True, slots=True)
class Control:
    """An input of a shot, to be turned."""

    name: str
    about: str
    allowed: str
    """What it may be, in words."""
    kind: Literal["number", "choice", "switch", "text", "list"]
    value: Any
    default: Any
    at: tuple[str | int, ...]
    """Where it is written, or would be."""
    given: Literal["shot", "film", ""]
    """Where it was said, if anywhere."""
    least: float | None = None
    most: float | None = None
    step: float | None = None
    """How far apart whole numbers are, or how far a slider over real numbers goes at once."""
    whole: bool = False
    choices: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Word:
    """Something that may be typed, and what it is."""

    name: str
    about: str


@dataclass(frozen=True, slots=True)
class StageWords:
    """A stage, what it shows, and its inputs."""

    name: str
    about: str
    inputs: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Stages:
    """All stages there are."""

    stages: tuple[StageWords, ...]


@dataclass(frozen=True, slots=True)
class ShotNews:
    """A shot of the storyboard; without a key it cannot be drawn."""

    place: int
    id: str
    stage: str
    line: int
    title: str
    question: str
    controls: tuple[Control, ...]
    key: str | None
    facts: tuple[Word, ...]
    """What its texts and expectations may name; none where its values are not known."""


@dataclass(frozen=True, slots=True)
class Read:
    """What a storyboard says."""

    number: int
    title: str
    shots: tuple[ShotNews, ...]
    remarks: tuple[Remark, ...]
    understood: bool
    """Whether there is any shot to be told of; if not, the last ones still stand."""
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """A still: of the shot with this key, at this place among its stills."""

    number: int
    key: str
    place: int
    beat: str
    sentence: str
    alt: str
    picture: bytes


@dataclass(frozen=True, slots=True)
class ShotDone:
    """All stills of a shot are there; or `failure` says why not."""

    number: int
    key: str
    failure: str = ""


@dataclass(frozen=True, slots=True)
class AllDone:
    """Nothing more is to come for a question."""

    number: int


@dataclass(frozen=True, slots=True)
class Said:
    """How rendering goes on, or why it does not: a line."""

    number: int
    line: str


@dataclass(frozen=True, slots=True)
class Made:
    """Rendering is over."""

    number: int
    film: Path | None = None
    """The film, if it was wanted and is made."""
    clips: dict[int, Path] = field(default_factory=dict)
    """The clips that are made, by the places of their shots."""
    failures: dict[int, str] = field(default_factory=dict)
    """Why others are not; of what was called off there is nothing here."""


@dataclass(frozen=True, slots=True)
class Outdated:
    """The sources that this process has imported were edited: ask a new one."""

    number: int


@dataclass(frozen=True, slots=True)
class Gone:
    """The process ended by itself."""

    how: str
    pid: int = 0


News = Read | Stages | Drawn | ShotDone | AllDone | Said | Made | Outdated | Gone
