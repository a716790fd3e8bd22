"""Shots without their ground: drawn anew, and encoded with how much of each pixel is covered."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import av
import numpy as np
from av.video.reformatter import Colorspace
from numpy.typing import NDArray

from clockhead.clips.areas import Area
from clockhead.clips.clip import ClipJob, Report
from clockhead.clips.scratch import scratch_directory
from clockhead.clips.stream import describe
from clockhead.export.edition import Edition
from clockhead.look import Look

_OPTIONS = {"crf": "4", "b": "0", "deadline": "good", "cpu-used": "5", "auto-alt-ref": "0"}
"""Alternate reference frames and transparency do not go together in VP9. A coarser quantiser makes
files a third smaller, and edges that are seen on a ground of another colour."""
_FAINT = 8 / 255
"""What a pixel may cover so that its own colour, rounded, is not to be relied upon."""


def draw_clear(edition: Edition) -> Iterator[bytes]:
    """Each shot as a WebM without its ground.

    Raises:
        ExportError: when a shot cannot be drawn.
    """
    look = edition.film.look
    jobs = {s.id: ClipJob(s.stage, s.shot, look) for s in edition.film.shots}
    yield from edition.each(render_clear, jobs, "rendering without ground", "frames").values()


def render_clear(job: ClipJob, report: Report = lambda _: None) -> bytes:
    """Draw one shot without its ground: a WebM of VP9 with an alpha plane."""
    from clockhead.clips.drawing import ClipRenderer
    from clockhead.scenes.stage import find_stage

    report(0)
    look = job.look
    encoder: Any = _ClearEncoder(look.width, look.height, look.fps)
    with scratch_directory() as media, _settings(look, media):
        find_stage(job.stage)(job.shot, renderer=ClipRenderer(encoder, report)).render()
    video: bytes = encoder.finish()
    return video


def _settings(look: Look, media: Path) -> AbstractContextManager[None]:
    from clockhead.clips.drawing import manim_settings

    return manim_settings(look, media, format="mov", background_opacity=0.0)


class _ClearEncoder:
    """Takes frames as cairo draws them, colours multiplied by how much they cover."""

    def __init__(self, width: int, height: int, fps: int) -> None:
        self.frames = 0
        self._file = io.BytesIO()
        self._film = av.open(self._file, "w", format="webm")
        stream: Any = self._film.add_stream("libvpx-vp9", rate=fps, options=_OPTIONS)
        describe(stream.codec_context, width, height, "yuva420p")
        stream.metadata["alpha_mode"] = "1"
        self._stream = stream
        self._picture: av.VideoFrame | None = None

    def write(
        self, pixels: NDArray[np.uint8], repeat: int = 1, changed: Sequence[Area] | None = None
    ) -> None:
        """Add a frame, (height, width, 4), to be shown `repeat` times."""
        if self._picture is None or changed is None or changed:
            picture = av.VideoFrame.from_ndarray(straight(pixels), format="rgba")
            self._picture = picture.reformat(format="yuva420p", dst_colorspace=Colorspace.ITU709)
        for _ in range(repeat):
            self._picture.pts = self.frames
            self._film.mux(self._stream.encode(self._picture))
            self.frames += 1

    def begin_beat(self) -> None:
        """Players of such clips are not stepped."""

    def finish(self) -> bytes:
        """The WebM."""
        self._film.mux(self._stream.encode(None))
        self._film.close()
        return self._file.getvalue()


def straight(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Colours as they are, whatever they cover: (height, width, 4), as `pixels`.

    Where little or nothing is covered, they go on from what is drawn around. An encoder mixes the
    colours of neighbours, and what it finds under clear pixels would be seen around letters.
    """
    height, width, _ = pixels.shape
    near = _doubled(_surroundings(_halved(pixels.astype(np.float32) / 255)), height, width)
    found = np.where(pixels[..., 3:] == 255, pixels[..., :3], np.rint(255 * near))
    edges = (pixels[..., 3] > 0) & (pixels[..., 3] < 255)
    found[edges] = np.rint(255 * _mended(pixels[edges].astype(np.float32) / 255, near[edges]))
    colours = np.clip(found, 0, 255).astype(np.uint8)
    return np.concatenate([colours, pixels[..., 3:]], axis=2)


def _surroundings(pixels: NDArray[np.floating]) -> NDArray[np.floating]:
    """The colour of each pixel, or of what is drawn nearest to it; (height, width, 3).

    `pixels` are (height, width, 4), colours multiplied by cover, all from 0 to 1.
    """
    height, width, _ = pixels.shape
    if height == width == 1:
        return _mended(pixels, np.zeros((1, 1, 3), np.float32))
    return _mended(pixels, _doubled(_surroundings(_halved(pixels)), height, width))


def _mended(pixels: NDArray[np.floating], near: NDArray[np.floating]) -> NDArray[np.floating]:
    """The colours of pixels (..., 4); the less they cover, the more they take from `near`."""
    cover = pixels[..., 3:]
    doubt = _FAINT * (1 - cover)
    mended: NDArray[np.floating] = (pixels[..., :3] + doubt * near) / (cover + doubt)
    return mended


def _halved(pixels: NDArray[np.floating]) -> NDArray[np.floating]:
    """The mean of every four pixels."""
    height, width, _ = pixels.shape
    even = np.pad(pixels, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")
    four = even[::2, ::2] + even[1::2, ::2] + even[::2, 1::2] + even[1::2, 1::2]
    mean: NDArray[np.floating] = four / 4
    return mean


def _doubled(pixels: NDArray[np.floating], height: int, width: int) -> NDArray[np.floating]:
    return pixels.repeat(2, 0).repeat(2, 1)[:height, :width]
