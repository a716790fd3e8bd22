"""Clips into a film: packets copied, not encoded again; chapters, subtitles, the index in front."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from pathlib import Path
from typing import Any

import av
from av.container import InputContainer, OutputContainer
from av.stream import Stream
from PIL import Image

from clockhead.clips import atomic
from clockhead.clips.clip import Clip
from clockhead.clips.stream import (
    container_options,
    length_of,
    opened,
    packets_of,
    pictures_of,
)
from clockhead.plain import plain
from clockhead.production.captions import Cue, lines
from clockhead.production.mp4 import hide_subtitles
from clockhead.production.sound import Sound
from clockhead.scenes.language import ENGLISH
from clockhead.scenes.stage import Line
from clockhead.voice.speech import ShotSpeech


class JoinError(Exception):
    """The clips do not make one film."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """A clip, what it is called in plain text, and what is heard in it."""

    title: str
    clip: Clip
    speech: ShotSpeech | None = None


def starts(chapters: Sequence[Chapter]) -> list[int]:
    """The frame with which each chapter begins, and at the end the number of frames in all."""
    return list(accumulate((chapter.clip.frames for chapter in chapters), initial=0))


def cues(chapters: Sequence[Chapter]) -> list[Cue]:
    """What the pictures say, each line until the next one or the end of its chapter."""
    return [
        Cue(start + line.frame, start + end, text)
        for start, chapter in zip(starts(chapters), chapters, strict=False)
        for line, end in _lines(chapter.clip)
        if (text := plain(line.text)) and line.frame < end
    ]


def _lines(clip: Clip) -> Iterator[tuple[Line, int]]:
    """Each line, and the frame with which it is gone."""
    ends = [*(line.frame for line in clip.lines[1:]), clip.frames]
    return zip(clip.lines, ends, strict=False)


def join(
    chapters: Sequence[Chapter],
    fps: int,
    target: Path,
    metadata: Mapping[str, str],
    *,
    words_shown: bool = False,
    language: str = ENGLISH.track,
) -> None:
    """Write a film at `target`, which is a temporary name: it is half there until this returns.

    Players show its subtitles at once if `words_shown`; else when they are asked to. `language` is
    what these are in, in three letters of ISO 639-2.

    Raises:
        JoinError: when the clips were not encoded alike, or the film does not read back whole.
        DiskFull: when there is no room.
    """
    with atomic.full_disk_named(target):
        options = {
            "movflags": "+faststart",
            "fflags": "+bitexact",
            **container_options(fps),
        }
        with av.open(str(target), "w", format="mp4", options=options) as film:
            film.metadata.update(metadata)
            if len(chapters) > 1:  # MoviePy opens no file that has a list, and one needs none
                film.set_chapters(_chapter_list(chapters, fps))
            _copy(film, chapters, fps, language)
        if not words_shown:
            hide_subtitles(target)
    _verify(target, starts(chapters)[-1])


def frame_at(video: bytes, index: int) -> Image.Image:
    """One frame of a clip, as RGB."""
    return next(frames_at(video, [index]))


def frames_at(video: bytes, indices: Sequence[int]) -> Iterator[Image.Image]:
    """Some frames of a clip, as RGB; the indices rise.

    Raises:
        JoinError: when the clip has no such frame.
    """
    wanted = list(indices)
    with opened(video) as clip:
        for picture in pictures_of(clip, wanted[0] if wanted else 0):
            while wanted and wanted[0] < picture.end:
                wanted.pop(0)
                yield _image(picture.pixels)
            if not wanted:
                return
    raise JoinError(f"the clip has no frame {wanted[0]}")


def _image(frame: Any) -> Image.Image:
    picture: Image.Image = frame.to_image()
    return picture


def _chapter_list(chapters: Sequence[Chapter], fps: int) -> list[Any]:
    edges = starts(chapters)
    return [
        {
            "id": number,
            "start": edges[number],
            "end": edges[number + 1],
            "time_base": Fraction(1, fps),
            "metadata": {"title": chapter.title},
        }
        for number, chapter in enumerate(chapters)
    ]


def _copy(film: OutputContainer, chapters: Sequence[Chapter], fps: int, language: str) -> None:
    """Copy every packet of every clip, each clip where the one before it ended."""
    with opened(chapters[0].clip.video) as first:
        video = film.add_stream_from_template(first.streams.video[0])
        encoding = _encoding(first)
    spoken = cues(chapters)
    words = _add_words(film, fps, language) if spoken else None
    voice = chapters[0].speech
    sound = Sound(film, voice.rate, fps, language) if voice else None
    for start, chapter in zip(starts(chapters), chapters, strict=False):
        while words and spoken and spoken[0].start < start + chapter.clip.frames:
            film.mux(_subtitle(spoken.pop(0), fps, words))
        if sound and chapter.speech:
            sound.add(chapter.clip, chapter.speech)
        with opened(chapter.clip.video) as clip:
            if _encoding(clip) != encoding:
                raise JoinError(f"the clip of {chapter.title!r} is encoded unlike the first one")
            for packet in packets_of(clip):
                packet.pts = packet.dts = start + (packet.pts or 0)
                packet.stream = video
                film.mux(packet)
    if sound:
        sound.finish()


def _encoding(clip: InputContainer) -> tuple[Any, ...]:
    """What two clips must have in common to be one stream."""
    stream = clip.streams.video[0]
    return stream.codec_context.extradata, stream.time_base


def _add_words(film: OutputContainer, fps: int, language: str) -> Stream:
    """A track of 3GPP timed text that counts in frames."""
    words = film.add_mux_stream("mov_text")
    words.time_base = Fraction(1, fps)
    words.metadata["language"] = language
    return words


def _subtitle(cue: Cue, fps: int, words: Stream) -> av.Packet[Any]:
    """A packet of 3GPP timed text: the length in two bytes, then UTF-8."""
    text = lines(cue.text).encode()
    packet: av.Packet[Any] = av.Packet(len(text).to_bytes(2, "big") + text)
    packet.pts = packet.dts = cue.start
    packet.duration = cue.end - cue.start
    packet.time_base = Fraction(1, fps)
    packet.stream = words
    return packet


def _verify(path: Path, frames: int) -> None:
    """Read the film back: a full disk can go unnoticed until the last moment."""
    with opened(path) as film:
        found = length_of(film)
    if found != frames:
        raise JoinError(f"{found} of {frames} frames can be read back")
