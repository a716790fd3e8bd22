"""Jobs in worker processes: results, failures, and workers that die."""

import os
import signal
import sys
import threading
from pathlib import Path

import pytest

from clockhead.clips import machine
from clockhead.clips.clip import CrewError, Failure
from clockhead.clips.jobs import default_workers, open_crew, run, server_environment
from clockhead.clips.render import pack
from clockhead.libraries import BUILT_IN
from tests.pipeline import tasks
from tests.pipeline.project import is_alive, start, wait_until

FILMS = BUILT_IN.films


def perform(*jobs, workers=2):
    """The outcomes of (name, task, argument), and the progress that was reported."""
    outcomes = {}
    progress = []
    with open_crew(workers, None, lambda name, frames: progress.append((name, frames))) as crew:
        packed = {name: pack(task, argument) for name, task, argument in jobs}
        run(crew, packed, outcomes.__setitem__)
    return outcomes, progress


def test_every_job_is_done_in_a_process_of_its_own():
    outcomes, _ = perform(*[(str(n), tasks.process, None) for n in range(5)])
    assert len(set(outcomes.values()) | {os.getpid()}) == 6


@pytest.mark.parametrize(
    ("told", "films"),
    [(["rope.matrix", "rope.gone", "a/b", "\ud800"], {"rope"}), ([], set()), (None, set(FILMS))],
)
def test_a_fork_server_imports_the_given_stages(tmp_path, told, films):
    environment = os.environ | server_environment(told)
    environment.pop("CLOCKHEAD_PARENT")
    code = "import sys, clockhead.clips.preload; print(*sys.modules)"
    said, errors = start([sys.executable, "-c", code], tmp_path, environment).communicate()
    assert errors == ""
    stages = {tuple(name.split(".")[2:]) for name in said.split() if "scenes." in name}
    assert {film for film, *_ in stages} & set(FILMS) == films
    assert (("rope", "matrix") in stages) == ("rope" in films)


def test_results_and_progress_come_back():
    outcomes, progress = perform(("a", tasks.echo, "hello"), ("b", tasks.echo, "you"))
    assert outcomes == {"a": "hello back", "b": "you back"}
    assert [frames for name, frames in progress if name == "a"] == [0, 1, 2]


def test_a_large_result_comes_back_whole():
    outcomes, _ = perform(("big", tasks.large, 30_000_000))
    assert outcomes["big"] == bytes(30_000_000)


def test_an_error_has_a_position_and_fails_one_job():
    outcomes, _ = perform(("bad", tasks.fail, "this"), ("good", tasks.echo, "hello"))
    assert outcomes["good"] == "hello back"
    assert isinstance(outcomes["bad"], Failure)
    assert outcomes["bad"].reason.startswith("Odd: cannot do this (tests/pipeline/tasks.py, line ")


def test_a_job_is_tried_again_when_its_worker_is_killed(tmp_path):
    outcomes, _ = perform(
        ("unlucky", tasks.die_once, tmp_path / "mark"), ("good", tasks.echo, "hello")
    )
    assert outcomes == {"unlucky": "done at last", "good": "hello back"}


@pytest.mark.parametrize(
    ("task", "reason"),
    [
        (tasks.die, "killed; if the machine is short of memory, fewer --workers need less of it"),
        (tasks.crash, "ended by SIGSEGV"),
        (tasks.leave, "ended with exit code 3"),
    ],
)
def test_a_job_that_always_kills_its_worker_fails_alone(task, reason):
    others = [(str(n), tasks.echo, n) for n in range(3)]
    outcomes, _ = perform(("deadly", task, None), *others)
    assert outcomes.pop("deadly") == Failure(f"its worker died 3 times: {reason}")
    assert outcomes == {str(n): f"{n} back" for n in range(3)}


def test_sources_that_changed_meanwhile_are_refused(monkeypatch):
    monkeypatch.setattr("clockhead.clips.jobs.sources_fingerprint", lambda: "as it was before")
    outcomes, _ = perform(("a", tasks.echo, "hello"))
    reason = "the project was edited after the command began; run it again"
    assert outcomes == {"a": Failure(reason)}


def test_temporary_files_of_a_killed_worker_are_removed(tmp_path):
    perform(("unlucky", tasks.litter, tmp_path / "where"))
    assert not Path((tmp_path / "where").read_text()).exists()


def test_jobs_survive_a_killed_fork_server(tmp_path):
    servers = {int(pid) for pid in perform(("", tasks.parent, None))[0].values()}
    for server in servers:
        os.kill(server, signal.SIGKILL)
    outcomes, _ = perform(*[(str(n), tasks.echo, n) for n in range(3)])
    assert outcomes == {str(n): f"{n} back" for n in range(3)}


def test_closing_a_crew_ends_busy_workers(tmp_path):
    marks = [tmp_path / str(n) for n in range(2)]
    with open_crew(2, None, lambda *_: None) as crew:
        for mark in marks:
            crew.submit(mark.name, pack(tasks.sleep, mark))
        wait_until(lambda: all(mark.exists() for mark in marks))
    wait_until(lambda: not any(is_alive(int(mark.read_text())) for mark in marks))


def test_an_error_in_the_callback_ends_the_workers(tmp_path):
    def refuse(name, outcome):
        raise OSError("no room")

    jobs = {"long": pack(tasks.sleep, tmp_path / "mark"), "short": pack(tasks.echo, 1)}
    with pytest.raises(OSError, match="no room"), open_crew(2, None, lambda *_: None) as crew:
        run(crew, jobs, refuse)
    if (tmp_path / "mark").exists():
        wait_until(lambda: not is_alive(int((tmp_path / "mark").read_text())))
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("worker")]


def test_a_missing_scheduler_is_an_error():
    with pytest.raises(CrewError, match="no Dask scheduler at nonsense"):
        open_crew(1, "nonsense://nowhere", lambda *_: None).__enter__()


@pytest.fixture
def container(tmp_path, monkeypatch):
    """A machine with 8 GiB free, as /proc and /sys show it; more of it by path and content."""
    monkeypatch.setattr(machine, "_ROOT", tmp_path)

    def made(**files):
        for path, content in {"proc/meminfo": "MemAvailable: 8388608 kB\n", **files}.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(content)

    return made


GIB = 1 << 30


def test_free_memory_is_that_of_the_machine(container):
    container()
    assert machine.memory() == 8 * GIB


def test_limits_of_control_groups_bound_memory_and_cores(container):
    group = "sys/fs/cgroup/shop"
    files = {
        "proc/self/cgroup": "0::/shop/customer\n",
        f"{group}/memory.max": f"{3 * GIB}\n",
        f"{group}/memory.current": f"{2 * GIB}\n",
        f"{group}/memory.stat": f"anon 1\ninactive_file {GIB // 2}\n",
        f"{group}/customer/memory.max": "max\n",
        f"{group}/customer/cpu.max": "50000 100000\n",
    }
    container(**files)
    assert machine.memory() == GIB + GIB // 2
    assert machine.cores() == 1


def test_limits_of_older_control_groups_bound_memory_and_cores(container):
    files = {
        "proc/self/cgroup": "4:memory:/docker/ab\n1:cpu,cpuacct:/docker/ab\n0::/\n",
        "sys/fs/cgroup/memory/docker/memory.limit_in_bytes": "9223372036854771712\n",
        "sys/fs/cgroup/memory/memory.limit_in_bytes": f"{2 * GIB}\n",
        "sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_quota_us": "100000\n",
        "sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_period_us": "100000\n",
    }
    container(**files)
    assert machine.memory() == 2 * GIB
    assert machine.cores() == 1


@pytest.mark.parametrize(
    ("cores", "gib", "workers"), [(4, 64, (4, 4)), (8, 4, (8, 3)), (8, 1, (5, 1)), (2, 0, (1, 1))]
)
def test_as_many_workers_as_cores_and_memory_allow(monkeypatch, cores, gib, workers):
    monkeypatch.setattr(machine, "cores", lambda: cores)
    monkeypatch.setattr(machine, "memory", lambda: gib * GIB)
    assert (default_workers(854 * 480), default_workers(3840 * 2160)) == workers
