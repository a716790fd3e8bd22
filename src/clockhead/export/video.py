"""The film in other clothes: encoded anew for other players, and within a size where one is set."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import av
from av.container import InputContainer, OutputContainer
from av.video.frame import PictureType

from clockhead.clips import atomic
from clockhead.clips.stream import describe, rate_of
from clockhead.export.edition import ExportError

MEGABYTE = 1_000_000
"""Bytes: as disks, learning platforms and mail count them."""
_ROOM = 0.94
"""The share of a size that is aimed at; containers and encoders want some of it."""
_SOUND = 64_000
"""Bits in a second that the voice gets where a size is set."""
_LEAST_BITS = 0.004
"""Bits to a pixel below which fewer pixels look better."""
_LEAST = 8_000.0
"""Bits in a second without which there is no picture."""
_TRIES = 4


@dataclass(frozen=True, slots=True)
class Codec:
    """How a kind of file is encoded."""

    container: str
    video: str
    sound: str
    sound_rate: int
    samples: str
    """How the encoder of sound wants its samples."""
    options: dict[str, str] = field(default_factory=dict)
    """Where no size is set."""
    within: dict[str, str] = field(default_factory=dict)
    """Where one is."""


MP4 = Codec("mp4", "libx264", "aac", 44_100, "fltp", {"crf": "21"}, {"preset": "slow"})
WEBM = Codec(
    "webm",
    "libvpx-vp9",
    "libopus",
    48_000,
    "flt",
    {"crf": "32", "b": "0", "deadline": "good", "cpu-used": "4", "row-mt": "1"},
    {"deadline": "good", "cpu-used": "4", "row-mt": "1"},
)


@dataclass(frozen=True, slots=True)
class _Effort:
    """One way to encode: how large, and with how many bits in a second (None: as good as usual)."""

    width: int
    height: int
    bits: int | None = None


def encode(
    source: Path,
    target: Path,
    codec: Codec,
    max_mb: float | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> None:
    """Write a film as another kind of file, of at most `max_mb` megabytes.

    It is said when the picture is smaller than that of the film, so that it fits.

    Raises:
        ExportError: when it cannot be so small and still be seen.
    """
    with atomic.replacing(target) as temporary:
        if max_mb is None:
            _transcode(source, temporary, codec, _whole(source))
            return
        sizes: list[int] = []
        for effort in _within(source, max_mb * MEGABYTE, sizes):
            _transcode(source, temporary, codec, effort)
            sizes.append(temporary.stat().st_size)
            if sizes[-1] <= max_mb * MEGABYTE:
                if effort.width < (wanted := _whole(source).width):
                    say(smaller(target, effort.width, wanted, max_mb))
                return
        raise too_large(target, max_mb, min(sizes))


def too_large(target: Path, max_mb: float, least: int) -> ExportError:
    """What to say when a file cannot be small enough."""
    return ExportError(
        f"{target.name} cannot be made to fit into {max_mb:g} MB; the smallest that still shows "
        f"something has {least / MEGABYTE:.2g} MB: --shot makes it shorter"
    )


def smaller(target: Path, width: int, wanted: int, max_mb: float) -> str:
    """What to say when a picture is not as wide as it was wanted."""
    return f"{target.name}: {width} pixels wide and not {wanted}, to fit into {max_mb:g} MB"


def _whole(source: Path) -> _Effort:
    with av.open(str(source)) as film:
        video = film.streams.video[0]
        return _Effort(video.width, video.height)


def _within(source: Path, size: float, sizes: list[int]) -> Iterator[_Effort]:
    """Efforts that come closer to a size; each knows how the ones before it came out."""
    with av.open(str(source)) as film:
        video = film.streams.video[0]
        seconds = float((film.duration or 0) / av.time_base)
        rate = float(video.average_rate or 1)
        sound = _SOUND if film.streams.audio else 0
        width, height = video.width, video.height
    bits = max(_LEAST, size * 8 * _ROOM / seconds - sound)
    for _ in range(_TRIES):
        share = min(1.0, (bits / (_LEAST_BITS * width * height * rate)) ** 0.5)
        yield _Effort(_even(width * max(share, 0.2)), _even(height * max(share, 0.2)), int(bits))
        if bits <= _LEAST:
            return
        bits = max(_LEAST, bits * min(0.8, size * _ROOM / sizes[-1]))


def _even(pixels: float) -> int:
    return max(2, 2 * round(pixels / 2))


def _transcode(source: Path, target: Path, codec: Codec, effort: _Effort) -> None:
    with av.open(str(source)) as film, av.open(str(target), "w", format=codec.container) as made:
        made.metadata.update(film.metadata)
        made.set_chapters(film.chapters())
        _copy_pictures(film, made, codec, effort)


def _copy_pictures(
    film: InputContainer, made: OutputContainer, codec: Codec, effort: _Effort
) -> None:
    source = film.streams.video[0]
    source.thread_type = "AUTO"
    options = codec.options if effort.bits is None else codec.within | _bounds(effort.bits)
    video: Any = made.add_stream(codec.video, rate=rate_of(film), options=options)
    describe(video.codec_context, effort.width, effort.height)
    if effort.bits is not None:
        video.bit_rate = effort.bits
    heard = film.streams.audio[0] if film.streams.audio else None
    sound: Any = None
    if heard:
        sound = made.add_stream(codec.sound, rate=codec.sound_rate, layout="mono")
        sound.bit_rate = _SOUND
    resampler = av.AudioResampler(codec.samples, "mono", codec.sound_rate)
    for frame in film.decode(*filter(None, [source, heard])):
        if isinstance(frame, av.VideoFrame):
            made.mux(video.encode(_resized(frame, effort)))
        elif isinstance(frame, av.AudioFrame):
            for piece in resampler.resample(frame):
                made.mux(sound.encode(piece))
    made.mux(video.encode(None))
    if sound:
        made.mux(sound.encode(None))


def _bounds(bits: int) -> dict[str, str]:
    """A second may have twice its share of the bits, and four seconds not more than theirs."""
    return {"maxrate": str(2 * bits), "bufsize": str(4 * bits)}


def _resized(frame: av.VideoFrame, effort: _Effort) -> av.VideoFrame:
    """A frame of the size that is wanted, which begins a beat if it did."""
    shown = frame.reformat(effort.width, effort.height, "yuv420p")
    shown.pts, shown.time_base, shown.duration = frame.pts, frame.time_base, frame.duration
    shown.pict_type = PictureType.I if frame.key_frame else PictureType.NONE
    return shown
