"""The folder that exports go into: it may hold other files too, and they stay.

All that is asked for is first written into a hidden folder in it, and moved to its place when
every file is there, so that a full disk leaves what was before. A manifest lists what was written:
only such files are replaced, and only if nobody has changed them since. Nothing is written through
a link.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from clockhead.clips import atomic
from clockhead.clips.clearing import clear, is_plain_file
from clockhead.export.edition import ExportError
from clockhead.production.manifest import file_hash, manifest_text, read_manifest

MANIFEST = ".clockhead-export.json"
_STAGING = ".clockhead-staging"


@contextmanager
def filling(target: Path) -> Iterator[Path]:
    """Give an empty folder to write into; move what is in it to `target` if the block ends well.

    Raises:
        ExportError: when something is in the way that no export has written.
        DiskFull: when there is no room; `target` is then as it was.
    """
    with atomic.full_disk_named(target), ExitStack() as undone:
        _refuse_link(target)
        _make_folders(target, undone)
        with _to_oneself(target):
            staging = target / _STAGING
            clear(staging)
            undone.callback(clear, staging)
            staging.mkdir()
            yield staging
            _move_in(staging, target, undone)
            clear(staging)
            undone.pop_all()


def placed(file: Path, staging: Path, target: Path) -> Path:
    """Where a file that was written into `staging` is in the end."""
    return target / file.relative_to(staging)


def _move_in(staging: Path, target: Path, undone: ExitStack) -> None:
    names = [file.relative_to(staging) for file in sorted(staging.rglob("*")) if file.is_file()]
    hashes = {name.as_posix(): file_hash(staging / name) for name in names}
    known = read_manifest(target / MANIFEST).get("files")
    known = known if isinstance(known, dict) else {}
    if in_the_way := list(_in_the_way(target, names, hashes, known)):
        raise ExportError("\n".join(in_the_way))
    for name in names:
        _make_folders((target / name).parent, undone)
    there = {name: file for name, file in known.items() if isinstance(file, str)}
    manifest = manifest_text({"export": 1, "files": dict(sorted((there | hashes).items()))})
    (staging / MANIFEST).write_text(manifest, encoding="utf-8")
    atomic.flush(staging / MANIFEST)
    # First: a file that is listed and not there yet harms nothing, one that is not listed stays.
    for name in (Path(MANIFEST), *names):
        (staging / name).replace(target / name)
    atomic.flush(target)


def _in_the_way(
    target: Path,
    names: Sequence[Path],
    hashes: Mapping[str, str | None],
    known: Mapping[str, object],
) -> Iterator[str]:
    """What stands where files are to be and is not to be replaced, a line each."""
    elsewhere = "move it away, or name another folder with -o DIR"
    folders = dict.fromkeys(parent for name in names for parent in reversed(name.parents))
    for folder in folders:
        path = target / folder
        if folder != Path() and (path.is_symlink() or (path.exists() and not path.is_dir())):
            what = "a link" if path.is_symlink() else "no folder"
            yield f"{path} is {what}, and files are to go into a folder there; {elsewhere}"
            return
    for name in (Path(MANIFEST), *names):
        path = target / name
        if not os.path.lexists(path):
            continue
        found = file_hash(path) if is_plain_file(path) else None
        if found is None:
            yield f"{path} is there and is no file that an export has written; {elsewhere}"
        elif name != Path(MANIFEST) and found not in (hashes[str(name)], known.get(str(name))):
            changed = (
                "was changed since its export"
                if str(name) in known
                else "was not written by an export"
            )
            yield f"{path} {changed}; {elsewhere}"


def _refuse_link(target: Path) -> None:
    if target.is_symlink():
        aim = os.path.realpath(target)
        raise ExportError(f"{target} is a link, and exports follow none: write -o {aim}")


def _make_folders(folder: Path, undone: ExitStack) -> None:
    """Make a folder and those around it, to be removed again where they were not there."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(exist_ok=True)
        undone.callback(_remove_empty, one)


def _remove_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()


@contextmanager
def _to_oneself(target: Path) -> Iterator[None]:
    """Wait until no other export is writing into a folder."""
    handle = os.open(target, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        with suppress(OSError):  # not every file system has locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
