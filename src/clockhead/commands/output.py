"""Where films go, and whether anything can be written there.

It imports nothing of Clockhead: the doctor asks for it too.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

import click

MEDIA = Path("media")
"""Where films go if nothing is said, seen from where the command is given."""


def _or_media(_: click.Context, __: click.Parameter, folder: Path | None) -> Path:
    return folder or MEDIA


output_option = click.option(
    "-o",
    "--output",
    "media",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    callback=_or_media,
    help=f"Where films go instead of ./{MEDIA}, and the clips they are made of.",
)


def need_writable(folder: Path, option: str = "-o DIR") -> None:
    """See to it before the work begins that a folder can be made and written.

    Raises:
        click.ClickException: when it cannot, with the option that names another one.
    """
    there = folder
    while not os.path.lexists(there) and there != there.parent:
        there = there.parent
    try:
        if there.is_symlink() and not there.exists():
            raise unwritten(folder, f"the link {there} leads nowhere", option)
        if not there.is_dir():
            raise unwritten(folder, f"{there} is not a folder", option)
    except OSError as error:  # a path that is too long, or may not be looked at
        raise unwritten(folder, error, option) from None
    effective = os.access in os.supports_effective_ids
    if not os.access(there, os.W_OK | os.X_OK, effective_ids=effective):
        raise unwritten(folder, os.strerror(errno.EACCES), option)


def unwritten(folder: Path, reason: OSError | str, option: str = "") -> click.ClickException:
    """What to say of a folder, or of a file in it, that cannot be written."""
    if isinstance(reason, OSError):
        file = reason.filename
        within = isinstance(file, str) and Path(file).is_relative_to(folder)
        folder, reason = (Path(file) if within else folder), reason.strerror or str(reason)
    hint = f"; {option} names another folder" if option else ""
    return click.ClickException(f"cannot write {folder}: {reason}{hint}")
