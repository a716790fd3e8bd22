"""The folder of a film in its look: one process at a time, and nothing in the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import Timeout

from clockhead.clips import atomic
from clockhead.clips.clearing import clear, lock_at

CLIPS, SHOTS = "clips", "shots"
"""Where the clips of a whole film are, and those that were asked for alone."""
STAGING = ".staging"
"""Where a film is put together."""
LOCK = ".lock"


@contextmanager
def to_oneself(folder: Path, name: str, say: Callable[[str], None]) -> Iterator[None]:
    """Have the folder of the film `name` to oneself, without what killed writers left in it.

    Waits, and says so, while another process has it.
    """
    lock = lock_at(folder / LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        say(f"{name}: another process is rendering it; waiting")
        lock.acquire()
    try:
        sweep(folder)
        yield
    finally:
        lock.release()


def sweep(folder: Path) -> None:
    """Remove what killed writers left in a folder that one has to oneself."""
    with suppress(OSError):
        clear(folder / STAGING)
    for place in (folder, folder / CLIPS, folder / SHOTS):
        with suppress(OSError):
            atomic.sweep(place)
