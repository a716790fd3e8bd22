"""Films and clips, rendered in a process that stays warm while the page shows how it goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from clockhead.look import Wish
from clockhead.studio.bench import RENDERS, Bench
from clockhead.studio.news import CallOff, Gone, Made, Make, News, Outdated, Said
from clockhead.studio.sources import settle

_PATIENCE = 10.0
"""Seconds in which a render that is called off may put things in order."""
Say = Callable[[str], None]


class Rendering:
    """One render at a time. All of it happens in the thread of the event loop."""

    def __init__(self, media: Path) -> None:
        self.film: Path | None = None
        """The film that was made last."""
        self._media = media
        self._bench = Bench(RENDERS, self._heard_elsewhere)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._make: Make | None = None
        self._say: Say = lambda _: None
        self._over: asyncio.Future[Made] | None = None
        self._is_wanted = False
        self._asked: int | None = None
        """The process that was asked."""
        self._number = 0

    @property
    def is_running(self) -> bool:
        """Whether something is being rendered."""
        return self._over is not None and not self._over.done()

    @property
    def pid(self) -> int | None:
        """The process that renders, if there is one."""
        return self._bench.pid

    def warm(self) -> None:
        """Have everything imported before anything is asked."""
        self._bench.start()

    def start(
        self,
        file: Path,
        data: bytes,
        wish: Wish,
        say: Say,
        shots: frozenset[int] | None = None,
    ) -> asyncio.Future[Made]:
        """Render a film, or clips of some of its shots; nothing may be running.

        `data` is what the file holds, or is yet to hold; `say` takes every line of how it goes on.
        """
        self._loop = asyncio.get_running_loop()
        self._number += 1
        self._make = Make(self._number, file, data, wish, self._media, shots)
        self._say, self._over, self._is_wanted = say, self._loop.create_future(), True
        self._ask(self._make)
        return self._over

    async def stop(self) -> None:
        """Call it off, and wait until everything is in order."""
        if self._over is None or not self.is_running:
            return
        self._is_wanted = False
        self._bench.ask(CallOff(self._number))
        await asyncio.wait([self._over], timeout=_PATIENCE)
        if self.is_running:
            await asyncio.to_thread(self._bench.end)
            self._finish(Made(self._number))

    async def end(self) -> None:
        """Call it off, and end the process."""
        await self.stop()
        await asyncio.to_thread(self._bench.end)

    def _ask(self, make: Make) -> None:
        settle(make.file)  # a process that is started now finds the same stages
        self._bench.ask(make)
        self._asked = self._bench.pid

    def _heard_elsewhere(self, news: News) -> None:
        """News from the thread that listens to the process."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._heard, news)

    def _heard(self, news: News) -> None:
        match news:
            case Gone(how, pid) if self.is_running and pid == self._asked:
                self._say(how)
                shots = self._make.shots if self._make else None
                self._finish(Made(self._number, failures=dict.fromkeys(shots or (), how)))
            case Said(number, line):
                if number == self._number:
                    self._say(line)
            case Outdated(number) if number == self._number:
                self._bench.leave()
                if self._make is not None and self._is_wanted:
                    self._ask(self._make)
                else:
                    self._finish(Made(number))
            case Made(number) if number == self._number:
                self.film = news.film or self.film
                self._finish(news)

    def _finish(self, made: Made) -> None:
        if self._over is not None and not self._over.done():
            self._over.set_result(made)
