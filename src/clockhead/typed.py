"""Commands as they are typed where one stands: what messages tell one to type works as it is."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

from clockhead.places import PACKAGE

NAME = "clockhead"


def clockhead(*words: str) -> str:
    """A command line of Clockhead, as it was started: `./clockhead check mine` in a checkout."""
    return " ".join([_program(), *map(shlex.quote, words)])


def python(*words: str) -> str:
    """A command line of the Python that Clockhead runs in: `.venv/bin/python -m pytest`."""
    return " ".join([_python(), *map(shlex.quote, words)])


def _program() -> str:
    started = sys.argv[0]
    if Path(started) == PACKAGE / "__main__.py":
        return python("-m", NAME)
    if Path(started).name != NAME or shutil.which(NAME) == started:
        return NAME
    return shlex.quote(started if os.sep in started else f"./{started}")


def _python() -> str:
    here, found = Path(sys.executable), shutil.which("python")
    if found and Path(found).parent == here.parent:
        return "python"
    # Not resolved: what a link in an environment points to is not in it.
    inside = here.is_relative_to(Path.cwd())
    return shlex.quote(str(here.relative_to(Path.cwd()) if inside else here))
