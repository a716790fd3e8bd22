"""Encode a clip in a thread of its own while the next frame is drawn.

Manim opens an encoder for every play, and converts every pixel of every frame. Here one encoder
runs from the first frame to the last, and only areas that changed are converted from RGBA to YUV.
The values are those that converting whole frames would give.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from queue import Queue, SimpleQueue
from threading import Thread
from typing import cast

import av
import numpy as np
from av.video.reformatter import Colorspace, VideoReformatter
from numpy.typing import NDArray

from clockhead.clips.areas import Area
from clockhead.clips.stream import PictureStream, TimedPicture

_REACH = 4
"""Distance in pixels within which a pixel may influence converted colours; even."""
_MAX_CONVERTERS = 32
"""Maximum number of cached converters, one per area size."""
_MAX_WAITING = 8
"""Maximum number of pictures that wait for the encoder."""


class AreaConverter:
    """Converts what changed in RGBA frames to YUV 4:2:0 (BT.709, limited range)."""

    def __init__(self, width: int, height: int) -> None:
        self._frame = av.VideoFrame(width, height, "yuv420p")
        self._planes = [_rows(plane) for plane in self._frame.planes]
        self._reformatter = lru_cache(_MAX_CONVERTERS)(lambda _width, _height: VideoReformatter())
        """A converter per area size: making one takes longer than converting a small area."""

    def convert(self, pixels: NDArray[np.uint8], areas: Iterable[Area]) -> None:
        """Convert some areas, which have even edges, of `pixels`, (height, width, 4)."""
        for changed in areas:
            area, around = self._pad(changed, _REACH), self._pad(changed, 2 * _REACH)
            part = av.VideoFrame(around.width, around.height, "rgba")
            _rows(part.planes[0], 4)[:] = pixels[around.slices].reshape(around.height, -1)
            converted = self._reformatter(around.width, around.height).reformat(
                part,
                format="yuv420p",
                dst_colorspace=Colorspace.ITU709,
                threads=1,
            )
            for target, plane, step in zip(self._planes, converted.planes, (1, 2, 2), strict=True):
                there, here = _every(step, area), _every(step, area.relative_to(around))
                target[there.slices] = _rows(plane)[here.slices]

    def _pad(self, area: Area, by: int) -> Area:
        """An area with this many more pixels on each side, as far as the frame goes."""
        left, top, right, bottom = area
        wider = Area(left - by, top - by, right + by, bottom + by)
        return wider.within(self._frame.width, self._frame.height)

    def picture(self, used: av.VideoFrame | None = None) -> av.VideoFrame:
        """A copy of the converted frame; `used` is a frame whose memory it may take."""
        frame = used or av.VideoFrame(self._frame.width, self._frame.height, "yuv420p")
        for ours, plane in zip(self._planes, frame.planes, strict=True):
            _rows(plane)[:] = ours
        return frame


class ClipEncoder:
    """Takes RGBA frames and returns an MP4. `write` returns before the frame is encoded."""

    def __init__(self, width: int, height: int, fps: int, *, small: bool = False) -> None:
        self.frames = 0
        self._shape = (height, width, 4)
        self._converter = AreaConverter(width, height)
        self._last: NDArray[np.uint8] | None = None
        """A copy of the last frame, where frames have to be compared."""
        self._stream = PictureStream(width, height, fps, small=small)
        self._shown: TimedPicture | None = None
        """The current picture, whose end is not known yet."""
        self._is_key = True
        self._queue: Queue[TimedPicture | None] = Queue(_MAX_WAITING)
        self._used: SimpleQueue[av.VideoFrame] = SimpleQueue()
        """Pictures that are encoded, whose memory can be used again."""
        self._error: BaseException | None = None
        self._thread = Thread(target=self._encode_queue, name="encoder", daemon=True)
        self._thread.start()

    def write(
        self, pixels: NDArray[np.uint8], repeat: int = 1, changed: Sequence[Area] | None = None
    ) -> None:
        """Add a frame, (height, width, 4), that is shown `repeat` times.

        `changed` is where it differs from the one before, as areas with even edges. Without it, the
        frames are compared. The array may be drawn over as soon as this returns.
        """
        if self._error is not None:
            raise self._error
        if pixels.shape != self._shape:
            raise ValueError(f"a frame has shape {pixels.shape} instead of {self._shape}")
        areas = self._compare(pixels) if changed is None else changed
        self._converter.convert(pixels, areas)
        if areas or self._is_key:
            self._pass_on()
            used = None if self._used.empty() else self._used.get()
            picture = self._converter.picture(used)
            self._shown = TimedPicture(picture, self.frames, self.frames, self._is_key)
            self._is_key = False
        self.frames += repeat

    def begin_beat(self) -> None:
        """Make the next frame a key frame, to which players can jump."""
        self._pass_on()
        self._is_key = True

    def finish(self) -> bytes:
        """Wait until the last frame is encoded, and return the MP4."""
        self._pass_on()
        self._stop()
        if self._error is not None:
            raise self._error
        return self._stream.finish()

    def abort(self) -> None:
        """Stop encoding; there is no clip."""
        self._error = self._error or RuntimeError("the encoder was aborted")
        self._stop()
        self._stream.abort()

    def _compare(self, pixels: NDArray[np.uint8]) -> list[Area]:
        """The whole frame if it differs from the last one; used by Manim's own renderer alone."""
        if self._last is not None and np.array_equal(pixels, self._last):
            return []
        self._last = pixels.copy()
        height, width, _ = self._shape
        return [Area(0, 0, width, height)]

    def _pass_on(self) -> None:
        """Queue the current picture, of which the last frame is known now."""
        if self._shown is not None:
            self._queue.put(replace(self._shown, end=self.frames))
            self._shown = None

    def _stop(self) -> None:
        self._queue.put(None)
        self._thread.join()

    def _encode_queue(self) -> None:
        while (item := self._queue.get()) is not None:
            if self._error is None:
                try:
                    self._stream.add(item)
                except Exception as error:
                    self._error = error
            self._used.put(item.pixels)


def _every(step: int, area: Area) -> Area:
    """The area in a plane that has every `step`-th sample."""
    return Area(*(edge // step for edge in area))


def _rows(plane: av.video.plane.VideoPlane, size: int = 1) -> NDArray[np.uint8]:
    """A writable view of the samples of a plane, `size` bytes each, without the padding of rows."""
    samples = np.frombuffer(cast(bytes, plane), np.uint8)  # any buffer; Python 3.11 has no type
    return samples.reshape(plane.height, plane.line_size)[:, : size * plane.width]
