"""Where what is made once is kept, among the films: files that are named by their keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG


@dataclass(frozen=True, slots=True)
class Entry:
    """A file on a shelf."""

    path: Path
    used: float
    """When it was last used, in seconds since 1970."""
    size: int
    """In bytes."""

    @property
    def key(self) -> str:
        """What it is found by."""
        return self.path.stem


@dataclass(frozen=True, slots=True)
class Shelf:
    """The files of one kind in one folder."""

    directory: Path
    kind: str
    """How their names end."""

    def path(self, key: str) -> Path:
        """Where the entry with this key is, or would be."""
        return self.directory / f"{key}.{self.kind}"

    def entries(self) -> Iterator[Entry]:
        """Every entry; what is no file is none."""
        for path in self.directory.glob(f"*.{self.kind}"):
            try:
                status = path.lstat()
            except OSError:
                continue
            if S_ISREG(status.st_mode):
                yield Entry(path, status.st_mtime, status.st_size)


CLIP, SPEECH = "clip", "speech"


def clips_in(media: Path) -> Shelf:
    """The clips that films were made of."""
    return Shelf(media / ".clips", CLIP)


def speech_in(media: Path) -> Shelf:
    """The sentences that were spoken in films."""
    return Shelf(media / ".speech", SPEECH)


def size(number: int) -> str:
    """`0.3 MB`, `1.2 GB`: of bytes."""
    return f"{number / 1e6:,.1f} MB" if number < 1e9 else f"{number / 1e9:,.1f} GB"
