"""Options that commands share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any, TypeVar

import click

from clockhead.commands import suggest
from clockhead.look import (
    ASPECTS,
    CAPTIONS,
    DEFAULT_ASPECT,
    DEFAULT_CAPTIONS,
    DEFAULT_THEME,
    MAX_FONTS,
    PIPER_FILE,
    QUALITIES,
    QUICKEST,
    SLOWEST,
    THEME_NAMES,
    Making,
    Voice,
    Wish,
)
from clockhead.scenes.language import DEFAULT_LANGUAGE
from clockhead.scenes.style.looks import FONT_FILES

BUILT_IN = "true"
"""The voice that comes, as it is said in a storyboard."""
Command = TypeVar("Command", bound=Callable[..., Any])
_QUALITIES = ", ".join(f"{letter}: {quality}" for letter, quality in QUALITIES.items())

films_argument = click.argument(
    "films",
    nargs=-1,
    required=True,
    metavar="NAME_OR_FILE...",
    shell_complete=suggest.films,
)
film_argument = click.argument("film", metavar="NAME_OR_FILE", shell_complete=suggest.films)
set_option = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="INPUT=VALUE",
    shell_complete=suggest.inputs,
    help="An input for every shot that knows it, or SHOT.INPUT=VALUE for one. Repeatable.",
)
sweep_option = click.option(
    "--sweep",
    "sweeps",
    multiple=True,
    metavar="INPUT=VALUES",
    shell_complete=suggest.inputs,
    help="A film for each of several values (1,2,5 or 1:7 or 0:1:.25), and a table of what follows "
    "from them. Repeatable: a film for each combination.",
)
name_option = click.option(
    "--name", metavar="NAME", help="What the film is called, in place of its storyboard's name."
)


def _split(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())


shot_option = click.option(
    "--shot",
    "only",
    multiple=True,
    metavar="ID",
    callback=_split,
    shell_complete=suggest.shots,
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
    "--theme",
    type=click.Choice(THEME_NAMES),
    help=f"{DEFAULT_THEME}, if the storyboard says nothing else.",
)
_aspect_option = click.option(
    "--aspect",
    type=click.Choice(ASPECTS),
    help=f"{DEFAULT_ASPECT}, if the storyboard says nothing else.",
)
_captions_option = click.option(
    "--captions",
    type=click.Choice(CAPTIONS),
    help=f"Sentences in the picture ({DEFAULT_CAPTIONS}), off, or as a track beside the picture.",
)
_pace_option = click.option(
    "--pace",
    type=click.FloatRange(SLOWEST, QUICKEST),
    metavar="N",
    help="Quicker than 1, or slower; sentences stay until they can be read.",
)
_language_option = click.option(
    "--lang",
    "language",
    metavar="CODE",
    shell_complete=suggest.languages,
    help=f"The language of texts and labels, such as de; {DEFAULT_LANGUAGE}, if the storyboard "
    "says nothing else.",
)
_voice_option = click.option(
    "--voice",
    is_flag=False,
    flag_value=BUILT_IN,
    metavar="[FILE]",
    help="Let a voice say the sentences: the English one that comes, or FILE.onnx for Piper.",
)
_font_option = click.option(
    "--font",
    "fonts",
    multiple=True,
    type=click.Path(),
    metavar="FILE",
    help=f"A font file ({', '.join(FONT_FILES[:3])}) for letters that the text face lacks. "
    "Repeatable; the first that has a letter draws it.",
)
_no_voice_option = click.option(
    "--no-voice", "silent", is_flag=True, help="No voice, whatever the storyboard says."
)


class LookCommand(click.Command):
    """A command whose `--voice` takes what follows for its own only if that is a voice."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        following = [*args[1:], ""][: len(args)]
        named = [
            f"--voice={BUILT_IN}" if arg == "--voice" and not then.endswith(PIPER_FILE) else arg
            for arg, then in zip(args, following, strict=True)
        ]
        return super().parse_args(ctx, named)


def chosen_voice(said: str | None, silent: bool) -> Voice | None:
    if silent or said is None:
        return False if silent else None
    if said == BUILT_IN:
        return True
    if not said.endswith(PIPER_FILE):
        raise click.UsageError(f"--voice={said} is no voice for Piper: such a file ends in .onnx")
    return said


def chosen_fonts(files: tuple[str, ...]) -> tuple[str, ...] | None:
    if len(files) > MAX_FONTS:
        raise click.UsageError(f"--font is given {len(files)} times; a film has 1 to {MAX_FONTS}")
    for file in files:
        if not file.lower().endswith(FONT_FILES):
            raise click.UsageError(
                f"--font {file} is no font file: such a file ends in {', '.join(FONT_FILES)}"
            )
    return files or None


def look_options(command: Command) -> Command:
    """`-q`, `--theme`, `--aspect`, `--captions` and the like, handed over as one `wish`."""

    @_quality_option
    @_theme_option
    @_aspect_option
    @_captions_option
    @_pace_option
    @_language_option
    @_voice_option
    @_no_voice_option
    @_font_option
    @wraps(command)
    def with_wish(
        *args: Any,
        quality: str,
        theme: Any,
        aspect: Any,
        captions: Any,
        pace: Any,
        language: str | None,
        voice: str | None,
        silent: bool,
        fonts: tuple[str, ...],
        **others: Any,
    ) -> Any:
        wish = Wish(
            QUALITIES[quality],
            theme,
            aspect,
            captions,
            pace,
            language,
            chosen_voice(voice, silent),
            chosen_fonts(fonts),
        )
        return command(*args, wish=wish, **others)

    return with_wish  # type: ignore[return-value]


def making_options(command: Command) -> Command:
    """`--small`, `--renderer`: handed over within the `wish`."""

    @click.option("--small", is_flag=True, help="Half the bytes; takes longer to encode.")
    @click.option(
        "--renderer",
        type=click.Choice(["quick", "stock"]),
        default="quick",
        show_default=True,
        help="quick draws only what changed; stock is Manim's own. The pictures are the same.",
    )
    @wraps(command)
    def with_making(*args: Any, small: bool, renderer: str, wish: Wish, **others: Any) -> Any:
        making = Making(small, renderer == "stock")
        return command(*args, wish=replace(wish, making=making), **others)

    return with_making  # type: ignore[return-value]
