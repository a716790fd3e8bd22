"""Stages are drawn only where Manim is there before them, and one's own films stay out of it."""

import compileall
import gc
import os
import signal
import sys
from collections.abc import Generator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings

from clockhead.libraries import HOME
from clockhead.threads import one_thread

os.environ.update(one_thread())  # before anybody imports NumPy, in this and in every other process
import manim  # noqa: F401

sys.dont_write_bytecode = False  # asserts are rewritten once, not anew in every run
os.environ[HOME] = ""
os.environ["XDG_CONFIG_HOME"] = (_settings := TemporaryDirectory(prefix="settings-")).name
# A busy machine is slow, not wrong: examples get no time limit.
settings.register_profile("patient", deadline=None)
settings.register_profile("thorough", max_examples=500, deadline=None)
settings.load_profile("patient")
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # begun in the background, with nohup
    signal.signal(signal.SIGINT, signal.default_int_handler)  # but commands are to hear Ctrl-C


def pytest_configure(config) -> None:
    """Have what is imported by hundreds of processes compiled once, even if Python keeps none."""
    if not hasattr(config, "workerinput"):
        for folder in ("src", "model", "scenes"):
            compileall.compile_dir(Path(__file__).parents[1] / folder, quiet=2, workers=0)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items) -> None:
    """Keep groups together: xdist 3.8 writes them where pytest 9.2 does not read them any more."""
    for item in items:
        grouped = getattr(item, "_nodeid", "")
        if grouped.startswith(f"{item.nodeid}@"):
            item._id = type(item._id).parse(grouped)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage meanwhile, and leave what stays until the end, Manim and thousands of
    tests, out of all collections. Afterwards what is old is looked through an eighth as often:
    stages that were played are kept, and make it much."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.set_threshold(*gc.get_threshold()[:2], 80)
        gc.enable()
