"""Clips whose every frame can be told apart, made without Manim."""

from collections.abc import Iterator
from itertools import repeat
from pathlib import Path

import av
import numpy as np

from clockhead.clips.clip import Clip
from clockhead.clips.encoder import ClipEncoder
from clockhead.clips.stream import decode_pictures
from clockhead.scenes.stage import Beat, CaptionLine

WIDTH, HEIGHT, FPS = 160, 96, 30
_CELLS = 8
"""A frame's number is written in its first row of squares, in binary; the shot's in the second."""


def frame(shot: int, number: int):
    """(HEIGHT, WIDTH, 4): the numbers as black and white squares on grey."""
    pixels = np.full((HEIGHT, WIDTH, 4), 128, np.uint8)
    pixels[..., 3] = 255
    size = WIDTH // _CELLS
    for row, value in enumerate((number, shot)):
        for bit in range(_CELLS):
            shade = 255 if value >> bit & 1 else 0
            pixels[row * size : (row + 1) * size, bit * size : (bit + 1) * size, :3] = shade
    return pixels


def read(picture) -> tuple[int, int]:
    """The shot and the number that a frame shows, from a PIL image."""
    grey = np.asarray(picture.convert("L"))
    size = WIDTH // _CELLS
    middle = size // 2
    number, shot = (
        sum(
            1 << bit
            for bit in range(_CELLS)
            if grey[row * size + middle, bit * size + middle] > 128
        )
        for row in (0, 1)
    )
    return shot, number


def shown(film) -> Iterator[av.VideoFrame]:
    """What an MP4 shows in each of its frames, a picture that stays again and again."""
    for picture in decode_pictures(film):
        yield from repeat(picture.pixels, picture.end - picture.start)


def clip(
    shot: int, frames: int, *, lines: tuple[CaptionLine, ...] = (), width: int = WIDTH
) -> Clip:
    encoder = ClipEncoder(width, HEIGHT, FPS)
    for number in range(frames):
        encoder.write(np.ascontiguousarray(frame(shot, number)[:, :width]))
    return Clip(
        video=encoder.finish(),
        frames=frames,
        beats=(Beat("only", 0),),
        lines=lines,
        opened=0,
        poster=frames - 1,
        richness=shot / 100,
    )


def index_in_front(film: Path) -> bool:
    """Whether players can start before they have the whole file (faststart)."""
    data = film.read_bytes()
    return 0 < data.find(b"moov") < data.find(b"mdat")
