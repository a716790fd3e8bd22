"""`clockhead render`: storyboards in, films out."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any, TypeVar

import click

from clockhead.pipeline.commands.options import (
    LookCommand,
    films_argument,
    look_options,
    making_options,
    name_option,
    set_option,
    shot_option,
)
from clockhead.pipeline.commands.output import output_option
from clockhead.pipeline.look import Wish
from clockhead.pipeline.storyboard.wording import count

if TYPE_CHECKING:
    from pathlib import Path

    from clockhead.pipeline.film.production import Order, Product
    from clockhead.pipeline.storyboard.films import Film

Command = TypeVar("Command", bound=Callable[..., Any])
_AGAIN = 0.2
"""Seconds until a request to end that was dropped is made again."""


def work_options(command: Command) -> Command:
    """`--workers` and `--scheduler`."""
    workers = click.option(
        "--workers",
        type=click.IntRange(1, 256),
        metavar="N",
        help="Shots rendered at once on this machine; one to a core if left out.",
    )
    scheduler = click.option(
        "--scheduler",
        metavar="tcp://HOST:PORT",
        help="Render on the Dask cluster with this scheduler.",
    )
    return workers(scheduler(command))


@click.command(cls=LookCommand)
@films_argument
@set_option
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
    """
    from clockhead.pipeline.clips.jobs import default_workers
    from clockhead.pipeline.film.production import Order
    from clockhead.pipeline.storyboard.films import load_films

    found = load_films(films, settings=settings, only=only, wish=wish, name=name)
    order = Order(media, workers or default_workers(), scheduler, whole=not only)
    products = make(found, order)
    if preview:
        for file in (file for product in products for file in product.files):
            click.launch(str(file))
    return exit_code(found, products)


def make(films: Sequence[Film], order: Order, *, quiet: bool = False) -> list[Product]:
    """Render the films whose claims hold; say how it goes, where they are (not if `quiet`), or
    what failed.

    Ctrl-C and the signals that ask a process to end leave no worker and no half file.
    """
    from clockhead.pipeline.film.production import produce
    from clockhead.pipeline.film.progress import ShotProgress

    for failure in (failure for film in films for failure in film.failures):
        click.echo(str(failure), err=True)
    try:
        with _orderly_end(), ShotProgress() as progress:
            products = produce([film for film in films if not film.failures], order, progress)
    except OSError as error:
        raise click.FileError(str(order.media), str(error)) from error
    for product in products:
        _tell(product, quiet)
    return products


def exit_code(films: Sequence[Film], products: Sequence[Product]) -> int:
    """0 when every film was made, else 1."""
    made = [product for product in products if product.files]
    return 0 if len(made) == len(films) else 1


def _tell(product: Product, quiet: bool) -> None:
    name, shots = product.film.name, len(product.film.shots)
    for problem in product.problems:
        click.echo(f"{name}: {problem}", err=True)
    for file in () if quiet else product.files:
        click.echo(str(file))
    news = f"{product.rendered} of {count(shots, 'shot')} rendered now"
    click.echo(f"{name}: {news}{'' if product.files else '; the film is not made'}", err=True)


@contextmanager
def _orderly_end() -> Iterator[None]:
    """Turn requests to end into exceptions, so that everything is left in order.

    Python drops what is raised while a destructor runs, so it is raised until it is on its way.
    """
    asked: list[int] = []

    def stop(number: int, _: FrameType | None) -> None:
        asked.append(number)
        signal.setitimer(signal.ITIMER_REAL, _AGAIN, _AGAIN)
        raise SystemExit(128 + number)

    def stop_again(*_: Any) -> None:
        if not isinstance(sys.exc_info()[1], SystemExit):
            raise SystemExit(128 + asked[0])

    def tell(lost: Any) -> None:
        if not isinstance(lost.exc_value, SystemExit):
            hook(lost)

    requests = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    handlers = dict.fromkeys(requests, stop) | {signal.SIGALRM: stop_again}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    hook, sys.unraisablehook = sys.unraisablehook, tell
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.unraisablehook = hook
        for number, handler in before.items():
            signal.signal(number, handler)
