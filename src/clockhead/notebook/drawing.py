"""Stills drawn in this very process, which is quick enough to follow a slider."""

from __future__ import annotations

from contextvars import copy_context
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clockhead.clips.clip import ClipJob
    from clockhead.clips.stills import Paper, Still


def draw(job: ClipJob, paper: Paper) -> list[Still]:
    """The end of every beat. Theme and language of the session stay as they are."""
    from clockhead.clips.stills import StillsJob, draw_stills

    return copy_context().run(draw_stills, StillsJob(job, (paper,)))[paper]
