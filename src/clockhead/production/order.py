"""What is asked of a run that makes films. Commands read it before anything heavy is imported."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Order:
    """How films are to be made."""

    media: Path
    workers: int | None = None
    """On this machine; None is as many as its cores and its memory have room for."""
    scheduler: str | None = None
    whole: bool = True
    """Whether to make the films; if not, only the clips of the shots that they still have."""
    anew: bool = False
    """Whether to put even an unchanged film together again, and so have its clips at hand."""
