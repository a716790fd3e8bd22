"""`clockhead check` and `clockhead numbers`: what can be said of a film without rendering it."""

from __future__ import annotations

from typing import Any

import click

from clockhead.commands.options import (
    LookCommand,
    film_argument,
    film_options,
    films_argument,
    set_option,
    shot_option,
)


@click.command(cls=LookCommand)
@films_argument
@film_options
def check(films: tuple[str, ...], **chosen: Any) -> None:
    """Check films without rendering them.

    Checks storyboard, inputs, claims, expectations and layout. Exits 2 if a storyboard is wrong,
    and 1 if a claim fails, something cannot be read on screen, or the voice does not speak the
    film's language. Lists the texts that are not translated, including those of exports; films
    show them in English.
    """
    from clockhead.clips.examine import examine_film
    from clockhead.clips.jobs import make_ready
    from clockhead.storyboard.films import load_films
    from clockhead.storyboard.problems import FilmError, Place, Problem, count

    failures = []
    found = load_films(films, **chosen, prepare=make_ready)
    from clockhead.voice.speech import refusal  # imports Manim

    for film in found:
        examined = examine_film(film)
        broken = [*film.failures, *examined.failures]
        if mute := refusal(film):
            broken.append(Problem.at(Place(str(film.file)), mute))
        untranslated = list(dict.fromkeys([*film.warnings, *examined.untranslated]))
        verdict = count(len(broken), "problem") if broken else "in order"
        described = film.english_descriptions
        english = {"text": untranslated, "description": described}
        counts = [count(len(found), noun) for noun, found in english.items() if found]
        if counts:
            verdict += f", {' and '.join(counts)} not translated"
        if examined.small:
            verdict += f", {count(len(examined.small), 'warning')} about size"
        click.echo(f"{film.name}: {count(len(film.shots) + len(film.refused), 'shot')}, {verdict}")
        for line in film.adjustment_lines():
            click.echo(line)
        for warning in [
            *untranslated,
            *examined.small,
            *described,
        ]:  # all of them: translators work from this list
            click.echo(f"warning: {warning}", err=True)
        failures.extend(broken)
    if failures:
        raise FilmError(failures)


@click.command()
@film_argument
@set_option
@shot_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def numbers(film: str, as_json: bool, **chosen: Any) -> None:
    """Print every number behind a film.

    Inputs, facts and arrays of each shot, with every digit, even if a claim of the film fails.
    """
    from clockhead.storyboard.films import load_films
    from clockhead.storyboard.numbers import numbers_as_text, shot_numbers, to_json
    from clockhead.storyboard.problems import problem_lines

    [found] = load_films([film], **chosen)
    if as_json:
        shots = [shot_numbers(shot) for shot in found.shots]
        click.echo(to_json({"film": found.name, "shots": shots}))
    else:
        for line in numbers_as_text(found):
            click.echo(line)
    for line in problem_lines(found.failures):
        click.echo(line, err=True)
