"""Clips, which are rendered shots, and their jobs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clockhead.look import FilmLook
    from clockhead.scenes.stage import Beat, CaptionLine, Shot

Report = Callable[[int], None]
"""Takes the number of frames that are done, and 0 when the work begins."""
Progress = Callable[[str, int], None]
"""Takes the name of a job and the number of frames that are done; called from any thread."""


@dataclass(frozen=True, slots=True)
class ClipJob:
    """Everything that a clip is made from."""

    stage: str
    shot: Shot
    look: FilmLook


@dataclass(frozen=True, slots=True)
class Clip:
    """A rendered shot: H.264 in an MP4, and where things happen in it, in frames."""

    video: bytes
    frames: int
    """Its length."""
    beats: tuple[Beat, ...]
    lines: tuple[CaptionLine, ...]
    """The sentences of the caption band and the frames at which they begin; the caption is last."""
    opened: int
    """The first frame that shows title and question completely."""
    poster: int
    """A frame at the end of an animation that shows much of the picture."""
    richness: float
    """Fraction of the poster that is not background, in [0, 1]."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a job has no result, in one line."""

    reason: str


class CrewError(Exception):
    """No workers are available."""
