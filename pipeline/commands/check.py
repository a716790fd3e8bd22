"""`clockhead check`: is everything about a film in order?"""

from __future__ import annotations

import click

from pipeline.clips.look import Look
from pipeline.commands.options import films_argument, look_options, set_option, shot_option


@click.command()
@films_argument
@set_option
@shot_option
@look_options
def command(
    films: tuple[str, ...], settings: tuple[str, ...], only: tuple[str, ...], look: Look
) -> None:
    """Check films without rendering them.

    Storyboard, inputs, claims, expectations and layout. Exits 2 when a storyboard is wrong, and 1
    when what a film says does not hold or cannot be read on screen.
    """
    from pipeline.clips.layout import layout_failures
    from pipeline.storyboard.films import load_films
    from pipeline.storyboard.problems import FilmError
    from pipeline.storyboard.wording import count

    failures = []
    for film in load_films(films, settings=settings, only=only, theme=look.theme):
        broken = [*film.failures, *layout_failures(film, look)]
        verdict = count(len(broken), "broken promise") if broken else "in order"
        click.echo(f"{film.name}: {count(len(film.shots), 'shot')}, {verdict}")
        failures.extend(broken)
    if failures:
        raise FilmError(failures)
