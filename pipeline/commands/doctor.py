"""`clockhead doctor`: is everything here?"""

from __future__ import annotations

import click

from pipeline.commands.render import MEDIA


@click.command()
def command() -> int:
    """Say what is installed, what is missing, and what mends it.

    Exits 1 when something is missing that films need.
    """
    from pipeline.doctor import examine

    well = True
    for finding in examine(MEDIA):
        click.echo(str(finding))
        well = well and (finding.ok or not finding.needed)
    click.echo("all is well" if well else "something is missing: see above", err=not well)
    return 0 if well else 1
