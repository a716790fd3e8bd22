"""`clockhead sheet`: a film at a glance."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.clips.look import Look
from pipeline.commands.options import films_argument, look_options, set_option, shot_option
from pipeline.commands.render import MEDIA, exit_code, make, work_options

if TYPE_CHECKING:
    from pipeline.film.production import Order, Product

_FILM_SHEET = {"beats": 3, "width": 2880}
_SHOT_SHEET = {"beats": 1, "width": 1920}


@click.command()
@films_argument
@set_option
@shot_option
@look_options
@work_options
def command(
    films: tuple[str, ...],
    settings: tuple[str, ...],
    only: tuple[str, ...],
    look: Look,
    workers: int | None,
    scheduler: str | None,
) -> int:
    """Draw contact sheets of films.

    The start, middle and end of every beat go onto one picture, FILM-sheet.png beside the film;
    with --shot, larger, onto FILM-SHOT-sheet.png for each. What is missing is rendered first.
    """
    from pipeline.clips.jobs import default_workers
    from pipeline.film.production import Order
    from pipeline.storyboard.films import load_films

    found = load_films(films, settings=settings, only=only, theme=look.theme)
    order = Order(look, MEDIA, workers or default_workers(), scheduler, whole=not only, anew=True)
    products = make(found, order)
    for product in products:
        for file in _sheets(product, order):
            click.echo(str(file))
    return exit_code(found, products)


def _sheets(product: Product, order: Order) -> Iterator[Path]:
    from pipeline.clips import atomic
    from pipeline.film.sheet import draw_sheet

    shots = list(zip(product.film.shots, product.clips, strict=False))
    name, fps = product.film.name, order.look.fps
    if order.whole and shots:
        file = product.folder / f"{name}-sheet.png"
        atomic.write(file, draw_sheet(shots, fps, **_FILM_SHEET))
        yield file
        return
    for shot, clip in shots:
        file = product.folder / f"{name}-{shot.id}-sheet.png"
        atomic.write(file, draw_sheet([(shot, clip)], fps, **_SHOT_SHEET))
        yield file
