"""The voice of a film as one stream of sound, each sentence at the frame that shows it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import av
import numpy as np
from av.audio.stream import AudioStream
from av.container import OutputContainer
from numpy.typing import NDArray

from clockhead.clips.clip import Clip
from clockhead.scenes.stage import LEAD
from clockhead.voice.speech import ShotSpeech

_BITS = 96_000
"""Bits in a second, in which nothing of one voice is lost that can be heard."""
_FULL = 32768.0
"""What a sample of 16 bits is a share of."""


class Sound:
    """The sound of a film, chapter by chapter, as AAC. Its samples are counted from the start."""

    def __init__(self, film: OutputContainer, rate: int, fps: int, language: str) -> None:
        self._stream: AudioStream = film.add_stream("aac", rate=rate, layout="mono")
        self._stream.bit_rate = _BITS
        self._stream.codec_context.flags |= av.codec.context.Flags.bitexact
        self._stream.metadata["language"] = language
        self._film = film
        self._rate = rate
        self._fps = fps
        self._frames = 0

    def add(self, clip: Clip, speech: ShotSpeech) -> None:
        """What is heard while a clip is seen."""
        first, last = (self._sample(at) for at in (self._frames, self._frames + clip.frames))
        samples = heard(clip, speech, self._fps, last - first)
        for packet in self._encode(samples, first):
            self._film.mux(packet)
        self._frames += clip.frames

    def finish(self) -> None:
        """The last packets."""
        self._film.mux(self._stream.encode(None))

    def _sample(self, frame: int) -> int:
        return round(Fraction(frame * self._rate, self._fps))

    def _encode(self, samples: NDArray[np.int16], first: int) -> Iterator[av.Packet[Any]]:
        shares = (samples / _FULL).astype(np.float32)[np.newaxis]
        frame = av.AudioFrame.from_ndarray(shares, format="fltp", layout="mono")
        frame.sample_rate = self._rate
        frame.time_base = Fraction(1, self._rate)
        frame.pts = first
        yield from self._stream.encode(frame)


def heard(clip: Clip, speech: ShotSpeech, fps: int, length: int) -> NDArray[np.int16]:
    """The sound of one clip, (length,): silence, and each sentence when it has appeared."""
    samples = np.zeros(length, np.int16)
    spoken = [(speech.question, clip.opened), *((line.text, line.frame) for line in clip.lines)]
    for text, frame in spoken:
        start = round((frame / fps + LEAD) * speech.rate)
        sound = speech.sounds[text]
        samples[start : start + len(sound)] = sound
    return samples
