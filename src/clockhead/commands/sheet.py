"""`clockhead sheet`: a film at a glance."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clockhead.commands.options import (
    LookCommand,
    films_argument,
    look_options,
    name_option,
    set_option,
    shot_option,
)
from clockhead.commands.output import need_writable, output_option
from clockhead.commands.render import exit_code, make, work_options
from clockhead.look import Wish

if TYPE_CHECKING:
    from clockhead.production.order import Order
    from clockhead.production.production import Product

_FILM_SHEET = {"beats": 3, "width": 2880}
_SHOT_SHEET = {"beats": 1, "width": 1920}


@click.command(cls=LookCommand)
@films_argument
@set_option
@shot_option
@look_options
@name_option
@work_options
@output_option
def command(
    films: tuple[str, ...],
    settings: tuple[str, ...],
    only: tuple[str, ...],
    wish: Wish,
    name: str | None,
    workers: int | None,
    scheduler: str | None,
    media: Path,
) -> int:
    """Draw contact sheets of films.

    The start, middle and end of every beat go onto one picture, FILM-sheet.png beside the film;
    with --shot, larger, onto FILM-SHOT-sheet.png for each. What is missing is rendered first.
    """
    from clockhead.production.order import Order
    from clockhead.storyboard.films import load_films

    need_writable(media)
    found = load_films(films, settings=settings, only=only, wish=wish, name=name)
    order = Order(media, workers, scheduler, whole=not only, anew=True)
    products = make(found, order)
    for product in products:
        for file in _sheets(product, order):
            click.echo(str(file))
    return exit_code(found, products)


def _sheets(product: Product, order: Order) -> Iterator[Path]:
    from clockhead.clips import atomic
    from clockhead.production.sheet import draw_sheet

    shots = list(zip(product.film.shots, product.clips, strict=False))
    name, fps = product.film.name, product.film.look.fps
    if order.whole and shots:
        file = product.folder / f"{name}-sheet.png"
        atomic.write(file, draw_sheet(shots, fps, **_FILM_SHEET))
        yield file
        return
    for shot, clip in shots:
        file = product.folder / f"{name}-{shot.id}-sheet.png"
        atomic.write(file, draw_sheet([(shot, clip)], fps, **_SHOT_SHEET))
        yield file
