"""What a film says, spoken before it is drawn: the pictures then go on for as long as the voice."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from clockhead.clips.sealed import SealedStore
from clockhead.clips.shelf import SPEECH
from clockhead.scenes.language import DEFAULT_LANGUAGE
from clockhead.scenes.stage.contract import Spoken
from clockhead.storyboard.films import Film
from clockhead.storyboard.resolved import ResolvedShot
from clockhead.voice.loudness import TARGET, evened
from clockhead.voice.speakers import Speaker, VoiceError, open_speaker, piper_files
from clockhead.voice.words import spoken_form

Sound = NDArray[np.int16]
"""A spoken sentence, (n,), without silence around it and as loud as every other."""
_MOST = 32767
"""The largest sample that 16 bits hold."""


@dataclass(frozen=True)
class ShotSpeech:
    """What is heard in a shot: each of its sentences, and the title's question, as sound."""

    rate: int
    """Samples in a second."""
    question: str
    sounds: Mapping[str, Sound]
    """By the sentence that is shown, which may not be what is said."""


class SpeechStore(SealedStore):
    """Spoken sentences."""

    kind = SPEECH

    def get(self, key: str) -> Sound | None:
        """The sentence with this key, or None if there is none or it is damaged."""
        found = self.read(key)
        return None if found is None else np.frombuffer(found[1], np.int16)

    def put(self, key: str, sound: Sound) -> None:
        """Keep a sentence.

        Raises:
            DiskFull: when there is no room; nothing is left behind.
        """
        self.write(key, {}, sound.tobytes())


def speak(
    film: Film, store: SpeechStore, say: Callable[[str], None]
) -> tuple[Film, list[ShotSpeech]]:
    """Speak a film: its shots now wait for the voice, and what is heard in each.

    A film that is not to be spoken comes back as it is, with nothing to be heard.

    Raises:
        VoiceError: when the voice is not there, or cannot say it.
    """
    if not film.look.voice:
        return film, []
    speaker = open_speaker(film.look.voice)
    _agree(speaker.language, film)
    reader = _Reader(
        speaker, store, min(film.look.pace, 1.0), lambda: say(f"{film.name}: speaking")
    )
    shots, heard = [], []
    for shot in film.shots:
        sounds = [reader.sound(text) for text in shot.script]
        shots.append(_waiting(shot, reader, sounds))
        texts = (shot.shot.question, *shot.shot.notes, shot.shot.caption)
        pairs = dict(zip(texts, sounds, strict=True))
        heard.append(ShotSpeech(speaker.rate, shot.shot.question, pairs))
    store.prune()
    return replace(film, shots=tuple(shots)), heard


def refusal(film: Film) -> str:
    """Why a film cannot be spoken, as far as is known without its voice; empty if it can."""
    voice = film.look.voice
    try:
        if voice is True:
            _agree(DEFAULT_LANGUAGE, film)
        elif voice:
            piper_files(Path(voice))
    except VoiceError as error:
        return str(error)
    return ""


def _agree(language: str, film: Film) -> None:
    if language != film.look.language:
        raise VoiceError(
            f"this voice speaks {language} and the film {film.look.language}; give a Piper voice "
            f"of that language, --voice FILE.onnx, or none, --no-voice"
        )


class _Reader:
    """Has sentences spoken that have not been before."""

    def __init__(
        self, speaker: Speaker, store: SpeechStore, speed: float, began: Callable[[], None]
    ) -> None:
        self.voice = f"{speaker.id}, {speed:g}"
        self.rate = speaker.rate
        self._speaker = speaker
        self._store = store
        self._speed = speed
        self._began: Callable[[], None] | None = began

    def sound(self, text: str) -> Sound:
        """A sentence, spoken."""
        words = spoken_form(text, self._speaker.language)
        key = _key(self.voice, words)
        known = self._store.get(key)
        if known is not None:
            return known
        if self._began:
            self._began()
            self._began = None
        samples = evened(self._speaker.say(words, self._speed), self.rate)
        sound = np.round(samples * _MOST).astype(np.int16)
        self._store.put(key, sound)
        return sound


def _waiting(shot: ResolvedShot, reader: _Reader, sounds: list[Sound]) -> ResolvedShot:
    """The shot, whose sentences stay until they have been spoken."""
    seconds = tuple(round(len(sound) / reader.rate, 3) for sound in sounds)
    return replace(shot, shot=replace(shot.shot, spoken=Spoken(reader.voice, seconds)))


def _key(voice: str, words: str) -> str:
    return hashlib.sha256(json.dumps([voice, TARGET, words]).encode()).hexdigest()
