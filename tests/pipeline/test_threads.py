"""Processes of Clockhead's compute with one thread each, unless somebody says otherwise."""

import os
import sys

import pytest

from clockhead.clips.jobs import server_environment
from clockhead.startup import thread_limits
from tests.pipeline.project import output

NAMES = sorted(thread_limits())
COMMAND = (
    "import atexit, os, sys; from clockhead.__main__ import main; sys.argv[1:] = ['--help'];"
    f"atexit.register(lambda: print(*(os.environ[name] for name in {NAMES}))); main()"
)


@pytest.mark.parametrize("given", [None, "3"])
def test_threads_are_limited_in_commands_and_their_workers(given: str | None):
    environment = {name: value for name, value in os.environ.items() if name not in NAMES}
    if given is not None:
        environment["OPENBLAS_NUM_THREADS"] = given
    printed = output(sys.executable, "-c", COMMAND, env=environment)
    assert printed.splitlines()[-1] == f"{given or 1} 1 1"


@pytest.mark.parametrize("given", [None, "3"])
def test_threads_are_limited_in_workers_of_a_notebook(
    given: str | None, monkeypatch: pytest.MonkeyPatch
):
    for name in NAMES:
        monkeypatch.delenv(name)
    if given is not None:
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", given)
    assert server_environment()["OPENBLAS_NUM_THREADS"] == (given or "1")
    assert "RAYON_NUM_THREADS" not in os.environ
