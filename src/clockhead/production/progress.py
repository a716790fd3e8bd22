"""How rendering goes on: bars on a terminal, and elsewhere lines that a file or a log can hold."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn


class _Console(Console):
    """Standard error. A film is made to its end when nobody listens any more."""

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
class _Job:
    label: str
    bar: TaskID
    work: str
    begun: bool = False


class ShotProgress:
    """A bar for each shot that is being rendered and one for all of them.

    Where there is no terminal: a line when a shot begins, and a line when it is over. May be told
    of frames from any thread.
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
        self._jobs: dict[str, _Job] = {}
        self._count = 0
        self._over = 0

    def expect(
        self,
        name: str,
        label: str,
        total: int | None,
        work: str = "rendering",
        unit: str = "frames",
    ) -> None:
        """A job is to come: what it is called on screen, how many frames (or beats) it may have,
        and what is done to it."""
        bar = self._bars.add_task(label, total=total, unit=unit, visible=False)
        self._jobs[name] = _Job(label, bar, work)
        self._count += 1
        self._bars.update(self._all, total=self._count, visible=True)

    def __call__(self, name: str, frames: int) -> None:
        """So many frames of a job are done; none when it begins, or begins again."""
        job = self._jobs.get(name)
        if job is None:  # a cluster's news may come after its result
            return
        self._bars.update(job.bar, completed=frames, visible=True)
        if frames == 0:
            self._tell(f"{job.label}: {job.work}{' again' if job.begun else ''}")
            job.begun = True

    def done(self, name: str, *, failed: bool = False) -> None:
        """A job is over, well or not."""
        job = self._jobs.pop(name)
        self._over += 1
        self._bars.remove_task(job.bar)
        self._bars.advance(self._all)
        self._tell(f"{job.label}: {'failed' if failed else 'done'} ({self._over}/{self._count})")

    def refresh(self) -> None:
        """Draw the bars now, not at their next turn."""
        self._bars.refresh()

    def say(self, line: str) -> None:
        """Print a line above the bars, or where there are none."""
        self._bars.console.print(line, markup=False, highlight=False, soft_wrap=True)

    def _tell(self, line: str) -> None:
        """Say in a line what bars would show."""
        if self._bars.disable:
            self.say(line)

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bars.stop()
