"""Stretches of clips: a beat on its own, to be shown by itself and to stand at its end."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import av
import numpy as np
from av.container import InputContainer

from clockhead.pipeline.clips.clip import Clip
from clockhead.pipeline.clips.encoder import OPTIONS
from clockhead.pipeline.voice.speech import ShotSpeech
from clockhead.scenes.stage import Beat, Line


def cut(clip: Clip, first: int, last: int) -> Clip:
    """The frames from `first` to `last` of a clip, both included, as a clip.

    Nothing is encoded again if it begins with a frame that players can jump to, as beats do, and
    another such frame (or nothing) comes after it.
    """
    frames = last - first + 1
    assert 0 <= first <= last < clip.frames
    if frames == clip.frames:
        return clip
    with av.open(io.BytesIO(clip.video), "r") as film:
        packets = list(_packets(film))
        fps = film.streams.video[0].average_rate
        assert fps is not None
        keys = {_shown(packet, fps) for packet in packets if packet.is_keyframe} | {clip.frames}
        whole = {first, last + 1} <= keys
        video = _copied(film, packets, fps, first, last) if whole else None
    return replace(
        clip,
        video=video or _encoded(clip.video, first, last),
        frames=frames,
        beats=tuple(Beat(b.name, b.frame - first) for b in clip.beats if first <= b.frame <= last),
        lines=tuple(_lines(clip, first, last)),
        opened=max(0, min(clip.opened - first, frames - 1)),
        poster=frames - 1,
    )


def heard_in(clip: Clip, speech: ShotSpeech, first: int, last: int) -> ShotSpeech:
    """What is heard from `first` to `last`: whatever begins before or after it is not."""
    begins = {line.text: line.frame for line in clip.lines} | {speech.question: clip.opened}
    silence = np.zeros(0, np.int16)
    sounds = {
        text: sound if first <= begins.get(text, -1) <= last else silence
        for text, sound in speech.sounds.items()
    }
    return replace(speech, sounds=sounds)


def _lines(clip: Clip, first: int, last: int) -> Iterator[Line]:
    """What is said, beginning with what still stands from before."""
    before = [line for line in clip.lines if line.frame <= first]
    after = [line for line in clip.lines if first < line.frame <= last]
    for line in [*before[-1:], *after]:
        yield replace(line, frame=max(0, line.frame - first))


def _packets(film: InputContainer) -> Iterator[av.Packet[Any]]:
    return (packet for packet in film.demux(video=0) if packet.dts is not None)


def _shown(packet: av.Packet[Any], fps: Fraction) -> int:
    """The number of the frame in a packet, in the order in which frames are shown."""
    return round((packet.pts or 0) * packet.time_base * fps)


def _copied(
    film: InputContainer, packets: list[av.Packet[Any]], fps: Fraction, first: int, last: int
) -> bytes:
    """The packets of some frames. No frame before a key frame needs one after it, or is it."""
    inside = [packet for packet in packets if first <= _shown(packet, fps) <= last]
    shown = [_shown(packet, fps) - first for packet in inside]
    delay = max(number - at for number, at in enumerate(shown))
    file = io.BytesIO()
    with av.open(file, "w", format="mp4") as made:
        stream = made.add_stream_from_template(film.streams.video[0])
        for number, (packet, at) in enumerate(zip(inside, shown, strict=True)):
            ticks = 1 / (fps * packet.time_base)
            packet.pts, packet.dts = round(at * ticks), round((number - delay) * ticks)
            packet.stream = stream
            made.mux(packet)
    return file.getvalue()


def _encoded(video: bytes, first: int, last: int) -> bytes:
    """The frames, encoded again as clips are, in the colours that they have."""
    file = io.BytesIO()
    with av.open(io.BytesIO(video), "r") as film, av.open(file, "w", format="mp4") as made:
        source = film.streams.video[0]
        source.thread_type = "AUTO"
        fps = source.average_rate
        assert fps is not None
        assert source.time_base is not None
        stream: Any = made.add_stream("libx264", rate=fps, options=OPTIONS)
        stream.width, stream.height, stream.pix_fmt = source.width, source.height, "yuv420p"
        ours, theirs = stream.codec_context, source.codec_context
        for name in ("colorspace", "color_range", "color_primaries", "color_trc"):
            setattr(ours, name, getattr(theirs, name))
        film.seek(round(first / fps / source.time_base), stream=source)
        for frame in film.decode(source):
            number = round((frame.pts or 0) * source.time_base * fps)
            if first <= number <= last:
                frame.pts, frame.time_base = number - first, 1 / fps
                frame.pict_type = av.video.frame.PictureType.NONE
                made.mux(stream.encode(frame))
            if number >= last:
                break
        made.mux(stream.encode(None))
    return file.getvalue()
