"""Clips and spoken sentences that no film is made of any more, removed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from clockhead.clips import atomic
from clockhead.clips.clearing import clear, lock_at, make_folder, read_file
from clockhead.clips.shelf import Entry, clips_in, speech_in
from clockhead.production.folder import LOCK, SHOTS, sweep


class BusyFilms(Exception):
    """Films are being rendered, of clips that may be in no film yet."""


@dataclass(frozen=True, slots=True)
class Sorted:
    """What can be removed, and what stays."""

    unused: tuple[Entry, ...]
    kept: tuple[Entry, ...]


def sort_out(media: Path, *, everything: bool = False) -> Sorted:
    """What no film in `media` is made of, or everything; nothing is removed."""
    manifests = [] if everything else list(_manifests(media))
    keys = {key for manifest in manifests for key in _keys(manifest)}
    spoken = any(map(_is_spoken, manifests))
    unused, kept = list[Entry](), list[Entry]()
    for entry in clips_in(media).entries():
        (kept if entry.key in keys else unused).append(entry)
    for entry in speech_in(media).entries():
        (kept if spoken else unused).append(entry)
    return Sorted(tuple(unused), tuple(kept))


def clean(media: Path, *, everything: bool = False) -> Sorted:
    """Remove what `sort_out` finds, and what killed commands left.

    Raises:
        BusyFilms: when films are being rendered; nothing is removed then.
        OSError: when something may not be removed.
    """
    with _gate(media), _films_to_oneself(media):
        found = sort_out(media, everything=everything)
        for shelf in (clips_in(media), speech_in(media)):
            atomic.sweep(shelf.directory)
        for entry in found.unused:
            clear(entry.path)
    return found


def let_cleaners_finish(media: Path) -> None:
    """Wait while clips are being removed.

    Whoever has the folder of a film to oneself, and then calls this, is not robbed of any.

    Raises:
        OSError: when nothing can be kept in `media`.
    """
    with _gate(media):
        pass


def _gate(media: Path) -> FileLock:
    shelf = clips_in(media).directory
    with atomic.full_disk_named(shelf):
        make_folder(shelf)
        return lock_at(shelf / LOCK)


@contextmanager
def _films_to_oneself(media: Path) -> Iterator[None]:
    folders = sorted(lock.parent for lock in media.glob(f"*/*/{LOCK}"))
    with ExitStack() as held:
        busy = []
        for folder in folders:
            try:
                held.enter_context(lock_at(folder / LOCK).acquire(timeout=0))
            except Timeout:
                busy.append(folder.parent.name)
        if busy:
            raise BusyFilms(", ".join(dict.fromkeys(busy)))
        for folder in folders:
            sweep(folder)
        yield


def _manifests(media: Path) -> Iterator[dict[str, Any]]:
    """Of whole films, and of shots that were made alone."""
    for pattern in ("*/*/*.json", f"*/*/{SHOTS}/*.json"):
        for path in media.glob(pattern):
            with suppress(ValueError, RecursionError):
                found = json.loads(read_file(path) or b"{}")
                if isinstance(found, dict):
                    yield found


def _keys(manifest: dict[str, Any]) -> Iterator[str]:
    shots = manifest.get("shots")
    for shot in shots if isinstance(shots, list) else ():
        if isinstance(shot, dict) and isinstance(key := shot.get("key"), str):
            yield key


def _is_spoken(manifest: dict[str, Any]) -> bool:
    look = manifest.get("look")
    return isinstance(look, dict) and bool(look.get("voice"))
