"""Run jobs in parallel, in processes of this machine or on a Dask cluster.

Both return `concurrent.futures` futures, so everything above is one code path. On this machine each
job has a process of its own, forked from a server that has imported Manim; a process that dies
loses nothing but its job. A cluster needs no shared disk: a job is sent and a clip returned as
bytes.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from concurrent.futures.thread import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from multiprocessing import util
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from clockhead.clips import machine, scratch
from clockhead.clips.clip import CrewError, Failure, Progress, Report
from clockhead.clips.fingerprint import sources_fingerprint
from clockhead.clips.render import Job, pack, perform
from clockhead.interruption import call_before_exit, exit_by_exception
from clockhead.libraries import STAGE_NAME, STAGES_FIRST
from clockhead.places import PACKAGE
from clockhead.startup import environment, thread_limits
from clockhead.workers import (
    RunningJob,
    Worker,
    WorkerDied,
    block_interrupts,
    how_it_ended,
)

if TYPE_CHECKING:
    from clockhead.clips.cluster import ClusterCrew

Made = TypeVar("Made")
_WORKER_BYTES, _BYTES_PER_PIXEL = 150_000_000, 150
"""Most memory that a worker does not share: 0.5 GB in 1080p, 1.4 GB in 4K, as measured."""
ATTEMPTS = 3
"""Number of workers that may die during a job before it counts as failed."""
PARENT = "CLOCKHEAD_PARENT"
"""The environment variable in which the fork server finds the number of its parent."""
_TIME_TO_END = 1.0
"""Seconds that a worker has to end after it has sent its result."""
_TIME_TO_START = 0.5
"""Seconds that the fork server may take to start a worker once the crew is closed."""
_RECOVERY = 0.5
"""Seconds until a fork server that was killed is seen as gone, and started again."""


@contextmanager
def open_crew(
    workers: int, scheduler: str | None, progress: Progress
) -> Iterator[LocalCrew | ClusterCrew]:
    """Workers on this machine, or of the Dask cluster at `scheduler`, until the block ends.

    Raises:
        CrewError: if the cluster cannot be reached, has no workers, or one that cannot draw what is
            drawn here.
    """
    with exit_by_exception():
        crew: LocalCrew | ClusterCrew
        if scheduler is None:
            crew = LocalCrew(workers, progress)
        else:
            from clockhead.clips.cluster import ClusterCrew

            crew = ClusterCrew(scheduler, progress)
        try:
            yield crew
        finally:
            crew.close()


def run(
    crew: LocalCrew | ClusterCrew, jobs: Mapping[str, bytes], done: Callable[[str, Any], None]
) -> None:
    """Run packed jobs, in this order, and call `done` in this thread with each result or `Failure`.

    A job whose worker dies is tried again, up to `ATTEMPTS` times in all.

    Raises:
        CrewError: if no workers are left.
    """
    waiting = {crew.submit(name, packed): name for name, packed in jobs.items()}
    deaths: Counter[str] = Counter()
    while waiting:
        finished, _ = wait(waiting, timeout=1.0, return_when=FIRST_COMPLETED)
        crew.check()
        for future in finished:
            name = waiting.pop(future)
            outcome = _outcome(future)
            deaths[name] += isinstance(outcome, WorkerDied)
            if not isinstance(outcome, WorkerDied):
                done(name, outcome)
            elif deaths[name] < ATTEMPTS:
                waiting[crew.submit(name, jobs[name])] = name
            else:
                done(name, Failure(f"its worker died {ATTEMPTS} times: {outcome}"))


def run_all(
    task: Callable[[Job, Report], Made],
    jobs: Mapping[str, Job],
    progress: Progress = lambda *_: None,
    done: Callable[[str, Any], None] = lambda *_: None,
) -> dict[str, Made | Failure]:
    """Do a task for every job in workers on this machine; returns the results by name, in order."""
    found: dict[str, Made | Failure] = {}

    def keep(name: str, outcome: Made | Failure) -> None:
        done(name, outcome)
        found[name] = outcome

    with open_crew(default_workers(), None, progress) as crew:
        run(crew, {name: pack(task, job) for name, job in jobs.items()}, keep)
    return {name: found[name] for name in jobs}


def _outcome(future: Future[Any]) -> Any:
    try:
        return future.result()
    except CrewError:
        raise
    except WorkerDied as death:
        return death
    except (Exception, CancelledError) as error:
        return Failure(f"{type(error).__name__}: {error}")


def default_workers(pixels: int = 0) -> int:
    """As many workers as cores that this process may use, or as fit into memory, but at least one.

    `pixels` is the size of the frames that they draw.
    """
    fitting = machine.memory() // (_WORKER_BYTES + pixels * _BYTES_PER_PIXEL)
    return max(1, min(machine.cores(), fitting))


# --- Workers on this machine ---


def make_ready(stages: Sequence[str]) -> None:
    """Have the fork server import Manim and these stages while this process reads storyboards."""
    call_before_exit(scratch.discard)
    start_server(stages)


class LocalCrew:
    """Workers on this machine: in a thread for each, one process after the other."""

    def __init__(self, workers: int, progress: Progress) -> None:
        self._executor = ThreadPoolExecutor(workers, "worker")
        self._progress = progress
        self._workers: set[Worker] = set()
        self._lock = threading.Lock()
        self._is_closed = False
        start_server()

    def submit(self, name: str, packed: bytes) -> Future[Any]:
        """Queue a packed job, and return the future of its result."""
        return self._executor.submit(self._perform, name, packed)

    def check(self) -> None:
        """Processes can always be started."""

    def close(self) -> None:
        """Kill all workers, and remove the files that they could not."""
        self._is_closed = True
        if not self._lock.acquire(timeout=_TIME_TO_START):
            _kill_server()  # a thread with the lock waits for it, and its imports may never end
            self._lock.acquire()
        workers = set(self._workers)
        self._lock.release()
        for worker in workers:
            worker.close()
        self._executor.shutdown(cancel_futures=True)
        scratch.sweep()

    def _perform(self, name: str, packed: bytes) -> Any:
        with self._worker() as worker:
            try:
                return worker.submit(
                    "clockhead.clips.jobs:perform_in_scratch",
                    packed,
                    sources_fingerprint(),
                    report=lambda frames: self._progress(name, frames),
                ).result()
            except WorkerDied as death:
                raise WorkerDied(_explanation(death.code)) from None

    @contextmanager
    def _worker(self) -> Iterator[Worker]:
        with self._lock:
            if self._is_closed:
                raise WorkerDied("the worker was not started")
            try:
                worker = Worker("forkserver", clean_up="clockhead.clips.scratch:discard")
            except (EOFError, OSError) as error:
                time.sleep(_RECOVERY)
                raise WorkerDied(f"it could not be started: {error}") from None
            self._workers.add(worker)
        try:
            yield worker
        finally:
            worker.close(_TIME_TO_END)
            with self._lock:
                self._workers.discard(worker)


def perform_in_scratch(job: RunningJob, packed: bytes, fingerprint: str) -> Any:
    """Do a packed job in a worker; temporary files of libraries go where a sweep finds them.

    Without room for such files, a job that needs some says so itself.
    """
    with ExitStack() as held:
        with suppress(scratch.NoScratch):
            held.enter_context(_temporary_files_in(held.enter_context(scratch.scratch_directory())))
        return perform(packed, fingerprint, job.report)


def start_server(stages: Sequence[str] | None = None) -> None:
    """Start the fork server, which imports Manim and these stages, or all of them."""
    from multiprocessing import forkserver

    multiprocessing.get_context("forkserver").set_forkserver_preload(["clockhead.clips.preload"])
    with (
        block_interrupts(),
        _temporary_files_in(_process_scratch()),  # its socket is swept up after a kill
        environment(server_environment(stages)),
    ):
        forkserver.ensure_running()


def start_server_early(_: RunningJob) -> None:
    """A job that starts the fork server of a worker which will open a crew."""
    start_server()


def server_environment(stages: Sequence[str] | None = None) -> dict[str, str]:
    """Variables with which the fork server imports this very copy of Clockhead, without warnings.

    A folder called `scenes` where the command is run is not part of Clockhead.
    """
    warnings = [os.environ.get("PYTHONWARNINGS"), "ignore::SyntaxWarning"]
    paths = [str(PACKAGE.parent), os.environ.get("PYTHONPATH")]
    names = [] if stages is None else [name for name in stages if STAGE_NAME.fullmatch(name)]
    return {
        **({} if stages is None else {STAGES_FIRST: " ".join(names)}),
        "PYTHONWARNINGS": ",".join(filter(None, warnings)),
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "PYTHONSAFEPATH": "1",
        **thread_limits(),
        PARENT: str(os.getpid()),
    }


def _kill_server() -> None:
    """Kill the fork server; threads that wait for a worker from it get an `EOFError`."""
    from multiprocessing import forkserver

    pid = forkserver._forkserver._forkserver_pid  # type: ignore[attr-defined]
    if pid is not None:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@contextmanager
def _temporary_files_in(folder: Path) -> Iterator[None]:
    before, tempfile.tempdir = tempfile.tempdir, str(folder)
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


def _explanation(code: int) -> str:
    if code == -signal.SIGKILL:
        return "killed; if the machine is short of memory, fewer --workers need less of it"
    return f"ended by {how_it_ended(code)}" if code < 0 else f"ended with exit code {code}"
