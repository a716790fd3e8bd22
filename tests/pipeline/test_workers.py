"""Workers: results, reports, cancelling, timeouts and deaths."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from multiprocessing.connection import Connection
from queue import Queue

import pytest

from clockhead.workers import JobCancelled, JobFailed, Worker, WorkerDied
from tests.pipeline.project import is_alive, output, wait_until

TASKS = "tests.pipeline.tasks:"
PATIENCE = 60


@pytest.fixture
def worker():
    with closing(Worker("spawn")) as worker:
        yield worker


def test_one_process_does_one_job_after_another_and_reports(worker):
    reports = []
    jobs = [worker.submit(f"{TASKS}count_up", n, report=reports.append) for n in (3, 2)]
    assert [job.result(PATIENCE) for job in jobs] == [worker.pid, worker.pid]
    assert reports == [0, 1, 2, 0, 1]


def test_an_error_fails_its_job_alone(worker):
    failed = worker.submit(f"{TASKS}refuse")
    assert worker.submit(f"{TASKS}count_up", 0).result(PATIENCE) == worker.pid
    with pytest.raises(JobFailed, match="ValueError: not this"):
        failed.result()


def test_cancelled_jobs_end_whether_they_run_or_wait_and_the_worker_goes_on(worker):
    begun = Queue()
    jobs = [worker.submit(f"{TASKS}report_for_ever", report=begun.put) for _ in range(2)]
    begun.get(timeout=PATIENCE)
    for job in jobs[::-1]:
        worker.cancel(job)
    assert worker.submit(f"{TASKS}count_up", 0).result(PATIENCE) == worker.pid
    for job in jobs:
        with pytest.raises(JobCancelled):
            job.result()


def test_an_interruptible_job_ends_without_reporting(worker):
    begun = Queue()
    job = worker.submit(f"{TASKS}sleep_until_interrupted", report=begun.put)
    begun.get(timeout=PATIENCE)
    worker.cancel(job)
    assert job.result(PATIENCE) == "interrupted"
    assert worker.submit(f"{TASKS}count_up", 0).result(PATIENCE) == worker.pid


def test_an_alarm_kills_even_a_job_that_holds_the_interpreter(worker):
    job = worker.submit(f"{TASKS}hold_the_interpreter", timeout=0.2)
    with pytest.raises(WorkerDied, match="SIGALRM") as death:
        job.result(PATIENCE)
    assert death.value.code == -signal.SIGALRM


def test_a_death_fails_the_jobs_of_this_worker_only(worker):
    deaths = Queue()
    with closing(Worker("spawn", on_death=deaths.put)) as other:
        jobs = [other.submit(f"{TASKS}{name}") for name in ("kill_myself", "refuse")]
        assert str(deaths.get(timeout=PATIENCE)) == "SIGKILL"
        for job in (*jobs, other.submit(f"{TASKS}refuse")):
            with pytest.raises(WorkerDied):
                job.result(PATIENCE)
        assert not other.is_alive
    assert worker.submit(f"{TASKS}count_up", 0).result(PATIENCE) == worker.pid


def test_closing_ends_a_running_job_and_does_not_report_a_death():
    begun, deaths = Queue(), Queue()
    worker = Worker("spawn", on_death=deaths.put)
    job = worker.submit(f"{TASKS}report_for_ever", report=begun.put)
    begun.get(timeout=PATIENCE)
    worker.close()
    with pytest.raises(WorkerDied):
        job.result(0)
    assert deaths.empty()
    with pytest.raises(ProcessLookupError):
        os.kill(worker.pid, 0)


def test_two_threads_may_close_a_worker_at_once(monkeypatch):
    close = Connection._close

    def close_slowly(connection):
        time.sleep(0.1)  # between the check that it is open and the end of the other thread
        close(connection)

    worker = Worker("spawn")
    worker.submit(f"{TASKS}count_up", 0).result(PATIENCE)
    monkeypatch.setattr(Connection, "_close", close_slowly)
    with ThreadPoolExecutor(2) as threads:
        for closing_thread in [threads.submit(worker.close) for _ in range(2)]:
            closing_thread.result(PATIENCE)


def test_messages_of_a_sandbox_are_never_unpickled(tmp_path):
    """A formula that has taken the worker over could otherwise run code in the command."""
    with closing(Worker("spawn", sandboxed=True)) as worker:
        job = worker.submit(f"{TASKS}send_a_trap", str(tmp_path / "mark"))
        with pytest.raises(WorkerDied):
            job.result(PATIENCE)
    assert not (tmp_path / "mark").exists()


def test_a_worker_cleans_up_and_ends_when_its_owner_is_killed(tmp_path, monkeypatch):
    monkeypatch.setenv("CLOCKHEAD_TEST_MARK", str(tmp_path / "mark"))
    code = (
        "import sys, time; from clockhead.workers import Worker\n"
        f"worker = Worker('spawn', clean_up='{TASKS}note_the_end')\n"
        f"worker.submit('{TASKS}report_for_ever', report=lambda _: None)\n"
        "print(worker.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    owner = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    pid = int(owner.stdout.readline())
    owner.kill()
    owner.communicate()
    wait_until(lambda: not is_alive(pid))
    assert (tmp_path / "mark").exists()


def test_a_script_without_a_main_guard_can_have_workers(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from clockhead.workers import Worker\n"
        "print('begun')\n"
        "worker = Worker('spawn')\n"
        "print(worker.submit('time:sleep', 0).exception(60))\n"
    )
    begun, failed = output(sys.executable, script).splitlines()
    assert begun == "begun"
    assert failed.startswith("TypeError")
