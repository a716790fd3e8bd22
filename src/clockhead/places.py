"""Where Clockhead is, and how the places of files are told."""

from __future__ import annotations

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
"""The folder of the package."""
SOURCES = tuple(
    dict.fromkeys([PACKAGE, *((PACKAGE / name).resolve() for name in ("model", "scenes"))])
)
"""The folders of Clockhead's own code. In a checkout `model` and `scenes` stand at its top, and are
linked into the package; in a wheel they are in it."""


def is_ours(file: str | Path) -> bool:
    """Whether a file is Clockhead's own code."""
    path = Path(file)
    return any(path.is_relative_to(folder) for folder in SOURCES)


def near(file: str | Path) -> Path:
    """The path of a file from where one stands, if it is there or further in."""
    path, here = Path(os.path.realpath(file)), Path.cwd()  # unlike resolve, at ease with loops
    return path.relative_to(here) if path.is_relative_to(here) else path


def shown(file: str | Path) -> str:
    """A file as messages name it: from where one stands, or else from the package on."""
    path = near(file)
    folders = (*SOURCES, (PACKAGE / "storyboards").resolve())
    around = next((folder.parent for folder in folders if path.is_relative_to(folder)), None)
    return str(path.relative_to(around) if around else path)
