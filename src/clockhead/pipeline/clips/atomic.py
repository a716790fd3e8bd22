"""Files that are either whole or not there.

A file is written under a temporary name in its own directory, flushed to the disk and moved into
place. A process killed in between leaves at worst a hidden `.tmp` file; `sweep` removes those.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from clockhead.pipeline.clips.clearing import clear, is_plain_file
from clockhead.pipeline.clips.held import abandoned, new_file

_SUFFIX = ".tmp"
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class DiskFull(OSError):
    """There is no room for a file."""


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary path to write to; move it to `path` if the block ends well.

    Raises:
        DiskFull: when there is no room, now or at the latest flush; nothing is left behind.
    """
    with full_disk_named(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with new_file(partial(_beside, path)) as temporary:
            yield temporary
            flush(temporary)
            temporary.replace(path)
            flush(path.parent)


def write(path: Path, data: bytes | str) -> None:
    """Write a whole file, or none."""
    with replacing(path) as temporary:
        temporary.write_bytes(data.encode() if isinstance(data, str) else data)


def sweep(directory: Path) -> None:
    """Remove what killed writers left; what is being written now stays."""
    for leftover in directory.glob(f".*{_SUFFIX}"):
        with suppress(OSError), abandoned(leftover) as unowned:
            if unowned or not is_plain_file(leftover):
                clear(leftover)


def _beside(path: Path, word: str) -> Path:
    return path.with_name(f".{path.name}.{word}{_SUFFIX}")


@contextmanager
def full_disk_named(path: Path) -> Iterator[None]:
    """Turn the many ways of saying that the disk is full into `DiskFull`."""
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise DiskFull(error.errno, f"no room left on the disk for {path}") from error


def flush(path: Path) -> None:
    """Ask the system to put a file or a directory's entries onto the disk, where it can."""
    with suppress(PermissionError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
