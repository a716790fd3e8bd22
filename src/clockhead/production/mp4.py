"""The two things about MP4 files that PyAV has no word for, done on the boxes themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

_ENABLED = 0x01


@dataclass(frozen=True, slots=True)
class Box:
    """A box of an MP4 file: its kind, and where its content begins and ends."""

    kind: bytes
    start: int
    end: int


def boxes(file: BinaryIO, start: int, end: int) -> Iterator[Box]:
    """The boxes between two positions."""
    while start + 8 <= end:
        file.seek(start)
        size, kind = int.from_bytes(file.read(4)), file.read(4)
        header = 8
        if size == 1:
            size, header = int.from_bytes(file.read(8)), 16
        stop = start + size if size else end
        yield Box(kind, start + header, stop)
        start = max(stop, start + header)


def index_in_front(path: Path) -> bool:
    """Whether a player can start before it has the whole file (faststart)."""
    with path.open("rb") as file:
        order = [box.kind for box in boxes(file, 0, path.stat().st_size)]
    return b"moov" in order and order.index(b"moov") < order.index(b"mdat")


def hide_subtitles(path: Path) -> None:
    """Leave subtitles off until a viewer asks for them; the pictures show the captions already.

    The muxer marks the first subtitle track as enabled, whatever it is told.
    """
    with path.open("r+b") as file:
        for track in _inside(file, Box(b"", 0, path.stat().st_size), b"moov", b"trak"):
            if _handler(file, track) in (b"sbtl", b"text"):
                for header in _inside(file, track, b"tkhd"):
                    _disable(file, header.start + 3)


def _disable(file: BinaryIO, position: int) -> None:
    file.seek(position)
    flags = file.read(1)[0]
    file.seek(position)
    file.write(bytes([flags & ~_ENABLED]))


def _handler(file: BinaryIO, track: Box) -> bytes:
    for box in _inside(file, track, b"mdia", b"hdlr"):
        file.seek(box.start + 8)
        return file.read(4)
    return b""


def _inside(file: BinaryIO, outer: Box, *path: bytes) -> Iterator[Box]:
    """The boxes at a path of kinds within a box."""
    if not path:
        yield outer
        return
    for box in list(boxes(file, outer.start, outer.end)):
        if box.kind == path[0]:
            yield from _inside(file, box, *path[1:])
