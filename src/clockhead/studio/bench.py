"""The server's side of a warm process, which is started, asked, heard and ended here.

`connect` is the other side of the line.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from threading import Thread
from typing import Any

from clockhead.clips import scratch
from clockhead.places import PACKAGE
from clockhead.studio.news import Ask, CallOff, Gone, Make, News

DRAWS, RENDERS = "clockhead.studio.worker", "clockhead.studio.renderer"
"""The modules whose `serve` is the life of a warm process."""
_CHILD = "import sys; sys.path.insert(0, sys.argv[1]); " + (
    "from importlib import import_module; import_module(sys.argv[2]).serve()"
)
_PATIENCE = {DRAWS: 2.0, RENDERS: 10.0}
"""Seconds in which a process that nobody asks any more may put things in order and end."""


class Bench:
    """One process at a time, started by the first question.

    `heard` is called with its news, from another thread.
    """

    def __init__(self, module: str, heard: Callable[[News], None]) -> None:
        self._module = module
        self._heard = heard
        self._worker: _Worker | None = None

    @property
    def pid(self) -> int | None:
        """The process that would be asked."""
        return self._worker.pid if self._worker else None

    def start(self) -> None:
        """Have a process import what it needs before anything is asked."""
        if self._worker is None or self._worker.is_over:
            self._worker = _Worker(self._module, self._heard)

    def ask(self, ask: Ask | Make | CallOff) -> None:
        """Ask, or take back what was asked."""
        self.start()
        assert self._worker is not None
        self._worker.ask(ask)

    def leave(self) -> None:
        """Let go of a process that is of no use any more; the next question goes to a new one."""
        if self._worker is not None:
            self._worker.hang_up()
            Thread(target=self._worker.end).start()
        self._worker = None

    def end(self) -> None:
        """End the process, whatever it is doing."""
        if self._worker is not None:
            self._worker.end()
        self._worker = None


class _Worker:
    def __init__(self, module: str, heard: Callable[[News], None]) -> None:
        self._heard = heard
        self._wanted = True
        self._patience = _PATIENCE[module]
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-W", "ignore", "-c", _CHILD, str(PACKAGE.parent), module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for us; we end it ourselves
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._sender: Connection[Any, Any] = Connection(
            os.dup(self._process.stdin.fileno()), readable=False
        )
        receiver: Connection[Any, Any] = Connection(
            os.dup(self._process.stdout.fileno()), writable=False
        )
        self._process.stdin.close()
        self._process.stdout.close()
        Thread(target=self._listen, args=(receiver,), daemon=True).start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_over(self) -> bool:
        """Whether it has ended, or was asked to."""
        return not self._wanted or self._process.poll() is not None

    def ask(self, ask: Ask | Make | CallOff) -> None:
        try:
            self._sender.send(ask)
        except OSError:  # it has ended just now; its listener says so
            return

    def hang_up(self) -> None:
        self._wanted = False
        self._sender.close()

    def end(self) -> None:
        self.hang_up()
        try:
            self._process.wait(self._patience)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            scratch.sweep()

    def _listen(self, receiver: Connection[Any, Any]) -> None:
        with receiver:
            try:
                while True:
                    news = receiver.recv()
                    if self._wanted:
                        self._heard(news)
            except (EOFError, OSError):
                code = self._process.wait()
                if self._wanted:
                    scratch.sweep()
                    self._heard(Gone(_epitaph(code), self.pid))


def _epitaph(code: int) -> str:
    name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    return f"the process that draws ended ({name}); what is asked next starts it again"


def connect() -> tuple[Connection[Any, Any], Connection[Any, Any]]:
    """In a warm process: where its questions come from, and where its news go."""
    receiver: Connection[Any, Any] = Connection(os.dup(0), writable=False)
    sender: Connection[Any, Any] = Connection(os.dup(1), readable=False)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # what a stage prints is no news
    return receiver, sender
