"""`clockhead check`: is everything about a film in order?"""

from __future__ import annotations

import click

from clockhead.commands.options import (
    LookCommand,
    films_argument,
    look_options,
    set_option,
    shot_option,
)
from clockhead.look import Wish


@click.command(cls=LookCommand)
@films_argument
@set_option
@shot_option
@look_options
def command(
    films: tuple[str, ...], settings: tuple[str, ...], only: tuple[str, ...], wish: Wish
) -> None:
    """Check films without rendering them.

    Storyboard, inputs, claims, expectations and layout. Exits 2 when a storyboard is wrong, and 1
    when what a film says does not hold, cannot be read on screen, or is not in the language of its
    voice. Texts that nobody has put into the film's language are listed, those of exports (what a
    number is) too; they are shown in English.
    """
    from clockhead.clips.layout import look_over
    from clockhead.clips.local import make_ready
    from clockhead.storyboard.films import load_films
    from clockhead.storyboard.problems import FilmError, Place, Problem
    from clockhead.storyboard.wording import count

    failures = []
    found = load_films(films, settings=settings, only=only, wish=wish, prepare=make_ready)
    from clockhead.voice.speech import refusal  # which imports Manim

    for film in found:
        seen = look_over(film)
        broken = [*film.failures, *seen.failures]
        if mute := refusal(film):
            broken.append(Problem.at(Place(str(film.file)), mute))
        untold = list(dict.fromkeys([*film.warnings, *seen.warnings]))
        verdict = count(len(broken), "failed claim") if broken else "in order"
        described = film.english_descriptions
        english = {"text": untold, "description": described}
        counts = [count(len(found), noun) for noun, found in english.items() if found]
        if counts:
            verdict += f", {' and '.join(counts)} not translated"
        click.echo(f"{film.name}: {count(len(film.shots) + len(film.refused), 'shot')}, {verdict}")
        for line in film.gave_way():
            click.echo(line)
        for warning in [*untold, *described]:  # all of them: they are a translator's list
            click.echo(f"warning: {warning}", err=True)
        failures.extend(broken)
    if failures:
        raise FilmError(failures)
