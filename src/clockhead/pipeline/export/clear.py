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

from clockhead.pipeline.clips.areas import Area
from clockhead.pipeline.clips.clip import ClipJob, Report
from clockhead.pipeline.clips.scratch import scratch_directory
from clockhead.pipeline.export.edition import Edition
from clockhead.pipeline.look import Look

_OPTIONS = {"crf": "30", "b": "0", "deadline": "good", "cpu-used": "5", "auto-alt-ref": "0"}
"""Alternate reference frames and transparency do not go together in VP9."""


def draw_clear(edition: Edition) -> Iterator[bytes]:
    """Each shot as a WebM without its ground.

    Raises:
        ExportError: when a shot cannot be drawn.
    """
    look = edition.film.look
    yield from edition.each(
        render_clear, {s.id: ClipJob(s.stage, s.shot, look) for s in edition.film.shots}
    ).values()


def render_clear(job: ClipJob, report: Report = lambda _: None) -> bytes:
    """Draw one shot without its ground: a WebM of VP9 with an alpha plane."""
    from clockhead.pipeline.clips.drawing import ClipRenderer
    from clockhead.scenes.stage import find_stage

    look = job.look
    encoder: Any = _ClearEncoder(look.width, look.height, look.fps)
    with scratch_directory() as media, _settings(look, media):
        find_stage(job.stage)(job.shot, renderer=ClipRenderer(encoder, report)).render()
    video: bytes = encoder.finish()
    return video


def _settings(look: Look, media: Path) -> AbstractContextManager[None]:
    from clockhead.pipeline.clips.drawing import manim_settings

    return manim_settings(look, media, format="mov", background_opacity=0.0)


class _ClearEncoder:
    """Takes frames as cairo draws them, colours multiplied by how much they cover."""

    def __init__(self, width: int, height: int, fps: int) -> None:
        self.frames = 0
        self._file = io.BytesIO()
        self._film = av.open(self._file, "w", format="webm")
        stream: Any = self._film.add_stream("libvpx-vp9", rate=fps, options=_OPTIONS)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuva420p"
        stream.metadata["alpha_mode"] = "1"
        self._stream = stream
        self._picture: av.VideoFrame | None = None
        self._encoded = -1

    def write(
        self, pixels: NDArray[np.uint8], repeat: int = 1, changed: Sequence[Area] | None = None
    ) -> None:
        """Add a frame, (height, width, 4), to be shown `repeat` times; nothing if it is there."""
        if changed is None or changed:
            self._picture = av.VideoFrame.from_ndarray(_straight(pixels), format="rgba")
            self._encode(self.frames)
        self.frames += repeat

    def begin_beat(self) -> None:
        """Players of such clips are not stepped."""

    def finish(self) -> bytes:
        """The WebM."""
        self._encode(self.frames - 1)  # where it ends is told by its last frame alone
        self._film.mux(self._stream.encode(None))
        self._film.close()
        return self._file.getvalue()

    def _encode(self, number: int) -> None:
        if self._picture is not None and number > self._encoded:
            frame = self._picture.reformat(format="yuva420p", dst_colorspace=Colorspace.ITU709)
            frame.pts = self._encoded = number
            self._film.mux(self._stream.encode(frame))


def _straight(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Colours as they are, whatever they cover."""
    cover = np.maximum(pixels[..., 3:], 1).astype(np.uint16)
    colours = np.minimum(pixels[..., :3].astype(np.uint16) * 255 // cover, 255)
    return np.concatenate([colours.astype(np.uint8), pixels[..., 3:]], axis=2)
