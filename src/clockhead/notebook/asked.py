"""What is asked of a film or stage, as commands put it: its look, its inputs, and its home."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clockhead.libraries import HOME, home, use_home
from clockhead.notebook.errors import ClockheadError

if TYPE_CHECKING:
    from clockhead.look import Wish
    from clockhead.scenes.style.looks import ThemeName
    from clockhead.storyboard.formulas import FormulaChecker

DEFAULT_QUALITY = "l"
"""480 lines, 15 frames a second: soon there, and as large as a notebook's column."""
DEFAULT_MEDIA = "media"
FontFiles = str | Path | Sequence[str | Path] | None
"""One file, several, or none."""


def wish_of(
    quality: str,
    theme: str | None,
    aspect: str | None,
    captions: str | None,
    pace: float | None,
    language: str | None,
    voice: bool | str | None,
    font: FontFiles,
) -> Wish:
    """A look that is asked for.

    Raises:
        ClockheadError: for one that there is not, with those that there are.
    """
    from clockhead.look import ASPECTS, CAPTIONS, QUALITIES, QUICKEST, SLOWEST, Wish

    _known("quality", quality, QUALITIES)
    if pace is not None and not SLOWEST <= pace <= QUICKEST:
        raise ClockheadError(f"pace={pace}: a pace is a number from {SLOWEST:g} to {QUICKEST:g}")
    return Wish(
        QUALITIES[quality],
        None if theme is None else known_theme(theme),
        None if aspect is None else _known("aspect", aspect, ASPECTS),
        None if captions is None else _known("captions", captions, CAPTIONS),
        pace,
        language,
        voice,
        _font_files(font),
    )


def _font_files(font: FontFiles) -> tuple[str, ...] | None:
    """Font files, one or several.

    Raises:
        ClockheadError: for something that is none.
    """
    from clockhead.scenes.style.looks import FONT_FILES

    if font is None:
        return None
    files = [str(file) for file in ([font] if isinstance(font, str | Path) else font)]
    for file in files:
        if not file.lower().endswith(FONT_FILES):
            raise ClockheadError(f"font={file!r}: a font file ends in {', '.join(FONT_FILES)}")
    return tuple(files)


def known_theme(name: str) -> ThemeName:
    """A theme by name.

    Raises:
        ClockheadError: when there is none of that name.
    """
    from clockhead.scenes.style.theme import THEMES

    theme: ThemeName = _known("theme", name, THEMES)
    return theme


def _known(option: str, value: Any, allowed: Collection[str]) -> Any:
    from clockhead.storyboard.wording import listed, nearest

    if value in allowed:
        return value
    near = nearest(str(value), allowed)
    hint = f"; did you mean {near!r}?" if near else ""
    raise ClockheadError(f"{option}={value!r}: it is one of {listed(map(repr, allowed))}{hint}")


def settings_of(inputs: Mapping[str, Any]) -> list[str]:
    """Inputs as `--set` takes them: `text=to be`, or `shot.m=3`."""
    from clockhead.storyboard.scalars import written

    return [f"{name}={written(_plain(value))}" for name, value in inputs.items()]


def _plain(value: Any) -> Any:
    """A value of NumPy's as Python's own."""
    return value.tolist() if hasattr(value, "tolist") else value


@contextmanager
def at(folder: Path | None = None, *, anywhere: bool = False) -> Iterator[None]:
    """Take one's own stages from `folder` for a while; `anywhere`, from where they are found.

    What was before comes back: a notebook shows one film after the other.
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


def here() -> Path | None:
    """Where one's own stages are taken from now."""
    return home()


@cache
def formulas() -> FormulaChecker:
    """One checker for as long as the session lives: it knows what it has tried."""
    from atexit import register

    from clockhead.storyboard.formulas import FormulaChecker

    checker = FormulaChecker()
    register(checker.close)
    return checker
