"""`clockhead check`: is everything about a film in order?"""

from __future__ import annotations

import click

from pipeline.look import Look
from pipeline.options import films_argument, look_options, set_option, shot_option


@click.command()
@films_argument
@set_option
@shot_option
@look_options
def command(
    films: tuple[str, ...], settings: tuple[str, ...], only: tuple[str, ...], look: Look
) -> None:
    """Check films without rendering them.

    Storyboard, inputs, claims and expectations. Exits 2 when a storyboard is wrong, and 1 when
    what a film says does not hold.
    """
    from pipeline.films import load_films
    from pipeline.problems import FilmError
    from pipeline.wording import count

    found = load_films(films, settings=settings, only=only, theme=look.theme)
    for film in found:
        verdict = count(len(film.failures), "broken promise") if film.failures else "in order"
        click.echo(f"{film.name}: {count(len(film.shots), 'shot')}, {verdict}")
    if failures := [failure for film in found for failure in film.failures]:
        raise FilmError(failures)
