"""One H.264 stream for a whole clip, made while the next frame is being drawn.

Manim opens an encoder for every play and converts every pixel of every frame. Here one encoder
runs from the first frame to the last in a thread of its own, and only the rows that changed since
the frame before are converted from RGBA to YUV, into the same values that converting all of them
would give.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from fractions import Fraction
from queue import Queue
from threading import Thread
from typing import cast

import av
import numpy as np
from av.video.frame import PictureType
from av.video.reformatter import ColorPrimaries, ColorRange, Colorspace, ColorTrc, VideoReformatter
from numpy.typing import NDArray

OPTIONS = {
    "preset": "veryfast",
    "crf": "19",
    "threads": "1",
    "thread_type": "frame",
    "forced-idr": "1",
}
"""One thread: the workers fill the cores, and the bytes do not depend on how many there are."""

_BLOCK = 16
"""Rows are compared and converted in blocks; a changed row reaches less than one block further."""
_QUEUE = 8
"""Frames that may wait for the encoder."""


class RowConverter:
    """RGBA frames to YUV 4:2:0 (BT.709, limited range), converting what changed."""

    def __init__(self, width: int, height: int) -> None:
        self._seen = np.zeros((height, width, 4), np.uint8)
        self._frame = av.VideoFrame(width, height, "yuv420p")
        self._planes = [_rows(plane) for plane in self._frame.planes]
        self._reformatters: dict[int, VideoReformatter] = {}
        self._fresh = True

    def convert(self, pixels: NDArray[np.uint8]) -> av.VideoFrame:
        """The whole of `pixels`, (height, width, 4), as a new frame."""
        for top, bottom in self._changed(pixels):
            self._convert_rows(pixels, top, bottom)
            self._seen[top:bottom] = pixels[top:bottom]
        self._fresh = False
        return self._copy()

    def _changed(self, pixels: NDArray[np.uint8]) -> Iterator[tuple[int, int]]:
        """Runs of rows, from `top` up to `bottom`, whose YUV values may be other than before."""
        height = len(pixels)
        if self._fresh:
            yield 0, height
            return
        differs = _wide(pixels) != _wide(self._seen)
        blocks = np.unique(np.flatnonzero(differs.any(axis=1)) // _BLOCK)
        touched = np.zeros(-(-height // _BLOCK) + 2, dtype=bool)
        for shift in (0, 1, 2):
            touched[blocks + shift] = True
        edges = np.flatnonzero(np.diff(touched[1:-1].astype(np.int8), prepend=0, append=0))
        for start, end in edges.reshape(-1, 2):
            yield int(start) * _BLOCK, min(int(end) * _BLOCK, height)

    def _convert_rows(self, pixels: NDArray[np.uint8], top: int, bottom: int) -> None:
        first, last = max(0, top - _BLOCK), min(len(pixels), bottom + _BLOCK)
        band = av.VideoFrame.from_ndarray(pixels[first:last], format="rgba")
        converted = self._reformatters.setdefault(last - first, VideoReformatter()).reformat(
            band, format="yuv420p", dst_colorspace=Colorspace.ITU709, threads=1
        )
        for target, plane, half in zip(self._planes, converted.planes, (1, 2, 2), strict=True):
            rows = slice((top - first) // half, -(-(bottom - first) // half))
            target[top // half : -(-bottom // half)] = _rows(plane)[rows, : target.shape[1]]

    def _copy(self) -> av.VideoFrame:
        frame = av.VideoFrame(self._frame.width, self._frame.height, "yuv420p")
        for ours, plane in zip(self._planes, frame.planes, strict=True):
            _rows(plane)[:] = ours
        return frame


class ClipEncoder:
    """Takes RGBA frames, gives an MP4. `write` returns before the frame is encoded."""

    def __init__(self, width: int, height: int, fps: int) -> None:
        self.frames = 0
        self._rate = fps
        self._shape = (height, width, 4)
        self._converter = RowConverter(width, height)
        self._file = io.BytesIO()
        self._container = av.open(self._file, "w", format="mp4")
        self._stream = self._container.add_stream("libx264", rate=fps, options=OPTIONS)
        self._stream.width, self._stream.height = width, height
        self._stream.pix_fmt = "yuv420p"
        _tag_colors(self._stream.codec_context)
        self._key = True
        self._queue: Queue[tuple[av.VideoFrame, int, bool] | None] = Queue(_QUEUE)
        self._error: BaseException | None = None
        self._thread = Thread(target=self._encode_queue, name="encoder", daemon=True)
        self._thread.start()

    def write(self, pixels: NDArray[np.uint8], repeat: int = 1) -> None:
        """Add a frame, (height, width, 4), to be shown `repeat` times.

        The array may be drawn over as soon as this returns.
        """
        if self._error is not None:
            raise self._error
        if pixels.shape != self._shape:
            raise ValueError(f"a frame has shape {pixels.shape} and should have {self._shape}")
        self._queue.put((self._converter.convert(pixels), repeat, self._key))
        self._key = False
        self.frames += repeat

    def begin_beat(self) -> None:
        """Let the next frame be one that a player can jump to."""
        self._key = True

    def finish(self) -> bytes:
        """Wait for the last frame and return the MP4."""
        self._stop()
        if self._error is not None:
            raise self._error
        self._container.mux(self._stream.encode(None))
        self._container.close()
        return self._file.getvalue()

    def abort(self) -> None:
        """End without a clip."""
        self._error = self._error or RuntimeError("the clip was given up")
        self._stop()
        self._container.close()

    def _stop(self) -> None:
        self._queue.put(None)
        self._thread.join()

    def _encode_queue(self) -> None:
        done = 0
        while (item := self._queue.get()) is not None:
            frame, repeat, key = item
            for again in range(0 if self._error else repeat):
                self._encode(frame, done, key and not again)
                done += 1

    def _encode(self, frame: av.VideoFrame, index: int, key: bool) -> None:
        frame.pts, frame.time_base = index, Fraction(1, self._rate)
        frame.pict_type = PictureType.I if key else PictureType.NONE
        try:
            self._container.mux(self._stream.encode(frame))
        except Exception as error:
            self._error = error


def count_frames(video: bytes) -> int:
    """How many frames an MP4 holds, counted in the stream itself."""
    with av.open(io.BytesIO(video), "r") as container:
        return sum(1 for packet in container.demux(video=0) if packet.dts is not None)


def _tag_colors(context: av.VideoCodecContext) -> None:
    """Say which YUV this is: an untagged stream is BT.601 to one player and BT.709 to the next."""
    context.colorspace = Colorspace.ITU709
    context.color_range = ColorRange.MPEG
    context.color_primaries = ColorPrimaries.BT709
    context.color_trc = ColorTrc.IEC61966_2_1


def _rows(plane: av.video.plane.VideoPlane) -> NDArray[np.uint8]:
    """The samples of a plane, without the padding of its rows; writing to them writes through."""
    samples = np.frombuffer(cast(bytes, plane), np.uint8)  # any buffer; Python 3.11 has no type
    return samples.reshape(plane.height, plane.line_size)[:, : plane.width]


def _wide(pixels: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """The same memory, two pixels to a number (widths are even): quicker to compare."""
    return pixels.reshape(len(pixels), -1).view(np.uint64)
