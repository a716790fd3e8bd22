"""Jobs for workers that have nothing to do with films."""

import ctypes
import os
import signal
import tempfile
import time
from pathlib import Path


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
