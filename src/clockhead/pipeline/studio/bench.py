"""The desk's side of the warm process: it is started, asked, heard and ended here."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from threading import Thread
from typing import Any

from clockhead.pipeline.studio.news import Ask, Gone, News
from clockhead.places import PACKAGE

_CHILD = "import sys; sys.path.insert(0, sys.argv[1]); " + (
    "from clockhead.pipeline.studio.worker import serve; serve()"
)
_PATIENCE = 2.0
"""Seconds in which a worker whom nobody asks any more may end by itself."""


class Bench:
    """One worker process at a time, started by the first question.

    `heard` is called with its news, from another thread.
    """

    def __init__(self, heard: Callable[[News], None]) -> None:
        self._heard = heard
        self._worker: _Worker | None = None

    def start(self) -> None:
        """Have a worker import what it needs before anything is asked."""
        if self._worker is None or self._worker.is_over:
            self._worker = _Worker(self._heard)

    def ask(self, ask: Ask) -> None:
        """Ask; what was asked before need not be answered any more."""
        self.start()
        assert self._worker is not None
        self._worker.ask(ask)

    def end(self) -> None:
        """End the worker, whatever it is doing."""
        if self._worker is not None:
            self._worker.end()
        self._worker = None


class _Worker:
    def __init__(self, heard: Callable[[News], None]) -> None:
        self._heard = heard
        self._wanted = True
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-W", "ignore", "-c", _CHILD, str(PACKAGE.parent)],
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
    def is_over(self) -> bool:
        """Whether it has ended, or was asked to."""
        return not self._wanted or self._process.poll() is not None

    def ask(self, ask: Ask) -> None:
        try:
            self._sender.send(ask)
        except OSError:  # it has ended just now; its listener says so
            return

    def end(self) -> None:
        self._wanted = False
        self._sender.close()
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

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
                    self._heard(Gone(_epitaph(code)))


def _epitaph(code: int) -> str:
    name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    return f"the process that draws ended ({name}); the next change starts it again"
