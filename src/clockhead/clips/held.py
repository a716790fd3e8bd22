"""Files that are held for as long as their owner lives.

Whoever can take the lock of such a file knows that its owner was killed, and may sweep it up.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import lock_descriptor

from clockhead.clips.clearing import is_plain_file

_NO_WAIT = getattr(os, "O_NONBLOCK", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


@contextmanager
def new_file(named: Callable[[str], Path], mode: int = 0o666) -> Iterator[Path]:
    """A new file, held and in the end removed, if it is still there; `named` by a random word.

    Raises:
        OSError: when it cannot be made.
    """
    path, handle = _reserved(named, mode)
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)
        os.close(handle)


def new_name(handle: int, named: Callable[[str], Path]) -> Path:
    """Give an open file that has no name one, and hold it until the handle is closed.

    Raises:
        OSError: when the system cannot.
    """
    _taken(handle, without_locks=True)
    path = named(secrets.token_hex(8))
    os.link(f"/proc/self/fd/{handle}", path, follow_symlinks=True)
    return path


@contextmanager
def abandoned(path: Path) -> Iterator[bool]:
    """Whether a file is there and its owner is gone; meanwhile nobody else finds it so."""
    try:
        handle = os.open(path, os.O_RDONLY | _NO_WAIT | _NO_LINK) if is_plain_file(path) else None
    except OSError:
        handle = None
    try:
        yield handle is not None and _taken(handle)
    finally:
        if handle is not None:
            os.close(handle)


def _reserved(named: Callable[[str], Path], mode: int) -> tuple[Path, int]:
    while True:
        path = named(secrets.token_hex(8))
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, mode)
        # Whoever swept it up before it was held has removed it, or is about to.
        if _taken(handle, without_locks=True) and os.fstat(handle).st_nlink:
            return path, handle
        os.close(handle)


def _taken(handle: int, *, without_locks: bool = False) -> bool:
    """Whether the lock of an open file is ours now; `without_locks` where there are none."""
    try:
        return lock_descriptor(handle, blocking=False)
    except OSError:
        return without_locks
