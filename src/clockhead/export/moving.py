"""Moving pictures that play where films do not: in mail, on pages, in other people's slides."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from PIL import Image

from clockhead.clips import atomic
from clockhead.clips.clip import Clip
from clockhead.clips.stream import opened, pictures_of
from clockhead.export.edition import Edition
from clockhead.export.formats import Choices
from clockhead.export.video import MEGABYTE, smaller, too_large

Kind = Literal["gif", "webp"]
_WIDE = 720
"""Pixels from left to right where nobody has said how many."""
_SAMPLES = 12
"""Pictures from which the colours are chosen."""
_SMALLER = (0.8, 0.62, 0.48, 0.36, 0.26)
"""Shares of the width that are tried when it is not small enough at the least quality."""


@dataclass(frozen=True, slots=True)
class _Quality:
    """How much is kept of a film."""

    per_second: int
    """Pictures in a second, at most."""
    webp: int
    """The encoder's own measure, up to 100."""
    colours: int
    """Of a GIF."""


_QUALITIES = (_Quality(12, 72, 256), _Quality(10, 50, 96), _Quality(6, 28, 40))
"""From the usual down to the least, below which a smaller picture looks better."""


@dataclass(frozen=True, slots=True)
class _Picture:
    """A frame, and how long it stands."""

    image: Image.Image
    milliseconds: int


def write(kind: Kind, edition: Edition, target: Path, choices: Choices) -> Iterator[Path]:
    """Write each shot as a picture that moves, for ever, of at most `max_mb` megabytes.

    Raises:
        ExportError: when one does not fit.
    """
    for part in edition.parts:
        assert part.clip is not None
        file = target / f"{edition.name}-{part.shot.number:02}-{part.id}.{kind}"
        width = choices.width or min(_WIDE, edition.film.look.width)
        moving, found = _small_enough(part.clip, edition.fps, kind, width, choices.max_mb, file)
        atomic.write(file, moving)
        if choices.max_mb is not None and found < width:
            edition.say(smaller(file, found, width, choices.max_mb))
        yield file


def _small_enough(
    clip: Clip, fps: int, kind: Kind, width: int, max_mb: float | None, file: Path
) -> tuple[bytes, int]:
    """A picture that moves, and how wide it is; quality is lowered before it gets smaller."""
    sizes = []
    efforts = [(width, quality) for quality in _QUALITIES]
    efforts += [(round(width * share), _QUALITIES[-1]) for share in _SMALLER]
    for wide, quality in efforts:
        moving = _encoded(list(_pictures(clip, fps, wide, quality.per_second)), kind, quality)
        if max_mb is None or len(moving) <= max_mb * MEGABYTE:
            return moving, wide
        sizes.append(len(moving))
    assert max_mb is not None
    raise too_large(file, max_mb, min(sizes))


def _pictures(clip: Clip, fps: int, width: int, per_second: int) -> Iterator[_Picture]:
    """Frames that differ from the one before, at most so many of them in a second."""
    every = max(1, round(fps / per_second))
    shown, since, seen = None, 0, b""
    with opened(clip.video) as film:
        for picture in pictures_of(film):
            number = -(-picture.start // every) * every
            if number >= picture.end:
                continue
            height = round(width * picture.pixels.height / picture.pixels.width)
            scaled: Any = picture.pixels.reformat(width, height, "rgb24")
            image: Image.Image = scaled.to_image()
            pixels = image.tobytes()
            if shown is not None and pixels != seen:
                yield _Picture(shown, _milliseconds(since, number, fps))
            if pixels != seen:
                shown, since, seen = image, number, pixels
    if shown is not None:
        yield _Picture(shown, _milliseconds(since, clip.frames, fps))


def _milliseconds(start: int, end: int, fps: int) -> int:
    """How long frames are shown, counted from the start so that nothing drifts.

    GIF counts in hundredths of a second.
    """
    return 10 * (round(100 * end / fps) - round(100 * start / fps))


def _encoded(pictures: list[_Picture], kind: Kind, quality: _Quality) -> bytes:
    images = [picture.image for picture in pictures]
    how: dict[str, Any] = {"quality": quality.webp, "method": 3}
    if kind == "gif":
        images = _paletted(images, quality.colours)
        how = {"disposal": 1, "optimize": True}
    file = io.BytesIO()
    images[0].save(
        file,
        kind,
        save_all=True,
        append_images=images[1:],
        duration=[picture.milliseconds for picture in pictures],
        loop=0,
        **how,
    )
    return file.getvalue()


def _paletted(images: list[Image.Image], colours: int) -> list[Image.Image]:
    """All in the colours that suit them best: with one table for all, nothing flickers.

    The films' flat colours need no dots between them.
    """
    some = images[:: max(1, len(images) // _SAMPLES)]
    width, height = some[0].size
    sheet = Image.new("RGB", (width, height * len(some)))
    for place, image in enumerate(some):
        sheet.paste(image, (0, place * height))
    table = sheet.quantize(colours, Image.Quantize.MEDIANCUT)
    return [image.quantize(palette=table, dither=Image.Dither.NONE) for image in images]
