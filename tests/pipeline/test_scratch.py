"""Temporary folders among those of strangers: ours go when their owner is killed, and only ours."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from clockhead.atomic import lock_if_stale
from clockhead.clips import scratch
from tests.pipeline.project import ROOT

OURS = "clockhead-0123456789"
"""A name that we could have made."""


@pytest.fixture
def base(tmp_path, monkeypatch):
    """The folder for temporary files."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(scratch, "_SHORT_BASE", tmp_path)
    return tmp_path


def leave(base, name=OURS):
    """What a killed owner of a temporary folder leaves."""
    (base / name / "inside").mkdir(parents=True)
    (base / name / "inside/file").touch()
    (base / f"{name}.lock").touch()


def names(base):
    return {path.name for path in base.iterdir()}


def test_a_scratch_folder_is_private_and_temporary(base):
    with scratch.scratch_directory() as path:
        assert path.stat().st_mode & 0o777 == 0o700
        assert scratch._LOCK_NAME.fullmatch(f"{path.name}.lock")
        scratch.sweep()
        assert path.is_dir()
    assert names(base) == set()


@pytest.mark.parametrize("length", [50, 51])
def test_a_short_path_has_room_for_sockets(monkeypatch, length):
    with tempfile.TemporaryDirectory(dir="/tmp") as short:
        base = Path(short) / ("x" * (length - len(short) - 1))
        base.mkdir()
        monkeypatch.setattr(tempfile, "tempdir", str(base))
        monkeypatch.setattr(scratch, "_SHORT_BASE", Path(short))
        with scratch.scratch_directory(short=True) as path:
            assert (path.parent == base) == (length == 50)
            assert len(str(path / "pymp-01234567/listener-01234567")) <= 103


def test_sweep_removes_folders_of_killed_processes(base):
    script = (
        "import os, sys, tempfile\n"
        "from clockhead.clips.scratch import scratch_directory\n"
        f"tempfile.tempdir = {str(base)!r}\n"
        "with scratch_directory() as path:\n"
        "    (path / 'file').touch()\n"
        "    print('made', flush=True)\n"
        "    sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", script]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=ROOT / "src", text=True, **pipes) as process:
        process.stdout.readline()
        scratch.sweep()
        assert len(names(base)) == 2
        process.kill()
    scratch.sweep()
    assert names(base) == set()


def test_sweep_removes_a_lock_without_a_folder(base):
    (base / f"{OURS}.lock").touch()
    scratch.sweep()
    assert names(base) == set()


@pytest.mark.parametrize(
    "name", ["clockhead-notes", "clockhead-01234567", f"{OURS}0", "clockhead-"]
)
def test_sweep_keeps_folders_with_other_names(base, name):
    leave(base, name)
    scratch.sweep()
    assert names(base) == {name, f"{name}.lock"}
    assert (base / name / "inside/file").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
@pytest.mark.parametrize("what", [OURS, f"{OURS}.lock"])
def test_sweep_keeps_folders_of_other_users(base, what):
    leave(base)
    os.chown(base / what, 65534, 65534)
    scratch.sweep()
    assert (base / OURS / "inside/file").exists()


def test_sweep_does_not_follow_links(base):
    stranger = base / "stranger"
    leave(base, "stranger")
    (base / OURS).symlink_to(stranger)
    (base / f"{OURS}.lock").touch()
    scratch.sweep()
    assert (stranger / "inside/file").exists()


BLOCKING = {
    "a folder": Path.mkdir,
    "a pipe": os.mkfifo,
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a link to a file": lambda path: path.symlink_to("stranger.lock"),
}


@pytest.mark.parametrize("what", BLOCKING)
def test_sweep_keeps_anything_but_a_file_with_the_name_of_a_lock(base, what):
    leave(base, "stranger")
    BLOCKING[what](base / f"{OURS}.lock")
    (base / OURS).mkdir()
    before = names(base)
    scratch.sweep()
    with scratch.scratch_directory() as path:
        assert path.is_dir()
    assert names(base) == before


def test_an_existing_folder_is_not_used(base, monkeypatch):
    words = iter(["0" * 16, "1" * 16])
    monkeypatch.setattr("secrets.token_hex", lambda _: next(words))
    (base / f"clockhead-{'0' * 10}").mkdir()
    with pytest.raises(scratch.NoScratch, match="File exists"), scratch.scratch_directory():
        pass
    assert names(base) == {f"clockhead-{'0' * 10}"}


@pytest.mark.parametrize(
    ("place", "reason"), [("missing", "No such file or directory"), ("file", "Not a directory")]
)
def test_a_missing_temporary_folder_is_reported_on_one_line(base, monkeypatch, place, reason):
    (base / "file").touch()
    monkeypatch.setattr(tempfile, "tempdir", str(base / place))
    with pytest.raises(scratch.NoScratch) as refused, scratch.scratch_directory():
        pass
    assert str(refused.value) == (
        f"no temporary folder can be made in {base / place}: {reason}; set TMPDIR to another folder"
    )
    scratch.sweep()


def test_a_locked_file_and_a_missing_file_are_not_stale(base):
    with lock_if_stale(base / "nothing") as gone:
        assert not gone
