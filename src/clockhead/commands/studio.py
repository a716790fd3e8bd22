"""`clockhead studio`: a storyboard and its stills, side by side in the browser."""

from __future__ import annotations

import os
import sys
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeVar

import click

from clockhead.commands import glance, suggest
from clockhead.commands.output import output_option
from clockhead.interruption import left_to_itself
from clockhead.look import Quality, Wish

if TYPE_CHECKING:
    from clockhead.studio.news import Read

Command = TypeVar("Command", bound=Callable[..., Any])


def page_options(command: Command) -> Command:
    """`--port` and `--no-open`."""
    port = click.option(
        "--port",
        type=click.IntRange(0, 65535),
        default=0,
        metavar="N",
        help="The port of the page on this machine; a free one if left out.",
    )
    no_open = click.option(
        "--no-open", "closed", is_flag=True, help="Print the address and open no browser."
    )
    return port(no_open(command))


@click.command()
@click.argument("film", required=False, metavar="[NAME_OR_FILE]", shell_complete=suggest.films)
@page_options
@output_option
def command(film: str | None, port: int, closed: bool, media: Path) -> int:
    """Edit a film in the browser, with its stills beside it.

    The storyboard is on the left and the end of every beat on the right; a change shows new stills
    at once, and what is wrong beside its line. The inputs of a shot can be turned with sliders, and
    a button shows a clip of it, as it stands.

    The file is written only when you save. The page is for this machine alone; Ctrl-C ends it.
    """
    return show(film, port, media, opens=not closed)


def show(
    film: str | None,
    port: int,
    media: Path,
    *,
    opens: bool,
    watching: bool = False,
    tell: Callable[[Read], None] = lambda _: None,
    clips: Quality | None = None,
    tell_clip: Callable[[str, Path | None, str], None] = lambda *_: None,
) -> int:
    """Serve the page until Ctrl-C, or a signal that asks a process to end.

    With a quality for `clips` there is one of every shot, and `tell_clip` takes the id of the shot,
    its clip or None, and why there is none.
    """
    _need_extra()
    from clockhead.studio.clips import SMALL, Clips
    from clockhead.studio.desk import Desk
    from clockhead.studio.rendering import Rendering
    from clockhead.studio.server import HERE, Studio, reserve, serve

    desk = Desk(Wish(), watching=watching, tell=tell, stages=glance.stage_names())
    if film is not None:
        desk.open(film)

    doors = ExitStack()

    def ready(address: str) -> None:
        named = desk.file or "the films there are"
        click.echo(f"{named}: {address}\nCtrl-C ends this", err=True)
        if opens and _has_display():
            webbrowser.open(doors.enter_context(_door(address)).as_uri())

    def opened(address: str) -> None:
        doors.close()
        click.echo(f"the page is open; to open it in another browser, once: {address}", err=True)

    rendering = Rendering(media)
    shown = Clips(desk, rendering, clips or SMALL, tell_clip)
    studio = Studio(desk, rendering, shown, keeps_up=clips is not None)
    try:
        place = reserve(port)
    except OSError as error:
        raise click.UsageError(
            f"port {port} of {HERE} cannot be used: {error.strerror}; leave out --port, and a "
            "free one is taken"
        ) from error
    try:
        with doors, left_to_itself():
            serve(studio, place, ready, opened)
    except KeyboardInterrupt:
        click.echo("", err=True)
    return 0


@contextmanager
def _door(address: str) -> Iterator[Path]:
    """A file that only its owner can read, and that leads a browser to an address.

    The command line of a browser, which everybody on this machine can read, names the file.
    """
    from clockhead.clips.scratch import scratch_directory

    text = f'<!doctype html><meta http-equiv="refresh" content="0; url={escape(address)}">'
    with ExitStack() as stack:
        folder = stack.enter_context(scratch_directory())
        if Path("/snap").is_dir():
            # A browser that is a snap sees neither /tmp nor hidden folders.
            folder = Path(stack.enter_context(TemporaryDirectory("", "clockhead-", Path.home())))
        file = folder / "studio.html"
        file.touch(0o600)
        file.write_text(text, "utf-8")
        yield file


def _need_extra() -> None:
    """Say how to install what the page needs."""
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
        import watchfiles  # noqa: F401
    except ImportError as error:
        from clockhead.release import install_command

        raise click.ClickException(
            f"the studio needs {error.name}; install it with: {install_command('studio')}"
        ) from error


def _has_display() -> bool:
    """Whether a browser would have a window; one in the terminal would be in our way."""
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
