"""Jobs in processes of this machine, one process to a job."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.thread import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from multiprocessing import util
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import ModuleType
from typing import Any

from clockhead.clips import scratch, tether
from clockhead.clips.fingerprint import project_fingerprint
from clockhead.clips.jobs import Crew, Progress, WorkerDied
from clockhead.clips.render import perform
from clockhead.interruption import on_leaving
from clockhead.libraries import STAGE_NAME, STAGES_FIRST
from clockhead.places import PACKAGE
from clockhead.threads import one_thread

_PRELOAD = [tether.__name__, "clockhead.clips.preload"]
"""What the fork server imports once, for all workers: with Manim, and with all care."""
_FRAMES, _RESULT = "frames", "result"
"""What a worker sends, in front of the thing itself."""
_FAREWELL = 1.0
"""Seconds in which a worker that has handed in its result may end by itself."""
_PATIENCE = 0.5
"""Seconds that the fork server may take to start a worker that nobody wants any more."""
_RECOVERY = 0.5
"""Seconds that a fork server which was killed takes to be seen as gone and be started again."""


def make_ready(stages: Sequence[str]) -> None:
    """Have Manim imported for workers, and stages by their names, while this process still reads
    what they are to do."""
    on_leaving(scratch.discard)
    _start_server(stages)


class LocalCrew(Crew):
    """A thread for each worker, and in each thread one process after the other."""

    def __init__(self, workers: int, progress: Progress) -> None:
        self.size = workers
        self._executor = ThreadPoolExecutor(workers, "worker")
        self._progress = progress
        self._children: set[BaseProcess] = set()
        self._lock = threading.Lock()
        self._closed = False
        self._context = _start_server()

    def submit(self, name: str, packed: bytes) -> Future[Any]:
        """Give out a packed job."""
        return self._executor.submit(self._perform, name, packed)

    def check(self) -> None:
        """Processes can always be started."""

    def close(self) -> None:
        """Kill every worker, and remove what they could not."""
        self._closed = True
        if not self._lock.acquire(timeout=_PATIENCE):
            _kill_server()  # somebody waits for it with the lock, and its imports may never end
            self._lock.acquire()
        try:
            for child in self._children:
                child.kill()
        finally:
            self._lock.release()
        self._executor.shutdown(cancel_futures=True)
        scratch.sweep()

    def _perform(self, name: str, packed: bytes) -> Any:
        receiver, sender = self._context.Pipe(duplex=False)
        with receiver, self._child(sender, packed) as child:
            try:
                while (message := receiver.recv())[0] == _FRAMES:
                    self._progress(name, message[1])
            except (EOFError, OSError):
                child.join()
                raise WorkerDied(_epitaph(child.exitcode or 0)) from None
            return message[1]

    @contextmanager
    def _child(self, sender: Connection[Any, Any], packed: bytes) -> Iterator[BaseProcess]:
        job = (sender, packed, project_fingerprint())
        child = self._context.Process(target=_serve, args=job, daemon=True)
        with self._lock, sender:
            if self._closed:
                raise WorkerDied("it was not started")
            try:
                with _without_main():
                    child.start()
            except (EOFError, OSError) as error:
                time.sleep(_RECOVERY)
                raise WorkerDied(f"it could not be started: {error}") from None
            self._children.add(child)
        try:
            yield child
        finally:
            child.join(_FAREWELL)
            child.kill()
            child.join()
            with self._lock:
                self._children.discard(child)


def _start_server(stages: Sequence[str] | None = None) -> Any:
    """The fork server, importing Manim and these stages, or all; Ctrl-C does not reach it or its
    children.

    We end them ourselves; a signal of their own would only have them print a traceback first.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    from multiprocessing import forkserver, resource_tracker

    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_PRELOAD)
    resource_tracker.ensure_running()  # later it would let Ctrl-C through again
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with _socket_in_scratch(), _environment(**_server_environment(stages)):
            forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    return context


def _kill_server() -> None:
    """End the fork server; whoever waits for a worker of it has an `EOFError`."""
    from multiprocessing import forkserver

    pid = forkserver._forkserver._forkserver_pid  # type: ignore[attr-defined]
    if pid is not None:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@contextmanager
def _without_main() -> Iterator[None]:
    """Keep workers from running the program that asked for them, a script or notebook, anew.

    They are told everything that they need.
    """
    before = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = before


@contextmanager
def _socket_in_scratch() -> Iterator[None]:
    """Have the fork server's socket where it is swept up after a kill."""
    before = tempfile.tempdir
    tempfile.tempdir = str(_process_scratch())
    try:
        yield
    finally:
        tempfile.tempdir = before


@cache
def _process_scratch() -> Path:
    """A scratch directory for as long as this process lives; its path is short enough for sockets.

    It is removed after multiprocessing has removed its own directory (priority -100) inside it.
    """
    held = ExitStack()
    path = held.enter_context(scratch.scratch_directory(short=True))
    util.Finalize(None, held.close, exitpriority=-200)
    return path


@contextmanager
def _environment(**changes: str) -> Iterator[None]:
    """Other variables for a process that is started meanwhile."""
    before = {name: os.environ.get(name) for name in changes}
    os.environ.update(changes)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _server_environment(stages: Sequence[str] | None = None) -> dict[str, str]:
    """Import this very copy of Clockhead, and silence what Manim's imports warn of themselves.

    A folder called `scenes` where the command is run is no part of Clockhead.
    """
    warnings = [os.environ.get("PYTHONWARNINGS"), "ignore::SyntaxWarning"]
    paths = [str(PACKAGE.parent), os.environ.get("PYTHONPATH")]
    told = [] if stages is None else [name for name in stages if STAGE_NAME.fullmatch(name)]
    return {
        **({} if stages is None else {STAGES_FIRST: " ".join(told)}),
        "PYTHONWARNINGS": ",".join(filter(None, warnings)),
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "PYTHONSAFEPATH": "1",
        **one_thread(),
        **tether.environment(),
    }


def _serve(sender: Connection[Any, Any], packed: bytes, fingerprint: str) -> None:
    """The life of a worker: frame counts, then the result, through the pipe."""
    threading.Thread(target=_follow_parent, daemon=True).start()
    os.dup2(2, 1)  # what a stage prints is no result of the command
    with _everything_in_scratch():
        result = perform(packed, fingerprint, lambda frames: sender.send((_FRAMES, frames)))
    sender.send((_RESULT, result))


@contextmanager
def _everything_in_scratch() -> Iterator[None]:
    """Have also what libraries make for a moment where it is swept up after a kill.

    Where there is no room for it, a job that needs some says so.
    """
    before = tempfile.tempdir
    with ExitStack() as held:
        with suppress(scratch.NoScratch):
            tempfile.tempdir = str(held.enter_context(scratch.scratch_directory()))
        try:
            yield
        finally:
            tempfile.tempdir = before


def _follow_parent() -> None:
    """End when the parent does, however it does."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        scratch.discard()
        os._exit(1)


def _epitaph(code: int) -> str:
    name = signal.Signals(-code).name if code < 0 else ""
    if name == "SIGKILL":
        return "killed; if the machine is short of memory, fewer --workers need less of it"
    return f"ended by {name}" if name else f"ended with exit code {code}"
