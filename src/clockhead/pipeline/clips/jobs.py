"""Jobs side by side: in processes of this machine, or on a Dask cluster.

Both give out `concurrent.futures` futures, and everything above them is one code path. On this
machine every job has a process of its own, forked from a server that has imported Manim already;
a process that dies takes nothing with it but its own job. On a cluster there need be no shared
disk: a job goes out and a clip comes back as bytes.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from types import TracebackType
from typing import Any, Self

from clockhead.pipeline.clips.clip import Failure

Progress = Callable[[str, int], None]
"""Takes the name of a job and how many of its frames are done; called from any thread."""

ATTEMPTS = 3
"""How often a job is given to a worker before it is blamed for the workers' deaths."""


class WorkerDied(Exception):
    """A worker process ended in the middle of a job."""


class CrewError(Exception):
    """There is nobody to do the jobs."""


class Crew(ABC):
    """Workers. Leaving its context ends them, whatever they are doing."""

    executor: Executor

    @abstractmethod
    def submit(self, name: str, packed: bytes) -> Future[Any]:
        """Give out a packed job."""

    @abstractmethod
    def check(self) -> None:
        """Raise `CrewError` when the jobs that were given out will never be done."""

    @abstractmethod
    def close(self) -> None:
        """Drop every job and end every worker."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def open_crew(workers: int, scheduler: str | None, progress: Progress) -> Crew:
    """Workers on this machine, or those of the Dask cluster at `scheduler`.

    Raises:
        CrewError: when the cluster cannot be reached or has no workers.
    """
    if scheduler is None:
        from clockhead.pipeline.clips.local import LocalCrew

        return LocalCrew(workers, progress)
    from clockhead.pipeline.clips.cluster import ClusterCrew

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
    except WorkerDied as death:
        return death
    except (Exception, CancelledError) as error:
        return Failure(f"{type(error).__name__}: {error}")


def default_workers() -> int:
    """One for each core that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
