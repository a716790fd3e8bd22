"""Run jobs in parallel, in processes of this machine or on a Dask cluster.

Both return `concurrent.futures` futures, so everything above is one code path. On this machine each
job has a process of its own, forked from a server that has imported Manim; a process that dies
loses nothing but its job. A cluster needs no shared disk: a job is sent and a clip returned as
bytes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import contextmanager
from typing import Any

from clockhead.clips import machine
from clockhead.clips.clip import Failure
from clockhead.interruption import exit_by_exception
from clockhead.workers import WorkerDied

Progress = Callable[[str, int], None]
"""Takes the name of a job and the number of frames that are done; called from any thread."""

_WORKER_BYTES, _BYTES_PER_PIXEL = 150_000_000, 150
"""Most memory that a worker does not share: 0.5 GB in 1080p, 1.4 GB in 4K, as measured."""
ATTEMPTS = 3
"""Number of workers that may die during a job before it counts as failed."""


class CrewError(Exception):
    """No workers are available."""


class Crew(ABC):
    """Workers that take jobs."""

    size: int
    """Number of jobs that run at once."""

    @abstractmethod
    def submit(self, name: str, packed: bytes) -> Future[Any]:
        """Queue a packed job, and return the future of its result."""

    @abstractmethod
    def check(self) -> None:
        """Raise `CrewError` if the queued jobs will never be done."""

    @abstractmethod
    def close(self) -> None:
        """Drop all jobs and end all workers."""


@contextmanager
def open_crew(workers: int, scheduler: str | None, progress: Progress) -> Iterator[Crew]:
    """Workers on this machine, or of the Dask cluster at `scheduler`, until the block ends.

    Raises:
        CrewError: if the cluster cannot be reached, has no workers, or one that cannot draw what is
            drawn here.
    """
    with exit_by_exception():
        crew = _make_crew(workers, scheduler, progress)
        try:
            yield crew
        finally:
            crew.close()


def _make_crew(workers: int, scheduler: str | None, progress: Progress) -> Crew:
    if scheduler is None:
        from clockhead.clips.local import LocalCrew

        return LocalCrew(workers, progress)
    from clockhead.clips.cluster import ClusterCrew

    return ClusterCrew(scheduler, progress)


def run(crew: Crew, jobs: Mapping[str, bytes], done: Callable[[str, Any], None]) -> None:
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
