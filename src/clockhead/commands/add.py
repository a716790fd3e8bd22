"""`clockhead add`, where the launcher does not do it: it says what there is, and how to add it."""

from __future__ import annotations

import click


@click.command()
@click.argument("names", nargs=-1, metavar="[EXTRA]...")
def command(names: tuple[str, ...]) -> None:
    """Add packages that only some commands need, with ./clockhead in its repository.

    They are installed into the launcher's environment, from a lock file with hashes, and are there
    again when it is made anew. Without a name, lists what there is.
    """
    from clockhead import release
    from clockhead.storyboard.wording import unknown

    extras = {name: wanted for name, wanted in release.needs().extras.items() if name != "dev"}
    for name in names:
        if name not in extras:
            raise click.UsageError(unknown("extra", name, extras))
    if not names:
        width = max(map(len, extras))
        for name, wanted in extras.items():
            click.echo(f"{name:{width}}  {', '.join(need.name for need in wanted)}")
        return
    own = release.launcher() is None
    whose = "this environment is your own; install them with" if own else "the launcher adds them"
    raise click.UsageError(f"{whose}: {release.install_command(*names)}")
