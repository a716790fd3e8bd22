"""The home of a film: the folder with `storyboards`, with its look.yaml, pictures and data files.

Fonts, pictures and data files are read from the home alone, and only if the user trusts it: they
may have come with somebody else's storyboard.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from clockhead.libraries import BUILT_IN, project_around, project_folder
from clockhead.places import is_ours
from clockhead.trust import reason_to_refuse

LOOK_FILE = "look.yaml"


class HomeError(ValueError):
    """A file that may not be read, or is not there; the message says why."""


def home_around(file: Path) -> Path | None:
    """The home that a storyboard is in: a project, or the checkout with Clockhead's storyboards."""
    folder = file.resolve().parent
    if project := project_around(folder):
        return project
    ours = BUILT_IN.storyboards
    is_checkout = not is_ours(ours)
    return ours.parent if is_checkout and folder.is_relative_to(ours) else None


def find_look_file(film: Path) -> Path | None:
    """The look.yaml for a film: in its own home, or else in the project around the user."""
    homes = [home_around(film), project_folder()]
    if homes[0] == BUILT_IN.storyboards.parent:
        homes.reverse()
    files = (home / LOOK_FILE for home in homes if home)
    return next((file for file in files if file.is_file()), None)


def reason_to_read_nothing(home: Path) -> str:
    """Why no file is read from a home, and how to allow it; empty if they are."""
    return "" if home == BUILT_IN.storyboards.parent else reason_to_refuse(home)


def file_in_home(film: Path, name: str, noun: str) -> Path:
    """The path of a file that a storyboard names, from the home that it is in.

    `noun` is what the file is: "a picture".

    Raises:
        HomeError: if it is in none, its home is not trusted, or the file is not inside of it.
    """
    home = home_around(film)
    if home is None:
        raise HomeError(
            f"{noun} is read from the folder around `storyboards` that its film is in, and this "
            "film is in no such folder"
        )
    if refusal := reason_to_read_nothing(home):
        raise HomeError(f"this is not read: {refusal}")
    return path_inside(home, name)


def path_inside(home: Path, name: str) -> Path:
    """The path of a file that a look.yaml or a storyboard names.

    Raises:
        HomeError: if it is outside of the home, by its name or through a link.
    """
    path = PurePosixPath(name)
    if path.is_absolute() or name.startswith("~") or "\\" in name or ".." in path.parts:
        raise HomeError(
            f"this leads out of {home}: put the file in there, and name it by its path from there"
        )
    try:
        found = (home / path).resolve()
    except (OSError, RuntimeError, ValueError):
        raise HomeError("there is no such file") from None
    if not found.is_relative_to(home.resolve()):
        raise HomeError(f"this is a link that leads out of {home}; put the file itself in there")
    return found
