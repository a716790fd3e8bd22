"""`clockhead doctor`: is everything here?"""

from __future__ import annotations

from pathlib import Path

import click

from clockhead.commands.output import output_option


@click.command()
@output_option
def command(media: Path) -> int:
    """Say what is installed, what is missing, and what mends it.

    Exits 1 when something is missing that films need.
    """
    from clockhead.doctor import examine

    well = True
    for finding in examine(media):
        click.echo(str(finding))
        well = well and (finding.ok or not finding.needed)
    click.echo("all is well" if well else "something is missing: see above", err=not well)
    return 0 if well else 1
