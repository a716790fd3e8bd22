"""Jobs on a Dask cluster. Clips come back as bytes; nothing is shared but the network."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any
from uuid import uuid4

from clockhead.pipeline import release
from clockhead.pipeline.clips import scratch
from clockhead.pipeline.clips.clip import Failure
from clockhead.pipeline.clips.fingerprint import project_fingerprint
from clockhead.pipeline.clips.jobs import Crew, CrewError, Progress
from clockhead.pipeline.clips.render import perform

_CONNECT = "10s"
_PATIENCE = 60.0
"""Seconds without any worker after which the jobs are given up."""


class ClusterCrew(Crew):
    """The workers of a cluster; Dask itself gives a dead worker's jobs to the others."""

    def __init__(self, scheduler: str, progress: Progress) -> None:
        self._client = _connect(scheduler)
        self.executor: Executor = self._client.get_executor(pure=False)
        self._scheduler = scheduler
        self._topic = f"clockhead-{uuid4().hex}"
        self._seen = time.monotonic()
        self._client.subscribe_topic(self._topic, _listener(progress))
        if not self._workers():
            self.close()
            raise CrewError(
                f"the cluster at {scheduler} has no workers; "
                f"start some with: dask worker {scheduler} --nthreads 1"
            )

    def submit(self, name: str, packed: bytes) -> Future[Any]:
        """Give out a packed job."""
        return self.executor.submit(
            perform_on_cluster, packed, name, self._topic, project_fingerprint()
        )

    def check(self) -> None:
        """Raise `CrewError` when the scheduler is gone, or every worker has been for a minute."""
        if self._client.status not in ("running", "connecting"):
            raise CrewError(f"the connection to the scheduler at {self._scheduler} is lost")
        if self._workers():
            self._seen = time.monotonic()
        elif time.monotonic() - self._seen > _PATIENCE:
            raise CrewError(f"the cluster at {self._scheduler} has lost all of its workers")

    def close(self) -> None:
        """Leave the cluster, which drops the jobs that are still there."""
        self._client.close(timeout=5)

    def _workers(self) -> int:
        return len(self._client.scheduler_info(n_workers=-1)["workers"])


def perform_on_cluster(packed: bytes, name: str, topic: str, fingerprint: str) -> Any:
    """Do a packed job on a worker; refuse when it would not draw what the key stands for."""
    from distributed import get_worker

    worker = get_worker()
    if project_fingerprint() != fingerprint:
        return Failure(
            f"the worker at {worker.address} runs other sources or versions than this machine; "
            "bring it up to date and restart it"
        )
    scratch.sweep()
    return perform(packed, fingerprint, lambda frames: worker.log_event(topic, (name, frames)))


def _connect(scheduler: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        need = release.install_command("cluster")
        raise CrewError(f"--scheduler needs Dask; install it with: {need}") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client: Any = Client  # its constructor has no types
        return client(scheduler, timeout=_CONNECT, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise CrewError(f"there is no Dask scheduler at {scheduler}: {error}") from None


def _listener(progress: Progress) -> Callable[[tuple[float, tuple[str, int]]], None]:
    def listen(event: tuple[float, tuple[str, int]]) -> None:
        _, (name, frames) = event
        progress(name, frames)

    return listen
