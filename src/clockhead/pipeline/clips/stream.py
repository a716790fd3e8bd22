"""H.264 in MP4 whose clock counts frames: a picture that stays is one packet, however long.

The time base of these streams is one frame, so that all times in them are whole numbers of frames;
pictures are decoded in the order in which they are shown.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import av
from av.container import InputContainer
from av.video.frame import PictureType
from av.video.reformatter import ColorPrimaries, ColorRange, Colorspace, ColorTrc

_ALWAYS = {"threads": "1", "thread_type": "frame", "forced-idr": "1", "bf": "0"}
"""One thread: the workers fill the cores, and the bytes do not depend on how many there are. No
B-frames: what is decoded out of turn has no place in MP4 when pictures are not equally long."""
_USUAL = {
    "preset": "ultrafast",
    "crf": "21.5",
    "x264-params": "cabac=1:partitions=i4x4:aq-mode=1",
}
_SMALL = {"preset": "medium", "crf": "20.5"}


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


def frame_by_frame(picture: Picture) -> Iterator[Picture]:
    """A picture that stays, as often as there are frames in which it does."""
    for at in range(picture.start, picture.end):
        yield Picture(picture.pixels, at, at + 1, picture.key and at == picture.start)


class PictureStream:
    """Takes pictures in YUV 4:2:0, gives an MP4."""

    def __init__(self, width: int, height: int, fps: int, *, small: bool = False) -> None:
        self._rate = fps
        self._file = io.BytesIO()
        self._container = av.open(
            self._file, "w", format="mp4", container_options=container_options(fps)
        )
        self._stream = self._container.add_stream(
            "libx264", rate=fps, options=x264_options(small=small)
        )
        self._stream.width, self._stream.height = width, height
        self._stream.pix_fmt = "yuv420p"
        _tag_colors(self._stream.codec_context)
        self._lengths: dict[int, int] = {}

    def add(self, picture: Picture) -> None:
        """Encode a picture that begins where the one before ended."""
        frame = picture.pixels
        frame.pts, frame.time_base = picture.start, Fraction(1, self._rate)
        frame.pict_type = PictureType.I if picture.key else PictureType.NONE
        self._lengths[picture.start] = picture.end - picture.start
        self._mux(self._stream.encode(frame))

    def finish(self) -> bytes:
        """Encode what is left and return the MP4."""
        self._mux(self._stream.encode(None))
        self._container.close()
        return self._file.getvalue()

    def abort(self) -> None:
        """End without an MP4."""
        self._container.close()

    def _mux(self, packets: Iterable[av.Packet[Any]]) -> None:
        for packet in packets:
            packet.duration = self._lengths.pop(packet.pts or 0)
            self._container.mux(packet)


def opened(video: bytes) -> InputContainer:
    """An MP4 that is in memory."""
    return av.open(io.BytesIO(video), "r")


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


def _tag_colors(context: av.VideoCodecContext) -> None:
    """Say which YUV this is: an untagged stream is BT.601 to one player and BT.709 to the next."""
    context.colorspace = Colorspace.ITU709
    context.color_range = ColorRange.MPEG
    context.color_primaries = ColorPrimaries.BT709
    context.color_trc = ColorTrc.IEC61966_2_1
