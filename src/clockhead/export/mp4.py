"""The film by itself, with its captions beside it, and no larger than one says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from clockhead.clips import atomic
from clockhead.export.edition import Edition
from clockhead.export.formats import Choices
from clockhead.export.video import MEGABYTE, MP4, encode


def write(edition: Edition, target: Path, choices: Choices) -> Iterator[Path]:
    """Write the film, as it is unless it is larger than `max_mb`; of some shots, each by itself."""
    for source in edition.files:
        file = target / f"{edition.stem(source)}.mp4"
        if choices.max_mb is None or source.stat().st_size <= choices.max_mb * MEGABYTE:
            atomic.write(file, source.read_bytes())
        else:
            encode(source, file, MP4, choices.max_mb, edition.say)
        yield file
        yield from edition.captions(source, target)
