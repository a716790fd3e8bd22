"""Files that are either whole or not there.

A file is written under a temporary name in its own directory, flushed to the disk and moved into
place. A process killed in between leaves at worst a hidden `.tmp` file; `sweep` removes those.
`write` leaves not even that where the system has files without a name (Linux): the file gets its
name when it is whole.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from clockhead.clips.clearing import clear, is_plain_file
from clockhead.clips.held import abandoned, new_file, new_name

_SUFFIX = ".tmp"
_WORD = "[0-9a-f]" * 16
_UNNAMED = getattr(os, "O_TMPFILE", 0)
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


def write(path: Path, data: bytes | str, mode: int | None = None) -> None:
    """Write a whole file, or none; `mode` is its permissions, if not those of any new file.

    Raises:
        DiskFull: when there is no room; nothing is left behind.
    """
    whole = data.encode() if isinstance(data, str) else data
    with full_disk_named(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        if not _write_unnamed(path, whole, mode):
            with replacing(path) as temporary:
                temporary.write_bytes(whole)
                if mode is not None:
                    temporary.chmod(mode)
        flush(path.parent)


def _write_unnamed(path: Path, data: bytes, mode: int | None) -> bool:
    """Write a file that has no name until it is whole; False where there are no such files."""
    if not _UNNAMED:
        return False
    try:
        handle = os.open(path.parent, _UNNAMED | os.O_RDWR, 0o666)
    except OSError:  # not on this file system; or not at all, which the other way says better
        return False
    with open(handle, "wb") as file:  # noqa: PTH123
        file.write(data)
        file.flush()
        if mode is not None:
            os.fchmod(handle, mode)
        os.fsync(handle)
        try:
            temporary = new_name(handle, partial(_beside, path))
        except OSError:  # no /proc, through which a name is given
            return False
        try:
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    return True


def sweep(directory: Path, name: str = "") -> None:
    """Remove what killed writers left; what is being written now stays.

    With a `name`, in a folder where others have files too, only what was to be called so.
    """
    pattern = f".{name}.{_WORD}{_SUFFIX}" if name else f".*{_SUFFIX}"
    for leftover in directory.glob(pattern):
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
