"""Follow files that other programs save: the film's storyboard, its look, and stages."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from pathlib import Path

from watchfiles import awatch

from clockhead.home import LOOK_FILE, home_around
from clockhead.libraries import stage_libraries
from clockhead.places import PACKAGE, SOURCES
from clockhead.release import is_checkout
from clockhead.studio.rendering import StudioClips
from clockhead.studio.session import Session

logging.getLogger("watchfiles").setLevel(logging.WARNING)  # we report changes ourselves
_DEBOUNCE = 50
"""Milliseconds within which changes of files count as one."""
_INTERVAL = 1000
"""Milliseconds between two checks which folders to follow."""
_TIME_TO_REPLACE = 0.2
"""Seconds that a program has to put a new file in the place of one that it removed."""


async def follow_file(session: Session) -> None:
    """Tell the session when another program saves, replaces or removes the film's file.

    A folder that is removed and made again is followed again.
    """
    while True:
        with suppress(OSError):  # the folder was removed just now
            folder = _find_folder(session.file)
            if folder is not None:
                async for _ in awatch(
                    folder[0],
                    step=_DEBOUNCE,
                    recursive=False,
                    yield_on_timeout=True,
                    rust_timeout=_INTERVAL,
                ):
                    if session.file is not None and not session.file.exists():
                        await asyncio.sleep(_TIME_TO_REPLACE)
                    session.follow()
                    if folder != _find_folder(session.file):
                        break
        session.follow()
        await asyncio.sleep(_INTERVAL / 1000)


def _find_folder(file: Path | None) -> tuple[Path, int] | None:
    """The folder of a file, and its inode: the folder may be replaced by another."""
    if file is None:
        return None
    folder = file.parent.resolve()
    return folder, folder.stat().st_ino


async def follow_look(session: Session) -> None:
    """Draw again when the look.yaml of the film's home is saved, made or removed."""
    while True:
        home = _home_of(session)
        if home is not None:
            with suppress(OSError):  # the folder was removed just now
                async for changes in awatch(
                    home,
                    step=_DEBOUNCE,
                    recursive=False,
                    yield_on_timeout=True,
                    rust_timeout=_INTERVAL,
                ):
                    if any(Path(path).name == LOOK_FILE for _, path in changes):
                        session.look()
                    if _home_of(session) != home:
                        break
        await asyncio.sleep(_INTERVAL / 1000)


def _home_of(session: Session) -> Path | None:
    return None if session.file is None else home_around(session.file)


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
                step=_DEBOUNCE,
                yield_on_timeout=True,
                rust_timeout=_INTERVAL,
            ):
                if changes:
                    session.redraw()
                    await clips.forget()
                if {library.stages for library in stage_libraries()} - places:
                    break
        except OSError:  # a folder was removed just now
            await asyncio.sleep(_INTERVAL / 1000)
