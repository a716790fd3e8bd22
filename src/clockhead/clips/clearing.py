"""Files of ours that something else may stand in place of: a folder, a pipe, a link to itself.

Whatever stands there is neither opened, for a pipe or a device can keep one waiting for ever, nor
followed. It is cleared away.
"""

from __future__ import annotations

import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path

from filelock import FileLock

_OWNERS = stat.S_IRUSR | stat.S_IWUSR


def read_file(path: Path) -> bytes | None:
    """What a file holds; None when there is none, none that may be read, or something else."""
    with suppress(OSError):
        if path.is_file():
            return path.read_bytes()
    return None


def is_plain_file(path: Path) -> bool:
    """Whether there is a file, and no link to one."""
    with suppress(OSError):
        return stat.S_ISREG(path.lstat().st_mode)
    return False


def clear(path: Path) -> None:
    """Remove what is there, if anything: a folder with all that is in it, a link and not its aim.

    Raises:
        OSError: when it may not be removed.
    """
    try:
        path.unlink()
    except FileNotFoundError:
        return
    except (IsADirectoryError, PermissionError):  # as Linux and macOS say that it is a folder
        if path.is_symlink() or not path.is_dir():
            raise
        shutil.rmtree(path)


def make_way(path: Path) -> None:
    """Clear away what stands where a file of ours is to be, unless it is a file.

    Raises:
        OSError: when it may not be removed.
    """
    if os.path.lexists(path) and not is_plain_file(path):
        clear(path)


def make_folder(path: Path) -> None:
    """Have a folder, or a link to one, where a folder of ours is to be.

    Raises:
        OSError: when it cannot be made.
    """
    if not path.is_dir():
        clear(path)
    path.mkdir(parents=True, exist_ok=True)


def lock_at(path: Path) -> FileLock:
    """A lock whose file may have been damaged; not taken yet."""
    make_way(path)
    with suppress(OSError):
        mode = path.stat().st_mode
        if mode & _OWNERS != _OWNERS:  # another file in its place would be another lock
            path.chmod(stat.S_IMODE(mode) | _OWNERS)
    return FileLock(path)
