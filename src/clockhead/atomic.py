"""Files that are either whole or not there, whatever is killed and whatever is in their place.

A file is written under a temporary name in its own folder, flushed to the disk and moved into
place. A process that is killed in between leaves at worst a hidden `.tmp` file, which `sweep`
removes. Where the system has files without a name (Linux), `write` leaves not even that.

A temporary file is locked as long as its owner lives: a process that gets the lock knows that the
owner is gone.

Where a file of ours should be there may be a folder, a FIFO, a device or a link to itself. Those
are neither opened, since that can block for ever, nor followed, but removed.
"""

from __future__ import annotations

import errno
import glob
import os
import secrets
import shutil
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from math import inf
from pathlib import Path

from filelock import FileLock, lock_descriptor

_SUFFIX = ".tmp"
_WORD = "[0-9a-f]" * 16
_RETRY = 0.01
"""Seconds between two attempts to lock a folder."""
_FULL_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_OWNER_READS_AND_WRITES = stat.S_IRUSR | stat.S_IWUSR
_UNNAMED = getattr(os, "O_TMPFILE", 0)  # Linux alone has it


class DiskFull(OSError):
    """There is no room for a file."""


# Writing


@contextmanager
def replacement(path: Path, mode: int | None = None) -> Iterator[Path]:
    """Yield a temporary path to write to, and move it to `path` unless the block fails.

    `mode` is its permissions, by default those of any new file.

    Raises:
        DiskFull: if there is no room, now or at the final flush; nothing is left behind.
    """
    with full_disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        own = 0o666 if mode is None else 0o600  # nobody else may write to it meanwhile
        with new_file(partial(_temporary_path, path), own) as temporary:
            yield temporary
            if mode is not None:
                temporary.chmod(mode)
            flush(temporary)
            temporary.replace(path)
            flush(path.parent)


def write(path: Path, data: bytes | str, mode: int | None = None) -> None:
    """Write a whole file or none. `mode` is its permissions, by default those of any new file.

    Raises:
        DiskFull: if there is no room; nothing is left behind.
    """
    encoded = data.encode() if isinstance(data, str) else data
    with full_disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        if not _write_unnamed(path, encoded, mode):
            with replacement(path, mode) as temporary:
                temporary.write_bytes(encoded)
        flush(path.parent)


def _write_unnamed(path: Path, data: bytes, mode: int | None) -> bool:
    """Write a file that has no name until it is whole; False where there are no such files."""
    if not _UNNAMED:
        return False
    try:
        handle = os.open(path.parent, _UNNAMED | os.O_RDWR, 0o666)
    except OSError:  # not on this file system; if not at all, `replacement` says so better
        return False
    with open(handle, "wb") as file:  # noqa: PTH123
        file.write(data)
        file.flush()
        if mode is not None:
            os.fchmod(handle, mode)
        os.fsync(handle)
        temporary = _temporary_path(path, secrets.token_hex(8))
        _lock(handle, default=True)
        try:
            os.link(f"/proc/self/fd/{handle}", temporary, follow_symlinks=True)
        except OSError:  # no /proc, which it takes to name a file
            return False
        try:
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    return True


def _temporary_path(path: Path, word: str) -> Path:
    return path.with_name(f".{path.name}.{word}{_SUFFIX}")


def sweep(directory: Path, name: str = "") -> None:
    """Remove what killed writers left; files that are being written stay.

    With a `name`, remove only what was to become the file of that name: in a folder where the user
    has files, too.
    """
    pattern = f".{glob.escape(name)}.{_WORD}{_SUFFIX}" if name else f".*{_SUFFIX}"
    for leftover in directory.glob(pattern):
        with suppress(OSError), lock_if_stale(leftover) as is_stale:
            if is_stale or not is_plain_file(leftover):
                clear(leftover)


@contextmanager
def full_disk_errors(path: Path) -> Iterator[None]:
    """Raise `DiskFull` for all of the errors by which systems say that the disk is full."""
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL_DISK:
            raise
        raise DiskFull(error.errno, f"no room left on the disk for {path}") from error


def flush(path: Path) -> None:
    """Have the system write a file, or the entries of a folder, to the disk, if it can."""
    with suppress(PermissionError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


# Files that are locked while their owner lives


@contextmanager
def new_file(path_of: Callable[[str], Path], mode: int = 0o666) -> Iterator[Path]:
    """Make a locked file, and remove it afterwards if it is still there.

    `path_of` gives a path for a random word.

    Raises:
        OSError: if it cannot be made.
    """
    while True:
        path = path_of(secrets.token_hex(8))
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, mode)
        # A sweep that came before the lock has removed the file, or is about to.
        if _lock(handle, default=True) and os.fstat(handle).st_nlink:
            break
        os.close(handle)
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)
        os.close(handle)


@contextmanager
def lock_if_stale(path: Path) -> Iterator[bool]:
    """Yield True if a file is there and its owner is gone, and hold its lock meanwhile."""
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW
    try:
        handle = os.open(path, flags) if is_plain_file(path) else None
    except OSError:
        handle = None
    try:
        yield handle is not None and _lock(handle, default=False)
    finally:
        if handle is not None:
            os.close(handle)


@contextmanager
def lock_folder(folder: Path, patience: float = inf) -> Iterator[None]:
    """Keep other processes that call this for a folder waiting, where file systems have locks.

    Raises:
        TimeoutError: if another process has the folder for longer than `patience` seconds.
        OSError: if it is not a folder, or a link to one.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        end = time.monotonic() + patience
        while not _lock(handle, default=True):
            if time.monotonic() > end:
                raise TimeoutError
            time.sleep(_RETRY)
        yield
    finally:
        os.close(handle)


def _lock(handle: int, *, default: bool) -> bool:
    """Take the lock of an open file; False if it is taken, `default` if there are no locks."""
    try:
        return lock_descriptor(handle, blocking=False)
    except OSError:
        return default


# Whatever is in the place of a file


def read_file(path: Path) -> bytes | None:
    """The content of a file; None if there is none, or it may not be read, or it is no file."""
    with suppress(OSError):
        if path.is_file():
            return path.read_bytes()
    return None


def is_plain_file(path: Path) -> bool:
    """Whether a path is a file, and not a link to one."""
    with suppress(OSError):
        return stat.S_ISREG(path.lstat().st_mode)
    return False


def clear(path: Path) -> None:
    """Remove whatever is there: a folder with its content, and a link but not its target.

    Raises:
        OSError: if it may not be removed.
    """
    try:
        path.unlink()
    except FileNotFoundError:
        return
    except (IsADirectoryError, PermissionError):  # the errors of Linux and macOS for a folder
        if path.is_symlink() or not path.is_dir():
            raise
        shutil.rmtree(path)


def clear_unless_file(path: Path) -> None:
    """Remove whatever is there, unless it is a file and no link.

    Raises:
        OSError: if it may not be removed.
    """
    if os.path.lexists(path) and not is_plain_file(path):
        clear(path)


def make_folder(path: Path) -> None:
    """Make a folder, and remove what else is in its place; a link to a folder may stay.

    Raises:
        OSError: if it cannot be made.
    """
    if not path.is_dir():
        clear(path)
    path.mkdir(parents=True, exist_ok=True)


def file_lock(path: Path) -> FileLock:
    """A lock, not taken yet, whose file may be damaged.

    A lock file without permissions gets them back: a new one would be another lock.
    """
    clear_unless_file(path)
    with suppress(OSError):
        mode = path.stat().st_mode
        if mode & _OWNER_READS_AND_WRITES != _OWNER_READS_AND_WRITES:
            path.chmod(stat.S_IMODE(mode) | _OWNER_READS_AND_WRITES)
    return FileLock(path)
