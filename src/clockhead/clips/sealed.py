"""What is made once by what it is made of: found again, never trusted unread.

An entry is one file: a seal with the hash of all that follows, a line of JSON about what it is, and
its bytes, a video for instance. What is truncated, damaged, misplaced, of another shape or no file
at all is noticed, removed and made again.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from clockhead.clips import atomic
from clockhead.clips.clearing import clear, lock_at, make_folder, make_way, read_file
from clockhead.clips.shelf import Shelf

_DAY = 86400.0


@dataclass(frozen=True)
class SealedStore:
    """The entries of one kind under one directory; safe for many processes at once."""

    kind: ClassVar[str]
    """The ending of their files. Entries of a kind that is called otherwise are not read."""

    directory: Path
    max_bytes: int = 4 * 1024**3
    max_entries: int = 5000
    kept_seconds: float = 7 * _DAY
    """An entry used within this time is never pruned."""

    @property
    def shelf(self) -> Shelf:
        """The files that the entries are."""
        return Shelf(self.directory, self.kind)

    def read(self, key: str) -> tuple[dict[str, Any], bytes] | None:
        """What is known of the entry with this key, and its bytes; None if none can be trusted."""
        path = self.shelf.path(key)
        data = read_file(path)
        found = None if data is None else _open(self.kind, key, data)
        if found is None:
            self.remove(key)
            return None
        with suppress(OSError):  # in a store that one may only read
            path.touch()
        return found

    def remove(self, key: str) -> None:
        """Remove whatever stands where the entry with this key is to be, as far as one may."""
        with suppress(OSError):
            clear(self.shelf.path(key))

    def write(self, key: str, about: Mapping[str, Any], data: bytes) -> None:
        """Keep some bytes, and what is known of them.

        Raises:
            DiskFull: when there is no room; nothing is left behind.
            OSError: when they cannot be kept for another reason.
        """
        body = json.dumps({"key": key, **about}).encode() + b"\n" + data
        path = self.shelf.path(key)
        with atomic.full_disk_named(self.directory):
            make_folder(self.directory)
            with lock_at(self.directory / ".lock"):
                atomic.sweep(self.directory)
                make_way(path)
                atomic.write(path, _seal(self.kind, body) + body)

    def prune(self) -> int:
        """Remove the longest unused entries beyond the limits; return how many."""
        now = time.time()
        entries = sorted(self.shelf.entries(), key=lambda entry: entry.used)
        count, size, removed = len(entries), sum(entry.size for entry in entries), 0
        for entry in entries:
            within = count <= self.max_entries and size <= self.max_bytes
            if within or now - entry.used < self.kept_seconds:
                break
            self.remove(entry.key)
            count, size, removed = count - 1, size - entry.size, removed + 1
        return removed


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
