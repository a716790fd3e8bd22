"""Clips into a film: copied packets, chapters, subtitles and the voice, with the index in front."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, BinaryIO

import av
import numpy as np
from av.audio.stream import AudioStream
from av.container import InputContainer, OutputContainer
from av.stream import Stream
from numpy.typing import NDArray
from PIL import Image

from clockhead import atomic
from clockhead.clips.clip import Clip
from clockhead.clips.stream import (
    container_options,
    count_frames,
    decode_pictures,
    open_video,
    read_packets,
)
from clockhead.production.timeline import Chapter, Cue, Mark, cues, starts, wrap
from clockhead.scenes.language import ENGLISH
from clockhead.scenes.stage import LEAD
from clockhead.voice.speech import ShotSpeech

_BITS = 96_000
"""Bits per second of the sound: enough for one voice without an audible loss."""
_FULL_SCALE = 32768.0
"""The range of 16-bit samples."""
_ENABLED = 0x01
"""The flag of an MP4 track that players show by default."""


class JoinError(Exception):
    """The clips do not make one film."""


def join(
    chapters: Sequence[Chapter],
    fps: int,
    target: Path,
    metadata: Mapping[str, str],
    *,
    show_subtitles: bool = False,
    language: str = ENGLISH.track,
    marks: Sequence[Mark] = (),
) -> None:
    """Write a film at `target`, a temporary path: the file is incomplete until this returns.

    Nothing is encoded again but the voice. Players show the subtitles from the start if
    `show_subtitles`, else on request. `language` is that of the subtitles, a three-letter code of
    ISO 639-2. `marks` are the chapters that players list, if they are not the shots.

    Raises:
        JoinError: if the clips were not encoded alike, or the film does not read back whole.
        DiskFull: if there is no room.
    """
    with atomic.full_disk_errors(target):
        options = {
            "movflags": "+faststart",
            "fflags": "+bitexact",
            **container_options(fps),
        }
        with av.open(str(target), "w", format="mp4", options=options) as film:
            film.metadata.update(metadata)
            listed = marks or [
                Mark(start, chapter.title)
                for start, chapter in zip(starts(chapters), chapters, strict=False)
            ]
            if len(listed) > 1:  # MoviePy cannot open a file with a list of chapters
                film.set_chapters(_chapter_list(listed, starts(chapters)[-1], fps))
            _copy(film, chapters, fps, language)
        if not show_subtitles:
            _hide_subtitles(target)
    # A full disk may go unnoticed until the film is read back.
    with open_video(target) as written:
        found, frames = count_frames(written), starts(chapters)[-1]
    if found != frames:
        raise JoinError(f"{found} of {frames} frames can be read back")


def frame_at(video: bytes, index: int) -> Image.Image:
    """One frame of a clip, as RGB."""
    return next(frames_at(video, [index]))


def frames_at(video: bytes, indices: Sequence[int]) -> Iterator[Image.Image]:
    """Some frames of a clip, as RGB; `indices` ascend.

    Raises:
        JoinError: if the clip has no such frame.
    """
    wanted = list(indices)
    with open_video(video) as clip:
        for picture in decode_pictures(clip, wanted[0] if wanted else 0):
            while wanted and wanted[0] < picture.end:
                wanted.pop(0)
                pixels: Any = picture.pixels
                image: Image.Image = pixels.to_image()
                yield image
            if not wanted:
                return
    raise JoinError(f"the clip has no frame {wanted[0]}")


def voice_samples(clip: Clip, speech: ShotSpeech, fps: int, length: int) -> NDArray[np.int16]:
    """The sound of a clip, (length,): silence, and each sentence once it has appeared."""
    samples = np.zeros(length, np.int16)
    spoken = [(speech.question, clip.opened), *((line.text, line.frame) for line in clip.lines)]
    for text, frame in spoken:
        start = round((frame / fps + LEAD) * speech.rate)
        sound = speech.sounds[text]
        samples[start : start + len(sound)] = sound
    return samples


def _chapter_list(marks: Sequence[Mark], end: int, fps: int) -> list[Any]:
    edges = [*(mark.frame for mark in marks), end]
    return [
        {
            "id": number,
            "start": edges[number],
            "end": edges[number + 1],
            "time_base": Fraction(1, fps),
            "metadata": {"title": mark.title},
        }
        for number, mark in enumerate(marks)
    ]


def _copy(film: OutputContainer, chapters: Sequence[Chapter], fps: int, language: str) -> None:
    """Append the packets of every clip, and the subtitles and the sound that belong to it."""
    with open_video(chapters[0].clip.video) as first:
        video = film.add_stream_from_template(first.streams.video[0])
        encoding = _encoding(first)
    due = cues(chapters)
    subtitles: Stream | None = None
    if due:
        subtitles = film.add_mux_stream("mov_text")
        subtitles.time_base = Fraction(1, fps)
        subtitles.metadata["language"] = language
    voice = chapters[0].speech
    track = _VoiceTrack(film, voice.rate, fps, language) if voice else None
    for start, chapter in zip(starts(chapters), chapters, strict=False):
        while subtitles and due and due[0].start < start + chapter.clip.frames:
            film.mux(_subtitle_packet(due.pop(0), fps, subtitles))
        if track and chapter.speech:
            track.add(chapter.clip, chapter.speech)
        with open_video(chapter.clip.video) as clip:
            if _encoding(clip) != encoding:
                raise JoinError(f"the clip of {chapter.title!r} is encoded unlike the first one")
            for packet in read_packets(clip):
                packet.pts = packet.dts = start + (packet.pts or 0)
                packet.stream = video
                film.mux(packet)
    if track:
        track.finish()


def _encoding(clip: InputContainer) -> tuple[Any, ...]:
    """The properties that clips must share to be one stream."""
    stream = clip.streams.video[0]
    return stream.codec_context.extradata, stream.time_base


def _subtitle_packet(cue: Cue, fps: int, stream: Stream) -> av.Packet[Any]:
    """A packet of 3GPP timed text: the length in two bytes, then UTF-8."""
    text = wrap(cue.text).encode()
    packet: av.Packet[Any] = av.Packet(len(text).to_bytes(2, "big") + text)
    packet.pts = packet.dts = cue.start
    packet.duration = cue.end - cue.start
    packet.time_base = Fraction(1, fps)
    packet.stream = stream
    return packet


class _VoiceTrack:
    """The voice of a film as AAC, encoded chapter by chapter; times count from the film's start."""

    def __init__(self, film: OutputContainer, rate: int, fps: int, language: str) -> None:
        self._stream: AudioStream = film.add_stream("aac", rate=rate, layout="mono")
        self._stream.bit_rate = _BITS
        self._stream.codec_context.flags |= av.codec.context.Flags.bitexact
        self._stream.metadata["language"] = language
        self._film = film
        self._rate = rate
        self._fps = fps
        self._n_frames = 0

    def add(self, clip: Clip, speech: ShotSpeech) -> None:
        """Encode the sound of the next clip."""
        edges = (self._n_frames, self._n_frames + clip.frames)
        first, last = (round(Fraction(frame * self._rate, self._fps)) for frame in edges)
        samples = voice_samples(clip, speech, self._fps, last - first)
        scaled = (samples / _FULL_SCALE).astype(np.float32)[np.newaxis]
        frame = av.AudioFrame.from_ndarray(scaled, format="fltp", layout="mono")
        frame.sample_rate = self._rate
        frame.time_base = Fraction(1, self._rate)
        frame.pts = first
        self._film.mux(self._stream.encode(frame))
        self._n_frames += clip.frames

    def finish(self) -> None:
        """Write the last packets."""
        self._film.mux(self._stream.encode(None))


def _hide_subtitles(path: Path) -> None:
    """Leave subtitles off until a viewer asks for them; the pictures show the captions already.

    FFmpeg's muxer enables the first subtitle track whatever its options, and PyAV cannot edit a
    written file, so this clears the flag in the file.
    """
    with path.open("r+b") as file:
        for track in list(_find_boxes(file, (0, path.stat().st_size), b"moov", b"trak")):
            for handler, _ in _find_boxes(file, track, b"mdia", b"hdlr"):
                file.seek(handler + 8)
                if file.read(4) in (b"sbtl", b"text"):
                    [(header, _)] = _find_boxes(file, track, b"tkhd")
                    file.seek(header + 3)
                    flags = file.read(1)[0]
                    file.seek(header + 3)
                    file.write(bytes([flags & ~_ENABLED]))


def _find_boxes(file: BinaryIO, bounds: tuple[int, int], *path: bytes) -> Iterator[tuple[int, int]]:
    """Start and end of the content of the MP4 boxes at a path of kinds, such as `moov`, `trak`."""
    if not path:
        yield bounds
        return
    start, end = bounds
    while start + 8 <= end:
        file.seek(start)
        size, kind, header = int.from_bytes(file.read(4)), file.read(4), 8
        if size == 1:
            size, header = int.from_bytes(file.read(8)), 16
        stop = start + size if size else end
        if kind == path[0]:
            yield from _find_boxes(file, (start + header, stop), *path[1:])
        start = max(stop, start + header)
