"""Find films by path, or by name in the libraries."""

from __future__ import annotations

import re
from pathlib import Path

from clockhead.libraries import libraries
from clockhead.places import relative_path
from clockhead.storyboard.problems import (
    StoryboardError,
    did_you_mean,
    join_names,
    nearest_name,
    show,
)

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
"""Names of films and shots, and so of files and folders."""
_RULE = "up to 40 of a-z, 0-9, _ and -, a letter or a digit first"
NO_FILE_NAME = f"will not do as the name of a file: {_RULE}"


def known_films() -> dict[str, Path]:
    """Storyboards by name; the user's own come first."""
    found: dict[str, Path] = {}
    for library in libraries():
        for file in sorted(library.storyboards.glob("*.yaml")):
            if NAME.fullmatch(file.stem):
                found.setdefault(file.stem, relative_path(file))
    return found


def find_film(wanted: str) -> Path:
    """The storyboard that a name or a path on the command line stands for.

    Raises:
        StoryboardError: if there is none, or its name will not do as a file name.
    """
    if NAME.fullmatch(wanted):
        films = known_films()
        if wanted in films:
            return films[wanted]
        hint = did_you_mean(nearest_name(wanted, films))
        known = join_names(films)
        raise StoryboardError.at(wanted, f"there is no film of this name{hint} (films: {known})")
    path = Path(wanted)
    # Cut by hand: Python 3.14 sees no suffix in a name such as "...yaml", 3.13 does.
    stem, _, ending = path.name.rpartition(".")
    is_storyboard = ending in ("yaml", "yml")
    if "/" not in wanted and not is_storyboard:
        message = "neither a film's name (a-z, 0-9, _ and -) nor a .yaml file"
        raise StoryboardError.at(wanted, message)
    if not is_storyboard:
        raise StoryboardError.at(wanted, "a storyboard is a file whose name ends in .yaml")
    if not NAME.fullmatch(stem):
        message = f"the film would be called {show(stem)}: name the file with {_RULE}"
        raise StoryboardError.at(wanted, message)
    return path
