"""A real Dask scheduler and real workers on loopback, each in a folder of its own."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import av
import pytest

from clockhead.clips.clip import CrewError
from clockhead.clips.jobs import open_crew, run
from clockhead.clips.render import pack
from tests.pipeline import tasks
from tests.pipeline.footage import shown
from tests.pipeline.project import PATIENCE, ROOT, TINY, Project, wait_until, without_progress

pytestmark = pytest.mark.xdist_group("cluster")

pytest.importorskip("distributed")
dask = pytest.importorskip("dask")

QUICK = "stage: tiny.moving\nid: quick"
WAITING = "stage: tiny.waiting\nid: waiting"
SCHEDULER = ["-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
WORKER = ["-m", "distributed.cli.dask_worker", "--nthreads", "1", "--no-nanny", "--no-dashboard"]
JOBS = 200
OPENSSL = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=clockhead"


@contextmanager
def running(folder, environment, *args):
    """A Python process in a folder, and the file with its messages; ended afterwards."""
    log = folder / f"log-{len(list(folder.glob('log-*')))}"
    with log.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, *args],
            cwd=folder,
            env=environment,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    try:
        yield process, log
    finally:
        process.kill()
        process.wait()


def address_in(log, protocol="tcp"):
    """Where a scheduler listens, once it says so."""
    found = []

    def said():
        found[:] = re.findall(rf"{protocol}://127\.0\.0\.1:\d+", log.read_text())
        return bool(found)

    wait_until(said)
    return found[0]


@contextmanager
def here(folder, n_workers, *options, protocol="tcp", environment=None, **others):
    """A scheduler of this very copy of Clockhead: its address, its process and its workers'."""
    paths = os.pathsep.join(map(str, (ROOT / "src", ROOT)))
    environment = environment or {**os.environ, "PYTHONPATH": paths, **others}
    with ExitStack() as stack:
        scheduler, log = stack.enter_context(
            running(folder, environment, *SCHEDULER, "--no-dashboard", "--no-show", *options)
        )
        address = address_in(log, protocol)
        started = [
            stack.enter_context(running(folder, environment, *WORKER, address))
            for _ in range(n_workers)
        ]
        wait_until(lambda: all("Registered to" in log.read_text() for _, log in started))
        yield address, scheduler, [process for process, _ in started]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """The address of a scheduler with two workers, the workers' project and processes."""
    theirs = Project.make(tmp_path_factory.mktemp("theirs"))
    with here(theirs.root, 2, environment=theirs.environment()) as (address, _, workers):
        yield address, theirs, workers


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    """Where the command is given: a copy of the same project, somewhere else."""
    project = Project.make(tmp_path_factory.mktemp("ours"))
    project.write("film", QUICK, WAITING)
    return project


def frames(project):
    with av.open(str(project.folder("film") / "film.mp4")) as container:
        return sum(1 for _ in shown(container))


def test_other_sources_on_the_workers_are_refused(cluster, ours):
    address, _, _ = cluster
    theme = ours.root / "src/clockhead/scenes/style/theme.py"
    before = theme.read_text()
    theme.write_text(before + "# edited\n")
    done = ours.run("render", "film", "-ql", "--scheduler", address)
    theme.write_text(before)
    assert done.returncode == 1
    assert "runs other sources or versions than this machine" in done.stderr


def test_clips_come_back_although_a_worker_is_killed(cluster, ours):
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


def test_clips_of_a_cluster_equal_local_ones(cluster, ours):
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
    with here(ours.root, 0, environment=ours.environment()) as (address, _, _):
        ours.write("new", QUICK.replace("quick", "other") + "\nhold: 0.3")
        done = ours.run("render", "new", "-ql", "--scheduler", address)
    assert done.returncode == 1
    assert "has no workers; start some with: dask worker" in done.stderr


def results(crew):
    """The keys of those that the cluster still has."""
    return {key for keys in crew._client.has_what().values() for key in keys}


def test_a_killed_worker_loses_and_repeats_no_finished_job(tmp_path):
    marks = tmp_path / "marks"
    marks.mkdir()
    outcomes = {}
    with here(tmp_path, 2) as (address, _, [victim, _]):

        def done(name, outcome):
            outcomes[name] = len(outcome)
            if len(outcomes) == JOBS // 2:
                remembered = results(crew)
                wait_until(lambda: not remembered & results(crew))  # the cluster hears of it later
                victim.kill()

        jobs = {str(n): pack(tasks.noted, (marks / str(n), 100_000)) for n in range(JOBS)}
        with open_crew(1, address, lambda *_: None) as crew:
            run(crew, jobs, done)
    assert outcomes == {str(n): 100_000 for n in range(JOBS)}
    begun = {file.name: file.read_text().count("begun") for file in marks.iterdir()}
    assert begun.keys() == outcomes.keys()
    handed_over = list(outcomes)[: JOBS // 2]
    assert {begun[name] for name in handed_over} == {1}


def test_a_result_is_fetched_at_once_and_released(tmp_path):
    with (
        here(tmp_path, 1) as (address, _, [worker]),
        open_crew(1, address, lambda *_: None) as crew,
    ):
        promise = crew.submit("one", pack(tasks.echo, "you"))
        wait_until(promise.done)
        wait_until(lambda: not any(crew._client.has_what().values()))
        worker.kill()
        worker.wait()
        assert promise.result() == "you back"


def test_a_dead_scheduler_is_reported(tmp_path, capfd):
    lost = r"the scheduler at tcp://127\.0\.0\.1:\d+ is gone, or the connection to it; what is"
    with here(tmp_path, 1) as (address, scheduler, _):

        def begun(name, frames):
            scheduler.kill()

        jobs = {"long": pack(tasks.sleep_after_word, tmp_path / "mark")}
        with pytest.raises(CrewError, match=lost), open_crew(1, address, begun) as crew:
            run(crew, jobs, lambda *_: None)
    assert capfd.readouterr().err == ""


def test_a_worker_without_clockhead_is_reported(tmp_path):
    bare = {**os.environ, "PYTHONPATH": sysconfig.get_path("purelib")}
    with (
        here(tmp_path, 1) as (address, _, _),
        open_crew(1, address, lambda *_: None) as crew,
        running(tmp_path, bare, "-S", *WORKER, address) as (_, log),
    ):
        wait_until(lambda: "Registered to" in log.read_text())
        [its] = re.findall(r"Start worker at: +(\S+)", log.read_text())
        with pytest.raises(CrewError) as refused:
            run(crew, {"a": pack(tasks.echo, 1)}, lambda *_: None)
    assert str(refused.value).startswith(
        f"the worker at {its} has no clockhead; install clockhead "
    )


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl for a certificate")
def test_a_cluster_with_certificates(tmp_path):
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = [*OPENSSL.split(), "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(made, check=True, capture_output=True)
    config = {"ca-file": str(certificate)}
    for role in ("scheduler", "worker", "client"):
        config |= {f"{role}.key": str(key), f"{role}.cert": str(certificate)}
    variable = str.maketrans(".-", "__")
    told = {
        f"DASK_DISTRIBUTED__COMM__TLS__{name.replace('.', '__').translate(variable).upper()}": path
        for name, path in config.items()
    }
    outcomes = {}
    with here(tmp_path, 1, "--protocol", "tls", protocol="tls", **told) as (address, _, _):
        with pytest.raises(CrewError, match="tls:// takes certificates: name them in Dask"):
            open_crew(1, address, lambda *_: None).__enter__()
        with pytest.raises(CrewError, match="there is no Dask scheduler at tcp://"):
            open_crew(1, address.replace("tls:", "tcp:"), lambda *_: None).__enter__()
        ours = dask.config.set({f"distributed.comm.tls.{k}": v for k, v in config.items()})
        with ours, open_crew(1, address, lambda *_: None) as crew:
            run(crew, {"a": pack(tasks.echo, "you")}, outcomes.__setitem__)
    assert outcomes == {"a": "you back"}


@contextmanager
def answering(*answer: bytes, ends: bool = False) -> Iterator[int]:
    """A port at which something else than Dask answers, or nothing does."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        held = []

        def serve() -> None:
            with suppress(OSError):
                while True:
                    held.append(server.accept()[0])
                    for part in answer:
                        held[-1].sendall(part)
                    if ends:
                        held[-1].close()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
        thread.join()
        for one in held:
            one.close()


@pytest.mark.parametrize("protocol", ["tcp", "ws"])
@pytest.mark.parametrize(
    "answer",
    [(), (b"HTTP/1.0 400 Bad request\r\n\r\n<html>",), (b"\x07" * 64,), (b"SSH-2.0-x\r\n",)],
)
@pytest.mark.parametrize("ends", [True, False])
def test_an_address_without_a_scheduler_is_soon_reported(monkeypatch, protocol, answer, ends):
    monkeypatch.setattr("clockhead.clips.cluster._TIME_TO_CONNECT", 0.5)
    began = time.monotonic()
    with answering(*answer, ends=ends) as port, pytest.raises(CrewError) as refused:
        open_crew(1, f"{protocol}://127.0.0.1:{port}", lambda *_: None).__enter__()
    assert time.monotonic() - began < 5
    told = str(refused.value)
    assert told.startswith(f"there is no Dask scheduler at {protocol}://127.0.0.1:{port}: ")
    assert told.isprintable()


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("tcp://somewhere", "the port is missing; the default is tcp://"),
        ("somewhere", "the port is missing; the default is tcp://some"),
        ("somewhere:8786", "write tcp://somewhere:8786, or tls://"),
        ("tcp://somewhere:99999", "there is no port 99999"),
        ("nonsense://somewhere:8786", "write tcp://HOST:PORT, or tls://HOST:PORT"),
    ],
)
def test_an_invalid_address_is_reported_without_connecting(address, said):
    with pytest.raises(CrewError) as refused:
        open_crew(1, address, lambda *_: None).__enter__()
    assert str(refused.value).startswith(f"there is no Dask scheduler at {address}: {said}")
