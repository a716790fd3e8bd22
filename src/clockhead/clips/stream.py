"""H.264 in MP4 at a constant frame rate, with a time base of one frame.

All times in these streams are whole numbers of frames, and pictures are decoded in the order in
which they are shown. A picture that stays is encoded again for each of its frames. As one long
frame it would take a hundredth less space and a twentieth less time, but half of all programs would
lose it: filters of ffmpeg end a frame where the next begins, and MoviePy and OpenCV count frames
instead of reading their times.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
from av.codec.context import Flags
from av.container import InputContainer
from av.video.frame import PictureType
from av.video.reformatter import ColorPrimaries, ColorRange, Colorspace, ColorTrc

_ALWAYS = {
    "threads": "1",
    "thread_type": "frame",
    "forced-idr": "1",
    "bf": "0",
    "g": "1000000",
}
"""One thread: workers keep all cores busy, and the bytes do not depend on the number of cores. No
B-frames: packets come in the order of their pictures, so that clips can be cut and joined without
encoding. No key frames except those that `PictureStream` asks for: in a picture that stays they
would be visible as a twitch."""
_FAITHFUL = "deadzone-inter=6:deadzone-intra=6:no-fast-pskip=1:chroma-qp-offset=-4"
"""Keeps ghosts out. By default x264 drops differences below .8 of a quantiser step and copies
blocks that hardly differ, so that a shade remains of a bar that has faded out; see
`benchmarks/ghosts.py`."""
_USUAL = {"preset": "ultrafast", "qp": "19", "x264-params": f"cabac=1:partitions=i4x4:{_FAITHFUL}"}
"""A constant quantiser, for which x264 need not analyse pictures first."""
_SMALL = {"preset": "medium", "crf": "20.5"}
_KEY_INTERVAL = 250
"""Frames after which the next picture that differs becomes a key frame, too."""


def x264_options(*, small: bool = False) -> dict[str, str]:
    """Options for x264, chosen with `benchmarks/encoder.py`."""
    return {**(_SMALL if small else _USUAL), **_ALWAYS}


def container_options(fps: int) -> dict[str, str]:
    """Options for the MP4 muxer: a time base of one frame."""
    return {"video_track_timescale": str(fps)}


@dataclass(frozen=True, slots=True)
class TimedPicture:
    """A picture that is shown in frames `start` to `end - 1`; players can jump to a `key`."""

    pixels: av.VideoFrame
    start: int
    end: int
    key: bool


class PictureStream:
    """Takes pictures in YUV 4:2:0 and returns an MP4.

    Each key picture starts a new encoder. The packets up to the next one depend on their pictures
    alone, so a beat has the same bytes whatever came before it.
    """

    def __init__(self, width: int, height: int, fps: int, *, small: bool = False) -> None:
        self._rate = fps
        self._options = x264_options(small=small)
        self._file = io.BytesIO()
        self._container = av.open(
            self._file, "w", format="mp4", container_options=container_options(fps)
        )
        self._stream = self._container.add_stream("libx264", rate=fps, options=self._options)
        self._encoder = self._stream.codec_context
        set_picture_format(self._encoder, width, height)
        self._is_fresh = True
        self._last_key = 0

    def add(self, picture: TimedPicture) -> None:
        """Encode the next picture, once for each of its frames.

        It becomes a key frame, too, if the last one is so far back that seeking would be slow.
        """
        if picture.key:
            self._begin_anew()
        self._is_fresh = False
        is_key = picture.key or picture.start - self._last_key >= _KEY_INTERVAL
        if is_key:
            self._last_key = picture.start
        frame = picture.pixels
        frame.time_base = Fraction(1, self._rate)
        for at in range(picture.start, picture.end):
            frame.pts = at
            frame.pict_type = PictureType.I if is_key and at == picture.start else PictureType.NONE
            self._mux(self._encoder.encode(frame))

    def finish(self) -> bytes:
        """Flush the encoder and return the MP4."""
        self._mux(self._encoder.encode(None))
        self._container.close()
        return self._file.getvalue()

    def abort(self) -> None:
        """Close the stream; there is no MP4."""
        self._container.close()

    def _begin_anew(self) -> None:
        """Start a new encoder, unless this one has encoded nothing."""
        if self._is_fresh:
            return
        used, self._is_fresh = self._encoder, True
        self._mux(used.encode(None))
        self._encoder = av.CodecContext.create("libx264", "w")
        self._encoder.options = self._options
        self._encoder.framerate = Fraction(self._rate)
        self._encoder.flags |= Flags.global_header
        set_picture_format(self._encoder, used.width, used.height)

    def _mux(self, packets: Iterable[av.Packet[Any]]) -> None:
        for packet in packets:
            packet.duration, packet.time_base = 1, Fraction(1, self._rate)
            packet.stream = self._stream
            self._container.mux(packet)


def open_video(video: bytes | Path) -> InputContainer:
    """Open an MP4 of ours, in memory or in a file.

    Its frame rate is known from its time base, so no pictures are decoded to guess it.
    """
    source = io.BytesIO(video) if isinstance(video, bytes) else str(video)
    return av.open(source, "r", options={"fpsprobesize": "0"})


def read_packets(film: InputContainer) -> Iterator[av.Packet[Any]]:
    """The packets of the video stream, one for each frame."""
    return (packet for packet in film.demux(video=0) if packet.dts is not None)


def count_frames(film: InputContainer) -> int:
    """The number of frames, read from the packets."""
    packets = read_packets(film)
    return max(((packet.pts or 0) + (packet.duration or 0) for packet in packets), default=0)


def frame_rate(film: InputContainer) -> int:
    """Frames per second."""
    base = film.streams.video[0].time_base
    assert base is not None
    return round(1 / base)


def decode_pictures(film: InputContainer, first: int = 0) -> Iterator[TimedPicture]:
    """Decode the pictures of a film, from the one that frame `first` shows."""
    stream = film.streams.video[0]
    stream.thread_type = "AUTO"
    if first:
        film.seek(first, stream=stream)
    for frame in film.decode(stream):
        start = frame.pts or 0
        picture = TimedPicture(
            frame, start, start + max(1, frame.duration or 0), bool(frame.key_frame)
        )
        if picture.end > first:
            yield picture


def set_picture_format(
    context: av.VideoCodecContext, width: int, height: int, form: str = "yuv420p"
) -> None:
    """Set the size and the colour space of an encoder's pictures.

    Without tags, one player takes a stream for BT.601 and the next for BT.709.
    """
    context.width, context.height, context.pix_fmt = width, height, form
    context.colorspace = Colorspace.ITU709
    context.color_range = ColorRange.MPEG
    context.color_primaries = ColorPrimaries.BT709
    context.color_trc = ColorTrc.IEC61966_2_1
