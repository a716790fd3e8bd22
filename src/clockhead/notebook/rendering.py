"""Render films, and draw stills in this process."""

from __future__ import annotations

from contextvars import copy_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clockhead.notebook.request import ClockheadError

if TYPE_CHECKING:
    from clockhead.clips.clip import ClipJob
    from clockhead.clips.stills import Paper, Still
    from clockhead.production.progress import ShotProgress
    from clockhead.storyboard.films import Film

_AFTER_AN_EDIT = "run it again", "restart the kernel and run it again"
"""After an edit of a stage: what a command says to do, and what a notebook needs instead."""


def render(film: Film, media: Path, *, whole: bool) -> Path:
    """Render what is missing; returns the film's MP4, or without `whole` the clip of its shot.

    Raises:
        ClockheadError: if a claim of the film fails, or a shot cannot be drawn.
    """
    from clockhead.production import RenderOptions
    from clockhead.production.produce import produce

    check_claims(film)
    options = RenderOptions(media, whole=whole)
    with _progress(film.name) as progress:
        [result] = produce([film], options, progress)
    if not result.files:
        message = "\n".join(f"{film.name}: {problem}" for problem in result.problems)
        raise ClockheadError(message.replace(*_AFTER_AN_EDIT))
    return result.files[0]


def check_claims(film: Film) -> None:
    """Check the claims of a film.

    Raises:
        ClockheadError: with all that fail.
    """
    if film.failures:
        raise ClockheadError("\n".join(problems_of(film)))


def problems_of(film: Film) -> list[str]:
    """The claims and expectations of a film that fail, a sentence for each."""
    return [str(failure) for failure in film.failures]


def draw_beats(job: ClipJob, paper: Paper) -> list[Still]:
    """Draw the end of every beat, here: that is quick enough to follow a slider.

    Theme and language of the session stay as they are.
    """
    from clockhead.clips.stills import StillsJob, draw_stills

    return copy_context().run(draw_stills, StillsJob(job, (paper,)))[paper]


def _progress(name: str) -> ShotProgress:
    from clockhead.production.progress import ShotProgress

    display = _display()
    if display is None:
        return ShotProgress()

    class NotebookProgress(ShotProgress):
        """Progress as one line of output, which is replaced as rendering goes on."""

        _handle: Any = None

        def say(self, line: str) -> None:
            if self._handle is None:
                self._handle = display({"text/plain": line}, raw=True, display_id=True)
            else:
                self._handle.update({"text/plain": line}, raw=True)

        def __exit__(self, *error: Any) -> None:
            super().__exit__(*error)
            if self._handle is not None:
                self._handle.update({"text/plain": f"{name}: rendered"}, raw=True)

    return NotebookProgress()


def _display() -> Any:
    """IPython's `display` in a notebook, None elsewhere."""
    import sys

    shell = sys.modules.get("IPython")
    running: Any = shell.get_ipython() if shell else None
    if running is None or not hasattr(running, "kernel"):
        return None
    from IPython.display import display

    return display
