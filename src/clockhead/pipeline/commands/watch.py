"""`clockhead watch`: the stills of a film in the browser, while it is edited elsewhere."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clockhead.pipeline.commands.options import film_argument
from clockhead.pipeline.commands.output import MEDIA
from clockhead.pipeline.commands.studio import page_options, show
from clockhead.pipeline.storyboard.problems import MOST
from clockhead.pipeline.storyboard.wording import count

if TYPE_CHECKING:
    from clockhead.pipeline.studio.news import Read


@click.command()
@film_argument
@page_options
def command(film: str, port: int, closed: bool) -> int:
    """Show a film's stills in the browser while you edit it elsewhere.

    Whenever your editor saves the storyboard, or a stage of your own, the shots that changed are
    drawn anew; what is wrong is said on the page and here. Nothing is written.
    """
    return show(film, port, Path(MEDIA), opens=not closed, watching=True, tell=_tell)


def _tell(read: Read) -> None:
    """What was read, and what is wrong with it."""
    for remark in read.remarks[:MOST]:
        click.echo(f"{remark.where}{remark.message}", err=True)
    if len(read.remarks) > MOST:
        click.echo(f"and {len(read.remarks) - MOST:,} more", err=True)
    wrong = [remark for remark in read.remarks if remark.kind != "note"]
    said = count(len(wrong), "problem") if wrong else f"{count(len(read.shots), 'shot')}, all well"
    click.echo(f"{time.strftime('%H:%M:%S')} {said}", err=True)
