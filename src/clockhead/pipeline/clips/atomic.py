"""Files that are either whole or not there.

A file is written under a temporary name in its own directory, flushed to the disk and moved into
place. A process killed in between leaves at worst a hidden `.tmp` file; `sweep` removes those.
"""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

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
    temporary = _reserve(path)
    try:
        with full_disk_named(path):
            yield temporary
            flush(temporary)
            temporary.replace(path)
            flush(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def write(path: Path, data: bytes | str) -> None:
    """Write a whole file, or none."""
    with replacing(path) as temporary:
        temporary.write_bytes(data.encode() if isinstance(data, str) else data)


def sweep(directory: Path) -> None:
    """Remove what killed writers left. Only for a directory that nobody is writing to."""
    for leftover in directory.glob(f".*{_SUFFIX}"):
        leftover.unlink(missing_ok=True)


@contextmanager
def full_disk_named(path: Path) -> Iterator[None]:
    """Turn the many ways of saying that the disk is full into `DiskFull`."""
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise DiskFull(error.errno, f"no room left on the disk for {path}") from error


def _reserve(path: Path) -> Path:
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}{_SUFFIX}")
    with full_disk_named(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    return temporary


def flush(path: Path) -> None:
    """Ask the system to put a file or a directory's entries onto the disk, where it can."""
    with suppress(PermissionError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
