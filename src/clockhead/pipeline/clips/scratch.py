"""Private temporary directories that are removed even when their owner is killed.

Each directory has a lock file beside it, held for as long as its owner lives; whoever can take the
lock knows that the owner is gone and sweeps up after it.
"""

from __future__ import annotations

import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

_PREFIX = "clockhead-"
_LOCK = ".lock"
_SHORT = Path("/tmp")
_LONGEST = 50
"""A socket's path has at most 103 characters on macOS, of which this is the first part."""
_mine: set[Path] = set()


@contextmanager
def scratch_directory(*, short: bool = False) -> Iterator[Path]:
    """A new directory for one job; `short` when its path has to be."""
    base = Path(tempfile.gettempdir())
    if short and len(str(base)) > _LONGEST:
        base = _SHORT
    path = base / f"{_PREFIX}{secrets.token_hex(4)}"
    with FileLock(path.with_suffix(_LOCK)):
        _mine.add(path)
        try:
            path.mkdir(mode=0o700)
            yield path
        finally:
            _remove(path)


def discard() -> None:
    """Remove this process's own directories, just before it ends."""
    for path in list(_mine):
        _remove(path)


def sweep() -> None:
    """Remove the directories of killed jobs."""
    bases = {Path(tempfile.gettempdir()), _SHORT}
    for lock in (lock for base in bases for lock in base.glob(f"{_PREFIX}*{_LOCK}")):
        try:
            with FileLock(lock, timeout=0):
                _remove(lock.with_suffix(""))
        except (Timeout, PermissionError):
            continue


def _remove(path: Path) -> None:
    _mine.discard(path)
    shutil.rmtree(path, ignore_errors=True)
    path.with_suffix(_LOCK).unlink(missing_ok=True)
