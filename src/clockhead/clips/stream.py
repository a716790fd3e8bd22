"""H.264 in MP4 at a constant rate, whose clock counts frames.

A picture that stays is encoded again for every frame in which it does. One long frame would be
smaller by a hundredth and quicker by a twentieth, and half of all programs would lose it: filters
of ffmpeg take a frame to end where the next begins, MoviePy and OpenCV count frames instead of
reading their times. The time base of these streams is one frame, so that all times in them are
whole numbers of frames; pictures are decoded in the order in which they are shown.
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
"""One thread: the workers fill the cores, and the bytes do not depend on how many there are. No
B-frames, so that packets come in the order of their pictures and can be copied beat by beat. No
key pictures but those that `PictureStream` asks for: one in a picture that stays would be seen as
a twitch."""
_FAITHFUL = "deadzone-inter=6:deadzone-intra=6:no-fast-pskip=1:chroma-qp-offset=-4"
"""Nothing of what has faded out may stay. By default x264 drops differences of less than .8 of a
step and copies blocks that hardly differ, so that a bar which fades out remains as a shade.
`benchmarks/ghosts.py` measures it."""
_USUAL = {"preset": "ultrafast", "qp": "19", "x264-params": f"cabac=1:partitions=i4x4:{_FAITHFUL}"}
"""One quantiser for all: nothing is looked at before it is encoded."""
_SMALL = {"preset": "medium", "crf": "20.5"}
_FARTHEST_KEY = 250
"""Frames after a key picture from which on the next picture that differs becomes one, too."""


def x264_options(*, small: bool = False) -> dict[str, str]:
    """What x264 is told; `benchmarks/encoder.py` measures why."""
    return {**(_SMALL if small else _USUAL), **_ALWAYS}


def container_options(fps: int) -> dict[str, str]:
    """What the muxer of MP4 is told so that its clock counts frames."""
    return {"video_track_timescale": str(fps)}


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture, the frames from `start` up to `end` in which it is shown, and whether players can
    jump to it."""

    pixels: av.VideoFrame
    start: int
    end: int
    key: bool


class PictureStream:
    """Takes pictures in YUV 4:2:0, gives an MP4.

    With every key picture an encoder begins that knows nothing of what came before: what comes of
    the pictures up to the next follows from these alone, and can be copied into another stream.
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
        describe(self._encoder, width, height)
        self._is_fresh = True
        self._last_key = 0

    def add(self, picture: Picture) -> None:
        """Encode a picture that begins where the one before ended, once for each of its frames.

        It becomes a key picture, too, when the last one is so long ago that seeking would be slow.
        """
        if picture.key:
            self._begin_anew()
        self._is_fresh = False
        is_key = picture.key or picture.start - self._last_key >= _FARTHEST_KEY
        if is_key:
            self._last_key = picture.start
        frame = picture.pixels
        frame.time_base = Fraction(1, self._rate)
        for at in range(picture.start, picture.end):
            frame.pts = at
            frame.pict_type = PictureType.I if is_key and at == picture.start else PictureType.NONE
            self._mux(self._encoder.encode(frame))

    def finish(self) -> bytes:
        """Encode what is left and return the MP4."""
        self._mux(self._encoder.encode(None))
        self._container.close()
        return self._file.getvalue()

    def abort(self) -> None:
        """End without an MP4."""
        self._container.close()

    def _begin_anew(self) -> None:
        """Have an encoder that has encoded nothing."""
        if self._is_fresh:
            return
        used, self._is_fresh = self._encoder, True
        self._mux(used.encode(None))
        self._encoder = av.CodecContext.create("libx264", "w")
        self._encoder.options = self._options
        self._encoder.framerate = Fraction(self._rate)
        self._encoder.flags |= Flags.global_header
        describe(self._encoder, used.width, used.height)

    def _mux(self, packets: Iterable[av.Packet[Any]]) -> None:
        for packet in packets:
            packet.duration, packet.time_base = 1, Fraction(1, self._rate)
            packet.stream = self._stream
            self._container.mux(packet)


def opened(video: bytes | Path) -> InputContainer:
    """An MP4 of ours, in memory or in a file.

    Its clock counts frames, so the rate is known, and no pictures are decoded to guess one.
    """
    source = io.BytesIO(video) if isinstance(video, bytes) else str(video)
    return av.open(source, "r", options={"fpsprobesize": "0"})


def packets_of(film: InputContainer) -> Iterator[av.Packet[Any]]:
    """The packets of a film's pictures, one to a picture."""
    return (packet for packet in film.demux(video=0) if packet.dts is not None)


def end_of(packet: av.Packet[Any]) -> int:
    """The frame with which a packet's picture is gone."""
    return (packet.pts or 0) + (packet.duration or 0)


def length_of(film: InputContainer) -> int:
    """How many frames a film shows, read in the stream itself."""
    return max(map(end_of, packets_of(film)), default=0)


def rate_of(film: InputContainer) -> int:
    """The frames in a second of a film."""
    base = film.streams.video[0].time_base
    assert base is not None
    return round(1 / base)


def pictures_of(film: InputContainer, first: int = 0) -> Iterator[Picture]:
    """The pictures of a film from the one that frame `first` shows; their pixels as decoded."""
    stream = film.streams.video[0]
    stream.thread_type = "AUTO"
    if first:
        film.seek(first, stream=stream)
    for frame in film.decode(stream):
        start = frame.pts or 0
        picture = Picture(frame, start, start + max(1, frame.duration or 0), bool(frame.key_frame))
        if picture.end > first:
            yield picture


def describe(context: av.VideoCodecContext, width: int, height: int, form: str = "yuv420p") -> None:
    """Tell an encoder its pictures' size, and which YUV they are.

    An untagged stream is BT.601 to one player and BT.709 to the next.
    """
    context.width, context.height, context.pix_fmt = width, height, form
    context.colorspace = Colorspace.ITU709
    context.color_range = ColorRange.MPEG
    context.color_primaries = ColorPrimaries.BT709
    context.color_trc = ColorTrc.IEC61966_2_1
