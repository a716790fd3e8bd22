"""A render that is killed at random moments and whose files are damaged at random.

Whatever happened, the next run makes the film, byte for byte as if nothing had, and cleans up.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.pipeline.project import PATIENCE, Project, wait_until

SHOTS = ("stage: tiny.moving\nid: one\ninputs: {moves: 0}", "stage: tiny.moving\nid: two")
COMMAND = ("render", "film", "-ql")
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
MOST_DAMAGED = 6
STRANGER = "something"
"""A file that is none of Clockhead's, and may stay where it is."""
NOTHING, SHORTER = "with nothing", 0.4
"""From nothing a film takes its time; with its clips, about this part of it."""


@dataclass(frozen=True)
class Trial:
    """A project, its film as it is when nobody disturbs it, and how long that takes."""

    project: Project
    film: dict[str, bytes]
    seconds: float

    @classmethod
    def make(cls, root: Path) -> Trial:
        project = Project.make(root)
        project.write("film", *SHOTS)
        began = time.monotonic()
        done = project.run(*COMMAND)
        assert done.returncode == 0, done.stderr
        return cls(project, _contents(project.folder("film")), time.monotonic() - began)

    def play(self, seed: int) -> str:
        """Kill a run, damage what is there, and see the next run mend it; what was done."""
        rng = random.Random(seed)
        begin = self._set_out(rng)
        story = [f"seed {seed}", begin, self._kill(rng, begin)]
        try:
            wait_until(lambda: not self.project.processes())
            if (self.project.folder("film") / "film.mp4").exists():
                assert self._found() == self.film, "what looks whole is not"
            story += [self._damage(rng) for _ in range(rng.randint(0, MOST_DAMAGED))]
            self._mend()
        except AssertionError as error:
            raise AssertionError("; ".join([*story, str(error)])) from error
        return "; ".join(story)

    def ruin(self, turn: int) -> str:
        """Damage everything there is, in ways that go round with `turn`, and see it mended."""
        places = self._places(self.project.folder("film"))
        places += self._places(self.project.root / "media/.clips")
        ways = sorted(DAMAGES)
        rng = random.Random(turn)
        story = [f"turn {turn}"]
        for number, path in enumerate(places):
            how = ways[(number + turn) % len(ways)]
            if os.path.lexists(path):  # its folder may be damaged already
                DAMAGES[how](path, rng)
                story.append(f"{path.name}: {how}")
        try:
            self._mend()
        except AssertionError as error:
            raise AssertionError("; ".join([*story, str(error)])) from error
        return "; ".join(story)

    def _set_out(self, rng: random.Random) -> str:
        """Begin with nothing, with clips and no film, or with the film."""
        begin = rng.choice([NOTHING, NOTHING, "with clips", "with clips", "with a film"])
        if begin == NOTHING:
            shutil.rmtree(self.project.root / "media")
        if begin == "with clips":
            shutil.rmtree(self.project.folder("film"))
        return begin

    def _kill(self, rng: random.Random, begin: str) -> str:
        process = self.project.start(*COMMAND)
        delay = rng.uniform(0, self.seconds * (1 if begin == NOTHING else SHORTER))
        with suppress(subprocess.TimeoutExpired):
            process.wait(delay)
        number, whom = rng.choice(SIGNALS), rng.choice(["it", "it", "its group", "one of its own"])
        pid = process.pid
        if whom == "one of its own":
            pid, number = rng.choice([process.pid, *self.project.processes()]), signal.SIGKILL
        with suppress(ProcessLookupError):
            (os.killpg if whom == "its group" else os.kill)(pid, number)
        process.communicate(timeout=PATIENCE)
        return f"{signal.Signals(number).name} to {whom} after {delay:.3f} s"

    def _damage(self, rng: random.Random) -> str:
        """Do something to a file, or to a folder in which only Clockhead writes."""
        media = self.project.root / "media"
        places = self._places(media)
        if not places:
            return "nothing to damage"
        path, how = rng.choice(places), rng.choice(list(DAMAGES))
        DAMAGES[how](path, rng)
        return f"{path.relative_to(media)}: {how}"

    @staticmethod
    def _places(folder: Path) -> list[Path]:
        return [path for path in sorted(folder.rglob("*")) if not _is_kept(path)]

    def _mend(self) -> None:
        done = self.project.run(*COMMAND)
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr, done.stderr
        found = self._found()
        wrong = [
            name for name in found.keys() | self.film if found.get(name) != self.film.get(name)
        ]
        assert not wrong, f"not as it was: {wrong}"
        wait_until(lambda: not self.project.processes())
        assert self.project.leftovers() == [], self.project.leftovers()

    def _found(self) -> dict[str, bytes]:
        return _contents(self.project.folder("film"))


def _contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.name not in (".lock", STRANGER) and path.is_file()
    }


def _is_kept(path: Path) -> bool:
    """Whether it is the folder of a film, in which others may put things too."""
    return path.is_dir() and path.name not in (".clips", "clips", ".staging")


def _gone(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def _in_place(put: Callable[[Path], object]) -> Callable[[Path, random.Random], None]:
    def damage(path: Path, _: random.Random) -> None:
        _gone(path)
        put(path)

    return damage


def _change(path: Path, change: Callable[[bytes], bytes]) -> None:
    """Only a file's content: what a pipe or a folder holds stays."""
    if path.is_file():
        path.chmod(0o644)
        path.write_bytes(change(path.read_bytes()))


def _folder(path: Path) -> None:
    path.mkdir()
    (path / STRANGER).write_text("in it")


DAMAGES: dict[str, Callable[[Path, random.Random], object]] = {
    "deleted": _in_place(lambda path: None),
    "truncated": lambda path, rng: _change(
        path, lambda data: data[: int(len(data) * rng.random())]
    ),
    "emptied": lambda path, _: _change(path, lambda _: b""),
    "garbage": lambda path, rng: _change(path, lambda data: rng.randbytes(len(data))),
    "one wrong byte": lambda path, rng: _change(path, lambda data: _with_wrong_byte(data, rng)),
    "unreadable": lambda path, _: path.chmod(0) if path.is_file() else None,
    "a folder": _in_place(_folder),
    "a file": _in_place(Path.touch),
    "a pipe": _in_place(os.mkfifo),
    "a link to itself": _in_place(lambda path: path.symlink_to(path.name)),
    "a link to nowhere": _in_place(lambda path: path.symlink_to("nowhere")),
}


def _with_wrong_byte(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data)) if data else 0
    return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
