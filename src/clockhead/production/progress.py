"""Progress of rendering: bars on a terminal, lines elsewhere, as for a log."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn


class _Console(Console):
    """Standard error. If that is closed, the film is still finished, without output."""

    def __init__(self) -> None:
        # Rich would take a pipe for a terminal wherever FORCE_COLOR is set.
        super().__init__(stderr=True, force_terminal=sys.stderr.isatty())

    def on_broken_pipe(self) -> None:
        self.quiet = True

    def _check_buffer(self) -> None:
        try:
            super()._check_buffer()
        except OSError:  # on a full disk, for instance
            self.quiet = True


@dataclass(slots=True)
class _ShotJob:
    label: str
    bar: TaskID
    work: str
    begun: bool = False


class ShotProgress:
    """A bar for each shot that is being rendered, and one for all of them.

    Without a terminal, a line when a shot begins and one when it ends. Calls may come from any
    thread.
    """

    def __init__(self, console: Console | None = None) -> None:
        console = console or _Console()
        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[unit]}"),
            console=console,
            transient=True,
            disable=not console.is_terminal or console.is_dumb_terminal,
        )
        self._all = self._bars.add_task("all shots", total=0, unit="shots", visible=False)
        self._jobs: dict[str, _ShotJob] = {}
        self._n_jobs = 0
        self._n_done = 0

    def expect(
        self,
        name: str,
        label: str,
        total: int | None,
        work: str = "rendering",
        unit: str = "frames",
    ) -> None:
        """Announce a job: its label on screen, its expected length in frames (or beats, as `unit`
        says), and the work on it."""
        bar = self._bars.add_task(label, total=total, unit=unit, visible=False)
        self._jobs[name] = _ShotJob(label, bar, work)
        self._n_jobs += 1
        self._bars.update(self._all, total=self._n_jobs, visible=True)

    def __call__(self, name: str, frames: int) -> None:
        """Report how many frames of a job are done; 0 when it begins, or begins again."""
        job = self._jobs.get(name)
        if job is None:  # on a cluster, reports may come after the result
            return
        self._bars.update(job.bar, completed=frames, visible=True)
        if frames == 0:
            self._log(f"{job.label}: {job.work}{' again' if job.begun else ''}")
            job.begun = True

    def done(self, name: str, *, failed: bool = False) -> None:
        """Report the end of a job."""
        job = self._jobs.pop(name)
        self._n_done += 1
        self._bars.remove_task(job.bar)
        self._bars.advance(self._all)
        self._log(f"{job.label}: {'failed' if failed else 'done'} ({self._n_done}/{self._n_jobs})")

    def say(self, line: str) -> None:
        """Print a line, above the bars if there are any."""
        self._bars.console.print(line, markup=False, highlight=False, soft_wrap=True)

    def _log(self, line: str) -> None:
        """Print a line if there are no bars."""
        if self._bars.disable:
            self.say(line)

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()
