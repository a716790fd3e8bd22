"""The warm process that renders: it has imported everything, and so has its fork server.

What is called off leaves everything in order, as when the command is ended, and the process goes
on. When sources were edited it says so and ends, for a new one to do what was asked.
"""

from __future__ import annotations

import math
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

from clockhead.clips import scratch
from clockhead.clips.jobs import open_crew
from clockhead.interruption import Asked, orderly
from clockhead.studio.bench import connect
from clockhead.studio.news import CallOff, Made, Make, News, Outdated, Said
from clockhead.studio.sources import settle, sources

if TYPE_CHECKING:
    from clockhead.studio.maker import Maker

_PATIENCE = 8.0
"""Seconds in which things may be put in order once nobody is there to ask."""


def serve() -> None:
    """Render what is asked for until nobody is there to ask."""
    receiver, sender = connect()
    before = sources()
    desk = _Desk(sender)
    Thread(target=desk.listen, args=(receiver,), daemon=True).start()
    with open_crew(1, None, lambda *_: None):
        pass  # only for its fork server, which stays, and imports everything while we do
    from clockhead.studio.maker import Maker

    with Maker() as maker:
        while (make := desk.next()) is not None:
            settle(make.file)
            said: list[str] = []
            made = None
            if sources() == before:
                made = _answer(make, desk, maker, said)
            # An edit in the middle makes clips fail, and is no reason to say so.
            if made is None or (sources() != before and not (made.film or made.clips)):
                desk.say(Outdated(make.number))
                return
            for line in said:
                desk.say(Said(make.number, line))
            desk.say(made)


def _answer(make: Make, desk: _Desk, maker: Maker, said: list[str]) -> Made:
    """Render, or leave it when it is called off."""

    def say(line: str) -> None:
        desk.say(Said(make.number, line))

    try:
        film, failures = maker.read(make, said.append)
        made = Made(make.number)
        if film is not None:
            with desk.interruptible(make.number):
                made = maker.make(make, film, say, said.append)
    except Asked:
        said[:] = ["it was called off"]
        return Made(make.number)
    return replace(made, failures={**failures, **made.failures})


class _Desk:
    """Who asks: what is wanted, and what is not wanted any more."""

    def __init__(self, sender: Connection[Any, Any]) -> None:
        self._sender = sender
        self._asked: SimpleQueue[Make | None] = SimpleQueue()
        self._lock = Lock()
        self._saying = Lock()
        self._called_off = -math.inf
        self._is_busy = False

    def listen(self, receiver: Connection[Any, Any]) -> None:
        """Take in questions; have this process end with the one that asks, however that ends."""
        try:
            while True:
                asked = receiver.recv()
                if isinstance(asked, CallOff):
                    self._call_off(asked.number)
                else:
                    self._asked.put(asked)
        except (EOFError, OSError):
            self._asked.put(None)
            with self._lock:
                if not self._is_busy:  # perhaps importing still, with nothing to put in order
                    scratch.discard()
                    os._exit(0)
            self._call_off(math.inf)
            time.sleep(_PATIENCE)
            scratch.discard()
            os._exit(1)

    def next(self) -> Make | None:
        """The next question, once there is one; None when nobody is there to ask."""
        return self._asked.get()

    def say(self, news: News) -> None:
        """Tell it, from any thread; if nobody listens any more, nobody."""
        with self._saying, suppress(OSError):
            self._sender.send(news)

    @contextmanager
    def interruptible(self, number: float) -> Iterator[None]:
        """Raise `Asked` in what is done here when it is called off, or was already."""
        try:
            with orderly():
                with self._lock:
                    if number <= self._called_off:
                        raise Asked(0)
                    self._is_busy = True
                yield
                with self._lock:
                    self._is_busy = False
        finally:
            self._is_busy = False

    def _call_off(self, number: float) -> None:
        with self._lock:
            self._called_off = max(self._called_off, number)
            if self._is_busy:
                os.kill(os.getpid(), signal.SIGTERM)
