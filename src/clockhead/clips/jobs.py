"""Jobs side by side: in processes of this machine, or on a Dask cluster.

Both give out `concurrent.futures` futures, and everything above them is one code path. On this
machine every job has a process of its own, forked from a server that has imported Manim already;
a process that dies takes nothing with it but its own job. On a cluster there need be no shared
disk: a job goes out and a clip comes back as bytes.
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
from clockhead.interruption import orderly
from clockhead.workers import WorkerDied

Progress = Callable[[str, int], None]
"""Takes the name of a job and how many of its frames are done; called from any thread."""

_MEMORY, _MEMORY_A_PIXEL = 150_000_000, 150
"""Bytes that a worker has for itself at most, as measured: 0.5 GB in 1080p, 1.4 GB in 4K."""
ATTEMPTS = 3
"""How often a job is given to a worker before it is blamed for the workers' deaths."""


class CrewError(Exception):
    """There is nobody to do the jobs."""


class Crew(ABC):
    """Workers."""

    size: int
    """How many jobs can be done at once."""

    @abstractmethod
    def submit(self, name: str, packed: bytes) -> Future[Any]:
        """Give out a packed job."""

    @abstractmethod
    def check(self) -> None:
        """Raise `CrewError` when the jobs that were given out will never be done."""

    @abstractmethod
    def close(self) -> None:
        """Drop every job and end every worker."""


@contextmanager
def open_crew(workers: int, scheduler: str | None, progress: Progress) -> Iterator[Crew]:
    """Workers on this machine, or those of the Dask cluster at `scheduler`; ended in the end.

    Raises:
        CrewError: when the cluster cannot be reached, has no workers, or some that are unfit.
    """
    with orderly():
        crew = _crew(workers, scheduler, progress)
        try:
            yield crew
        finally:
            crew.close()


def _crew(workers: int, scheduler: str | None, progress: Progress) -> Crew:
    if scheduler is None:
        from clockhead.clips.local import LocalCrew

        return LocalCrew(workers, progress)
    from clockhead.clips.cluster import ClusterCrew

    return ClusterCrew(scheduler, progress)


def run(crew: Crew, jobs: Mapping[str, bytes], done: Callable[[str, Any], None]) -> None:
    """Do packed jobs, and call `done` in this thread with the result, or `Failure`, of each.

    A job whose worker dies is given to another, up to `ATTEMPTS` times.

    Raises:
        CrewError: when no worker is left to do them.
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
    """One for each core that this process may use, as far as memory goes, and at least one.

    `pixels` is the size of the frames that they draw.
    """
    room = machine.memory() // (_MEMORY + pixels * _MEMORY_A_PIXEL)
    return max(1, min(machine.cores(), room))
