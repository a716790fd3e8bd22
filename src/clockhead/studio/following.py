"""Follow files that other programs save: the film's storyboard, its look, and stages."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from watchfiles import awatch

from clockhead.home import LOOK_FILE, home_around
from clockhead.libraries import stage_libraries
from clockhead.places import PACKAGE, SOURCES
from clockhead.release import is_checkout
from clockhead.studio.rendering import StudioClips
from clockhead.studio.session import Session

logging.getLogger("watchfiles").setLevel(logging.WARNING)  # we report changes ourselves
_INTERVAL = 1000
"""Milliseconds between two checks which folders to follow."""
_WATCHING: dict[str, Any] = {"step": 50, "yield_on_timeout": True, "rust_timeout": _INTERVAL}
"""Changes within 50 ms count as one."""
_TIME_TO_REPLACE = 0.2
"""Seconds that a program has to put a new file in the place of one that it removed."""


async def follow_file(session: Session) -> None:
    """Tell the session when another program saves, replaces or removes the film's file.

    A folder that is removed and made again is followed again.
    """
    while True:
        with suppress(OSError):  # the folder was removed just now
            async for _ in _changes(lambda: session.file and session.file.parent):
                if session.file is not None and not session.file.exists():
                    await asyncio.sleep(_TIME_TO_REPLACE)
                session.follow()
        session.follow()
        await asyncio.sleep(_INTERVAL / 1000)


async def follow_look(session: Session) -> None:
    """Draw again when the look.yaml of the film's home is saved, made or removed."""
    while True:
        with suppress(OSError):  # the folder was removed just now
            async for changed in _changes(lambda: session.file and home_around(session.file)):
                if any(path.name == LOOK_FILE for path in changed):
                    session.look()
        await asyncio.sleep(_INTERVAL / 1000)


async def _changes(find_folder: Callable[[], Path | None]) -> AsyncIterator[list[Path]]:
    """The files in a folder that have changed, every second, until it is another folder.

    Raises:
        OSError: if the folder was removed.
    """
    here = _identify(find_folder())
    if here is None:
        return
    async for changes in awatch(here[0], recursive=False, **_WATCHING):
        yield [Path(path) for _, path in changes]
        if _identify(find_folder()) != here:
            return


def _identify(folder: Path | None) -> tuple[Path, int] | None:
    """A folder and its inode: it may be replaced by another of the same name."""
    return None if folder is None else (folder.resolve(), folder.stat().st_ino)


async def follow_stages(session: Session, clips: StudioClips) -> None:
    """Draw again when stages are edited: the user's own, and in a checkout all code that draws."""
    while True:
        places = {library.stages for library in stage_libraries()}
        places |= set(SOURCES) - {PACKAGE} if is_checkout() else set()
        there = [place for place in places if place.is_dir()]
        try:
            async for changes in awatch(
                *there,
                watch_filter=lambda _, path: path.endswith((".py", ".toml")),
                **_WATCHING,
            ):
                if changes:
                    session.redraw()
                    await clips.forget()
                if {library.stages for library in stage_libraries()} - places:
                    break
        except OSError:  # a folder was removed just now
            await asyncio.sleep(_INTERVAL / 1000)
