"""Progress bars: one for each shot that is being rendered, one for all of them."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn


class ShotProgress:
    """Bars on a terminal, and nothing elsewhere. May be told of frames from any thread."""

    def __init__(self, console: Console | None = None) -> None:
        console = console or Console(stderr=True)
        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[unit]}"),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._all = self._bars.add_task("all shots", total=0, unit="shots", visible=False)
        self._shots: dict[str, TaskID] = {}
        self._count = 0

    def expect(self, name: str, label: str, frames: int | None) -> None:
        """A job is to come: what it is called on screen, and how many frames it may have."""
        self._shots[name] = self._bars.add_task(label, total=frames, unit="frames", visible=False)
        self._count += 1
        self._bars.update(self._all, total=self._count, visible=True)

    def __call__(self, name: str, frames: int) -> None:
        """So many frames of a job are done."""
        self._bars.update(self._shots[name], completed=frames, visible=True)

    def done(self, name: str) -> None:
        """A job is over, well or not."""
        self._bars.remove_task(self._shots.pop(name))
        self._bars.advance(self._all)

    def refresh(self) -> None:
        """Draw the bars now, not at their next turn."""
        self._bars.refresh()

    def say(self, line: str) -> None:
        """Print a line above the bars, or where there are none."""
        self._bars.console.print(line, markup=False, highlight=False, soft_wrap=True)

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
