"""`clockhead render`: storyboards in, films out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from clockhead.commands.options import (
    LookCommand,
    films_argument,
    look_options,
    making_options,
    name_option,
    set_option,
    shot_option,
    sweep_option,
)
from clockhead.commands.output import need_writable, output_option, unwritten
from clockhead.interruption import orderly
from clockhead.look import Wish
from clockhead.storyboard.wording import show

if TYPE_CHECKING:
    from pathlib import Path

    from clockhead.production.order import Order
    from clockhead.production.production import Product
    from clockhead.storyboard.films import Film
    from clockhead.storyboard.sweep import Sweep

Command = TypeVar("Command", bound=Callable[..., Any])


def _address(_: click.Context, __: click.Parameter, given: str | None) -> str | None:
    from clockhead.clips.address import wrong_address

    if given is not None and (wrong := wrong_address(given)):
        raise click.BadParameter(f"{show(given)}: {wrong}")
    return given


def work_options(command: Command) -> Command:
    """`--workers` and `--scheduler`."""
    workers = click.option(
        "--workers",
        type=click.IntRange(1, 256),
        metavar="N",
        help="Shots rendered at once on this machine; by itself, what cores and memory allow.",
    )
    scheduler = click.option(
        "--scheduler",
        metavar="tcp://HOST:PORT",
        callback=_address,
        help="Render on the Dask cluster with this scheduler.",
    )
    return workers(scheduler(command))


@click.command(cls=LookCommand)
@films_argument
@set_option
@sweep_option
@shot_option
@look_options
@making_options
@name_option
@work_options
@output_option
@click.option("-p", "--preview", is_flag=True, help="Open what was made.")
def command(
    films: tuple[str, ...],
    settings: tuple[str, ...],
    sweeps: tuple[str, ...],
    only: tuple[str, ...],
    wish: Wish,
    name: str | None,
    workers: int | None,
    scheduler: str | None,
    media: Path,
    preview: bool,
) -> int:
    """Render films.

    A film goes to media/FILM/QUALITY/FILM.mp4, with captions, transcript, poster and manifest
    beside it and a clip of each shot in clips/. What did not change is not rendered again.

    With --shot, only those shots are made, as clips in shots/; the film itself is left as it is.

    With --sweep there is a film for each value, named after it, and beside these films a table
    (csv) of every fact that differs between them. A value that is refused does not stop the others.
    """
    from clockhead.clips.local import make_ready
    from clockhead.production.order import Order
    from clockhead.storyboard.films import load_films
    from clockhead.storyboard.sweep import load_sweep

    need_writable(media)
    order = Order(media, workers, scheduler, whole=not only)
    given: dict[str, Any] = {"settings": settings, "only": only, "wish": wish, "name": name}
    if scheduler is None:
        given["prepare"] = make_ready
    if sweeps:
        return _make_sweep(load_sweep(films, sweeps, **given), order, preview)
    found = load_films(films, **given)
    products = make(found, order)
    if preview:
        for file in (file for product in products for file in product.files):
            click.launch(str(file))
    return exit_code(found, products)


def _make_sweep(sweep: Sweep, order: Order, preview: bool) -> int:
    """Make the films of a sweep, name those that are refused, and write the table."""
    from clockhead.production.sweep_table import write_table
    from clockhead.storyboard.problems import told

    for one in sweep.variants:
        for line in told(one.refusals):
            click.echo(f"{one.told}: {line}", err=True)
    try:
        table = write_table(sweep, order.media)
    except OSError as error:
        raise unwritten(order.media, error) from error
    products = make(sweep.films, order)
    click.echo(str(table))
    if preview:
        click.launch(str(table))
    return 0 if sum(bool(product.files) for product in products) == len(sweep.variants) else 1


def make(films: Sequence[Film], order: Order, *, quiet: bool = False) -> list[Product]:
    """Render the films whose claims hold; say how it goes, where they are (not if `quiet`), or
    what failed.

    Ctrl-C and the signals that ask a process to end leave no worker and no half file.
    """
    from clockhead.production.production import produce
    from clockhead.production.progress import ShotProgress
    from clockhead.storyboard.problems import told

    for line in told(failure for film in films for failure in film.failures):
        click.echo(line, err=True)
    try:
        with orderly(), ShotProgress() as progress:
            products = produce([film for film in films if not film.failures], order, progress)
    except OSError as error:
        raise unwritten(order.media, error) from error
    for product in products:
        _tell(product, quiet)
    return products


def exit_code(films: Sequence[Film], products: Sequence[Product]) -> int:
    """0 when every film was made, else 1."""
    made = [product for product in products if product.files]
    return 0 if len(made) == len(films) else 1


def _tell(product: Product, quiet: bool) -> None:
    failed, news = product.news()
    for line in failed:
        click.echo(line, err=True)
    for file in () if quiet else product.files:
        click.echo(str(file))
    click.echo(news, err=True)
