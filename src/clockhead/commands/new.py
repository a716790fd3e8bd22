"""`clockhead new`: a film or a stage to begin with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

import click

from clockhead.places import clockhead_command, python_command


@click.command()
@click.argument("name", nargs=-1, required=True, metavar="NAME | stage FOLDER.NAME")
@click.option("--from", "source", metavar="FILM", help="Begin with a copy of this film.")
def command(name: tuple[str, ...], source: str | None) -> None:
    """Begin a film of your own, or a stage.

    `new NAME` writes storyboards/NAME.yaml: a small film that explains itself and can be rendered
    as it stands, or with --from a copy of another film under a title of its own.

    `new stage FOLDER.NAME` writes a whole stage, stages/FOLDER/NAME.py, with a film of it,
    storyboards/FOLDER_NAME.yaml, and a test, tests/test_FOLDER_NAME.py.

    Both go into the folder that your `storyboards` and `stages` are in, or else where you stand,
    with a schema for editors beside the storyboard. No film, stage or test is overwritten.
    """
    match name:
        case ("stage",):
            raise click.UsageError(
                f"a stage needs a name: `{clockhead_command('new', 'stage', 'FOLDER.NAME')}`, "
                "such as clocks.height; a film cannot be called 'stage'"
            )
        case ("stage", stage):
            if source is not None:
                raise click.UsageError("--from is for films; a new stage is no copy")
            _begin_stage(stage)
        case (film,):
            _begin_film(film, source)
        case _:
            raise click.UsageError(
                f"one name at a time: `{clockhead_command('new', 'NAME')}` or "
                f"`{clockhead_command('new', 'stage', 'FOLDER.NAME')}`"
            )


def _begin_film(name: str, source: str | None) -> None:
    from clockhead.new.begin import begin_film

    try:
        files = begin_film(name, source)
    except OSError as error:
        raise _unwritten(error) from error
    _tell(files, clockhead_command("check", name), clockhead_command("render", name, "-ql", "-p"))


def _begin_stage(name: str) -> None:
    from clockhead.new.begin import begin_stage

    try:
        files = begin_stage(name)
    except OSError as error:
        raise _unwritten(error) from error
    film = name.replace(".", "_")
    _tell(
        files,
        clockhead_command("stages", name),
        clockhead_command("check", film),
        clockhead_command("render", film, "-ql", "-p"),
        *_tests(file for file in files if file.parent.name == "tests"),
    )


def _tests(files: Iterable[Path]) -> Iterator[str]:
    if find_spec("pytest") is None:
        yield python_command("-m", "pip", "install", "pytest")
    yield from (python_command("-m", "pytest", str(file)) for file in files)


def _unwritten(error: OSError) -> click.ClickException:
    return click.ClickException(f"cannot write {error.filename}: {error.strerror}")


def _tell(files: Iterable[Path], *commands: str) -> None:
    for file in files:
        click.echo(str(file))
    click.echo("What to type next:", err=True)
    for command in commands:
        click.echo(f"  {command}", err=True)
