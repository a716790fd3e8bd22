"""`clockhead render` and `clockhead sheet`: films, and contact sheets of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clockhead.commands.options import (
    LookCommand,
    film_options,
    films_argument,
    making_options,
    name_option,
    need_writable,
    output_option,
    sweep_option,
    work_options,
    write_error,
)
from clockhead.interruption import exit_by_exception

if TYPE_CHECKING:
    from clockhead.production import RenderOptions
    from clockhead.production.produce import FilmResult
    from clockhead.storyboard.films import Film
    from clockhead.storyboard.sweep import Sweep, Variant

FILM_SHEET = {"beats": 3, "width": 2880}
"""Pictures of each beat and pixels across, for the sheet of a film."""
SHOT_SHEET = {"beats": 1, "width": 1920}
"""The same for the sheet of one shot."""


@click.command(cls=LookCommand)
@films_argument
@film_options
@sweep_option
@making_options
@name_option
@work_options
@output_option
@click.option("-p", "--preview", is_flag=True, help="Open what was rendered.")
def render(
    films: tuple[str, ...],
    sweeps: tuple[str, ...],
    workers: int | None,
    scheduler: str | None,
    media: Path,
    preview: bool,
    **chosen: Any,
) -> int:
    """Render films.

    A film goes to media/FILM/QUALITY/FILM.mp4, with captions, transcript, poster and manifest
    next to it and a clip of each shot in clips/. Only what changed is rendered again.

    With --shot, only those shots are rendered, into shots/; the film itself stays as it is.

    With --sweep there is a film for each value, named after it, and a table (csv) of every fact
    that differs between them. If a value is refused, the others are still rendered.
    """
    from clockhead.clips.jobs import make_ready
    from clockhead.production import RenderOptions
    from clockhead.storyboard.films import load_films
    from clockhead.storyboard.sweep import load_sweep

    need_writable(media)
    options = RenderOptions(media, workers, scheduler, whole=not chosen["only"])
    if scheduler is None:
        chosen["prepare"] = make_ready
    if sweeps:
        return _make_sweep(load_sweep(films, sweeps, **chosen), options, preview)
    found = load_films(films, **chosen)
    results = make(found, options)
    if preview:
        for file in (file for result in results for file in result.files):
            click.launch(str(file))
    return exit_code(found, results)


@click.command(cls=LookCommand)
@films_argument
@film_options
@name_option
@work_options
@output_option
def sheet(
    films: tuple[str, ...], workers: int | None, scheduler: str | None, media: Path, **chosen: Any
) -> int:
    """Draw contact sheets of films.

    FILM-sheet.png, next to the film, shows the start, middle and end of every beat. With --shot,
    FILM-SHOT-sheet.png shows each shot, larger. What is missing is rendered first.
    """
    from clockhead.production import RenderOptions
    from clockhead.storyboard.films import load_films

    need_writable(media)
    found = load_films(films, **chosen)
    options = RenderOptions(media, workers, scheduler, whole=not chosen["only"], need_clips=True)
    results = make(found, options)
    for result in results:
        for file in _draw_sheets(result, options):
            click.echo(str(file))
    return exit_code(found, results)


def _draw_sheets(result: FilmResult, options: RenderOptions) -> Iterator[Path]:
    """Write the contact sheets of a film, or of each of its shots that were asked for."""
    from clockhead import atomic
    from clockhead.production.sheet import draw_sheet

    shots = list(zip(result.film.shots, result.clips, strict=False))
    name, fps = result.film.name, result.film.look.fps
    if options.whole and shots:
        file = result.folder / f"{name}-sheet.png"
        atomic.write(file, draw_sheet(shots, fps, **FILM_SHEET))
        yield file
        return
    for shot, clip in shots:
        file = result.folder / f"{name}-{shot.id}-sheet.png"
        atomic.write(file, draw_sheet([(shot, clip)], fps, **SHOT_SHEET))
        yield file


def _make_sweep(sweep: Sweep, options: RenderOptions, preview: bool) -> int:
    """Render the films of a sweep, report those that are refused, and write the table."""
    from clockhead.export.numbers import write_sweep
    from clockhead.storyboard.problems import problem_lines

    for variant in sweep.variants:
        for line in problem_lines(variant.refusals):
            click.echo(f"{variant.label}: {line}", err=True)
    try:
        table = write_sweep(sweep, options.media)
    except OSError as error:
        raise write_error(options.media, error) from error
    results = make(sweep.films, options)
    click.echo(str(table))
    if preview:
        click.launch(str(table))
    return exit_code(sweep.variants, results)


def make(films: Sequence[Film], options: RenderOptions, *, quiet: bool = False) -> list[FilmResult]:
    """Render the films whose claims hold.

    Prints progress, the files (unless `quiet`) and what failed. Ctrl-C and the signals that end a
    process leave neither workers nor unfinished files behind.
    """
    from clockhead.production.produce import produce
    from clockhead.production.progress import ShotProgress
    from clockhead.storyboard.problems import problem_lines

    for line in problem_lines(failure for film in films for failure in film.failures):
        click.echo(line, err=True)
    try:
        with exit_by_exception(), ShotProgress() as progress:
            results = produce([film for film in films if not film.failures], options, progress)
    except OSError as error:
        raise write_error(options.media, error) from error
    for result in results:
        failed, news = result.news()
        for line in failed:
            click.echo(line, err=True)
        for file in () if quiet else result.files:
            click.echo(str(file))
        click.echo(news, err=True)
    return results


def exit_code(films: Sequence[Film | Variant], results: Sequence[FilmResult]) -> int:
    """0 if every film, or variant of a sweep, was made, else 1."""
    return 0 if sum(bool(result.files) for result in results) == len(films) else 1
