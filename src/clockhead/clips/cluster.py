"""Run jobs on a Dask cluster. Clips come back as bytes, so no disk needs to be shared.

The scheduler and its workers are trusted: what they send is unpickled here.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import pickle
import re
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import CancelledError, Future
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from clockhead import release
from clockhead.clips import scratch
from clockhead.clips.clip import CrewError, Failure, Progress
from clockhead.clips.fingerprint import sources_fingerprint, versions
from clockhead.clips.render import perform
from clockhead.libraries import own_path, project_folder, use_project
from clockhead.places import NAME
from clockhead.startup import isolate_manim
from clockhead.storyboard.problems import LONGEST_MESSAGE, sanitize

_TIME_TO_CONNECT = 10.0
"""Seconds in which a scheduler has to answer."""
_TIME_WITHOUT_WORKERS = 60.0
"""Seconds without any worker after which the crew fails."""
_PAUSE = 0.2
"""Seconds until a failed transfer of a result is tried again."""
_MAX_LISTED = 5
"""Maximum number of workers that a message lists."""
_LOGGERS = ("distributed", "distributed.client", "tornado.application")
_CALL = f"__import__('importlib').import_module({__name__!r}).{{}}(*arguments)"
"""A call by name: a scheduler or worker without Clockhead can unpickle it."""
_ADDRESS = re.compile(
    r"(?:(?P<protocol>\w+)://)?(?P<host>\[[^\]]+\]|[^:/\s]+)(?::(?P<port>\d+))?/?"
)
_PROTOCOLS = ("tcp", "tls", "ws", "wss")
_DEFAULT_PORT = 8786


def wrong_address(address: str) -> str:
    """What is wrong with a scheduler's address, and what was probably meant; "" if nothing is.

    It needs neither Dask nor a connection.
    """
    match = _ADDRESS.fullmatch(address.strip())
    if match is None or (match["protocol"] or "tcp") not in _PROTOCOLS:
        return f"write tcp://HOST:PORT, or tls://HOST:PORT; {_DEFAULT_PORT} is the default port"
    host = f"{match['protocol'] or 'tcp'}://{match['host']}"
    if match["port"] is None:
        return f"the port is missing; the default is {host}:{_DEFAULT_PORT}"
    if not 0 < int(match["port"]) < 65536:
        return f"there is no port {match['port']}; a port is a number from 1 to 65535"
    if match["protocol"] is None:
        return f"write {host}:{match['port']}, or tls:// where it takes certificates"
    return ""


class ClusterCrew:
    """The workers of a cluster; if one dies, Dask gives its jobs to the others."""

    def __init__(self, scheduler: str, progress: Progress) -> None:
        self._scheduler = scheduler
        self._held = ExitStack()
        self._client = _connect(scheduler, self._held)
        self._topic = f"clockhead-{self._client.id}"
        self._known: frozenset[str] = frozenset()
        self._seen = time.monotonic()
        try:
            # an event is a time, and a job with its number of frames
            self._client.subscribe_topic(self._topic, lambda event: progress(*event[1]))
            self.check()
            if not self._known:
                raise CrewError(
                    f"the cluster at {scheduler} has no workers; "
                    f"start some with: dask worker {scheduler} --nthreads 1"
                )
        except BaseException:
            self.close()
            raise

    def submit(self, name: str, packed: bytes) -> Future[Any]:
        """Queue a packed job, and return the future of its result."""
        arguments = {"arguments": (packed, name, self._topic, sources_fingerprint())}
        call = _CALL.format(perform_on_cluster.__name__)
        task = self._client.submit(eval, call, arguments, pure=False)
        promise: Future[Any] = Future()
        loop = self._client.loop.asyncio_loop
        asyncio.run_coroutine_threadsafe(self._fetch(task, promise), loop)
        return promise

    async def _fetch(self, task: Any, promise: Future[Any]) -> None:
        """Fetch a result as soon as it is there, and release it on the cluster.

        Otherwise it would be computed again if the worker that holds it were lost.
        """
        while not promise.done():
            try:
                promise.set_result(await task)
            except (CancelledError, asyncio.CancelledError):
                promise.set_exception(CrewError(self._loss_message()))
            except Exception as error:
                if task.status == "error":
                    promise.set_result(Failure(_job_error(error)))
                else:  # the transfer failed; try again
                    await asyncio.sleep(_PAUSE)
        task.release()

    def check(self) -> None:
        """Raise `CrewError` if the scheduler is gone, there were no workers for a minute, or a new
        one cannot draw what is drawn here."""
        if self._client.status != "running":
            raise CrewError(self._loss_message())
        try:
            workers = frozenset(self._client.nthreads())
        except (OSError, CancelledError):
            raise CrewError(self._loss_message()) from None
        if workers - self._known:
            self._examine(workers - self._known)
        self._known = workers
        if workers:
            self._seen = time.monotonic()
        elif time.monotonic() - self._seen > _TIME_WITHOUT_WORKERS:
            raise CrewError(f"the cluster at {self._scheduler} has lost all of its workers")

    def close(self) -> None:
        """Leave the cluster, which cancels the remaining jobs."""
        with self._held, suppress(OSError, CancelledError, TimeoutError):
            self._client.close(timeout=5)

    def _examine(self, workers: Iterable[str]) -> None:
        """Raise `CrewError` if a worker cannot draw, or would draw something else."""
        arguments = {"arguments": (project_folder(), bool(own_path()))}
        call = _CALL.format(introduce.__name__)
        answers = self._client.run(eval, call, arguments, workers=list(workers), on_error="return")
        unfit = {worker: why for worker, answer in answers.items() if (why := _unfit(answer))}
        if not unfit:
            return
        lines = [
            f"the worker at {worker} {why}" for worker, why in list(unfit.items())[:_MAX_LISTED]
        ]
        if len(unfit) > _MAX_LISTED:
            lines.append(f"and {len(unfit) - _MAX_LISTED} more workers like these")
        raise CrewError("\n".join(lines))

    def _loss_message(self) -> str:
        return (
            f"the scheduler at {self._scheduler} is gone, or the connection to it; "
            "what is rendered is kept, and the same command goes on from there"
        )


def perform_on_cluster(packed: bytes, name: str, topic: str, fingerprint: str) -> Any:
    """Do a packed job on a worker; fails if its sources are not those of the clip's key."""
    from distributed import get_worker

    worker = get_worker()
    own, is_trusted, _ = pickle.loads(packed)
    there, _ = introduce(own, is_trusted)
    if there != fingerprint and (
        own is None or own.is_dir()
    ):  # else `perform` says what is missing
        return Failure(f"the worker at {worker.address} {_mismatch({})}")
    scratch.sweep()
    return perform(packed, fingerprint, lambda frames: worker.log_event(topic, (name, frames)))


def introduce(own: Any, is_trusted: bool) -> tuple[str, Mapping[str, str]]:
    """Fingerprint and versions of a worker, with the user's own stages in the folder `own`."""
    isolate_manim()
    if own is None or own.is_dir():
        use_project(own, is_trusted=is_trusted)
    return sources_fingerprint(), versions()


def _unfit(answer: Any) -> str:
    """What is wrong with a worker that has answered `introduce`, or failed to; "" if nothing is."""
    match answer:
        case ImportError(name=str(name)):
            have = f"clockhead {release.version()}" if name.startswith(NAME) else name
            return (
                f"has no {name}; install {have} there, into the Python that runs it, and start it "
                "again"
            )
        case (str(fingerprint), dict(there)) if fingerprint != sources_fingerprint():
            return _mismatch(there)
        case AttributeError():
            return _mismatch({})
    return ""


def _mismatch(there: Mapping[str, str]) -> str:
    """A message that a worker has other sources or versions, with the versions that differ."""
    unlike = [f"{k} {there[k]} and not {v}" for k, v in versions().items() if there.get(k, v) != v]
    which = f" ({', '.join(unlike)})" if unlike else ""
    return (
        f"runs other sources or versions than this machine{which}; "
        "bring it up to date and restart it"
    )


def _job_error(error: Exception) -> str:
    """Why a job failed, in one line."""
    from distributed import KilledWorker

    if isinstance(error, KilledWorker):
        deaths, last = error.allowed_failures + 1, error.last_worker.address
        return f"its worker died {deaths} times, the last at {last}; that worker's log may say why"
    return f"{type(error).__name__}: {error}"


def _connect(scheduler: str, held: ExitStack) -> Any:
    """A client of Dask, whose log is silent until `held` is closed."""
    if wrong := wrong_address(scheduler):
        raise CrewError(f"there is no Dask scheduler at {scheduler}: {wrong}")
    try:
        from distributed import Client
    except ImportError:
        need = release.install_command("cluster")
        raise CrewError(f"--scheduler needs Dask; install it with: {need}") from None
    client: Any = Client  # its constructor has no types
    held.enter_context(_silence())
    try:
        if wrong := _answer_of(scheduler):
            reason = wrong
        else:
            return client(scheduler, timeout=f"{_TIME_TO_CONNECT} s", set_as_default=False)
    except Exception as error:  # any, if something else than Dask answers
        reason = _certificate_advice(scheduler, error) or _innermost(error)
    held.close()
    # Collect a half-constructed client now: its finalizer would deadlock on the next client's lock.
    gc.collect()
    raise CrewError(f"there is no Dask scheduler at {scheduler}: {reason}")


def _answer_of(address: str) -> str:
    """Why no scheduler answers at an address; "" if one does.

    Dask itself waits for ever for the first answer of something that is not a scheduler.

    Raises:
        Exception: if there is no connection, or something else answers.
    """
    answer: Future[str] = Future()

    def ask() -> None:
        try:
            answer.set_result(asyncio.run(_identity_problem(address)))
        except BaseException as error:
            answer.set_exception(error)

    # A daemon thread, as looking up a host name can take long.
    threading.Thread(target=ask, daemon=True).start()
    try:
        return answer.result(_TIME_TO_CONNECT + 1)
    except TimeoutError:
        return f"nothing there has answered as a scheduler does in {_TIME_TO_CONNECT:g} s"


async def _identity_problem(address: str) -> str:
    from distributed.comm import connect
    from distributed.core import send_recv
    from distributed.security import Security

    security: Any = Security()  # its methods have no types
    options = security.get_connection_args("client")
    async with asyncio.timeout(_TIME_TO_CONNECT):
        comm = await connect(address, timeout=0.8 * _TIME_TO_CONNECT, **options)
        try:
            found = await send_recv(comm, op="identity", reply=True)
        finally:
            comm.abort()
    kind = found.get("type") if isinstance(found, Mapping) else None
    return (
        ""
        if kind == "Scheduler"
        else f"what answers is a {sanitize(str(kind), LONGEST_MESSAGE)} of Dask"
    )


def _innermost(error: BaseException) -> str:
    """The message of the first cause of an error, on one line."""
    while error.__cause__ is not None:
        error = error.__cause__
    if isinstance(error, MemoryError):  # Dask takes other bytes for the length of a message
        return "what answers there speaks another protocol"
    return sanitize(getattr(error, "strerror", None) or str(error), LONGEST_MESSAGE)


def _certificate_advice(scheduler: str, error: Exception) -> str:
    if not scheduler.startswith("tls://") or not isinstance(error, (TypeError, RuntimeError)):
        return ""
    return (
        "tls:// takes certificates: name them in Dask's configuration under "
        "distributed.comm.tls (ca-file, and client.cert and client.key)"
    )


@contextmanager
def _silence() -> Iterator[None]:
    """Silence Dask's log: we report these errors ourselves, or handle them."""
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)
