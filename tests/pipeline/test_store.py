"""The clip store: what comes out is what went in, or nothing."""

import errno
import os
import resource
import stat
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import pytest
from filelock import lock_descriptor

from clockhead import atomic
from clockhead.atomic import DiskFull
from clockhead.clips.clip import Clip
from clockhead.clips.sealed import _seal
from clockhead.clips.store import ClipStore
from clockhead.scenes.stage import Beat, CaptionLine
from tests.pipeline.project import ROOT, wait_until

KEY = "a" * 64
NOBODY = 65534
CLIP = Clip(
    video=bytes(range(256)) * 40,
    frames=77,
    beats=(Beat("first", 0), Beat("second: with\nodd 'name'", 12)),
    lines=(CaptionLine("a note", 3), CaptionLine("the caption, $x$", 50)),
    opened=5,
    poster=60,
    richness=0.123456789,
)


@pytest.fixture
def store(tmp_path):
    return ClipStore(tmp_path / "clips")


@pytest.fixture
def nobody():
    """A folder of somebody who is not root, who we are meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        if os.getuid() == 0:
            os.chown(folder, NOBODY, NOBODY)
            os.seteuid(NOBODY)
        yield Path(folder)
        os.seteuid(os.getuid())


def entry(store, key=KEY):
    return store.directory / f"{key}.clip"


def test_a_clip_comes_back_as_it_was(store):
    store.put(KEY, CLIP)
    assert store.get(KEY) == CLIP


def test_a_missing_clip_is_none(store):
    assert store.get(KEY) is None
    store.put(KEY, CLIP)
    assert store.get("b" * 64) is None


@pytest.mark.parametrize("share", [0, 0.001, 0.01, 0.5, 0.999])
def test_a_truncated_entry_is_removed(store, share):
    store.put(KEY, CLIP)
    whole = entry(store).read_bytes()
    entry(store).write_bytes(whole[: int(len(whole) * share)])
    assert store.get(KEY) is None
    assert not entry(store).exists()


@pytest.mark.parametrize("position", [3, 40, 80, 100, 200, 5000, -1])
def test_an_entry_with_one_wrong_bit_is_removed(store, position):
    store.put(KEY, CLIP)
    damaged = bytearray(entry(store).read_bytes())
    damaged[position] ^= 1
    entry(store).write_bytes(damaged)
    assert store.get(KEY) is None
    assert not entry(store).exists()


def test_an_entry_under_another_key_is_ignored(store):
    store.put(KEY, CLIP)
    entry(store).rename(entry(store, "b" * 64))
    assert store.get("b" * 64) is None


def test_put_removes_leftovers_of_killed_writers(store):
    store.put(KEY, CLIP)
    leftover = store.directory / ".something.clip.1234.tmp"
    leftover.write_bytes(b"half")
    store.put("b" * 64, CLIP)
    assert not leftover.exists()
    assert store.get(KEY) == CLIP


def put_folder(path):
    (path / "with").mkdir(parents=True)
    (path / "with/content").touch()


def put_loop(path):
    path.symlink_to(path.name)


def put_forged(path, about=b'{"key": "%s", "frames": "many"}'):
    body = about.replace(b"%s", KEY.encode()) + b"\n"
    path.write_bytes(_seal("clip", body) + body)


IN_THE_WAY = {
    "a folder": put_folder,
    "a link to itself": put_loop,
    "a link to nowhere": lambda path: path.symlink_to("nowhere"),
    "a pipe": os.mkfifo,
    "a socket": lambda path: os.mknod(path, stat.S_IFSOCK | 0o600),
    "nothing in it": Path.touch,
    "an entry of another shape": put_forged,
    "an entry that is a list": lambda path: put_forged(path, b"[]"),
    "an entry that is no JSON": lambda path: put_forged(path, b"{"),
    "an entry of great depth": lambda path: put_forged(path, b"[" * 100_000),
}


@pytest.mark.parametrize("what", IN_THE_WAY)
def test_anything_in_the_place_of_an_entry_is_replaced(store, what):
    store.directory.mkdir()
    IN_THE_WAY[what](entry(store))
    assert store.get(KEY) is None
    assert not os.path.lexists(entry(store))
    IN_THE_WAY[what](entry(store))
    store.put(KEY, CLIP)
    assert store.get(KEY) == CLIP
    assert {path.name for path in store.directory.iterdir()} == {".lock", f"{KEY}.clip"}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may make a device")
def test_a_device_is_not_read(store):
    store.directory.mkdir()
    try:
        os.mknod(entry(store), stat.S_IFCHR | 0o600, os.makedev(1, 5))  # zeros without end
    except PermissionError:
        pytest.skip("this machine does not let root make devices")
    assert store.get(KEY) is None
    assert not os.path.lexists(entry(store))


@pytest.mark.parametrize("what", ["a folder", "a link to itself", "a pipe"])
@pytest.mark.parametrize("place", [".", ".lock", ".left.0123.tmp"])
def test_anything_in_the_place_of_the_store_or_its_lock_is_replaced(store, what, place):
    path = store.directory / place
    if place != ".":
        store.directory.mkdir()
    if (what, place) == ("a folder", "."):
        path = store.directory / f"{KEY}.clip"
    IN_THE_WAY[what](path)
    assert store.get(KEY) is None
    store.put(KEY, CLIP)
    assert store.get(KEY) == CLIP
    assert {path.name for path in store.directory.iterdir()} == {".lock", f"{KEY}.clip"}


def test_an_unreadable_entry_is_replaced(nobody):
    store = ClipStore(nobody / "clips")
    store.put(KEY, CLIP)
    entry(store).chmod(0)
    (store.directory / ".lock").chmod(0)
    assert store.get(KEY) is None
    store.put(KEY, CLIP)
    assert store.get(KEY) == CLIP


def test_a_read_only_store_can_be_read(nobody):
    store = ClipStore(nobody / "clips")
    store.put(KEY, CLIP)
    os.seteuid(os.getuid())
    for path in (entry(store), store.directory):
        os.chown(path, os.getuid(), os.getgid())
    store.directory.chmod(0o755)
    os.seteuid(NOBODY if os.getuid() == 0 else os.getuid())
    store.directory.chmod(0o555) if os.getuid() else None
    assert store.get(KEY) == CLIP
    assert store.get("b" * 64) is None


def test_pruning_removes_the_least_recently_used_entries(store):
    small = replace(store, max_entries=2, kept_seconds=60)
    now = time.time()
    for age, key in [(500, "a"), (300, "b"), (400, "c"), (10, "d")]:
        store.put(key * 64, CLIP)
        os.utime(entry(store, key * 64), (now - age, now - age))
    assert small.prune() == 2
    assert [store.get(key * 64) is not None for key in "abcd"] == [False, True, False, True]


def test_pruning_by_size_keeps_recently_used_entries(store):
    small = replace(store, max_bytes=1, kept_seconds=60)
    store.put("a" * 64, CLIP)
    store.put("b" * 64, CLIP)
    os.utime(entry(store, "a" * 64), (0, 0))
    os.utime(entry(store, "b" * 64), (0, 0))
    store.get("b" * 64)
    assert small.prune() == 1
    assert store.get("a" * 64) is None
    assert store.get("b" * 64) == CLIP


def test_a_killed_writer_leaves_only_whole_entries(store):
    script = (
        "from dataclasses import replace\n"
        "from itertools import count\n"
        "from pathlib import Path\n"
        "from tests.pipeline.test_store import CLIP\n"
        "from clockhead.clips.store import ClipStore\n"
        f"store = ClipStore(Path({str(store.directory)!r}))\n"
        "for n in count():\n"
        "    store.put(f'{n % 7:064}', replace(CLIP, video=CLIP.video * 200, frames=n))\n"
    )
    for round_ in range(3):
        process = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT)
        wait_until(lambda: len(list(store.directory.glob("*.clip"))) == 7)
        time.sleep(0.01 * round_)
        process.kill()
        process.wait()
        names = [path.stem for path in store.directory.glob("*.clip")]
        assert all(store.get(name) is not None for name in names)
        for path in store.directory.glob("*.clip"):
            path.unlink()


class TestAtomicFiles:
    def test_an_error_keeps_the_old_file_and_leaves_nothing_else(self, tmp_path):
        path = tmp_path / "file"
        atomic.write(path, b"old")
        with pytest.raises(ZeroDivisionError):
            self.write_half(path)
        assert path.read_bytes() == b"old"
        assert list(tmp_path.iterdir()) == [path]

    def write_half(self, path):
        with atomic.replacement(path) as temporary:
            temporary.write_bytes(b"half")
            raise ZeroDivisionError

    def test_sweep_removes_leftovers_but_no_file_in_use(self, tmp_path):
        with atomic.replacement(tmp_path / "file") as temporary:
            temporary.write_bytes(b"whole")
            left = temporary.with_name(".other.0123456789abcdef.tmp")
            left.touch()
            atomic.sweep(tmp_path)
            assert not left.exists()
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"file": b"whole"}

    def test_a_file_that_is_swept_before_it_is_locked_is_made_again(self, tmp_path, monkeypatch):
        swept = []

        def lock_late(handle, **how):
            if not swept:
                swept.extend(tmp_path.glob(".*.tmp"))
                swept[0].unlink()
            return lock_descriptor(handle, **how)

        monkeypatch.setattr(atomic, "lock_descriptor", lock_late)
        with atomic.replacement(tmp_path / "file") as temporary:
            assert temporary.is_file()
            assert temporary not in swept
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"file": b""}

    def test_files_are_written_without_file_locks(self, tmp_path, monkeypatch):
        def refuse(*_, **__):
            raise OSError(errno.ENOSYS, "no locks here")

        monkeypatch.setattr(atomic, "lock_descriptor", refuse)
        left = tmp_path / ".other.0123456789abcdef.tmp"
        left.touch()
        atomic.write(tmp_path / "file", b"whole")
        atomic.sweep(tmp_path)
        assert {path.name for path in tmp_path.iterdir()} == {"file", left.name}

    def test_new_files_have_the_usual_permissions(self, tmp_path):
        (tmp_path / "usual").touch()
        atomic.write(tmp_path / "ours", b"")
        modes = {path.stat().st_mode for path in tmp_path.iterdir()}
        assert len(modes) == 1

    def test_a_full_disk_raises_disk_full(self, tmp_path):
        path = tmp_path / "file"
        atomic.write(path, b"old")
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
        try:
            with pytest.raises(DiskFull, match=r"no room left on the disk for .*file"):
                atomic.write(path, bytes(2000))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert path.read_bytes() == b"old"
        assert list(tmp_path.iterdir()) == [path]
