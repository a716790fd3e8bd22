"""GIF and animated WebP, which play where films do not: in mail and other people's slides."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

from PIL import Image

from clockhead import atomic
from clockhead.clips.clip import Clip
from clockhead.clips.stream import decode_pictures, open_video
from clockhead.export.edition import Edition
from clockhead.export.formats import Choices
from clockhead.export.video import MEGABYTE, smaller_message, too_large

Kind = Literal["gif", "webp"]
_DEFAULT_WIDTH = 720
_SAMPLES = 12
"""Pictures from which the palette of a GIF is chosen."""
_SHRINK = (0.8, 0.62, 0.48, 0.36, 0.26)
"""Fractions of the width to try if the lowest quality is too large."""


@dataclass(frozen=True, slots=True)
class _Effort:
    """Settings of an encoder."""

    rate: int
    """Most frames per second."""
    webp: int
    """Quality of a WebP, up to 100."""
    colours: int
    """Number of colours of a GIF."""


_EFFORTS = (_Effort(12, 72, 256), _Effort(10, 50, 96), _Effort(6, 28, 40))
"""From the default to the lowest, below which a smaller picture looks better."""


def _write(kind: Kind, edition: Edition, target: Path, choices: Choices) -> Iterator[Path]:
    """Write each shot as an endless animation of at most `max_mb` megabytes.

    The quality is reduced before the width.

    Raises:
        ExportError: if one does not fit.
    """
    for shot in edition.shots:
        assert shot.clip is not None
        file = target / f"{edition.name}-{shot.stem}.{kind}"
        width = choices.width or min(_DEFAULT_WIDTH, edition.film.look.width)
        sizes: list[int] = []
        for found, effort in [
            *((width, effort) for effort in _EFFORTS),
            *((round(width * share), _EFFORTS[-1]) for share in _SHRINK),
        ]:
            frames = list(_sample(shot.clip, edition.fps, found, effort.rate))
            content = _encode(frames, kind, effort)
            sizes.append(len(content))
            if choices.max_mb is None or sizes[-1] <= choices.max_mb * MEGABYTE:
                break
        else:
            assert choices.max_mb is not None
            raise too_large(file, choices.max_mb, min(sizes))
        atomic.write(file, content)
        if choices.max_mb is not None and found < width:
            edition.say(smaller_message(file, found, width, choices.max_mb))
        yield file


write_gif = partial(_write, "gif")
write_webp = partial(_write, "webp")


def _sample(clip: Clip, fps: int, width: int, rate: int) -> Iterator[tuple[Image.Image, int]]:
    """Frames that differ from the one before, and the milliseconds that each is shown.

    At most `rate` of them per second.
    """
    every = max(1, round(fps / rate))
    shown, since, seen = None, 0, b""
    with open_video(clip.video) as film:
        for picture in decode_pictures(film):
            number = -(-picture.start // every) * every
            if number >= picture.end:
                continue
            height = round(width * picture.pixels.height / picture.pixels.width)
            scaled: Any = picture.pixels.reformat(width, height, "rgb24")
            image: Image.Image = scaled.to_image()
            pixels = image.tobytes()
            if shown is not None and pixels != seen:
                yield shown, _milliseconds(since, number, fps)
            if pixels != seen:
                shown, since, seen = image, number, pixels
    if shown is not None:
        yield shown, _milliseconds(since, clip.frames, fps)


def _milliseconds(start: int, end: int, fps: int) -> int:
    """The time from one frame to another, rounded as GIF does, to hundredths of a second.

    Both are rounded from the start of the clip, so that nothing drifts.
    """
    return 10 * (round(100 * end / fps) - round(100 * start / fps))


def _encode(frames: list[tuple[Image.Image, int]], kind: Kind, effort: _Effort) -> bytes:
    images = [image for image, _ in frames]
    options: dict[str, Any] = {"quality": effort.webp, "method": 3}
    if kind == "gif":
        images = _share_palette(images, effort.colours)
        options = {"disposal": 1, "optimize": True}
    file = io.BytesIO()
    images[0].save(
        file,
        kind,
        save_all=True,
        append_images=images[1:],
        duration=[milliseconds for _, milliseconds in frames],
        loop=0,
        **options,
    )
    return file.getvalue()


def _share_palette(images: list[Image.Image], colours: int) -> list[Image.Image]:
    """Reduce the colours to one palette for all images, so that nothing flickers.

    The films have flat colours, which need no dithering.
    """
    some = images[:: max(1, len(images) // _SAMPLES)]
    width, height = some[0].size
    sheet = Image.new("RGB", (width, height * len(some)))
    for place, image in enumerate(some):
        sheet.paste(image, (0, place * height))
    table = sheet.quantize(colours, Image.Quantize.MEDIANCUT)
    return [image.quantize(palette=table, dither=Image.Dither.NONE) for image in images]
