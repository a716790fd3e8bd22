"""`clockhead studio` and `clockhead watch`: a film's stills in the browser, while it is edited."""

from __future__ import annotations

import time
import webbrowser
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from clockhead.commands.completion import complete_films, quick_stage_names
from clockhead.commands.options import film_argument, has_display, output_option, page_options
from clockhead.interruption import default_interrupts
from clockhead.look import QUALITIES, Quality, Wish
from clockhead.places import relative_path
from clockhead.storyboard.problems import LONGEST_REASON, count, sanitize

if TYPE_CHECKING:
    from clockhead.studio.messages import StoryboardReport

_DEFAULT_QUALITY = "l"
"""Quality of the clips of `watch --render`."""


@click.command()
@click.argument("film", required=False, metavar="[NAME_OR_FILE]", shell_complete=complete_films)
@page_options
@output_option
def studio(film: str | None, port: int, closed: bool, media: Path) -> int:
    """Edit a film in the browser, next to its stills.

    The storyboard is on the left, the end of every beat on the right. Every change shows new stills
    at once, and mistakes next to their lines. Sliders change the inputs of a shot, and a button
    plays a clip of it.

    The file is written only when you save. The page works on this machine only; Ctrl-C ends it.
    """
    return serve_page(film, port, media, opens=not closed)


@click.command()
@film_argument
@click.option(
    "--render",
    "renders",
    is_flag=True,
    help="Also render a clip of every shot, into media/FILM/QUALITY/shots/.",
)
@click.option(
    "-q",
    "--quality",
    type=click.Choice(list(QUALITIES)),
    help=f"Size and frames per second of the clips, as in -qm; {_DEFAULT_QUALITY} by default.",
)
@page_options
@output_option
def watch(
    film: str, renders: bool, quality: str | None, port: int, closed: bool, media: Path
) -> int:
    """Show a film's stills in the browser while you edit it.

    Whenever your editor saves the storyboard, or a stage of your own, the shots that changed are
    drawn again; mistakes appear on the page and in the terminal. Nothing is written.

    With --render, clips of these shots are rendered as well, after the stills.
    """
    if quality is not None and not renders:
        raise click.UsageError(f"-q{quality} is the quality of clips; add --render to have them")
    clips = QUALITIES[quality or _DEFAULT_QUALITY] if renders else None
    return serve_page(film, port, media, opens=not closed, watching=True, clips=clips)


def _report_read(read: StoryboardReport) -> None:
    """Print what is wrong with the film, and how many shots it has."""
    for remark in read.remarks:
        click.echo(f"{remark.where}{remark.message}", err=True)
    wrong = [remark for remark in read.remarks if remark.kind != "note"]
    state = count(len(wrong), "problem") if wrong else f"{count(len(read.shots), 'shot')}, all well"
    click.echo(f"{time.strftime('%H:%M:%S')} {state}", err=True)


def _report_clip(shot: str, clip: Path | None, failure: str) -> None:
    """Print where a clip is, or why it failed."""
    if clip is not None:
        click.echo(str(relative_path(clip)))
    else:
        click.echo(f"{shot}: {sanitize(failure, LONGEST_REASON)}", err=True)


def serve_page(
    film: str | None,
    port: int,
    media: Path,
    *,
    opens: bool,
    watching: bool = False,
    clips: Quality | None = None,
) -> int:
    """Serve the page until Ctrl-C or a signal that ends the process.

    If the film is only watched, the terminal says what is wrong with it. With `clips`, a quality, a
    clip of every shot is rendered as well.
    """
    _need_extra()
    from clockhead.studio.rendering import SMALL, Renderer, StudioClips
    from clockhead.studio.server import HERE, Studio, reserve, serve
    from clockhead.studio.session import Session

    report = {"tell": _report_read} if watching else {}
    session = Session(Wish(), watching=watching, stages=quick_stage_names(), **report)
    if film is not None:
        session.open(film)

    doors = ExitStack()

    def ready(address: str) -> None:
        subject = session.file or "all films"
        click.echo(f"{subject}: {address}\nCtrl-C ends this", err=True)
        if opens and has_display():
            webbrowser.open(doors.enter_context(_door(address)).as_uri())

    def opened(address: str) -> None:
        doors.close()
        click.echo(
            f"the page is open; to open it once more, in another browser: {address}", err=True
        )

    renderer = Renderer(media)
    report_clip = {"tell": _report_clip} if watching else {}
    studio_clips = StudioClips(session, renderer, clips or SMALL, **report_clip)
    studio = Studio(session, renderer, studio_clips, renders_all=clips is not None)
    try:
        place = reserve(port)
    except OSError as error:
        raise click.UsageError(
            f"port {port} of {HERE} cannot be used: {error.strerror}; without --port, a free one "
            "is used"
        ) from error
    try:
        with doors, default_interrupts():
            serve(studio, place, ready, opened)
    except KeyboardInterrupt:
        click.echo("", err=True)
    return 0


@contextmanager
def _door(address: str) -> Iterator[Path]:
    """A file, readable only for its owner, that redirects a browser to an address.

    The browser is given the file, since everybody on this machine can read its command line.
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
    """Raise an error that says how to install the extra, if it is missing."""
    try:
        import sse_starlette  # noqa: F401
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
        import watchfiles  # noqa: F401
    except ImportError as error:
        from clockhead.release import install_command

        raise click.ClickException(
            f"the studio needs {error.name}; install it with: {install_command('studio')}"
        ) from error
