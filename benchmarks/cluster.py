"""Time the same jobs on a local Dask cluster of 1, 2 and 4 workers.

    python -m benchmarks.cluster --film previous_token -q m
    python -m benchmarks.cluster --tiny

Every worker uses one thread. Clips are rendered anew in every round, and neither stored nor
joined: only the cluster is timed, from sending the jobs to receiving the results. The efficiency of
n workers is the time of one worker divided by n times theirs; with more workers than cores it can
only fall. `--tiny` runs short jobs that draw nothing, to try this program, and only prints its
table. Otherwise the table replaces the one in `benchmarks/README.md`.
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
    """Print a table, and write it into the README."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--film", default="previous_token")
    parser.add_argument("-q", "--quality", choices=QUALITIES, default="l")
    parser.add_argument("--tiny", action="store_true", help="quick jobs that draw nothing")
    arguments = parser.parse_args()
    if arguments.tiny:
        jobs = {str(n): pack(wait, 0.1) for n in range(TINY_JOBS)}
        what = f"{TINY_JOBS} jobs that wait"
    else:
        jobs = film_jobs(arguments.film, arguments.quality)
        what = f"{arguments.film}, {len(jobs)} shots, {QUALITIES[arguments.quality]}"
    table = tabulate(what, {n: time_jobs(n, jobs) for n in WORKERS})
    print(table)
    if not arguments.tiny:
        write_table("cluster", table)


def wait(seconds: float, report: Report) -> None:
    """A job that only waits."""
    report(0)
    time.sleep(seconds)


def film_jobs(name: str, quality: str) -> dict[str, bytes]:
    """A job for each shot of a film, by the id of the shot."""
    [film] = load_films([name], wish=Wish(QUALITIES[quality]))
    return {
        shot.id: pack(render_clip, ClipJob(shot.stage, shot.shot, film.look)) for shot in film.shots
    }


def time_jobs(n_workers: int, jobs: Mapping[str, bytes]) -> float:
    """Seconds that a cluster of warmed-up workers takes for the jobs."""
    outcomes: dict[str, Any] = {}
    with start_cluster(n_workers) as address, open_crew(1, address, lambda *_: None) as crew:
        run(crew, {f"warm {n}": pack(warm_up, n) for n in range(4 * n_workers)}, lambda *_: None)
        began = time.monotonic()
        run(crew, jobs, outcomes.__setitem__)
        seconds = time.monotonic() - began
    for name, outcome in outcomes.items():
        assert not isinstance(outcome, Failure), f"{name}: {outcome.reason}"
    assert outcomes.keys() == jobs.keys()
    return seconds


def warm_up(_: int, report: Report) -> None:
    """Import what drawing needs, so that no timed job has to."""
    import clockhead.clips.drawing  # noqa: F401

    time.sleep(0.5)


@contextmanager
def start_cluster(n_workers: int) -> Iterator[str]:
    """Run a scheduler and workers with one thread each; yield the scheduler's address."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as held:
        begin = [sys.executable, "-m"]
        options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"]
        log = Path(folder) / "scheduler"
        held.enter_context(run_process([*begin, "distributed.cli.dask_scheduler", *options], log))
        address = wait_for(log, r"tcp://127\.0\.0\.1:\d+")
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", address]
        logs = [Path(folder) / f"worker-{n}" for n in range(n_workers)]
        for log in logs:
            held.enter_context(run_process([*begin, "distributed.cli.dask_worker", *options], log))
        for log in logs:
            wait_for(log, "Registered to")
        yield address


@contextmanager
def run_process(command: list[str], log: Path) -> Iterator[None]:
    """Run a process with its output in a file; kill it at the end."""
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


def wait_for(log: Path, pattern: str) -> str:
    """Wait until a log matches a pattern; return the match."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if match := re.search(pattern, log.read_text()):
            return match[0]
        time.sleep(0.05)
    raise SystemExit(f"no {pattern} in the log after {PATIENCE} s:\n{log.read_text()}")


def tabulate(what: str, seconds: Mapping[int, float]) -> str:
    """A Markdown table; all rows are compared with the first."""
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
    # Workers import pickled functions by module, which must not be `__main__`.
    from benchmarks import cluster

    cluster.main()
