"""Clips of single shots for the page: those that are asked for, or one of every shot."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from clockhead.clips.machine import cores
from clockhead.look import QUALITIES, Quality
from clockhead.places import relative_path
from clockhead.studio.desk import PATIENCE, Busy, Desk, Event
from clockhead.studio.news import Made, Read, ShotNews
from clockhead.studio.rendering import Rendering

SMALL = QUALITIES["l"]
_STEP = 0.02
"""Seconds between two looks whether the latest edit has been read."""


class Clips:
    """The clips there are, by the keys of their shots.

    `tell` takes the id of a shot, its clip or None, and why there is none.
    """

    def __init__(
        self,
        desk: Desk,
        rendering: Rendering,
        quality: Quality = SMALL,
        tell: Callable[[str, Path | None, str], None] = lambda *_: None,
    ) -> None:
        self._desk = desk
        self._rendering = rendering
        self._quality = quality
        self._tell = tell
        self._files: dict[str, Path] = {}
        self._failures: dict[str, str] = {}
        self._making: dict[str, ShotNews] = {}
        self._changed: set[str] = set()
        """The keys that were not there in the storyboard as it was before."""

    def file(self, key: str) -> Path | None:
        """The clip of the shot with this key."""
        return self._files.get(key)

    def about(self) -> Event:
        """All there is."""
        return {
            "event": "clips",
            "quality": str(self._quality),
            "made": {key: str(relative_path(file)) for key, file in self._files.items()},
            "making": list(self._making),
            "failures": self._failures,
        }

    async def forget(self) -> None:
        """Stages were edited: the same keys stand for other clips."""
        self._files.clear()
        self._failures.clear()
        if self._making:
            self._making = {}
            await self._rendering.stop()
        self._desk.publish(self.about())

    async def make(self, place: int) -> None:
        """Begin to render the clip of a shot as it stands in the text.

        Raises:
            Busy: when something else is being rendered, or the shot cannot be.
        """
        try:
            async with asyncio.timeout(PATIENCE):
                read = await self._reading()
        except TimeoutError:
            raise Busy("the storyboard is still being read") from None
        shots = [shot for shot in _sound(read) if shot.place == place]
        if not shots:
            raise Busy("this shot cannot be drawn; what is wrong with it is said beside it")
        if self._rendering.is_running:
            raise Busy("something is being rendered already")
        self._begin(shots)

    async def keep_up(self) -> None:
        """Have a clip of every shot, and of shots that change another, until the desk hangs up."""
        events = self._desk.listen()
        known: set[str | None] = set()
        while (event := await events.get()) is not None:
            read = self._desk.read
            if read is None or read.number < self._desk.number:
                continue
            if event["event"] in ("all", "read"):
                keys = {shot.key for shot in read.shots}
                self._changed, known = {key for key in keys - known if key}, keys
                if not self._making.keys() <= keys:
                    await self._rendering.stop()
            due = self._due(read)
            if due and self._desk.is_drawn and not self._rendering.is_running:
                self._begin(due)

    async def _reading(self) -> Read:
        """What the text says, once its latest edit has been read."""
        while self._desk.read is None or self._desk.read.number < self._desk.number:
            await asyncio.sleep(_STEP)
        return self._desk.read

    def _due(self, read: Read) -> list[ShotNews]:
        """The shots whose turn it is: those that were changed, or else as many as go at once."""
        there = {*self._files, *self._failures}
        due = [shot for shot in _sound(read) if shot.key not in there]
        changed = [shot for shot in due if shot.key in self._changed]
        return (changed or due)[: cores()]

    def _begin(self, shots: Sequence[ShotNews]) -> None:
        making = {shot.key: shot for shot in shots if shot.key}
        assert self._desk.file is not None
        over = self._rendering.start(
            self._desk.file,
            self._desk.text.encode(),
            replace(self._desk.wish, quality=self._quality),
            lambda _: None,
            frozenset(shot.place for shot in shots),
        )
        over.add_done_callback(lambda made: self._keep(making, made.result()))
        self._making = making
        for key in making:
            self._failures.pop(key, None)
        self._desk.publish(self.about())

    def _keep(self, making: dict[str, ShotNews], made: Made) -> None:
        if self._making is making:  # and not forgotten
            for key, shot in making.items():
                file, failure = made.clips.get(shot.place), made.failures.get(shot.place)
                if file is not None:
                    self._take(key, file)
                elif failure is not None:
                    self._failures[key] = failure
                if file is not None or failure is not None:
                    self._tell(shot.id, file, failure or "")
            self._making = {}
        self._desk.publish(self.about())

    def _take(self, key: str, file: Path) -> None:
        """Keep a clip; it lies where the clip of the shot as it was before lay."""
        self._files = {other: at for other, at in self._files.items() if at != file}
        self._files[key] = file


def _sound(read: Read) -> list[ShotNews]:
    return [shot for shot in read.shots if shot.key is not None]
