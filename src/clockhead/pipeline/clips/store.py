"""What is made once by what it is made of: found again, never trusted unread.

An entry is one file: a seal with the hash of all that follows, a line of JSON about what it is, and
its bytes, a video for instance. A truncated, damaged or misplaced entry is noticed, removed and
made again.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from filelock import FileLock

from clockhead.pipeline.clips import atomic
from clockhead.pipeline.clips.clip import Clip
from clockhead.scenes.stage import Beat, Line

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

    def read(self, key: str) -> tuple[dict[str, Any], bytes] | None:
        """What is known of the entry with this key, and its bytes; None if none can be trusted."""
        path = self._path(key)
        try:
            found = _open(self.kind, key, path.read_bytes())
        except FileNotFoundError:
            return None
        if found is None:
            path.unlink(missing_ok=True)
        else:
            path.touch()
        return found

    def write(self, key: str, about: Mapping[str, Any], data: bytes) -> None:
        """Keep some bytes, and what is known of them.

        Raises:
            DiskFull: when there is no room; nothing is left behind.
        """
        body = json.dumps({"key": key, **about}).encode() + b"\n" + data
        with atomic.full_disk_named(self.directory):
            self.directory.mkdir(parents=True, exist_ok=True)
            with FileLock(self.directory / ".lock"):
                atomic.sweep(self.directory)
                atomic.write(self._path(key), _seal(self.kind, body) + body)

    def prune(self) -> int:
        """Remove the longest unused entries beyond the limits; return how many."""
        now = time.time()
        entries = sorted(self._entries(), key=lambda entry: entry[1])
        count, size, removed = len(entries), sum(entry[2] for entry in entries), 0
        for path, used, length in entries:
            within = count <= self.max_entries and size <= self.max_bytes
            if within or now - used < self.kept_seconds:
                break
            path.unlink(missing_ok=True)
            count, size, removed = count - 1, size - length, removed + 1
        return removed

    def _entries(self) -> Iterator[tuple[Path, float, int]]:
        """Each entry, when it was last used, and its size in bytes."""
        for path in self.directory.glob(f"*.{self.kind}"):
            try:
                status = path.stat()
            except FileNotFoundError:
                continue
            yield path, status.st_mtime, status.st_size

    def _path(self, key: str) -> Path:
        return self.directory / f"{key}.{self.kind}"


class ClipStore(SealedStore):
    """Clips."""

    kind = "clip"

    def get(self, key: str) -> Clip | None:
        """The clip with this key, or None if there is none or it is damaged."""
        found = self.read(key)
        if found is None:
            return None
        about, video = found
        return Clip(
            video=video,
            frames=about["frames"],
            beats=tuple(Beat(name, frame) for name, frame in about["beats"]),
            lines=tuple(Line(text, frame, asks) for text, frame, asks in about["lines"]),
            opened=about["opened"],
            poster=about["poster"],
            richness=about["richness"],
        )

    def put(self, key: str, clip: Clip) -> None:
        """Keep a clip.

        Raises:
            DiskFull: when there is no room; nothing is left behind.
        """
        about = {
            "frames": clip.frames,
            "beats": [[beat.name, beat.frame] for beat in clip.beats],
            "lines": [[line.text, line.frame, line.asks] for line in clip.lines],
            "opened": clip.opened,
            "poster": clip.poster,
            "richness": clip.richness,
        }
        self.write(key, about, clip.video)


def _open(kind: str, key: str, data: bytes) -> tuple[dict[str, Any], bytes] | None:
    length = len(_seal(kind, b""))
    seal, body = data[:length], data[length:]
    if seal != _seal(kind, body):
        return None
    line, _, content = body.partition(b"\n")
    about = json.loads(line)
    return (about, content) if about["key"] == key else None


def _seal(kind: str, body: bytes) -> bytes:
    return f"clockhead {kind} 4 {hashlib.sha256(body).hexdigest()}\n".encode()
