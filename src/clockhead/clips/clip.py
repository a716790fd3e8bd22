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
class ClipJob:
    """What one clip is a function of."""

    stage: str
    shot: Shot
    look: Look


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
