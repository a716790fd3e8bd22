"""Whether what a warm process has imported is still what the files say."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from clockhead.libraries import home_around, libraries, use_home
from clockhead.places import SOURCES

Sources = frozenset[tuple[str, int, int]]


def settle(file: Path) -> None:
    """Take one's own stages from beside a storyboard of one's own, as reading it does."""
    if (home := home_around(file.resolve().parent)) is not None:
        use_home(home)


def sources() -> Sources:
    """Every file of Clockhead and of all stages: where it is, when it was written, its size."""
    folders = dict.fromkeys([*SOURCES, *(library.stages for library in libraries())])
    return frozenset(found for folder in folders for found in _files(str(folder)))


def _files(folder: str) -> Iterator[tuple[str, int, int]]:
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in names:
            path = os.path.join(place, name)  # noqa: PTH118 (many files, and no time)
            try:
                status = os.stat(path)  # noqa: PTH116
            except OSError:
                continue
            yield path, status.st_mtime_ns, status.st_size
