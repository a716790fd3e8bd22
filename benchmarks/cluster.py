"""What more workers are worth: the same jobs on a Dask cluster of 1, 2 and 4 workers here.

    python -m benchmarks.cluster --film previous_token -q m
    python -m benchmarks.cluster --tiny

Every worker computes with one thread. The clips are rendered anew in every round, and neither kept
nor put together, so that what is timed is the work of the cluster: the jobs going out, being done
and coming back. The efficiency of n workers is the time of one by n times theirs; beyond the
cores of this machine it can only fall. `--tiny` takes quick jobs that draw nothing, to try this
program. The table replaces the last one in `benchmarks/README.md`; of `--tiny` it is only printed.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from benchmarks.readme import write_table
from clockhead.clips import machine
from clockhead.clips.clip import ClipJob, Failure, Report
from clockhead.clips.jobs import open_crew, run
from clockhead.clips.render import pack, render_clip
from clockhead.look import QUALITIES, Wish
from clockhead.places import PACKAGE
from clockhead.storyboard.films import load_films

WORKERS = (1, 2, 4)
ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "RAYON")}
PATIENCE = 120
TINY_JOBS = 40


def main() -> None:
    """Print a table, and write it down."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--film", default="previous_token")
    parser.add_argument("-q", "--quality", choices=QUALITIES, default="l")
    parser.add_argument("--tiny", action="store_true", help="quick jobs that draw nothing")
    arguments = parser.parse_args()
    if arguments.tiny:
        jobs = {str(n): pack(wait, 0.1) for n in range(TINY_JOBS)}
        what = f"{TINY_JOBS} jobs that wait"
    else:
        jobs = shots(arguments.film, arguments.quality)
        what = f"{arguments.film}, {len(jobs)} shots, {QUALITIES[arguments.quality]}"
    table = tabulate(what, {n: timed(n, jobs) for n in WORKERS})
    print(table)
    if not arguments.tiny:
        write_table("cluster", table)


def wait(seconds: float, report: Report) -> None:
    """A job that takes no core."""
    report(0)
    time.sleep(seconds)


def shots(name: str, quality: str) -> dict[str, bytes]:
    """The jobs of a film."""
    [film] = load_films([name], wish=Wish(QUALITIES[quality]))
    return {
        shot.id: pack(render_clip, ClipJob(shot.stage, shot.shot, film.look)) for shot in film.shots
    }


def timed(n_workers: int, jobs: Mapping[str, bytes]) -> float:
    """Seconds that a cluster takes for the jobs, once every worker has begun to draw."""
    outcomes: dict[str, Any] = {}
    with cluster(n_workers) as address, open_crew(1, address, lambda *_: None) as crew:
        run(crew, {f"warm {n}": pack(warm, n) for n in range(4 * n_workers)}, lambda *_: None)
        begun = time.monotonic()
        run(crew, jobs, outcomes.__setitem__)
        seconds = time.monotonic() - begun
    for name, outcome in outcomes.items():
        assert not isinstance(outcome, Failure), f"{name}: {outcome.reason}"
    assert outcomes.keys() == jobs.keys()
    return seconds


def warm(_: int, report: Report) -> None:
    """Import what drawing takes, which a worker does once."""
    import clockhead.clips.drawing  # noqa: F401

    time.sleep(0.5)


@contextmanager
def cluster(n_workers: int) -> Iterator[str]:
    """The address of a scheduler with so many workers, each a process with one thread."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as held:
        begin = [sys.executable, "-m"]
        options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"]
        log = Path(folder) / "scheduler"
        held.enter_context(started([*begin, "distributed.cli.dask_scheduler", *options], log))
        address = said(log, r"tcp://127\.0\.0\.1:\d+")
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", address]
        logs = [Path(folder) / f"worker-{n}" for n in range(n_workers)]
        for log in logs:
            held.enter_context(started([*begin, "distributed.cli.dask_worker", *options], log))
        for log in logs:
            said(log, "Registered to")
        yield address


@contextmanager
def started(command: list[str], log: Path) -> Iterator[None]:
    """A process, its messages in a file."""
    paths = os.pathsep.join(map(str, (PACKAGE.parent, Path(__file__).resolve().parents[1])))
    environment = {**os.environ, **ONE_THREAD, "PYTHONPATH": paths}
    with log.open("w") as out:
        process = subprocess.Popen(
            command, env=environment, stdout=out, stderr=subprocess.STDOUT, cwd=log.parent
        )
    try:
        yield
    finally:
        process.kill()
        process.wait()


def said(log: Path, pattern: str) -> str:
    """What a process says, once it does."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if match := re.search(pattern, log.read_text()):
            return match[0]
        time.sleep(0.05)
    raise SystemExit(f"it never came: {pattern}\n{log.read_text()}")


def tabulate(what: str, seconds: Mapping[int, float]) -> str:
    """A Markdown table; the first row is what the others are compared with."""
    fewest, alone = next(iter(seconds.items()))
    lines = [
        f"{what}. {machine.cores()} cores, Python {platform.python_version()}, a thread a worker.",
        "",
        "| workers | wall s | times as fast | efficiency |",
        "|---:|---:|---:|---:|",
    ]
    for n, wall in seconds.items():
        faster = alone / wall
        lines.append(f"| {n} | {wall:.1f} | {faster:.2f} | {fewest * faster / n:.0%} |")
    return "\n".join(lines)


if __name__ == "__main__":
    # By its name: what workers unpickle is not to be of `__main__`.
    from benchmarks import cluster as named

    named.main()
