"""The option that says where films go. It imports nothing: the doctor asks for it too."""

from __future__ import annotations

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
