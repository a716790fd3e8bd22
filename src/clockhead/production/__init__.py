"""From clips to films on disk: join, caption, describe and publish them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """How a run makes films. Here, so that commands can read it without a heavy import."""

    media: Path
    workers: int | None = None
    """Processes on this machine; None for as many as its cores and memory allow."""
    scheduler: str | None = None
    whole: bool = True
    """Make whole films; if False, only the clips of the shots that they have left."""
    need_clips: bool = False
    """Join even an unchanged film again, so that its clips are at hand."""
