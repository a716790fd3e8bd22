"""Folders under `media/`: one process at a time writes a film, and unused clips can be removed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from clockhead import atomic
from clockhead.atomic import clear, file_lock, make_folder
from clockhead.clips.sealed import StoredEntry, clips_in, speech_in, stills_in
from clockhead.production.manifest import keys_by_shot, read_manifest

if TYPE_CHECKING:
    from clockhead.storyboard.films import Film

CLIPS, SHOTS = "clips", "shots"
"""Subfolders: the clips of a whole film, and clips that were asked for alone."""
STAGING = ".staging"
"""Where a film is put together."""
LOCK = ".lock"


class BusyFilms(Exception):
    """Films are being rendered, from clips that no film lists yet."""


Cleanup = tuple[list[StoredEntry], list[StoredEntry]]
"""What can be removed, and what stays."""


@contextmanager
def lock_film_folder(media: Path, film: Film, say: Callable[[str], None]) -> Iterator[Path]:
    """The folder of a film in its look, locked and without leftovers of killed processes.

    Waits, and says so, while another process has it.
    """
    folder = media / film.name / film.look.folder
    with atomic.full_disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    lock = file_lock(folder / LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        say(f"{film.name}: another process is rendering it; waiting")
        lock.acquire()
    try:
        _sweep(folder)
        yield folder
    finally:
        lock.release()


def plan_cleanup(media: Path, *, everything: bool = False) -> Cleanup:
    """Find the clips and spoken sentences that no film in `media` uses, or all; removes nothing.

    No film uses the pictures of the gallery.
    """
    # The manifests of films, and of shots that were rendered alone.
    patterns = () if everything else ("*/*/*.json", f"*/*/{SHOTS}/*.json")
    manifests = [read_manifest(file) for pattern in patterns for file in media.glob(pattern)]
    keys = {key for manifest in manifests for key in keys_by_shot(manifest).values()}
    looks = [look for manifest in manifests if isinstance(look := manifest.get("look"), dict)]
    has_voice = any(look.get("voice") for look in looks)
    unused, kept = list[StoredEntry](), list[StoredEntry]()
    for entry in clips_in(media).entries():
        (kept if entry.key in keys else unused).append(entry)
    (kept if has_voice else unused).extend(speech_in(media).entries())
    unused.extend(stills_in(media).entries())
    return unused, kept


def clean(media: Path, *, everything: bool = False) -> Cleanup:
    """Remove what `plan_cleanup` finds, and leftovers of killed commands.

    Raises:
        BusyFilms: if films are being rendered; nothing is removed then.
        OSError: if something cannot be removed.
    """
    with _cleaning_lock(media), ExitStack() as held:
        folders = sorted(lock.parent for lock in media.glob(f"*/*/{LOCK}"))
        busy = []
        for folder in folders:
            try:
                held.enter_context(file_lock(folder / LOCK).acquire(timeout=0))
            except Timeout:
                busy.append(folder.parent.name)
        if busy:
            raise BusyFilms(", ".join(dict.fromkeys(busy)))
        for folder in folders:
            _sweep(folder)
        found = plan_cleanup(media, everything=everything)
        for store in (clips_in(media), speech_in(media), stills_in(media)):
            atomic.sweep(store.directory)
        for entry in found[0]:
            clear(entry.path)
    return found


def wait_for_cleaning(media: Path) -> None:
    """Wait while another process removes clips.

    No clips of a film are removed after its folder was locked and this has returned.

    Raises:
        OSError: if `media` cannot be written to.
    """
    with _cleaning_lock(media):
        pass


def _cleaning_lock(media: Path) -> FileLock:
    folder = clips_in(media).directory
    with atomic.full_disk_errors(folder):
        make_folder(folder)
        return file_lock(folder / LOCK)


def _sweep(folder: Path) -> None:
    """Remove what killed processes left in a locked folder."""
    with suppress(OSError):
        clear(folder / STAGING)
    for place in (folder, folder / CLIPS, folder / SHOTS):
        with suppress(OSError):
            atomic.sweep(place)
