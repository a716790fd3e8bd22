"""Private temporary directories that are removed even when their owner is killed.

Each has a lock file beside it, held for as long as its owner lives. The folder that they are in is
everybody's: what is not named as ours is, or does not belong to us, is left alone.
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

from clockhead.clips.held import abandoned, new_file

_PREFIX, _LOCK = "clockhead-", ".lock"
_DIGITS = 10
_OURS = re.compile(rf"{_PREFIX}[0-9a-f]{{{_DIGITS}}}\{_LOCK}")
_SHORT = Path("/tmp")
_LONGEST = 50
"""A socket's path has at most 103 characters on macOS: this, our name, and 32 of Python's."""
_mine: set[Path] = set()


class NoScratch(OSError):
    """There is nowhere to put temporary files."""


@contextmanager
def scratch_directory(*, short: bool = False) -> Iterator[Path]:
    """A new directory for one job; `short` when its path has to be.

    Raises:
        NoScratch: when it cannot be made.
    """
    with ExitStack() as held:
        try:
            base = _base(short)
            named = new_file(lambda word: base / f"{_PREFIX}{word[:_DIGITS]}{_LOCK}", 0o600)
            lock = held.enter_context(named)
            path = lock.with_suffix("")
            if os.path.lexists(path):
                raise FileExistsError(EEXIST, os.strerror(EEXIST), str(path))
            held.callback(_remove, path)
            _mine.add(path)
            path.mkdir(mode=0o700)
        except OSError as error:
            raise NoScratch(_refusal(error)) from error
        yield path


def discard() -> None:
    """Remove this process's own directories, just before it ends."""
    for path in list(_mine):
        _remove(path)


def sweep() -> None:
    """Remove the directories of killed jobs."""
    for base in {_base(short=False), _base(short=True)}:
        with suppress(OSError):
            for lock in filter(_is_ours, base.glob(f"{_PREFIX}*{_LOCK}")):
                with abandoned(lock) as unowned:
                    if unowned:
                        _remove(lock.with_suffix(""))


def _base(short: bool) -> Path:
    base = Path(tempfile.gettempdir())
    return _SHORT if short and len(str(base)) > _LONGEST else base


def _refusal(error: OSError) -> str:
    where = f" in {Path(error.filename).parent}" if error.filename else ""
    reason = error.strerror or str(error)
    return f"no temporary folder can be made{where}: {reason}; set TMPDIR to another folder"


def _is_ours(lock: Path) -> bool:
    return bool(_OURS.fullmatch(lock.name)) and _belongs_to_us(lock)


def _belongs_to_us(path: Path) -> bool:
    try:
        owner = path.lstat().st_uid
    except OSError:
        return False
    return not hasattr(os, "geteuid") or owner == os.geteuid()


def _remove(path: Path) -> None:
    """Remove a directory and then its lock: what is left of a directory always has one."""
    _mine.discard(path)
    if _belongs_to_us(path):
        shutil.rmtree(path, ignore_errors=True)
    with suppress(OSError):
        path.with_suffix(_LOCK).unlink()
