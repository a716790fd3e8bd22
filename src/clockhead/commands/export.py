"""`clockhead export`: a film on its way into a lecture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clockhead.commands.options import (
    LookCommand,
    film_argument,
    look_options,
    making_options,
    name_option,
    set_option,
    shot_option,
)
from clockhead.commands.output import MEDIA, need_writable, unwritten
from clockhead.commands.render import make, work_options
from clockhead.export.formats import FORMATS, Choices, write
from clockhead.interruption import orderly
from clockhead.look import Wish
from clockhead.storyboard.wording import listed, unknown

if TYPE_CHECKING:
    from clockhead.export.edition import Edition
    from clockhead.production.order import Order
    from clockhead.storyboard.films import Film

ZIP = "zip"
"""Not a format of its own: it packs the others."""


def _formats(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> list[str]:
    names = list(dict.fromkeys(name.strip() for one in given for name in one.split(",")))
    for name in names:
        if name not in (*FORMATS, ZIP):
            raise click.BadParameter(unknown("format", name, [*FORMATS, ZIP]))
    if names == [ZIP]:
        raise click.BadParameter("zip packs other formats: --to html,pptx,zip")
    return names


def _flag(choice: str) -> str:
    return "--" + choice.replace("_", "-")


def _knowing(choice: str) -> str:
    """The formats that know a choice."""
    return listed([name for name, format in FORMATS.items() if choice in format.choices])


@click.command(cls=LookCommand)
@film_argument
@click.option(
    "--to",
    "formats",
    multiple=True,
    required=True,
    metavar="FORMAT,...",
    callback=_formats,
    help=f"{', '.join(FORMATS)}; and zip, which packs them. Repeatable, or several with commas.",
)
@click.option(
    "-o",
    "--output",
    "target",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Where it goes instead of export/ beside the film.",
)
@click.option(
    "--per",
    type=click.Choice(["shot", "beat"]),
    default="beat",
    help=f"What a slide holds ({_knowing('per')}).",
)
@click.option("--single-file", is_flag=True, help=f"All in one file ({_knowing('single_file')}).")
@click.option(
    "--fragment", is_flag=True, help=f"Slides to paste in a deck ({_knowing('fragment')})."
)
@click.option(
    "--max-mb",
    type=click.FloatRange(min=0, min_open=True),
    metavar="N",
    help="No file larger than this; quality goes first, and when the picture has to become smaller "
    f"it is said ({_knowing('max_mb')}).",
)
@click.option("--transparent", is_flag=True, help=f"Without ground ({_knowing('transparent')}).")
@click.option(
    "--width",
    type=click.IntRange(64, 7680),
    metavar="PIXELS",
    help=f"How wide, instead of as wide as the film ({_knowing('width')}).",
)
@click.option("--arrays", is_flag=True, help=f"With every array ({_knowing('arrays')}).")
@click.option(
    "--reduced-motion",
    is_flag=True,
    help=f"Stills instead of motion, for everybody ({_knowing('reduced_motion')}).",
)
@set_option
@shot_option
@look_options
@making_options
@name_option
@work_options
@click.option(
    "--media",
    type=click.Path(file_okay=False, path_type=Path),
    default=MEDIA,
    show_default=True,
    metavar="DIR",
    help="Where films are, and the clips they are made of.",
)
@click.pass_context
def command(
    context: click.Context,
    /,
    film: str,
    formats: list[str],
    target: Path | None,
    settings: tuple[str, ...],
    only: tuple[str, ...],
    wish: Wish,
    name: str | None,
    workers: int | None,
    scheduler: str | None,
    media: Path,
    **chosen: Any,
) -> int:
    """Take a film into slides, pages, handouts and tables.

    What is missing is rendered first. All of it is made of the same clips, sentences and numbers.
    """
    from clockhead.clips.local import make_ready
    from clockhead.production.order import Order
    from clockhead.storyboard.films import load_films

    _refuse_strangers(context, formats)
    choices = Choices(**chosen)
    plays = any(FORMATS[one].needs_film(choices) for one in formats if one != ZIP)
    if target is not None:
        need_writable(target)
    if plays or target is None:
        need_writable(media, "--media DIR" if plays else "-o DIR")
    given: dict[str, Any] = {"settings": settings, "only": only, "wish": wish, "name": name}
    if plays and scheduler is None:
        given["prepare"] = make_ready
    [found] = load_films([film], **given)
    order = Order(media, workers, scheduler, whole=not only, anew=True)
    edition = _played(found, order) if plays else _unplayed(found)
    if edition is None:
        return 1
    folder = target or media / found.name / found.look.folder / "export"
    with orderly():
        for file in _explained(_written(edition, formats, folder, choices), folder):
            click.echo(str(file))
    return 0


def _refuse_strangers(context: click.Context, formats: Sequence[str]) -> None:
    """Refuse what was asked for and no format that was asked for knows."""
    known = {choice for name in formats if name != ZIP for choice in FORMATS[name].choices}
    for choice in (field.name for field in fields(Choices)):
        given = context.get_parameter_source(choice) is click.core.ParameterSource.COMMANDLINE
        if given and choice not in known:
            raise click.UsageError(
                f"{_flag(choice)} is for {_knowing(choice)}; not for {listed(formats)}"
            )


def _played(film: Film, order: Order) -> Edition | None:
    """The film with its clips, rendered where they are missing; None when it cannot be made."""
    from clockhead.export.edition import Edition

    for product in make([film], order, quiet=True):
        if product.files:
            clips, speech = tuple(product.clips), tuple(product.speech)
            return Edition(product.film, clips, speech, tuple(product.files), _say)
    return None


def _unplayed(film: Film) -> Edition | None:
    """The film as it is known without its clips; None when what it says does not hold."""
    from clockhead.export.edition import Edition
    from clockhead.storyboard.problems import told

    for line in told(film.failures):
        click.echo(line, err=True)
    return None if film.failures else Edition(film, say=_say)


def _say(line: str) -> None:
    click.echo(line, err=True)


def _to_open(made: Sequence[Path]) -> Iterator[Path]:
    """The file to open, and those like it beside it: a picture of each shot."""
    kind = made[0].parent, made[0].suffix
    return (file for file in made if (file.parent, file.suffix) == kind)


def _explained(files: Iterator[Path], folder: Path) -> Iterator[Path]:
    """Files that are written into a folder; what keeps them from it, said for people."""
    from clockhead.export.edition import ExportError

    try:
        yield from files
    except ExportError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise unwritten(folder, error) from error


def _written(
    edition: Edition, formats: Sequence[str], folder: Path, choices: Choices
) -> Iterator[Path]:
    from clockhead.export.archive import pack_up
    from clockhead.export.folder import filling, placed

    files: list[Path] = []
    to_open: list[Path] = []
    with filling(folder) as staging:
        for name in formats:
            if name != ZIP:
                made = write(name, edition, staging, choices)
                files += made
                to_open += _to_open(made)
        if ZIP in formats:
            to_open.append(pack_up(edition, staging, files))
    yield from (placed(file, staging, folder) for file in to_open)
