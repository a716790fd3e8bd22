"""Jobs for workers that have nothing to do with films."""

import ctypes
import os
import pickle
import signal
import tempfile
import time
from pathlib import Path

from clockhead.interruption import ExitRequested


class Odd(Exception):
    """An error that cannot be sent to another process."""

    def __reduce__(self):
        raise TypeError("not to be pickled")


def echo(job, report):
    for number in range(3):
        report(number)
    return f"{job} back"


def process(job, report):
    return os.getpid()


def parent(job, report):
    return os.getppid()


def fail(job, report):
    raise Odd(f"cannot do {job}")


def die(job, report):
    os.kill(os.getpid(), signal.SIGKILL)


def die_once(job, report):
    path = Path(job)
    if not path.exists():
        path.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "done at last"


def litter(job, report):
    Path(job).write_text(tempfile.mkdtemp(prefix="clockhead-typst-"))
    os.kill(os.getpid(), signal.SIGKILL)


def crash(job, report):
    ctypes.string_at(0)


def leave(job, report):
    os._exit(3)


def sleep(job, report):
    Path(job).with_suffix(".new").write_text(str(os.getpid()))
    Path(job).with_suffix(".new").rename(job)
    time.sleep(600)


def large(job, report):
    return bytes(job)


def noted(job, report):
    mark, size = job
    with Path(mark).open("a") as file:
        file.write("begun\n")
    time.sleep(0.01)
    return bytes(size)


def sleep_after_word(job, report):
    report(0)
    sleep(job, report)


def count_up(job, n):
    """The rest of this file is for `Worker` itself."""
    for number in range(n):
        job.report(number)
    return os.getpid()


def report_for_ever(job):
    while True:
        job.report(None)
        time.sleep(0.01)


def sleep_until_interrupted(job):
    try:
        with job.interruptible():
            job.report("begun")
            time.sleep(600)
    except ExitRequested:
        return "interrupted"


def refuse(job):
    raise ValueError("not this")


def kill_myself(job):
    os.kill(os.getpid(), signal.SIGKILL)


def hold_the_interpreter(job):
    """No Python code runs meanwhile, in any thread."""
    ctypes.PyDLL(None).sleep(600)


class _Trap:
    def __init__(self, mark):
        self.mark = mark

    def __reduce__(self):
        return Path.touch, (self.mark,)


def send_a_trap(job, mark):
    """As a formula might that has taken the sandbox over."""
    job._service._encode = lambda _: pickle.dumps(_Trap(Path(mark)))
    return


def note_the_end(*_):
    Path(os.environ["CLOCKHEAD_TEST_MARK"]).touch()
