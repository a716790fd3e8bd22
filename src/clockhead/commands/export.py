"""`clockhead export`: a film as slides, pages, handouts and tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clockhead.commands.options import (
    MEDIA,
    Command,
    LookCommand,
    Number,
    film_options,
    films_argument,
    making_options,
    name_option,
    need_writable,
    work_options,
    write_error,
)
from clockhead.commands.render import make
from clockhead.export.formats import FORMATS, Choices, write
from clockhead.interruption import exit_by_exception
from clockhead.storyboard.problems import join_names, problem_lines, unknown_name

if TYPE_CHECKING:
    from clockhead.export.edition import Edition
    from clockhead.production import RenderOptions
    from clockhead.storyboard.films import Film

ZIP = "zip"
"""Packs the files of the other formats."""


def _split_formats(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> list[str]:
    names = list(dict.fromkeys(name.strip() for names in given for name in names.split(",")))
    for name in names:
        if name not in (*FORMATS, ZIP):
            raise click.BadParameter(unknown_name("format", name, [*FORMATS, ZIP]))
    if names == [ZIP]:
        raise click.BadParameter("zip packs other formats: --to html,pptx,zip")
    return names


def _formats_with(choice: str) -> str:
    """The formats that an option applies to."""
    return join_names([name for name, format in FORMATS.items() if choice in format.choices])


def _option(name: str, what: str, **settings: Any) -> Callable[[Command], Command]:
    """An option of some formats, which its help lists."""
    choice = name.removeprefix("--").replace("-", "_")
    return click.option(name, help=f"{what} ({_formats_with(choice)}).", **settings)


@click.command(cls=LookCommand)
@films_argument
@click.option(
    "--to",
    "formats",
    multiple=True,
    required=True,
    metavar="FORMAT,...",
    callback=_split_formats,
    help=f"{', '.join(FORMATS)}; zip packs the others. Repeatable, or several with commas.",
)
@click.option(
    "-o",
    "--output",
    "target",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder to write to, instead of export/ next to the film.",
)
@_option("--per", "What each slide shows", type=click.Choice(["shot", "beat"]), default="beat")
@_option("--single-file", "Put everything into one file", is_flag=True)
@_option("--fragment", "Slides to paste into a deck", is_flag=True)
@_option(
    "--max-mb",
    "Largest size of a file. Quality is lowered first; if the picture must shrink, a message says "
    "so",
    type=Number(min=0, min_open=True),
    metavar="N",
)
@_option("--transparent", "Without a background", is_flag=True)
@_option("--width", "Width, instead of the film's", type=click.IntRange(64, 7680), metavar="PIXELS")
@_option("--arrays", "Include every array", is_flag=True)
@_option("--reduced-motion", "Show stills instead of motion", is_flag=True)
@_option(
    "--pause",
    "Hold the last picture of every beat and question, with a chapter for each",
    type=Number(0.1, 60),
    metavar="SECONDS",
)
@_option("--no-handles", "Without the inputs that readers can turn", is_flag=True)
@_option("--title", "What the page of all films is called", default="", metavar="TEXT")
@film_options
@making_options
@name_option
@work_options
@click.option(
    "--media",
    type=click.Path(file_okay=False, path_type=Path),
    default=MEDIA,
    show_default=True,
    metavar="DIR",
    help="Folder of films and cached clips.",
)
@click.pass_context
def export(
    context: click.Context,
    /,
    films: tuple[str, ...],
    formats: list[str],
    target: Path | None,
    workers: int | None,
    scheduler: str | None,
    media: Path,
    **chosen: Any,
) -> int:
    """Turn films into slides, pages, handouts and tables.

    All formats use the same clips, sentences and numbers. What is missing is rendered first. `site`
    makes one course page of several films, in media/site; all others are made of each film.
    """
    from clockhead.clips.jobs import make_ready
    from clockhead.production import RenderOptions
    from clockhead.storyboard.films import load_films

    _refuse_idle_options(context, formats)
    together = [one for one in formats if one != ZIP and FORMATS[one].together]
    if together and set(formats) - {*together, ZIP}:
        raise click.UsageError(f"{together[0]} is made alone, or with zip: --to {together[0]}")
    choices = Choices(**{field.name: chosen.pop(field.name) for field in fields(Choices)})
    plays = any(FORMATS[one].needs_film(choices) for one in formats if one != ZIP)
    if target is not None:
        need_writable(target)
    if plays or target is None:
        need_writable(media, "--media DIR" if plays else "-o DIR")
    if plays and scheduler is None:
        chosen["prepare"] = make_ready
    found = load_films(films, **chosen)
    from clockhead.export.edition import ExportError  # which imports Manim

    options = RenderOptions(media, workers, scheduler, whole=not chosen["only"], need_clips=True)
    editions = _make_editions(found, options if plays else None)
    is_complete = len(editions) == len(found)
    batches: dict[Path, list[Edition]] = {}
    if together:
        batches = {target or media / together[0]: editions} if is_complete else {}
    for one in editions if not together else []:
        usual = media / one.name / one.film.look.folder / "export"
        named = target / one.name if target and len(found) > 1 else target
        batches[named or usual] = [one]
    for folder, batch in batches.items():
        try:
            with exit_by_exception():
                files = _write_files(batch, formats, folder, choices)
        except ExportError as error:
            raise click.ClickException(str(error)) from error
        except OSError as error:
            raise write_error(folder, error) from error
        for file in files:
            click.echo(str(file))
    return 0 if is_complete else 1


def _refuse_idle_options(context: click.Context, formats: Sequence[str]) -> None:
    """Refuse options that apply to none of the formats."""
    known = {choice for name in formats if name != ZIP for choice in FORMATS[name].choices}
    for choice in (field.name for field in fields(Choices)):
        given = context.get_parameter_source(choice) is click.core.ParameterSource.COMMANDLINE
        if given and choice not in known:
            raise click.UsageError(
                f"--{choice.replace('_', '-')} applies to {_formats_with(choice)}, "
                f"not to {join_names(formats)}"
            )


def _make_editions(films: Sequence[Film], options: RenderOptions | None) -> list[Edition]:
    """The films, with their clips if a format plays them; without those that fail."""
    from clockhead.export.edition import Edition

    say = partial(click.echo, err=True)
    if options is None:
        for line in problem_lines(failure for film in films for failure in film.failures):
            say(line)
        return [Edition(film, say=say) for film in films if not film.failures]
    return [
        Edition(result.film, tuple(result.clips), tuple(result.speech), tuple(result.files), say)
        for result in make(films, options, quiet=True)
        if result.files
    ]


def _write_files(
    editions: Sequence[Edition], formats: Sequence[str], folder: Path, choices: Choices
) -> list[Path]:
    """Write all formats; returns the files that a user would open."""
    from clockhead.export.folder import fill_folder, zip_files

    files: list[Path] = []
    to_open: list[Path] = []
    with fill_folder(folder) as staging:
        for name in formats:
            if name != ZIP:
                made = write(name, editions, staging, choices)
                files += made
                # The first file, and those of its kind next to it: a picture of each shot.
                kind = made[0].parent, made[0].suffix
                to_open += [file for file in made if (file.parent, file.suffix) == kind]
        if ZIP in formats:
            whole = editions[0].name if len(editions) == 1 else formats[0]
            to_open.append(zip_files(whole, staging, files))
    return [folder / file.relative_to(staging) for file in to_open]
