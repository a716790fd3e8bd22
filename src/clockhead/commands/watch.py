"""`clockhead watch`: the stills of a film in the browser, while it is edited elsewhere."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clockhead.commands.options import film_argument
from clockhead.commands.output import output_option
from clockhead.commands.studio import page_options, show
from clockhead.look import QUALITIES
from clockhead.places import relative_path
from clockhead.storyboard.problems import MOST
from clockhead.storyboard.wording import LONGEST_REASON, count, harmless

if TYPE_CHECKING:
    from clockhead.studio.news import Read


_DEFAULT = "l"


@click.command()
@film_argument
@click.option(
    "--render",
    "renders",
    is_flag=True,
    help="Show a clip of every shot too; they go to media/FILM/QUALITY/shots/.",
)
@click.option(
    "-q",
    "--quality",
    type=click.Choice(list(QUALITIES)),
    help=f"Size and frames per second of the clips, as in -qm; {_DEFAULT} if left out.",
)
@page_options
@output_option
def command(
    film: str, renders: bool, quality: str | None, port: int, closed: bool, media: Path
) -> int:
    """Show a film's stills in the browser while you edit it elsewhere.

    Whenever your editor saves the storyboard, or a stage of your own, the shots that changed are
    drawn anew; what is wrong is said on the page and here. Nothing is written.

    With --render their clips are rendered anew too, when their stills are there.
    """
    if quality is not None and not renders:
        raise click.UsageError(f"-q{quality} is the quality of clips; add --render to have them")
    clips = QUALITIES[quality or _DEFAULT] if renders else None
    return show(
        film,
        port,
        media,
        opens=not closed,
        watching=True,
        tell=_tell,
        clips=clips,
        tell_clip=_tell_clip,
    )


def _tell(read: Read) -> None:
    """What was read, and what is wrong with it."""
    for remark in read.remarks[:MOST]:
        click.echo(f"{remark.where}{remark.message}", err=True)
    if len(read.remarks) > MOST:
        click.echo(f"and {len(read.remarks) - MOST:,} more", err=True)
    wrong = [remark for remark in read.remarks if remark.kind != "note"]
    said = count(len(wrong), "problem") if wrong else f"{count(len(read.shots), 'shot')}, all well"
    click.echo(f"{time.strftime('%H:%M:%S')} {said}", err=True)


def _tell_clip(shot: str, clip: Path | None, failure: str) -> None:
    """Where a clip is, or why there is none."""
    if clip is not None:
        click.echo(str(relative_path(clip)))
    else:
        click.echo(f"{shot}: {harmless(failure, LONGEST_REASON)}", err=True)
