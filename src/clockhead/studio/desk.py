"""The storyboard as it is being edited, what was made of it, and who is looking."""

from __future__ import annotations

import asyncio
import os
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from stat import S_IMODE
from typing import Any

from filelock import lock_descriptor

from clockhead.clips import atomic
from clockhead.libraries import home_around, use_home
from clockhead.look import QUALITIES, Wish
from clockhead.places import relative_path
from clockhead.storyboard.find import find_film, known_films
from clockhead.storyboard.problems import Problem, StoryboardError
from clockhead.storyboard.yaml_reader import decode_text, read_file
from clockhead.studio.bench import DRAWS, Bench
from clockhead.studio.news import (
    AllDone,
    Ask,
    Drawn,
    Gone,
    News,
    Read,
    Remark,
    ShotDone,
    Stages,
    StageWords,
    Word,
    first_of,
)

PATIENCE = 30.0
"""Seconds after which a worker that has not read a storyboard is taken for lost."""
_TURN = 2.0
"""Seconds in which another studio that is saving into the same folder has done so."""
_KEPT = 300
"""As many shots have their stills kept, so that going back is quick; some hundred megabytes."""
Event = dict[str, Any]


class Busy(Exception):
    """Something must not be done now; the message says why."""


class Unasked(Exception):
    """A file would be overwritten; the message asks. `version` is of what would be lost."""

    def __init__(self, question: str, version: str) -> None:
        super().__init__(question)
        self.version = version


class Stale(Exception):
    """Something was done to a text that is another one by now."""


class Desk:
    """One film at a time. All of it happens in the thread of the event loop."""

    def __init__(
        self,
        wish: Wish,
        *,
        watching: bool = False,
        tell: Callable[[Read], None] = lambda _: None,
        stages: Iterable[str] = (),
    ) -> None:
        self.wish = replace(wish, quality=QUALITIES["m"])
        self.watching = watching
        """Whether the file is followed, and nothing is edited here."""
        self.file: Path | None = None
        self.text = ""
        self.revision = 0
        """Counts the texts there have been. A page says to which of them it does something."""
        self.stills: OrderedDict[str, list[Drawn]] = OrderedDict()
        self.failures: dict[str, str] = {}
        """Why shots cannot be drawn, by key."""
        self.read: Read | None = None
        self.stages = tuple(StageWords(name, "", ()) for name in stages)
        """All stages there are; once the worker has imported them, with what they show."""
        self.moved = False
        """Whether the file on the disk is another than the one that was opened or saved."""
        self.trouble = ""
        """Why the file on the disk cannot be read any more."""
        self._tell = tell
        self._facts: dict[str, tuple[Word, ...]] = {}
        """The facts of a stage, as they were last known."""
        self._on_disk = b""
        """What the file held when it was last opened, saved or taken."""
        self._saved = ""
        """The text of that."""
        self._done: set[str] = set()
        self._listeners: set[asyncio.Queue[Event | None]] = set()
        self._bench = Bench(DRAWS, self._heard_elsewhere)
        self._ask: Ask | None = None
        self.number = 0
        """Of the latest question to the worker."""
        self._drawn = 0
        """The number of the latest question to which all stills are there."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.TimerHandle | None = None

    # Opening and ending

    def start(self) -> None:
        """Have the worker get warm, in the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._bench.start()
        if self.file is not None:
            self._submit(None)

    def end(self) -> None:
        """End the worker and every stream of events."""
        self.hang_up()
        if self._timer is not None:
            self._timer.cancel()
        self._bench.end()

    def hang_up(self) -> None:
        """End every stream of events."""
        for listener in self._listeners:
            listener.put_nowait(None)

    def open(self, film: str) -> None:
        """Lay a film on the desk.

        Raises:
            StoryboardError: when there is none, or its file is no text.
        """
        file = relative_path(find_film(film))
        data = read_file(file)
        text = _decoded(data, file)
        self.file, self.read = file, None
        self._lay(data, text)
        atomic.sweep(file.resolve().parent, file.name)
        if (home := home_around(file.resolve().parent)) is not None:
            use_home(home)
        self._publish(self.snapshot())
        self._submit(None)

    # Editing

    def edit(self, text: str, first: int | None = None, revision: int | None = None) -> None:
        """Take another text; `first` is the place of the shot that is drawn before the others.

        Raises:
            Stale: when it was made of another text than the one of now.
        """
        if revision not in (None, self.revision):
            raise Stale
        if text != self.text:
            self.text = text
            self.revision += 1
            said = {"text": text, "revision": self.revision, "saved": self.is_saved}
            self._publish({"event": "text", **said})
            self._submit(first)

    def look(self, **wished: str | None) -> None:
        """See it in another theme, shape or language; None is as the storyboard says."""
        self.wish = replace(self.wish, **wished)  # type: ignore[arg-type]
        self._submit(None)
        self._publish(self._about())

    def redraw(self) -> None:
        """Draw all of it anew: stages were edited."""
        self._bench.end()
        self.stills.clear()
        self._done.clear()
        self.failures.clear()
        self._submit(None)

    def save(self, file: Path, *, over: str = "") -> None:
        """Write the text to a file.

        Raises:
            Unasked: when that would overwrite what was not opened here; `over` is the version that
                may be lost.
            Busy: when another program is saving there and does not come to an end.
            StoryboardError: when no film's file is called so, or something else stands there.
            OSError: when it cannot be written.
        """
        target = find_film(str(file) if file.suffix else f"{file}.yaml")
        aim = target.resolve()
        aim.parent.mkdir(parents=True, exist_ok=True)
        with _alone_in(aim.parent):
            there = read_file(aim) if os.path.lexists(aim) else None
            own = self.file is not None and aim == self.file.resolve()
            if (
                there is not None
                and not (own and there == self._on_disk)
                and over != _version(there)
            ):
                changed = "was changed by another program since it was opened here"
                said = f"{target} {changed if own else 'is there already'}; overwrite it?"
                raise Unasked(said, _version(there))
            data = self.text.encode()
            if b"\r\n" in self._on_disk:
                data = data.replace(b"\n", b"\r\n")
            mode = None if there is None else S_IMODE(aim.stat().st_mode)
            atomic.write(aim, data, mode)
            atomic.sweep(aim.parent, aim.name)
        self.file, self._on_disk, self._saved = relative_path(target), data, self.text
        self.moved, self.trouble = False, ""
        self._publish(self._about())

    @property
    def is_saved(self) -> bool:
        """Whether the text is what is on the disk, as far as is known."""
        return self.file is not None and self._is_clean and not self.trouble

    @property
    def _is_clean(self) -> bool:
        """Whether the text is as it was opened, saved or taken."""
        return self.text == self._saved

    @property
    def is_drawn(self) -> bool:
        """Whether all stills are there that the latest text has."""
        return self.number > 0 and self._drawn == self.number

    def follow(self) -> None:
        """The file may have changed on the disk. An unsaved text stays; the page says so."""
        if self.file is None:
            return
        try:
            data = read_file(self.file)
            text = _decoded(data, self.file)
        except StoryboardError as error:
            if str(error) != self.trouble:
                self.trouble = str(error)
                self._publish(self._about())
                if self.watching:
                    self._heard(_unreadable(self.number, error.problems))
            return
        was_lost, was_moved = bool(self.trouble), self.moved
        self.trouble, self.moved = "", data != self._on_disk
        is_news = self.moved or (self.watching and was_lost)
        if is_news and (self.watching or self._is_clean):
            self._take(data, text)
        elif was_lost or was_moved != self.moved:
            self._publish(self._about())

    def take(self) -> None:
        """Take what is on the disk in place of the text.

        Raises:
            StoryboardError: when it cannot be read.
        """
        if self.file is not None:
            data = read_file(self.file)
            self._take(data, _decoded(data, self.file))

    def _take(self, data: bytes, text: str) -> None:
        self._lay(data, text)
        self._publish(self.snapshot())
        self._submit(None)

    def _lay(self, data: bytes, text: str) -> None:
        """Have a text here that is on the disk."""
        self.text = self._saved = text
        self.revision += 1
        self._on_disk, self.moved, self.trouble = data, False, ""

    # The worker

    def _submit(self, first: int | None) -> None:
        if self.file is None or self._loop is None:
            return
        self.number += 1
        drawn = frozenset(self._done)
        self._ask = Ask(self.number, self.file, self.text.encode(), self.wish, first, drawn)
        self._bench.ask(self._ask)
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(PATIENCE, self._lose_patience, self.number)

    def _lose_patience(self, number: int) -> None:
        """Give up a worker in which a stage computes without end."""
        if self.number == number and (self.read is None or self.read.number < number):
            self._bench.end()
            said = f"nothing came of this within {PATIENCE:g} seconds; change it, to try again"
            self._heard(Gone(said))

    def _heard_elsewhere(self, news: News) -> None:
        """News from the thread that listens to the worker."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._heard, news)

    def _heard(self, news: News) -> None:
        match news:
            case Read():
                self._keep_reading(news)
            case Stages(stages):
                self.stages = stages
                self._publish(self._known_stages())
            case Drawn():
                self._keep_still(news)
            case ShotDone():
                self._done.add(news.key)
                if news.failure:
                    self.failures[news.key] = news.failure
                self._publish({"event": "shot", "key": news.key, "failure": news.failure})
            case AllDone():
                self._drawn = news.number
                self._publish({"event": "done", "number": news.number})
            case Gone():
                self._publish({"event": "gone", "how": news.how})

    def _keep_reading(self, read: Read) -> None:
        if read.number < self.number:
            return
        if not read.understood and self.read is not None:
            # What is half typed takes no picture away.
            read = replace(read, shots=self.read.shots, title=self.read.title)
        self._facts |= {shot.stage: shot.facts for shot in read.shots if shot.facts}
        shots = (replace(s, facts=s.facts or self._facts.get(s.stage, ())) for s in read.shots)
        read = replace(read, shots=tuple(shots))
        for key in (shot.key for shot in read.shots):
            if key is not None and key in self.stills:
                self.stills.move_to_end(key)
        self.read = read
        self._tell(read)
        self._publish(self._reading(read))

    def _keep_still(self, still: Drawn) -> None:
        shot = self.stills.setdefault(still.key, [])
        del shot[still.place :]
        shot.append(still)
        self._publish({"event": "still", **_about_still(still)})
        while len(self.stills) > _KEPT:
            key, _ = self.stills.popitem(last=False)
            self._done.discard(key)

    # Those who look

    def listen(self) -> asyncio.Queue[Event | None]:
        """Events from now on, everything there is first; None is the end."""
        queue: asyncio.Queue[Event | None] = asyncio.Queue()
        queue.put_nowait(self.snapshot())
        queue.put_nowait(self._known_stages())
        self._listeners.add(queue)
        return queue

    def leave(self, queue: asyncio.Queue[Event | None]) -> None:
        """No more events."""
        self._listeners.discard(queue)

    def publish(self, event: Event) -> None:
        """Tell everybody who looks."""
        self._publish(event)

    def snapshot(self) -> Event:
        """All there is."""
        shots = self.read.shots if self.read else ()
        return {
            **self._about(),
            "event": "all",
            "text": self.text,
            "revision": self.revision,
            "read": self._reading(self.read) if self.read else None,
            "stills": [
                _about_still(still)
                for shot in shots
                for still in self.stills.get(shot.key or "", ())
            ],
            "done": [shot.key for shot in shots if shot.key in self._done],
            "failures": self.failures,
            "films": [] if self.file else sorted(known_films()),
        }

    def _about(self) -> Event:
        return {
            "event": "file",
            "file": str(self.file) if self.file else None,
            "saved": self.is_saved,
            "moved": self.moved,
            "trouble": self.trouble,
            "watching": self.watching,
            "look": {name: getattr(self.wish, name) for name in ("theme", "aspect", "language")},
        }

    def _reading(self, read: Read) -> Event:
        bare = replace(read, shots=tuple(replace(shot, facts=()) for shot in read.shots))
        return {"event": "read", **asdict(bare)}

    def _known_stages(self) -> Event:
        return {"event": "stages", "stages": [[s.name, s.about] for s in self.stages]}

    def _publish(self, event: Event) -> None:
        for listener in self._listeners:
            listener.put_nowait(event)


def _about_still(still: Drawn) -> Event:
    """A still without its picture, which has an address of its own."""
    return {
        "number": still.number,
        "key": still.key,
        "place": still.place,
        "beat": still.beat,
        "sentence": still.sentence,
        "alt": still.alt,
        "src": f"stills/{still.key}/{still.place}.png",
    }


def _decoded(data: bytes, file: Path) -> str:
    """The text of a file, its lines ended as they are on a page.

    Raises:
        StoryboardError: when it is no text.
    """
    return decode_text(data, str(file)).replace("\r\n", "\n")


def _version(data: bytes) -> str:
    return sha256(data).hexdigest()


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Have no other studio look at or replace files in a folder meanwhile, where there are locks.

    Raises:
        Busy: when one does, and does not come to an end.
    """
    handle = os.open(folder, os.O_RDONLY)
    try:
        end = time.monotonic() + _TURN
        while not _taken(handle):
            if time.monotonic() > end:
                raise Busy(f"another program is saving into {relative_path(folder)}; try again")
            time.sleep(0.01)
        yield
    finally:
        os.close(handle)


def _taken(handle: int) -> bool:
    try:
        return lock_descriptor(handle, blocking=False)
    except OSError:  # a file system without locks
        return True


def _unreadable(number: int, problems: tuple[Problem, ...]) -> Read:
    remarks = first_of(
        Remark(p.line, p.column, p.message, "error", None, str(p).removesuffix(p.message))
        for p in problems
    )
    return Read(number, "", (), remarks, False, 1280, 720)
