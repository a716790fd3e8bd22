"""The film for web pages, perhaps without its ground, so that the page shows through."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from clockhead.clips import atomic
from clockhead.export.clear import draw_clear
from clockhead.export.edition import Edition
from clockhead.export.formats import Choices
from clockhead.export.video import MEGABYTE, WEBM, encode, too_large


def write(edition: Edition, target: Path, choices: Choices) -> Iterator[Path]:
    """Write the film as VP9; `transparent`, each shot by itself, drawn anew.

    Raises:
        ExportError: when it does not fit into `max_mb`.
    """
    if choices.transparent:
        yield from _clear(edition, target, choices.max_mb)
        return
    for source in edition.files:
        file = target / f"{edition.stem(source)}.webm"
        encode(source, file, WEBM, choices.max_mb, edition.say)
        yield file
        yield from edition.captions(source, target)


def _clear(edition: Edition, target: Path, max_mb: float | None) -> Iterator[Path]:
    for part, video in zip(edition.parts, draw_clear(edition), strict=True):
        file = target / f"{edition.name}-{part.shot.number:02}-{part.id}.webm"
        if max_mb is not None and len(video) > max_mb * MEGABYTE:
            raise too_large(file, max_mb, len(video))
        atomic.write(file, video)
        yield file
