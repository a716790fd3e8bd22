"""`clockhead clean`, `doctor`, `add` and `test`: the cache, the installation and its tests.

The launcher runs `add NAME` and `test` itself; here they say how to do without it.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clockhead.commands.options import output_option, write_error

if TYPE_CHECKING:
    from clockhead.clips.sealed import StoredEntry


@click.command()
@click.option("--all", "everything", is_flag=True, help="Also remove clips that films use.")
@click.option("--dry-run", "trial", is_flag=True, help="Only say what would be removed.")
@output_option
def clean(everything: bool, trial: bool, media: Path) -> int:
    """Remove cached clips that no film uses.

    Rendered clips are cached in media/.clips, spoken sentences in media/.speech and pictures of
    stages in media/.stills, so that nothing is made twice. The films stay, and the clips that they
    use too, unless --all is given. While a film is being rendered nothing is removed, and the exit
    code is 1.
    """
    from clockhead.production import folders

    if not media.is_dir():
        click.echo(f"there is no folder {media}; nothing to remove")
        return 0
    try:
        remove = folders.plan_cleanup if trial else folders.clean
        unused, kept = remove(media, everything=everything)
    except folders.BusyFilms as films:
        click.echo(f"being rendered: {films}; nothing was removed; try again afterwards", err=True)
        return 1
    except OSError as error:
        raise write_error(media, error) from error
    verb = "would remove" if trial else "removed"
    click.echo(f"{verb} {_summary(unused)}; {_summary(kept)} {'would ' * trial}stay in {media}")
    return 0


def _summary(entries: Sequence[StoredEntry]) -> str:
    """`2 clips, 1 sentence, 3.4 MB`."""
    from clockhead.clips.sealed import CLIP, SPEECH, STILL, size
    from clockhead.storyboard.problems import count

    kinds = [entry.path.suffix.removeprefix(".") for entry in entries]
    things = [count(kinds.count(CLIP), "clip")]
    for kind, noun in ((SPEECH, "sentence"), (STILL, "picture")):
        things += [count(kinds.count(kind), noun)] if kind in kinds else []
    return ", ".join([*things, size(sum(entry.size for entry in entries))])


@click.command()
@output_option
def doctor(media: Path) -> int:
    """Check the installation and say how to repair it.

    Exits 1 if something is missing that every film needs.
    """
    from clockhead.doctor import examine

    well = True
    for finding in examine(media):
        click.echo(str(finding))
        well = well and (finding.ok or not finding.needed)
    click.echo("all is well" if well else "something is missing: see above", err=not well)
    return 0 if well else 1


@click.command()
@click.argument("names", nargs=-1, metavar="[EXTRA]...")
def add(names: tuple[str, ...]) -> None:
    """Install packages that only some commands need.

    In a clone, ./clockhead installs them into its environment, from a lock file with hashes, and
    again whenever it sets up a new environment. Without a name, lists the extras.
    """
    from clockhead import release
    from clockhead.storyboard.problems import unknown_name

    extras = {name: wanted for name, wanted in release.needs().extras.items() if name != "dev"}
    for name in names:
        if name not in extras:
            raise click.UsageError(unknown_name("extra", name, extras))
    if not names:
        width = max(map(len, extras))
        for name, wanted in extras.items():
            click.echo(f"{name:{width}}  {', '.join(need.name for need in wanted)}")
        return
    own = release.launcher() is None
    how = "this is not the launcher's environment; use pip" if own else "use the launcher"
    raise click.UsageError(f"{how}: {release.install_command(*names)}")


@click.command(context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
def test() -> None:
    """Run Clockhead's own tests.

    ./clockhead in a clone runs them, and passes all options on to pytest.
    """
    from clockhead.release import ROOT, is_checkout

    if is_checkout():
        launcher = shlex.quote(str(ROOT / "clockhead"))
        raise click.UsageError(f"use the launcher: {launcher} test")
    raise click.UsageError(
        "the tests are not installed; they are in the repository and in the source distribution "
        "(clockhead-VERSION.tar.gz). There, run ./clockhead test; or, in an environment of your "
        "own: python -m pip install '.[dev]' && python -m pytest"
    )
