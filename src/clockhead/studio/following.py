"""What other programs save: the film's file, and stages."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from pathlib import Path

from watchfiles import Change, awatch

from clockhead.libraries import stage_libraries
from clockhead.places import PACKAGE, SOURCES
from clockhead.release import is_checkout
from clockhead.studio.clips import Clips
from clockhead.studio.desk import Desk

logging.getLogger("watchfiles").setLevel(logging.WARNING)  # what changed is our own to tell
_STEP = 50
"""Milliseconds in which changes of files are taken for one."""
_TURN = 1000
"""Milliseconds after which it is looked again which folders are to be followed."""
_GRACE = 0.2
"""Seconds that programs have between removing a file and putting the new one in its place."""


async def follow_file(desk: Desk) -> None:
    """Notice when another program saves the film's file, in place or by a new one, or removes it.

    A folder that is removed and made again is watched again.
    """
    while True:
        with suppress(OSError):  # the folder goes away while it is looked at
            folder = _folder_of(desk.file)
            if folder is not None:
                async for _ in awatch(
                    folder[0],
                    step=_STEP,
                    recursive=False,
                    yield_on_timeout=True,
                    rust_timeout=_TURN,
                ):
                    if desk.file is not None and not desk.file.exists():
                        await asyncio.sleep(_GRACE)
                    desk.follow()
                    if folder != _folder_of(desk.file):
                        break
        desk.follow()
        await asyncio.sleep(_TURN / 1000)


def _folder_of(file: Path | None) -> tuple[Path, int] | None:
    """The folder that a file is in, and which of that name it is."""
    if file is None:
        return None
    folder = file.parent.resolve()
    return folder, folder.stat().st_ino


async def follow_stages(desk: Desk, clips: Clips) -> None:
    """Draw anew when stages are edited: one's own, and in a checkout everything that draws."""
    while True:
        places = {library.stages for library in stage_libraries()}
        places |= set(SOURCES) - {PACKAGE} if is_checkout() else set()
        there = [place for place in places if place.is_dir()]
        try:
            async for changes in awatch(
                *there,
                watch_filter=_is_source,
                step=_STEP,
                yield_on_timeout=True,
                rust_timeout=_TURN,
            ):
                if changes:
                    desk.redraw()
                    await clips.forget()
                if {library.stages for library in stage_libraries()} - places:
                    break
        except OSError:  # a folder goes away while we begin to watch it
            await asyncio.sleep(_TURN / 1000)


def _is_source(_: Change, path: str) -> bool:
    return path.endswith((".py", ".toml"))
