"""One shot, one job, one clip. Plain data that travels between processes and machines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clockhead.look import Look
    from clockhead.scenes.stage import Beat, Line, Shot
    from clockhead.scenes.stage.flaws import Flaw

Report = Callable[[int], None]
"""Takes the number of frames that are done: 0 when the work begins, and when it begins again."""


@dataclass(frozen=True, slots=True)
class Origin:
    """What clips are told apart by of which some takes may be the same."""

    likeness: str
    """The same for clips whose takes may be the same."""
    opening: str
    """What the first take begins with."""


@dataclass(frozen=True, slots=True)
class ClipJob:
    """What one clip is a function of."""

    stage: str
    shot: Shot
    look: Look
    earlier: Clip | None = None
    """Another clip of this stage, of whose takes some may be the same; it makes no difference."""
    beats: tuple[int, int | None] = (0, None)
    """The first beat that is wanted, and the first that is not any more; each by its number."""
    origin: Origin | None = None
    """Worked out by whoever gives the job out, so that no worker has to find all imports anew."""


@dataclass(frozen=True, slots=True)
class Take:
    """A beat of a clip, encoded by itself, so that another clip may have the same."""

    frames: int
    before: str
    """What the state in which it begins is known by."""
    after: str
    inks: tuple[tuple[int, float], ...] = ()
    """At the end of each play, how many frames of it were shown, and how rich the picture was."""


@dataclass(frozen=True, slots=True)
class Clip:
    """A rendered shot: an H.264 stream in an MP4, and where things happen in it, in frames."""

    video: bytes
    frames: int
    beats: tuple[Beat, ...]
    lines: tuple[Line, ...]
    """What the caption band says, and from which frame on; the last is the caption."""
    opened: int
    """The frame with which title and question are there."""
    poster: int
    """A frame in which much of the picture is there and nothing is half way."""
    richness: float
    """The share of the poster's frame that is not ground, in [0, 1]."""
    likeness: str = ""
    """The same for clips whose takes may be the same."""
    takes: tuple[Take, ...] = ()


@dataclass(frozen=True, slots=True)
class Examined:
    """What is wrong with what a shot shows."""

    problems: tuple[str, ...]
    """What is crowded, cut off, tiny or faint, and pictures that do not say what they stand for."""
    untranslated: tuple[Flaw, ...]
    """Words of the picture that are shown in English."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no clip: one line for the lecturer, and the rest for whoever mends it."""

    reason: str
    detail: str = ""
