"""Options that commands share."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import click

from pipeline.clips.look import ASPECTS, DEFAULT_ASPECT, DEFAULT_THEME, QUALITIES, Look
from scenes.style.theme import THEMES

Command = TypeVar("Command", bound=Callable[..., Any])
_QUALITIES = ", ".join(f"{letter}: {quality}" for letter, quality in QUALITIES.items())

films_argument = click.argument("films", nargs=-1, required=True, metavar="NAME_OR_FILE...")
film_argument = click.argument("film", metavar="NAME_OR_FILE")
set_option = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="INPUT=VALUE",
    help="An input for every shot that knows it, or SHOT.INPUT=VALUE for one. Repeatable.",
)


def _split(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())


shot_option = click.option(
    "--shot",
    "only",
    multiple=True,
    metavar="ID",
    callback=_split,
    help="These shots alone. Repeatable, or several with commas.",
)
_quality_option = click.option(
    "-q",
    "--quality",
    type=click.Choice(list(QUALITIES)),
    default="m",
    show_default=True,
    help=f"Size and frames per second ({_QUALITIES}), as in -ql.",
)
_theme_option = click.option(
    "--theme", type=click.Choice(list(THEMES)), default=DEFAULT_THEME, show_default=True
)
_aspect_option = click.option(
    "--aspect", type=click.Choice(ASPECTS), default=DEFAULT_ASPECT, show_default=True
)


def look_options(command: Command) -> Command:
    """`-q`, `--theme` and `--aspect`, handed to the command as one `look`."""

    @_quality_option
    @_theme_option
    @_aspect_option
    @wraps(command)
    def with_look(*args: Any, quality: str, theme: Any, aspect: Any, **others: Any) -> Any:
        return command(*args, look=Look(QUALITIES[quality], theme, aspect), **others)

    return with_look  # type: ignore[return-value]
