"""Shots without their background: drawn again, and encoded with an alpha channel."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

import av
import numpy as np
from av.video.reformatter import Colorspace
from numpy.typing import NDArray

from clockhead.clips.areas import Area
from clockhead.clips.clip import ClipJob, Report
from clockhead.clips.scratch import scratch_directory
from clockhead.clips.stream import set_picture_format
from clockhead.export.edition import Edition

_OPTIONS = {"crf": "4", "b": "0", "deadline": "good", "cpu-used": "5", "auto-alt-ref": "0"}
"""VP9 allows no alternate reference frames with alpha. A coarser quantiser makes files a third
smaller, but leaves visible edges on a background of another colour."""
_FAINT = 8 / 255
"""Alpha below which the colour of a pixel is too coarsely rounded to be used."""


def draw_transparent(edition: Edition) -> Iterator[bytes]:
    """Each shot as a WebM without its background.

    Raises:
        ExportError: if a shot cannot be drawn.
    """
    look = edition.film.look
    jobs = {s.id: ClipJob(s.stage, s.shot, look) for s in edition.film.shots}
    yield from edition.run_jobs(
        render_transparent, jobs, "rendering without background", "frames"
    ).values()


def render_transparent(job: ClipJob, report: Report = lambda _: None) -> bytes:
    """Draw one shot without its background: a WebM of VP9 with an alpha plane."""
    from clockhead.clips.drawing import ClipRenderer, manim_settings
    from clockhead.scenes.stage import find_stage

    report(0)
    look = job.look
    encoder: Any = _AlphaEncoder(look.width, look.height, look.fps)
    with (
        scratch_directory() as media,
        manim_settings(look, media, format="mov", background_opacity=0.0),
    ):
        find_stage(job.stage)(job.shot, renderer=ClipRenderer(encoder, report)).render()
    video: bytes = encoder.finish()
    return video


class _AlphaEncoder:
    """Encodes frames as cairo draws them, with premultiplied alpha."""

    def __init__(self, width: int, height: int, fps: int) -> None:
        self.frames = 0
        self._file = io.BytesIO()
        self._film = av.open(self._file, "w", format="webm")
        stream: Any = self._film.add_stream("libvpx-vp9", rate=fps, options=_OPTIONS)
        set_picture_format(stream.codec_context, width, height, "yuva420p")
        stream.metadata["alpha_mode"] = "1"
        self._stream = stream
        self._picture: av.VideoFrame | None = None

    def write(
        self, pixels: NDArray[np.uint8], repeat: int = 1, changed: Sequence[Area] | None = None
    ) -> None:
        """Add a frame, (height, width, 4), `repeat` times."""
        if self._picture is None or changed is None or changed:
            picture = av.VideoFrame.from_ndarray(unpremultiply(pixels), format="rgba")
            self._picture = picture.reformat(format="yuva420p", dst_colorspace=Colorspace.ITU709)
        for _ in range(repeat):
            self._picture.pts = self.frames
            self._film.mux(self._stream.encode(self._picture))
            self.frames += 1

    def begin_beat(self) -> None:
        """Do nothing: these clips need no key frames at beats."""

    def finish(self) -> bytes:
        """Finish and return the WebM."""
        self._film.mux(self._stream.encode(None))
        self._film.close()
        return self._file.getvalue()


def unpremultiply(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Colours divided by alpha: (height, width, 4), as `pixels`.

    Nearly transparent pixels take the colour of what is drawn next to them: an encoder mixes the
    colours of neighbours, so the colour of transparent pixels would show around letters.
    """
    height, width, _ = pixels.shape
    near = _double(_spread_colours(_halve(pixels.astype(np.float32) / 255)), height, width)
    found = np.where(pixels[..., 3:] == 255, pixels[..., :3], np.rint(255 * near))
    edges = (pixels[..., 3] > 0) & (pixels[..., 3] < 255)
    found[edges] = np.rint(255 * _fill(pixels[edges].astype(np.float32) / 255, near[edges]))
    colours = np.clip(found, 0, 255).astype(np.uint8)
    return np.concatenate([colours, pixels[..., 3:]], axis=2)


def _spread_colours(pixels: NDArray[np.floating]) -> NDArray[np.floating]:
    """The colour of each pixel, or of what is drawn nearest to it; (height, width, 3).

    `pixels` are (height, width, 4) with premultiplied alpha, from 0 to 1.
    """
    height, width, _ = pixels.shape
    if height == width == 1:
        return _fill(pixels, np.zeros((1, 1, 3), np.float32))
    return _fill(pixels, _double(_spread_colours(_halve(pixels)), height, width))


def _fill(pixels: NDArray[np.floating], near: NDArray[np.floating]) -> NDArray[np.floating]:
    """The colours of pixels (..., 4); the lower their alpha, the more they take from `near`."""
    alpha = pixels[..., 3:]
    weight = _FAINT * (1 - alpha)
    filled: NDArray[np.floating] = (pixels[..., :3] + weight * near) / (alpha + weight)
    return filled


def _halve(pixels: NDArray[np.floating]) -> NDArray[np.floating]:
    """The mean of every four pixels."""
    height, width, _ = pixels.shape
    even = np.pad(pixels, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")
    four = even[::2, ::2] + even[1::2, ::2] + even[::2, 1::2] + even[1::2, 1::2]
    mean: NDArray[np.floating] = four / 4
    return mean


def _double(pixels: NDArray[np.floating], height: int, width: int) -> NDArray[np.floating]:
    return pixels.repeat(2, 0).repeat(2, 1)[:height, :width]
