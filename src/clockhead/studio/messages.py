"""What goes between the server and its two workers, which draw stills and render. Plain data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from clockhead.look import Wish
from clockhead.storyboard.problems import MOST_PROBLEMS, Problem

RemarkKind = Literal["error", "claim", "note"]
"""A mistake in the storyboard, a claim that fails, or something odd."""


@dataclass(frozen=True, slots=True)
class DrawJob:
    """Read a storyboard, and draw the stills that the page does not have.

    The worker reports a `StoryboardReport`, then each `DrawnStill`, and a `ShotDrawn` after each
    shot.
    """

    number: int
    """Later jobs have higher numbers."""
    file: Path
    data: bytes
    """Content of the file, saved or not."""
    wish: Wish
    first: int | None = None
    """Place of the shot to draw first: its index in the file."""
    drawn: frozenset[str] = frozenset()
    """Keys of shots whose stills the page has."""


@dataclass(frozen=True, slots=True)
class RenderJob:
    """Render a storyboard, or clips of some of its shots; the worker reports lines of text."""

    file: Path
    data: bytes
    """Content of the file, saved or not."""
    wish: Wish
    media: Path
    shots: frozenset[int] | None = None
    """Places of the shots to render as clips; None for the film."""


@dataclass(frozen=True, slots=True)
class RenderResult:
    """The files of a render. What was cancelled is in none of these fields."""

    film: Path | None = None
    clips: dict[int, Path] = field(default_factory=dict)
    """Clips, by the places of their shots."""
    failures: dict[int, str] = field(default_factory=dict)
    """Why there is no clip of a shot, by its place."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A message about a line; line 0 stands for the whole file."""

    line: int
    column: int
    message: str
    kind: RemarkKind
    shot: int | None
    """Place of the shot that it is about."""
    where: str
    """What a terminal shows before the message: `file:line:column: path: `."""


def remark_of(problem: Problem, kind: RemarkKind, file: Path) -> Remark:
    """A problem as a remark on the storyboard in a file; one with another file names that."""
    where = str(problem.place)
    if problem.file != str(file):
        return Remark(0, 0, f"{where}{problem.message}", kind, None, "")
    head, _, rest = problem.path.partition("[")
    place = rest.partition("]")[0]
    shot = int(place) if head == "shots" and place.isdigit() else None
    return Remark(problem.line, problem.column, problem.message, kind, shot, where)


def limit_remarks(remarks: Iterable[Remark]) -> tuple[Remark, ...]:
    """The first remarks, and a note of how many more there are."""
    every = tuple(remarks)
    more = Remark(0, 0, f"and {len(every) - MOST_PROBLEMS:,} more", "note", None, "")
    return (*every[:MOST_PROBLEMS], more) if len(every) > MOST_PROBLEMS else every


@dataclass(frozen=True, slots=True)
class InputControl:
    """An input of a shot, as the page shows it: a slider, a list of choices, a field of text."""

    name: str
    about: str
    allowed: str
    """The values that are allowed, in words."""
    kind: Literal["number", "choice", "switch", "text", "list"]
    value: Any
    default: Any
    at: tuple[str | int, ...]
    """Path in the storyboard where its value is written, or would be."""
    given: Literal["shot", "film", ""]
    """Which inputs set it, if any."""
    least: float | None = None
    most: float | None = None
    step: float | None = None
    """Distance of two values of a slider."""
    whole: bool = False
    choices: tuple[Any, ...] = ()
    is_handle: bool = False
    """Whether readers of an exported page can turn it."""
    stops: tuple[Any, ...] = ()
    """Values at which its handle stops, if the page can show them: numbers, or texts."""
    offered: Any = None
    """Stops for a new handle, as a storyboard has them; None if none can be made up."""


@dataclass(frozen=True, slots=True)
class HelpEntry:
    """A name that can be typed, and its description."""

    name: str
    about: str


@dataclass(frozen=True, slots=True)
class StageHelp:
    """A stage, its description, its inputs, and its beats with their sentences."""

    name: str
    about: str
    inputs: tuple[HelpEntry, ...]
    beats: tuple[HelpEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class ShotReport:
    """A shot of the storyboard, as it was read."""

    place: int
    id: str
    stage: str
    line: int
    title: str
    question: str
    controls: tuple[InputControl, ...]
    key: str | None
    """Equal for equal stills; None if the shot cannot be drawn."""
    facts: tuple[HelpEntry, ...]
    """Facts for its texts and expectations; empty if its values are not known."""
    own_handles: dict[str, Any] = field(default_factory=dict)
    """The handles of its stage, which a storyboard can replace, as storyboards have them."""


@dataclass(frozen=True, slots=True)
class StoryboardReport:
    """A storyboard, as it was read."""

    number: int
    remarks: tuple[Remark, ...]
    width: int = 1280
    height: int = 720
    title: str = ""
    shots: tuple[ShotReport, ...] = ()


@dataclass(frozen=True, slots=True)
class DrawnStill:
    """A still of the shot with this key, and its index among the stills of the shot."""

    number: int
    key: str
    place: int
    beat: str
    sentence: str
    alt: str
    picture: bytes


@dataclass(frozen=True, slots=True)
class ShotDrawn:
    """All stills of a shot are drawn; or `failure` says why not."""

    key: str
    failure: str = ""


DrawReport = StoryboardReport | DrawnStill | ShotDrawn
