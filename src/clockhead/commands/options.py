"""Options that commands share: films, inputs, look, workers, folders and pages."""

from __future__ import annotations

import errno
import math
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import reduce, wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from clockhead.commands.completion import (
    complete_films,
    complete_inputs,
    complete_languages,
    complete_shots,
)
from clockhead.home import LOOK_FILE
from clockhead.look import (
    ASPECTS,
    CAPTIONS,
    DEFAULT_ASPECT,
    DEFAULT_CAPTIONS,
    DEFAULT_THEME,
    PIPER_FILE,
    QUALITIES,
    QUICKEST,
    SLOWEST,
    THEME_NAMES,
    Voice,
    Wish,
)
from clockhead.scenes.language import DEFAULT_LANGUAGE
from clockhead.scenes.style.looks import FONT_FILES

MEDIA = Path("media")
"""Where films go by default, in the current folder."""
BUILT_IN_VOICE = "true"
"""The voice that comes with the extra `voice`, as a storyboard names it."""
Command = TypeVar("Command", bound=Callable[..., Any])
_QUALITIES = ", ".join(f"{letter}: {quality}" for letter, quality in QUALITIES.items())


class Number(click.FloatRange):
    """A finite number within bounds; click itself lets `nan` through."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number; fails with the bounds if it is none."""
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number", param, ctx)
        return number


def _add_options(*options: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """One decorator that adds options in this order."""
    return lambda command: reduce(lambda inner, option: option(inner), reversed(options), command)


films_argument = click.argument(
    "films", nargs=-1, required=True, metavar="NAME_OR_FILE...", shell_complete=complete_films
)
film_argument = click.argument("film", metavar="NAME_OR_FILE", shell_complete=complete_films)
set_option = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="INPUT=VALUE",
    shell_complete=complete_inputs,
    help="Set an input of every shot that has it, or of one as SHOT.INPUT=VALUE. Repeatable.",
)
sweep_option = click.option(
    "--sweep",
    "sweeps",
    multiple=True,
    metavar="INPUT=VALUES",
    shell_complete=complete_inputs,
    help="Make a film for each value (1,2,5 or 1:7 or 0:1:.25), and a table of the facts that "
    "change. Repeatable: a film for each combination.",
)
name_option = click.option(
    "--name", metavar="NAME", help="Name of the film, instead of its storyboard's."
)


def _split(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())


shot_option = click.option(
    "--shot",
    "only",
    multiple=True,
    metavar="ID",
    callback=_split,
    shell_complete=complete_shots,
    help="Only these shots. Repeatable, or several with commas.",
)
_LOOK_OPTIONS = (
    click.option(
        "-q",
        "--quality",
        type=click.Choice(list(QUALITIES)),
        default="m",
        show_default=True,
        help=f"Size and frames per second ({_QUALITIES}); for example -ql.",
    ),
    click.option(
        "--theme",
        type=click.Choice(THEME_NAMES),
        help=f"Colours; {DEFAULT_THEME} unless the storyboard says otherwise.",
    ),
    click.option(
        "--aspect",
        type=click.Choice(ASPECTS),
        help=f"Shape of the frame; {DEFAULT_ASPECT} unless the storyboard says otherwise.",
    ),
    click.option(
        "--captions",
        type=click.Choice(CAPTIONS),
        help=f"Sentences in the picture ({DEFAULT_CAPTIONS}), not at all, or as a subtitle track.",
    ),
    click.option(
        "--pace",
        type=Number(SLOWEST, QUICKEST),
        metavar="N",
        help="Speed, 1 is normal; sentences always stay until they can be read.",
    ),
    click.option(
        "--lang",
        "language",
        metavar="CODE",
        shell_complete=complete_languages,
        help=f"Language of texts and labels, such as de; {DEFAULT_LANGUAGE} unless the storyboard "
        "says otherwise.",
    ),
    click.option(
        "--voice",
        is_flag=False,
        flag_value=BUILT_IN_VOICE,
        metavar="[FILE]",
        help="Have a voice say the sentences: the built-in English one, or FILE.onnx for Piper.",
    ),
    click.option(
        "--no-voice", "silent", is_flag=True, help="No voice, even if the storyboard asks for it."
    ),
    click.option(
        "--font",
        "fonts",
        multiple=True,
        type=click.Path(),
        metavar="FILE",
        help=f"A font file ({', '.join(FONT_FILES[:3])}) for letters that the text font lacks. "
        "Repeatable; each letter comes from the first font that has it.",
    ),
    click.option(
        "--look",
        "look_file",
        type=click.Path(),
        metavar="FILE",
        help=f"Colours, font, logo, name and cards from this file instead of your {LOOK_FILE}.",
    ),
    click.option("--no-look", "plain", is_flag=True, help=f"Leave your {LOOK_FILE} out."),
)


class LookCommand(click.Command):
    """A command whose `--voice` takes the next word as its value only if that is a Piper file."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        following = [*args[1:], ""][: len(args)]
        named = [
            f"--voice={BUILT_IN_VOICE}"
            if arg == "--voice" and not then.endswith(PIPER_FILE)
            else arg
            for arg, then in zip(args, following, strict=True)
        ]
        return super().parse_args(ctx, named)


def parse_voice(given: str | None, silent: bool) -> Voice | None:
    """The voice that `--voice` and `--no-voice` ask for; None leaves it to the storyboard."""
    if silent or given is None:
        return False if silent else None
    if given == BUILT_IN_VOICE:
        return True
    if not given.endswith(PIPER_FILE):
        raise click.UsageError(
            f"--voice={given} is not a Piper voice: its file name must end in .onnx"
        )
    return given


def film_options(command: Command) -> Command:
    """`--set`, `--shot` and the look as a `wish`, passed on as `load_films` takes them."""

    @wraps(command)
    def with_wish(
        *args: Any,
        quality: str,
        voice: str | None,
        silent: bool,
        fonts: tuple[str, ...],
        plain: bool,
        **kw: Any,
    ) -> Any:
        names = ("theme", "aspect", "captions", "pace", "language")
        look = {name: kw.pop(name) for name in names}
        look |= {"voice": parse_voice(voice, silent), "font": fonts or None}
        named = kw.pop("look_file")
        look["look_file"] = "" if plain else named or None
        return command(*args, wish=Wish(QUALITIES[quality], **look), **kw)

    add = _add_options(set_option, shot_option, *_LOOK_OPTIONS)
    return add(with_wish)  # type: ignore[return-value]


def making_options(command: Command) -> Command:
    """`--small` and `--renderer`, passed on in the `wish`."""

    @click.option("--small", is_flag=True, help="Half the file size; encoding takes longer.")
    @click.option(
        "--renderer",
        type=click.Choice(["quick", "stock"]),
        default="quick",
        show_default=True,
        help="quick redraws only what changed; stock is Manim's own. The pictures are the same.",
    )
    @wraps(command)
    def with_making(*args: Any, small: bool, renderer: str, wish: Wish, **others: Any) -> Any:
        wish = replace(wish, small=small, stock=renderer == "stock")
        return command(*args, wish=wish, **others)

    return with_making  # type: ignore[return-value]


def _check_address(_: click.Context, __: click.Parameter, given: str | None) -> str | None:
    from clockhead.clips.cluster import wrong_address
    from clockhead.storyboard.problems import show

    if given is not None and (wrong := wrong_address(given)):
        raise click.BadParameter(f"{show(given)}: {wrong}")
    return given


work_options = _add_options(
    click.option(
        "--workers",
        type=click.IntRange(1, 256),
        metavar="N",
        help="Shots rendered at once on this machine; by default, what cores and memory allow.",
    ),
    click.option(
        "--scheduler",
        metavar="tcp://HOST:PORT",
        callback=_check_address,
        help="Render on the Dask cluster of this scheduler.",
    ),
)
page_options = _add_options(
    click.option(
        "--port",
        type=click.IntRange(0, 65535),
        default=0,
        metavar="N",
        help="Port of the page on this machine; any free one by default.",
    ),
    click.option(
        "--no-open", "closed", is_flag=True, help="Print the address but open no browser."
    ),
)


# --- The folder of films ---


output_option = click.option(
    "-o",
    "--output",
    "media",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    callback=lambda _context, _option, folder: folder or Path(MEDIA),  # a default would be checked
    help=f"Folder of films and cached clips, instead of ./{MEDIA}.",
)


def has_display() -> bool:
    """Whether a browser would open a window; a text browser would take over the terminal."""
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def need_writable(folder: Path, option: str = "-o DIR") -> None:
    """Check before the work begins that a folder can be made and written to.

    Raises:
        click.ClickException: if it cannot, with the option that names another folder.
    """
    there = folder
    while not os.path.lexists(there) and there != there.parent:
        there = there.parent
    try:
        if there.is_symlink() and not there.exists():
            raise write_error(folder, f"the link {there} leads nowhere", option)
        if not there.is_dir():
            raise write_error(folder, f"{there} is not a folder", option)
    except OSError as error:  # the path is too long, or may not be read
        raise write_error(folder, error, option) from None
    effective = os.access in os.supports_effective_ids
    if not os.access(there, os.W_OK | os.X_OK, effective_ids=effective):
        raise write_error(folder, os.strerror(errno.EACCES), option)


def write_error(folder: Path, reason: OSError | str, option: str = "") -> click.ClickException:
    """The error for a folder, or a file in it, that cannot be written."""
    if isinstance(reason, OSError):
        file = reason.filename
        within = isinstance(file, str) and Path(file).is_relative_to(folder)
        folder, reason = (Path(file) if within else folder), reason.strerror or str(reason)
    hint = f"; {option} names another folder" if option else ""
    return click.ClickException(f"cannot write {folder}: {reason}{hint}")
