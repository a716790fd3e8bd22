"""The folder that exports are written to. It may hold other files, which stay.

Everything is first written into a hidden folder in it and moved when complete: a full disk changes
nothing. A manifest lists the files of exports: only these are replaced, and only if nobody has
changed them since. Links are not followed.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path, PurePosixPath

from clockhead import atomic
from clockhead.atomic import clear, is_plain_file
from clockhead.export.edition import ExportError
from clockhead.production.manifest import file_hash, manifest_text, read_manifest

MANIFEST = ".clockhead-export.json"
_STAGING = ".clockhead-staging"
_COMPRESSED = {".mp4", ".webm", ".webp", ".gif", ".png", ".pdf", ".pptx", ".npz", ".zip"}
"""Files that deflating makes no smaller."""


@contextmanager
def fill_folder(target: Path) -> Iterator[Path]:
    """Yield an empty folder to write into; move its files to `target` if the block succeeds.

    Raises:
        ExportError: if a file is in the way that no export has written.
        DiskFull: if there is no room; `target` is then as it was.
    """
    with atomic.full_disk_errors(target), ExitStack() as undo:
        if target.is_symlink():
            aim = os.path.realpath(target)
            raise ExportError(f"{target} is a link, which exports do not follow: write -o {aim}")
        _make_folders(target, undo)
        with atomic.lock_folder(target):
            staging = target / _STAGING
            clear(staging)
            undo.callback(clear, staging)
            staging.mkdir()
            yield staging
            _move_in(staging, target, undo)
            clear(staging)
            undo.pop_all()


def zip_files(name: str, folder: Path, files: Iterable[Path]) -> Path:
    """Pack files of `folder` into `NAME.zip` in it. The same files make the same bytes."""
    target = folder / f"{name}.zip"
    found = sorted(file for file in set(files) if file.is_file())
    pack(target, {file.relative_to(folder).as_posix(): file.read_bytes for file in found})
    return target


def pack(target: Path, files: Mapping[str, Callable[[], bytes]]) -> None:
    """Write a zip file; each content is read when it is packed. The same files, the same bytes."""
    with atomic.replacement(target) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        for name, read in files.items():
            stored = PurePosixPath(name).suffix in _COMPRESSED
            about = zipfile.ZipInfo(name)
            about.external_attr = 0o644 << 16
            archive.writestr(about, read(), zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED)


def _move_in(staging: Path, target: Path, undo: ExitStack) -> None:
    names = [file.relative_to(staging) for file in sorted(staging.rglob("*")) if file.is_file()]
    hashes = {name.as_posix(): file_hash(staging / name) for name in names}
    known = read_manifest(target / MANIFEST).get("files")
    known = known if isinstance(known, dict) else {}
    if obstacles := list(_find_obstacles(target, names, hashes, known)):
        raise ExportError("\n".join(obstacles))
    for name in names:
        _make_folders((target / name).parent, undo)
    earlier = {name: file for name, file in known.items() if isinstance(file, str)}
    manifest = manifest_text({"export": 1, "files": dict(sorted((earlier | hashes).items()))})
    (staging / MANIFEST).write_text(manifest, encoding="utf-8")
    atomic.flush(staging / MANIFEST)
    # The manifest first: a listed file that is missing does no harm, an unlisted one would stay.
    for name in (Path(MANIFEST), *names):
        (staging / name).replace(target / name)
    atomic.flush(target)


def _find_obstacles(
    target: Path,
    names: Sequence[Path],
    hashes: Mapping[str, str | None],
    known: Mapping[str, object],
) -> Iterator[str]:
    """A message for each thing in `target` that must not be replaced."""
    advice = "move it away, or name another folder with -o DIR"
    folders = dict.fromkeys(parent for name in names for parent in reversed(name.parents))
    for folder in folders:
        path = target / folder
        if folder != Path() and (path.is_symlink() or (path.exists() and not path.is_dir())):
            what = "a link" if path.is_symlink() else "not a folder"
            yield f"{path} is {what}, and the export needs a folder there; {advice}"
            return
    for name in (Path(MANIFEST), *names):
        path = target / name
        if not os.path.lexists(path):
            continue
        found = file_hash(path) if is_plain_file(path) else None
        if found is None:
            yield f"{path} is not a file that an export has written; {advice}"
        elif name != Path(MANIFEST) and found not in (hashes[str(name)], known.get(str(name))):
            changed = (
                "was changed since its export"
                if str(name) in known
                else "was not written by an export"
            )
            yield f"{path} {changed}; {advice}"


def _make_folders(folder: Path, undo: ExitStack) -> None:
    """Make a folder and its parents; `undo` removes those that were not there."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    for path in reversed(missing):
        path.mkdir(exist_ok=True)
        undo.callback(_remove_empty, path)


def _remove_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()
