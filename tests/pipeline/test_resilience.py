"""Real processes, really killed: what is left is whole, and the next run goes on from there."""

import os
import shutil
import signal
import subprocess

import av
import pytest

from clockhead.production.publish import _move_in
from tests.pipeline.footage import shown
from tests.pipeline.project import PATIENCE, Project, wait_until, without_progress

pytestmark = pytest.mark.xdist_group("resilience")

QUICK = "stage: tiny.moving\nid: quick"
WAITING = "stage: tiny.waiting\nid: waiting"
FULL = "no room left on the disk"


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    return Project.make(tmp_path_factory.mktemp("resilience"))


@pytest.fixture
def project(shared):
    """A project whose `film` has never been rendered and whose second shot waits."""
    shutil.rmtree(shared.root / "media", ignore_errors=True)
    for mark in shared.marks.iterdir():
        mark.unlink()
    shared.write("film", QUICK, WAITING)
    shared.mark("wait")
    return shared


def frames(project, film="film"):
    with av.open(str(project.folder(film) / f"{film}.mp4")) as container:
        return sum(1 for _ in shown(container))


def has_clips(project, count):
    return len(list((project.root / "media/.clips").glob("*.clip"))) == count


def goes_on(project, *, rendered):
    """Let nothing wait any more; the same command again gives the whole film."""
    project.unmark("wait")
    done = project.run("render", "film", "-ql")
    assert (done.returncode, done.stderr) == (0, f"film: {rendered} of 2 shots rendered now\n")
    assert frames(project) == project.manifest("film")["frames"]
    assert project.leftovers() == []
    wait_until(lambda: not project.processes())


def test_killed_in_the_middle_nothing_stays_behind_and_the_next_run_goes_on(project):
    process = project.start("render", "film", "-ql")
    project.worker()
    wait_until(lambda: has_clips(project, 1))
    process.kill()
    process.communicate(timeout=PATIENCE)
    wait_until(lambda: not project.processes())
    assert not (project.folder("film") / "film.mp4").exists()
    goes_on(project, rendered=1)


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_asked_to_end_it_leaves_no_process_and_no_file(project, number, code):
    process = project.start("render", "film", "-ql")
    project.worker()
    wait_until(lambda: has_clips(project, 1))
    os.killpg(process.pid, number) if number == signal.SIGINT else process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == code, (out, err)
    assert "Traceback" not in out + err
    assert "Warning" not in err
    wait_until(lambda: not project.processes())
    assert project.leftovers() == []
    assert {path.name for path in project.folder("film").rglob("*")} == {".lock"}
    if number == signal.SIGINT:
        goes_on(project, rendered=1)


def test_a_killed_worker_has_its_shot_done_by_another(project):
    process = project.start("render", "film", "-ql")
    worker = project.worker()
    os.kill(worker, signal.SIGKILL)
    second = project.worker(but=frozenset({worker}))
    assert second != worker
    project.unmark("wait")
    _, err = process.communicate(timeout=PATIENCE)
    assert "film: waiting: rendering again\n" in err
    assert without_progress(err) == "film: 2 of 2 shots rendered now\n"
    assert process.returncode == 0
    assert project.leftovers() == []


def test_a_shot_that_always_kills_its_worker_fails_with_the_reason(project):
    project.mark("kill")
    project.write("film", QUICK, "stage: tiny.deadly\nid: deadly")
    done = project.run("render", "film", "-ql")
    assert done.returncode == 1
    assert "film: deadly: its worker died 3 times: killed; if the machine is" in done.stderr
    assert has_clips(project, 1)
    project.unmark("kill")
    goes_on(project, rendered=1)


def test_two_at_once_both_end_well_and_render_every_shot_once(project):
    first = project.start("render", "film", "-ql")
    project.worker()
    second = project.start("render", "film", "-ql")
    said = second.stderr.readline()
    project.unmark("wait")
    results = [process.communicate(timeout=PATIENCE) for process in (first, second)]
    assert said == "film: another process is rendering it; waiting\n"
    assert [first.returncode, second.returncode] == [0, 0]
    assert [without_progress(err) for _, err in results] == [
        "film: 2 of 2 shots rendered now\n",
        "film: 0 of 2 shots rendered now\n",
    ]
    assert frames(project) == project.manifest("film")["frames"]
    assert project.leftovers() == []


def test_cut_off_while_the_film_is_put_in_its_place_there_is_no_film(project, monkeypatch):
    project.unmark("wait")
    project.run("render", "film", "-ql")
    folder = project.folder("film")
    before = project.manifest("film")
    staging = folder / ".staging"
    (staging / "clips").mkdir(parents=True)
    for name in ("film.vtt", "film.mp4"):
        (staging / name).write_text("new")
    with monkeypatch.context() as patch:
        patch.setattr("pathlib.Path.replace", _replace_until_captions)
        with pytest.raises(KeyboardInterrupt):
            _move_in(staging, folder, "film.mp4")
    assert not (folder / "film.mp4").exists()
    goes_on(project, rendered=0)
    assert project.manifest("film") == before


def _replace_until_captions(path, target):
    path.rename(target)
    if path.name == "film.vtt":
        raise KeyboardInterrupt


class TestFullDisk:
    def test_a_clip_that_does_not_fit_fails_the_film_with_the_reason(self, project):
        project.unmark("wait")
        done = project.run("render", "film", "-ql", limit=4000)
        assert done.returncode == 1
        assert f"film: {FULL}" in done.stderr
        assert "Traceback" not in done.stderr
        assert project.leftovers() == []
        assert has_clips(project, 0)
        goes_on(project, rendered=2)

    def test_a_film_that_does_not_fit_keeps_its_clips(self, project):
        project.unmark("wait")
        project.run("render", "film", "-ql")
        clips = [path.stat().st_size for path in (project.root / "media/.clips").glob("*.clip")]
        film = project.folder("film") / "film.mp4"
        room = (max(clips) + film.stat().st_size) // 2
        film.unlink()
        done = project.run("render", "film", "-ql", limit=room)
        assert done.returncode == 1
        assert f"film: {FULL}" in done.stderr
        assert not film.exists()
        assert project.leftovers() == []
        goes_on(project, rendered=0)

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a small disk")
    def test_a_small_disk_that_fills_up(self, project):
        media = project.root / "media"
        media.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=24k,nr_inodes=64", "tmpfs", str(media)]
        if subprocess.run(mount, capture_output=True).returncode:
            pytest.skip("this machine does not let root mount")
        try:
            project.unmark("wait")
            done = project.run("render", "film", "-ql")
            assert done.returncode == 1
            assert FULL in done.stderr
            assert "Traceback" not in done.stderr
            assert project.leftovers() == []
            subprocess.run(["mount", "-o", "remount,size=10m", str(media)], check=True)
            goes_on(project, rendered=2 - len(list((media / ".clips").glob("*.clip"))))
        finally:
            subprocess.run(["umount", str(media)], check=True)
