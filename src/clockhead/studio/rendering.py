"""The server's side of rendering: films, and clips of single shots for the page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from clockhead.clips import scratch
from clockhead.clips.machine import cores
from clockhead.libraries import project_around, use_project
from clockhead.look import QUALITIES, Quality, Wish
from clockhead.places import relative_path
from clockhead.studio.messages import RenderJob, RenderResult, ShotReport, StoryboardReport
from clockhead.studio.session import TIME_TO_READ, Event, Refusal, Session
from clockhead.workers import Worker, WorkerDied

SMALL = QUALITIES["l"]
_TIME_TO_END = 10.0
"""Seconds that a cancelled render has to clean up before its worker is killed."""
_INTERVAL = 0.02
"""Seconds between two checks whether the latest edit was read."""
Say = Callable[[str], None]


class Renderer:
    """Renders one thing at a time in a worker that is kept.

    All methods belong to the thread of the event loop.
    """

    def __init__(self, media: Path) -> None:
        self.film: Path | None = None
        """The film that was rendered last."""
        self._media = media
        self._worker: Worker | None = None
        self._task: asyncio.Task[RenderResult] | None = None
        self._is_wanted = False
        self._cancel: Callable[[], None] = lambda: None

    @property
    def is_running(self) -> bool:
        """Whether something is being rendered."""
        return self._task is not None and not self._task.done()

    @property
    def pid(self) -> int | None:
        """The number of the worker process, if there is one."""
        return self._worker.pid if self._worker else None

    def warm_up(self) -> None:
        """Start the worker, which imports what it needs."""
        self._running_worker()

    def start(
        self, file: Path, data: bytes, wish: Wish, say: Say, shots: frozenset[int] | None = None
    ) -> asyncio.Future[RenderResult]:
        """Render a film, or clips of some of its shots; nothing may be running.

        `data` is the content of the file, saved or not; `say` takes lines of progress.
        """
        self._is_wanted = True
        self._task = asyncio.create_task(
            self._render(RenderJob(file, data, wish, self._media, shots), say)
        )
        return self._task

    async def stop(self) -> None:
        """Cancel what is running, and wait until it has cleaned up."""
        if self._task is None or not self.is_running:
            return
        self._is_wanted = False
        self._cancel()
        await asyncio.wait([self._task], timeout=_TIME_TO_END)
        if self.is_running:
            await self._end_worker(0.0)
            await self._task

    async def end(self) -> None:
        """Cancel what is running, and end the worker."""
        await self.stop()
        await self._end_worker(_TIME_TO_END)

    async def _render(self, job: RenderJob, say: Say) -> RenderResult:
        loop = asyncio.get_running_loop()

        def say_in_loop(line: str) -> None:
            loop.call_soon_threadsafe(say, line)

        while self._is_wanted:
            if (project := project_around(job.file.resolve().parent)) is not None:
                use_project(project)  # a worker that is started now finds the same stages
            worker = self._running_worker()
            future = worker.submit("clockhead.studio.render_job:render", job, report=say_in_loop)
            self._cancel = lambda: worker.cancel(future)  # noqa: B023
            try:
                result: RenderResult | None = await asyncio.wrap_future(future)
            except Exception as error:
                if not self._is_wanted:
                    break
                died = f"the worker process ended ({error}); the next render starts it again"
                reason = died if isinstance(error, WorkerDied) else str(error)
                say(reason)
                return RenderResult(failures=dict.fromkeys(job.shots or (), reason))
            if result is not None:
                self.film = result.film or self.film
                return result
            await self._end_worker(_TIME_TO_END)
        return RenderResult()

    def _running_worker(self) -> Worker:
        if self._worker is None or not self._worker.is_alive:
            scratch.sweep()
            self._worker = Worker("spawn", clean_up="clockhead.clips.scratch:discard")
            self._worker.submit("clockhead.clips.jobs:start_server_early")
            self._worker.submit("clockhead.studio.render_job:warm_up")
        return self._worker

    async def _end_worker(self, patience: float) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            await asyncio.to_thread(worker.close, patience)
            await asyncio.to_thread(scratch.sweep)


class StudioClips:
    """The clips of the page, by the keys of their shots.

    `tell` is called with the id of a shot, its clip or None, and why there is none.
    """

    def __init__(
        self,
        session: Session,
        renderer: Renderer,
        quality: Quality = SMALL,
        tell: Callable[[str, Path | None, str], None] = lambda *_: None,
    ) -> None:
        self._session = session
        self._renderer = renderer
        self._quality = quality
        self._tell = tell
        self._files: dict[str, Path] = {}
        self._failures: dict[str, str] = {}
        self._making: dict[str, ShotReport] = {}
        self._changed: set[str] = set()
        """Keys that the previous text did not have."""

    def file(self, key: str) -> Path | None:
        """The clip of the shot with this key."""
        return self._files.get(key)

    def describe(self) -> Event:
        """The event with all clips."""
        return {
            "event": "clips",
            "quality": str(self._quality),
            "made": {key: str(relative_path(file)) for key, file in self._files.items()},
            "making": list(self._making),
            "failures": self._failures,
        }

    async def forget(self) -> None:
        """Drop all clips: stages were edited, so the same keys stand for other clips."""
        self._files.clear()
        self._failures.clear()
        if self._making:
            self._making = {}
            await self._renderer.stop()
        self._session.publish(self.describe())

    async def make(self, place: int) -> None:
        """Start to render the clip of a shot, as the text has it now.

        Raises:
            Refusal: if something else is being rendered, or the shot cannot be.
        """
        session = self._session
        try:
            async with asyncio.timeout(TIME_TO_READ):
                while (report := session.report) is None or report.number < session.number:
                    await asyncio.sleep(_INTERVAL)
        except TimeoutError:
            raise Refusal("the storyboard is still being read") from None
        shots = [shot for shot in _drawable_shots(report) if shot.place == place]
        if not shots:
            raise Refusal("this shot cannot be drawn; the messages beside it say why")
        if self._renderer.is_running:
            raise Refusal("something is being rendered already")
        self._start(shots)

    async def keep_up(self) -> None:
        """Render a clip of every shot, and again of shots that change, until the session ends."""
        events = self._session.subscribe()
        known: set[str | None] = set()
        while (event := await events.get()) is not None:
            report = self._session.report
            if report is None or report.number < self._session.number:
                continue
            if event["event"] in ("all", "read"):
                keys = {shot.key for shot in report.shots}
                self._changed, known = {key for key in keys - known if key}, keys
                if not self._making.keys() <= keys:
                    await self._renderer.stop()
            due = self._due_shots(report)
            if due and self._session.is_drawn and not self._renderer.is_running:
                self._start(due)

    def _due_shots(self, report: StoryboardReport) -> list[ShotReport]:
        """Shots to render next: those that changed, or else as many as there are cores."""
        there = {*self._files, *self._failures}
        due = [shot for shot in _drawable_shots(report) if shot.key not in there]
        changed = [shot for shot in due if shot.key in self._changed]
        return (changed or due)[: cores()]

    def _start(self, shots: Sequence[ShotReport]) -> None:
        making = {shot.key: shot for shot in shots if shot.key}
        assert self._session.file is not None
        rendered = self._renderer.start(
            self._session.file,
            self._session.text.encode(),
            replace(self._session.wish, quality=self._quality),
            lambda _: None,
            frozenset(shot.place for shot in shots),
        )
        rendered.add_done_callback(lambda result: self._keep(making, result.result()))
        self._making = making
        for key in making:
            self._failures.pop(key, None)
        self._session.publish(self.describe())

    def _keep(self, making: dict[str, ShotReport], result: RenderResult) -> None:
        if self._making is making:  # otherwise they were dropped meanwhile
            for key, shot in making.items():
                file, failure = result.clips.get(shot.place), result.failures.get(shot.place)
                if file is not None:
                    # It has replaced the file of the shot's previous clip.
                    self._files = {k: at for k, at in self._files.items() if at != file}
                    self._files[key] = file
                elif failure is not None:
                    self._failures[key] = failure
                if file is not None or failure is not None:
                    self._tell(shot.id, file, failure or "")
            self._making = {}
        self._session.publish(self.describe())


def _drawable_shots(report: StoryboardReport) -> list[ShotReport]:
    return [shot for shot in report.shots if shot.key is not None]
