"""Stretches of clips: a beat on its own, to be shown by itself and to stand at its end."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import av
import numpy as np
from av.container import InputContainer

from clockhead.clips.clip import Clip
from clockhead.clips.stream import (
    Picture,
    PictureStream,
    container_options,
    opened,
    packets_of,
    pictures_of,
    rate_of,
)
from clockhead.scenes.stage import Beat, Line
from clockhead.voice.speech import ShotSpeech


def cut(clip: Clip, first: int, last: int) -> Clip:
    """The frames from `first` to `last` of a clip, both included, as a clip.

    Nothing is encoded again if it begins with a frame that players can jump to, as beats do, and
    another such frame (or nothing) comes after it.
    """
    frames = last - first + 1
    assert 0 <= first <= last < clip.frames
    if frames == clip.frames:
        return clip
    with opened(clip.video) as film:
        packets = list(packets_of(film))
        keys = {packet.pts for packet in packets if packet.is_keyframe} | {clip.frames}
        whole = {first, last + 1} <= keys
        video = _copied(film, packets, first, last) if whole else None
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


def _copied(film: InputContainer, packets: list[av.Packet[Any]], first: int, last: int) -> bytes:
    """The packets of some frames."""
    file = io.BytesIO()
    options = container_options(rate_of(film))
    with av.open(file, "w", format="mp4", container_options=options) as made:
        stream = made.add_stream_from_template(film.streams.video[0])
        for packet in packets:
            if first <= (packet.pts or 0) <= last:
                packet.pts = packet.dts = (packet.pts or 0) - first
                packet.stream = stream
                made.mux(packet)
    return file.getvalue()


def _encoded(video: bytes, first: int, last: int) -> bytes:
    """The frames, encoded again as clips are."""
    with opened(video) as film:
        source = film.streams.video[0]
        made = PictureStream(source.width, source.height, rate_of(film))
        for picture in pictures_of(film, first):
            start, end = max(picture.start, first), min(picture.end, last + 1)
            if start >= end:
                break
            made.add(Picture(picture.pixels, start - first, end - first, start == first))
    return made.finish()
