"""A store of files by key, in which damaged entries are noticed, removed and made again.

An entry is one file: a seal with the hash of all that follows, a line of JSON about the content,
and the content, such as a video. What is truncated, damaged, misplaced, of another format or no
file at all counts as missing.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG
from typing import Any

from clockhead import atomic
from clockhead.atomic import clear, clear_unless_file, file_lock, make_folder, read_file

CLIP, SPEECH, STILL = "clip", "speech", "still"
"""Kinds of entries."""
_DAY = 86400.0


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """A file in a store."""

    path: Path
    used: float
    """When it was used last, in seconds since 1970."""
    size: int
    """Its size in bytes."""

    @property
    def key(self) -> str:
        """The key under which it is stored."""
        return self.path.stem


def size(number: int) -> str:
    """A number of bytes as `0.3 MB` or `1.2 GB`."""
    return f"{number / 1e6:,.1f} MB" if number < 1e9 else f"{number / 1e9:,.1f} GB"


@dataclass(frozen=True)
class SealedStore:
    """The entries of one kind in one folder; safe for many processes at once."""

    directory: Path
    kind: str
    """The extension of their names."""
    max_bytes: int = 4 * 1024**3
    max_entries: int = 5000
    kept_seconds: float = 7 * _DAY
    """Entries that were used within this time are never pruned."""

    def path(self, key: str) -> Path:
        """The path of the entry with this key, whether it exists or not."""
        return self.directory / f"{key}.{self.kind}"

    def entries(self) -> Iterator[StoredEntry]:
        """All entries that are files."""
        for path in self.directory.glob(f"*.{self.kind}"):
            try:
                status = path.lstat()
            except OSError:
                continue
            if S_ISREG(status.st_mode):
                yield StoredEntry(path, status.st_mtime, status.st_size)

    def read(self, key: str) -> tuple[dict[str, Any], bytes] | None:
        """The JSON and the content of an entry, or None; whatever is damaged is removed."""
        path = self.path(key)
        data = read_file(path)
        entry = None if data is None else _open(self.kind, key, data)
        if entry is None:
            self.remove(key)
            return None
        with suppress(OSError):  # the store may be read-only
            path.touch()
        return entry

    def remove(self, key: str) -> None:
        """Remove whatever is in the place of an entry, if permissions allow it."""
        with suppress(OSError):
            clear(self.path(key))

    def write(self, key: str, about: Mapping[str, Any], data: bytes) -> None:
        """Store some content, and JSON about it.

        Raises:
            DiskFull: if there is no room; nothing is left behind.
            OSError: if it cannot be stored for another reason.
        """
        body = json.dumps({"key": key, **about}).encode() + b"\n" + data
        path = self.path(key)
        with atomic.full_disk_errors(self.directory):
            make_folder(self.directory)
            with file_lock(self.directory / ".lock"):
                atomic.sweep(self.directory)
                clear_unless_file(path)
                atomic.write(path, _seal(self.kind, body) + body)

    def prune(self) -> int:
        """Remove the least recently used entries beyond the limits; returns how many."""
        now = time.time()
        entries = sorted(self.entries(), key=lambda entry: entry.used)
        count, size, removed = len(entries), sum(entry.size for entry in entries), 0
        for entry in entries:
            is_within = count <= self.max_entries and size <= self.max_bytes
            if is_within or now - entry.used < self.kept_seconds:
                break
            self.remove(entry.key)
            count, size, removed = count - 1, size - entry.size, removed + 1
        return removed


def clips_in(media: Path) -> SealedStore:
    """The rendered clips in a media folder."""
    return SealedStore(media / ".clips", CLIP)


def speech_in(media: Path) -> SealedStore:
    """The spoken sentences in a media folder; the content is their samples."""
    return SealedStore(media / ".speech", SPEECH)


def stills_in(media: Path) -> SealedStore:
    """The pictures of the gallery of stages in a media folder."""
    return SealedStore(media / ".stills", STILL, max_entries=2000)


def _open(kind: str, key: str, data: bytes) -> tuple[dict[str, Any], bytes] | None:
    length = len(_seal(kind, b""))
    seal, body = data[:length], data[length:]
    if seal != _seal(kind, body):
        return None
    line, _, content = body.partition(b"\n")
    try:
        about = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return (about, content) if isinstance(about, dict) and about.get("key") == key else None


def _seal(kind: str, body: bytes) -> bytes:
    return f"clockhead {kind} 4 {hashlib.sha256(body).hexdigest()}\n".encode()
