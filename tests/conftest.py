"""Set-up of all tests: Manim is imported before any stage, and the user's own films stay out.

Tests of the modules in `SLOW` render films, open browsers, start many processes, or try all stages
or many examples. `-m "not slow"` leaves them out.
"""

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

from clockhead.libraries import PROJECT
from clockhead.startup import isolate_manim, thread_limits

os.environ.update(thread_limits())  # before NumPy is imported, in this process and all others
isolate_manim()  # as commands and workers do
import manim  # noqa: E402, F401

TESTS = Path(__file__).parent
SLOW = (
    *("docs/test_gallery", "docs/test_guide", "docs/test_lecture", "docs/test_lectures"),
    *("docs/test_notebook", "docs/test_readme", "docs/test_sources"),
    *("launcher/test_launcher", "notebook/*", "storyboards/*"),
    *(
        "model/films/ablation/test_looks",
        "model/films/caesar/test_learned",
    ),
    "model/films/ablation/test_head_effects",
    *("pipeline/test_benchmarks", "pipeline/test_carry_over", "pipeline/test_cli_completion"),
    *("pipeline/test_cluster", "pipeline/test_doctor", "pipeline/test_export*"),
    "pipeline/test_gallery",
    *("pipeline/test_interruption", "pipeline/test_kills", "pipeline/test_libraries"),
    *("pipeline/test_new", "pipeline/test_new_heads", "pipeline/test_new_language"),
    *("pipeline/test_own_data", "pipeline/test_players"),
    *("pipeline/test_production", "pipeline/test_render", "pipeline/test_resilience"),
    *("pipeline/test_stills", "pipeline/test_strangers"),
    *("pipeline/test_studio", "pipeline/test_studio_pages"),
    *("pipeline/test_surroundings", "pipeline/test_sweep"),
    *("pipeline/test_words", "scenes/test_digits", "scenes/test_german", "scenes/test_handles"),
    *("scenes/test_other_inputs", "scenes/test_posters", "scenes/test_spoiled"),
    *("scenes/test_repaint", "scenes/test_shown_*", "scenes/test_stages"),
    *("scenes/test_text_inputs", "scenes/test_truths"),
    *("scenes/test_naming", "scenes/test_turning"),
)
"""Modules of slow tests, as patterns."""

sys.dont_write_bytecode = False  # asserts are rewritten once, not anew in every run
os.environ[PROJECT] = ""
os.environ["XDG_CONFIG_HOME"] = (_settings := TemporaryDirectory(prefix="settings-")).name
# A busy machine is slow, not wrong: examples get no time limit.
settings.register_profile("patient", deadline=None)
settings.register_profile("thorough", max_examples=500, deadline=None)
settings.load_profile("patient")
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # begun in the background, with nohup
    signal.signal(signal.SIGINT, signal.default_int_handler)  # but commands are to hear Ctrl-C


def pytest_configure(config) -> None:
    """Find the slow modules, and compile what hundreds of processes import."""
    config.slow = {path for pattern in SLOW for path in slow_modules(pattern)}
    if not hasattr(config, "workerinput"):
        for folder in ("src", "model", "scenes"):
            compileall.compile_dir(Path(__file__).parents[1] / folder, quiet=2, workers=0)


def slow_modules(pattern: str) -> list[Path]:
    """The modules that a pattern of `SLOW` names.

    Raises:
        UsageError: if there are none, so that a module that is renamed does not become quick.
    """
    found = list(TESTS.glob(f"{pattern}.py"))
    if not found:
        raise pytest.UsageError(f"{__file__}: {pattern} in SLOW names no module")
    return found


@pytest.hookimpl(tryfirst=True)
def pytest_itemcollected(item) -> None:
    """Mark slow tests."""
    if item.path in item.config.slow:
        item.add_marker("slow")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items) -> None:
    """Keep groups together: xdist 3.8 writes them where pytest 9.2 does not read them any more."""
    for item in items:
        grouped = getattr(item, "_nodeid", "")
        if grouped.startswith(f"{item.nodeid}@"):
            item._id = type(item._id).parse(grouped)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect tests without collecting garbage, and freeze what stays until the end.

    Manim and thousands of tests are left out of all later collections. The oldest generation is
    collected an eighth as often, for it is large: stages that were played are kept.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.set_threshold(*gc.get_threshold()[:2], 80)
        gc.enable()
