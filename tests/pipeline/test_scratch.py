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


def test_a_directory_is_ones_own_and_goes_in_the_end(base):
    with scratch.scratch_directory() as path:
        assert path.stat().st_mode & 0o777 == 0o700
        assert scratch._LOCK_NAME.fullmatch(f"{path.name}.lock")
        scratch.sweep()
        assert path.is_dir()
    assert names(base) == set()


@pytest.mark.parametrize("length", [50, 51])
def test_where_it_is_to_be_short_pythons_sockets_fit_in(monkeypatch, length):
    with tempfile.TemporaryDirectory(dir="/tmp") as short:
        base = Path(short) / ("x" * (length - len(short) - 1))
        base.mkdir()
        monkeypatch.setattr(tempfile, "tempdir", str(base))
        monkeypatch.setattr(scratch, "_SHORT_BASE", Path(short))
        with scratch.scratch_directory(short=True) as path:
            assert (path.parent == base) == (length == 50)
            assert len(str(path / "pymp-01234567/listener-01234567")) <= 103


def test_what_a_killed_process_left_is_swept_up(base):
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


def test_a_lock_without_its_directory_is_swept_up(base):
    (base / f"{OURS}.lock").touch()
    scratch.sweep()
    assert names(base) == set()


@pytest.mark.parametrize(
    "name", ["clockhead-notes", "clockhead-01234567", f"{OURS}0", "clockhead-"]
)
def test_a_folder_that_we_cannot_have_named_stays_beside_a_lock_of_its_name(base, name):
    leave(base, name)
    scratch.sweep()
    assert names(base) == {name, f"{name}.lock"}
    assert (base / name / "inside/file").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
@pytest.mark.parametrize("what", [OURS, f"{OURS}.lock"])
def test_what_belongs_to_a_stranger_stays(base, what):
    leave(base)
    os.chown(base / what, 65534, 65534)
    scratch.sweep()
    assert (base / OURS / "inside/file").exists()


def test_a_link_named_like_a_directory_is_not_followed(base):
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
def test_what_is_named_like_a_lock_blocks_nobody_and_stays(base, what):
    leave(base, "stranger")
    BLOCKING[what](base / f"{OURS}.lock")
    (base / OURS).mkdir()
    before = names(base)
    scratch.sweep()
    with scratch.scratch_directory() as path:
        assert path.is_dir()
    assert names(base) == before


def test_a_name_that_is_taken_is_not_taken_over(base, monkeypatch):
    words = iter(["0" * 16, "1" * 16])
    monkeypatch.setattr("secrets.token_hex", lambda _: next(words))
    (base / f"clockhead-{'0' * 10}").mkdir()
    with pytest.raises(scratch.NoScratch, match="File exists"), scratch.scratch_directory():
        pass
    assert names(base) == {f"clockhead-{'0' * 10}"}


@pytest.mark.parametrize(
    ("place", "reason"),
    [("missing", "No such file or directory"), ("file", "Not a directory")],
)
def test_no_room_for_temporary_files_is_told_in_a_sentence(base, monkeypatch, place, reason):
    (base / "file").touch()
    monkeypatch.setattr(tempfile, "tempdir", str(base / place))
    with pytest.raises(scratch.NoScratch) as refused, scratch.scratch_directory():
        pass
    assert str(refused.value) == (
        f"no temporary folder can be made in {base / place}: {reason}; set TMPDIR to another folder"
    )
    scratch.sweep()


def test_a_held_file_is_not_abandoned_and_neither_is_what_is_not_there(base):
    with lock_if_stale(base / "nothing") as gone:
        assert not gone
