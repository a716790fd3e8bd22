"""What a notebook asks for, as the commands take it: look, inputs, home; and its one error."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from clockhead.libraries import HOME, use_home

if TYPE_CHECKING:
    from clockhead.look import Wish
    from clockhead.scenes.style.looks import ThemeName
    from clockhead.storyboard.formulas import FormulaChecker

DEFAULT_QUALITY = "l"
"""480 lines at 15 frames per second: quick, and as wide as a notebook's column."""
DEFAULT_MEDIA = "media"
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
        from clockhead.clips.jobs import CrewError
        from clockhead.storyboard.problems import Problems

        try:
            return function(*args, **options)
        except (Problems, CrewError, OSError) as error:
            raise ClockheadError(str(error)) from None

    return wrapped


def make_wish(
    quality: str,
    theme: str | None,
    aspect: str | None,
    captions: str | None,
    pace: float | None,
    language: str | None,
    voice: bool | str | None,
    font: FontFiles,
) -> Wish:
    """The look that was asked for.

    Raises:
        ClockheadError: for an unknown value, with the values that are allowed.
    """
    from clockhead.look import ASPECTS, CAPTIONS, QUALITIES, QUICKEST, SLOWEST, Wish

    _check_choice("quality", quality, QUALITIES)
    if pace is not None and not SLOWEST <= pace <= QUICKEST:
        raise ClockheadError(f"pace={pace}: a pace is a number from {SLOWEST:g} to {QUICKEST:g}")
    return Wish(
        QUALITIES[quality],
        None if theme is None else check_theme(theme),
        None if aspect is None else _check_choice("aspect", aspect, ASPECTS),
        None if captions is None else _check_choice("captions", captions, CAPTIONS),
        pace,
        language,
        voice,
        _font_files(font),
    )


def _font_files(font: FontFiles) -> tuple[str, ...] | None:
    """Font files, one or several.

    Raises:
        ClockheadError: for a file of another kind.
    """
    from clockhead.scenes.style.looks import FONT_FILES

    if font is None:
        return None
    files = [str(file) for file in ([font] if isinstance(font, str | Path) else font)]
    for file in files:
        if not file.lower().endswith(FONT_FILES):
            raise ClockheadError(
                f"font={file!r}: a font file's name ends in {', '.join(FONT_FILES)}"
            )
    return tuple(files)


def check_theme(name: str) -> ThemeName:
    """A theme by name.

    Raises:
        ClockheadError: if there is no such theme.
    """
    from clockhead.scenes.style.theme import THEMES

    theme: ThemeName = _check_choice("theme", name, THEMES)
    return theme


def _check_choice(option: str, value: Any, allowed: Collection[str]) -> Any:
    """The value, if it is allowed.

    Raises:
        ClockheadError: if it is not.
    """
    from clockhead.storyboard.problems import join_names, nearest_name

    if value in allowed:
        return value
    meant = nearest_name(str(value), allowed)
    hint = f"; did you mean {meant!r}?" if meant else ""
    raise ClockheadError(f"{option}={value!r}: allowed are {join_names(map(repr, allowed))}{hint}")


def write_settings(inputs: Mapping[str, Any]) -> list[str]:
    """Inputs as `--set` takes them: `text=to be`, or `shot.m=3`."""
    from clockhead.storyboard.scalars import yaml_text

    return [f"{name}={yaml_text(_to_python(value))}" for name, value in inputs.items()]


def _to_python(value: Any) -> Any:
    """A NumPy value as a Python value."""
    return value.tolist() if hasattr(value, "tolist") else value


@contextmanager
def at_home(folder: Path | None = None, *, anywhere: bool = False) -> Iterator[None]:
    """Take the user's own stages from `folder` in this block, or `anywhere` from those around.

    Afterwards the home is as before: a notebook shows one film after another.
    """
    before = os.environ.get(HOME)
    try:
        if not anywhere:
            use_home(folder)
        yield
    finally:
        if before is None:
            os.environ.pop(HOME, None)
        else:
            os.environ[HOME] = before


@cache
def formula_checker() -> FormulaChecker:
    """The session's checker, which remembers the formulas that it has tried."""
    from atexit import register

    from clockhead.storyboard.formulas import FormulaChecker

    checker = FormulaChecker()
    register(checker.close)
    return checker
