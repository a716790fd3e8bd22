"""What films and stages in a notebook share: look, inputs, project, rendering, and one error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import copy_context
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from clockhead.libraries import restore_project, use_project

if TYPE_CHECKING:
    from clockhead.clips.clip import ClipJob
    from clockhead.clips.stills import Paper, Still
    from clockhead.look import Wish
    from clockhead.production.progress import ShotProgress
    from clockhead.storyboard.films import Film

DEFAULT_QUALITY = "l"
"""480 lines at 15 frames per second: quick, and as wide as a notebook's column."""
DEFAULT_MEDIA = "media"
_AFTER_AN_EDIT = "run it again", "restart the kernel and run it again"
"""After an edit of a stage: what a command says to do, and what a notebook needs instead."""
FontFiles = str | Path | Sequence[str | Path] | None
"""One file, several, or none."""
Given = ParamSpec("Given")
Made = TypeVar("Made")


class ClockheadError(Exception):
    """A request that cannot be met; the message says why, and what can be asked for."""

    def _render_traceback_(self) -> list[str]:
        """What IPython prints instead of a traceback."""
        return [f"{type(self).__name__}: {self}"]


def raises_clockhead_error(function: Callable[Given, Made]) -> Callable[Given, Made]:
    """The function, raising a `ClockheadError` without a traceback for mistakes in a request."""

    @wraps(function)
    def wrapped(*args: Given.args, **options: Given.kwargs) -> Made:
        from clockhead.clips.clip import CrewError
        from clockhead.storyboard.problems import Problems

        try:
            return function(*args, **options)
        except (Problems, CrewError, OSError) as error:
            raise ClockheadError(str(error)) from None

    return wrapped


def make_wish(
    quality: str,
    font: FontFiles,
    look_file: str | Path | None,
    choices: Mapping[str, Any],
    *,
    pace: float | None,
    **others: Any,
) -> Wish:
    """The look that was asked for.

    `choices` are theme, aspect and captions; `others` are language and voice.

    Raises:
        ClockheadError: for an unknown value, with the values that are allowed.
    """
    from clockhead.look import ASPECTS, CAPTIONS, QUALITIES, QUICKEST, SLOWEST, THEME_NAMES, Wish

    check_choice("quality", quality, QUALITIES)
    if pace is not None and not SLOWEST <= pace <= QUICKEST:
        raise ClockheadError(f"pace={pace}: a pace is a number from {SLOWEST:g} to {QUICKEST:g}")
    known = {"aspect": ASPECTS, "captions": CAPTIONS, "theme": THEME_NAMES}
    for option, allowed in known.items():
        if choices[option] is not None:
            check_choice(option, choices[option], allowed)
    fonts = [font] if isinstance(font, str | Path) else font
    files = None if fonts is None else tuple(map(str, fonts))
    own = None if look_file is None else str(look_file)
    return Wish(QUALITIES[quality], pace=pace, font=files, look_file=own, **choices, **others)


def check_choice(option: str, value: Any, allowed: Collection[str]) -> None:
    """Check the value of an option.

    Raises:
        ClockheadError: if it is not allowed, with the values that are.
    """
    from clockhead.storyboard.problems import join_names, nearest_name

    if value not in allowed:
        meant = nearest_name(str(value), allowed)
        hint = f"; did you mean {meant!r}?" if meant else ""
        choices = join_names(map(repr, allowed))
        raise ClockheadError(f"{option}={value!r}: allowed are {choices}{hint}")


def plain_inputs(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Inputs with lists and numbers in place of NumPy's."""
    return {k: v.tolist() if hasattr(v, "tolist") else v for k, v in inputs.items()}


def write_settings(inputs: Mapping[str, Any]) -> list[str]:
    """Inputs as `--set` takes them: `text=to be`, or `shot.m=3`; NumPy's values and paths too."""
    from clockhead.storyboard.scalars import yaml_text

    plain = {k: str(v) if isinstance(v, Path) else v for k, v in plain_inputs(inputs).items()}
    return [f"{name}={yaml_text(value)}" for name, value in plain.items()]


@contextmanager
def in_project(folder: Path | None = None, *, anywhere: bool = False) -> Iterator[None]:
    """Take the user's own stages from `folder` in this block, or `anywhere` from those around.

    Afterwards the project is as before: a notebook shows one film after another.
    """
    with restore_project():
        if not anywhere:
            use_project(folder)
        yield


# Rendering and drawing


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
        raise ClockheadError("\n".join(map(str, film.failures)))


def draw_beats(job: ClipJob, paper: Paper) -> list[Still]:
    """Draw the end of every beat, here: that is quick enough to follow a slider.

    Theme and language of the session stay as they are.
    """
    from clockhead.clips.stills import draw_stills

    return copy_context().run(draw_stills, job, papers=(paper,))[paper]


def draw_beat(job: ClipJob, paper: Paper, beat: str) -> Still:
    """Draw the end of one beat, here."""
    from clockhead.clips.stills import draw_still

    return copy_context().run(draw_still, job, paper=paper, beats=(beat,))


def _progress(name: str) -> ShotProgress:
    """Progress in a notebook, or as in a terminal elsewhere."""
    from clockhead.production.progress import ShotProgress

    shell = sys.modules.get("IPython")
    running: Any = shell.get_ipython() if shell else None
    if running is None or not hasattr(running, "kernel"):
        return ShotProgress()
    from IPython.display import display

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
