"""Worker processes: they do jobs, report on them, and end with the process that started them.

This is the only protocol between processes of one machine. Each clip has a worker of its own,
forked from a server that has imported Manim; the studio keeps a worker that draws stills and
another that renders; formulas from strangers are typeset in a sandboxed worker.

A job is a function, named "module:function", so that its owner need not import it. It takes a
`RunningJob` and its arguments. What it returns is the result of a `concurrent.futures.Future`, and
what it reports on the way goes to a callback. When a process dies, its jobs fail with `WorkerDied`;
no other worker notices.

Why there is no library below: in pebble's pool all workers share one pipe and its locks. A worker
that is killed while it sends its result leaves half a message and a held lock, and the jobs of all
others hang; a clip is sent as megabytes. With loky and `ProcessPoolExecutor` one death fails all
jobs. None of them has reports, jobs that can be interrupted, or results that are safe to read from
a sandbox.
"""

from __future__ import annotations

import atexit
import json
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from multiprocessing import connection, resource_tracker
from multiprocessing.connection import Connection
from pkgutil import resolve_name
from queue import SimpleQueue
from types import ModuleType
from typing import Any, Literal

from clockhead.interruption import ExitRequested, exit_by_exception
from clockhead.startup import environment, isolate_manim, thread_limits

StartMethod = Literal["spawn", "forkserver"]
_TIME_TO_CLEAN_UP = 8.0
"""Seconds in which an interrupted job has to clean up when its owner is gone."""
_starting = {"spawn": threading.Lock(), "forkserver": threading.Lock()}
"""Held to start and to reap: `multiprocessing` reaps other processes while it starts one."""


class WorkerDied(Exception):
    """A worker process ended in the middle of a job; `code` is its exit code."""

    def __init__(self, message: str, code: int = 0) -> None:
        super().__init__(message)
        self.code = code


class JobFailed(Exception):
    """A job raised an exception; the message has its type and its text."""


class JobCancelled(Exception):
    """A job ended because its owner cancelled it."""


class _Cancelled(BaseException):
    """Raised in a cancelled job; `except Exception` does not catch it."""


class Worker:
    """A process that does one job after another.

    Args:
        start_method: "spawn" for a new interpreter, "forkserver" for a fork of the server that this
            process has started.
        clean_up: a function, as "module:function", that the worker calls when its owner is gone.
        sandboxed: whether reports and results come as JSON, so that strangers who have taken over
            the worker cannot run code here. What it prints is dropped.
        on_death: called from another thread when the process ends without being asked to.

    Raises:
        OSError, EOFError: if the process cannot be started.
    """

    def __init__(
        self,
        start_method: StartMethod,
        *,
        clean_up: str = "",
        sandboxed: bool = False,
        on_death: Callable[[WorkerDied], None] = lambda _: None,
    ) -> None:
        self._start_method = start_method
        self._decode: Callable[[bytes], Any] = json.loads if sandboxed else pickle.loads
        self._on_death = on_death
        self._lock, self._sending = threading.Lock(), threading.Lock()
        self._numbers = count()
        self._jobs: dict[int, tuple[Future[Any], Callable[[Any], None]]] = {}
        self._is_open, self._is_over = True, False
        context: Any = multiprocessing.get_context(start_method)
        receiver, self._sender = context.Pipe(duplex=False)
        self._receiver, sender = context.Pipe(duplex=False)
        self._process = context.Process(target=_serve, args=(receiver, sender, clean_up, sandboxed))
        with receiver, sender, _starting[start_method], _surroundings(start_method):
            self._process.start()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        atexit.register(self.close)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return int(self._process.pid)

    @property
    def is_alive(self) -> bool:
        """Whether it takes jobs."""
        return self._is_open and not self._is_over

    def submit(
        self,
        job: str,
        *args: Any,
        report: Callable[[Any], None] = lambda _: None,
        timeout: float = 0.0,
    ) -> Future[Any]:
        """Queue a job, and return the future of its result.

        `report` is called from another thread. `timeout` is in seconds, without those in which the
        job waits for others: an alarm kills the worker, even when it is in the middle of C code or
        its owner is gone, and the code of `WorkerDied` is `-signal.SIGALRM`.

        The future fails with `WorkerDied`, `JobFailed` or `JobCancelled`.
        """
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()
        number = next(self._numbers)
        with self._lock:
            if self._is_over:
                future.set_exception(WorkerDied("it had ended before"))
                return future
            self._jobs[number] = (future, report)
        self._send((number, job, args, timeout))
        return future

    def cancel(self, future: Future[Any]) -> None:
        """Cancel a job; one that is running ends at its next report, or is interrupted."""
        with self._lock:
            numbers = [number for number, (mine, _) in self._jobs.items() if mine is future]
        for number in numbers:
            self._send(number)

    def close(self, patience: float = 0.0) -> None:
        """Let the process clean up and end, and kill it if that takes longer than `patience`."""
        self._is_open = False
        if patience:
            with self._sending:
                self._sender.close()
            self._listener.join(patience)
        if self._listener.is_alive():
            self._process.kill()
            self._listener.join()
        with self._sending:  # a crew that ends closes workers whose threads close them as well
            self._sender.close()

    def _send(self, message: Any) -> None:
        with self._sending, suppress(OSError):  # if it has ended, the listener fails its jobs
            self._sender.send_bytes(pickle.dumps(message))

    def _listen(self) -> None:
        try:
            with self._receiver:
                while True:
                    number, kind, value = self._decode(self._receiver.recv_bytes())
                    self._receive(number, kind, value)
        except (EOFError, OSError):
            connection.wait([self._process.sentinel])
        except (TypeError, ValueError):  # no worker of ours sends that
            self._process.kill()
        with _starting[self._start_method]:
            self._process.join()
        atexit.unregister(self.close)
        death = WorkerDied(how_it_ended(self._process.exitcode), self._process.exitcode)
        with self._lock:
            self._is_over = True
            jobs = list(self._jobs.values())
        for future, _ in jobs:
            future.set_exception(death)
        if self._is_open:
            self._on_death(death)

    def _receive(self, number: int, kind: str, value: Any) -> None:
        """Pass on a report, or settle the future of a job."""
        future, report = self._jobs.get(number, (None, None))
        if future is None or report is None:
            return
        error: Exception | None = None
        if kind == "report":
            try:
                report(value)
                return
            except Exception as raised:
                error = raised
        elif kind == "cancelled":
            error = JobCancelled()
        elif kind == "error":
            error = JobFailed(value)
        with self._lock:
            del self._jobs[number]
        if error is None:
            future.set_result(value)
        else:
            future.set_exception(error)


def how_it_ended(code: int) -> str:
    """`SIGKILL` or `exit code 3`."""
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"


class RunningJob:
    """A job in its worker, with its way to the owner."""

    def __init__(self, service: _Service, number: int) -> None:
        self._service = service
        self._number = number

    def report(self, value: Any) -> None:
        """Send something to the owner, from any thread. It raises if the job was cancelled."""
        if self._number in self._service.cancelled:
            raise _Cancelled
        self._service.send(self._number, "report", value)

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Raise `ExitRequested` within this block when the job is cancelled, or was before."""
        service = self._service
        try:
            with exit_by_exception():
                with service.lock:
                    if self._number in service.cancelled or service.is_orphaned:
                        raise ExitRequested(0)
                    service.is_interruptible = True
                yield
                with service.lock:
                    service.is_interruptible = False
        finally:
            service.is_interruptible = False


class _Service:
    """A worker process from inside: one thread listens to the owner, the main one does jobs."""

    def __init__(self, sender: Connection[Any, Any], clean_up: str, sandboxed: bool) -> None:
        self.cancelled: set[int] = set()
        """Numbers of jobs that the owner has cancelled."""
        self.is_orphaned = False
        self.is_interruptible = False
        self.running = -1
        self.lock = threading.Lock()
        self._sender = sender
        self._sending = threading.Lock()
        self._clean_up = clean_up
        self._encode: Callable[[Any], bytes] = (
            (lambda message: json.dumps(message).encode()) if sandboxed else pickle.dumps
        )
        self._queue: SimpleQueue[tuple[int, str, tuple[Any, ...], float] | None] = SimpleQueue()

    def listen(self, receiver: Connection[Any, Any]) -> None:
        """Take jobs in, and end the process when the owner has ended or hung up."""
        with suppress(EOFError, OSError):
            while True:
                message = pickle.loads(receiver.recv_bytes())
                if not isinstance(message, int):
                    self._queue.put(message)
                    continue
                with self.lock:
                    self.cancelled.add(message)
                    if message == self.running:
                        self._interrupt()
        self._queue.put(None)
        with self.lock:
            self.is_orphaned = True
            if not self.is_interruptible:
                self._leave(0)
            self._interrupt()
        time.sleep(_TIME_TO_CLEAN_UP)
        self._leave(1)

    def work(self) -> None:
        """Do jobs until there is no owner."""
        while (message := self._queue.get()) is not None:
            self.running, name, args, timeout = message
            job = RunningJob(self, self.running)
            kind, value = "cancelled", None
            try:
                if self.running not in self.cancelled:
                    signal.setitimer(signal.ITIMER_REAL, timeout)
                    kind, value = "result", resolve_name(name)(job, *args)
            except _Cancelled:
                pass
            except Exception as error:
                kind, value = "error", f"{type(error).__name__}: {error}"
            signal.setitimer(signal.ITIMER_REAL, 0)
            self.send(self.running, kind, value)

    def send(self, number: int, kind: str, value: Any) -> None:
        """Send something about a job, unless the owner is gone."""
        with self._sending, suppress(OSError):
            self._sender.send_bytes(self._encode((number, kind, value)))

    def _interrupt(self) -> None:
        if self.is_interruptible:
            os.kill(os.getpid(), signal.SIGTERM)

    def _leave(self, code: int) -> None:
        if self._clean_up:
            resolve_name(self._clean_up)()
        os._exit(code)


def _serve(
    receiver: Connection[Any, Any], sender: Connection[Any, Any], clean_up: str, sandboxed: bool
) -> None:
    if sandboxed:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    os.dup2(2, 1)  # what a stage prints is not the output of the command
    isolate_manim()
    service = _Service(sender, clean_up, sandboxed)
    threading.Thread(target=service.listen, args=(receiver,), daemon=True).start()
    service.work()


@contextmanager
def _surroundings(start_method: StartMethod) -> Iterator[None]:
    """What a worker inherits: no Ctrl-C, and no `__main__`, or it would run a script again."""
    main = sys.modules["__main__"]
    with ExitStack() as held:
        held.enter_context(block_interrupts())
        if start_method == "spawn":
            changes = {"PYTHONSAFEPATH": "1", "PYTHONWARNINGS": "ignore", **thread_limits()}
            held.enter_context(environment(changes))
        sys.modules["__main__"] = ModuleType("__main__")
        held.callback(sys.modules.__setitem__, "__main__", main)
        yield


@contextmanager
def block_interrupts() -> Iterator[None]:
    """Start processes that a terminal's Ctrl-C does not reach: their owner ends them.

    A signal of their own would only have them print a traceback first.
    """
    # To start it later would let Ctrl-C through again.
    resource_tracker.ensure_running()
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
