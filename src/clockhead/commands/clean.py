"""`clockhead clean`: kept clips that are of no more use."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clockhead.commands.output import output_option, unwritten

if TYPE_CHECKING:
    from clockhead.clips.shelf import Entry


@click.command()
@click.option("--all", "everything", is_flag=True, help="Those that films are made of, too.")
@click.option("--dry-run", "trial", is_flag=True, help="Say what would go, and let it stay.")
@output_option
def command(everything: bool, trial: bool, media: Path) -> int:
    """Remove kept clips that no film is made of.

    Every clip that was rendered is kept in media/.clips, and what is spoken in media/.speech, so
    that nothing is made twice. What a film in media is made of stays, unless --all is given; the
    films themselves always stay. Exits 1 while a film is being rendered, and removes nothing.
    """
    from clockhead.production.cleaning import BusyFilms, clean, sort_out

    if not media.is_dir():
        click.echo(f"there is no folder {media}, and nothing to remove")
        return 0
    try:
        found = (sort_out if trial else clean)(media, everything=everything)
    except BusyFilms as films:
        click.echo(f"being rendered: {films}; nothing was removed, try again afterwards", err=True)
        return 1
    except OSError as error:
        raise unwritten(media, error) from error
    verb = "would remove" if trial else "removed"
    click.echo(
        f"{verb} {_told(found.unused)}; {_told(found.kept)} {'would ' * trial}stay in {media}"
    )
    return 0


def _told(entries: Sequence[Entry]) -> str:
    """`2 clips, 1 sentence, 3.4 MB`."""
    from clockhead.clips.shelf import SPEECH, size
    from clockhead.storyboard.wording import count

    sentences = sum(entry.path.suffix == f".{SPEECH}" for entry in entries)
    things = [count(len(entries) - sentences, "clip")]
    things += [count(sentences, "sentence")] if sentences else []
    return ", ".join([*things, size(sum(entry.size for entry in entries))])
