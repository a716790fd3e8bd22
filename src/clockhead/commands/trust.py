"""`clockhead trust`: which folders of stages may run."""

from __future__ import annotations

import os
from pathlib import Path

import click

from clockhead.places import clockhead_command


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path), metavar="[DIR]")
@click.option("--list", "listing", is_flag=True, help="List the folders that are trusted.")
@click.option("--forget", is_flag=True, help="Trust DIR no more.")
def command(folder: Path | None, listing: bool, forget: bool) -> int:
    """Let the stages in a folder run, which are programs.

    DIR is the folder that `stages` is in. Its stages run with all your rights, so look at them
    first, or at who wrote them. DIR must belong to you, and nobody else may be able to write to
    it. `new` and `new stage` trust what they make. Without this, as in CI, the environment
    variable CLOCKHEAD_TRUST names such folders: their full paths, with a colon between two.
    """
    if listing and (folder is not None or forget):
        raise click.UsageError("--list is given alone")
    if listing:
        return _list()
    if folder is None:
        raise click.UsageError(
            f"name the folder that `stages` is in: {clockhead_command('trust', 'DIR')}"
        )
    return _forget(folder) if forget else _trust(folder)


def _trust(folder: Path) -> int:
    from clockhead.libraries import home_around
    from clockhead.trust import STAGES, distrust, trust

    home = Path(os.path.realpath(folder))
    if home_around(home) != home:
        around = home_around(home)
        meant = f"; did you mean {around}?" if around else ""
        raise click.UsageError(f"there is no folder {home / STAGES}{meant}")
    try:
        trust(home)
    except PermissionError as error:
        raise click.ClickException(f"{home} is not trusted: {error.strerror}") from None
    except OSError as error:
        raise _unwritten(error) from error
    if why := distrust(home):
        raise click.ClickException(why)
    undo = clockhead_command("trust", "--forget", str(folder))
    click.echo(f"the stages in {home / STAGES} run from now on; {undo} takes it back")
    return 0


def _forget(folder: Path) -> int:
    from clockhead.trust import TRUST, distrust, forget

    try:
        found = forget(folder)
    except OSError as error:
        raise _unwritten(error) from error
    if not distrust(folder):
        raise click.ClickException(f"{folder} is still trusted: {TRUST} names it")
    if not found:
        raise click.ClickException(f"{folder} was not trusted")
    click.echo(f"{folder} is not trusted any more")
    return 0


def _list() -> int:
    from clockhead.trust import trusted_homes

    homes = trusted_homes()
    for home, why in homes.items():
        click.echo(f"{home} (not run: {why})" if why else str(home))
    if not homes:
        click.echo("no folder is trusted", err=True)
    return 0


def _unwritten(error: OSError) -> click.ClickException:
    where = f"{os.fsdecode(error.filename)}: " if error.filename else ""
    return click.ClickException(f"this cannot be recorded: {where}{error.strerror}")
