"""Private temporary folders that are removed even if their owner is killed.

Beside each is a lock file, which is locked as long as its owner lives. They are in a folder that
everybody uses: what is not named like ours, or belongs to somebody else, is left alone.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from errno import EEXIST
from pathlib import Path

from clockhead.atomic import lock_if_stale, new_file

_PREFIX, _LOCK = "clockhead-", ".lock"
_DIGITS = 10
_LOCK_NAME = re.compile(rf"{_PREFIX}[0-9a-f]{{{_DIGITS}}}\{_LOCK}")
_SHORT_BASE = Path("/tmp")
_MAX_BASE = 50
"""Characters: a socket's path has at most 103 on macOS, with our name and 32 of Python's in it."""
_own_folders: set[Path] = set()


class NoScratch(OSError):
    """No temporary folder can be made."""


@contextmanager
def scratch_directory(*, short: bool = False) -> Iterator[Path]:
    """Make a folder for one job, and remove it afterwards; with `short`, one with a short path.

    Raises:
        NoScratch: if it cannot be made.
    """
    with ExitStack() as held:
        try:
            base = _base(short)
            file = new_file(lambda word: base / f"{_PREFIX}{word[:_DIGITS]}{_LOCK}", 0o600)
            lock = held.enter_context(file)
            path = lock.with_suffix("")
            if os.path.lexists(path):
                raise FileExistsError(EEXIST, os.strerror(EEXIST), str(path))
            held.callback(_remove, path)
            _own_folders.add(path)
            path.mkdir(mode=0o700)
        except OSError as error:
            where = f" in {Path(error.filename).parent}" if error.filename else ""
            advice = f"{error.strerror or error}; set TMPDIR to another folder"
            raise NoScratch(f"no temporary folder can be made{where}: {advice}") from error
        yield path


def discard() -> None:
    """Remove the folders of this process, just before it ends."""
    for path in list(_own_folders):
        _remove(path)


def sweep() -> None:
    """Remove the folders of jobs that were killed."""
    for base in {_base(short=False), _base(short=True)}:
        with suppress(OSError):
            for lock in base.glob(f"{_PREFIX}*{_LOCK}"):
                if not _LOCK_NAME.fullmatch(lock.name) or not _is_owned(lock):
                    continue
                with lock_if_stale(lock) as is_stale:
                    if is_stale:
                        _remove(lock.with_suffix(""))


def _base(short: bool) -> Path:
    base = Path(tempfile.gettempdir())
    return _SHORT_BASE if short and len(str(base)) > _MAX_BASE else base


def _is_owned(path: Path) -> bool:
    """Whether a path belongs to the user who runs this process."""
    try:
        owner = path.lstat().st_uid
    except OSError:
        return False
    return owner == os.geteuid()


def _remove(path: Path) -> None:
    """Remove a folder and then its lock, so that whatever is left of a folder has a lock."""
    _own_folders.discard(path)
    if _is_owned(path):
        shutil.rmtree(path, ignore_errors=True)
    with suppress(OSError):
        path.with_suffix(_LOCK).unlink()
