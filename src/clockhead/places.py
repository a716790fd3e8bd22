"""Where Clockhead is installed, and how messages show paths and commands.

What a message tells the user to type works as it is in the folder that they are in.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

NAME = "clockhead"
PACKAGE = Path(__file__).resolve().parent
"""The folder of the package."""
SOURCES = tuple(
    dict.fromkeys([PACKAGE, *((PACKAGE / name).resolve() for name in ("model", "scenes"))])
)
"""The folders of Clockhead's own code. A checkout has `model` and `scenes` at its top, with links
in the package; a wheel has them inside the package."""


def is_ours(file: str | Path) -> bool:
    """Whether a file is Clockhead's own code."""
    path = Path(file)
    return any(path.is_relative_to(folder) for folder in SOURCES)


def relative_path(file: str | Path) -> Path:
    """The path of a file, relative to the current folder if the file is inside it."""
    path, here = Path(os.path.realpath(file)), Path.cwd()  # `resolve` fails for links in a circle
    return path.relative_to(here) if path.is_relative_to(here) else path


def display_path(file: str | Path) -> str:
    """A file as messages name it: relative to the current folder, or for our own to the package."""
    path = relative_path(file)
    folders = (*SOURCES, (PACKAGE / "storyboards").resolve())
    around = next((folder.parent for folder in folders if path.is_relative_to(folder)), None)
    return str(path.relative_to(around) if around else path)


def clockhead_command(*words: str) -> str:
    """A Clockhead command for the user to type, started as now: `./clockhead check mine`."""
    started = sys.argv[0]
    if Path(started) == PACKAGE / "__main__.py":
        return python_command("-m", NAME, *words)
    if Path(started).name != NAME or shutil.which(NAME) == started:
        started = NAME
    elif os.sep not in started:
        started = f"./{started}"
    return shlex.join([started, *words])


def python_command(*words: str) -> str:
    """A command of the Python that runs Clockhead: `.venv/bin/python -m pytest`."""
    here, found = Path(sys.executable), shutil.which("python")
    if found and Path(found).parent == here.parent:
        return shlex.join(["python", *words])
    # Not resolved: an environment's Python is a link to one outside of it.
    inside = here.is_relative_to(Path.cwd())
    return shlex.join([str(here.relative_to(Path.cwd()) if inside else here), *words])
