"""Where Clockhead is, and how the places of files are told."""

from __future__ import annotations

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
"""The folder of the package."""


def near(file: str | Path) -> Path:
    """The path of a file from where one stands, if it is there or further in."""
    path, here = Path(os.path.realpath(file)), Path.cwd()  # unlike resolve, at ease with loops
    return path.relative_to(here) if path.is_relative_to(here) else path


def shown(file: str | Path) -> str:
    """A file as messages name it: from where one stands, or else from the package on."""
    path = near(file)
    outside = PACKAGE.parent
    return str(path.relative_to(outside) if path.is_relative_to(outside) else path)
