"""The storyboard that is being edited, its stills, and the subscribers of its events."""

from __future__ import annotations

import asyncio
import os
from collections import OrderedDict
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from stat import S_IMODE
from typing import Any

from clockhead import atomic
from clockhead.clips import scratch
from clockhead.libraries import project_around, use_project
from clockhead.look import QUALITIES, Wish
from clockhead.places import relative_path
from clockhead.storyboard.find import find_film, known_films
from clockhead.storyboard.problems import StoryboardError
from clockhead.storyboard.yaml_reader import decode_text, read_file
from clockhead.studio.messages import (
    DrawJob,
    DrawnStill,
    DrawReport,
    HelpEntry,
    ShotDrawn,
    StageHelp,
    StoryboardReport,
    limit_remarks,
    remark_of,
)
from clockhead.workers import Worker, WorkerDied

TIME_TO_READ = 30.0
"""Seconds after which the worker is killed if it has not read a storyboard."""
_TIME_TO_END = 2.0
"""Seconds that the worker has to clean up before it is killed."""
_TIME_TO_SAVE = 2.0
"""Seconds to wait for another studio that is saving into the same folder."""
_MAX_SHOTS = 300
"""Number of shots whose stills are kept, some hundred megabytes, so that going back is quick."""
Event = dict[str, Any]


class Refusal(Exception):
    """A request that cannot be fulfilled, or not now; the page shows the message."""


class WouldOverwrite(Exception):
    """Saving would overwrite a file; the message asks. `version` identifies what would be lost."""

    def __init__(self, question: str, version: str) -> None:
        super().__init__(question)
        self.version = version


class StaleRevision(Exception):
    """A request was made for a text that has changed since."""


class Session:
    """One film that is edited or watched.

    All methods belong to the thread of the event loop. `tell` is called with every report.
    """

    def __init__(
        self,
        wish: Wish,
        *,
        watching: bool = False,
        tell: Callable[[StoryboardReport], None] = lambda _: None,
        stages: Iterable[str] = (),
    ) -> None:
        self.wish = replace(wish, quality=QUALITIES["m"])
        self.watching = watching
        """Whether the file is only followed, and not edited here."""
        self.file: Path | None = None
        self.text = ""
        self.revision = 0
        """Number of the text. A page says which one it has edited."""
        self.stills: OrderedDict[str, list[DrawnStill]] = OrderedDict()
        self.failures: dict[str, str] = {}
        """Why shots cannot be drawn, by key."""
        self.report: StoryboardReport | None = None
        self.stages = tuple(StageHelp(name, "", ()) for name in stages)
        """All stages; once the worker has imported them, with descriptions."""
        self.moved = False
        """Whether the file was changed by another program since it was opened or saved."""
        self.trouble = ""
        """Why the file cannot be read any more."""
        self.number = 0
        """Number of the latest job of the worker."""
        self._drawn = 0
        """Number of the latest job that is done."""
        self._tell = tell
        self._facts: dict[str, tuple[HelpEntry, ...]] = {}
        """The last known facts of each stage."""
        self._on_disk = b""
        """Content of the file when it was last opened, saved or reloaded."""
        self._saved = ""
        """The text of that."""
        self._done: set[str] = set()
        self._subscribers: set[asyncio.Queue[Event | None]] = set()
        self._worker: Worker | None = None
        self._drawing: Future[Any] | None = None
        self._is_described = False
        """Whether the worker was asked to describe all stages."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.TimerHandle | None = None

    # Opening and ending

    def start(self) -> None:
        """Start the worker, in the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._running_worker()
        if self.file is not None:
            self._submit(None)

    def end(self) -> None:
        """End the worker and all streams of events."""
        self.end_events()
        if self._timer is not None:
            self._timer.cancel()
        self._end_worker()

    def end_events(self) -> None:
        """End all streams of events."""
        for subscriber in self._subscribers:
            subscriber.put_nowait(None)

    def open(self, film: str) -> None:
        """Open a film.

        Raises:
            StoryboardError: if it is not found, or its file is not text.
        """
        file = relative_path(find_film(film))
        data = read_file(file)
        text = _decode(data, file)
        self.file, self.report = file, None
        self._load(data, text)
        atomic.sweep(file.resolve().parent, file.name)
        if (project := project_around(file.resolve().parent)) is not None:
            use_project(project)
        self.publish(self.snapshot())
        self._submit(None)

    # Editing

    def edit(self, text: str, first: int | None = None, revision: int | None = None) -> None:
        """Replace the text; `first` is the place of the shot to draw first.

        Raises:
            StaleRevision: if the text has changed since this `revision`.
        """
        if revision not in (None, self.revision):
            raise StaleRevision
        if text != self.text:
            self.text = text
            self.revision += 1
            state = {"text": text, "revision": self.revision, "saved": self.is_saved}
            self.publish({"event": "text", **state})
            self._submit(first)

    def look(self, **wished: str | None) -> None:
        """Draw in another theme, aspect or language; None is as the storyboard says."""
        self.wish = replace(self.wish, **wished)  # type: ignore[arg-type]
        self._submit(None)
        self.publish(self._describe_file())

    def redraw(self) -> None:
        """Draw everything again in a new worker: stages were edited."""
        self._end_worker()
        self.stills.clear()
        self._done.clear()
        self.failures.clear()
        self._submit(None)

    def save(self, file: Path, *, over: str = "") -> None:
        """Write the text to a file.

        Raises:
            WouldOverwrite: if the file has something that was not opened here; `over` is the
                version that may be lost.
            Refusal: if another program keeps the folder locked.
            StoryboardError: if that is not a name for a film's file, or the path is not a file.
            OSError: if it cannot be written.
        """
        target = find_film(str(file) if file.suffix else f"{file}.yaml")
        aim = target.resolve()
        aim.parent.mkdir(parents=True, exist_ok=True)
        try:
            with atomic.lock_folder(aim.parent, _TIME_TO_SAVE):
                data = self._write(target, aim, over)
        except TimeoutError:
            folder = relative_path(aim.parent)
            raise Refusal(f"another program is saving into {folder}; try again") from None
        self.file, self._on_disk, self._saved = relative_path(target), data, self.text
        self.moved, self.trouble = False, ""
        self.publish(self._describe_file())

    def _write(self, target: Path, aim: Path, over: str) -> bytes:
        """Write the text to `aim`, which `target` leads to; returns the content of the file."""
        there = read_file(aim) if os.path.lexists(aim) else None
        own = self.file is not None and aim == self.file.resolve()
        is_known = there is None or (own and there == self._on_disk) or over == _version(there)
        if there is not None and not is_known:
            changed = "was changed by another program since it was opened here"
            question = f"{target} {changed if own else 'is there already'}; overwrite it?"
            raise WouldOverwrite(question, _version(there))
        data = self.text.encode()
        if b"\r\n" in self._on_disk:
            data = data.replace(b"\n", b"\r\n")
        atomic.write(aim, data, None if there is None else S_IMODE(aim.stat().st_mode))
        atomic.sweep(aim.parent, aim.name)
        return data

    @property
    def is_saved(self) -> bool:
        """Whether the file has this text, as far as is known."""
        return self.file is not None and self.text == self._saved and not self.trouble

    @property
    def is_drawn(self) -> bool:
        """Whether all stills of the latest text are drawn."""
        return self.number > 0 and self._drawn == self.number

    def follow(self) -> None:
        """Look at the file, which may have changed. An unsaved text stays; the page says so."""
        if self.file is None:
            return
        try:
            data = read_file(self.file)
            text = _decode(data, self.file)
        except StoryboardError as error:
            if str(error) != self.trouble:
                self.trouble = str(error)
                self.publish(self._describe_file())
                if self.watching:
                    remarks = (remark_of(problem, "error", self.file) for problem in error.problems)
                    self._receive(StoryboardReport(self.number, limit_remarks(remarks)))
            return
        was_lost, was_moved = bool(self.trouble), self.moved
        self.trouble, self.moved = "", data != self._on_disk
        is_new = self.moved or (self.watching and was_lost)
        if is_new and (self.watching or self.text == self._saved):
            self._reload(data, text)
        elif was_lost or was_moved != self.moved:
            self.publish(self._describe_file())

    def reload(self) -> None:
        """Replace the text by the content of the file.

        Raises:
            StoryboardError: if it cannot be read.
        """
        if self.file is not None:
            data = read_file(self.file)
            self._reload(data, _decode(data, self.file))

    def _reload(self, data: bytes, text: str) -> None:
        self._load(data, text)
        self.publish(self.snapshot())
        self._submit(None)

    def _load(self, data: bytes, text: str) -> None:
        """Replace the text by one that is on the disk."""
        self.text = self._saved = text
        self.revision += 1
        self._on_disk, self.moved, self.trouble = data, False, ""

    # The worker

    def _submit(self, first: int | None) -> None:
        if self.file is None or self._loop is None:
            return
        self.number += 1
        drawn = frozenset(self._done)
        job = DrawJob(self.number, self.file, self.text.encode(), self.wish, first, drawn)
        worker = self._running_worker()
        if self._drawing is not None:
            worker.cancel(self._drawing)
        self._drawing = worker.submit(
            "clockhead.studio.draw_job:draw", job, report=self._in_loop(self._receive)
        )
        self._drawing.add_done_callback(self._in_loop(lambda done: self._finish(job.number, done)))
        if not self._is_described:
            self._is_described = True
            stages = worker.submit("clockhead.studio.draw_job:describe_stages")
            stages.add_done_callback(self._in_loop(self._keep_stages))
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(TIME_TO_READ, self._give_up, self.number)

    def _running_worker(self) -> Worker:
        if self._worker is None or not self._worker.is_alive:
            scratch.sweep()
            self._is_described = False
            self._worker = Worker(
                "spawn",
                clean_up="clockhead.clips.scratch:discard",
                on_death=self._in_loop(self._report_death),
            )
        return self._worker

    def _end_worker(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.close(_TIME_TO_END)
            scratch.sweep()

    def _in_loop(self, function: Callable[[Any], None]) -> Callable[[Any], None]:
        """The function, so that other threads can call it: it runs in the event loop."""

        def call(value: Any) -> None:
            if self._loop is not None and not self._loop.is_closed():
                self._loop.call_soon_threadsafe(function, value)

        return call

    def _give_up(self, number: int) -> None:
        """Kill a worker in which a stage computes without end."""
        if self.number == number and (self.report is None or self.report.number < number):
            self._end_worker()
            how = f"the storyboard was not read within {TIME_TO_READ:g} seconds"
            self.publish({"event": "gone", "how": f"{how}; edit it to try again"})

    def _report_death(self, death: WorkerDied) -> None:
        how = f"the worker process ended ({death}); the next edit starts it again"
        self.publish({"event": "gone", "how": how})

    def _finish(self, number: int, done: Future[Any]) -> None:
        if done.exception() is None:
            self._drawn = number
            self.publish({"event": "done", "number": number})

    def _keep_stages(self, done: Future[Any]) -> None:
        if done.exception() is None:
            self.stages = done.result()
            self.publish(self._describe_stages())

    def _receive(self, report: DrawReport) -> None:
        match report:
            case StoryboardReport():
                self._keep_report(report)
            case DrawnStill():
                self._keep_still(report)
            case ShotDrawn(key, failure):
                self._done.add(key)
                if failure:
                    self.failures[key] = failure
                self.publish({"event": "shot", "key": key, "failure": failure})

    def _keep_report(self, report: StoryboardReport) -> None:
        if report.number < self.number:
            return
        if not report.shots and self.report is not None:
            # While a line is half typed, no shot can be read, and the page keeps its pictures.
            report = replace(report, shots=self.report.shots, title=self.report.title)
        self._facts |= {shot.stage: shot.facts for shot in report.shots if shot.facts}
        shots = (replace(s, facts=s.facts or self._facts.get(s.stage, ())) for s in report.shots)
        report = replace(report, shots=tuple(shots))
        for key in (shot.key for shot in report.shots):
            if key is not None and key in self.stills:
                self.stills.move_to_end(key)
        self.report = report
        self._tell(report)
        self.publish(_describe_report(report))

    def _keep_still(self, still: DrawnStill) -> None:
        shot = self.stills.setdefault(still.key, [])
        del shot[still.place :]
        shot.append(still)
        self.publish({"event": "still", **_describe_still(still)})
        while len(self.stills) > _MAX_SHOTS:
            key, _ = self.stills.popitem(last=False)
            self._done.discard(key)

    # Subscribers

    def subscribe(self) -> asyncio.Queue[Event | None]:
        """A queue of events, with the present state first; None is the end."""
        queue: asyncio.Queue[Event | None] = asyncio.Queue()
        queue.put_nowait(self.snapshot())
        queue.put_nowait(self._describe_stages())
        self._subscribers.add(queue)
        return queue

    def unsubscribe(self, queue: asyncio.Queue[Event | None]) -> None:
        """Put no more events into a queue."""
        self._subscribers.discard(queue)

    def publish(self, event: Event) -> None:
        """Send an event to all subscribers."""
        for subscriber in self._subscribers:
            subscriber.put_nowait(event)

    def snapshot(self) -> Event:
        """The event with the whole state."""
        shots = self.report.shots if self.report else ()
        return {
            **self._describe_file(),
            "event": "all",
            "text": self.text,
            "revision": self.revision,
            "read": _describe_report(self.report) if self.report else None,
            "stills": [
                _describe_still(still)
                for shot in shots
                for still in self.stills.get(shot.key or "", ())
            ],
            "done": [shot.key for shot in shots if shot.key in self._done],
            "failures": self.failures,
            "films": [] if self.file else sorted(known_films()),
        }

    def _describe_file(self) -> Event:
        return {
            "event": "file",
            "file": str(self.file) if self.file else None,
            "saved": self.is_saved,
            "moved": self.moved,
            "trouble": self.trouble,
            "watching": self.watching,
            "look": {name: getattr(self.wish, name) for name in ("theme", "aspect", "language")},
        }

    def _describe_stages(self) -> Event:
        return {"event": "stages", "stages": [[s.name, s.about] for s in self.stages]}


def _describe_report(report: StoryboardReport) -> Event:
    """A report without facts, which completion needs and the page does not."""
    bare = replace(report, shots=tuple(replace(shot, facts=()) for shot in report.shots))
    return {"event": "read", **asdict(bare)}


def _describe_still(still: DrawnStill) -> Event:
    """A still with the address of its picture."""
    about = asdict(still)
    del about["picture"]
    return {**about, "src": f"stills/{still.key}/{still.place}.png"}


def _decode(data: bytes, file: Path) -> str:
    """The text of a file, with the line ends of a page.

    Raises:
        StoryboardError: if it is not text.
    """
    return decode_text(data, str(file)).replace("\r\n", "\n")


def _version(data: bytes) -> str:
    return sha256(data).hexdigest()
