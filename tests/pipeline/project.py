"""A copy of Clockhead with tiny stages, for tests that render, edit and kill."""

from __future__ import annotations

import compileall
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clockhead.libraries import BUILT_IN, PROJECT
from clockhead.places import PACKAGE

ROOT = Path(__file__).resolve().parents[2]
MAIN = "from clockhead.__main__ import main; main()"
COMMAND = [sys.executable, "-c", MAIN]
LOOK = "480p15"
"""The folder of films rendered with -ql."""
TINY = "src/clockhead/scenes/tiny"
"""The folder of the tiny stages in the copy."""
PATIENCE = 120.0
PROGRESS = re.compile(
    r"^[\w-]+: [\w-]+: ((rendering( without background)?|drawing stills)( again)?"
    r"|(done|failed) \(\d+/\d+\))\n",
    re.M,
)

Process = subprocess.Popen[str]
Completed = subprocess.CompletedProcess[str]

FILM = """\
version: 1
title: The tiny film
credit: Nobody in particular
shots:
"""


@dataclass(frozen=True)
class Project:
    """A copy of Clockhead, and files (`marks`) that control its stages."""

    root: Path

    @classmethod
    def make(cls, root: Path) -> Project:
        scenes = ROOT / "src/clockhead/scenes"

        def films(folder: str, names: list[str]) -> list[str]:
            return BUILT_IN.films if Path(folder) == scenes else []

        shutil.copytree(ROOT / "src", root / "src", ignore=films)
        scenes = root / "src/clockhead/scenes"
        shutil.copytree(Path(__file__).with_name("tiny"), scenes / "tiny")
        compileall.compile_dir(root / "src", quiet=1)
        for folder in ("storyboards", "marks", "tmp"):
            (root / folder).mkdir()
        return cls(root)

    @property
    def marks(self) -> Path:
        return self.root / "marks"

    def write(self, name: str, *shots: str) -> None:
        """Write a film of these shots, each given as the lines of its entry."""
        entries = "".join("  - " + "\n    ".join(shot.strip().split("\n")) + "\n" for shot in shots)
        (self.root / "storyboards" / f"{name}.yaml").write_text(FILM + entries)

    def folder(self, film: str) -> Path:
        return self.root / "media" / film / LOOK

    def manifest(self, film: str) -> dict[str, Any]:
        manifest: dict[str, Any] = json.loads((self.folder(film) / f"{film}.json").read_text())
        return manifest

    def start(self, *args: str, limit: int | None = None, code: str = MAIN) -> Process:
        """Start a command in a process group of its own.

        It cannot write files of more than `limit` bytes.
        """
        return start([sys.executable, "-c", code, *args], self.root, self.environment(), limit)

    def run(self, *args: str, limit: int | None = None) -> Completed:
        """Run a command; its output is without lines of progress."""
        return _wait(self.start(*args, limit=limit))

    def python(self, script: Path, *args: str) -> str:
        """Run a script inside the project; returns its output."""
        command = (sys.executable, "-W", "ignore", script, *args)
        return output(*command, cwd=self.root, env=self.environment(), timeout=PATIENCE)

    def environment(self) -> dict[str, str]:
        others = {name: value for name, value in os.environ.items() if name != PROJECT}
        return others | {
            "MARKS": str(self.marks),
            "TMPDIR": str(self.root / "tmp"),
            "PYTHONPATH": str(self.root / "src"),
            "PYTHONDONTWRITEBYTECODE": "1",  # stale if edited twice in a second
        }

    def mark(self, name: str) -> None:
        (self.marks / name).touch()

    def unmark(self, name: str) -> None:
        (self.marks / name).unlink(missing_ok=True)

    def worker(self, but: frozenset[int] = frozenset()) -> int:
        """The id of the process that draws a `Waiting` stage; waits for it."""
        found: list[int] = []

        def there() -> bool:
            pids = {int(path.name[4:]) for path in self.marks.glob("pid-*")}
            found[:] = sorted(pids - but)
            return bool(found)

        wait_until(there)
        return found[0]

    def leftovers(self) -> list[str]:
        """Temporary files that were left behind."""
        places = [self.root / "tmp", self.root / "media"]
        return [
            str(path)
            for place in places
            for path in place.rglob("*")
            if place.name == "tmp" or path.suffix == ".tmp" or path.name == ".staging"
        ]

    def processes(self) -> list[int]:
        """Ids of the processes that run in this project's folder."""
        found = []
        for proc in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if (proc / "cwd").resolve() == self.root and is_alive(int(proc.name)):
                    found.append(int(proc.name))
        return found


def run_module(
    module: str, *args: str, cwd: Path, paths: Sequence[Path] = (PACKAGE.parent,)
) -> Completed:
    """Run `python -P -m MODULE` as if Clockhead were installed."""
    others = {name: value for name, value in os.environ.items() if name != PROJECT}
    ours = {"PYTHONPATH": os.pathsep.join(map(str, paths))}
    return _wait(start([sys.executable, "-P", "-m", module, *args], cwd, others | ours))


def start(
    command: Sequence[str | Path], cwd: Path, environment: dict[str, str], limit: int | None = None
) -> Process:
    """Start a process in a group of its own that cannot write files of more than `limit` bytes."""

    def bound_files() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.Popen(
        command,
        cwd=cwd,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=bound_files,
    )


def output(*command: str | Path, **options: Any) -> str:
    """What a program prints; it has to end well."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def is_alive(pid: int) -> bool:
    """Whether a process runs, and is no zombie."""
    try:
        os.kill(pid, 0)
        status = Path(f"/proc/{pid}/stat").read_text()
    except ProcessLookupError:
        return False
    except FileNotFoundError:  # it has just ended, or the system is not Linux
        return not Path("/proc").exists()
    return status.rpartition(")")[2].split()[0] != "Z"


def without_progress(output: str) -> str:
    """The output of a command without lines of progress."""
    return PROGRESS.sub("", output)


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait until a condition holds; fail after `PATIENCE`."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.02)


def _wait(process: Process) -> Completed:
    out, err = process.communicate(timeout=PATIENCE)
    code = process.wait()
    return subprocess.CompletedProcess(process.args, code, out, without_progress(err))
