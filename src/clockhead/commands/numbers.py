"""`clockhead numbers`: every number behind a film."""

from __future__ import annotations

import click

from clockhead.commands.options import film_argument, set_option, shot_option


@click.command()
@film_argument
@set_option
@shot_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(film: str, settings: tuple[str, ...], only: tuple[str, ...], as_json: bool) -> None:
    """Print every number behind a film.

    Inputs, facts and arrays of each shot, with every digit. What the film says need not hold.
    """
    from clockhead.storyboard.films import load_films
    from clockhead.storyboard.numbers import as_text, film_numbers, to_json
    from clockhead.storyboard.problems import told

    [found] = load_films([film], settings=settings, only=only)
    if as_json:
        click.echo(to_json(film_numbers(found)))
    else:
        for line in as_text(found):
            click.echo(line)
    for line in told(found.failures):
        click.echo(line, err=True)
