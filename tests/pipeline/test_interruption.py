"""Ctrl-C and kills while a command begins: one line, and nothing that goes on."""

import os
import signal
import sys
import time
from contextlib import nullcontext, suppress

import grimp
import pytest

from clockhead.clips import fingerprint
from clockhead.interruption import ExitRequested, exit_by_exception
from clockhead.storyboard.films import load_films
from clockhead.storyboard.problems import StoryboardError
from tests.pipeline.project import PATIENCE, Project, start, wait_until, without_progress

pytestmark = pytest.mark.xdist_group("interruption")

AT_AN_IMPORT = """
import os, signal, sys
module = sys.argv.pop(1)

def interrupt(event, args):
    if event == "import" and args[0] == module:
        os.kill(os.getpid(), signal.SIGINT)

sys.addaudithook(interrupt)
from clockhead.__main__ import main
main()
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    project = Project.make(tmp_path_factory.mktemp("interruption"))
    project.write("film", "stage: tiny.waiting\nid: waiting")
    return project


FOR_EVER = """
import os, pathlib
(pathlib.Path(os.environ["MARKS"]) / "importing").touch()
while True:
    pass
"""


@pytest.fixture
def importing_for_ever(project):
    """A module that only workers import never ends; the file that it makes when it begins."""
    module = project.root / "src/clockhead/clips/drawing.py"
    before = module.read_text()
    module.write_text(FOR_EVER)
    yield project.marks / "importing"
    module.write_text(before)
    project.unmark("importing")


@pytest.mark.parametrize(
    ("module", "command"),
    [
        ("click.core", "films"),
        ("yaml", "films"),
        ("pydantic", "check film"),
        ("numpy", "check film"),
        ("manim.mobject.graph", "check film"),
        ("grimp", "render film -ql"),
        ("clockhead.production.join", "render film -ql"),
        ("multiprocessing.forkserver", "render film -ql"),
    ],
)
def test_ctrl_c_during_imports_prints_one_line(project, module, command):
    process = project.start(module, *command.split(), code=AT_AN_IMPORT)
    assert_one_line(project, process)


@pytest.mark.parametrize(
    ("film", "begun"), [("nowhere", 0), ("version: [1", 0), ("title: None", 0), ("rope", 1)]
)
def test_workers_are_prepared_only_for_valid_storyboards(tmp_path, film, begun):
    if ":" in film:
        (tmp_path / "broken.yaml").write_text(film)
        film = str(tmp_path / "broken.yaml")
    calls = []
    with nullcontext() if begun else pytest.raises(StoryboardError):
        load_films([film], prepare=calls.append)
    assert len(calls) == begun
    assert all("rope.matrix" in stages for stages in calls)


def test_ctrl_c_ends_workers_silently(project):
    project.mark("wait")
    process = project.start("render", "film", "-ql")
    project.worker()
    os.killpg(process.pid, signal.SIGINT)
    assert_one_line(project, process)


def test_ctrl_c_while_the_fork_server_imports(project, importing_for_ever):
    process = project.start("check", "film")
    wait_until(importing_for_ever.exists)
    time.sleep(0.5)  # somebody waits for a worker by now
    os.killpg(process.pid, signal.SIGINT)
    assert_one_line(project, process)


def assert_one_line(project, process):
    """Ctrl-C ends a command and all its processes with one line."""
    try:
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    assert (process.returncode, out) == (130, "")
    assert without_progress(err) == "interrupted\n"
    wait_until(lambda: not project.processes())
    assert project.leftovers() == []


def test_a_fork_server_that_imports_for_ever_ends_with_the_command(project, importing_for_ever):
    script = project.root / "command.py"
    script.write_text(OPEN_A_CREW)
    process = start([sys.executable, script], project.root, project.environment())
    wait_until(importing_for_ever.exists)
    process.kill()
    process.wait()
    wait_until(lambda: not project.processes())


OPEN_A_CREW = """
import time
from clockhead.clips.jobs import open_crew
with open_crew(1, None, lambda *_: None):
    time.sleep(600)
"""


def test_an_exit_request_that_a_destructor_drops_is_raised_again():
    """Python drops what a signal's handler raises while an object is destroyed."""

    class Busy:
        def __del__(self):
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(0.01)

    def destroy():
        busy = Busy()
        del busy
        time.sleep(10)

    with pytest.raises(ExitRequested, match="143"), exit_by_exception():
        destroy()
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_an_exit_request_waits_for_the_import_graph(monkeypatch):
    """Its Rust code aborts the process if a signal raises an exception in it."""
    done = []

    def build_graph(*_, **__):
        time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0.1)
        done.append(True)

    monkeypatch.setattr(grimp, "build_graph", build_graph)
    with pytest.raises(ExitRequested), exit_by_exception():
        fingerprint._graph.__wrapped__()
    assert done == [True]
