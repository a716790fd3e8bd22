"""A real Dask scheduler and real workers on loopback, each in a folder of its own."""

import os
import re
import signal
import subprocess
import sys
from contextlib import ExitStack, contextmanager

import av
import pytest

from tests.pipeline.project import PATIENCE, TINY, Project, wait_until, without_progress

pytestmark = pytest.mark.xdist_group("cluster")

pytest.importorskip("distributed")

QUICK = "stage: tiny.moving\nid: quick"
WAITING = "stage: tiny.waiting\nid: waiting"
SCHEDULER = ["-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
WORKER = ["-m", "distributed.cli.dask_worker", "--nthreads", "1", "--no-nanny", "--no-dashboard"]


@contextmanager
def started(project, *args):
    """A process in a project's folder, its messages in a file; ended afterwards."""
    log = project.root / f"log-{len(list(project.root.glob('log-*')))}"
    with log.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, *args],
            cwd=project.root,
            env=project.environment() | {"PYTHONPATH": str(project.root / "src")},
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    try:
        yield process, log
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """The address of a scheduler with two workers, the workers' project and processes."""
    theirs = Project.make(tmp_path_factory.mktemp("theirs"))
    with ExitStack() as stack:
        scheduler, log = stack.enter_context(
            started(theirs, *SCHEDULER, "--no-dashboard", "--no-show")
        )
        wait_until(lambda: "tcp://127.0.0.1:" in log.read_text() or scheduler.poll() is not None)
        [address, *_] = re.findall(r"tcp://127\.0\.0\.1:\d+", log.read_text())
        workers = [stack.enter_context(started(theirs, *WORKER, address)) for _ in range(2)]
        wait_until(lambda: all("Registered to" in log.read_text() for _, log in workers))
        yield address, theirs, [process for process, _ in workers]


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    """Where the command is given: a copy of the same project, somewhere else."""
    project = Project.make(tmp_path_factory.mktemp("ours"))
    project.write("film", QUICK, WAITING)
    return project


def frames(project):
    with av.open(str(project.folder("film") / "film.mp4")) as container:
        return sum(1 for _ in container.decode(video=0))


def test_other_sources_on_the_workers_are_refused(cluster, ours):
    address, _, _ = cluster
    theme = ours.root / "src/clockhead/scenes/style/theme.py"
    before = theme.read_text()
    theme.write_text(before + "# edited\n")
    done = ours.run("render", "film", "-ql", "--scheduler", address)
    theme.write_text(before)
    assert done.returncode == 1
    assert "runs other sources or versions than this machine" in done.stderr


def test_clips_come_back_as_bytes_and_a_killed_worker_is_replaced_by_another(cluster, ours):
    address, theirs, workers = cluster
    theirs.mark("wait")
    process = ours.start("render", "film", "-ql", "--scheduler", address)
    victim = theirs.worker()
    assert victim in [worker.pid for worker in workers]
    os.kill(victim, signal.SIGKILL)
    assert theirs.worker(but=frozenset({victim})) != victim
    theirs.unmark("wait")
    _, err = process.communicate(timeout=PATIENCE)
    assert without_progress(err) == "film: 2 of 2 shots rendered now\n"
    assert process.returncode == 0
    assert frames(ours) == ours.manifest("film")["frames"]
    assert not (theirs.root / "media").exists()


def test_the_clips_are_those_that_this_machine_would_have_made(cluster, ours):
    address, _, _ = cluster
    ours.write("same", QUICK + "\ninputs: {moves: 4}")
    ours.run("render", "same", "-ql", "--scheduler", address)
    before = ours.manifest("same")
    for clip in (ours.root / "media/.clips").glob("*.clip"):
        clip.unlink()
    (ours.folder("same") / "same.mp4").unlink()
    done = ours.run("render", "same", "-ql")
    assert done.stderr == "same: 1 of 1 shot rendered now\n"
    assert ours.manifest("same") == before


def test_a_failing_shot_says_why(cluster, ours):
    address, theirs, _ = cluster
    theirs.mark("fail")
    ours.write("bad", "stage: tiny.broken\nid: lost")
    done = ours.run("render", "bad", "-ql", "--scheduler", address)
    assert done.returncode == 1
    assert f"bad: lost: RuntimeError: the square got lost ({TINY}/broken.py, line " in done.stderr


def test_a_cluster_without_workers_is_refused(ours):
    with started(ours, *SCHEDULER, "--no-dashboard", "--no-show") as (_, log):
        wait_until(lambda: "tcp://127.0.0.1:" in log.read_text())
        [address, *_] = re.findall(r"tcp://127\.0\.0\.1:\d+", log.read_text())
        ours.write("new", QUICK.replace("quick", "other") + "\nhold: 0.3")
        done = ours.run("render", "new", "-ql", "--scheduler", address)
    assert done.returncode == 1
    assert "has no workers; start some with: dask worker" in done.stderr
