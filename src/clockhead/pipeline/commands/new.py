"""`clockhead new`: a film or a stage to begin with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click


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
                "a stage needs a name: `clockhead new stage FOLDER.NAME`, such as clocks.height; "
                "a film cannot be called 'stage'"
            )
        case ("stage", stage):
            if source is not None:
                raise click.UsageError("--from is for films; a new stage is no copy")
            _begin_stage(stage)
        case (film,):
            _begin_film(film, source)
        case _:
            raise click.UsageError(
                "one name at a time: `clockhead new NAME` or `clockhead new stage FOLDER.NAME`"
            )


def _begin_film(name: str, source: str | None) -> None:
    from clockhead.pipeline.new.begin import begin_film

    try:
        files = begin_film(name, source)
    except OSError as error:
        raise _unwritten(error) from error
    _tell(files, [f"check {name}", f"render {name} -ql -p"])


def _begin_stage(name: str) -> None:
    from clockhead.pipeline.new.begin import begin_stage

    try:
        files = begin_stage(name)
    except OSError as error:
        raise _unwritten(error) from error
    film = name.replace(".", "_")
    _tell(files, [f"stages {name}", f"check {film}", f"render {film} -ql -p"])


def _unwritten(error: OSError) -> click.ClickException:
    return click.ClickException(f"cannot write {error.filename}: {error.strerror}")


def _tell(files: Sequence[Path], commands: Sequence[str]) -> None:
    for file in files:
        click.echo(str(file))
    click.echo("What to type next:", err=True)
    for command in commands:
        click.echo(f"  clockhead {command}", err=True)
    for test in files:
        if test.suffix == ".py" and test.parent.name == "tests":
            click.echo(f"  python -m pytest {test}", err=True)
