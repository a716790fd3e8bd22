"""Clips by what they are made of: rendered once, found again, never trusted unread.

An entry is one file: a seal with the hash of all that follows, a line of JSON about the clip, and
the video. A truncated, damaged or misplaced entry is noticed, removed and rendered again.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

from pipeline.clips import atomic
from pipeline.clips.clip import Clip
from scenes.stage import Beat, Line

_SUFFIX = ".clip"
_DAY = 86400.0


@dataclass(frozen=True, slots=True)
class ClipStore:
    """The clips under one directory; safe for many processes at once."""

    directory: Path
    max_bytes: int = 4 * 1024**3
    max_entries: int = 5000
    kept_seconds: float = 7 * _DAY
    """An entry used within this time is never pruned."""

    def get(self, key: str) -> Clip | None:
        """The clip with this key, or None if there is none or it is damaged."""
        path = self._path(key)
        try:
            clip = _decode(key, path.read_bytes())
        except FileNotFoundError:
            return None
        if clip is None:
            path.unlink(missing_ok=True)
        else:
            path.touch()
        return clip

    def put(self, key: str, clip: Clip) -> None:
        """Keep a clip.

        Raises:
            DiskFull: when there is no room; nothing is left behind.
        """
        with atomic.full_disk_named(self.directory):
            self.directory.mkdir(parents=True, exist_ok=True)
            with FileLock(self.directory / ".lock"):
                atomic.sweep(self.directory)
                atomic.write(self._path(key), _encode(key, clip))

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
        for path in self.directory.glob(f"*{_SUFFIX}"):
            try:
                status = path.stat()
            except FileNotFoundError:
                continue
            yield path, status.st_mtime, status.st_size

    def _path(self, key: str) -> Path:
        return self.directory / f"{key}{_SUFFIX}"


def _encode(key: str, clip: Clip) -> bytes:
    about = {
        "key": key,
        "frames": clip.frames,
        "beats": [[beat.name, beat.frame] for beat in clip.beats],
        "lines": [[line.text, line.frame, line.asks] for line in clip.lines],
        "poster": clip.poster,
        "richness": clip.richness,
    }
    body = json.dumps(about).encode() + b"\n" + clip.video
    return _seal(body) + body


def _decode(key: str, data: bytes) -> Clip | None:
    seal, body = data[:_SEAL_LENGTH], data[_SEAL_LENGTH:]
    if seal != _seal(body):
        return None
    line, _, video = body.partition(b"\n")
    about = json.loads(line)
    if about["key"] != key:
        return None
    return Clip(
        video=video,
        frames=about["frames"],
        beats=tuple(Beat(name, frame) for name, frame in about["beats"]),
        lines=tuple(Line(text, frame, asks) for text, frame, asks in about["lines"]),
        poster=about["poster"],
        richness=about["richness"],
    )


def _seal(body: bytes) -> bytes:
    return f"clockhead clip 3 {hashlib.sha256(body).hexdigest()}\n".encode()


_SEAL_LENGTH = len(_seal(b""))
