"""`clockhead new` and `clockhead trust`: films, stages, a look and languages of the user's own."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import click

from clockhead.places import clockhead_command, python_command


@click.command()
@click.argument(
    "name",
    nargs=-1,
    required=True,
    metavar="NAME | stage FOLDER.NAME | look | language CODE",
)
@click.option("--from", "source", metavar="FILM", help="Start from a copy of this film.")
@click.option(
    "--data",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Show the attention heads in this .npz or .safetensors file.",
)
@click.option("--words", is_flag=True, help="Write out everything that the film says.")
@click.option("--lang", "language", metavar="CODE", help="Language of the words, such as de.")
@click.option("--film", "films", multiple=True, metavar="FILM", help="A film to translate.")
def new(
    name: tuple[str, ...],
    source: str | None,
    data: Path | None,
    words: bool,
    language: str | None,
    films: tuple[str, ...],
) -> None:
    """Start a film, a stage, a look or a translation of your own.

    `new NAME` writes storyboards/NAME.yaml: a small film that explains itself and can be rendered
    at once, or with --from a copy of another film under its own title. With --words, all titles,
    questions, sentences and captions of that film are in the copy, for you to change.

    With --data it is a film of the attention heads of a model of yours; docs/heads.md says how to
    write the file. A file from elsewhere is copied into the folder data.

    `new stage FOLDER.NAME` writes a complete stage, stages/FOLDER/NAME.py, with a film of it,
    storyboards/FOLDER_NAME.yaml, and a test, tests/test_FOLDER_NAME.py.

    `new look` writes look.yaml, the colours, font, logo and name of all your films, with comments.

    `new language CODE`, such as fr, writes stages/CODE.toml, which says how the language writes
    numbers, and stages/FOLDER/CODE.toml with all texts of your own stages, or of a film with
    --film. Translations that are there stay.

    All go into the folder of your `storyboards` and `stages` if there is one around you, else into
    the current folder, with a schema for editors. No film, stage, test or look is overwritten.
    """
    kind = name[0] if name[0] in ("stage", "language") or name == ("look",) else ""
    if name == ("stage",):
        raise click.UsageError(
            f"a stage needs a name: `{clockhead_command('new', 'stage', 'FOLDER.NAME')}`, "
            "such as clocks.height; a film cannot be called 'stage'"
        )
    if name == ("language",):
        raise click.UsageError(
            f"a language needs its code: `{clockhead_command('new', 'language', 'fr')}`; a film "
            "cannot be called 'language'"
        )
    if len(name) > 1 + (kind in ("stage", "language")):
        raise click.UsageError(
            f"one name at a time: `{clockhead_command('new', 'NAME')}` or "
            f"`{clockhead_command('new', 'stage', 'FOLDER.NAME')}`"
        )
    if kind and (source is not None or data is not None):
        raise click.UsageError(f"--{'data' if source is None else 'from'} works only for films")
    if source is not None and data is not None:
        raise click.UsageError("a film is --from another one or shows --data, not both")
    if words and source is None:
        raise click.UsageError("--words writes out those of a film: name it with --from FILM")
    if language is not None and not words:
        raise click.UsageError("--lang is the language of --words")
    if films and kind != "language":
        raise click.UsageError("--film is for `new language`; a copy of a film is made --from it")
    try:
        if kind == "language":
            _new_language(name[1], films)
        else:
            _new_work(kind, name[-1], source, data, words=words, language=language)
    except OSError as error:
        if error.filename is None:  # the output, which is reported elsewhere
            raise
        raise click.ClickException(f"cannot write {error.filename}: {error.strerror}") from error


def _new_work(
    kind: str,
    name: str,
    source: str | None,
    data: Path | None,
    *,
    words: bool,
    language: str | None,
) -> None:
    """Write a film, a stage or a look, and say what to do with it."""
    from clockhead.new import begin_film, begin_film_of_data, begin_look, begin_stage

    if kind == "look":
        files = begin_look()
    elif kind == "stage":
        files = begin_stage(name)
    elif data is not None:
        files = begin_film_of_data(name, data)
    else:
        files = begin_film(name, source, words=words, language=language)
    for file in files:
        click.echo(str(file))
    film = "previous_token" if kind == "look" else name.replace(".", "_")
    commands = [clockhead_command("check", film), clockhead_command("render", film, "-ql", "-p")]
    if kind == "stage":
        tests = [str(file) for file in files if file.parent.name == "tests"]
        commands.insert(0, clockhead_command("stages", name))
        if find_spec("pytest") is None:
            commands.append(python_command("-m", "pip", "install", "pytest"))
        commands += [python_command("-m", "pytest", test) for test in tests]
    click.echo("\n  ".join(["Next:", *commands]), err=True)


def _new_language(code: str, films: tuple[str, ...]) -> None:
    """Write or complete the catalogues of a language, and say what to do with them."""
    from clockhead.new_language import begin_language

    files = begin_language(code, films)
    for file in files:
        click.echo(str(file))
    if not files:
        click.echo("the catalogues have all texts already", err=True)
    if not films:
        add = f"{clockhead_command('new', 'language', code)} --film FILM"
        click.echo(f"`{add}` adds the texts of a film", err=True)
    check = clockhead_command("check", films[0] if films else "FILM", "--lang", code)
    click.echo(f"Next: translate the empty lines; `{check}` lists those that are left", err=True)


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path), metavar="[DIR]")
@click.option("--list", "listing", is_flag=True, help="List the trusted folders.")
@click.option("--forget", "forgets", is_flag=True, help="Stop trusting DIR.")
def trust(folder: Path | None, listing: bool, forgets: bool) -> int:
    """Allow the stages in a folder, which are programs, to run.

    DIR is the folder that contains `stages`. Its stages run with all your rights, so read them
    first, or trust their author. DIR must belong to you, and nobody else may have write access.
    `new` and `new stage` trust the folders that they make. In CI, set the environment variable
    CLOCKHEAD_TRUST to the full paths of such folders, separated by colons.
    """
    from clockhead.trust import TRUST, forget, reason_to_refuse, trusted_projects

    if listing and (folder is not None or forgets):
        raise click.UsageError("--list takes no folder and no other option")
    if listing:
        projects = trusted_projects()
        for project, why in projects.items():
            click.echo(f"{project} (not run: {why})" if why else str(project))
        if not projects:
            click.echo("no folder is trusted", err=True)
        return 0
    if folder is None:
        raise click.UsageError(
            f"name the folder that contains `stages`: {clockhead_command('trust', 'DIR')}"
        )
    if not forgets:
        return _add_trust(folder)
    try:
        found = forget(folder)
    except OSError as error:
        raise _record_error(error) from error
    if not reason_to_refuse(folder):
        raise click.ClickException(f"{folder} is still trusted: {TRUST} names it")
    if not found:
        raise click.ClickException(f"{folder} was not trusted")
    click.echo(f"{folder} is no longer trusted")
    return 0


def _add_trust(folder: Path) -> int:
    from clockhead.libraries import project_around
    from clockhead.storyboard.problems import did_you_mean
    from clockhead.trust import STAGES, reason_to_refuse, trust

    project = Path(os.path.realpath(folder))
    if project_around(project) != project:
        meant = did_you_mean(project_around(project))
        raise click.UsageError(f"there is no folder {project / STAGES}{meant}")
    try:
        trust(project)
    except PermissionError as error:
        raise click.ClickException(f"{project} is not trusted: {error.strerror}") from None
    except OSError as error:
        raise _record_error(error) from error
    if why := reason_to_refuse(project):
        raise click.ClickException(why)
    undo = clockhead_command("trust", "--forget", str(folder))
    click.echo(f"the stages in {project / STAGES} run from now on; {undo} undoes this")
    return 0


def _record_error(error: OSError) -> click.ClickException:
    where = f"{os.fsdecode(error.filename)}: " if error.filename else ""
    return click.ClickException(f"this cannot be recorded: {where}{error.strerror}")
